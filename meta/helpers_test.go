package meta_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/xpkg-go/sdk/meta"
)

const digest = "sha256:ecc25c121431dfc7058754427f97c034ecde26d4aafa0da16d258090e0443904"

// fromYAML is the JSON of a YAML text, in which metadata is easier to read.
func fromYAML(t testing.TB, s string) []byte {
	t.Helper()
	b, err := yaml.YAMLToJSON([]byte(s))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// spec is a metadata object with that spec, a YAML text on one line.
func spec(t testing.TB, apiVersion, kind, s string) []byte {
	t.Helper()
	return fromYAML(t, fmt.Sprintf("{apiVersion: %s, kind: %s, metadata: {name: x}, spec: %s}", apiVersion, kind, s))
}

func decode(t testing.TB, data []byte) *meta.Package {
	t.Helper()
	p, err := meta.Decode(data)
	if err != nil {
		t.Fatalf("Decode(%s): %v", data, err)
	}
	return p
}

// errorText is the text of err, "" for nil.
func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// equalJSON compares values with numbers by their digits.
func equalJSON(t testing.TB, a, b []byte) bool {
	t.Helper()
	parse := func(data []byte) (v any) {
		d := json.NewDecoder(strings.NewReader(string(data)))
		d.UseNumber()
		if err := d.Decode(&v); err != nil {
			t.Fatalf("%v in %s", err, data)
		}
		return v
	}
	return reflect.DeepEqual(parse(a), parse(b))
}

// checkRoundTrip checks that p encodes to the value of data, again and again.
func checkRoundTrip(t testing.TB, data []byte, p *meta.Package) {
	t.Helper()
	for range 2 {
		out, err := p.Encode()
		if err != nil {
			t.Fatalf("Encode of %.300s: %v", data, err)
		}
		if !equalJSON(t, data, out) {
			t.Fatalf("encoding is not the inverse of decoding:\n in %.1000s\nout %.1000s", data, out)
		}
	}
}

func mustSource(t testing.TB, s string) meta.Source {
	t.Helper()
	src, err := meta.ParseSource(s)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

func mustConstraint(t testing.TB, s string) meta.Constraint {
	t.Helper()
	c, err := meta.ParseConstraint(s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func mustVersion(t testing.TB, s string) meta.Version {
	t.Helper()
	v, err := meta.ParseVersion(s)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
