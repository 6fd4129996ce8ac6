package rules_test

import (
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/rules"
)

// BenchmarkSmall reads and lints a small package, as an editor does with each key that is
// pressed: without a comment that ignores findings, and with one.
func BenchmarkSmall(b *testing.B) {
	plain := rules.Suite()[0].Good
	o := &linter.Options{Rules: rules.Suite()}
	for name, text := range map[string]string{"plain": plain, "comment": strings.Replace(plain, "\n", " # xpkg:ignore metadata-name why\n", 1)} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := linter.Text(b.Context(), "package.yaml", []byte(text), o); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
