package apiserver_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/xpkg-go/sdk/linter/apiserver"
	"github.com/xpkg-go/sdk/linter/lintertest"
)

// TestInputs: every rule has an archive of its own in testdata/inputs, with inputs that are
// bad, good and borderline (lintertest.CheckInputs).
func TestInputs(t *testing.T) {
	for _, r := range apiserver.Rules() {
		t.Run(r.ID, func(t *testing.T) {
			archive, err := os.ReadFile(filepath.Join("testdata", "inputs", r.ID+".txtar"))
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range lintertest.CheckInputs(archive, r, options()) {
				t.Error(p)
			}
		})
	}
}
