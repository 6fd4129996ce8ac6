package main

import (
	"os"
	"path/filepath"
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
