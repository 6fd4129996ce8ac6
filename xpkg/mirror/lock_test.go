package mirror_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/internal/executions"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/meta/install"
	"github.com/xpkg-go/sdk/xpkg/mirror"
)

const (
	digestA = "sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	digestB = "sha256:bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
)

func parse(t testing.TB, texts ...string) []meta.Reference {
	t.Helper()
	var refs []meta.Reference
	for _, text := range texts {
		r, err := meta.ParseReference(text)
		if err != nil {
			t.Fatal(err)
		}
		refs = append(refs, r)
	}
	return refs
}

func sampleLock(t testing.TB) *mirror.Lock {
	t.Helper()
	refs := parse(t, "xpkg.upbound.io/upbound/provider-aws:v1.0.0@"+digestA, "crossplane/function:v2.0.0@"+digestB, "localhost:5000/org/p@"+digestA)
	rules := mirror.Below("registry.internal/mirror", refs...)
	l := &mirror.Lock{Rules: rules}
	for _, r := range refs {
		res, err := meta.Registries{Rewrites: rules}.Resolve(r.Source)
		if err != nil {
			t.Fatal(err)
		}
		l.Entries = append(l.Entries, mirror.Entry{
			Declared: r, Mirrored: meta.Reference{Source: res.Rewritten, Tag: r.Tag, Digest: r.Digest}, MediaType: manifestType,
			Attached: []mirror.Attached{{Digest: digestB, ArtifactType: "application/spdx+json"}, {Tag: "sha256-" + digestA[7:] + ".sig", Digest: digestB}},
		})
	}
	return l
}

func TestLockEncode(t *testing.T) {
	l := sampleLock(t)
	got, err := l.Encode()
	if err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "mirror.lock")
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), string(got)); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
	// The order in which it was filled says nothing.
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		r.Shuffle(len(l.Entries), func(i, j int) { l.Entries[i], l.Entries[j] = l.Entries[j], l.Entries[i] })
		r.Shuffle(len(l.Rules), func(i, j int) { l.Rules[i], l.Rules[j] = l.Rules[j], l.Rules[i] })
		for _, e := range l.Entries {
			slices.Reverse(e.Attached)
		}
		if again, err := l.Encode(); err != nil || !bytes.Equal(again, got) {
			t.Fatalf("seed %d: got %s (%v)", seed, again, err)
		}
	}
	// It can be read, written to a file, and stand inside other JSON.
	decoded, err := mirror.DecodeLock(got)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := decoded.Encode(); err != nil || !bytes.Equal(again, got) {
		t.Errorf("got %s (%v)", again, err)
	}
	path := filepath.Join(t.TempDir(), "lock")
	if err := mirror.WriteLock(path, l); err != nil || !bytes.Equal(readFile(t, path), got) {
		t.Errorf("the file has something else (%v)", err)
	}
	checkError(t, mirror.WriteLock(filepath.Join(path, "below", "a", "file"), l), meta.ErrInvalid, "below")
	inside, err := json.Marshal(map[string]any{"lock": l})
	if err != nil {
		t.Fatal(err)
	}
	var out struct{ Lock mirror.Lock }
	if err := json.Unmarshal(inside, &out); err != nil || len(out.Lock.Entries) != 3 {
		t.Errorf("got %+v (%v)", out, err)
	}
}

func TestDecodeLockRefuses(t *testing.T) {
	whole, err := sampleLock(t).Encode()
	if err != nil {
		t.Fatal(err)
	}
	swap := func(old, new string) string {
		if !strings.Contains(string(whole), old) {
			t.Fatalf("the lock has no %q", old)
		}
		return strings.Replace(string(whole), old, new, 1)
	}
	for _, c := range []struct{ name, reason, text, says string }{
		{"empty", "no document", "", "EOF"},
		{"type", "no object", "[]", "JSON type"},
		{"version", "a format to come", swap(`"lockVersion": 1`, `"lockVersion": 2`), "lockVersion"},
		{"unknown", "a field that the format does not have", swap(`"rules"`, `"rulez"`), "rulez"},
		{"case", "a field under another name", swap(`"rules"`, `"Rules"`), "as"},
		{"twice", "a field that is there twice", swap(`"lockVersion": 1,`, `"lockVersion": 1, "lockVersion": 1,`), "once"},
		{"order", "a list in another order", swap("crossplane/function:v2.0.0", "zcrossplane/function:v2.0.0"), "sorted"},
		{"behind", "another document behind it", string(whole) + "{}", "behind"},
		{"digest", "a digest that is none", swap(digestA, "sha256:../../etc"), "packages[1].digest"},
		{"reference", "no reference", swap("crossplane/function:v2.0.0", "A B"), "packages[0].declared"},
		{"attached", "no digest there either", swap(`"digest": "`+digestB+`",
          "artifactType"`, `"digest": "", "artifactType"`), "attached[0].digest"},
		{"rule", "half a rule", swap(`"from": "index.docker.io/"`, `"from": ""`), "rules[0]"},
		{"unicode", "no text", swap("crossplane", "cross\xffplane"), "UTF-8"},
	} {
		l, err := mirror.DecodeLock([]byte(c.text))
		if l != nil {
			t.Errorf("%s: got a lock", c.name)
		}
		checkError(t, err, meta.ErrInvalid, c.says)
	}
	// All faults at once.
	_, err = mirror.DecodeLock([]byte(strings.Replace(swap(digestA, "x"), `"lockVersion": 1`, `"lockVersion": 0`, 1)))
	checkError(t, err, meta.ErrInvalid, "lockVersion", "packages[1].digest")
}

// What is accepted is what would be written, and nothing panics.
func FuzzDecodeLock(f *testing.F) {
	whole, err := sampleLock(f).Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add([]byte(`{"lockVersion":1,"rules":[],"packages":[]}`))
	f.Add([]byte(`{"lockVersion":1,"rules":null}`))
	f.Fuzz(executions.Many(func(t *testing.T, data []byte) {
		l, err := mirror.DecodeLock(data)
		if (l == nil) == (err == nil) {
			t.Fatalf("got %v and %v", l, err)
		}
		if err != nil {
			if meta.Code(err) != "invalid" {
				t.Fatalf("got %v", err)
			}
			return
		}
		again, err := l.Encode()
		if err != nil {
			t.Fatal(err)
		}
		var a, b bytes.Buffer
		if json.Compact(&a, data) != nil || json.Compact(&b, again) != nil || !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Fatalf("%q is written as %q", data, again)
		}
	}))
}

// The rules of a lock lead from what was declared to where it is: by our client's rules
// and by Crossplane's image configurations alike.
func TestRulesLeadToTheMirror(t *testing.T) {
	l := sampleLock(t)
	for _, e := range l.Entries {
		r, err := l.Registries().Resolve(e.Declared.Source)
		if err != nil || r.Rewritten.Name() != e.Mirrored.Source.Name() {
			t.Errorf("%s: got %s, want %s (%v)", e.Declared, r.Rewritten.Name(), e.Mirrored.Source.Name(), err)
		}
	}
	configs := l.ImageConfigs("mirror")
	names := map[string]bool{}
	for _, c := range configs {
		if err := c.Validate(); err != nil {
			t.Errorf("%s: %v", c.Metadata.Name, err)
		}
		if names[c.Metadata.Name] {
			t.Errorf("%s is there twice", c.Metadata.Name)
		}
		names[c.Metadata.Name] = true
	}
	if _, err := install.ImageRewrites(configs...); err != nil {
		t.Error(err)
	}
	// As Crossplane does: the longest prefix of the text as it is written.
	for _, e := range l.Entries {
		text, longest, to := e.Declared.Source.String(), "", ""
		for _, c := range configs {
			for _, m := range c.Spec.MatchImages {
				if strings.HasPrefix(text, m.Prefix) && len(m.Prefix) > len(longest) {
					longest, to = m.Prefix, c.Spec.RewriteImage.Prefix
				}
			}
		}
		if got := to + strings.TrimPrefix(text, longest); longest == "" || got != e.Mirrored.Source.Name() {
			t.Errorf("%s: Crossplane pulls %q, want %s", text, got, e.Mirrored.Source.Name())
		}
	}
	// Docker Hub has two names.
	var prefixes []string
	for _, c := range configs {
		for _, m := range c.Spec.MatchImages {
			prefixes = append(prefixes, m.Prefix)
		}
	}
	for _, want := range []string{"docker.io/", "index.docker.io/", "crossplane/function", "xpkg.upbound.io/", "localhost:5000/"} {
		if !slices.Contains(prefixes, want) {
			t.Errorf("got the prefixes %q, want %s among them", prefixes, want)
		}
	}
}

func TestImageConfigNames(t *testing.T) {
	refs := parse(t, "a-b.example/x:v1.0.0", "a.b.example/x:v1.0.0", "a.b.example:80/x:v1.0.0", "a.b.example-80.x/x:v1.0.0")
	l := &mirror.Lock{Rules: append(mirror.Below("m.example", refs...), meta.Rewrite{From: "A_B.example/", To: "n.example/"}, meta.Rewrite{From: "a-b.example/", To: "o.example/"})}
	names := map[string]bool{}
	for _, c := range l.ImageConfigs("m") {
		if err := c.Validate(); err != nil || names[c.Metadata.Name] {
			t.Errorf("%s (%v), after %v", c.Metadata.Name, err, names)
		}
		names[c.Metadata.Name] = true
	}
}

func TestBelow(t *testing.T) {
	rules := mirror.Below("m.example/", parse(t, "DOCKER.io/a/b:v1", "a/c", "Ghcr.io/x/y:v1", "ghcr.io/x/z:v1")...)
	want := []meta.Rewrite{{From: "ghcr.io/", To: "m.example/ghcr.io/"}, {From: "index.docker.io/", To: "m.example/index.docker.io/"}}
	if diff := cmp.Diff(want, rules); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
}
