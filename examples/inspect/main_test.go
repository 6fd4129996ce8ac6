package main

import (
	"bytes"
	"encoding/json"
	"io"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/examples/internal/clitest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"inspect": func() { cli.Main(program) }})
}

// The scripts call inspect as a user does and look at what it prints and at its
// exit code.
func TestScripts(t *testing.T) { clitest.Run(t, nil) }

// inspect runs the program in this process and decodes what it prints.
func inspect(t *testing.T, stdin io.Reader, args ...string) (int, *result) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	args = append([]string{"-o", "json", "-cache", t.TempDir()}, args...)
	code := program.Exec(t.Context(), args, stdin, &stdout, &stderr)
	if code == cli.Failed {
		t.Fatalf("inspect %q: %s%s", args, stdout.Bytes(), stderr.Bytes())
	}
	r := new(result)
	dec := json.NewDecoder(&stdout)
	dec.DisallowUnknownFields()
	if err := dec.Decode(r); err != nil {
		t.Fatalf("inspect %q: %v", args, err)
	}
	if dec.More() {
		t.Fatalf("inspect %q prints more than one JSON value", args)
	}
	return code, r
}

// Without a SOURCE the sample goes through a registry and comes back whole.
func TestSample(t *testing.T) {
	code, r := inspect(t, nil)
	if code != cli.Fine || len(r.Diagnostics) != 0 {
		t.Errorf("exit code %d with findings %+v, want a package without faults", code, r.Diagnostics)
	}
	for _, tc := range []struct{ what, got, want string }{
		{"kind", r.Kind, "Configuration"},
		{"name", r.Name, "configuration-website"},
		{"method", r.Method, "annotation"},
		{"platform", r.Platform, "linux/amd64"},
		{"crossplane", r.Crossplane, ">=v1.20.0-0"},
	} {
		if tc.got != tc.want {
			t.Errorf("%s is %q, want %q", tc.what, tc.got, tc.want)
		}
	}
	want := map[string]int{"Configuration": 1, "CompositeResourceDefinition": 1, "Composition": 1}
	for kind, n := range want {
		if r.Counts[kind] != n {
			t.Errorf("%d %s, want %d", r.Counts[kind], kind, n)
		}
	}
	if len(r.Objects) != 3 || len(r.DependsOn) != 3 {
		t.Errorf("%d objects and %d dependencies, want 3 and 3", len(r.Objects), len(r.DependsOn))
	}
	if again := func() string { _, r := inspect(t, nil); return r.Digest }(); again != r.Digest || r.Digest == "" {
		t.Errorf("two runs built %q and %q, want the same digest", r.Digest, again)
	}
}
