package install_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/meta/install"
)

const everyImageConfigField = `{"apiVersion":"pkg.crossplane.io/v1beta1","kind":"ImageConfig","metadata":{"name":"c"},` +
	`"spec":{"matchImages":[{"type":"Prefix","prefix":"xpkg.crossplane.io/"},{"prefix":"ghcr.io/org/"}],` +
	`"rewriteImage":{"prefix":"mirror.example.org/"},` +
	`"registry":{"authentication":{"pullSecretRef":{"name":"s"}}},` +
	`"verification":{"provider":"Cosign","cosign":{"authorities":[{"name":"a","keyless":{"identities":[{"issuer":"i"}]}}]}}}}`

func TestDecodeImageConfig(t *testing.T) {
	const head = `{"apiVersion":"pkg.crossplane.io/v1beta1","kind":"ImageConfig","metadata":{"name":"c"},"spec":`
	for name, tc := range map[string]struct {
		reason   string
		json     string
		errs     []string
		rewrites []meta.Rewrite
		secret   string
	}{
		"Every": {
			reason:   "every field is read",
			json:     everyImageConfigField,
			rewrites: []meta.Rewrite{{From: "xpkg.crossplane.io/", To: "mirror.example.org/"}, {From: "ghcr.io/org/", To: "mirror.example.org/"}},
			secret:   "s",
		},
		"Unknown": {
			reason:   "what this package has no name for is kept at every place",
			json:     head + `{"matchImages":[{"prefix":"a.io/","x":1}],"rewriteImage":{"prefix":"b.io/","x":1},"registry":{"authentication":{"pullSecretRef":{"name":"s"},"x":1},"x":1},"verification":{"provider":"Cosign","x":1},"runtime":{"configRef":{"name":"r"}}},"status":{"x":1}}`,
			rewrites: []meta.Rewrite{{From: "a.io/", To: "b.io/"}},
			secret:   "s",
		},
		"TypeDefault": {
			reason:   "the type is Prefix when there is none",
			json:     head + `{"matchImages":[{"prefix":"a.io/"}],"rewriteImage":{"prefix":"b.io/"}}}`,
			rewrites: []meta.Rewrite{{From: "a.io/", To: "b.io/"}},
		},
		"Twice": {
			reason:   "a prefix that is listed twice is one rule",
			json:     head + `{"matchImages":[{"prefix":"a.io/"},{"prefix":"a.io/"}],"rewriteImage":{"prefix":"b.io/"}}}`,
			rewrites: []meta.Rewrite{{From: "a.io/", To: "b.io/"}},
		},
		"NoRewrite": {
			reason: "who rewrites nothing has no rule",
			json:   head + `{"matchImages":[{"prefix":"a.io/"}],"registry":{"authentication":{"pullSecretRef":{"name":"x"}}}}}`,
			secret: "x",
		},
		"NoAuthentication": {
			reason: "a registry may say nothing",
			json:   head + `{"matchImages":[{"prefix":"a.io/"}],"registry":{}}}`,
		},
		"Faults": {
			reason: "every fault is told at once",
			json: `{"apiVersion":"pkg.crossplane.io/v1","kind":"ImageConfig","metadata":{"name":"A b"},"spec":{` +
				`"matchImages":[{"type":"Regexp","prefix":"a"},{"prefix":""},{"prefix":7},{}],"rewriteImage":{},` +
				`"registry":{"authentication":{}},"verification":{"provider":"Notary"}}}`,
			errs: []string{
				`apiVersion: "pkg.crossplane.io/v1 ImageConfig" is not pkg.crossplane.io/v1beta1 ImageConfig`,
				`metadata.name: "A b" is not the name of an object (it may hold lower case letters, digits, - and ., and begins and ends with a letter or digit)`,
				`spec.matchImages[0].type: "Regexp" is not a type of match: Prefix`,
				`spec.matchImages[1].prefix: missing, want a prefix, without which nothing matches`,
				`spec.matchImages[2].prefix: the number 7 is not a string`,
				`spec.matchImages[3].prefix: missing, want a prefix, without which nothing matches`,
				`spec.registry.authentication.pullSecretRef.name: missing, want the name of an object`,
				`spec.rewriteImage.prefix: missing, want the prefix that takes the place of the one that matched`,
				`spec.verification.provider: "Notary" is not a provider: Cosign`,
			},
			rewrites: nil,
		},
		"NoSpec": {
			reason: "an object without spec matches nothing",
			json:   `{"apiVersion":"pkg.crossplane.io/v1beta1","kind":"ImageConfig","metadata":{"name":"c"}}`,
			errs:   []string{`spec.matchImages: missing, want one match at least`},
		},
		"NoProvider": {
			reason: "who verifies says how",
			json:   head + `{"matchImages":[{"prefix":"a"}],"verification":{}}}`,
			errs:   []string{`spec.verification.provider: missing, want a provider: Cosign`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := install.DecodeImageConfig([]byte(tc.json))
			if c == nil {
				t.Fatalf("%s: nothing was read: %v", tc.reason, err)
			}
			diff(t, tc.reason, tc.errs, texts(t, err))
			diff(t, tc.reason, tc.rewrites, c.Rewrites())
			diff(t, tc.reason, tc.secret, c.PullSecret())
			diff(t, tc.reason+": Validate finds what decoding found", err == nil, c.Validate() == nil)
			if err != nil {
				return
			}
			written, err := json.Marshal(c)
			if err != nil {
				t.Fatal(err)
			}
			diff(t, tc.reason+": nothing is lost", meaning([]byte(tc.json)), meaning(written))
		})
	}
	for _, data := range []string{``, `[]`, `{"apiVersion":"v1","kind":"ImageConfig"}`, `{"apiVersion":"pkg.crossplane.io/v1beta1","kind":"Provider"}`} {
		if c, err := install.DecodeImageConfig([]byte(data)); c != nil || !errors.Is(err, meta.ErrInvalid) {
			t.Errorf("%s: got %+v, %v", data, c, err)
		}
	}
}

func imageConfig(name, to string, from ...string) *install.ImageConfig {
	c := &install.ImageConfig{
		APIVersion: install.ImageConfigAPIVersion, Kind: install.KindImageConfig, Metadata: install.Metadata{Name: name},
		Spec: install.ImageConfigSpec{RewriteImage: &install.ImageRewrite{Prefix: to}},
	}
	for _, f := range from {
		c.Spec.MatchImages = append(c.Spec.MatchImages, install.ImageMatch{Prefix: f})
	}
	return c
}

func TestImageRewrites(t *testing.T) {
	for name, tc := range map[string]struct {
		reason  string
		configs []*install.ImageConfig
		want    []meta.Rewrite
		err     string
	}{
		"None": {reason: "of nothing comes nothing"},
		"Sorted": {
			reason:  "the order of the configurations says nothing",
			configs: []*install.ImageConfig{imageConfig("b", "m.io/b/", "b.io/"), imageConfig("a", "m.io/a/", "c.io/", "a.io/")},
			want:    []meta.Rewrite{{From: "a.io/", To: "m.io/a/"}, {From: "b.io/", To: "m.io/b/"}, {From: "c.io/", To: "m.io/a/"}},
		},
		"Same": {
			reason:  "two that agree are one",
			configs: []*install.ImageConfig{imageConfig("a", "m.io/", "docker.io/"), imageConfig("b", "m.io/", "INDEX.docker.io/")},
			want:    []meta.Rewrite{{From: "index.docker.io/", To: "m.io/"}},
		},
		"Nested": {
			reason:  "a longer prefix is another one",
			configs: []*install.ImageConfig{imageConfig("a", "m.io/", "a.io"), imageConfig("b", "n.io/", "a.io/")},
			want:    []meta.Rewrite{{From: "a.io", To: "m.io/"}, {From: "a.io/", To: "n.io/"}},
		},
		"Conflict": {
			reason: "two that differ leave no rule, and all prefixes are told",
			configs: []*install.ImageConfig{
				imageConfig("z", "n.io/", "a.io/", "docker.io/x"), imageConfig("y", "m.io/", "a.io/", "b.io/"),
				imageConfig("x", "l.io/", "index.docker.io/x", "a.io/"),
			},
			err: `image configurations rewrite one prefix to different places: "a.io/" to "l.io/" or "m.io/" or "n.io/" ("x", "y", "z"); ` +
				`"index.docker.io/x" to "l.io/" or "n.io/" ("x", "z")`,
		},
		"NoRewrite": {
			reason:  "a configuration of credentials contradicts nobody",
			configs: []*install.ImageConfig{imageConfig("a", "m.io/", "a.io/"), {Metadata: install.Metadata{Name: "b"}, Spec: install.ImageConfigSpec{MatchImages: []install.ImageMatch{{Prefix: "a.io/"}}}}},
			want:    []meta.Rewrite{{From: "a.io/", To: "m.io/"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := install.ImageRewrites(tc.configs...)
			diff(t, tc.reason, tc.want, got)
			if tc.err == "" {
				if err != nil {
					t.Errorf("%s: %v", tc.reason, err)
				}
				return
			}
			var conflict *install.RewriteConflictError
			if !errors.As(err, &conflict) || !errors.Is(err, meta.ErrInvalid) || err.Error() != tc.err {
				t.Errorf("%s: got %v, want %s", tc.reason, err, tc.err)
			}
		})
	}
}

// The rules do in meta.Registries what Crossplane's documentation shows.
func TestImageRewritesResolve(t *testing.T) {
	rules, err := install.ImageRewrites(imageConfig("private-registry-rewrite", "registry1.com", "xpkg.crossplane.io"))
	if err != nil {
		t.Fatal(err)
	}
	source, err := meta.ParseSource("xpkg.crossplane.io/crossplane-contrib/provider-nop")
	if err != nil {
		t.Fatal(err)
	}
	got, err := meta.Registries{Rewrites: rules}.Resolve(source)
	if err != nil || got.Rewritten.Name() != "registry1.com/crossplane-contrib/provider-nop" {
		t.Errorf("got %s, %v", got.Rewritten.Name(), err)
	}
}
