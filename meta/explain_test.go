package meta_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/meta"
)

func TestExplain(t *testing.T) {
	const other = "sha256:0000000000000000000000000000000000000000000000000000000000000000"
	exact := func(s string) meta.Constraint {
		c, err := meta.ExactConstraint(s)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	invalid, _ := meta.ParseConstraint(">= v")
	for _, tt := range []struct {
		reason     string
		c          meta.Constraint
		version    string
		candidate  bool
		why        meta.Reason
		message    string
		andAllowed bool // although it is no candidate
	}{
		{"in the range", mustConstraint(t, ">=v1"), "v1.2.0", true, meta.ReasonInRange, "v1.2.0 is in >=v1", false},
		{"out of the range", mustConstraint(t, ">=v1"), "v0.2.0", false, meta.ReasonOutOfRange, "v0.2.0 is not in >=v1 (0.2.0 is less than v1)", false},
		{"a pre-release, and how to admit it", mustConstraint(t, ">=v0.14.36"), "v0.16.0-feat.0", false, meta.ReasonPrerelease, "v0.16.0-feat.0 is a pre-release: write >=v0.14.36-0 to admit it", false},
		{"a pre-release in a range of two", mustConstraint(t, ">=v1.0.0, <v2.0.0"), "v1.1.0-rc.1", false, meta.ReasonPrerelease, "v1.1.0-rc.1 is a pre-release: write >=v1.0.0-0, <v2.0.0-0 to admit it", false},
		{"a pre-release in alternatives", mustConstraint(t, "^1.0 || ^3.0-0"), "v1.1.0-rc.1", false, meta.ReasonPrerelease, "v1.1.0-rc.1 is a pre-release: write ^1.0-0 || ^3.0-0 to admit it", false},
		{"a pre-release in a hyphen range", mustConstraint(t, "1.0 - 2.0"), "v1.1.0-rc.1", false, meta.ReasonPrerelease, "v1.1.0-rc.1 is a pre-release: write 1.0-0 - 2.0-0 to admit it", false},
		{"a pre-release above a bound that -0 would let in", mustConstraint(t, ">1.2.3"), "v3.3.4-0", false, meta.ReasonPrerelease, "v3.3.4-0 is a pre-release: write >1.2.3, >=0.0.0-0 to admit it", false},
		{"a pre-release below a bound that -0 would shut out", mustConstraint(t, "<=v1.2.3"), "v1.2.3-rc.1", false, meta.ReasonPrerelease, "v1.2.3-rc.1 is a pre-release: write <=v1.2.3, >=0.0.0-0 to admit it", false},
		{"a pre-release between such bounds", mustConstraint(t, "<=1.2.3,>=1"), "v1.2.0-rc.1", false, meta.ReasonPrerelease, "v1.2.0-rc.1 is a pre-release: write <=1.2.3,>=1, >=0.0.0-0 to admit it", false},
		{"a pre-release in a hyphen range up to a release", mustConstraint(t, "1.0.0 - 2.0.0"), "v1.2.0-rc.1", false, meta.ReasonPrerelease, "v1.2.0-rc.1 is a pre-release: write 1.0.0 - 2.0.0, >=0.0.0-0 to admit it", false},
		{"a pre-release beside a version that -0 would let in", mustConstraint(t, "!=1.2.3"), "v1.3.0-rc.1", false, meta.ReasonPrerelease, "v1.3.0-rc.1 is a pre-release: write !=1.2.3, >=0.0.0-0 to admit it", false},
		{"a pre-release beside versions of which -0 would let one in", mustConstraint(t, "!=1.2"), "v1.3.0-rc.1", false, meta.ReasonPrerelease, "v1.3.0-rc.1 is a pre-release: write !=1.2, >=0.0.0-0 to admit it", false},
		{"a pre-release in alternatives with such bounds", mustConstraint(t, "<=1.2.3 || 2.x"), "v2.3.0-rc.1", false, meta.ReasonPrerelease, "v2.3.0-rc.1 is a pre-release: write <=1.2.3, >=0.0.0-0 || 2.x, >=0.0.0-0 to admit it", false},
		{"a pre-release below a bound above it", mustConstraint(t, ">1.2.3"), "v1.2.3-rc.1", false, meta.ReasonOutOfRange, "v1.2.3-rc.1 is not in >1.2.3 (1.2.3-rc.1 is less than or equal to 1.2.3)", false},
		{"a pre-release out of the range", mustConstraint(t, ">=v1"), "v0.9.0-rc.1", false, meta.ReasonOutOfRange, "v0.9.0-rc.1 is not in >=v1 (0.9.0-rc.1 is less than v1)", false},
		{"a pre-release before the one asked for", mustConstraint(t, ">=v1.0.0-rc.2"), "v1.0.0-rc.1", false, meta.ReasonOutOfRange, "v1.0.0-rc.1 is not in >=v1.0.0-rc.2 (1.0.0-rc.1 is less than v1.0.0-rc.2)", false},
		{"a pre-release and a range with build metadata", mustConstraint(t, "!=v1.0.0+x"), "v1.1.0-rc.1", false, meta.ReasonPrerelease, "v1.1.0-rc.1 is a pre-release: write !=v1.0.0+x, >=0.0.0-0 to admit it", false},
		{"a pre-release and a range too long to write another", mustConstraint(t, strings.Repeat("!=1.2.3, ", 6)+"<=2"), "v1.1.0-rc.1", false, meta.ReasonPrerelease, "v1.1.0-rc.1 is a pre-release, and !=1.2.3, !=1.2.3, !=1.2.3, !=1.2.3, !=1.2.3, !=1.2.3, <=2 only looks for releases", false},
		{"a partial tag", mustConstraint(t, ">=v2"), "v2", false, meta.ReasonPartial, "v2 is not a full version: name one such as v2.0.0, or a digest", false},
		{"another partial tag", mustConstraint(t, ">=v2"), "1.2-x", false, meta.ReasonPartial, "1.2-x is not a full version: name one such as 1.2.0, or a digest", false},
		{"a tag that is no version", mustConstraint(t, ">=v2"), "latest", false, meta.ReasonNotVersion, "latest is not a version: name one such as v1.2.3, or a digest", false},
		{"a digest and a range", mustConstraint(t, ">=v2"), digest, false, meta.ReasonUnknownVersion, "the version of sha256:ecc25c121431dfc7058754427f97c034ecde26d4aafa0da16d258… is not known: a digest cannot be compared with a range", false},
		{"the digest", mustConstraint(t, digest), "v1.0.0@" + digest, true, meta.ReasonExact, "v1.0.0@sha256:ecc25c121431dfc7058754427f97c034ecde26d4aafa0d… is the digest that is asked for", false},
		{"another digest", mustConstraint(t, digest), other, false, meta.ReasonOtherDigest, "sha256:00000000000000000000000000000000000000000000000000000… is not " + digest, false},
		{"no digest", mustConstraint(t, digest), "v1.0.0", false, meta.ReasonUnknownDigest, "the digest of v1.0.0 is not known: " + digest + " is asked for", false},
		{"the tag", exact("v0"), "v0", true, meta.ReasonExact, "v0 is the version that is asked for", false},
		{"another tag", exact("v0"), "v0.1.0", false, meta.ReasonOtherTag, "v0.1.0 is not v0", false},
		{"a digest and a tag", exact("v0"), digest, false, meta.ReasonUnknownVersion, "the version of sha256:ecc25c121431dfc7058754427f97c034ecde26d4aafa0da16d258… is not known: v0 is asked for", false},
		{"anything", meta.Constraint{}, "v1.0.0", true, meta.ReasonAny, "any version will do", false},
		{"anything, but a pre-release", meta.Constraint{}, "v1.0.0-rc.1", false, meta.ReasonPrerelease, "v1.0.0-rc.1 is a pre-release: write >=v1.0.0-0 to admit it", true},
		{"anything, but no version", meta.Constraint{}, "latest", false, meta.ReasonNotVersion, "latest is not a version: name one such as v1.2.3, or a digest", true},
		{"no constraint", invalid, "v1.0.0", false, meta.ReasonInvalid, `">= v" is not a version range (improper constraint)`, false},
	} {
		v := mustVersion(t, tt.version)
		want := meta.Verdict{Version: v, Allowed: tt.candidate || tt.andAllowed, Candidate: tt.candidate, Reason: tt.why, Message: tt.message}
		if got := tt.c.Explain(v); got != want {
			t.Errorf("%s:\n got %+v\nwant %+v", tt.reason, got, want)
		}
		if got := meta.Candidates(tt.c, []meta.Version{v}); len(got) == 1 != tt.candidate {
			t.Errorf("%s: the candidates are %v", tt.reason, got)
		}
	}
}

func versions(t testing.TB, list string) []meta.Version {
	t.Helper()
	var out []meta.Version
	for s := range strings.FieldsSeq(list) {
		out = append(out, mustVersion(t, s))
	}
	return out
}

func TestNewest(t *testing.T) {
	exact, err := meta.ExactConstraint("1.0.0")
	if err != nil {
		t.Fatal(err)
	}
	tag, err := meta.ExactConstraint("v1")
	if err != nil {
		t.Fatal(err)
	}
	const published = "v1 v1.0.0 1.0.0 v1.0.1 1.0 latest v2.0.0-rc.1 v1.10.0 v1.9.0 v1.10.0"
	for _, tt := range []struct {
		reason string
		c      meta.Constraint
		want   string // newest first
	}{
		{"partial tags are never candidates", mustConstraint(t, ">=v1.0.0"), "v1.10.0 v1.9.0 v1.0.1 v1.0.0 1.0.0"},
		{"a pre-release that is asked for", mustConstraint(t, ">=v1.9.0-0"), "v2.0.0-rc.1 v1.10.0 v1.9.0"},
		{"any version: the newest release", meta.Constraint{}, "v1.10.0 v1.9.0 v1.0.1 v1.0.0 1.0.0"},
		{"an exact version, spelled alike first", exact, "1.0.0 v1.0.0"},
		{"an exact tag", tag, "v1"},
		{"nothing fits", mustConstraint(t, ">=v3"), ""},
		{"a digest that no tag is known to have", mustConstraint(t, digest), ""},
	} {
		all := versions(t, published)
		for range 2 {
			var got []string
			for _, v := range meta.Candidates(tt.c, all) {
				got = append(got, v.String())
			}
			if diff := cmp.Diff(strings.Fields(tt.want), append([]string{}, got...)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
			}
			newest, ok := meta.Newest(tt.c, all)
			if ok != (len(got) > 0) || ok && newest.String() != got[0] {
				t.Errorf("%s: Newest is %v, %v", tt.reason, newest, ok)
			}
			slices.Reverse(all)
		}
	}
}

func TestCompatible(t *testing.T) {
	for _, tt := range []struct {
		reason      string
		crossplane  string
		ignore      bool
		constraints []string
		allowed     bool
		why         meta.Reason
	}{
		{"nothing is asked of Crossplane", "v1.20.0", false, nil, true, meta.ReasonAny},
		{"the version is in the range", "v1.20.0", false, []string{">=v1.0.0"}, true, meta.ReasonInRange},
		{"the version is not in the range", "v1.20.0", false, []string{">=v2.0.0-0"}, false, meta.ReasonOutOfRange},
		{"every constraint counts", "v1.20.0", false, []string{">=v1", "<v1.20", ">=v1"}, false, meta.ReasonOutOfRange},
		{"constraints may be ignored", "v1.20.0", true, []string{">=v2"}, true, meta.ReasonIgnored},
		{"there is nothing to ignore", "v1.20.0", true, []string{">=v1"}, true, meta.ReasonInRange},
		{"a pre-release of Crossplane", "v2.0.0-preview.1", false, []string{">=v1.0.0"}, false, meta.ReasonPrerelease},
		{"a development build of Crossplane", "dev", false, []string{">=v1.0.0"}, false, meta.ReasonNotVersion},
		{"a pre-release, where nothing is asked", "v2.0.0-rc.0", false, nil, true, meta.ReasonAny},
		{"a development build, where nothing is asked", "dev", false, []string{""}, true, meta.ReasonAny},
	} {
		var cs []meta.Constraint
		for _, s := range tt.constraints {
			cs = append(cs, mustConstraint(t, s))
		}
		got := meta.Compatible(mustVersion(t, tt.crossplane), tt.ignore, cs...)
		if got.Allowed != tt.allowed || got.Reason != tt.why || got.Message == "" ||
			tt.why == meta.ReasonAny && got.Message != "any version will do" {
			t.Errorf("%s: %+v", tt.reason, got)
		}
	}
}

func TestCrossplaneConstraints(t *testing.T) {
	p := decode(t, spec(t, "meta.pkg.crossplane.io/v1", "Provider", "{crossplane: {version: '>=v1'}, dependsOn: [{provider: a/b, version: v1}, {crossplane: <v2}]}"))
	var got []string
	for _, c := range p.CrossplaneConstraints() {
		got = append(got, c.String())
	}
	if diff := cmp.Diff([]string{">=v1", "<v2"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if cs := (&meta.Package{}).CrossplaneConstraints(); cs != nil {
		t.Errorf("a package that asks nothing has %v", cs)
	}
}
