package legacy_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/meta/legacy"
)

// Which file is about which kind. (packages v1, Package Filesystem Layout and Package Files)
func TestMatching(t *testing.T) {
	cases := map[string]struct {
		reason string
		files  map[string]string // below .registry
		want   string            // of each definition: kind, group's file, resource's, icon's, schemas'; then the unknown files
	}{
		"Nothing": {"nothing has to be there", map[string]string{"resources/crd.yaml": crd("MySQL", "v1")}, "MySQL - - - []"},
		"Layout": {"the layout of the document",
			map[string]string{
				"icon.svg": "", "ui-schema.yaml": "a: b", "resources/g/group.yaml": "title: G", "resources/g/icon.svg": "",
				"resources/g/mysql/v1alpha1/mysql.v1alpha1.crd.yaml": crd("MySQL", "v1alpha1"), "resources/g/mysql/v1alpha1/icon.svg": "", "resources/g/mysql/v1alpha1/resource.yaml": "title: A",
				"resources/g/mysql/v1beta1/mysql.v1beta1.crd.yaml": crd("MySQL", "v1beta1"), "resources/g/mysql/v1beta1/ui-schema.yaml": "c: d", "resources/g/mysql/v1beta1/icon.svg": "", "resources/g/mysql/v1beta1/resource.yaml": "title: B",
			},
			"MySQL resources/g/group.yaml resources/g/mysql/v1alpha1/resource.yaml resources/g/mysql/v1alpha1/icon.svg [ui-schema.yaml]\n" +
				"MySQL resources/g/group.yaml resources/g/mysql/v1beta1/resource.yaml resources/g/mysql/v1beta1/icon.svg [resources/g/mysql/v1beta1/ui-schema.yaml ui-schema.yaml]"},
		"Arbitrary": {"names of directories mean nothing", map[string]string{"resources/redis/v7/my.crd.yaml": crd("MySQL", "v1"), "resources/redis/v7/resource.yaml": "id: mysql"}, "MySQL - resources/redis/v7/resource.yaml - []"},
		"AnyName":   {"a definition may be in any YAML file below resources", map[string]string{"resources/a.yaml": crd("MySQL", "v1"), "resources/x/b.YML": crd("Redis", "v1")}, "MySQL - - - []\nRedis - - - []"},
		"Several": {"several definitions in a file", map[string]string{"resources/crd.yaml": crd("MySQL", "v1") + "---\n" + crd("Redis", "v1"), "resources/mysql.icon.png": "", "resources/redis.icon.gif": ""},
			"MySQL - - resources/mysql.icon.png []\nRedis - - resources/redis.icon.gif []"},
		"CRDElsewhere":      {"a name that ends so is one anywhere", map[string]string{"very.descriptive.name.crd.yaml": crd("MySQL", "v1")}, "MySQL - - - []"},
		"Id":                {"the id is the kind, in any case", map[string]string{"resources/crd.yaml": crd("MySQL", "v1") + "---\n" + crd("Redis", "v1"), "resources/a.resource.yaml": "id: MYSQL", "resources/b.resource.yaml": "id: redis"}, "MySQL - resources/a.resource.yaml - []\nRedis - resources/b.resource.yaml - []"},
		"IdOverPrefix":      {"the id counts, not the name of the file", map[string]string{"resources/crd.yaml": crd("MySQL", "v1") + "---\n" + crd("Redis", "v1"), "resources/redis.resource.yaml": "id: mysql"}, "MySQL - resources/redis.resource.yaml - []\nRedis - - - []"},
		"Prefix":            {"the name begins with the kind, in any case", map[string]string{"resources/crd.yaml": crd("MySQL", "v1"), "resources/MySQL.resource.yaml": "title: A", "resources/mysql.ui-schema.yaml": "a: b"}, "MySQL - resources/MySQL.resource.yaml - [resources/mysql.ui-schema.yaml]"},
		"Version":           {"and with the version", map[string]string{"resources/a.crd.yaml": crd("MySQL", "v1"), "resources/b.crd.yaml": crd("MySQL", "v2"), "resources/mysql.v2.icon.svg": "", "resources/mysql.icon.svg": ""}, "MySQL - - resources/mysql.icon.svg []\nMySQL - - resources/mysql.v2.icon.svg []"},
		"OtherVersion":      {"another version is not meant", map[string]string{"resources/a.crd.yaml": crd("MySQL", "v1"), "resources/mysql.v3.icon.svg": ""}, "MySQL - - - []\nresources/mysql.v3.icon.svg kind"},
		"Nearest":           {"the nearest wins, also over one that says the kind", map[string]string{"icon.svg": "", "resources/mysql.icon.svg": "", "resources/g/icon.png": "", "resources/g/crd.yaml": crd("MySQL", "v1")}, "MySQL - - resources/g/icon.png []"},
		"PackageIcon":       {"the icon of the package where there is no other", map[string]string{"icon.svg": "", "resources/crd.yaml": crd("MySQL", "v1")}, "MySQL - - icon.svg []"},
		"Preference":        {"svg, png, jpg, gif, of one directory", map[string]string{"resources/icon.gif": "", "resources/icon.jpg": "", "resources/icon.png": "", "resources/crd.yaml": crd("MySQL", "v1")}, "MySQL - - resources/icon.png []"},
		"PreferenceSVG":     {"svg before png", map[string]string{"resources/icon.png": "", "resources/icon.svg": "", "resources/crd.yaml": crd("MySQL", "v1")}, "MySQL - - resources/icon.svg []"},
		"KindOverType":      {"one that says the kind before a better type", map[string]string{"resources/mysql.icon.gif": "", "resources/icon.svg": "", "resources/crd.yaml": crd("MySQL", "v1")}, "MySQL - - resources/mysql.icon.gif []"},
		"GroupByDirectory":  {"a group is about what is in its directory", map[string]string{"resources/a/group.yaml": "title: A", "resources/b/group.yaml": "title: B", "resources/b/x/crd.yaml": crd("MySQL", "v1")}, "MySQL resources/b/group.yaml - - []\nresources/a/group.yaml kind"},
		"NotBeside":         {"a directory whose name begins alike is another", map[string]string{"resources/g/group.yaml": "title: A", "resources/gg/crd.yaml": crd("MySQL", "v1")}, "MySQL - - - []\nresources/g/group.yaml kind"},
		"NotBelow":          {"what is below is not about what is above", map[string]string{"resources/a/icon.svg": "", "resources/crd.yaml": crd("MySQL", "v1")}, "MySQL - - - []\nresources/a/icon.svg kind"},
		"NoIdOneKind":       {"a description without a kind, of the only one", map[string]string{"resources/resource.yaml": "title: A", "resources/a/crd.yaml": crd("MySQL", "v1"), "resources/b/crd.yaml": crd("MySQL", "v2")}, "MySQL - resources/resource.yaml - []\nMySQL - resources/resource.yaml - []"},
		"NoIdSeveral":       {"beside several kinds it is about none", map[string]string{"resources/resource.yaml": "title: A", "resources/a/crd.yaml": crd("MySQL", "v1"), "resources/b/crd.yaml": crd("Redis", "v2")}, "MySQL - - - []\nRedis - - - []\nresources/resource.yaml kind"},
		"Schemas":           {"all schemas, the nearest first, and in a directory that of the kind", map[string]string{"resources/ui-schema.yaml": "a: b", "resources/g/ui-schema.yaml": "a: c", "resources/g/mysql.ui-schema.yaml": "a: d", "resources/g/crd.yaml": crd("MySQL", "v1")}, "MySQL - - - [resources/g/mysql.ui-schema.yaml resources/g/ui-schema.yaml resources/ui-schema.yaml]"},
		"UnknownKind":       {"what is about no kind is listed", map[string]string{"resources/crd.yaml": crd("MySQL", "v1"), "resources/redis.resource.yaml": "title: A", "resources/redis.icon.svg": "", "resources/redis.ui-schema.yaml": "a: b"}, "MySQL - - - []\nresources/redis.icon.svg kind\nresources/redis.resource.yaml kind\nresources/redis.ui-schema.yaml kind"},
		"UnknownFiles":      {"files of no use are listed", map[string]string{"README.md": "", "rbac.yaml": "rules: []", "app.yml": "", "resources/app.yaml": "", "resources/x.yaml": "a: b", "resources/favicon.ico": ""}, "README.md name\napp.yml name\nrbac.yaml name\nresources/app.yaml place\nresources/favicon.ico name\nresources/x.yaml content"},
		"List":              {"nor need a file of another name hold objects", map[string]string{"resources/x.yaml": "- a\n", "resources/y.yaml": "", "resources/z.yml": "# nothing\n"}, "resources/x.yaml content\nresources/y.yaml content\nresources/z.yml content"},
		"Objects":           {"other objects are kept", map[string]string{"resources/x.yaml": "apiVersion: v1\nkind: ConfigMap\n"}, "object ConfigMap"},
		"RootIcons":         {"icons of the package are about no kind", map[string]string{"icon.png": "", "icon.jpg": ""}, ""},
		"PluralAndSingular": {"the plural names a kind too", map[string]string{"resources/crd.yaml": crd("MySQL", "v1"), "resources/mysqls.icon.svg": ""}, "MySQL - - resources/mysqls.icon.svg []"},
	}
	for name, c := range cases {
		for _, root := range []string{".registry", "."} {
			t.Run(name+"/"+root, func(t *testing.T) {
				fsys := fstest.MapFS{path.Join(root, "app.yaml"): {Data: []byte("title: A\n")}}
				for name, text := range c.files {
					fsys[path.Join(root, name)] = &fstest.MapFile{Data: []byte(text)}
				}
				if root == ".registry" {
					fsys["app.yaml"] = &fstest.MapFile{Data: []byte("not: looked at")}
				}
				p, err := legacy.Read(t.Context(), fsys, nil)
				if err != nil {
					t.Fatal(err)
				}
				if p.Root != root {
					t.Errorf("the root is %s", p.Root)
				}
				if diff := gocmp.Diff(c.want, matches(p)); diff != "" {
					t.Errorf("%s: -want +got:\n%s", c.reason, diff)
				}
			})
		}
	}
}

// matches tells what a package says of each of its definitions.
func matches(p *legacy.Package) string {
	var lines []string
	for _, c := range p.CRDs {
		var group, resource, icon string
		if c.Group != nil {
			group = c.Group.Document.Range.File
		}
		if c.Resource != nil {
			resource = c.Resource.Document.Range.File
		}
		if c.Icon != nil {
			icon = c.Icon.File
		}
		var schemas []string
		for _, u := range c.UISchemas {
			schemas = append(schemas, u.File)
		}
		lines = append(lines, fmt.Sprintf("%s %s %s %s %v", c.Provides.Kind, cmp.Or(group, "-"), cmp.Or(resource, "-"), cmp.Or(icon, "-"), schemas))
	}
	for _, d := range p.Objects {
		lines = append(lines, "object "+d.Kind)
	}
	for _, u := range p.UnknownFiles {
		lines = append(lines, u.File+" "+string(u.Reason))
	}
	return strings.ReplaceAll(strings.Join(lines, "\n"), ".registry/", "")
}

// What describes groups and kinds, with both names of the short overview. (packages v1,
// Example group.yaml, Example resource.yaml and Package CRD Annotations)
func TestDescriptions(t *testing.T) {
	p, faults := read(t, app+`-- .registry/resources/group.yaml --
group: databases.foocompany.io
title: Sample
overviewShort: one line
overview: |
  several
readme: |
  # Readme
category: Sample
-- .registry/resources/resource.yaml --
id: mysql
title: MySQL
titlePlural: MySQL Instances
category: Database
shortOverview: one line
overview: several
readme: "# Readme"
title-plural: old
-- .registry/resources/crd.yaml --
`+crd("MySQL", "v1"), nil)
	if faults != nil {
		t.Fatal(faults)
	}
	g, r := *p.CRDs[0].Group, *p.CRDs[0].Resource
	g.Document, r.Document = nil, nil
	if diff := gocmp.Diff(legacy.Group{
		Dir: ".registry/resources", Group: "databases.foocompany.io", Title: "Sample", OverviewShort: "one line", Overview: "several\n", Readme: "# Readme\n",
	}, g); diff != "" {
		t.Error(diff)
	}
	if diff := gocmp.Diff(legacy.Resource{
		Dir: ".registry/resources", ID: "mysql", Title: "MySQL", TitlePlural: "MySQL Instances", Category: "Database",
		OverviewShort: "one line", Overview: "several", Readme: "# Readme",
	}, r); diff != "" {
		t.Error(diff)
	}
	var unknown []string
	for _, u := range p.UnknownFields {
		unknown = append(unknown, fmt.Sprintf("%s %s %s", u.Range(), u.Path, u.JSON))
	}
	if diff := gocmp.Diff([]string{
		`.registry/resources/group.yaml:8:1 category "Sample"`, `.registry/resources/resource.yaml:8:1 ["title-plural"] "old"`,
	}, unknown); diff != "" {
		t.Error(diff)
	}
}

// Where both names of the short overview are there, one rules and the other is not lost.
func TestBothShortOverviews(t *testing.T) {
	p, _ := read(t, "-- .registry/app.yaml --\nshortOverview: B\noverviewShort: A\n", nil)
	if p.App.OverviewShort != "A" || len(p.UnknownFields) != 1 || p.UnknownFields[0].Path.String() != "shortOverview" {
		t.Errorf("got %q, unknown %v", p.App.OverviewShort, p.UnknownFields)
	}
	p, _ = read(t, "-- .registry/app.yaml --\nshortOverview: A\noverviewShort: A\n", nil)
	if p.App.OverviewShort != "A" || len(p.UnknownFields) != 0 {
		t.Errorf("got %q, unknown %v", p.App.OverviewShort, p.UnknownFields)
	}
}

// What an icon is, by its name and by its content. (packages v1, Package Files)
func TestIconMediaType(t *testing.T) {
	const svg = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<!-- a --><!DOCTYPE svg>\n<svg xmlns=\"http://www.w3.org/2000/svg\"/>"
	cases := []struct{ reason, file, data, media, sniffed string }{
		{"svg", "icon.svg", svg, legacy.MediaSVG, legacy.MediaSVG},
		{"svg behind a byte order mark", "icon.svg", "\uFEFF" + svg, legacy.MediaSVG, legacy.MediaSVG},
		{"svg with a prefix", "icon.svg", `<svg:svg xmlns:svg="x"/>`, legacy.MediaSVG, legacy.MediaSVG},
		{"png", "icon.png", "\x89PNG\r\n\x1a\n", legacy.MediaPNG, legacy.MediaPNG},
		{"jpg", "icon.jpg", "\xff\xd8\xff\xe0", legacy.MediaJPEG, legacy.MediaJPEG},
		{"jpeg", "icon.jpeg", "\xff\xd8\xff\xe0", legacy.MediaJPEG, legacy.MediaJPEG},
		{"gif", "icon.gif", "GIF89a", legacy.MediaGIF, legacy.MediaGIF},
		{"content counts more than the name", "icon.svg", "\x89PNG\r\n\x1a\n", legacy.MediaPNG, legacy.MediaPNG},
		{"the name where the content tells nothing", "icon.gif", "", legacy.MediaGIF, ""},
		{"html is no icon", "icon.svg", "<html><svg/></html>", legacy.MediaSVG, ""},
		{"text is none", "icon.png", "svg", legacy.MediaPNG, ""},
	}
	for _, c := range cases {
		p, err := legacy.Read(t.Context(), fstest.MapFS{"app.yaml": {Data: []byte("title: A\n")}, c.file: {Data: []byte(c.data)}}, nil)
		if err != nil || len(p.Icons) != 1 {
			t.Fatalf("%s: %v, %d icons", c.reason, err, len(p.Icons))
		}
		if i := p.Icons[0]; i.MediaType != c.media || i.Sniffed != c.sniffed {
			t.Errorf("%s: got %q, %q", c.reason, i.MediaType, i.Sniffed)
		}
	}
}

func TestPackageIcons(t *testing.T) {
	p, _ := read(t, app+"-- .registry/icon.gif --\n-- .registry/icon.jpg --\n-- .registry/icon.png --\n-- .registry/icon.svg --\n-- .registry/resources/icon.svg --\n", nil)
	var names []string
	for _, i := range p.PackageIcons() {
		names = append(names, path.Base(i.File))
	}
	if got := strings.Join(names, " "); got != "icon.svg icon.png icon.jpg icon.gif" {
		t.Errorf("got %s", got)
	}
}

// install.yaml is one Deployment, whose images are optional. (packages v1, Example
// install.yaml)
func TestInstall(t *testing.T) {
	p, faults := read(t, app+strings.Replace(deployment, "      containers:\n", "      initContainers:\n      - {name: init, image: 'example.org/a:v1'}\n      containers:\n", 1), nil)
	if faults != nil {
		t.Fatal(faults)
	}
	want := []legacy.Container{
		{Name: "init", Image: "example.org/a:v1", Path: meta.Path{"spec", "template", "spec", "initContainers", 0}},
		{Name: "sample", Path: meta.Path{"spec", "template", "spec", "containers", 0}},
	}
	if diff := gocmp.Diff(want, p.Install.Containers); diff != "" || p.Install.Name != "sample" {
		t.Errorf("%q: %s", p.Install.Name, diff)
	}
	if p, _ := read(t, app, nil); p.Install != nil {
		t.Error("a package without install.yaml only brings types")
	}
}

func TestBehavior(t *testing.T) {
	p, faults := read(t, app+"-- .registry/behavior.yaml --\ncrd: {kind: A, apiVersion: b/v1}\nengine: {type: helm2, controllerImage: c/d}\nsource: {path: charts, image: e/f}\n", nil)
	if faults != nil {
		t.Fatal(faults)
	}
	p.Behavior.Document = nil
	if diff := gocmp.Diff(&legacy.Behavior{
		CRD:    legacy.BehaviorCRD{APIVersion: "b/v1", Kind: "A"},
		Engine: legacy.BehaviorEngine{Type: "helm2", ControllerImage: "c/d"},
		Source: legacy.BehaviorSource{Image: "e/f", Path: "charts"},
	}, p.Behavior); diff != "" {
		t.Error(diff)
	}
}

// The options of the engine kustomize go into the StackDefinition as they are.
func TestBehaviorEngineOptions(t *testing.T) {
	const options = `{"overlays":[{"apiVersion":"a/v1","bindings":[{"from":"spec.a","to":"spec.b"}],"kind":"B","name":"c"}]}`
	text := app + "-- .registry/behavior.yaml --\nengine:\n  type: kustomize\n  kustomize: " + options + "\n"
	p, faults := read(t, text, nil)
	if faults != nil || len(p.UnknownFields) > 0 {
		t.Fatal(faults, p.UnknownFields)
	}
	out, err := p.Process(nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(out.StackDefinition.Spec.Behavior.Engine)
	if want := `{"type":"kustomize","kustomize":` + options + `}`; err != nil || string(got) != want {
		t.Errorf("got %s (%v), want %s", got, err, want)
	}
	_, faults = read(t, app+"-- .registry/behavior.yaml --\nengine: {kustomize: [5]}\n", nil)
	if len(faults) != 1 || faults[0].Path.String() != "engine.kustomize" {
		t.Errorf("a list: got %v", faults)
	}
}

// What a definition defines is read from it. (packages v1, Example crd.yaml)
func TestDefinition(t *testing.T) {
	p, faults := read(t, app+"-- .registry/resources/crd.yaml --\n"+crd("MySQL", "v1alpha1"), nil)
	if faults != nil {
		t.Fatal(faults)
	}
	c := p.CRDs[0]
	if diff := gocmp.Diff(meta.ProvidedKind{
		Group: "example.org", Kind: "MySQL", Plural: "mysqls", Singular: "mysql", Scope: meta.ScopeNamespaced,
		Versions:   []meta.ProvidedVersion{{Name: "v1alpha1", Served: true, Storage: true}},
		Definition: meta.DefinitionCRD, Name: "mysqls.example.org",
	}, c.Provides); diff != "" {
		t.Error(diff)
	}
	if c.APIVersion() != "example.org/v1alpha1" || c.Version() != "v1alpha1" {
		t.Errorf("got %s, %s", c.APIVersion(), c.Version())
	}
}
