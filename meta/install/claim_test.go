package install_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/meta/install"
)

func lock() *install.PackageLock {
	return &install.PackageLock{
		APIVersion: install.DesignAPIVersion, Kind: install.KindPackageLock,
		Metadata: install.Metadata{Name: "lock", ResourceVersion: "1"},
	}
}

func mustClaim(t *testing.T, l *install.PackageLock, claims ...install.Claim) *install.PackageLock {
	t.Helper()
	for _, c := range claims {
		next, err := l.Claim(c)
		if err != nil {
			t.Fatal(err)
		}
		l = next
	}
	return l
}

func dependsOn(t *testing.T, json string) []meta.Dependency {
	t.Helper()
	p, err := meta.Decode([]byte(`{"apiVersion":"meta.pkg.crossplane.io/v1","kind":"Configuration","metadata":{"name":"c"},"spec":{"dependsOn":` + json + `}}`))
	if err != nil {
		t.Fatal(err)
	}
	return p.DependsOn
}

func TestClaim(t *testing.T) {
	const reason = "packages v2 design, PackageLock API: ownership and dependencies of packages"
	a := install.Claim{Package: "a", Image: "example.org/a:v1.0.0", CRDs: []string{"x.example.org", "y.example.org"}, Compositions: []string{"net"}}
	empty := lock()
	got := mustClaim(t, empty, a)
	diff(t, reason, install.PackageLockSpec{
		Packages:                  []install.PackageDependencies{{Name: "a", Image: "example.org/a:v1.0.0"}},
		Compositions:              map[string]string{"net": "a"},
		CustomResourceDefinitions: map[string]string{"x.example.org": "a", "y.example.org": "a"},
	}, got.Spec)
	diff(t, "the lock that was read is not changed", install.PackageLockSpec{}, empty.Spec)
	diff(t, "the result is written under the version that was read", "1", got.Metadata.ResourceVersion)
	diff(t, "a lock that claims lead to is valid", nil, got.Validate())
	diff(t, "claiming twice changes nothing", got, mustClaim(t, got, a))

	upgraded := mustClaim(t, got, install.Claim{
		Package: "b", Image: "example.org/b:v2.0.0", DependsOn: dependsOn(t, `[{"provider":"example.org/a","version":">=v1"},{"crossplane":">=v1"}]`),
	}, install.Claim{Package: "a", Image: "example.org/a:v2.0.0", CRDs: []string{"y.example.org", "z.example.org"}})
	diff(t, "an upgrade replaces what was recorded, and gives up what the package dropped", install.PackageLockSpec{
		Packages: []install.PackageDependencies{
			{Name: "a", Image: "example.org/a:v2.0.0"},
			{Name: "b", Image: "example.org/b:v2.0.0", Dependencies: []string{"example.org/a"}},
		},
		CustomResourceDefinitions: map[string]string{"y.example.org": "a", "z.example.org": "a"},
	}, upgraded.Spec)
	diff(t, "a package that is gone owns nothing", install.PackageLockSpec{
		Packages: []install.PackageDependencies{{Name: "b", Image: "example.org/b:v2.0.0", Dependencies: []string{"example.org/a"}}},
	}, upgraded.Release("a").Spec)
}

func TestClaimRefused(t *testing.T) {
	held := mustClaim(t, lock(), install.Claim{
		Package: "a", Image: "docker.io/crossplane/a:v1.0.0",
		CRDs: []string{"x.example.org", "y.example.org"}, Compositions: []string{"net"},
	})
	const noName = ` is not the name of an object (it may hold lower case letters, digits, - and ., and begins and ends with a letter or digit)`
	faulty, err := meta.Decode([]byte(`{"apiVersion":"meta.pkg.crossplane.io/v1","kind":"Provider","metadata":{"name":"c"},"spec":{"dependsOn":[{"provider":"A/B"}]}}`))
	if err == nil {
		t.Fatal("a source in upper case is no fault")
	}
	bad := faulty.DependsOn[0].Package
	for name, tc := range map[string]struct {
		reason string
		claim  install.Claim
		want   string
	}{
		"Conflicts": {
			reason: "packages v2 design, Phase 2: refuse if there is a known violation; all or nothing, every conflict with both packages",
			claim: install.Claim{
				Package: "b", Image: "b:v1", CRDs: []string{"z.example.org", "y.example.org", "x.example.org", "x.example.org"}, Compositions: []string{"net"},
			},
			want: `package "b" cannot take control: composition "net" is controlled by package "a"; ` +
				`customresourcedefinition "x.example.org" is controlled by package "a"; customresourcedefinition "y.example.org" is controlled by package "a"`,
		},
		"Missing": {
			reason: "packages v2 design, Package Controller Modifications: check for missing dependencies before creating a revision",
			claim: install.Claim{Package: "b", Image: "b:v1", DependsOn: dependsOn(t,
				`[{"provider":"index.docker.io/crossplane/a","version":">=v1.0.0"},{"provider":"crossplane/a","version":">=v2.0.0"},{"configuration":"crossplane/none","version":"v1.0.0"}]`)},
			want: `package "b" depends on provider crossplane/a >=v2.0.0, which is installed at v1.0.0; on configuration crossplane/none v1.0.0, which is not installed`,
		},
		"Both": {
			reason: "packages v2 design, Package Controller Modifications: missing dependencies and conflicting ownership",
			claim: install.Claim{
				Package: "b", Image: "b:v1", CRDs: []string{"x.example.org"}, DependsOn: dependsOn(t, `[{"function":"crossplane/fn"}]`),
			},
			want: `package "b" cannot take control: customresourcedefinition "x.example.org" is controlled by package "a"` + "\n" +
				`package "b" depends on function crossplane/fn, which is not installed`,
		},
		"NotForALock": {
			reason: "packages v2 design, PackageLock API: what a valid lock cannot hold is not claimed, and every fault is told",
			claim: install.Claim{
				Image: "garbage image", CRDs: []string{"x.example.org", "", "A"}, Compositions: []string{"-"}, DependsOn: []meta.Dependency{{}, {Package: bad}},
			},
			want: `compositions[0]: "-"` + noName + `; crds[1]: missing, want the name of an object; crds[2]: "A"` + noName +
				`; dependsOn[1].package: "A/B" is not an image repository (its path may hold lower case letters, digits and _ - . / only)` +
				`; image: "garbage image" is not an image reference or the name of a cached package (its path may hold lower case letters, digits and _ - . / only)` +
				`; package: missing, want the name of an object`,
		},
		"Skip": {
			reason: "packages guide, spec.skipDependencyResolution: installed without considering its dependencies",
			claim:  install.Claim{Package: "b", Image: "b:v1", DependsOn: dependsOn(t, `[{"function":"crossplane/fn"}]`), SkipDependencies: true},
		},
	} {
		t.Run(name, func(t *testing.T) {
			next, err := held.Claim(tc.claim)
			if err == nil {
				diff(t, tc.reason, tc.want, "")
				return
			}
			if next != nil || !errors.Is(err, meta.ErrInvalid) {
				t.Errorf("Claim() = %v, %v, want nil and an error that matches meta.ErrInvalid", next, err)
			}
			diff(t, tc.reason, tc.want, err.Error())
		})
	}
}

func TestClaimNoLock(t *testing.T) {
	const reason = "packages v2 design, PackageLock API: there is one lock, and nothing is claimed without it"
	var none *install.PackageLock
	_, err := none.Claim(install.Claim{Package: "a", Image: "a:v1"})
	diff(t, reason, []string{"missing, want the PackageLock of the cluster"}, texts(t, err))
	diff(t, reason, none, none.Release("a"))
}

func TestClaimCached(t *testing.T) {
	const reason = "packages guide, Pre-Populating the Package Cache: the name of a cached package is recorded, too"
	got := mustClaim(t, lock(), install.Claim{Package: "a", Image: "MyCoolPkg"})
	diff(t, reason, nil, got.Validate())
}

func TestNewClaim(t *testing.T) {
	m := &install.Manifest{Metadata: install.Metadata{Name: "c"}, Spec: install.ManifestSpec{Package: "a/c:v1", SkipDependencyResolution: ptr(true)}}
	pkg := &meta.Package{Kind: meta.Configuration, DependsOn: dependsOn(t, `[{"provider":"a/b"}]`)}
	provides := &meta.Provides{
		Kinds: []meta.ProvidedKind{
			{Group: "example.org", Plural: "xnets", Definition: meta.DefinitionXRD, Name: "xnets.example.org"},
			{Group: "example.org", Plural: "nets", Definition: meta.DefinitionXRD, Name: "xnets.example.org", Claim: true},
			{Group: "example.org", Plural: "buckets", Definition: meta.DefinitionCRD, Name: "buckets.example.org"},
		},
		Compositions: []meta.ProvidedComposition{{Name: "net"}},
	}
	got := install.NewClaim(m, pkg, provides)
	got.DependsOn = nil
	diff(t, "packages v2 design, PackageLock API: definitions are recorded by the CRDs that they end in", install.Claim{
		Package: "c", Image: "a/c:v1", CRDs: []string{"xnets.example.org", "nets.example.org", "buckets.example.org"},
		Compositions: []string{"net"}, SkipDependencies: true,
	}, got)
}

func TestNewClaimWithoutMetadata(t *testing.T) {
	const reason = "metadata that nobody knows asks for nothing; the manifest tells the kind"
	provides := &meta.Provides{Compositions: []meta.ProvidedComposition{{Name: "net"}}}
	for kind, want := range map[meta.Kind][]string{meta.Configuration: {"net"}, meta.Function: nil} {
		m := &install.Manifest{Kind: kind, Metadata: install.Metadata{Name: "c"}, Spec: install.ManifestSpec{Package: "a/c:v1"}}
		diff(t, reason, install.Claim{Package: "c", Image: "a/c:v1", Compositions: want}, install.NewClaim(m, nil, provides))
		diff(t, reason, install.Claim{Package: "c", Image: "a/c:v1"}, install.NewClaim(m, nil, nil))
	}
}

// An apiServer holds a lock, and refuses writes that are not of the newest
// version.
type apiServer struct {
	mu      sync.Mutex
	lock    *install.PackageLock
	version int
}

func (s *apiServer) get() *install.PackageLock {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := *s.lock
	l.Metadata.ResourceVersion = fmt.Sprint(s.version)
	return &l
}

func (s *apiServer) put(l *install.PackageLock) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l.Metadata.ResourceVersion != fmt.Sprint(s.version) {
		return false
	}
	s.version++
	s.lock = l
	return true
}

func TestExactlyOneRivalWins(t *testing.T) {
	const reason = "packages v2 design, Phase 2: PA and PB both want CRD1 and CRD2; one wins, and outcome 3, where each has one, cannot be"
	crds := []string{"crd1.example.org", "crd2.example.org"}
	for range 200 {
		server := &apiServer{lock: lock()}
		rivals := []string{"pa", "pb", "pc"}
		errs := make([]error, len(rivals))
		var wg sync.WaitGroup
		for i, name := range rivals {
			wg.Go(func() {
				claim := install.Claim{Package: name, Image: name + ":v1", CRDs: crds}
				for {
					next, err := server.get().Claim(claim)
					if err != nil {
						errs[i] = err
						return
					}
					if server.put(next) {
						return
					}
				}
			})
		}
		wg.Wait()
		owners := server.get().Spec.CustomResourceDefinitions
		diff(t, reason, owners[crds[0]], owners[crds[1]])
		for i, name := range rivals {
			var conflict *install.ConflictError
			switch won := owners[crds[0]] == name; {
			case won && errs[i] != nil:
				t.Errorf("%s: %s won, and got %v", reason, name, errs[i])
			case !won && !errors.As(errs[i], &conflict):
				t.Errorf("%s: %s lost, and got %v", reason, name, errs[i])
			case !won:
				diff(t, reason, 2, len(conflict.Conflicts))
			}
		}
	}
}

func TestFirstRivalWins(t *testing.T) {
	const reason = "packages v2 design, Phase 2: whoever writes first wins, whatever its name"
	for _, order := range [][]string{{"pa", "pb"}, {"pb", "pa"}} {
		l := lock()
		for i, name := range order {
			next, err := l.Claim(install.Claim{Package: name, Image: name + ":v1", CRDs: []string{"crd1.example.org"}})
			if (err == nil) != (i == 0) {
				t.Errorf("%s: %s after %v: %v", reason, name, order[:i], err)
			}
			if err == nil {
				l = next
			}
		}
	}
}
