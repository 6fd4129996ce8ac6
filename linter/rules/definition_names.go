package rules

import (
	"strings"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

// labelForm says what isLabel1035 asks for.
const labelForm = "up to 63 lower case letters, digits and -, from a letter on"

// isLabel1035 reports whether s is a DNS label by RFC 1035, which the names in APIs
// are.
func isLabel1035(s string) bool {
	const longest = 63
	if s == "" || len(s) > longest || s[len(s)-1] == '-' {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || i > 0 && (c >= '0' && c <= '9' || c == '-')) {
			return false
		}
	}
	return true
}

// reportNames reports the names that a definition lacks or cannot have, and its own
// when it is not made of them.
func reportNames(p *linter.Pass, def *definition) {
	if !def.hasVersionList() {
		return
	}
	f := &findings{pass: p, doc: def.doc}
	group, okGroup := def.group()
	plural, okPlural := def.plural()
	switch {
	case okGroup && group == "":
		f.addf(meta.Path{"spec", "group"}, "there is no group to define an API in")
	case !okGroup:
	case meta.CheckName(group) != nil:
		f.addf(meta.Path{"spec", "group"}, "%s is not a group (a DNS-1123 subdomain is expected)", quote(group))
	case !strings.Contains(group, "."):
		f.addf(meta.Path{"spec", "group"}, "%s is not a group (a domain with a dot at least is expected)", quote(group))
	}
	if names := def.body.get("spec", "names"); names.isAbsent() && okPlural {
		f.addf(meta.Path{"spec", "names"}, "there are no names (kind and plural are expected)")
	} else {
		reportNamesOf(f, meta.Path{"spec", "names"}, names)
	}
	if want := plural + "." + group; okGroup && okPlural && group != "" && plural != "" && def.doc.Name != "" && def.doc.Name != want {
		at := fault{path: meta.Path{"metadata", "name"}}
		if meta.CheckName(want) == nil {
			at.rewrite = want
		}
		f.add(at, "%s is not the plural and the group, %s", quote(def.doc.Name), quote(want))
	}
	f.done()
}

// reportNamesOf reports what is wrong with the names of a kind.
func reportNamesOf(f *findings, path meta.Path, names *value) {
	for _, name := range []struct {
		field, missing string
		mixedCase      bool
	}{
		{field: "plural", missing: "there is no plural name for the API"},
		{field: "kind", missing: "there is no kind for the objects of the API", mixedCase: true},
		{field: "singular"},
		{field: "listKind", mixedCase: true},
	} {
		s, ok := names.get(name.field).asText()
		switch at := below(path, name.field); {
		case !ok:
		case s == "" && name.missing != "":
			f.addf(at, "%s", name.missing)
		case s == "":
		case name.mixedCase && !isLabel1035(strings.ToLower(s)):
			f.addf(at, "%s is not a name for a kind (up to 63 letters, digits and -, from a letter on)", quote(s))
		case !name.mixedCase && !isLabel1035(s):
			at := fault{path: at, rewrite: lowered(s)}
			if name.field == "plural" { // the definition is called after it
				at.rewrite = ""
			}
			f.add(at, "%s is not a %s name (%s)", quote(s), name.field, labelForm)
		}
	}
	if kind, _ := names.get("kind").asText(); kind != "" {
		switch list, _ := names.get("listKind").asText(); {
		case list == "" && isLabel1035(strings.ToLower(kind)) && !isLabel1035(strings.ToLower(kind+"List")):
			f.addf(below(path, "listKind"), "the kind of lists, %s, is longer than 63 letters; say another listKind or a shorter kind", quote(kind+"List"))
		case list == kind:
			f.addf(below(path, "listKind"), "%s is the kind of the objects as well, so that a list cannot be told from one", quote(kind))
		}
	}
	for _, field := range []string{"shortNames", "categories"} {
		items, _ := names.get(field).asList()
		for i, item := range items {
			if s, ok := item.itemText(); ok && !isLabel1035(s) {
				f.add(fault{path: below(path, field, i), rewrite: lowered(s)}, "%s is not a name (%s)", quote(s), labelForm)
			}
		}
	}
}

// lowered is a name that only has upper case letters too many as it should be; "" for
// any other.
func lowered(s string) string {
	if lower := strings.ToLower(s); isLabel1035(lower) {
		return lower
	}
	return ""
}

// reportVersions reports that there are no versions, and names of versions that
// cannot be.
func reportVersions(f *findings, def *definition) {
	versions, ok := def.versions()
	if !ok || !def.hasVersionList() {
		return
	}
	if len(versions) == 0 {
		f.addf(meta.Path{"spec", "versions"}, "there are no versions")
	}
	first := map[string]int{}
	for i, v := range versions {
		name, ok := v.get("name").asText()
		at := meta.Path{"spec", "versions", i, "name"}
		switch before, again := first[name]; {
		case !ok || v.form != mapping:
		case name == "":
			f.addf(at, "version %d has no name", i)
		case !isLabel1035(name):
			f.add(fault{path: at, rewrite: lowered(name)}, "%s is not a name for a version (%s)", quote(name), labelForm)
		case again:
			f.add(fault{path: at, first: meta.Path{"spec", "versions", before, "name"}}, "version %s is there twice", quote(name))
		default:
			first[name] = i
		}
	}
}

// reportMarked reports that not exactly one version has a boolean set.
func reportMarked(p *linter.Pass, def *definition, field, one, several string) {
	versions, _ := def.versions()
	if len(versions) == 0 || !def.hasVersionList() {
		return
	}
	switch indexes, sure := marked(versions, field); {
	case len(indexes) > 1:
		first, second := indexes[0], indexes[1]
		at := linter.At(def.doc, "spec", "versions", second, field)
		at.Related = []linter.Related{{
			Range:   linter.At(def.doc, "spec", "versions", first, field).Range,
			Message: "the first is here",
		}}
		p.Reportf(at, "versions %s and %s are both %s (exactly one is expected)",
			versionName(versions[first]), versionName(versions[second]), several)
	case len(indexes) == 0 && sure:
		p.Reportf(linter.AtKey(def.doc, "spec", "versions"), "no version is %s (exactly one is expected)", one)
	}
}
