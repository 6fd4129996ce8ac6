package meta_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/internal/executions"
	"github.com/xpkg-go/sdk/meta"
)

func TestParseReference(t *testing.T) {
	type parts struct{ registry, repository, tag, digest, name string }
	for _, tt := range []struct {
		reason, text string
		want         parts
	}{
		{"one word is in the namespace library of the default registry", "ubuntu",
			parts{"index.docker.io", "library/ubuntu", "", "", "index.docker.io/library/ubuntu:latest"}},
		{"a path without a registry is in the default one", "crossplane/provider-gcp:master",
			parts{"index.docker.io", "crossplane/provider-gcp", "master", "", "index.docker.io/crossplane/provider-gcp:master"}},
		{"a dot makes a registry", "xpkg.upbound.io/a/b:v1.0.0",
			parts{"xpkg.upbound.io", "a/b", "v1.0.0", "", "xpkg.upbound.io/a/b:v1.0.0"}},
		{"docker.io is an alias, and has the namespace as well", "docker.io/ubuntu",
			parts{"index.docker.io", "library/ubuntu", "", "", "index.docker.io/library/ubuntu:latest"}},
		{"other registries have no namespace", "ghcr.io/x",
			parts{"ghcr.io", "x", "", "", "ghcr.io/x:latest"}},
		{"localhost is a registry", "localhost/a", parts{"localhost", "a", "", "", "localhost/a:latest"}},
		{"a colon makes a registry", "local:5000/a:1", parts{"local:5000", "a", "1", "", "local:5000/a:1"}},
		{"a colon before a slash is no tag", "local:5000/a", parts{"local:5000", "a", "", "", "local:5000/a:latest"}},
		{"a word and a number are a repository and a tag", "local:5000", parts{"index.docker.io", "library/local", "5000", "", "index.docker.io/library/local:5000"}},
		{"an address of IPv6 is a registry", "[::1]:5000/a", parts{"[::1]:5000", "a", "", "", "[::1]:5000/a:latest"}},
		{"the case of the registry is kept", "GHCR.io/a", parts{"GHCR.io", "a", "", "", "GHCR.io/a:latest"}},
		{"a digest", "a/b@" + digest, parts{"index.docker.io", "a/b", "", digest, "index.docker.io/a/b@" + digest}},
		{"a tag and a digest: the tag is kept, the digest decides", "a/b:v1@" + digest, parts{"index.docker.io", "a/b", "v1", digest, "index.docker.io/a/b@" + digest}},
		{"tags have capitals", "a:V1_x.y-z", parts{"index.docker.io", "library/a", "V1_x.y-z", "", "index.docker.io/library/a:V1_x.y-z"}},
		{"the path may have empty elements", "a.b//c/", parts{"a.b", "/c/", "", "", "a.b//c/:latest"}},
	} {
		r, err := meta.ParseReference(tt.text)
		if err != nil {
			t.Errorf("%s: %v", tt.reason, err)
			continue
		}
		got := parts{r.Source.Registry(), r.Source.Repository(), r.Tag, r.Digest, r.Name()}
		if got != tt.want {
			t.Errorf("%s: got %+v, want %+v", tt.reason, got, tt.want)
		}
		if r.String() != tt.text {
			t.Errorf("%s: the text is %q", tt.reason, r.String())
		}
		if v := r.Version(); v.Digest() != tt.want.digest || v.Tag() == "" && v.Digest() == "" {
			t.Errorf("%s: the version is %v", tt.reason, v)
		}
	}
}

func TestParseReferenceFailure(t *testing.T) {
	for _, tt := range []struct{ reason, text, want string }{
		{"nothing", "", "its path is empty"},
		{"spaces and capitals", "Hello World", "its path may hold lower case letters, digits and _ - . / only"},
		{"a scheme", "https://ghcr.io/a/b", "it must not have a URL scheme"},
		{"an empty tag", "a/b:", "there is no tag behind the colon"},
		{"a bad tag", "a/b:v1+x", "its tag may hold letters, digits and _ - . only"},
		{"a long tag", "a:" + strings.Repeat("v", 129), "its tag has more than 128 characters"},
		{"a long path", strings.Repeat("a", 256), "its path has more than 255 characters"},
		{"a path that is too long with its namespace", strings.Repeat("a", 250) + "@" + digest, "its path has more than 255 characters"},
		{"two digests", "a@" + digest + "@" + digest, "its digest does not have the length of sha256"},
		{"a short digest", "a@sha256:12", "its digest does not have the length of sha256"},
		{"a digest of another sort", "a@md5:d41d8cd98f00b204e9800998ecf8427e", `its digest is not "sha256:" and 64 hexadecimal digits`},
		{"a digest in capitals", "a@" + strings.ToUpper(digest), `its digest is not "sha256:" and 64 hexadecimal digits`},
		{"a digest with other letters", "a@sha256:" + strings.Repeat("g", 64), "its digest is not in lower case hexadecimal digits"},
		{"a port that is no number", "a.b:x/c", "its registry is not a host with an optional port"},
		{"user information", "u@a.b/c", `its digest is not "sha256:" and 64 hexadecimal digits`},
	} {
		r, err := meta.ParseReference(tt.text)
		if err == nil {
			t.Errorf("%s: got %+v, want an error", tt.reason, r)
			continue
		}
		var e *meta.ReferenceError
		if !errors.As(err, &e) || !errors.Is(err, meta.ErrInvalid) || e.Err.Error() != tt.want {
			t.Errorf("%s: got %v, want …(%s)", tt.reason, err, tt.want)
		}
		if len(err.Error()) > 250 {
			t.Errorf("%s: the error is %d bytes long", tt.reason, len(err.Error()))
		}
	}
}

func TestParseSource(t *testing.T) {
	for _, tt := range []struct {
		reason, text string
		tagged       bool
	}{
		{"a tag is no part of a source", "a/b:v1", true},
		{"nor is a digest", "ghcr.io/a/b@" + digest, true},
		{"nor are both", "a/b:v1@" + digest, true},
		{"other faults are not about tags", "A/b:v1", false},
		{"nothing", "", false},
	} {
		s, err := meta.ParseSource(tt.text)
		var e *meta.ReferenceError
		if !errors.As(err, &e) || e.Tagged != tt.tagged || !s.IsZero() {
			t.Errorf("%s: got %v, %v", tt.reason, s, err)
		}
	}
	s := mustSource(t, "ghcr.io/a/b")
	if r := s.WithTag("v1"); r.Name() != "ghcr.io/a/b:v1" || r.String() != "ghcr.io/a/b:v1" {
		t.Errorf("WithTag is %v", r)
	}
	if r := s.WithDigest(digest); r.Name() != "ghcr.io/a/b@"+digest {
		t.Errorf("WithDigest is %v", r)
	}
	if s.Err() != nil || (meta.Source{}).Err() == nil || !s.HasRegistry() {
		t.Errorf("%v is not well", s)
	}
}

func TestSourceIdentity(t *testing.T) {
	for _, tt := range []struct {
		reason, a, b string
		same         bool
	}{
		{"the alias of the default registry", "crossplane/x", "docker.io/crossplane/x", true},
		{"the default registry", "crossplane/x", "index.docker.io/crossplane/x", true},
		{"the namespace of the default registry", "x", "docker.io/library/x", true},
		{"hosts have no case", "GHCR.io/a/x", "ghcr.io/a/x", true},
		{"the alias has no case", "Docker.IO/a/x", "a/x", true},
		{"another registry", "a/x", "ghcr.io/a/x", false},
		{"another path", "ghcr.io/a/x", "ghcr.io/a/y", false},
		{"another port", "ghcr.io:5000/a/x", "ghcr.io/a/x", false},
	} {
		a, b := mustSource(t, tt.a), mustSource(t, tt.b)
		if a.Equal(b) != tt.same || (a.Identity() == b.Identity()) != tt.same {
			t.Errorf("%s: %s is %s, %s is %s", tt.reason, a, a.Identity(), b, b.Identity())
		}
		if a.String() != tt.a {
			t.Errorf("%s: the declared text is %q, want %q", tt.reason, a, tt.a)
		}
	}
}

// FuzzReference has these oracles: a reference reads as itself and as its complete
// name, both with one identity. That it reads as go-containerregistry reads it is
// shown where that library may be linked.
func FuzzReference(f *testing.F) {
	for _, s := range []string{"a", "a/b:c", "a.b:1/c@" + digest, "docker.io/x:y@" + digest, "localhost/a", "[::1]:5/a", "/a", "a//b", "A.b/c", "http://a/b", "a:", "a@b", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(executions.Many(func(t *testing.T, s string) {
		r, err := meta.ParseReference(s)
		if err != nil {
			if !errors.Is(err, meta.ErrInvalid) || !r.Source.IsZero() {
				t.Errorf("ParseReference(%q) = %v, %#v", s, r, err)
			}
			return
		}
		if r.String() != s {
			t.Errorf("%q reads as %q", s, r)
		}
		if len(r.Source.Repository()) > 255 {
			// The namespace library makes such a name too long to be read again.
			return
		}
		full, err := meta.ParseReference(r.Name())
		if err != nil || full.Name() != r.Name() || full.Source.Identity() != r.Source.Identity() {
			t.Errorf("%q has the name %q, which reads as %v, %v", s, r.Name(), full, err)
		}
		if src, err := meta.ParseSource(r.Source.String()); err != nil || !src.Equal(r.Source) || src.Err() != nil {
			t.Errorf("%q has the source %q, which reads as %v, %v", s, r.Source, src, err)
		}
	}))
}
