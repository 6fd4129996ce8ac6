package rules_test

import (
	"cmp"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/lintertest"
	"github.com/xpkg-go/sdk/linter/rules"
	"github.com/xpkg-go/sdk/parser"
)

// TestFixtures runs the whole suite over every archive in testdata, for the profile
// install, and in testdata/publish, for publish: a rule that speaks up where another one
// is tested fails the test too. The text before the files of an archive is the reason
// for the case.
func TestFixtures(t *testing.T) {
	reported, ids := map[string]bool{}, map[string]bool{}
	for _, r := range rules.Suite() {
		ids[r.ID] = true // what is found in reading has tests of its own
	}
	for folder, profile := range map[string]linter.Profile{"testdata": linter.Install, "testdata/publish": linter.Publish} {
		files, err := filepath.Glob(filepath.Join(filepath.FromSlash(folder), "*.txtar"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no fixtures: %v", err)
		}
		for _, file := range files {
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
				for _, d := range lintertest.Run(t, file, &linter.Options{Rules: rules.Suite(), Profile: profile}) {
					reported[d.Rule] = true
					if ids[d.Rule] {
						checkForm(t, d)
					}
				}
			})
		}
	}
	for _, r := range rules.Suite() {
		if !reported[r.ID] && !hasNoExample(r) {
			t.Errorf("no fixture makes rule %s report", r.ID)
		}
	}
}

// hasNoExample reports whether a rule looks at what no stream of documents is, an image,
// or at one that would be too large: TestImages and TestAnnotationSize are about those.
func hasNoExample(r *linter.Rule) bool {
	return strings.HasPrefix(r.ID, "image-") || r.ID == "annotation-size"
}

func TestAnnotationSize(t *testing.T) {
	const most, key = 256 << 10, "example.org/a"
	for size, want := range map[int]int{most: 0, most + 1: 1} {
		annotations := []string{"  annotations:", "    " + key + ": " + strings.Repeat("x", size-len(key)-len("bc")), "    b: c"}
		found := lint(t, stream(header("v1", "Provider", annotations...), doc("apiextensions.k8s.io/v1", "CustomResourceDefinition", bucket,
			append(annotations, "spec: {group: example.org, scope: Cluster, names: {kind: Bucket, plural: buckets}, versions: [{name: v1, served: true, storage: true}]}")...)))
		for _, d := range found {
			if d.Rule != "annotation-size" || !strings.Contains(d.Message, fmt.Sprintf("have %d bytes (at most %d are allowed)", size, most)) {
				t.Errorf("%d bytes: %s", size, d)
			}
		}
		if len(found) != 2*want {
			t.Errorf("%d bytes: %d findings, want %d", size, len(found), 2*want)
		}
	}
}

// checkForm holds findings to the house style: lower case, no full stop, one line,
// a place, an object.
func checkForm(t *testing.T, d linter.Diagnostic) {
	t.Helper()
	switch {
	case d.Message == "" || strings.HasSuffix(d.Message, ".") || strings.ContainsAny(d.Message, "\r\n"):
		t.Errorf("the message is not of the house's form: %s", d)
	case d.Message[0] >= 'A' && d.Message[0] <= 'Z':
		t.Errorf("the message begins with a capital: %s", d)
	case !d.Range.Start.IsValid() || !d.Range.End.IsValid():
		t.Errorf("the finding has no place: %s", d)
	case d.Object == (linter.ObjectRef{}):
		t.Errorf("the finding names no object: %s", d)
	}
	for _, r := range d.Related {
		if !r.Range.Start.IsValid() || r.Message == "" {
			t.Errorf("a related place says nothing: %s: %+v", d, r)
		}
	}
}

func TestRelease(t *testing.T) {
	cases := map[string]struct {
		reason string
		file   string
		target string
		want   []string
	}{
		"OldTarget": {
			reason: "For an old release, the kinds that came later are not allowed, and the message says from when on they are.",
			file:   "object-partly-allowed.txtar",
			target: "v1.20",
			want: []string{
				`objects.yaml:1:1: object-not-allowed: apiextensions.crossplane.io/v1alpha1 ManagedResourceActivationPolicy "demo" is not allowed in a Configuration package of Crossplane v1.20 (allowed from v2.0 on)`,
			},
		},
		"NewTarget": {
			reason: "A target rules over what the package admits, so that a release can be tried.",
			file:   "object-partly-allowed.txtar",
			target: "v2.0",
		},
		"Webhooks": {
			reason: "Alternatives are those of the target.",
			file:   "object-provider.txtar",
			target: "v1.6",
			want: []string{
				`package/mrd.yaml:1:1: object-not-allowed: apiextensions.crossplane.io/v1alpha1 ManagedResourceDefinition "buckets.example.org" is not allowed in a Provider package of Crossplane v1.6 (allowed from v2.0 on)`,
				`package/policy.yaml:1:1: object-not-allowed: apiextensions.crossplane.io/v1alpha1 ManagedResourceActivationPolicy "demo" is not allowed in a Provider package (allowed: CustomResourceDefinition)`,
				`package/webhooks.yaml:1:1: object-not-allowed: admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration "demo" is not allowed in a Provider package of Crossplane v1.6 (allowed from v1.7 on)`,
				`package/webhooks.yaml:6:1: object-not-allowed: admissionregistration.k8s.io/v1 MutatingWebhookConfiguration "demo" is not allowed in a Provider package of Crossplane v1.6 (allowed from v1.7 on)`,
				`package/webhooks.yaml:11:1: object-not-allowed: admissionregistration.k8s.io/v1 AdmissionWebhookConfiguration "demo" is of a kind that never existed: ValidatingWebhookConfiguration is meant`,
				`package/xrd.yaml:1:1: object-not-allowed: apiextensions.crossplane.io/v1 CompositeResourceDefinition "xbuckets.example.org" is not allowed in a Provider package (allowed: CustomResourceDefinition)`,
				`package/xrd.yaml:11:1: object-not-allowed: apiextensions.crossplane.io/v1 Composition "demo" is not allowed in a Provider package (allowed: CustomResourceDefinition)`,
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join("testdata", tc.file))
			if err != nil {
				t.Fatal(err)
			}
			// The expectations in the file are for no target.
			found, _ := lintertest.Check(data, &linter.Options{Rules: rules.Suite(), Target: tc.target, Profile: linter.Install})
			var got []string
			for _, d := range found {
				got = append(got, d.String())
			}
			if !slices.Equal(got, tc.want) {
				t.Errorf("\n%s\ngot:\n%s\nwant:\n%s", tc.reason, strings.Join(got, "\n"), strings.Join(tc.want, "\n"))
			}
		})
	}
}

// TestSuite holds rules as values to what their documentation promises.
func TestSuite(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range rules.Suite() {
		t.Run(r.ID, func(t *testing.T) {
			if seen[r.ID] || !regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`).MatchString(r.ID) {
				t.Error("the ID is there twice, or is not kebab-case")
			}
			seen[r.ID] = true
			if !strings.HasSuffix(r.Doc, ".") || r.Doc[0] < 'A' || r.Doc[0] > 'Z' {
				t.Errorf("the documentation is not made of sentences: %q", r.Doc)
			}
			if hasNoExample(r) {
				return
			}
			if bad := rulesOf(lintExample(t, r.Bad, r.Profile)); !slices.Contains(bad, r.ID) {
				t.Errorf("the bad example is not reported; found %v", bad)
			}
			if good := lintExample(t, r.Good, linter.Install); len(good) > 0 {
				t.Errorf("the good example has faults: %v", good)
			}
			if good := rulesOf(lintExample(t, r.Good, r.Profile)); slices.Contains(good, r.ID) {
				t.Errorf("the good example is reported; found %v", good)
			}
		})
	}
}

func TestSuiteIsTheCallers(t *testing.T) {
	rules.Suite()[0].Severity = linter.Info
	if rules.Suite()[0].Severity == linter.Info {
		t.Error("a severity that one caller changed is changed for all")
	}
}

// lintExample lints an example of a rule for the profile that it needs to run. One
// that begins with the name of a file is a directory.
func lintExample(t *testing.T, example string, profile linter.Profile) []linter.Diagnostic {
	t.Helper()
	if !strings.HasPrefix(example, "-- ") {
		example = "-- package.yaml --\n" + example
	}
	found, _ := lintertest.Check([]byte(example), &linter.Options{Rules: rules.Suite(), Profile: cmp.Or(profile, linter.Install)})
	return found
}

func rulesOf(found []linter.Diagnostic) []string {
	var ids []string
	for _, d := range found {
		ids = append(ids, d.Rule)
	}
	return ids
}

// lint reads and lints a stream, for the profile install.
func lint(t *testing.T, stream string) []linter.Diagnostic {
	t.Helper()
	return judge(t, parser.Bytes("package.yaml", []byte(stream), nil), linter.Install)
}

// judge reads and lints a package.
func judge(t *testing.T, docs iter.Seq2[*parser.Document, error], profile linter.Profile) []linter.Diagnostic {
	t.Helper()
	r, err := linter.Lint(t.Context(), docs, &linter.Options{Rules: rules.Suite(), Profile: profile})
	if err != nil {
		t.Fatal(err)
	}
	for _, failed := range r.Failed {
		t.Error(failed)
	}
	return r.Diagnostics
}
