package meta_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/meta"
)

func TestRegistries(t *testing.T) {
	rules := []meta.Rewrite{
		{From: "xpkg.upbound.io/", To: "mirror.example.org/upbound/"},
		{From: "xpkg.upbound.io/crossplane-contrib/", To: "mirror.example.org/contrib/"},
		{From: "docker.io/", To: "mirror.example.org/hub/"},
		{From: "mirror.example.org/", To: "never.example.org/"},
		{From: "", To: "never.example.org/"},
	}
	for _, tt := range []struct {
		reason               string
		registries           meta.Registries
		source               string
		defaulted, rewritten string
		rule                 string
	}{
		{"the zero value", meta.Registries{}, "crossplane/x", "index.docker.io/crossplane/x", "index.docker.io/crossplane/x", ""},
		{"a default registry", meta.Registries{Default: "xpkg.upbound.io"}, "crossplane/x", "xpkg.upbound.io/crossplane/x", "xpkg.upbound.io/crossplane/x", ""},
		{"a default registry has no namespace library", meta.Registries{Default: "xpkg.upbound.io"}, "x", "xpkg.upbound.io/x", "xpkg.upbound.io/x", ""},
		{"a default registry with a port", meta.Registries{Default: "registry:5000"}, "a/x", "registry:5000/a/x", "registry:5000/a/x", ""},
		{"a default registry of this machine", meta.Registries{Default: "localhost"}, "a/x", "localhost/a/x", "localhost/a/x", ""},
		{"the alias as the default registry", meta.Registries{Default: "docker.io"}, "x", "index.docker.io/library/x", "index.docker.io/library/x", ""},
		{"empty elements that are declared are nobody's fault", meta.Registries{Rewrites: rules}, "xpkg.upbound.io/a//x", "xpkg.upbound.io/a//x", "mirror.example.org/upbound/a//x", "xpkg.upbound.io/"},
		{"a default registry is for those without one", meta.Registries{Default: "xpkg.upbound.io"}, "ghcr.io/a/x", "ghcr.io/a/x", "ghcr.io/a/x", ""},
		{"the default comes first, then the mirror", meta.Registries{Default: "xpkg.upbound.io", Rewrites: rules}, "a/x", "xpkg.upbound.io/a/x", "mirror.example.org/upbound/a/x", "xpkg.upbound.io/"},
		{"the longest prefix wins", meta.Registries{Rewrites: rules}, "xpkg.upbound.io/crossplane-contrib/x", "xpkg.upbound.io/crossplane-contrib/x", "mirror.example.org/contrib/x", "xpkg.upbound.io/crossplane-contrib/"},
		{"a rule may use the alias", meta.Registries{Rewrites: rules}, "x", "index.docker.io/library/x", "mirror.example.org/hub/library/x", "docker.io/"},
		{"hosts have no case", meta.Registries{Rewrites: rules}, "XPKG.upbound.io/a/x", "XPKG.upbound.io/a/x", "mirror.example.org/upbound/a/x", "xpkg.upbound.io/"},
		{"what is rewritten is not rewritten again", meta.Registries{Rewrites: rules}, "mirror.example.org/a", "mirror.example.org/a", "never.example.org/a", "mirror.example.org/"},
		{"a rule about the host alone", meta.Registries{Rewrites: []meta.Rewrite{{From: "docker.io", To: "m.example.org"}}}, "a/b", "index.docker.io/a/b", "m.example.org/a/b", "docker.io"},
	} {
		s := mustSource(t, tt.source)
		got, err := tt.registries.Resolve(s)
		if err != nil {
			t.Errorf("%s: %v", tt.reason, err)
			continue
		}
		rule := ""
		if got.Rule != nil {
			rule = got.Rule.From
		}
		if got.Declared != s || got.Defaulted.Name() != tt.defaulted || got.Rewritten.Name() != tt.rewritten || rule != tt.rule {
			t.Errorf("%s: got %s, %s, %s by %q", tt.reason, got.Declared, got.Defaulted.Name(), got.Rewritten.Name(), rule)
		}
	}
}

func TestRegistriesFailure(t *testing.T) {
	for _, tt := range []struct {
		reason     string
		registries meta.Registries
		source     meta.Source
	}{
		{"a default registry that a reference cannot name", meta.Registries{Default: "noregistry"}, mustSource(t, "a/b")},
		{"a default registry with a slash", meta.Registries{Default: "xpkg.upbound.io/"}, mustSource(t, "a/b")},
		{"a default registry with a path", meta.Registries{Default: "xpkg.upbound.io/x"}, mustSource(t, "a/b")},
		{"a default registry with a scheme", meta.Registries{Default: "https://xpkg.upbound.io"}, mustSource(t, "a/b")},
		{"a rule that leaves a slash at the beginning", meta.Registries{Rewrites: []meta.Rewrite{{From: "index.docker.io", To: ""}}}, mustSource(t, "a/b")},
		{"a rule that doubles a slash", meta.Registries{Rewrites: []meta.Rewrite{{From: "ghcr.io", To: "m.example.org/"}}}, mustSource(t, "ghcr.io/a/b")},
		{"a source that names nothing", meta.Registries{}, meta.Source{}},
		{"a default registry that is none", meta.Registries{Default: "a b.c"}, mustSource(t, "a/x")},
		{"a rule that makes no repository", meta.Registries{Rewrites: []meta.Rewrite{{From: "index.docker.io/a/x", To: ""}}}, mustSource(t, "a/x")},
		{"a rule that makes a name too long", meta.Registries{Rewrites: []meta.Rewrite{{From: "ghcr.io/", To: "ghcr.io/" + strings.Repeat("a", 255)}}}, mustSource(t, "ghcr.io/x")},
	} {
		got, err := tt.registries.Resolve(tt.source)
		var e *meta.ReferenceError
		if !errors.As(err, &e) {
			t.Errorf("%s: %+v, %v", tt.reason, got, err)
		}
	}
}
