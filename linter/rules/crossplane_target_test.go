package rules_test

import (
	"testing"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/rules"
)

// TestCrossplaneTarget: a release that was asked for is within the range or refuses the
// package, whatever may come after it.
func TestCrossplaneTarget(t *testing.T) {
	text := header("v1", "Configuration", "spec:", "  crossplane:", `    version: ">=v2.0.0"`)
	for target, want := range map[string]linter.Severity{"v1.20": linter.Error, "v2.0": 0, "": 0} {
		r, err := linter.Text(t.Context(), "package.yaml", []byte(text), &linter.Options{
			Rules: rules.Suite(), Profile: linter.Install, Target: target,
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := linter.MaxSeverity(r.Diagnostics); got != want {
			t.Errorf("for %q: severity %s, want %s", target, got, want)
		}
	}
}
