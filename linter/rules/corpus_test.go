package rules_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/parser"
)

// corpus returns a folder of the corpus, or skips the test.
func corpus(t *testing.T, folder string) string {
	t.Helper()
	root := os.Getenv("XPKG_CORPUS")
	if root == "" {
		t.Skip("set XPKG_CORPUS to the folder of real packages to run this test")
	}
	return filepath.Join(root, folder)
}

func lintDir(t *testing.T, dir string, profile linter.Profile) []linter.Diagnostic {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	return judge(t, parser.Dir(t.Context(), root, nil), profile)
}

// TestCorpus lints real packages, most of which were published and installed. What
// is found in them is listed in testdata/corpus, a file for each rule, each line read
// and found to be true, with the reason above it; anything else is a false positive, or a
// fault that is no longer found.
func TestCorpus(t *testing.T) {
	dirs, err := os.ReadDir(corpus(t, "packages"))
	if err != nil {
		t.Fatal(err)
	}
	reviewed := readReviewed(t)
	for _, d := range dirs {
		if !d.IsDir() {
			continue
		}
		dir := filepath.Join(corpus(t, "packages"), d.Name())
		found := lintDir(t, dir, linter.Publish)
		if len(found) > 0 {
			if diff := cmp.Diff(found, lintDir(t, dir, linter.Publish)); diff != "" {
				t.Errorf("%s: two runs differ: %s", d.Name(), diff)
			}
		}
		for _, f := range found {
			// Without the message, whose words may be improved at any time.
			line := fmt.Sprintf("%s/%s: %s", d.Name(), f.Range, f.Severity)
			if key := f.Rule + " " + line; reviewed[key] > 0 {
				reviewed[key]--
			} else {
				t.Errorf("testdata/corpus/%s.txt does not have %s (%s)", f.Rule, line, f.Message)
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(reviewed)) {
		if reviewed[key] > 0 {
			t.Errorf("testdata/corpus has what is no longer found: %s", key)
		}
	}
}

// readReviewed reads the findings that were reviewed, by rule and line, and how often
// each is there. A paragraph of a file is a reason, in comments, and the findings that
// have it.
func readReviewed(t *testing.T) map[string]int {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "corpus", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no reviewed findings: %v", err)
	}
	reviewed := map[string]int{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		rule, reason := strings.TrimSuffix(filepath.Base(file), ".txt"), false
		for i, line := range strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n") {
			switch {
			case line == "":
				reason = false
			case strings.HasPrefix(line, "# "):
				reason = true
			case !reason:
				t.Errorf("%s:%d: a finding without a reason", file, i+1)
			default:
				reviewed[rule+" "+line]++
			}
		}
	}
	return reviewed
}

// published are the packages of the corpus that were published and installed as they
// are, and unpublished those of which something else was, with what that changed.
var (
	published = []string{
		"configuration-aws-eks-v0.16.0", "configuration-quickstart", "crossplane-on-eks-aws", "crossplane-sql",
		"e2e-configuration-digest", "function-auto-ready", "function-cue", "function-environment-configs",
		"function-generate-subnets", "function-kcl-v0.11.6", "function-patch-and-transform", "function-python", "function-wasm",
		"grafana-config-stack", "ibm-getting-started-aws", "kc-provider-github-configuration", "platform-ref-aws-v1.4.0",
		"provider-aws", "provider-btp", "provider-http", "provider-infisical", "provider-kubernetes", "provider-nop",
		"provider-sql", "provider-timeweb", "provider-upjet-gcp-storage", "provider-vault", "provider-yc",
		"stuttgart-cilium", "stuttgart-platform",
	}
	unpublished = map[string]string{
		"configuration-aws-elemental":     "its build leaves upbound.yaml out, and a schema has a key twice",
		"configuration-observability-oss": "its build leaves upbound.yaml out",
		"crossplane-sql-6e3c048":          "a file was empty at that commit",
		"getting-started-aws-v1beta1":     "its objects are for releases of Crossplane before v1.6, which it does not say",
		"ibm-provider-kubernetes":         "its definitions have no API version, and its build replaces VERSION",
		"platform-ref-aws-3f182db":        "the commit has a range that is none",
		"platform-ref-aws-62a5950":        "the commit has a file that is no YAML",
		"provider-gcp-v0.13.0":            "its build replaces VERSION",
		"provider-github":                 "its build replaces VERSION",
		"provider-jet-rancher":            "its build replaces VERSION and DOCKER_REGISTRY",
		"provider-upjet-azuread":          "its build leaves the inputs of kustomize out",
		"stuttgart-postgres-server":       "its name has capitals",
	}
)

// TestPublished: no package that was installed has an error for the profile install.
func TestPublished(t *testing.T) {
	dirs, err := os.ReadDir(corpus(t, "packages"))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dirs {
		if !d.IsDir() || unpublished[d.Name()] != "" {
			continue
		}
		if !slices.Contains(published, d.Name()) {
			t.Errorf("%s is neither published nor unpublished: add it to a list", d.Name())
		}
		for _, f := range lintDir(t, filepath.Join(corpus(t, "packages"), d.Name()), linter.Install) {
			if f.Severity == linter.Error {
				t.Errorf("%s: %s", d.Name(), f)
			}
		}
	}
}
