package deptest

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/xpkg-go/sdk"

// Foreign modules, by what they are for.
const (
	semver   = "github.com/Masterminds/semver/v3"
	yaml     = "go.yaml.in/yaml/v3"
	spdx     = "github.com/github/go-spdx/v2"
	registry = "github.com/google/go-containerregistry"
	k8s      = "k8s.io/"
)

// rule says what one folder and all below it may import.
type rule struct {
	folder string
	// ours lists the folders it may import, itself and what is below it aside.
	ours []string
	// links lists the only foreign modules that may be linked into it, in
	// whole; nil means that any may, the forbidden ones aside.
	links []string
}

// law is ordered: the first rule whose folder holds a package is the package's.
var law = []rule{
	{folder: "meta/install", ours: []string{"meta"}, links: []string{semver}},
	{folder: "meta/legacy", ours: []string{"meta", "parser"}, links: []string{semver, yaml}},
	{folder: "meta", links: []string{semver}},
	{folder: "parser", ours: []string{"meta"}, links: []string{semver, yaml}},
	{folder: "linter/lintertest", ours: []string{"linter", "meta", "parser"}, links: []string{semver, yaml, "github.com/rogpeppe/go-internal", "golang.org/x/tools"}},
	{folder: "linter/apiserver", ours: []string{"linter", "parser", "meta"}},
	{folder: "linter/rules", ours: []string{"linter", "linter/lintertest", "meta", "parser"}, links: []string{semver, yaml, spdx}},
	{folder: "linter", ours: []string{"meta", "parser"}, links: []string{semver, yaml}},
	{folder: "dag", ours: []string{"meta", "meta/install"}, links: []string{semver}},
	{folder: "xpkg/mirror", ours: []string{"meta", "meta/install", "xpkg"}},
	{folder: "xpkg", ours: []string{"meta", "meta/install", "parser"}},
	// What judges shares nothing with what is judged, save the inputs of tests.
	{folder: "conformance", ours: []string{"conformance", "internal/lintinput"}, links: []string{yaml, "github.com/rogpeppe/go-internal", "golang.org/x/tools"}},
	{folder: "internal/lintinput", links: []string{"github.com/rogpeppe/go-internal", "golang.org/x/tools"}},
	{folder: "internal/yamlstream", links: []string{}},
	{folder: "internal/ignore", links: []string{}},
	{folder: "internal/nearmiss", links: []string{}},
	{folder: "internal/parallel", links: []string{}},
	{folder: "internal/sha256", links: []string{}},
	{folder: "internal/filelock", links: []string{"github.com/gofrs/flock", "golang.org/x/sys"}},
	{folder: "internal/yamlscan", links: []string{}},
	{folder: "internal/yamltree", links: []string{yaml}},
	{folder: "internal/fixture/catalogs", ours: []string{"meta"}, links: []string{semver}},
	{folder: "internal/fixture", links: []string{}},
	{folder: "internal/executions", links: []string{yaml}},
	{folder: "internal/deptest", links: []string{}},
	{folder: "internal/spectest", links: []string{}},
	{folder: "internal/apitest", links: []string{}},
	{folder: "internal/doctest", links: []string{}},
	{folder: "internal/bench", ours: []string{"meta", "parser", "linter", "dag", "xpkg", "internal/fixture"}},
	{folder: "examples", ours: []string{"meta", "parser", "linter", "dag", "xpkg"}},
	{folder: "", links: []string{}}, // the root package is documentation
}

// forbidden names what no package of ours imports itself, whatever its rule:
// loggers, because a library tells through events and errors; a file system
// abstraction, because the standard library has two; a cluster's clients,
// because nothing here needs a cluster. An example may use log, to silence the
// registry that it starts.
var forbidden = []string{
	"log", "log/slog", "github.com/sirupsen/logrus", "k8s.io/klog", "go.uber.org/zap", "github.com/go-logr/logr",
	"github.com/spf13/afero", "k8s.io/client-go", "sigs.k8s.io/controller-runtime",
}

// onlyIn confines modules to folders.
var onlyIn = []struct {
	module  string
	folders []string
}{
	{registry, []string{"xpkg", "examples", "internal/bench"}},
	{k8s, []string{"linter/apiserver", "internal/bench"}},
}

func TestImportLaw(t *testing.T) {
	packages := list(t)
	modules := map[string]string{} // import path -> module path
	for _, p := range packages {
		if p.Module != nil {
			modules[p.ImportPath] = p.Module.Path
		}
	}
	seen := 0
	for _, p := range packages {
		folder, ok := ours(p.ImportPath)
		if !ok {
			continue
		}
		seen++
		r := ruleOf(folder)
		if r == nil {
			t.Errorf("%s is in no folder of the law: add a rule for it and a row to docs/design.md", p.ImportPath)
			continue
		}
		for _, imp := range p.Imports {
			checkImport(t, p.ImportPath, folder, imp, r)
		}
		if r.links == nil {
			continue
		}
		for _, dep := range p.Deps {
			m, foreign := modules[dep]
			if !foreign || strings.HasPrefix(m, module) || slices.Contains(r.links, m) {
				continue
			}
			t.Errorf("%s links %s of module %s; the law lets %q link %v", p.ImportPath, dep, m, r.folder, r.links)
		}
	}
	if want := 8; seen < want {
		t.Errorf("only %d packages of ours were seen, at least %d are expected: the listing is broken", seen, want)
	}
}

func checkImport(t *testing.T, importer, folder, imp string, r *rule) {
	t.Helper()
	if target, ok := ours(imp); ok {
		allowed := within(target, r.folder) && r.folder != "" || strings.HasPrefix(target, "internal/") && !strings.HasPrefix(folder, "internal/")
		for _, f := range r.ours {
			allowed = allowed || within(target, f)
		}
		if !allowed {
			t.Errorf("%s imports %s; the law lets %q import %v", importer, imp, r.folder, r.ours)
		}
		return
	}
	for _, f := range forbidden {
		if within(imp, f) && !(imp == "log" && within(folder, "examples")) {
			t.Errorf("%s imports %s, which no package of ours does", importer, imp)
		}
	}
	for _, c := range onlyIn {
		if !strings.HasPrefix(imp, c.module) {
			continue
		}
		if !slices.ContainsFunc(c.folders, func(f string) bool { return within(folder, f) }) {
			t.Errorf("%s imports %s; only %v may", importer, imp, c.folders)
		}
	}
}

// The engines hidden in internal/ are linked into public packages, so they obey
// the strictest of the laws of those that import them: that is checked above,
// through Deps. Here: who requires the root module gets no Kubernetes with it.
func TestRootModuleKnowsNoKubernetes(t *testing.T) {
	b, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		if strings.HasPrefix(strings.TrimSpace(line), k8s) {
			t.Errorf("go.mod requires %s", strings.TrimSpace(line))
		}
	}
}

// Who imports one package must not have to take the others: the public packages
// that stand side by side never reach each other, not even through a third.
func TestSiblingsStayApart(t *testing.T) {
	siblings := []string{"linter", "dag", "xpkg"}
	for _, p := range list(t) {
		folder, ok := ours(p.ImportPath)
		if !ok {
			continue
		}
		for _, a := range siblings {
			if !within(folder, a) {
				continue
			}
			for _, dep := range p.Deps {
				target, ok := ours(dep)
				if !ok || within(target, a) {
					continue
				}
				for _, b := range siblings {
					if within(target, b) {
						t.Errorf("%s reaches %s", p.ImportPath, dep)
					}
				}
			}
		}
	}
}

type listed struct {
	ImportPath string
	Imports    []string
	Deps       []string
	Module     *struct{ Path string }
}

// list returns every package of the workspace and everything that is linked
// into one.
func list(t *testing.T) []listed {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-json=ImportPath,Imports,Deps,Module",
		"./...", "./examples/...", "./internal/bench/...", "./linter/apiserver/...")
	cmd.Dir = "../.."
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var all []listed
	for dec := json.NewDecoder(out); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("go list: %v", err)
	}
	return all
}

// ours returns the folder of a package of ours, relative to the root.
func ours(importPath string) (string, bool) {
	if importPath == module {
		return "", true
	}
	return strings.CutPrefix(importPath, module+"/")
}

func within(folder, parent string) bool {
	return folder == parent || strings.HasPrefix(folder, parent+"/")
}

func ruleOf(folder string) *rule {
	for i, r := range law {
		if within(folder, r.folder) || r.folder == "" && folder == "" {
			return &law[i]
		}
	}
	return nil
}
