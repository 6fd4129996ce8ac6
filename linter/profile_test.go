package linter_test

import (
	"context"
	"testing"

	"github.com/xpkg-go/sdk/linter"
)

func TestProfile(t *testing.T) {
	rule := func(id string, profile linter.Profile) *linter.Rule {
		return &linter.Rule{ID: id, Severity: linter.Info, Profile: profile, Run: func(_ context.Context, p *linter.Pass) error {
			p.Report(linter.Diagnostic{Message: string(p.Profile)})
			return nil
		}}
	}
	rules := []*linter.Rule{rule("always", ""), rule("installed", linter.Install), rule("published", linter.Publish)}
	cases := map[linter.Profile]struct {
		reason string
		want   int
	}{
		"":             {"without a profile a package is judged for being published", 3},
		linter.Publish: {"who publishes wants it to be installed as well", 3},
		linter.Install: {"a package manager needs no licence", 2},
	}
	for profile, c := range cases {
		found, err := linter.Run(t.Context(), nil, &linter.Options{Rules: rules, Profile: profile})
		if err != nil || len(found) != c.want {
			t.Errorf("%s: %q: %d findings, want %d (%v)", c.reason, profile, len(found), c.want, err)
		}
	}
	if _, err := linter.Run(t.Context(), nil, &linter.Options{Rules: rules, Profile: "Install"}); err == nil {
		t.Error("a profile that is none is taken")
	}
}
