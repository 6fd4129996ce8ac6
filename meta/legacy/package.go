package legacy

import (
	"path"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// A Package is what a v1 package holds, as [Read] found it. It does not change, and may be
// read concurrently. Lists are in the order of their files' paths, byte by byte, and within
// a file in the order of its documents.
type Package struct {
	// Root is the directory of the package within the file system: ".registry", or "."
	// where the file system is that directory.
	Root string
	// Tag is Options.Tag.
	Tag string

	// App is app.yaml; nil when there is none, or when it cannot be read.
	App *App
	// Install is install.yaml; nil for a package without a controller, which only brings
	// types.
	Install *Install
	// Behavior is behavior.yaml, of a package whose controller is made of templates; nil
	// when there is none. The document does not describe the file, only what becomes of it,
	// a [StackDefinition].
	Behavior *Behavior

	// CRDs are the definitions of the package, each with what describes it.
	CRDs []*CRD
	// Groups, Resources, Icons and UISchemas are all of the package, also those that no
	// definition has.
	Groups    []*Group
	Resources []*Resource
	Icons     []*Icon
	UISchemas []*UISchema

	// Objects are the documents among the definitions that are none. The format has no
	// place for them.
	Objects []*parser.Document
	// UnknownFields are the fields that the format does not have, and UnknownFiles the files
	// that it has no use for. Neither is a fault.
	UnknownFields []UnknownField
	UnknownFiles  []UnknownFile

	documents []*parser.Document
	loose     []string // files with comments that are in no document
}

// Documents are all YAML documents that could be read, of whatever file, in the order of
// their Index. The slice must not be modified.
func (p *Package) Documents() []*parser.Document { return p.documents }

// Parsed is the package as package parser has packages, for whoever judges documents: it has
// no metadata object of today, and its objects are [Package.Documents].
func (p *Package) Parsed() *parser.Package {
	return &parser.Package{Objects: p.documents}
}

// Version is the version of the package: that of app.yaml, or the image's tag where it names
// none; "" when neither is known. (packages v1, Example app.yaml)
func (p *Package) Version() string {
	if p.App != nil && p.App.Version != "" {
		return p.App.Version
	}
	return p.Tag
}

// PackageIcons are the icons of the package as a whole, the preferred one first.
func (p *Package) PackageIcons() []*Icon {
	var own []*Icon
	for _, i := range p.Icons {
		if i.Dir == p.Root && i.Prefix == "" {
			own = append(own, i)
		}
	}
	sortIcons(own)
	return own
}

// A CRD is a CustomResourceDefinition with what the package says about it. (packages v1,
// Package Files)
type CRD struct {
	// Document is the definition, of apiextensions.k8s.io/v1beta1 or v1.
	Document *parser.Document
	// Dir is the slash-separated directory that it is in.
	Dir string
	// Provides is what it defines. Its fields are empty where the definition says nothing.
	Provides meta.ProvidedKind

	// Group, Resource and Icon are the nearest that apply; nil where none does.
	Group    *Group
	Resource *Resource
	Icon     *Icon
	// UISchemas are all that apply, the nearest first.
	UISchemas []*UISchema
}

// Version is the version that the definition is known by: the one that is stored, or else the
// first one; "" when it has none.
func (c *CRD) Version() string {
	for _, v := range c.Provides.Versions {
		if v.Storage {
			return v.Name
		}
	}
	if len(c.Provides.Versions) > 0 {
		return c.Provides.Versions[0].Name
	}
	return ""
}

// APIVersion is group and version of the objects that it defines.
func (c *CRD) APIVersion() string { return path.Join(c.Provides.Group, c.Version()) }

// A Group describes the definitions in its directory and below: group.yaml. (packages v1,
// Example group.yaml)
type Group struct {
	Document *parser.Document
	Dir      string

	Group         string
	Title         string
	OverviewShort string // also written shortOverview
	Overview      string
	Readme        string // Markdown
}

// A Resource describes a kind: a file *resource.yaml. (packages v1, Example resource.yaml)
type Resource struct {
	Document *parser.Document
	Dir      string
	// Prefix is what the file's name has before "resource.yaml", without the dot at its end.
	Prefix string

	ID            string // the kind, in any case
	Title         string
	TitlePlural   string
	Category      string
	OverviewShort string // also written shortOverview
	Overview      string
	Readme        string // Markdown
}

// A UISchema is metadata for user interfaces: a file *ui-schema.yaml, which may have several
// documents. What they say is not looked into.
type UISchema struct {
	File string
	Dir  string
	// Prefix is what the file's name has before "ui-schema.yaml", without the dot at its end.
	Prefix    string
	Documents []*parser.Document
}

// An UnknownField is a field of a document that the format does not have.
type UnknownField struct {
	Document *parser.Document
	Path     meta.Path
	JSON     []byte // its value
}

// Range is where the field stands: its key, or the item where it is one of a list.
func (u UnknownField) Range() parser.Range {
	place := u.Document.At(u.Path...)
	if place.Key.IsZero() {
		return place.Value
	}
	return place.Key
}

// An UnknownFile is a file that the format has no use for.
type UnknownFile struct {
	File   string
	Reason UnknownReason
}

// An UnknownReason says why a file is of no use.
type UnknownReason string

// The reasons of [UnknownFile].
const (
	// UnknownName: no file of the format has this name.
	UnknownName UnknownReason = "name"
	// UnknownPlace: a file of this name belongs elsewhere, as app.yaml belongs to the root of the
	// package.
	UnknownPlace UnknownReason = "place"
	// UnknownContent: a YAML file among the definitions holds no objects.
	UnknownContent UnknownReason = "content"
	// UnknownKind: the file describes a kind, by its name or its field id, that no definition
	// in its directory or below has; or it says no kind, and there are several.
	UnknownKind UnknownReason = "kind"
)
