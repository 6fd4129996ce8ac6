package dag_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/meta"
)

func TestClosure(t *testing.T) {
	for _, tt := range []struct {
		reason, catalog, roots string
		unreachable            string
		want                   []string // + planned, - taken all the same
		err                    []string
	}{
		{
			"a solution is the closure, of every kind",
			"a/app v1.0.0 Configuration: Provider a/p >=v1; Function a/f\na/p v1.0.0 Provider:\na/p v1.1.0 Provider:\na/f v0.1.0 Function:", "a/app", "",
			[]string{"+a/f v0.1.0", "+a/p v1.1.0", "+a/app v1.0.0"}, nil,
		},
		{
			"an edge that fails does not stop the rest",
			"a/app v1.0.0: a/p; a/none; a/q\na/p v1.0.0: a/r\na/r v2.0.0:\na/q v3.0.0:\na/other v1.0.0:", "a/app; a/other", "a/q",
			[]string{"+a/other v1.0.0", "-a/app v1.0.0", "-a/p v1.0.0", "-a/r v2.0.0"},
			[]string{
				"a/none (any version), required by a/app v1.0.0: repository a/none: not found",
				"a/q (any version), required by a/app v1.0.0: connection refused",
			},
		},
		{
			"two parents that cannot agree: one version, and who is not served",
			"a/app v1.0.0: a/x; a/y\na/x v1.0.0: a/lib <v2\na/y v1.0.0: a/lib >=v2\na/lib v1.5.0:\na/lib v2.0.0:", "a/app", "",
			[]string{"-a/app v1.0.0", "-a/x v1.0.0", "-a/y v1.0.0", "-a/lib v1.5.0"},
			[]string{"a/lib (>=v2), required by a/y v1.0.0: a/lib: "},
		},
		{
			"a circle ends", "a/x v1.0.0: a/y\na/y v1.0.0: a/x", "a/x", "",
			[]string{"-a/x v1.0.0", "-a/y v1.0.0"}, nil,
		},
		{
			"no version is allowed", "a/x v1.0.0: a/y >=v9\na/y v1.0.0:", "a/x", "",
			[]string{"-a/x v1.0.0"}, []string{"a/y (>=v9), required by a/x v1.0.0: a version that >=v9 allows is not in the catalog"},
		},
		{
			"releases before pre-releases", "a/x v1.0.0: a/y; a/none\na/y v1.0.0:\na/y v2.0.0-rc.1:", "a/x", "",
			[]string{"-a/x v1.0.0", "-a/y v1.0.0"}, []string{"a/none"},
		},
	} {
		m := catalog(tt.catalog)
		if tt.unreachable != "" {
			m.fail(tt.unreachable, errors.New("connection refused"))
		}
		c, err := dag.ClosureOf(t.Context(), deps(tt.roots), m, nil)
		var got []string
		for _, p := range c.Packages {
			mark := "-"
			if p.Planned {
				mark = "+"
			}
			got = append(got, mark+p.Source.String()+" "+p.Version.String())
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
		var edges []string
		for _, e := range unwrap(err) {
			if edge := (*dag.EdgeError)(nil); errors.As(e, &edge) {
				edges = append(edges, e.Error())
			}
		}
		if !slices.EqualFunc(edges, tt.err, strings.HasPrefix) {
			t.Errorf("%s: got edges %q, want %q", tt.reason, edges, tt.err)
		}
		if (err == nil) != (len(tt.err) == 0 && tt.want[0][0] == '+') {
			t.Errorf("%s: error %v", tt.reason, err)
		}
	}
}

func TestClosureImages(t *testing.T) {
	run := func(images ...string) *meta.Provides {
		p := &meta.Provides{}
		for _, i := range images {
			p.Images = append(p.Images, meta.ImageCall{Image: i})
		}
		return p
	}
	c := dag.NewStaticCatalog(
		&meta.Release{Source: src("a/app"), Version: ver("v1.0.0"), Digest: digest("a"), DependsOn: deps("a/p; a/q"), Provides: run()},
		&meta.Release{Source: src("a/p"), Version: ver("v1.0.0"), Digest: digest("b"), Provides: run("z/run:1", "a/run:1", "z/run:1")},
		&meta.Release{Source: src("a/q"), Version: ver(digest("c"))},
		&meta.Release{Source: src("a/q"), Version: ver("v1.0.0")},
	)
	got, err := dag.ClosureOf(t.Context(), deps("a/app"), c, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"a/run:1", "z/run:1"}; !slices.Equal(got.Images(), want) {
		t.Errorf("got images %q", got.Images())
	}
	for i, want := range []bool{true, false, true} {
		if got.Packages[i].ImagesKnown != want {
			t.Errorf("%s: images known: %t", got.Packages[i].Source, !want)
		}
	}
	if got.Packages[2].Digest != digest("a") {
		t.Errorf("got %+v", got.Packages[2])
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if c, err := dag.ClosureOf(ctx, deps("a/app"), c, nil); c != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, %v for a context that has ended", c, err)
	}
}
