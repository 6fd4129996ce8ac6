package linter

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// TestSkipped: every rule is in what it finds, in what failed or among those that were
// not asked.
func TestSkipped(t *testing.T) {
	rule := func(id string, change func(*Rule)) *Rule {
		r := reports(id)
		change(r)
		return r
	}
	rules := []*Rule{
		rule("asked", func(*Rule) {}),
		rule("publish-only", func(r *Rule) { r.Profile = Publish }),
		rule("install-too", func(r *Rule) { r.Profile = Install }),
		rule("for-two-kinds", func(r *Rule) { r.Kinds = []meta.Kind{meta.Provider, meta.Function} }),
		rule("for-its-kind", func(r *Rule) { r.Kinds = []meta.Kind{meta.Configuration} }),
		rule("later", func(r *Rule) { r.Since = "v2.0" }),
		rule("earlier", func(r *Rule) { r.Until = "v1.14" }),
		rule("between", func(r *Rule) { r.Since, r.Until = "v1.2", "v1.3" }),
		rule("in-time", func(r *Rule) { r.Since, r.Until = "v1.14", "v2.0" }),
		rule("of-image", func(r *Rule) { r.OfImage = true }),
		rule("turned-off", func(*Rule) {}),
		rule("off-in-some-files", func(*Rule) {}),
		rule("fails", func(r *Rule) { r.Run = nil }),
	}
	o := &Options{Rules: rules, Target: "v1.20", Profile: Install, Config: &Config{
		Rules: map[string]Level{"turned-off": LevelOff, parser.RuleDuplicateKey: LevelOff, RuleIgnoreUnused: LevelOff, "publish-only": LevelOff},
		Paths: []PathConfig{{Match: []string{"a"}, Rules: map[string]Level{"off-in-some-files": LevelOff}}},
	}}
	r, err := Text(t.Context(), "crossplane.yaml", []byte(header), o)
	if err != nil {
		t.Fatal(err)
	}
	want := []Skipped{
		{"publish-only", "is for the profile publish"},
		{"for-two-kinds", "is for a Provider or Function package"},
		{"later", "is for Crossplane from v2.0 on"},
		{"earlier", "is for Crossplane before v1.14"},
		{"between", "is for Crossplane from v1.2 on before v1.3"},
		{"of-image", "is for a package from an image"},
		{"turned-off", "is off in the configuration"},
		{parser.RuleDuplicateKey, "is off in the configuration"},
		{RuleIgnoreUnused, "is off in the configuration"},
	}
	if diff := cmp.Diff(want, r.Skipped); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if len(r.Failed) != 1 || r.Failed[0].Rule != "fails" {
		t.Errorf("failed: %v", r.Failed)
	}
	o.Image = &Image{}
	r, err = Text(t.Context(), "crossplane.yaml", []byte(header), o)
	if err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(r.Skipped, func(s Skipped) bool { return s.Rule == "of-image" }) {
		t.Error("a rule of images is skipped for an image")
	}
}
