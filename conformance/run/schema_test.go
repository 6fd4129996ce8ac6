package main

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"sigs.k8s.io/yaml"
)

// Every file of cases is as schema.json has it, which other readers of them go by.
func TestSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join(suite, "schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(suite, "cases", "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files of cases: %v", err)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var body any
		if err := yaml.UnmarshalStrict(b, &body); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := schema.Validate(body); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for reason, body := range map[string]any{
		"a key that there is not": map[string]any{"version": 1.0, "family": "A", "title": "t", "more": 1.0},
		"another version":         map[string]any{"version": 2.0, "family": "A", "title": "t"},
		"a case without a verdict": map[string]any{"version": 1.0, "family": "A", "title": "t", "cases": []any{
			map[string]any{"id": "A01", "reason": "r", "job": "lint", "args": []any{}}}},
	} {
		if schema.Validate(body) == nil {
			t.Errorf("%s is as the schema has it", reason)
		}
	}
}

// The README speaks of every key of the schema, of every code and of every family.
func TestReadme(t *testing.T) {
	b, err := os.ReadFile(filepath.Join(suite, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	readme := string(b)
	if b, err = os.ReadFile(filepath.Join(suite, "schema.json")); err != nil {
		t.Fatal(err)
	}
	var schema any
	if err := yaml.Unmarshal(b, &schema); err != nil {
		t.Fatal(err)
	}
	told := func(word string) bool { return strings.Contains(readme, "`"+word+"`") }
	for key := range properties(schema) {
		if !told(key) {
			t.Errorf("README.md does not speak of the key %s", key)
		}
	}
	for outcome := range exits {
		if !told(outcome) {
			t.Errorf("README.md does not speak of the outcome %s", outcome)
		}
	}
	for _, code := range codes {
		if !told(code) {
			t.Errorf("README.md does not speak of the code %s", code)
		}
	}
}

// properties are the names of all properties of a schema.
func properties(schema any) map[string]bool {
	all := map[string]bool{}
	switch s := schema.(type) {
	case []any:
		for _, v := range s {
			maps.Copy(all, properties(v))
		}
	case map[string]any:
		for key, v := range s {
			if named, ok := v.(map[string]any); ok && key == "properties" {
				for name := range named {
					all[name] = true
				}
			}
			maps.Copy(all, properties(v))
		}
	}
	return all
}
