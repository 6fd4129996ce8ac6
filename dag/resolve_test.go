package dag_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/meta"
)

func resolve(roots []meta.Dependency, c dag.Catalog, o *dag.ResolveOptions) (*dag.Plan, error) {
	return dag.Resolve(context.Background(), roots, c, o)
}

func TestResolve(t *testing.T) {
	a, b := digest("a"), digest("b")
	cases := map[string]struct {
		reason  string
		roots   string
		catalog string
		opts    *dag.ResolveOptions
		want    []string
		err     []string // parts of the error
		warn    []string
	}{
		"Newest": {
			reason:  "a dependency is installed at the latest version within the constraints (packages guide), dependencies first",
			roots:   "acme.io/app",
			catalog: "acme.io/app v1.0.0: acme.io/lib >=v1.0.0, <v2.0.0\nacme.io/lib v1.0.0\nacme.io/lib v1.5.0\nacme.io/lib v2.0.0",
			want:    []string{"acme.io/lib v1.5.0", "acme.io/app v1.0.0"},
		},
		"BothParents": {
			reason:  "the constraints of all parents count",
			roots:   "acme.io/a; acme.io/b",
			catalog: "acme.io/a v1.0.0: acme.io/x >=v1.0.0\nacme.io/b v1.0.0: acme.io/x <v2.0.0\nacme.io/x v1.0.0\nacme.io/x v1.5.0\nacme.io/x v2.0.0",
			want:    []string{"acme.io/x v1.5.0", "acme.io/a v1.0.0", "acme.io/b v1.0.0"},
		},
		"GoesBack": {
			reason: "an older version of a root is taken when the newest leads nowhere",
			roots:  "acme.io/a; acme.io/b",
			catalog: `acme.io/a v1.0.0: acme.io/x <v2
				acme.io/a v2.0.0: acme.io/x >=v2
				acme.io/b v1.0.0: acme.io/x <v2
				acme.io/x v1.0.0
				acme.io/x v2.0.0`,
			want: []string{"acme.io/x v1.0.0", "acme.io/a v1.0.0", "acme.io/b v1.0.0"},
		},
		"GoesBackOverOthers": {
			reason: "what lies between a conflict and its cause keeps its newest version",
			roots:  "acme.io/a; acme.io/m; acme.io/z",
			catalog: `acme.io/a v1.0.0
				acme.io/a v2.0.0: acme.io/deep
				acme.io/deep v1.0.0: acme.io/x v1.0.0
				acme.io/m v1.0.0
				acme.io/m v2.0.0
				acme.io/x v1.0.0
				acme.io/x v2.0.0
				acme.io/z v1.0.0: acme.io/y
				acme.io/y v1.0.0: acme.io/x v2.0.0`,
			want: []string{"acme.io/a v1.0.0", "acme.io/m v2.0.0", "acme.io/x v2.0.0", "acme.io/y v1.0.0", "acme.io/z v1.0.0"},
		},
		"Conflict": {
			reason:  "parents that cannot agree are both named with their constraints",
			roots:   "acme.io/a; acme.io/b",
			catalog: "acme.io/a v1.0.0: acme.io/x >=v2\nacme.io/b v1.0.0: acme.io/x <v2\nacme.io/x v1.0.0\nacme.io/x v2.0.0",
			err:     []string{"no version of acme.io/x satisfies all requirements:", ">=v2  from acme.io/a v1.0.0 (root)", "<v2   from acme.io/b v1.0.0 (root)", "v2.0.0 (fails 2), v1.0.0 (fails 1)"},
		},
		"NoVersion": {
			reason:  "package, constraint and the versions that there are are named",
			roots:   "acme.io/a",
			catalog: "acme.io/a v1.0.0: acme.io/x >=v3.0.0\nacme.io/x v1.0.0\nacme.io/x v2.1.0",
			err:     []string{"no version of acme.io/x", ">=v3.0.0  from acme.io/a v1.0.0", "v2.1.0 (fails 1), v1.0.0 (fails 1)", `smallest change: relax ">=v3.0.0" in acme.io/a v1.0.0`},
		},
		"NoPackage": {
			reason:  "a dependency that does not exist is named, and who wants it",
			roots:   "acme.io/a; acme.io/fine",
			catalog: "acme.io/a v1.0.0: acme.io/gone\nacme.io/fine v1.0.0",
			want:    []string{"acme.io/fine v1.0.0"},
			err:     []string{"there is no package acme.io/gone:", "from acme.io/a v1.0.0 (root)"},
		},
		"PartialTag": {
			reason:  "a moving tag is never a candidate",
			roots:   "acme.io/x >=v2.0.0",
			catalog: "acme.io/x v1.0.0\nacme.io/x v2\nacme.io/x v2.1.0\nacme.io/x latest",
			want:    []string{"acme.io/x v2.1.0"},
		},
		"OnlyPartialTags": {
			reason:  "tags that are ignored are told, with what to do",
			roots:   "acme.io/x >=v2.0.0",
			catalog: "acme.io/x v2\nacme.io/x latest",
			err:     []string{"candidates: none; 2 tags ignored: latest (no version), v2 (partial, moved along with newer versions)", "note: v2 is not a full version"},
		},
		"Prerelease": {
			reason:  "a pre-release is not in a range that does not say so, and the error says how to admit it",
			roots:   "acme.io/x >=v1.0.0",
			catalog: "acme.io/x v1.1.0-rc.1",
			err:     []string{"v1.1.0-rc.1 (pre-release, fails 1)", "note: v1.1.0-rc.1 is a pre-release: write >=v1.0.0-0 to admit it"},
		},
		"PrereleaseAdmitted": {
			reason:  "a range that names a pre-release admits newer ones, as Masterminds has it",
			roots:   "acme.io/x >=v1.0.0-0",
			catalog: "acme.io/x v1.0.0\nacme.io/x v1.1.0-rc.1",
			want:    []string{"acme.io/x v1.1.0-rc.1"},
		},
		"PrereleaseNotAskedFor": {
			reason:  "without any constraint releases come first",
			roots:   "acme.io/x",
			catalog: "acme.io/x v1.0.0\nacme.io/x v1.1.0-rc.1",
			want:    []string{"acme.io/x v1.0.0"},
		},
		"OnlyPrereleases": {
			reason:  "without any constraint a pre-release is better than nothing, and that is said",
			roots:   "acme.io/x",
			catalog: "acme.io/x v1.1.0-rc.1",
			want:    []string{"acme.io/x v1.1.0-rc.1"},
			warn:    []string{"acme.io/x v1.1.0-rc.1: it is a pre-release, which nobody asked for: no release will do"},
		},
		"PinnedDigest": {
			reason:  "a digest is asked for as it is",
			roots:   "acme.io/x " + a,
			catalog: "acme.io/x v1.0.0@" + a + "\nacme.io/x v2.0.0@" + b,
			want:    []string{"acme.io/x " + a},
		},
		"PinnedDigestInRange": {
			reason:  "a digest meets a range when a tag in it names the same content",
			roots:   "acme.io/a; acme.io/b",
			catalog: "acme.io/a v1.0.0: acme.io/x " + a + "\nacme.io/b v1.0.0: acme.io/x >=v1\nacme.io/x v1.0.0@" + a + "\nacme.io/x v2.0.0@" + b,
			want:    []string{"acme.io/x " + a, "acme.io/a v1.0.0", "acme.io/b v1.0.0"},
		},
		"PinnedDigestOutOfRange": {
			reason:  "when no tag does, the clash is named",
			roots:   "acme.io/a; acme.io/b",
			catalog: "acme.io/a v1.0.0: acme.io/x " + a + "\nacme.io/b v1.0.0: acme.io/x >=v2\nacme.io/x v1.0.0@" + a + "\nacme.io/x v2.0.0@" + b,
			err:     []string{"no version of acme.io/x", a + "  from acme.io/a v1.0.0", ">=v2", "from acme.io/b v1.0.0", "a digest cannot be compared with a range, fails 2"},
		},
		"PinnedTagAndDigest": {
			reason:  "v1.0.0@sha256:… is v1.0.0",
			roots:   "acme.io/a; acme.io/b",
			catalog: "acme.io/a v1.0.0: acme.io/x v1.0.0@" + a + "\nacme.io/b v1.0.0: acme.io/x >=v1.0.0\nacme.io/x v1.0.0@" + a + "\nacme.io/x v2.0.0@" + b,
			want:    []string{"acme.io/x v1.0.0@" + a, "acme.io/a v1.0.0", "acme.io/b v1.0.0"},
		},
		"TwoDigests": {
			reason:  "two pins to different content clash, and both are named",
			roots:   "acme.io/a; acme.io/b",
			catalog: "acme.io/a v1.0.0: acme.io/x " + a + "\nacme.io/b v1.0.0: acme.io/x " + b + "\nacme.io/x v1.0.0@" + a + "\nacme.io/x v2.0.0@" + b,
			err:     []string{"no version of acme.io/x", a + "  from acme.io/a v1.0.0", b + "  from acme.io/b v1.0.0", a + " (fails 2)", b + " (fails 1)"},
		},
		"LatePin": {
			reason:  "a digest that is met only after its package was decided is a candidate all the same",
			roots:   "acme.io/a; acme.io/x",
			catalog: "acme.io/a v1.0.0: acme.io/b\nacme.io/b v1.0.0: acme.io/x " + a + "\nacme.io/x v1.0.0@" + a + "\nacme.io/x v2.0.0@" + b,
			want:    []string{"acme.io/x " + a, "acme.io/b v1.0.0", "acme.io/a v1.0.0"},
		},
		"Circle": {
			reason:  "a circle is no solution, and is told whole",
			roots:   "acme.io/a; acme.io/z",
			catalog: "acme.io/a v1.0.0: acme.io/b\nacme.io/b v1.0.0: acme.io/a\nacme.io/z v1.0.0",
			want:    []string{"acme.io/z v1.0.0"},
			err:     []string{"dependency cycle: acme.io/a -> acme.io/b -> acme.io/a"},
		},
		"CircleAvoided": {
			reason:  "an older version without the circle is a solution",
			roots:   "acme.io/a",
			catalog: "acme.io/a v1.0.0: acme.io/b\nacme.io/b v1.0.0\nacme.io/b v2.0.0: acme.io/a",
			want:    []string{"acme.io/b v1.0.0", "acme.io/a v1.0.0"},
		},
		"Crossplane": {
			reason:  "a version for another Crossplane is passed over, and that is said",
			roots:   "acme.io/x",
			catalog: "acme.io/x v1.0.0 crossplane=>=v1.14.0\nacme.io/x v2.0.0 crossplane=>=v2.0.0",
			opts:    &dag.ResolveOptions{Crossplane: ver("v1.20.0")},
			want:    []string{"acme.io/x v1.0.0"},
			warn:    []string{"acme.io/x v1.0.0: v2.0.0 was passed over: acme.io/x v2.0.0 needs Crossplane >=v2.0.0, not v1.20.0"},
		},
		"CrossplaneUnknown": {
			reason:  "without a version of Crossplane nothing is refused",
			roots:   "acme.io/x",
			catalog: "acme.io/x v2.0.0 crossplane=>=v2.0.0",
			want:    []string{"acme.io/x v2.0.0"},
		},
		"CrossplaneNone": {
			reason:  "when no version is for this Crossplane the error says so",
			roots:   "acme.io/x",
			catalog: "acme.io/x v2.0.0 crossplane=>=v2.0.0",
			opts:    &dag.ResolveOptions{Crossplane: ver("v1.20.0")},
			err:     []string{"no version of acme.io/x", "v2.0.0 (needs Crossplane >=v2.0.0, not v1.20.0)"},
		},
		"Kind": {
			reason: "the kind of a dependency is sugar: the package's own metadata says what it is (package format v2), and both are named",
			roots:  "acme.io/a",
			catalog: `acme.io/a v1.0.0 Configuration: Provider acme.io/x
				acme.io/x v1.0.0 Function`,
			want: []string{"acme.io/x v1.0.0", "acme.io/a v1.0.0"},
			warn: []string{"acme.io/x v1.0.0: it is a Function, and acme.io/a v1.0.0 calls it a Provider"},
		},
		"MalformedDependency": {
			reason:  "a version with a constraint that is none cannot be used, and the error names parent, dependency and text",
			roots:   "acme.io/a",
			catalog: "acme.io/a v1.0.0: acme.io/x banana\nacme.io/x v1.0.0",
			err:     []string{"no version of acme.io/a", `v1.0.0 (dependsOn[0] acme.io/x: "banana" is not a version range (improper constraint))`},
		},
		"Identity": {
			reason:  "spellings of one repository are one package",
			roots:   "acme.io/a; docker.io/crossplane/x",
			catalog: "acme.io/a v1.0.0: index.docker.io/crossplane/x <v2\ncrossplane/x v1.0.0\ncrossplane/x v2.0.0",
			want:    []string{"docker.io/crossplane/x v1.0.0", "acme.io/a v1.0.0"},
		},
		"SameRootTwice": {
			reason:  "a root that is stated twice is one demand more",
			roots:   "acme.io/x >=v1.0.0; acme.io/x <v2.0.0",
			catalog: "acme.io/x v1.0.0\nacme.io/x v2.0.0",
			want:    []string{"acme.io/x v1.0.0"},
		},
		"Independent": {
			reason: "roots that conflict do not stop the others, and each conflict is told",
			roots:  "acme.io/a; acme.io/b >=v9; acme.io/fine; acme.io/c >=v9",
			catalog: `acme.io/a v1.0.0
				acme.io/b v1.0.0
				acme.io/c v1.0.0
				acme.io/fine v1.0.0: acme.io/a`,
			want: []string{"acme.io/a v1.0.0", "acme.io/fine v1.0.0"},
			err:  []string{"no version of acme.io/b", "\n\nno version of acme.io/c"},
		},
		"Nothing": {reason: "no roots, nothing to do"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			plan, err := resolve(deps(tc.roots), catalog(tc.catalog), tc.opts)
			if plan == nil {
				t.Fatalf("%s\nno plan, error %v", tc.reason, err)
			}
			if diff := cmp.Diff(tc.want, planned(plan), cmpEmpty); diff != "" {
				t.Errorf("%s\nplan (-want +got):\n%s\nerror: %v", tc.reason, diff, err)
			}
			rest, ok := errText(err), true
			for _, part := range tc.err {
				if _, rest, ok = strings.Cut(rest, part); !ok {
					t.Fatalf("%s\n%q is not in the error, in this order:\n%v", tc.reason, part, err)
				}
			}
			if (err != nil) != (len(tc.err) > 0) {
				t.Errorf("%s\nerror: %v", tc.reason, err)
			}
			if err != nil && (!errors.Is(err, meta.ErrInvalid) || !errors.As(err, new(*dag.NoSolutionError))) {
				t.Errorf("%s\nerror is no *NoSolutionError that matches meta.ErrInvalid: %v", tc.reason, err)
			}
			var warnings []string
			for _, w := range plan.Warnings {
				warnings = append(warnings, w.String())
			}
			if diff := cmp.Diff(tc.warn, warnings, cmpEmpty); diff != "" {
				t.Errorf("%s\nwarnings (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestMalformedRoots(t *testing.T) {
	roots := []meta.Dependency{{}, dep("acme.io/x banana"), dep("acme.io/y"), {Spelling: meta.SpellingCrossplane}}
	plan, err := resolve(roots, catalog("acme.io/x v1.0.0\nacme.io/y v1.0.0"), nil)
	want := "root 1: it names no package\nroot 2 acme.io/x: \"banana\" is not a version range (improper constraint)\nroot 4: it names no package"
	if diff := cmp.Diff(want, errText(err)); diff != "" {
		t.Errorf("error (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"acme.io/y v1.0.0"}, planned(plan)); diff != "" {
		t.Errorf("the other root is not resolved (-want +got):\n%s", diff)
	}
	if !errors.As(err, new(*dag.DependencyError)) || !errors.Is(err, meta.ErrInvalid) {
		t.Errorf("error is no *DependencyError that matches meta.ErrInvalid")
	}
}

func TestNotFollowed(t *testing.T) {
	m := newMemory()
	m.add(&meta.Release{Source: src("acme.io/a"), Version: ver("v1.0.0"), DependsOn: []meta.Dependency{
		{CRD: meta.CRDRef{Name: "Thing", Group: "acme.io", Version: "v1"}},
		{Spelling: meta.SpellingCrossplane, Constraint: con(">=v2.0.0")},
	}})
	plan, err := resolve(deps("acme.io/a"), m, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := "acme.io/a v1.0.0: dependsOn[0] is not followed: it is on the kind Thing.acme.io/v1, not on a package"
	if len(plan.Warnings) != 1 || plan.Warnings[0].String() != want {
		t.Errorf("warnings are %v, want %s", plan.Warnings, want)
	}
	_, err = resolve(deps("acme.io/a"), m, &dag.ResolveOptions{Crossplane: ver("v1.20.0")})
	if !strings.Contains(errText(err), "needs Crossplane >=v2.0.0, not v1.20.0") {
		t.Errorf("a dependency on Crossplane is not heeded: %v", err)
	}
}

func TestExactTag(t *testing.T) {
	c, err := meta.ExactConstraint("master")
	if err != nil {
		t.Fatal(err)
	}
	m := catalog("acme.io/x v1.0.0\nacme.io/x master")
	plan, err := resolve([]meta.Dependency{{Package: src("acme.io/x"), Constraint: c}}, m, nil)
	if err != nil || !slices.Equal(planned(plan), []string{"acme.io/x master"}) {
		t.Errorf("plan %v, error %v: a tag that is named for what it is, is a candidate", planned(plan), err)
	}
}

// checkCanceled says whether an error is that of a context and blames no package.
func checkCanceled(t *testing.T, plan *dag.Plan, err error) {
	t.Helper()
	if plan != nil || !errors.Is(err, context.Canceled) || !errors.Is(err, meta.ErrCanceled) || meta.Code(err) != "canceled" {
		t.Errorf("plan %v, error %v: a context that ended ends the call", plan, err)
	}
	if errors.As(err, new(*dag.CatalogError)) || errors.As(err, new(*dag.NoSolutionError)) || strings.Contains(errText(err), "acme.io") {
		t.Errorf("a package is blamed for a context that ended: %v", err)
	}
}

func TestContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	plan, err := dag.Resolve(ctx, deps("acme.io/a"), catalog("acme.io/a v1.0.0"), nil)
	checkCanceled(t, plan, err)
	late, cancel := context.WithDeadline(context.Background(), time.Unix(0, 0))
	defer cancel()
	if _, err := dag.Resolve(late, deps("acme.io/a"), catalog("acme.io/a v1.0.0"), nil); !errors.Is(err, context.DeadlineExceeded) || meta.Code(err) != "canceled" {
		t.Errorf("error %v for a deadline that has passed", err)
	}
}

// A countdown is a context that ends when it was looked at so many times.
type countdown struct {
	context.Context
	looked, most int
}

func (c *countdown) Err() error {
	if c.looked++; c.looked > c.most {
		return context.Canceled
	}
	return nil
}

// A silent catalog does not look at contexts. It notes how often somebody else looks
// between two questions at most.
type silent struct {
	*memory
	ctx       *countdown
	asking    sync.Mutex
	last, gap int
}

func (s *silent) note() {
	s.asking.Lock()
	defer s.asking.Unlock()
	s.gap = max(s.gap, s.ctx.looked-s.last)
	s.last = s.ctx.looked
}

func (s *silent) Tags(_ context.Context, source meta.Source) ([]string, error) {
	s.note()
	return s.memory.Tags(context.Background(), source)
}

func (s *silent) Release(_ context.Context, source meta.Source, v meta.Version) (*meta.Release, error) {
	s.note()
	return s.memory.Release(context.Background(), source, v)
}

// Whenever a context ends, between questions to the catalog or while a conflict is searched
// or explained, that is the error, and no explanation that is cut short.
func TestContextEndsAnywhere(t *testing.T) {
	m, roots := pigeons(4, 3)
	run := func(most int) (*dag.Plan, *silent, error) {
		s := &silent{memory: m, ctx: &countdown{Context: context.Background(), most: most}}
		plan, err := dag.Resolve(s.ctx, roots, s, nil)
		return plan, s, err
	}
	_, s, err := run(math.MaxInt)
	if !errors.As(err, new(*dag.NoSolutionError)) {
		t.Fatalf("four pigeons fit into three holes: %v", err)
	}
	if s.gap < 5 {
		t.Errorf("the context is looked at %d times between two questions: too few to show anything", s.gap)
	}
	for n := range s.ctx.looked {
		plan, _, err := run(n)
		if checkCanceled(t, plan, err); t.Failed() {
			t.Fatalf("the context ended when it had been looked at %d times", n)
		}
	}
}

// A deaf catalog answers when it likes, whatever becomes of the context.
type deaf struct {
	*memory
	release bool // it is deaf to questions about releases, else to those about tags
	asked   chan struct{}
	answer  chan struct{}
}

func (d *deaf) wait(release bool) {
	if release == d.release {
		d.asked <- struct{}{}
		<-d.answer
	}
}

func (d *deaf) Tags(_ context.Context, s meta.Source) ([]string, error) {
	d.wait(false)
	return d.memory.Tags(context.Background(), s)
}

func (d *deaf) Release(_ context.Context, s meta.Source, v meta.Version) (*meta.Release, error) {
	d.wait(true)
	return d.memory.Release(context.Background(), s, v)
}

// A catalog that does not heed its context holds nobody.
func TestDeafCatalog(t *testing.T) {
	for _, release := range []bool{false, true} {
		d := &deaf{memory: catalog("acme.io/a v1.0.0\nacme.io/b v1.0.0"), release: release, asked: make(chan struct{}, 2), answer: make(chan struct{})}
		ctx, cancel := context.WithCancel(context.Background())
		go func() {
			<-d.asked
			cancel()
		}()
		plan, err := dag.Resolve(ctx, deps("acme.io/a; acme.io/b"), d, nil)
		checkCanceled(t, plan, err)
		close(d.answer)
	}
	d := &deaf{memory: catalog("acme.io/a v1.0.0"), asked: make(chan struct{}, 1), answer: make(chan struct{})}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		<-d.asked
		cancel()
	}()
	if us, err := dag.Outdated(ctx, nodes("acme.io/a v1.0.0"), d); us != nil || meta.Code(err) != "canceled" {
		t.Errorf("updates %v, error %v", us, err)
	}
	close(d.answer)
}

func TestMaxSteps(t *testing.T) {
	m := catalog("acme.io/a v1.0.0: acme.io/b\nacme.io/b v1.0.0: acme.io/c\nacme.io/c v1.0.0")
	if _, err := resolve(deps("acme.io/a"), m, &dag.ResolveOptions{MaxSteps: 3}); err != nil {
		t.Errorf("three packages take three steps: %v", err)
	}
	plan, err := resolve(deps("acme.io/a"), m, &dag.ResolveOptions{MaxSteps: 2})
	var limit *meta.LimitError
	if plan != nil || !errors.As(err, &limit) || limit.Limit != 2 {
		t.Errorf("plan %v, error %v: want a *meta.LimitError", plan, err)
	}
}

func TestRequirementsOfPlan(t *testing.T) {
	plan, err := resolve(deps("acme.io/a; acme.io/x"), catalog("acme.io/a v1.0.0: acme.io/x >=v1\nacme.io/x v1.0.0"), nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range plan.Packages[0].Requirements {
		got = append(got, r.Constraint.String()+" from "+r.Origin())
	}
	if diff := cmp.Diff([]string{" from the request", ">=v1 from acme.io/a v1.0.0 (root)"}, got); diff != "" {
		t.Errorf("requirements of x (-want +got):\n%s", diff)
	}
}

// A chain as long as this overflows a stack that recursion uses.
func TestResolveLongChain(t *testing.T) {
	const n = 20_000
	m := newMemory()
	for i := range n {
		r := &meta.Release{Source: src(fmt.Sprintf("acme.io/p%06d", i)), Version: ver("v1.0.0")}
		if i+1 < n {
			r.DependsOn = deps(fmt.Sprintf("acme.io/p%06d", i+1))
		}
		m.add(r)
	}
	plan, err := resolve(deps("acme.io/p000000"), m, nil)
	if err != nil || len(plan.Packages) != n {
		t.Fatalf("error %v", err)
	}
	for question, times := range m.asked {
		if times != 1 {
			t.Fatalf("%s was asked %d times", question, times)
		}
	}
}
