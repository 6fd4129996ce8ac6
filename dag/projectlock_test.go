package dag_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/internal/executions"
	"github.com/xpkg-go/sdk/meta"
)

const digits = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

func sortedLines(s string) []string {
	lines := strings.Split(s, "\n")
	slices.Sort(lines)
	return lines
}

// projectLock is a lock of two roots and what was chosen for them.
func projectLock(t *testing.T) (*dag.ProjectLock, []meta.Dependency) {
	t.Helper()
	roots := deps("acme.io/site >=v1.0.0, <v2.0.0; acme.io/app")
	tag, err := meta.ExactConstraint("v0.1.0")
	if err != nil {
		t.Fatal(err)
	}
	roots = append(roots, meta.Dependency{Package: src("acme.io/old"), Constraint: tag})
	m := catalog(`acme.io/site v1.4.0 Configuration: acme.io/lib
		acme.io/app v3.0.0@` + digest("c") + ` Configuration: acme.io/lib >=v1
		acme.io/lib v1.0.0 Provider
		acme.io/old v0.1.0 Provider`)
	plan, err := resolve(roots, m, nil)
	if err != nil {
		t.Fatal(err)
	}
	return dag.NewProjectLock(roots, plan), roots
}

func TestProjectLock(t *testing.T) {
	l, roots := projectLock(t)
	data, err := l.Encode()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		// A lock that is committed stays fresh: the digest is the same in every release.
		"{\n  \"lockVersion\": 1,\n  \"request\": \"sha256:154b463f187ef4476cd0c41c2d3c04202438a140f05101320f28a9c0a5964378\",",
		`"roots": [
    {
      "source": "acme.io/app"
    },
    {
      "source": "acme.io/old",
      "tag": "v0.1.0"
    },
    {
      "source": "acme.io/site",
      "constraint": ">=v1.0.0, <v2.0.0"
    }
  ],`,
		`"digest": "` + digest("c") + `",` + "\n" + `      "kind": "Configuration"`,
	} {
		if !strings.Contains(string(data), want) {
			t.Errorf("the file holds no %s:\n%s", want, data)
		}
	}
	again, err := dag.DecodeProjectLock(data)
	if err != nil {
		t.Fatal(err)
	}
	if twice, _ := again.Encode(); string(twice) != string(data) {
		t.Errorf("written again it is\n%s\nand not\n%s", twice, data)
	}
	byJSON, err := json.Marshal(l)
	if err != nil {
		t.Fatal(err)
	}
	var read dag.ProjectLock
	if err := json.Unmarshal(byJSON, &read); err != nil || len(read.Packages) != 4 {
		t.Errorf("by encoding/json: %v, %d packages", err, len(read.Packages))
	}
	var got []string
	for _, n := range again.Nodes() {
		got = append(got, n.Source.String()+" "+n.Version.String())
	}
	slices.Sort(got)
	want := []string{"acme.io/app v3.0.0@" + digest("c"), "acme.io/lib v1.0.0", "acme.io/old v0.1.0", "acme.io/site v1.4.0"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("nodes (-want +got):\n%s", diff)
	}
	slices.Reverse(roots)
	if err := again.Check(roots); err != nil {
		t.Errorf("the same request in another order: %v", err)
	}
}

func TestProjectLockStale(t *testing.T) {
	l, roots := projectLock(t)
	cases := map[string]struct {
		reason string
		roots  []meta.Dependency
		want   string
	}{
		"Added": {
			reason: "a new root is not in the lock",
			roots:  append(slices.Clone(roots), dep("acme.io/new >=v1")),
			want:   "the project lock is stale: the project asks for acme.io/new >=v1",
		},
		"Removed": {
			reason: "what nobody asks for any more is too much",
			roots:  roots[1:],
			want:   "the project lock is stale: the project no longer asks for acme.io/site >=v1.0.0, <v2.0.0",
		},
		"Changed": {
			reason: "another constraint may want another version",
			roots:  append([]meta.Dependency{dep("acme.io/site >=v2.0.0")}, roots[1:]...),
			want:   "the project lock is stale: the project asks for acme.io/site >=v2.0.0, and no longer asks for acme.io/site >=v1.0.0, <v2.0.0",
		},
		"Nothing": {
			reason: "a request for nothing is another one",
			want:   "the project lock is stale: the project no longer asks for acme.io/app any version, acme.io/old v0.1.0 and acme.io/site >=v1.0.0, <v2.0.0",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			err := l.Check(tc.roots)
			var stale *dag.StaleProjectLockError
			if !errors.As(err, &stale) || !errors.Is(err, meta.ErrInvalid) {
				t.Fatalf("%s: error is %v, want a *StaleProjectLockError", tc.reason, err)
			}
			if diff := cmp.Diff(tc.want, err.Error()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
	respelt := slices.Clone(roots)
	respelt = append(respelt, respelt[0]) // twice the same asks for no more
	if err := l.Check(respelt); err != nil {
		t.Errorf("the same root twice: %v", err)
	}
}

func TestDecodeProjectLockFaults(t *testing.T) {
	l, _ := projectLock(t)
	sound, _ := l.Encode()
	cases := map[string]struct {
		reason, data string
		want         []string
	}{
		"Request": {
			reason: "a root that was edited by hand is not the one that was resolved",
			data:   strings.Replace(string(sound), "<v2.0.0", "<v3.0.0", 1),
			want:   []string{"request: "},
		},
		"EveryFault": {
			reason: "all faults come at once, with their places",
			data: `{"lockVersion":2,"request":7,"request":"x","more":1,"roots":[{"source":"a b"},{"source":"a/b","constraint":"banana"},{"source":"a/b","constraint":"v1","tag":"v1"}],` +
				`"packages":[{"source":"a/b","version":"v 1","digest":"sha256:1"},{"source":"docker.io/a/b","version":"v1","kind":3},[],{"Source":"a/c","version":"v1"}]}`,
			want: []string{
				"lockVersion: the number 2 is not 1",
				"more: there is no such field",
				"packages[0].digest: \"sha256:1\" is not a digest",
				"packages[0].version: \"v 1\" is not a tag or a digest (",
				"packages[1].kind: the number 3 is not a string",
				"packages[1].source: the package \"index.docker.io/a/b\" is locked already",
				"packages[2]: an array is not an object",
				"packages[3].Source: there is no such field",
				"packages[3].source: missing, want a text",
				"request: this key is there twice",
				"request: the number 7 is not a string",
				"roots[0].source: \"a b\" is not an image repository (",
				"roots[1].constraint: \"banana\" is not a version range (improper constraint)",
				"roots[2].tag: a tag and a constraint exclude each other",
			},
		},
		"Null":   {reason: "null is no text: nothing writes it", data: strings.Replace(string(sound), `"kind": "Configuration"`, `"kind": null`, 1), want: []string{"packages[1].kind: missing, want a string"}},
		"Empty":  {reason: "what must be there is named", data: "{}", want: []string{"lockVersion: missing, want 1", "packages: missing, want an array", "request: missing, want a text", "roots: missing, want an array"}},
		"Array":  {reason: "a list is no lock", data: "[]", want: []string{"an array is not an object"}},
		"Syntax": {reason: "half a file is none", data: `{"lockVersion"`, want: []string{"unexpected end of JSON input"}},
		"UTF8":   {reason: "bytes that are no text are none", data: "\"\xff\"", want: []string{"the document is not UTF-8"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			l, err := dag.DecodeProjectLock([]byte(tc.data))
			if l != nil || !errors.Is(err, meta.ErrInvalid) {
				t.Fatalf("%s: %v, %v", tc.reason, l, err)
			}
			faults := err.(meta.FieldErrors)
			for i, f := range faults {
				if i >= len(tc.want) || !strings.HasPrefix(f.Error(), tc.want[i]) {
					t.Errorf("%s: fault %d is %q", tc.reason, i, f)
				}
			}
			if len(faults) != len(tc.want) {
				t.Errorf("%s: %d faults, want %d", tc.reason, len(faults), len(tc.want))
			}
		})
	}
}

// FuzzDecodeProjectLock: nothing panics; faults are sorted and short; what is read
// is written as an equal value, and the same bytes from then on; its own roots are no
// stale request.
func FuzzDecodeProjectLock(f *testing.F) {
	f.Add([]byte(`{"lockVersion":1,"request":"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","roots":[],"packages":[{"source":"a/b","version":"v1@sha256:` + digits + `","kind":"K"}]}`))
	f.Add([]byte(`{"lockVersion":1,"roots":[{"source":"a/b","tag":"master"}],"packages":null,"x":[[{"y":"\u2028"}]]}`))
	f.Fuzz(executions.Many(func(t *testing.T, data []byte) {
		l, err := dag.DecodeProjectLock(data)
		if err != nil {
			last := meta.Path(nil)
			for _, fault := range err.(meta.FieldErrors) {
				if fault.Path.Compare(last) < 0 {
					t.Errorf("%s comes after %s", fault.Path, last)
				}
				last = fault.Path
				if n := len(fault.Error()); n > 700 {
					t.Errorf("a text of %d bytes: %s", n, fault)
				}
			}
			return
		}
		written, err := l.Encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := dag.DecodeProjectLock(written)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, written)
		}
		if twice, _ := again.Encode(); string(twice) != string(written) {
			t.Errorf("written once %s\nand twice %s", written, twice)
		}
		var want, got any
		if json.Unmarshal(data, &want) != nil || json.Unmarshal(written, &got) != nil {
			t.Fatal("what was read or written is not JSON")
		}
		if !reflect.DeepEqual(pruned(want), pruned(got)) {
			t.Errorf("read    %s\nwritten %s", data, written)
		}
		var roots []meta.Dependency
		for _, r := range l.Roots {
			roots = append(roots, meta.Dependency{Package: r.Source, Constraint: r.Constraint})
		}
		if err := l.Check(roots); err != nil {
			t.Error(err)
		}
	}))
}

// pruned is a value without the empty texts of fields that need not be there.
func pruned(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, member := range v {
			if member == "" {
				delete(v, k)
				continue
			}
			v[k] = pruned(member)
		}
	case []any:
		for i := range v {
			v[i] = pruned(v[i])
		}
	}
	return v
}
