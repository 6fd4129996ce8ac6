package rules_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// TestRequiredFields goes through every version of every kind: what each requires, where
// that is an error, and that an install wants nothing of what the schema alone asks for.
func TestRequiredFields(t *testing.T) {
	const (
		noSpec       = "info metadata-required spec"
		noController = "info metadata-required spec.controller"
	)
	type inputs struct{ none, empty, controller, image string }
	want := map[meta.Kind]inputs{
		meta.Configuration: {none: noSpec},
		meta.Function:      {none: noSpec},
		meta.Provider:      {none: noSpec, empty: noController},
	}
	wantIBM := map[meta.Kind]inputs{
		meta.Configuration: {none: "error metadata-invalid spec"},
		meta.Provider: {
			none: "error metadata-invalid spec", empty: "error metadata-invalid spec.controller",
			controller: "error metadata-invalid spec.controller.image",
		},
	}
	for _, group := range []string{meta.Group, meta.GroupIBM} {
		for _, kind := range meta.Kinds() {
			for _, version := range meta.Versions(group, kind) {
				w := want[kind]
				if group == meta.GroupIBM {
					w = wantIBM[kind]
				}
				for spec, want := range map[string]string{
					"":                         w.none,
					"spec: null":               w.none,
					"spec: {}":                 w.empty,
					"spec: {controller: null}": w.empty,
					"spec: {controller: {}}":   w.controller,
					"spec: {controller: {image: example.org/a:v1}}": w.image,
				} {
					if kind != meta.Provider && strings.Contains(spec, "controller") {
						continue // no such field
					}
					text := "apiVersion: " + group + "/" + version + "\nkind: " + string(kind) + "\nmetadata: {name: demo}\n" + spec + "\n"
					for _, profile := range []linter.Profile{linter.Install, linter.Publish} {
						var got []string
						for _, d := range judge(t, parser.Bytes("package.yaml", []byte(text), nil), profile) {
							if d.Rule == "metadata-required" || d.Rule == "metadata-invalid" {
								got = append(got, d.Severity.String()+" "+d.Rule+" "+d.Path)
							}
						}
						var expected []string
						if want != "" && (profile == linter.Publish || strings.HasPrefix(want, "error")) {
							expected = []string{want}
						}
						if diff := cmp.Diff(expected, got); diff != "" {
							t.Errorf("%s/%s %s with %q for %s: -want +got:\n%s", group, version, kind, spec, profile, diff)
						}
					}
				}
			}
		}
	}
}
