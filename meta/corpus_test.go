package meta_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/xpkg-go/sdk/meta"
)

// declared is what an independent reader sees in a metadata object.
type declared struct {
	Kind         string               `json:"kind"`
	APIVersion   string               `json:"apiVersion"`
	Name         string               `json:"name"`
	Crossplane   string               `json:"crossplane"`
	DependsOn    []declaredDependency `json:"dependsOn"`
	Capabilities []string             `json:"capabilities"`
}

type declaredDependency struct {
	Kind    string `json:"kind"`
	Package string `json:"package"`
	Version string `json:"version"`
}

// TestCorpus decodes every metadata object of real packages, compares it with
// what an independent reader sees there, and encodes it again.
func TestCorpus(t *testing.T) {
	corpus := os.Getenv("XPKG_CORPUS")
	if corpus == "" {
		t.Skip("set XPKG_CORPUS to a folder with packages/ and EXPECTED.json")
	}
	b, err := os.ReadFile(filepath.Join(corpus, "EXPECTED.json"))
	if err != nil {
		t.Fatal(err)
	}
	var expected map[string]declared
	if err := json.Unmarshal(b, &expected); err != nil {
		t.Fatal(err)
	}
	// Real packages have real faults.
	faults := map[string]string{
		"platform-ref-aws-3f182db": `spec.dependsOn[5].version: ">-v0.1.4" is not a version range`,
	}
	found := map[string]int{}
	root := filepath.Join(corpus, "packages")
	err = filepath.WalkDir(root, func(file string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !e.Type().IsRegular() || filepath.Ext(file) != ".yaml" {
			return nil
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		name, inside, _ := strings.Cut(filepath.ToSlash(rel), "/")
		if strings.HasPrefix(inside, "examples/") {
			return nil
		}
		b, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for _, data := range metadata(b) {
			found[name]++
			want := expected[name]
			p, err := meta.Decode(data)
			if p == nil {
				t.Errorf("%s: %v", rel, err)
				continue
			}
			if text := errorText(err); text != faults[name] {
				t.Errorf("%s: got the error %q, want %q", rel, text, faults[name])
			}
			got := declared{
				Kind: string(p.Kind), APIVersion: p.APIVersion, Name: p.Name, Crossplane: p.Crossplane.String(),
				DependsOn: []declaredDependency{}, Capabilities: append([]string{}, p.Capabilities...),
			}
			for _, d := range p.DependsOn {
				got.DependsOn = append(got.DependsOn, declaredDependency{d.Kind, d.Package.String(), d.Constraint.String()})
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", rel, diff)
			}
			if len(p.Unknown) > 0 {
				t.Errorf("%s: unknown fields %v", rel, p.Unknown)
			}
			checkRoundTrip(t, data, p)
		}
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for name := range expected {
		if found[name] != 1 {
			t.Errorf("%s: %d metadata objects, want 1", name, found[name])
		}
	}
}

// metadata is the JSON of those documents of a YAML stream that are metadata
// objects. It splits at separator lines, which is enough for these files.
func metadata(stream []byte) [][]byte {
	var out [][]byte
	text := strings.ReplaceAll(string(stream), "\r\n", "\n")
	for _, document := range strings.Split("\n"+text, "\n---") {
		data, err := yaml.YAMLToJSON([]byte(document))
		if err != nil {
			continue
		}
		var header struct {
			APIVersion string `json:"apiVersion"`
		}
		if json.Unmarshal(data, &header) == nil && meta.IsMeta(header.APIVersion) {
			out = append(out, data)
		}
	}
	return out
}
