package main

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/examples/internal/source"
	"github.com/xpkg-go/sdk/linter/report"
	"github.com/xpkg-go/sdk/meta"
)

// expected is what an independent YAML reader sees in a package directory.
type expected struct {
	Metas        int                 `json:"metas"`
	Kind         string              `json:"kind"`
	APIVersion   string              `json:"apiVersion"`
	Name         string              `json:"name"`
	Crossplane   string              `json:"crossplane"`
	Capabilities []string            `json:"capabilities"`
	DependsOn    []source.Dependency `json:"dependsOn"`
	Documents    []object            `json:"documents"`
	NotJudged    []string            `json:"notJudged"`
}

func corpus(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("XPKG_CORPUS")
	if dir == "" {
		t.Skip("XPKG_CORPUS is not set: set it to a folder with packages/ and EXPECTED.json (see CONTRIBUTING.md)")
	}
	return dir
}

// Every real package agrees with what another reader sees in it.
func TestCorpus(t *testing.T) {
	dir := corpus(t)
	b, err := os.ReadFile(filepath.Join(dir, "EXPECTED.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]expected
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	folders, err := os.ReadDir(filepath.Join(dir, "packages"))
	if err != nil {
		t.Fatal(err)
	}
	packages, documents, findings := 0, 0, 0
	for _, folder := range folders {
		if !folder.IsDir() {
			continue
		}
		want, ok := all[folder.Name()]
		if !ok {
			t.Errorf("EXPECTED.json has no %s", folder.Name())
			continue
		}
		packages++
		t.Run(folder.Name(), func(t *testing.T) {
			code, got := inspect(t, nil, filepath.Join(dir, "packages", folder.Name()))
			compare(t, got, want)
			documents += len(want.Documents)
			findings += len(got.Diagnostics)
			hasError := slices.ContainsFunc(got.Diagnostics, func(d report.Finding) bool { return d.Severity == "error" })
			if (code == cli.Findings) != hasError {
				t.Errorf("exit code %d, findings of severity error: %t", code, hasError)
			}
			for _, d := range got.Diagnostics {
				if d.File == "" || d.Line < 1 || d.Column < 1 {
					t.Errorf("a finding has no place: %+v", d)
				}
			}
		})
	}
	if packages != len(all) {
		t.Errorf("%d packages, EXPECTED.json has %d", packages, len(all))
	}
	t.Logf("%d packages and %d documents compared, %d findings", packages, documents, findings)
}

func compare(t *testing.T, got *result, want expected) {
	t.Helper()
	equal := func(what, got, want string) {
		if got != want {
			t.Errorf("%s is %q, want %q", what, got, want)
		}
	}
	equal("kind", got.Kind, want.Kind)
	equal("apiVersion", got.APIVersion, want.APIVersion)
	equal("name", got.Name, want.Name)
	equal("crossplane", got.Crossplane, want.Crossplane)
	if !slices.Equal(got.Capabilities, want.Capabilities) {
		t.Errorf("capabilities are %q, want %q", got.Capabilities, want.Capabilities)
	}
	if !slices.EqualFunc(got.DependsOn, want.DependsOn, func(a, b source.Dependency) bool {
		return a.Kind == b.Kind && a.Package == b.Package && a.Version == b.Version
	}) {
		t.Errorf("dependencies are %+v, want %+v", got.DependsOn, want.DependsOn)
	}
	judged := slices.DeleteFunc(slices.Clone(got.Objects), func(o object) bool { return slices.Contains(want.NotJudged, o.File) })
	for _, list := range [][]object{judged, want.Documents} {
		slices.SortStableFunc(list, func(a, b object) int {
			return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
		})
	}
	if !slices.Equal(judged, want.Documents) {
		t.Errorf("%d documents, want %d", len(judged), len(want.Documents))
		for i := range min(len(judged), len(want.Documents)) {
			if judged[i] != want.Documents[i] {
				t.Errorf("the first that differs is %+v, want %+v", judged[i], want.Documents[i])
				break
			}
		}
	}
	metas := 0
	for _, o := range judged {
		if meta.IsMeta(o.APIVersion) {
			metas++
		}
	}
	if metas != want.Metas {
		t.Errorf("%d metadata objects, want %d", metas, want.Metas)
	}
}
