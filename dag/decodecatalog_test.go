package dag_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/internal/executions"
	"github.com/xpkg-go/sdk/meta"
)

// one is a catalog file with one version of acme.io/app, which has more fields.
func one(fields string) string {
	return `{"packages": [{"source": "acme.io/app", "versions": [{"version": "v1.0.0"` + fields + `}]}]}`
}

func TestDecodeCatalogFaults(t *testing.T) {
	for _, tt := range []struct {
		reason, file string
		want         []string
	}{
		{"an empty file is a catalog", `{}`, nil},
		{"a package without versions is one", `{"packages": [{"source": "acme.io/app"}]}`, nil},
		{"null counts as absent", one(`, "kind": null, "dependsOn": null`), nil},
		{"what is no JSON", `{`, []string{`the document is not JSON (unexpected end of JSON input)`}},
		{"what is no object", `[]`, []string{"an array is not an object"}},
		{"a source is required", `{"packages": [{"versions": []}]}`, []string{"packages[0].source: missing, want an image repository"}},
		{"a source is a repository", `{"packages": [{"source": "A B"}]}`, []string{`packages[0].source: "A B" is not an image repository`}},
		{"a version is required", `{"packages": [{"source": "acme.io/app", "versions": [{}]}]}`, []string{"packages[0].versions[0].version: missing, want a tag or a digest"}},
		{
			"YAML makes a number of an unquoted version", `{"packages": [{"source": "acme.io/app", "versions": [{"version": 1.1}]}]}`,
			[]string{"packages[0].versions[0].version: the number 1.1 is not a string"},
		},
		{
			"a misspelt field would lose dependencies", one(`, "dependOn": []`),
			[]string{"packages[0].versions[0].dependOn: there is no such field"},
		},
		{
			"so would one that is there twice", one(`, "kind": "Provider", "kind": "Function"`),
			[]string{"packages[0].versions[0].kind: this key is there twice"},
		},
		{
			"a version twice", `{"packages": [{"source": "acme.io/app", "versions": [{"version": "v1"}]}, {"source": "acme.io/app", "versions": [{"version": "v1"}]}]}`,
			[]string{`packages[1].versions[0].version: version "v1" of acme.io/app is there twice`},
		},
		{"a kind of package", one(`, "kind": "Stack"`), []string{
			`packages[0].versions[0].kind: "Stack" is not a kind of group meta.pkg.crossplane.io`,
		}},
		{"a range", one(`, "crossplane": ">= v"`), []string{`packages[0].versions[0].crossplane: ">= v" is not a version range`}},
		{"a digest", one(`, "digest": "sha256:1"`), []string{`packages[0].versions[0].digest: "sha256:1" is not a digest`}},
		{
			"faults of a dependency have its place",
			one(`, "dependsOn": [{"kind": "Provider", "package": "acme.io/x", "version": ">= v"}, {"kind": "Provider", "pakage": "acme.io/x"}]`),
			[]string{
				`packages[0].versions[0].dependsOn[0].version: ">= v" is not a version range`,
				"packages[0].versions[0].dependsOn[1]: missing, want one of",
				"packages[0].versions[0].dependsOn[1].pakage: there is no such field",
			},
		},
		{"a kind that is brought has a version", one(`, "provides": ["Bucket", "*.acme.io/v1"]`), []string{
			`packages[0].versions[0].provides[0]: "Bucket" is not the name of a kind`,
			`packages[0].versions[0].provides[1]: "*.acme.io/v1" is not the name of a kind`,
		}},
		{"all faults at once", `{"packages": [1, {}], "more": 1}`, []string{
			"more: there is no such field", "packages[0]: the number 1 is not an object", "packages[1].source: missing",
		}},
	} {
		_, err := dag.DecodeCatalog([]byte(tt.file))
		var faults meta.FieldErrors
		errors.As(err, &faults)
		var got []string
		for _, f := range faults {
			got = append(got, f.Error())
		}
		if len(got) != len(tt.want) {
			t.Errorf("%s: got %q, want %q", tt.reason, got, tt.want)
			continue
		}
		for i := range got {
			if !strings.HasPrefix(got[i], tt.want[i]) {
				t.Errorf("%s: got %q, want %q", tt.reason, got[i], tt.want[i])
			}
		}
	}
}

// Every spelling of a dependency is read, and what a version provides.
func TestDecodeCatalog(t *testing.T) {
	c, err := dag.DecodeCatalog([]byte(one(`, "kind": "Configuration", "digest": "` + digest("a") + `", "crossplane": ">=v1.14.0", "dependsOn": [
		{"kind": "Provider", "package": "acme.io/a", "version": ">=v1.0.0"},
		{"package": "acme.io/b"},
		{"provider": "acme.io/c", "version": "v2.0.0"},
		{"apiVersion": "pkg.crossplane.io/v1beta1", "kind": "Function", "package": "acme.io/d", "version": "` + digest("d") + `"},
		{"crd": "*.acme.io/v1alpha1"}],
		"provides": ["App.acme.io/v1", "App.acme.io/v2", "Db.acme.io/v1"], "images": ["acme.io/run:v1"]`)))
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.Release(t.Context(), src("index.docker.io/acme.io/app"), ver("v1.0.0"))
	if err == nil {
		t.Errorf("another source has a release: %v", r)
	}
	for _, v := range []string{"v1.0.0", digest("a"), "v1.0.0@" + digest("a")} {
		if r, err = c.Release(t.Context(), src("acme.io/app"), ver(v)); err != nil {
			t.Fatalf("%s: %v", v, err)
		}
	}
	var got []string
	for _, d := range r.DependsOn {
		got = append(got, d.Kind+" "+d.String())
	}
	want := []string{
		"Provider package acme.io/a >=v1.0.0", " package acme.io/b", "Provider provider acme.io/c v2.0.0",
		"Function package acme.io/d " + digest("d"), " crd *.acme.io/v1alpha1",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("dependencies (-want +got):\n%s", diff)
	}
	if r.Kind != meta.Configuration || r.Crossplane.String() != ">=v1.14.0" || len(r.Provides.Kinds) != 2 || r.Provides.Images[0].Image != "acme.io/run:v1" {
		t.Errorf("got %+v", r)
	}
}

// What a registry would say is said of what the catalog does not have.
func TestStaticCatalog(t *testing.T) {
	c := dag.NewStaticCatalog(
		&meta.Release{Source: src("acme.io/app"), Version: ver("v1.0.0"), Digest: digest("a")},
		&meta.Release{Source: src("acme.io/app"), Version: ver("v1.0.0"), Digest: digest("b")},
		&meta.Release{Source: src("acme/app"), Version: ver("v2.0.0")},
		&meta.Release{Source: src("acme/app"), Version: ver(digest("c"))},
	)
	if tags, err := c.Tags(t.Context(), src("index.docker.io/acme/app")); err != nil || len(tags) != 1 || tags[0] != "v2.0.0" {
		t.Errorf("got tags %q, %v", tags, err)
	}
	if got := len(c.Releases()); got != 3 {
		t.Errorf("got %d releases, want those that are not there twice", got)
	}
	for _, tt := range []struct {
		reason, source, version string
		want                    string // its digest
	}{
		{"by its tag", "acme.io/app", "v1.0.0", digest("a")},
		{"by its digest, whatever the tag", "acme.io/app", "v9.0.0@" + digest("a"), digest("a")},
		{"a tag whose digest is another", "acme.io/app", "v1.0.0@" + digest("b"), ""},
		{"a tag of which no digest is known", "acme/app", "v2.0.0@" + digest("d"), digest("d")},
		{"by a digest without a tag", "acme/app", digest("c"), ""},
		{"a tag that is not there", "acme/app", "v3.0.0", ""},
		{"a package that is not there", "acme/other", "v2.0.0", ""},
	} {
		r, err := c.Release(t.Context(), src(tt.source), ver(tt.version))
		switch {
		case err != nil && (tt.want != "" || !errors.Is(err, meta.ErrNotFound) || !strings.HasSuffix(err.Error(), "is not in the catalog")):
			t.Errorf("%s: %v", tt.reason, err)
		case err == nil && r.Digest != tt.want:
			t.Errorf("%s: got digest %q", tt.reason, r.Digest)
		}
	}
	if _, err := c.Tags(t.Context(), src("acme/other")); !errors.Is(err, meta.ErrNotFound) {
		t.Errorf("got %v", err)
	}
}

// A catalog is read or refused; a fault has a text, and the same bytes give the same.
func FuzzDecodeCatalog(f *testing.F) {
	f.Add([]byte(one(`, "kind": "Provider", "dependsOn": [{"crd": "A.b.c/v1"}], "provides": ["A.b.c/v1"]`)))
	f.Add([]byte(`{"packages": [{"source": "a", "versions": [{"version": "v1", "version": 2, "x": null}]}]}`))
	f.Fuzz(executions.Many(func(t *testing.T, data []byte) {
		c, err := dag.DecodeCatalog(data)
		if (c == nil) && err == nil {
			t.Fatal("neither a catalog nor an error")
		}
		if _, again := dag.DecodeCatalog(data); errText(again) != errText(err) {
			t.Fatalf("two answers: %v and %v", err, again)
		}
		if c == nil {
			return
		}
		for _, r := range c.Releases() {
			if _, err := c.Release(t.Context(), r.Source, r.Version); err != nil {
				t.Fatalf("a release of the catalog is not found: %v", err)
			}
		}
		dag.NewKindIndex(c.Releases()...)
	}))
}
