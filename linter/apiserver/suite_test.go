package apiserver_test

import (
	"slices"
	"testing"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/apiserver"
	"github.com/xpkg-go/sdk/linter/lintertest"
	"github.com/xpkg-go/sdk/linter/rules"
)

// TestBesideSuite judges definitions by all rules there are: a fault is told once, with all
// that is known of it.
func TestBesideSuite(t *testing.T) {
	o := &linter.Options{Rules: slices.Concat(rules.Suite(), apiserver.Rules()), Profile: linter.Install}
	related := map[string]string{}
	for _, d := range lintertest.Run(t, "testdata/suite/superseded.txtar", o) {
		for _, r := range d.Related {
			related[d.Range.File] += r.Range.String() + " " + r.Message + "\n"
		}
	}
	for file, want := range map[string]string{
		"storage.yaml": "storage.yaml:13:39 versions \"v1\" and \"v2\" are both storage versions (exactly one is expected)\nstorage.yaml:12:39 the first is here\n",
		"twice.yaml":   "twice.yaml:11:12 version \"v1\" is there twice\ntwice.yaml:10:12 the first is here\n",
	} {
		if got := related[file]; got != want {
			t.Errorf("%s: got the places %q, want %q", file, got, want)
		}
	}
}
