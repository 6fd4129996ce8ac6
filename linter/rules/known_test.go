package rules

import (
	"testing"

	"github.com/xpkg-go/sdk/parser"
)

// What the tables allow and what the parser knows are one set.
func TestAllowedIsKnown(t *testing.T) {
	for _, a := range append(allowancesIBM, allowances...) {
		if d := (&parser.Document{APIVersion: a.apiVersion, Kind: a.kind}); !d.Known() {
			t.Errorf("%s is allowed in packages, and parser.Document.Known does not know it", d.Ref())
		}
	}
}
