package main

import (
	"cmp"
	"html/template"
	"maps"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/examples/internal/source"
	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

// Limits of what is shown.
const (
	maxName        = 512  // bytes of a name, on one line
	maxValue       = 4096 // bytes of anything longer, such as an annotation
	maxAnnotations = 500
)

// metadata is what the package says of itself and what is known of its image.
type metadata struct {
	Kind, Name, Title, Description string
	Icon                           template.URL
	IconFault                      string // why the icon is not shown
	Version, Crossplane            string
	Rows                           []row
	Capabilities, Keywords         []string
	Annotations                    []row
	MoreAnnotations                int // that are not shown
	Readme                         readme
}

// A row is a name with a value, which may be a link.
type row struct {
	Name, Value, Link string
	Code              bool
}

func newMetadata(p *source.Package, facts *linter.Image) *metadata {
	m := &metadata{Kind: "Package", Name: "(no name)"}
	if pkg := p.Meta; pkg != nil {
		m.describe(pkg)
	}
	m.Title = cmp.Or(m.Title, m.Name)
	m.add("Read from", row{Value: p.Source, Code: true})
	if r, err := meta.ParseReference(p.Source); err == nil && p.Kind == source.Reference {
		m.Version = printable(r.Tag)
		m.add("Version", row{Value: r.Tag})
	}
	m.add("Digest", row{Value: p.Digest, Code: true})
	m.add("Platforms", row{Value: strings.Join(platforms(p, facts), ", ")})
	m.add("Crossplane", row{Value: m.Crossplane, Code: true})
	if pkg := p.Meta; pkg != nil {
		m.add("Metadata", row{Value: pkg.APIVersion, Code: true})
		for _, of := range []struct {
			name     string
			property meta.Property
		}{
			{"License", meta.PropertyLicense}, {"Maintainer", meta.PropertyMaintainer},
			{"Source code", meta.PropertySource}, {"Company", meta.PropertyCompany},
		} {
			a, _ := pkg.Property(of.property)
			m.add(of.name, row{Value: a.Value, Link: safeLink(a.Value)})
		}
		if c := pkg.Controller; c != nil {
			m.add("Controller", row{Value: c.Image, Code: true})
		}
	}
	return m
}

// add adds a row that says something.
func (m *metadata) add(name string, r row) {
	if r.Value != "" {
		r.Name, r.Value = name, printable(r.Value)
		m.Rows = append(m.Rows, r)
	}
}

func (m *metadata) describe(p *meta.Package) {
	text := func(property meta.Property) string {
		a, _ := p.Property(property)
		return a.Value
	}
	m.Kind, m.Name = printable(string(p.Kind)), cmp.Or(printable(p.Name), m.Name)
	m.Title = printable(text(meta.PropertyFriendlyName))
	m.Description = cut(text(meta.PropertyDescription), maxValue)
	if uri := text(meta.PropertyIcon); uri != "" {
		var err error
		if m.Icon, err = icon(uri); err != nil {
			m.IconFault = err.Error()
		}
	}
	if all := p.CrossplaneConstraints(); len(all) > 0 {
		var ranges []string
		for _, c := range all {
			ranges = append(ranges, c.String())
		}
		m.Crossplane = strings.Join(ranges, " and ")
	}
	for _, c := range p.Capabilities {
		m.Capabilities = append(m.Capabilities, printable(c))
	}
	for word := range strings.SplitSeq(cut(text(meta.PropertyKeywords), maxName), ",") {
		if word = strings.TrimSpace(word); word != "" {
			m.Keywords = append(m.Keywords, printable(word))
		}
	}
	m.Readme = newReadme(text(meta.PropertyReadme))
	shown, _ := p.Property(meta.PropertyReadme)
	for _, key := range slices.Sorted(maps.Keys(p.Annotations)) {
		switch {
		case key == shown.Key: // which is shown as a whole
		case len(m.Annotations) == maxAnnotations:
			m.MoreAnnotations++
		default:
			value := p.Annotations[key]
			m.Annotations = append(m.Annotations, row{Name: printable(key), Value: cut(value, maxValue), Link: safeLink(value)})
		}
	}
}

// platforms are those of the index that the image is in, or that of the image.
func platforms(p *source.Package, facts *linter.Image) []string {
	var list []string
	if facts != nil {
		for _, e := range facts.Entries {
			if !e.Attestation && e.Platform != "" {
				list = append(list, e.Platform)
			}
		}
		if len(list) == 0 && facts.Platform != "" {
			list = append(list, facts.Platform)
		}
	}
	if len(list) == 0 && p.Platform != "" {
		list = append(list, p.Platform)
	}
	return list
}
