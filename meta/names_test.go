package meta_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/internal/executions"
	"github.com/xpkg-go/sdk/meta"
)

func TestCheckName(t *testing.T) {
	for _, tt := range []struct {
		reason, name string
		ok           bool
	}{
		{"an ordinary name", "provider-gcp", true},
		{"a name with dots", "a.b-c.d", true},
		{"a name that begins with a digit", "3scale", true},
		{"the longest name", strings.Repeat("a", 253), true},
		{"nothing", "", false},
		{"too long", strings.Repeat("a", 254), false},
		{"capitals", "PostgresServer", false},
		{"other characters", "Bad_Name!", false},
		{"a hyphen first", "-a", false},
		{"a hyphen last", "a-", false},
		{"an empty part", "a..b", false},
		{"a dot last", "a.", false},
		{"a letter of another script", "é", false},
	} {
		err := meta.CheckName(tt.name)
		var e *meta.NameError
		if (err == nil) != tt.ok || err != nil && (!errors.As(err, &e) || !errors.Is(err, meta.ErrInvalid)) {
			t.Errorf("%s: CheckName(%q) = %v", tt.reason, tt.name, err)
		}
	}
	const want = `"Bad_Name!" is not a DNS-1123 name (it may hold lower case letters, digits, - and ., and begins and ends with a letter or digit)`
	if got := errorText(meta.CheckName("Bad_Name!")); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestShortName(t *testing.T) {
	for _, tt := range []struct{ reason, source, want string }{
		{"the example of the packages guide, Installing a Package", "crossplane/provider-gcp", "provider-gcp"},
		{"another registry", "xpkg.upbound.io/crossplane-contrib/provider-aws", "provider-aws"},
		{"no namespace", "ubuntu", "ubuntu"},
		{"a name that is no label is told apart", "a/b_c.d", "b-c-d--bjan63aiwvie4wjz6fei6t3ukq"},
		{"a name with nothing to keep", "a/...", "x--qgcbot7boptxrxkmgv7a3dhywg"},
		{"a name that looks as if it were told apart is so", "a/b--c", "b-c--z4r55d6zakmyhy2mxsrpaisomm"},
		{"a long name is cut", "a/" + strings.Repeat("abcde", 12), strings.Repeat("abcde", 4) + "ab--rzscdhxvpqnbzatspnq4ipbr43"},
	} {
		got := meta.ShortName(mustSource(t, tt.source))
		if got != tt.want || len(got) > 50 {
			t.Errorf("%s: ShortName(%s) = %s, want %s", tt.reason, tt.source, got, tt.want)
		}
	}
}

func TestNames(t *testing.T) {
	var sources []meta.Source
	for _, s := range []string{"crossplane/provider-aws", "docker.io/crossplane/provider-aws", "ghcr.io/x/provider-gcp", "ghcr.io/y/provider-gcp", "a/b"} {
		sources = append(sources, mustSource(t, s))
	}
	got := meta.Names(sources...)
	want := []string{"provider-aws", "provider-aws", meta.UniqueName(sources[2]), meta.UniqueName(sources[3]), "b"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if want[2] == want[3] || !strings.HasPrefix(want[2], "provider-gcp--") {
		t.Errorf("the unique names are %s and %s", want[2], want[3])
	}
	if a, b := meta.UniqueName(sources[0]), meta.UniqueName(sources[1]); a != b {
		t.Errorf("one repository has the names %s and %s", a, b)
	}
}

// TestNamesOfManySources has pairs that shared a name when 40 bits told them apart.
func TestNamesOfManySources(t *testing.T) {
	a, b := mustSource(t, "ex.io/p2612278/x"), mustSource(t, "ex.io/p2095742/x")
	if names := meta.Names(a, b); names[0] == names[1] || meta.UniqueName(a) == meta.UniqueName(b) {
		t.Errorf("two sources have the names %v", names)
	}
	c, _ := meta.DigestName(a, digest)
	d, _ := meta.DigestName(b, digest)
	if c == d {
		t.Errorf("two sources have the name %s", c)
	}
	long := strings.Repeat("a", 50)
	e, _ := meta.RevisionName(long+"1347398", digest)
	f, _ := meta.RevisionName(long+"526934", digest)
	if e == f {
		t.Errorf("two names lead to %s", e)
	}
}

func TestRevisionName(t *testing.T) {
	for _, tt := range []struct{ reason, name, digest, want string }{
		{"the name and twelve digits", "provider-gcp", digest, "provider-gcp-ecc25c121431"},
		{"a name that just fits", strings.Repeat("a", 50), digest, strings.Repeat("a", 50) + "-ecc25c121431"},
		{"a name that does not fit", strings.Repeat("a", 51), digest, strings.Repeat("a", 22) + "--x7c74drwafjmvggfb6vu5v7da6-ecc25c121431"},
		{"a name that is no label", "a.b", digest, "a-b--fzztnxeoxkd66rzn6vumgvecvp-ecc25c121431"},
		{"a longer digest", "x", "sha512:" + strings.Repeat("ab", 64), "x-abababababab"},
	} {
		got, err := meta.RevisionName(tt.name, tt.digest)
		if err != nil || got != tt.want || len(got) > 63 {
			t.Errorf("%s: RevisionName = %s, %v, want %s", tt.reason, got, err, tt.want)
		}
	}
	for _, tt := range []struct{ reason, name, digest string }{
		{"no name", "", digest},
		{"no digest", "x", ""},
		{"a tag", "x", "v1.0.0"},
	} {
		if got, err := meta.RevisionName(tt.name, tt.digest); !errors.Is(err, meta.ErrInvalid) {
			t.Errorf("%s: RevisionName = %q, %v", tt.reason, got, err)
		}
	}
}

func TestDigestName(t *testing.T) {
	a, b := mustSource(t, "a/b"), mustSource(t, "mirror.example.org/a/b")
	name, err := meta.DigestName(a, digest)
	if want := "ecc25c121431dfc7058754427f97c034ecde-jiijy33libissodrlf2swxr3rt"; err != nil || name != want || len(name) != 63 {
		t.Errorf("DigestName = %s, %v, want %s", name, err, want)
	}
	if other, _ := meta.DigestName(b, digest); other == name {
		t.Errorf("two sources share the name %s", name)
	}
	if again, _ := meta.DigestName(mustSource(t, "docker.io/a/b"), digest); again != name {
		t.Errorf("one source has the names %s and %s", name, again)
	}
	if got, err := meta.DigestName(a, "latest"); !errors.Is(err, meta.ErrInvalid) {
		t.Errorf("DigestName of a tag is %q, %v", got, err)
	}
}

// FuzzNames has as oracles that names are DNS labels of at most 63 characters and
// that different sources, and different names, never lead to the same.
func FuzzNames(f *testing.F) {
	f.Add("a/b", "c/b")
	f.Add("a/b--c", "a/b_c")
	f.Add(strings.Repeat("a", 60), strings.Repeat("a", 61))
	f.Add("x--qgcbot7boptxrxkmgv7a3dhywg", "...")
	labels := regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`)
	f.Fuzz(executions.Many(func(t *testing.T, s, r string) {
		check := func(what, a, b string, same bool) {
			if !labels.MatchString(a) || !labels.MatchString(b) {
				t.Errorf("%s: %q or %q is no label, from %q and %q", what, a, b, s, r)
			}
			if (a == b) != same {
				t.Errorf("%s: %q and %q have the names %q and %q", what, s, r, a, b)
			}
		}
		if s != "" && r != "" {
			a, err1 := meta.RevisionName(s, digest)
			b, err2 := meta.RevisionName(r, digest)
			if err1 != nil || err2 != nil {
				t.Fatal(err1, err2)
			}
			check("RevisionName", a, b, s == r)
		}
		src, err1 := meta.ParseSource(s)
		other, err2 := meta.ParseSource(r)
		if err1 != nil || err2 != nil {
			return
		}
		check("UniqueName", meta.UniqueName(src), meta.UniqueName(other), src.Equal(other))
		names := meta.Names(src, other)
		check("Names", names[0], names[1], src.Equal(other))
		a, _ := meta.DigestName(src, digest)
		b, _ := meta.DigestName(other, digest)
		check("DigestName", a, b, src.Equal(other))
	}))
}
