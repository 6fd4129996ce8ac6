package legacy

import (
	"path"
	"strings"

	"github.com/xpkg-go/sdk/internal/nearmiss"
	"github.com/xpkg-go/sdk/linter"
	v1 "github.com/xpkg-go/sdk/meta/legacy"
	"github.com/xpkg-go/sdk/parser"
)

// crdOf is a file with a definition.
func crdOf(kind, version string) string {
	plural := strings.ToLower(kind) + "s"
	return "-- .registry/resources/" + strings.ToLower(kind) + "." + version + ".crd.yaml --\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n" +
		"metadata: {name: " + plural + ".example.org}\nspec:\n  group: example.org\n  names: {kind: " + kind + ", plural: " + plural + "}\n  scope: Cluster\n" +
		"  versions: [{name: " + version + ", served: true, storage: true}]\n"
}

func unknownField() rule {
	return rule{linter.Rule{
		ID:  "legacy-unknown-field",
		Doc: "The files that describe a package have the fields of the format. What a field with another name says is shown nowhere.",
		Bad: goodApp + "desription: A sample\n", Good: goodApp + "overview: A sample\n", Severity: linter.Warning,
	}, func(f *findings, p *v1.Package) {
		for _, u := range p.UnknownFields {
			if f.full() {
				continue
			}
			key, _ := u.Path[len(u.Path)-1].(string)
			d := linter.AtKey(u.Document, u.Path...)
			meant := nearmiss.Nearest(strings.ReplaceAll(key, "-", ""), fieldsOf(u))
			if meant == "" && key == "description" {
				f.pass.Reportf(d, "unknown field %s (an earlier format had it; overview is plain text, readme Markdown)", quote(key))
				continue
			}
			if meant == "" {
				f.pass.Reportf(d, "unknown field %s", quote(key))
				continue
			}
			d.Fixes = linter.Rename(u.Document, meant, u.Path...)
			f.pass.Reportf(d, "unknown field %s (is %s meant?)", quote(key), meant)
		}
	}}
}

// fieldsOf are the fields that there are beside an unknown one.
func fieldsOf(u v1.UnknownField) []string {
	if len(u.Path) > 1 {
		return []string{"name", "email", "crd", "image", "path", "type", "controllerImage", "kind", "apiVersion"}
	}
	fields := []string{"title", "overviewShort", "overview", "readme"}
	switch base := path.Base(u.Document.Range.File); {
	case base == "app.yaml":
		fields = append(fields, "apiVersion", "version", "maintainers", "owners", "company", "category", "keywords", "website", "source", "license", "packageType", "permissionScope", "dependsOn")
	case base == "group.yaml":
		fields = append(fields, "group")
	case base == "behavior.yaml":
		fields = []string{"crd", "engine", "source"}
	default:
		fields = append(fields, "id", "titlePlural", "category")
	}
	return fields
}

func unknownFile() rule {
	return rule{linter.Rule{
		ID: "legacy-unknown-file",
		Doc: "A package holds the files of the format, where the format has them, and no others: a file of another name, a description " +
			"of a kind that is not defined beside it or below, or one that does not say which of several kinds it is about, is not read.",
		Bad: goodApp + "-- .registry/rbac.yaml --\nrules: []\n", Good: goodApp, Severity: linter.Warning,
	}, func(f *findings, p *v1.Package) {
		undefined := 0 // files about kinds of a package that defines none
		for _, u := range p.UnknownFiles {
			if u.Reason == v1.UnknownKind && len(p.CRDs) == 0 {
				undefined++
				continue
			}
			switch u.Reason {
			case v1.UnknownPlace:
				f.file(u.File, "a file of this name belongs to the root of the package")
			case v1.UnknownContent:
				f.file(u.File, "this is no definition, and no other file of the format")
			case v1.UnknownKind:
				f.file(u.File, "no kind that is defined beside it or below is the one that this is about")
			default:
				f.file(u.File, "no file of the format has this name")
			}
		}
		if undefined > 0 {
			f.file(path.Join(p.Root, "resources"), "nothing is defined here, and files about kinds are: %d (a build may add the definitions)", undefined)
		}
	}}
}

func object() rule {
	return rule{linter.Rule{
		ID: "legacy-object", Doc: "The documents among the definitions are CustomResourceDefinitions: the package manager installs nothing else of them.",
		Bad:      goodApp + "-- .registry/resources/config.yaml --\napiVersion: v1\nkind: ConfigMap\n",
		Good:     goodApp + crdOf("Sample", "v1"),
		Severity: linter.Error,
	}, func(f *findings, p *v1.Package) {
		for _, d := range p.Objects {
			f.value(d, nil, "%s is no CustomResourceDefinition", d.Ref())
		}
	}}
}

func resourceID() rule {
	description := func(id string) string { return "title: A\n" + id }
	return rule{linter.Rule{
		ID: "legacy-resource-id", Doc: "Where several files *resource.yaml stand in one directory, each says with the field id which kind it describes.",
		Bad: goodApp + crdOf("Sample", "v1") + crdOf("Other", "v1") + "-- .registry/resources/sample.resource.yaml --\n" + description("") +
			"-- .registry/resources/other.resource.yaml --\n" + description("id: other\n"),
		Good: goodApp + crdOf("Sample", "v1") + crdOf("Other", "v1") + "-- .registry/resources/sample.resource.yaml --\n" + description("id: sample\n") +
			"-- .registry/resources/other.resource.yaml --\n" + description("id: other\n"),
		Severity: linter.Warning,
	}, func(f *findings, p *v1.Package) {
		beside := map[string]int{}
		for _, r := range p.Resources {
			beside[r.Dir]++
		}
		for _, r := range p.Resources {
			if r.ID == "" && beside[r.Dir] > 1 {
				f.value(r.Document, []any{"id"}, "id is missing: it says which kind of this directory is described")
			}
		}
	}}
}

func groupName() rule {
	return rule{linter.Rule{
		ID: "legacy-group-name", Doc: "The field group of a group.yaml names the group of the definitions in its directory and below.",
		Bad:      goodApp + "-- .registry/resources/group.yaml --\ngroup: example.com\n" + crdOf("Sample", "v1"),
		Good:     goodApp + "-- .registry/resources/group.yaml --\ngroup: example.org\n" + crdOf("Sample", "v1"),
		Severity: linter.Warning,
	}, func(f *findings, p *v1.Package) {
		told := map[*v1.Group]bool{}
		for _, c := range p.CRDs {
			if g := c.Group; g != nil && g.Group != "" && c.Provides.Group != "" && g.Group != c.Provides.Group && !told[g] {
				told[g] = true
				f.value(g.Document, []any{"group"}, "%s is not the group of %s, which is %s", quote(g.Group), quote(c.Provides.Name), quote(c.Provides.Group))
			}
		}
	}}
}

func crdDuplicate() rule {
	return rule{linter.Rule{
		ID:       "legacy-crd-duplicate",
		Doc:      "A version of a kind is defined once. Of two definitions of one version only one is installed, and the document does not say which.",
		Bad:      goodApp + crdOf("Sample", "v1") + "---\n" + strings.SplitAfterN(crdOf("Sample", "v1"), "\n", 2)[1],
		Good:     goodApp + crdOf("Sample", "v1alpha1") + crdOf("Sample", "v1"),
		Severity: linter.Error,
	}, func(f *findings, p *v1.Package) {
		first := map[string]*parser.Document{}
		for _, c := range p.CRDs {
			if c.Provides.Kind == "" {
				continue
			}
			for _, v := range c.Provides.Versions {
				name := c.Provides.CRDName() + "/" + v.Name
				was := first[name]
				switch {
				case was == nil:
					first[name] = c.Document
				case was == c.Document || f.full():
				default:
					d := linter.At(c.Document)
					d.Related = []linter.Related{{Range: was.Range, Message: "the first is here"}}
					f.pass.Reportf(d, "version %s of %s is defined already", quote(v.Name), quote(c.Provides.CRDName()))
				}
			}
		}
	}}
}

// maxAnnotations is how many bytes the annotations of an object may have.
const maxAnnotations = 256 << 10

func annotationSize() rule {
	return rule{linter.Rule{
		ID: "legacy-annotation-size",
		Doc: "The annotations that a definition gets from the files of a package, and those that it has, have 256 KiB together at most: " +
			"the API server refuses more. A large icon or a long readme belongs elsewhere.",
		Bad:      goodApp + "readme: This is the whole manual. # and goes on, in resource.yaml, for 300 KiB\n",
		Good:     goodApp,
		Severity: linter.Error,
	}, func(f *findings, p *v1.Package) {
		sizes := map[any]int{}
		for _, c := range p.CRDs {
			if size := annotationBytes(p, c, sizes); size > maxAnnotations {
				f.value(c.Document, []any{"metadata"}, "the annotations would have %d bytes (at most %d are allowed)", size, maxAnnotations)
			}
		}
	}}
}

// annotationBytes are those of the annotations of a definition. sizes remembers those of what
// many share.
func annotationBytes(p *v1.Package, c *v1.CRD, sizes map[any]int) int {
	once := func(of any, size func() int) int {
		if _, ok := sizes[of]; !ok {
			sizes[of] = size()
		}
		return sizes[of]
	}
	var own struct {
		Metadata struct {
			Annotations map[string]string `json:"annotations"`
		} `json:"metadata"`
	}
	_ = c.Document.DecodeLax(&own) // what is of another type is for other rules
	there := own.Metadata.Annotations
	size := 0
	for key, value := range there {
		size += len(key) + len(value)
	}
	add := func(key string, n int) {
		if _, ok := there[key]; !ok && n > 0 {
			size += len(key) + n
		}
	}
	for _, u := range c.UISchemas {
		add(v1.AnnotationUISchema, once(u, func() int { return len(u.Text()) }))
	}
	if c.Icon != nil {
		add(v1.AnnotationIcon, once(c.Icon, func() int { return len(c.Icon.DataURI()) }))
	}
	bare := *c
	bare.UISchemas, bare.Icon = nil, nil
	for key, value := range p.Annotations(&bare) {
		add(key, len(value))
	}
	return size
}

func controllerImage() rule {
	return rule{linter.Rule{
		ID: "legacy-controller-image",
		Doc: "The image of a container in install.yaml is best left out: the package manager fills in the image of the package, so that the two " +
			"cannot differ in their versions.",
		Bad: goodApp + deployment("apps/v1", ", image: acme/sample"), Good: goodApp + deployment("apps/v1", ""), Severity: linter.Info,
	}, func(f *findings, p *v1.Package) {
		if p.Install == nil {
			return
		}
		for _, c := range p.Install.Containers {
			if c.Image != "" {
				f.value(p.Install.Document, append(c.Path[:len(c.Path):len(c.Path)], "image"), "the image is named, and could be left out where it is that of the package")
			}
		}
	}}
}
