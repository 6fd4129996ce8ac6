package meta_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/Masterminds/semver/v3"

	"github.com/xpkg-go/sdk/internal/executions"
	"github.com/xpkg-go/sdk/meta"
)

func TestClassify(t *testing.T) {
	for _, tt := range []struct {
		tag  string
		want meta.Class
	}{
		{"v1.2.3", meta.ClassRelease},
		{"1.2.3", meta.ClassRelease},
		{"v0.0.0", meta.ClassRelease},
		{"v1.2.3+build.5", meta.ClassRelease},
		{"v1.2.3_build.5", meta.ClassRelease},
		{"v2024.01.05", meta.ClassRelease}, // Crossplane reads it, zeros and all
		{"v1.2.3-rc.1", meta.ClassPrerelease},
		{"v1.2.3-0", meta.ClassPrerelease},
		{"v1.9.0-up.1", meta.ClassPrerelease},
		{"v0.16.0-feat.0", meta.ClassPrerelease},
		{"v0.14.0-5-gabcdef0", meta.ClassPrerelease},
		{"v1.2.3-rc.1_b", meta.ClassPrerelease},
		{"v1", meta.ClassPartial},
		{"1.2", meta.ClassPartial},
		{"v1-rc1", meta.ClassPartial},
		{"20240105", meta.ClassPartial},
		{"latest", meta.ClassOther},
		{"", meta.ClassOther},
		{"v", meta.ClassOther},
		{"V1.2.3", meta.ClassOther},
		{"v1.2.3.4", meta.ClassOther},
		{"v1..3", meta.ClassOther},
		{"v1.2.3-", meta.ClassOther},
		{"v1.2.3+", meta.ClassOther},
		{"v1.2.3-01", meta.ClassOther},
		{"v1.2.3-a..b", meta.ClassOther},
		{"v1.2.3_a_b", meta.ClassOther},
		{"v1.2.3-rc_1_b", meta.ClassOther},
		{"v99999999999999999999.0.0", meta.ClassOther},
		{"sha256-0123.sig", meta.ClassOther},
		{"-1.2.3", meta.ClassOther},
		{"é", meta.ClassOther},
		{strings.Repeat("1", 300), meta.ClassOther},
	} {
		if got := meta.Classify(tt.tag); got != tt.want {
			t.Errorf("Classify(%q) = %s, want %s", tt.tag, got, tt.want)
		}
	}
}

func TestParseVersion(t *testing.T) {
	for _, tt := range []struct {
		reason, text, tag, digest string
		class                     meta.Class
	}{
		{"a tag", "v1.2.3", "v1.2.3", "", meta.ClassRelease},
		{"a tag that is no version", "latest", "latest", "", meta.ClassOther},
		{"a digest", digest, "", digest, meta.ClassDigest},
		{"both", "v1.2.3-rc.1@" + digest, "v1.2.3-rc.1", digest, meta.ClassPrerelease},
		{"build metadata", "v1.0.0+a", "v1.0.0+a", "", meta.ClassRelease},
	} {
		v, err := meta.ParseVersion(tt.text)
		if err != nil || v.Tag() != tt.tag || v.Digest() != tt.digest || v.Class() != tt.class || v.String() != tt.text || v.IsZero() {
			t.Errorf("%s: %+v, %v", tt.reason, v, err)
		}
		if again := mustVersion(t, tt.text); again != v {
			t.Errorf("%s: equal texts are not ==", tt.reason)
		}
	}
	for _, s := range []string{"", "@", "v1@", "@" + digest, "v1@x", "sha256:12", "a b", "v1:2", "é", strings.Repeat("v", 129), "v1@" + digest + "@" + digest} {
		v, err := meta.ParseVersion(s)
		var e *meta.VersionError
		if !errors.As(err, &e) || !errors.Is(err, meta.ErrInvalid) || !v.IsZero() {
			t.Errorf("ParseVersion(%q) = %v, %v", s, v, err)
		}
	}
	v := mustVersion(t, "v1.0.0").WithDigest(digest)
	if v != mustVersion(t, "v1.0.0@"+digest) {
		t.Errorf("WithDigest is %v", v)
	}
}

func TestOCITag(t *testing.T) {
	for _, tt := range []struct{ reason, tag, oci, back string }{
		{"nothing to map", "v1.0.0", "v1.0.0", "v1.0.0"},
		{"build metadata", "v1.0.0+build.5", "v1.0.0_build.5", "v1.0.0+build.5"},
		{"a pre-release and build metadata", "v1.0.0-rc.1+b", "v1.0.0-rc.1_b", "v1.0.0-rc.1+b"},
		{"an underscore that means none", "my_tag", "my_tag", "my_tag"},
		{"a partial version", "v1_x", "v1_x", "v1_x"},
	} {
		v := mustVersion(t, tt.tag)
		if v.OCITag() != tt.oci {
			t.Errorf("%s: %s is the tag %s, want %s", tt.reason, tt.tag, v.OCITag(), tt.oci)
		}
		if back := meta.FromOCITag(v.OCITag()); back.Tag() != tt.back {
			t.Errorf("%s: %s is the version %s, want %s", tt.reason, v.OCITag(), back, tt.back)
		}
	}
}

func TestVersionCompare(t *testing.T) {
	sorted := []meta.Version{{}}
	for _, s := range []string{
		"sha256:" + strings.Repeat("0", 64), digest,
		"alpha", "latest", "v1.2.3.4",
		"v0", "v1", "v1.2", "2",
		"v0.9.0-rc.1", "v0.9.0", "v1.0.0-0", "v1.0.0-alpha", "v1.0.0-alpha.1", "v1.0.0-alpha.2", "v1.0.0-alpha.10", "v1.0.0-alpha.x",
		"v1.0.0-rc.1", "1.0.0", "v1.0.0", "v1.0.0@" + digest, "v1.0.0+a", "v1.0.0+b", "v1.0.1", "v1.10.0", "v10.0.0",
	} {
		sorted = append(sorted, mustVersion(t, s))
	}
	for i, v := range sorted {
		for j, w := range sorted {
			if got, want := v.Compare(w), slices.Compare([]int{i}, []int{j}); got != want {
				t.Errorf("%q.Compare(%q) = %d, want %d", v, w, got, want)
			}
		}
	}
	shuffled := slices.Clone(sorted)
	slices.Reverse(shuffled)
	meta.SortVersions(shuffled)
	if !slices.Equal(shuffled, sorted) {
		t.Errorf("SortVersions gives %v", shuffled)
	}
}

// FuzzVersion has as oracles that the order is total, that it and the classes are
// Masterminds', and that whatever is read is written again.
func FuzzVersion(f *testing.F) {
	f.Add("v1.0.0", "1.0.0+a", "v1.0.0-rc.1")
	f.Add("latest", digest, "v1")
	f.Add("v01.2.3", "v1.0.0-99999999999999999999", "v1.0.0_x")
	f.Add("v1.0.0-0.a", "v1.0.0-0-a", "v1.0.0--")
	f.Fuzz(executions.Many(func(t *testing.T, a, b, c string) {
		var versions []meta.Version
		for _, s := range []string{a, b, c} {
			v, err := meta.ParseVersion(s)
			if err != nil {
				v = meta.FromOCITag(s)
			} else if v.String() != s {
				t.Errorf("%q reads as %q", s, v)
			}
			if again := meta.FromOCITag(v.OCITag()); v.IsFull() && again.Compare(meta.FromOCITag(again.OCITag())) != 0 {
				t.Errorf("%q goes to %q and comes back as another", v, v.OCITag())
			}
			sv, err := semver.NewVersion(v.Tag())
			class := v.Class()
			if semantic := class == meta.ClassRelease || class == meta.ClassPrerelease || class == meta.ClassPartial; semantic != (err == nil) && !strings.Contains(v.Tag(), "_") {
				t.Errorf("%q is %s, and for Masterminds %v", v, class, err)
			}
			if err == nil && class != meta.ClassPartial && (sv.Prerelease() != "") != (class == meta.ClassPrerelease) {
				t.Errorf("%q is %s, with the pre-release %q", v, class, sv.Prerelease())
			}
			versions = append(versions, v)
		}
		for _, v := range versions {
			for _, w := range versions {
				if (v.Compare(w) == 0) != (v == w) || v.Compare(w) != -w.Compare(v) {
					t.Errorf("%q and %q compare as %d and %d", v, w, v.Compare(w), w.Compare(v))
				}
				sv, err1 := semver.NewVersion(v.Tag())
				sw, err2 := semver.NewVersion(w.Tag())
				if err1 == nil && err2 == nil && v.IsFull() && w.IsFull() {
					if want := sv.Compare(sw); want != 0 && v.Compare(w) != want {
						t.Errorf("%q and %q compare as %d, for Masterminds as %d", v, w, v.Compare(w), want)
					}
				}
			}
		}
		meta.SortVersions(versions)
		if versions[0].Compare(versions[2]) > 0 {
			t.Errorf("%q, %q, %q are not in order: the order is not transitive", versions[0], versions[1], versions[2])
		}
	}))
}
