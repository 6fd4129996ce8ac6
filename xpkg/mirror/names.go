package mirror

import (
	"cmp"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/meta"
)

// Below are rules that keep packages below a prefix, such as
// registry.internal/mirror, under their complete names: one rule for each registry that
// the references name, sorted. A colon in the name of a registry becomes a hyphen, since
// a path has none.
func Below(prefix string, refs ...meta.Reference) []meta.Rewrite {
	prefix = strings.TrimSuffix(prefix, "/")
	var rules []meta.Rewrite
	for _, r := range refs {
		registry, _, _ := strings.Cut(r.Source.Identity(), "/")
		rules = append(rules, meta.Rewrite{
			From: registry + "/",
			To:   prefix + "/" + strings.ReplaceAll(registry, ":", "-") + "/",
		})
	}
	slices.SortFunc(rules, compareRules)
	return slices.Compact(rules)
}

func compareRules(a, b meta.Rewrite) int {
	return cmp.Or(strings.Compare(a.From, b.From), strings.Compare(a.To, b.To))
}

// item is one name to copy.
type item struct {
	declared meta.Reference
	mirrored meta.Reference
	entry    *Entry // what became of it
	copied   bool
}

// identifier is the tag or digest that it has in the mirror.
func (i *item) identifier() string { return i.mirrored.Identifier() }

// asked is what the source is asked for: the digest, if that is known.
func (i *item) asked() string { return i.declared.Identifier() }

// plan makes items of references, in the order of their names. Faults are those of single packages; the others are there.
func plan(refs []meta.Reference, to *Target) (items []*item, faults []error) {
	fail := func(r meta.Reference, err error) { faults = append(faults, &ItemError{Ref: r.String(), Err: err}) }
	refs = slices.Clone(refs)
	slices.SortStableFunc(refs, func(a, b meta.Reference) int {
		return cmp.Or(strings.Compare(a.Source.Identity(), b.Source.Identity()), strings.Compare(a.Tag, b.Tag), strings.Compare(b.Digest, a.Digest))
	})
	owners := map[string]meta.Source{} // of repositories in the mirror
	names := map[string]*item{}
	for _, r := range refs {
		if r.Tag == "" && r.Digest == "" {
			r.Tag = meta.DefaultTag
		}
		mirrored, err := to.names(r.Source)
		if err != nil {
			fail(r, err)
			continue
		}
		key := mirrored.Identity()
		if owner, ok := owners[key]; ok && !owner.Equal(r.Source) {
			fail(r, &ClashError{Mirrored: key, First: owner.String(), Second: r.Source.String()})
			continue
		}
		i := &item{declared: r, mirrored: meta.Reference{Source: mirrored, Tag: r.Tag}}
		if r.Tag == "" {
			i.mirrored.Digest = r.Digest
		}
		if known := names[i.mirrored.Name()]; known != nil {
			if r.Digest != "" && known.declared.Digest != "" && r.Digest != known.declared.Digest {
				fail(r, &MovedError{Name: r.Source.WithTag(r.Tag).String(), First: known.declared.Digest, Second: r.Digest})
			}
			continue // those with a digest come first
		}
		names[i.mirrored.Name()] = i
		if _, ok := owners[key]; !ok {
			owners[key] = r.Source
		}
		items = append(items, i)
	}
	return items, faults
}
