package compare

import (
	"slices"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

// permissions compares what the packages ask for beside what is implied: somebody has
// to grant what is new.
func (d *diff) permissions(was, is *meta.Package) {
	had := was.Permissions()
	path := meta.Path{"spec", "controller", "permissionRequests"}
	if len(is.PermissionRequests) > 0 {
		path = meta.Path{"spec", "permissionRequests"}
	}
	for i, r := range is.Permissions() {
		if slices.ContainsFunc(had, func(o meta.PermissionRequest) bool { return includes(o, r) }) {
			continue
		}
		if granted(had, r) {
			continue
		}
		about := subject{old: path, new: below(path, i)}
		if len(r.NonResourceURLs) > 0 {
			d.add(RulePermission, linter.Warning, about, "the package asks for more: to %s at %s", enumerate(r.Verbs, plain), enumerate(r.NonResourceURLs, quote))
			continue
		}
		d.add(RulePermission, linter.Warning, about, "the package asks for more: to %s %s in %s%s", enumerate(r.Verbs, plain), enumerate(r.Resources, plain), enumerate(r.APIGroups, quote), only(r.ResourceNames))
	}
}

func only(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return ", only those of the name " + enumerate(names, quote)
}

// includes says whether one rule allows all that another one does.
func includes(rule, r meta.PermissionRequest) bool {
	all := func(have, want []string) bool {
		return slices.Contains(have, "*") || len(missing(want, have)) == 0
	}
	if len(r.NonResourceURLs) > 0 {
		return all(rule.Verbs, r.Verbs) && all(rule.NonResourceURLs, r.NonResourceURLs)
	}
	return all(rule.Verbs, r.Verbs) && all(rule.APIGroups, r.APIGroups) && all(rule.Resources, r.Resources) &&
		len(rule.NonResourceURLs) == 0 && (len(rule.ResourceNames) == 0 || len(r.ResourceNames) > 0 && len(missing(r.ResourceNames, rule.ResourceNames)) == 0)
}

// granted says whether several rules together allow all that one does. It looks at
// each combination, unless they are too many; then it says no.
func granted(rules []meta.PermissionRequest, r meta.PermissionRequest) bool {
	const most = 10_000
	combinations := []meta.PermissionRequest{{}}
	for _, dimension := range []struct {
		values []string
		put    func(*meta.PermissionRequest, []string)
	}{
		{r.Verbs, func(p *meta.PermissionRequest, v []string) { p.Verbs = v }},
		{r.APIGroups, func(p *meta.PermissionRequest, v []string) { p.APIGroups = v }},
		{r.Resources, func(p *meta.PermissionRequest, v []string) { p.Resources = v }},
		{r.ResourceNames, func(p *meta.PermissionRequest, v []string) { p.ResourceNames = v }},
		{r.NonResourceURLs, func(p *meta.PermissionRequest, v []string) { p.NonResourceURLs = v }},
	} {
		if len(dimension.values) == 0 {
			continue
		}
		if len(combinations)*len(dimension.values)*max(1, len(rules)) > most {
			return false
		}
		var more []meta.PermissionRequest
		for _, c := range combinations {
			for i := range dimension.values {
				one := c
				dimension.put(&one, dimension.values[i:i+1])
				more = append(more, one)
			}
		}
		combinations = more
	}
	for _, one := range combinations {
		if !slices.ContainsFunc(rules, func(o meta.PermissionRequest) bool { return includes(o, one) }) {
			return false
		}
	}
	return true
}
