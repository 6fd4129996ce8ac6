package meta_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/Masterminds/semver/v3"

	"github.com/xpkg-go/sdk/internal/executions"
	"github.com/xpkg-go/sdk/meta"
)

func TestAllows(t *testing.T) {
	const other = "sha256:0000000000000000000000000000000000000000000000000000000000000000"
	for _, tt := range []struct {
		reason, constraint, version string
		want                        bool
	}{
		{"nothing asked for: a release", "", "v1.0.0", true},
		{"nothing asked for: any tag", "", "latest", true},
		{"nothing asked for: a digest", "", digest, true},
		{"in the range", ">=v1.0.0", "v1.0.0", true},
		{"below the range", ">=v1.0.0", "v0.9.0", false},
		{"a range of two", ">=v1.0.0, <v2.0.0", "v1.9.9", true},
		{"above a range of two", ">=v1.0.0, <v2.0.0", "v2.0.0", false},
		{"alternatives", "v1.x || v3.x", "v3.1.0", true},
		{"a bare version is that version", "v1.2.0", "v1.2.0", true},
		{"a bare version is that version only", "v1.2.0", "v1.2.1", false},
		{"a bare version, spelled otherwise", "v1.2.0", "1.2.0", true},
		{"a bare partial version is a range", "v1", "v1.2.0", true},
		{"a pre-release is not admitted by itself", ">=v0.14.36", "v0.16.0-feat.0", false},
		{"a pre-release is admitted by one", ">=v0.14.36-0", "v0.16.0-feat.0", true},
		{"a pre-release of Upbound", ">=v1.9.0-0", "v1.9.0-up.3", true},
		{"a partial tag is no version", ">=v1.0.0", "v1", false},
		{"a partial tag is no version, even if it looks alike", "v1", "v1", false},
		{"a tag that is no version", ">=v1.0.0", "latest", false},
		{"a digest whose version is not known", ">=v1.0.0", digest, false},
		{"a tag with a digest has the version of the tag", "v2.5.6", "v2.5.6@" + digest, true},
		{"build metadata in the tag of a registry", ">=v1.0.0", "v1.0.0_build.1", true},
		{"the digest", digest, digest, true},
		{"the digest of a tag", digest, "v1.0.0@" + digest, true},
		{"another digest", digest, other, false},
		{"a tag without a digest", digest, "v1.0.0", false},
		{"tag and digest: the digest decides", "v1.0.0@" + digest, "v2.0.0@" + digest, true},
		{"tag and digest: the tag does not", "v1.0.0@" + digest, "v1.0.0@" + other, false},
	} {
		c, v := mustConstraint(t, tt.constraint), mustVersion(t, tt.version)
		if got := c.Allows(v); got != tt.want {
			t.Errorf("%s: %q allows %q: %v, want %v", tt.reason, c, v, got, tt.want)
		}
		if e := c.Explain(v); e.Allowed != tt.want || e.Version != v {
			t.Errorf("%s: Explain says %+v", tt.reason, e)
		}
	}
}

func TestExactConstraint(t *testing.T) {
	for _, tt := range []struct {
		reason, constraint, version string
		want                        bool
	}{
		{"the tag", "v0", "v0", true},
		{"a partial tag is no range", "v0", "v0.1.0", false},
		{"a tag that is no version", "latest", "latest", true},
		{"another tag", "latest", "master", false},
		{"a full version", "v1.0.0", "v1.0.0", true},
		{"a full version, spelled otherwise", "v1.0.0", "1.0.0", true},
		{"a pre-release of it", "v1.0.0", "v1.0.0-rc.1", false},
		{"a pre-release", "v1.0.0-rc.1", "v1.0.0-rc.1", true},
		{"a partial version is not another one", "v1", "1", false},
		{"the tag of a registry", "v1.0.0+b", "v1.0.0_b", true},
		{"a digest is no tag", "v1.0.0", digest, false},
		{"nothing asked for", "", "latest", true},
	} {
		c, err := meta.ExactConstraint(tt.constraint)
		if err != nil {
			t.Fatalf("%s: %v", tt.reason, err)
		}
		if got := c.Allows(mustVersion(t, tt.version)); got != tt.want {
			t.Errorf("%s: %q allows %q: %v, want %v", tt.reason, c, tt.version, got, tt.want)
		}
	}
	if c, err := meta.ExactConstraint(">=v1"); err == nil {
		t.Errorf("a range is read as the version %v", c)
	}
}

func TestParseConstraintFailure(t *testing.T) {
	for _, tt := range []struct {
		reason, text, want string
		code               string
	}{
		{"no version", ">= v", `">= v" is not a version range (improper constraint)`, "invalid"},
		{"words", "banana", `"banana" is not a version range (improper constraint)`, "invalid"},
		{"a space", " ", `" " is not a version range (improper constraint)`, "invalid"},
		{"a cut digest", "sha256:1", `"sha256:1" is not a version range (its digest does not have the length of sha256)`, "invalid"},
		{"too long", strings.Repeat(">=1.0.0 ", 1<<17), `">=1.0.0 >=1.0.0 >=1.0.0 >=1.0.0 >=1.0.0 >=1.0.0 >=1.0.0 >=1.…" is not a version range (the range is larger than 512 bytes (it has 1048576))`, "limit"},
		{"too many alternatives", strings.Repeat("1||", 32) + "1", `"1||1||1||1||1||1||1||1||1||1||1||1||1||1||1||1||1||1||1||1||…" is not a version range (the range has more than 32 alternatives)`, "limit"},
	} {
		c, err := meta.ParseConstraint(tt.text)
		var e *meta.ConstraintError
		if !errors.As(err, &e) || !errors.Is(err, meta.ErrInvalid) || err.Error() != tt.want || meta.Code(err) != tt.code {
			t.Errorf("%s: got %v, want %s", tt.reason, err, tt.want)
		}
		if c.Err() == nil || c.String() != tt.text || c.IsZero() {
			t.Errorf("%s: the constraint does not keep what it is", tt.reason)
		}
	}
}

func TestConstraintValues(t *testing.T) {
	zero, rng, dig, both := meta.Constraint{}, mustConstraint(t, ">=v1"), mustConstraint(t, digest), mustConstraint(t, "v1.0.0@"+digest)
	exact, err := meta.ExactConstraint("v1.0.0")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		reason string
		c      meta.Constraint
		exact  string
		digest string
	}{
		{"nothing", zero, "", ""},
		{"a range", rng, "", ""},
		{"a range of one", mustConstraint(t, "v1.0.0"), "", ""},
		{"a digest", dig, digest, digest},
		{"a tag and a digest", both, "v1.0.0@" + digest, digest},
		{"a tag", exact, "v1.0.0", ""},
	} {
		v, ok := tt.c.Exact()
		if v.String() != tt.exact || ok != (tt.exact != "") || tt.c.Digest() != tt.digest {
			t.Errorf("%s: Exact() = %v, %v; Digest() = %s", tt.reason, v, ok, tt.c.Digest())
		}
	}
	if !zero.Equal(mustConstraint(t, "")) || !zero.IsZero() || rng.IsZero() || exact.Equal(mustConstraint(t, "v1.0.0")) || !rng.Equal(mustConstraint(t, ">=v1")) {
		t.Error("Equal does not compare text and form")
	}
}

// FuzzConstraint has Masterminds as its oracle: a range allows a full semantic
// version if Masterminds says so, and nothing else. A verdict agrees with Allows,
// and a suggestion in it keeps its promise.
func FuzzConstraint(f *testing.F) {
	for _, s := range []string{">=v1.0.0", "v1", "~1.2", "^0.2.3", "1.0.0 - 2.0.0", ">=1, <2 || =3.x", "!=1.2.3", "*", "x", ">=v1.0.0-0", "v1.0.0@" + digest, digest, "||", "1|2", "<=1.2.X-a", "> 9999999999999999999999"} {
		f.Add(s, "v1.2.3", "v1.2.3-rc.1+b")
	}
	f.Add("v0", "v0", "latest")
	f.Fuzz(executions.Many(func(t *testing.T, s, a, b string) {
		c, err := meta.ParseConstraint(s)
		if c.String() != s || (err == nil) != (c.Err() == nil) {
			t.Fatalf("%q reads as %q, %v", s, c, err)
		}
		oracle, semverErr := semver.NewConstraint(s)
		if _, exact := c.Exact(); !exact && s != "" && (err == nil) != (semverErr == nil) && !strings.ContainsAny(s, "@:") {
			t.Errorf("%q: %v, and for Masterminds %v", s, err, semverErr)
		}
		for _, tag := range []string{a, b} {
			v := meta.FromOCITag(tag)
			e := c.Explain(v)
			if e.Allowed != c.Allows(v) || e.Candidate && !e.Allowed || e.Message == "" || e.Reason == "" || len(e.Message) > 1000 {
				t.Errorf("%q explains %q as %+v", s, tag, e)
			}
			if _, hint, ok := strings.Cut(e.Message, ": write "); ok && err == nil && len(s) < 50 && len(tag) < 50 {
				wider, err := meta.ParseConstraint(strings.TrimSuffix(hint, " to admit it"))
				if err != nil || !wider.Allows(v) {
					t.Errorf("%q says of %q: %s", s, tag, e.Message)
				}
			}
			if semverErr != nil || err != nil || s == "" {
				continue
			}
			sv, versionErr := semver.NewVersion(v.Tag())
			if want := versionErr == nil && v.IsFull() && oracle.Check(sv); c.Allows(v) != want && !strings.Contains(v.Tag(), "_") {
				t.Errorf("%q allows %q: %v, want %v", s, tag, c.Allows(v), want)
			}
		}
		for _, apiVersion := range []string{"meta.pkg.crossplane.io/v1", "meta.pkg.ibm.crossplane.io/v1alpha1"} {
			if d, _ := meta.ParseDependencyConstraint(apiVersion, s); d.String() != s {
				t.Errorf("%s: %q reads as %q", apiVersion, s, d)
			}
		}
	}))
}
