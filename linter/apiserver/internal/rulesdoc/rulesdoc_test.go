package rulesdoc

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/apiserver"
	"github.com/xpkg-go/sdk/linter/lintertest"
)

var update = flag.Bool("update", false, "write docs/rules.md")

// TestPage: the page is what the rules make of it.
func TestPage(t *testing.T) {
	file := filepath.Join("..", "..", "..", "..", "docs", "rules.md")
	if *update {
		if err := os.WriteFile(file, []byte(Page()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got, want := strings.Split(strings.ReplaceAll(string(page), "\r\n", "\n"), "\n"), strings.Split(Page(), "\n")
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("docs/rules.md is stale from line %d on; write it with: go test ./linter/apiserver/internal/rulesdoc -update", i+1)
		}
	}
}

// TestIDs: a finding's rule says where to look it up, so each is there once.
func TestIDs(t *testing.T) {
	seen := map[string]bool{}
	for _, g := range groups() {
		for _, r := range g.rules {
			if seen[r.ID] {
				t.Errorf("rule %s is there twice", r.ID)
			}
			seen[r.ID] = true
		}
	}
}

func TestExamples(t *testing.T) {
	o := &linter.Options{Rules: apiserver.Rules()}
	for _, r := range o.Rules {
		for _, problem := range lintertest.CheckRule(r, o) {
			t.Errorf("%s: %s", r.ID, problem)
		}
	}
}
