package legacy

import (
	"path"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// MaxMatches limits how often [Read] holds a file that describes a kind against a definition
// that it may be about.
const MaxMatches = 1_000_000

// A description is a file that may be about definitions: those of its kind, or of any if it
// says none, in its directory and below.
type description[T any] struct {
	value   *T
	file    string
	kind    string // in lower case
	version string // in lower case; only with a kind
	used    bool
}

// A table holds the descriptions of one sort by directory and kind.
type table[T any] struct {
	list []*description[T]
	at   map[place][]*description[T]
}

type place struct{ dir, kind string }

// add adds a description. The prefix of its file's name is the kind, and behind a dot the
// version; an id is the kind whatever the prefix is.
func (t *table[T]) add(value *T, file, dir, prefix, id string) {
	kind, version, _ := strings.Cut(strings.ToLower(prefix), ".")
	if id = strings.ToLower(id); id != "" && id != kind {
		kind, version = id, ""
	}
	d := &description[T]{value: value, file: file, kind: kind, version: version}
	t.list = append(t.list, d)
	if t.at == nil {
		t.at = map[place][]*description[T]{}
	}
	at := place{dir, kind}
	t.at[at] = append(t.at[at], d)
}

// fitting returns what a table has for a definition, what fits best first: of the nearest
// directory, and there of the version, of the kind, of any kind.
func fitting[T any](m *matcher, t *table[T], c *CRD) []*description[T] {
	var fitting []*description[T]
	names := kindNames(c)
	for _, dir := range m.above(c.Dir) {
		var ofKind []*description[T]
		for _, name := range names {
			for _, d := range t.at[place{dir, name}] {
				switch m.looked++; {
				case m.looked > MaxMatches:
					return nil
				case d.version == "":
					ofKind = append(ofKind, d)
				case c.hasVersion(d.version):
					fitting = append(fitting, d)
				}
			}
		}
		fitting = append(fitting, ofKind...)
		fitting = append(fitting, t.at[place{dir, ""}]...)
		m.looked += len(t.at[place{dir, ""}])
	}
	for _, d := range fitting {
		d.used = true
	}
	return fitting
}

// first returns the value of the first description, or nil.
func first[T any](list []*description[T]) *T {
	if len(list) == 0 {
		return nil
	}
	return list[0].value
}

// kindNames are the names of the kind that a file may be called by, in lower case.
func kindNames(c *CRD) []string {
	var names []string
	for _, name := range []string{c.Provides.Kind, c.Provides.Plural, c.Provides.Singular} {
		if name = strings.ToLower(name); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// hasVersion reports whether the definition has a version, whose name is in lower case.
func (c *CRD) hasVersion(name string) bool {
	return slices.ContainsFunc(c.Provides.Versions, func(v meta.ProvidedVersion) bool { return strings.EqualFold(v.Name, name) })
}

// A matcher finds what is about which definition.
type matcher struct {
	root   string
	looked int
	dirs   map[string][]string // what above has found
}

// above returns a directory and those that it is in, up to the root of the package.
func (m *matcher) above(dir string) []string {
	if list := m.dirs[dir]; list != nil {
		return list
	}
	list := []string{dir}
	for d := dir; d != m.root && d != "." && d != "/"; {
		d = path.Dir(d)
		list = append(list, d)
	}
	m.dirs[dir] = list
	return list
}

// kindsBelow tells of each directory the kind of the definitions in it and below, and "" if
// there are several.
func (m *matcher) kindsBelow(crds []*CRD) map[string]string {
	kinds := map[string]string{}
	for _, c := range crds {
		kind := strings.ToLower(c.Provides.Kind)
		for _, dir := range m.above(c.Dir) {
			if was, ok := kinds[dir]; ok && was != kind {
				if was == "" {
					break // so it is above
				}
				kind = ""
			}
			kinds[dir] = kind
		}
	}
	return kinds
}

// assign finds what is about each definition, and which files are about none.
func (r *reader) assign() {
	p := r.p
	m := &matcher{root: p.Root, dirs: map[string][]string{}}
	var (
		groups    table[Group]
		resources table[Resource]
		icons     table[Icon]
		schemas   table[UISchema]
		unused    []string
	)
	for _, g := range p.Groups {
		groups.add(g, g.Document.Range.File, g.Dir, "", "")
	}
	kinds := m.kindsBelow(p.CRDs)
	for _, res := range p.Resources {
		if file := res.Document.Range.File; res.ID == "" && res.Prefix == "" && kinds[res.Dir] == "" {
			unused = append(unused, file)
		} else {
			resources.add(res, file, res.Dir, res.Prefix, res.ID)
		}
	}
	preferred := slices.Clone(p.Icons)
	sortIcons(preferred)
	for _, i := range preferred {
		icons.add(i, i.File, i.Dir, i.Prefix, "")
	}
	for _, u := range p.UISchemas {
		schemas.add(u, u.File, u.Dir, u.Prefix, "")
	}
	for _, c := range p.CRDs {
		c.Group = first(fitting(m, &groups, c))
		c.Resource = first(fitting(m, &resources, c))
		c.Icon = first(fitting(m, &icons, c))
		for _, u := range fitting(m, &schemas, c) {
			c.UISchemas = append(c.UISchemas, u.value)
		}
		if m.looked > MaxMatches {
			limit := &meta.LimitError{What: "the package", Limit: MaxMatches, Unit: "files that may be about a definition"}
			r.fault(&parser.Error{Rule: parser.RuleLimit, Range: parser.Range{File: p.Root}, Index: -1, Message: limit.Error(), Err: limit})
			return
		}
	}
	unused = append(unused, unusedOf(&groups, p.Root)...)
	unused = append(unused, unusedOf(&resources, "")...)
	unused = append(unused, unusedOf(&icons, p.Root)...)
	unused = append(unused, unusedOf(&schemas, p.Root)...)
	for _, name := range unused {
		r.unknown(name, UnknownKind)
	}
	slices.SortFunc(p.UnknownFiles, func(a, b UnknownFile) int { return strings.Compare(a.File, b.File) })
}

// unusedOf returns the files of a table that are about no definition, save those at the root
// of the package that are about no kind: these are about the package.
func unusedOf[T any](t *table[T], root string) []string {
	var files []string
	for _, d := range t.list {
		if !d.used && (d.kind != "" || path.Dir(d.file) != root) {
			files = append(files, d.file)
		}
	}
	return files
}
