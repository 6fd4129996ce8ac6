package compare

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/linter"
)

// What is said of schemas is held against the oracle: for random schemas with one
// change, an error needs a value that the old schema accepts and the new one refuses,
// and where there is such a value something must be said.
func TestRandomSchemas(t *testing.T) {
	pairs, first := variable(t, "XPKG_PAIRS", 150), variable(t, "XPKG_SEED", 1)
	broken, errors, missedErrors := 0, 0, 0
	for seed := first; seed < first+pairs; seed++ {
		r := random{rand.New(rand.NewPCG(uint64(seed), 1))}
		field := r.satisfiable(2)
		old, new := ofField(field), ofField(r.change(field))
		changes := compareSchemas(old, new)
		witness, found := brokenBy(old, new)
		if found {
			broken++
		}
		switch severity := MaxSeverity(changes); {
		case severity == linter.Error && !found:
			t.Errorf("seed %d: said to break what nothing was found that it breaks\nold: %s\nnew: %s\n%s", seed, asJSON(old), asJSON(new), write(changes))
		case severity < linter.Warning && found:
			t.Errorf("seed %d: nothing is said though %s was accepted\nold: %s\nnew: %s\n%s", seed, asJSON(witness), asJSON(old), asJSON(new), write(changes))
		case severity == linter.Error:
			errors++
		case found:
			missedErrors++
		}
	}
	t.Logf("%d pairs, of which %d break something: %d said for certain, %d with doubt", pairs, broken, errors, missedErrors)
	if errors < broken/2 {
		t.Errorf("only %d of %d breaks are told for certain", errors, broken)
	}
}

// What only adds is never told as more than worth knowing.
func TestAdditiveSchemas(t *testing.T) {
	for seed := range 60 {
		r := random{rand.New(rand.NewPCG(uint64(seed), 2))}
		old := r.satisfiable(3)
		new := clone(old)
		r.widen(new)
		if changes := compareSchemas(old, new); MaxSeverity(changes) > linter.Info {
			t.Fatalf("seed %d\nold: %s\nnew: %s\n%s", seed, asJSON(old), asJSON(new), write(changes))
		}
		if changes := compareSchemas(old, old); len(changes) > 0 {
			t.Fatalf("seed %d: a schema differs from itself: %s\n%s", seed, asJSON(old), write(changes))
		}
	}
}

// variable is a number that the environment may set, for a longer or another run.
func variable(t *testing.T, name string, usual int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s=%s: %v", name, text, err)
	}
	return n
}

// ofField is a schema of an object with a field.
func ofField(s map[string]any) map[string]any {
	return map[string]any{"type": "object", "properties": map[string]any{"x": s}}
}

func compareSchemas(old, new map[string]any) []Change {
	d := &schemaDiff{diff: &diff{}, api: API{"example.org/v1", "Thing"}}
	d.compare(node{schema: old}, node{schema: new}, spot{field: "spec", name: "", sure: true})
	return d.changes
}

func asJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

func clone(s map[string]any) map[string]any {
	var out map[string]any
	dec := json.NewDecoder(strings.NewReader(asJSON(s)))
	dec.UseNumber()
	if err := dec.Decode(&out); err != nil {
		panic(err)
	}
	return out
}

func write(changes []Change) string {
	var b strings.Builder
	for _, c := range changes {
		fmt.Fprintln(&b, c.Severity, c)
	}
	return b.String()
}
