package dag_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/meta"
)

// brings is a release that brings kinds, "Bucket.s3.aws/v1 Queue.sqs.aws/v1".
func brings(source, version, kinds string) *meta.Release {
	r := &meta.Release{Source: src(source), Version: ver(version), Provides: &meta.Provides{}}
	for k := range strings.FieldsSeq(kinds) {
		ref, err := meta.ParseCRDRef(k)
		if err != nil {
			panic(err)
		}
		r.Provides.Kinds = append(r.Provides.Kinds, meta.ProvidedKind{
			Group: ref.Group, Kind: ref.Name, Plural: strings.ToLower(ref.Name) + "s", Versions: []meta.ProvidedVersion{{Name: ref.Version}},
		})
	}
	return r
}

// needs is a release that depends on kinds.
func needs(source, version string, kinds ...string) *meta.Release {
	r := &meta.Release{Source: src(source), Version: ver(version)}
	for i, k := range kinds {
		ref, err := meta.ParseCRDRef(k)
		if err != nil {
			panic(err)
		}
		r.DependsOn = append(r.DependsOn, meta.Dependency{CRD: ref, Spelling: meta.SpellingCRD, Index: i})
	}
	return r
}

func kindReleases() []*meta.Release {
	return []*meta.Release{
		brings("acme.io/cache", "v1.0.0", ""),
		brings("acme.io/cache", "v1.1.0-rc.1", "Redis.cache.acme.io/v1alpha1"),
		brings("acme.io/cache", "v1.1.0", "Redis.cache.acme.io/v1alpha1"),
		brings("acme.io/cache", "v1.2.0", "Redis.cache.acme.io/v1alpha1 Redis.cache.acme.io/v1"),
		brings("acme.io/cache", "v1.3.0", "Redis.cache.acme.io/v1 Memcached.cache.acme.io/v1alpha1"),
		brings("acme.io/db", "v0.1.0", "Db.db.acme.io/v1"),
		brings("acme.io/olddb", "v0.9.0", "Db.db.acme.io/v1"),
		{Source: src("acme.io/secret"), Version: ver("v1.0.0")},
	}
}

func TestKindIndexFind(t *testing.T) {
	x := dag.NewKindIndex(kindReleases()...)
	for _, tt := range []struct {
		reason, kind string
		want         []string
	}{
		{"none", "Nothing.acme.io/v1", []string{}},
		{"another version", "Db.db.acme.io/v2", []string{}},
		{"one, all versions", "Db.db.acme.io/v1", []string{"acme.io/db: ", "acme.io/olddb: "}},
		{"by the plural", "dbs.db.acme.io/v1", []string{"acme.io/db: ", "acme.io/olddb: "}},
		{"those versions that have it", "Redis.cache.acme.io/v1alpha1", []string{"acme.io/cache: =v1.1.0-rc.1 || >=v1.1.0, <=v1.2.0"}},
		{"from a version on", "Redis.cache.acme.io/v1", []string{"acme.io/cache: >=v1.2.0"}},
		{"all of a group", "*.cache.acme.io/v1alpha1", []string{"acme.io/cache: =v1.1.0-rc.1 || >=v1.1.0"}},
	} {
		ref, err := meta.ParseCRDRef(tt.kind)
		if err != nil {
			t.Fatal(err)
		}
		got := []string{}
		for _, p := range x.Find(ref) {
			got = append(got, p.Source.String()+": "+p.Constraint.String())
			for _, r := range kindReleases() {
				has := len(r.Provides.Find(ref)) > 0
				if r.Source.Equal(p.Source) && p.Constraint.Allows(r.Version) != has {
					t.Errorf("%s: %s %s: it has the kind: %t; the constraint %s says otherwise", tt.reason, r.Source, r.Version, has, p.Constraint)
				}
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
	if x.IsEmpty() || !dag.NewKindIndex(kindReleases()[0]).IsEmpty() {
		t.Error("IsEmpty is wrong")
	}
}

// Dependencies on kinds are followed by the resolver as those on packages are.
func TestByKind(t *testing.T) {
	for _, tt := range []struct {
		reason    string
		app       *meta.Release
		preferred []meta.Source
		want      []string
		err       string
	}{
		{"one package brings it", needs("acme.io/app", "v1.0.0", "Redis.cache.acme.io/v1alpha1"), nil, []string{"acme.io/cache v1.2.0", "acme.io/app v1.0.0"}, ""},
		{"all of a group", needs("acme.io/app", "v1.0.0", "*.cache.acme.io/v1alpha1"), nil, []string{"acme.io/cache v1.3.0", "acme.io/app v1.0.0"}, ""},
		{
			"several, and one is wanted anyway", needs("acme.io/app", "v1.0.0", "Db.db.acme.io/v1"), []meta.Source{src("acme.io/olddb"), src("acme.io/db")},
			[]string{"acme.io/olddb v0.9.0", "acme.io/app v1.0.0"}, "",
		},
		{
			"several", needs("acme.io/app", "v1.0.0", "Db.db.acme.io/v1"), nil, nil,
			"dependsOn[0]: Db.db.acme.io/v1 is brought by acme.io/db, acme.io/olddb, and none of them is asked for",
		},
		{"none", needs("acme.io/app", "v1.0.0", "No.acme.io/v1"), nil, nil, "dependsOn[0]: no package is known to bring No.acme.io/v1"},
		{"its own", func() *meta.Release {
			r := needs("acme.io/app", "v1.0.0", "Own.acme.io/v1")
			r.Provides = brings("acme.io/app", "v1.0.0", "Own.acme.io/v1").Provides
			return r
		}(), nil, []string{"acme.io/app v1.0.0"}, ""},
	} {
		all := append(kindReleases(), tt.app)
		before := len(tt.app.DependsOn)
		c := dag.ByKind(dag.NewStaticCatalog(all...), dag.NewKindIndex(all...), tt.preferred...)
		plan, err := dag.Resolve(t.Context(), deps("acme.io/app"), c, nil)
		if diff := cmp.Diff(tt.want, planned(plan), cmpEmpty); diff != "" || !strings.Contains(errText(err), tt.err) || (err == nil) != (tt.err == "") {
			t.Errorf("%s: error %v (-want +got):\n%s", tt.reason, err, diff)
		}
		if tt.err != "" {
			_, err := c.Release(t.Context(), src("acme.io/app"), ver("v1.0.0"))
			var kind *dag.KindError
			if !errors.As(err, &kind) || errors.Is(err, meta.ErrNotFound) != (len(kind.Providers) == 0) || errors.Is(err, meta.ErrInvalid) == (len(kind.Providers) == 0) {
				t.Errorf("%s: got %v", tt.reason, err)
			}
		}
		if len(tt.app.DependsOn) != before || tt.app.DependsOn[0].CRD.IsZero() {
			t.Errorf("%s: the release of the catalog was changed", tt.reason)
		}
	}
}
