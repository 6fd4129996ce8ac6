package install_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/meta/install"
)

func TestDecodeLock(t *testing.T) {
	lock := func(packages string) string {
		return `{"apiVersion":"pkg.crossplane.io/v1beta1","kind":"Lock","metadata":{"name":"lock"},"packages":[` + packages + `]}`
	}
	pkg := func(fields string) string {
		return lock(`{"name":"a","source":"acme.io/a","version":"v1.0.0",` + fields + `}`)
	}
	cases := map[string]struct {
		reason string
		data   string
		want   []string
		none   bool // no value comes back
	}{
		"Empty":    {reason: "a cluster without packages has a lock without packages", data: lock("")},
		"V1alpha1": {reason: "the older version holds the same", data: strings.Replace(pkg(`"type":"Provider","dependencies":[]`), "v1beta1", "v1alpha1", 1)},
		"Digest":   {reason: "a digest is a version", data: strings.Replace(pkg(`"type":"Provider","dependencies":[]`), "v1.0.0", "sha256:"+digits64, 1)},
		"NewKind":  {reason: "the kind may be one that came later", data: pkg(`"apiVersion":"pkg.crossplane.io/v3","kind":"Addon","dependencies":[]`)},
		"EveryFaultAtOnce": {
			reason: "each field is named with what it holds and what it should hold",
			data: lock(`{"name":"A","type":"Addon","source":"acme.io/a:v1","version":"v 1","dependencies":[` +
				`{"package":"","type":"Provider","kind":"Function","apiVersion":"v1","constraints":"banana"},{"package":"acme.io/b","kind":"Provider","constraints":""}]},` +
				`{"name":"b","source":"acme.io/b","version":""}`),
			want: []string{
				`packages[0].dependencies[0].constraints: "banana" is not a version range (improper constraint)`,
				`packages[0].dependencies[0].package: missing, want an image repository`,
				`packages[0].dependencies[0].type: "Provider" is not the kind "Function" that stands beside it`,
				`packages[0].dependencies[1].apiVersion: missing, want an apiVersion and kind together`,
				`packages[0].name: "A" is not the name of an object (it may hold lower case letters, digits, - and ., and begins and ends with a letter or digit)`,
				`packages[0].source: "acme.io/a:v1" is not an image repository (the tag or digest belongs in the version)`,
				`packages[0].type: "Addon" is not a type of package: Provider, Configuration or Function`,
				`packages[0].version: "v 1" is not a tag or a digest (its tag may hold letters, digits and _ - . only)`,
				`packages[1]: missing, want an apiVersion and kind, or a type`,
				`packages[1].dependencies: missing, want a list of dependencies, which may be empty`,
				`packages[1].version: missing, want a tag or a digest`,
			},
		},
		"WrongType": {
			reason: "what is no list is told with the place",
			data:   `{"apiVersion":"pkg.crossplane.io/v1beta1","kind":"Lock","metadata":{"name":"lock"},"packages":{}}`,
			want:   []string{"packages: an object is not an array"},
		},
		"OtherKind": {
			reason: "another object is no lock",
			data:   `{"apiVersion":"pkg.crossplane.io/v1","kind":"Provider","metadata":{"name":"lock"}}`,
			want:   []string{`apiVersion: "pkg.crossplane.io/v1 Provider" is not pkg.crossplane.io/v1beta1 or pkg.crossplane.io/v1alpha1 Lock`},
			none:   true,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			l, err := install.DecodeLock([]byte(tc.data))
			var got []string
			for _, f := range faultsOf(t, err) {
				got = append(got, f.Error())
			}
			diff(t, tc.reason, tc.want, got)
			if (l == nil) != tc.none {
				t.Errorf("%s: the value is %v", tc.reason, l)
			}
		})
	}
}

func TestLockUnchanged(t *testing.T) {
	l := &install.Lock{Metadata: install.Metadata{Name: "lock", ResourceVersion: "8"}}
	if err := l.Unchanged("8"); err != nil {
		t.Errorf("the same resource version: %v", err)
	}
	err := l.Unchanged("7")
	var stale *install.StaleLockError
	if !errors.As(err, &stale) || !errors.Is(err, meta.ErrInvalid) || stale.Planned != "7" || stale.Current != "8" {
		t.Fatalf("error is %v, want a *StaleLockError of 7 and 8", err)
	}
	diff(t, "both resource versions are named", `the lock "lock" has changed: the plan is for resource version "7", and it is at "8"`, err.Error())
}

func TestLockPackageKind(t *testing.T) {
	for _, tc := range []struct{ reason, kind, typ, want string }{
		{"today's spelling", "Function", "", "Function"},
		{"the older spelling", "", "Provider", "Provider"},
		{"today's spelling rules", "Function", "Provider", "Function"},
	} {
		diff(t, tc.reason, tc.want, install.LockPackage{Kind: tc.kind, Type: tc.typ}.PackageKind())
		diff(t, tc.reason, tc.want, install.LockDependency{Kind: tc.kind, Type: tc.typ}.PackageKind())
	}
}
