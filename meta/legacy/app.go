package legacy

import (
	"errors"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// Format is the version of the package format that [Read] reads, as apiVersion of app.yaml
// says it. No other was ever published.
const Format = "0.1.0"

// Faults of fields, beside those of package meta.
const (
	// FaultEnum: the field may hold one of a few words, and holds another.
	FaultEnum meta.Fault = "enum"
	// FaultFormat: app.yaml is of a version of the format that is not known.
	FaultFormat meta.Fault = "format"
	// FaultTag: the version is not that of the image's tag.
	FaultTag meta.Fault = "tag"
	// FaultDeployment: install.yaml does not hold one Deployment.
	FaultDeployment meta.Fault = "deployment"
	// FaultImage: a text is not the reference of an image.
	FaultImage meta.Fault = "image"
)

// A PackageType says what a package is. (packages v1, Example app.yaml)
type PackageType string

// The types of packages.
const (
	TypeProvider    PackageType = "Provider"
	TypeStack       PackageType = "Stack"
	TypeApplication PackageType = "Application"
	TypeAddon       PackageType = "Addon"
)

// A PermissionScope says where the controller of a package may do something. (packages v1,
// Example app.yaml)
type PermissionScope string

// The scopes of permissions.
const (
	ScopeCluster    PermissionScope = "Cluster"
	ScopeNamespaced PermissionScope = "Namespaced"
)

// App is what app.yaml says of the package.
type App struct {
	Document *parser.Document
	// APIVersion is the version of the format; "" where the file does not say it.
	APIVersion string
	Metadata
}

// Metadata are the fields of app.yaml that a [Record] has too. (packages v1, Example app.yaml)
type Metadata struct {
	Title           string          `json:"title,omitempty"`
	OverviewShort   string          `json:"overviewShort,omitempty"` // also written shortOverview
	Overview        string          `json:"overview,omitempty"`
	Readme          string          `json:"readme,omitempty"` // Markdown
	Category        string          `json:"category,omitempty"`
	Version         string          `json:"version,omitempty"`
	Maintainers     []Contributor   `json:"maintainers,omitempty"`
	Owners          []Contributor   `json:"owners,omitempty"`
	Company         string          `json:"company,omitempty"`
	Keywords        []string        `json:"keywords,omitempty"`
	Website         string          `json:"website,omitempty"`
	Source          string          `json:"source,omitempty"`
	License         string          `json:"license,omitempty"`
	PackageType     PackageType     `json:"packageType,omitempty"`
	PermissionScope PermissionScope `json:"permissionScope,omitempty"`
	DependsOn       []Dependency    `json:"dependsOn,omitempty"`
}

// A Contributor is a maintainer or an owner.
type Contributor struct {
	Name  string `json:"name,omitempty"`
	Email string `json:"email,omitempty"`
}

// A Dependency is on a kind, or on all kinds of a group. (packages v1, Dependency Resolution) It
// may also name a package, as the object that asks for one does. (packages v2 design,
// PackageRevision API)
type Dependency struct {
	// CRD is such as mytype.mygroup.example.org/v1alpha1 or *.yourstack.example.org/v1alpha1. It
	// is "" where Package is not.
	CRD string `json:"crd,omitempty"`

	// Package is an image, and Source its registry; see [PackageInstallSpec].
	Package string `json:"package,omitempty"`
	Source  string `json:"source,omitempty"`
}

// Ref reads the kind that the dependency names, as meta.ParseCRDRef does, with its errors.
func (d Dependency) Ref() (meta.CRDRef, error) { return meta.ParseCRDRef(d.CRD) }

// app reads app.yaml.
func (r *reader) app(name string, text []byte) {
	doc := r.single(name, text, "the metadata of the package")
	if doc == nil {
		return
	}
	f := r.fields(doc)
	app := &App{Document: doc, APIVersion: f.text("apiVersion")}
	app.Title = f.text("title")
	app.OverviewShort = f.overviewShort()
	app.Overview = f.text("overview")
	app.Readme = f.text("readme")
	app.Category = f.text("category")
	app.Version = f.text("version")
	app.Maintainers = f.contributors("maintainers")
	app.Owners = f.contributors("owners")
	app.Company = f.text("company")
	app.Keywords = f.texts("keywords")
	app.Website = f.text("website")
	app.Source = f.text("source")
	app.License = f.text("license")
	app.PackageType = PackageType(f.word("packageType", "a type of package", string(TypeProvider), string(TypeStack), string(TypeApplication), string(TypeAddon)))
	app.PermissionScope = PermissionScope(f.word("permissionScope", "a scope of permissions", string(ScopeCluster), string(ScopeNamespaced)))
	for _, d := range f.objects("dependsOn") {
		app.DependsOn = append(app.DependsOn, d.dependency())
		d.done()
	}
	if app.APIVersion != "" && app.APIVersion != Format {
		f.wrong("apiVersion", FaultFormat, "a known version of the package format, which is "+Format)
	}
	if app.Version != "" && r.p.Tag != "" && app.Version != r.p.Tag {
		f.fail(&meta.FieldError{
			Path: f.path("version"), Fault: FaultTag, Found: quote(app.Version), Want: "the tag of the image, " + quote(r.p.Tag),
			Err: errors.New("the two must be equal where both are there"),
		})
	}
	f.done()
	r.p.App = app
}

// dependency reads one.
func (f *fields) dependency() Dependency {
	d := Dependency{CRD: f.text("crd"), Package: f.image("package"), Source: f.text("source")}
	_, err := meta.ParseCRDRef(d.CRD)
	switch {
	case d.CRD == "" && d.Package == "":
		f.missing("crd", "the kind that is depended on, such as mytype.mygroup.example.org/v1alpha1")
	case d.CRD != "" && err != nil:
		f.fail(&meta.FieldError{Path: f.path("crd"), Fault: meta.FaultCRD, Err: err})
	case d.CRD != "" && d.Package != "":
		f.fail(&meta.FieldError{Path: f.path("package"), Fault: meta.FaultExclusive, Err: errors.New("crd is there as well, and exactly one of the two may be")})
	}
	return d
}

// contributors reads a list of names with addresses.
func (f *fields) contributors(key string) []Contributor {
	var list []Contributor
	for _, c := range f.objects(key) {
		list = append(list, Contributor{Name: c.text("name"), Email: c.text("email")})
		c.done()
	}
	return list
}
