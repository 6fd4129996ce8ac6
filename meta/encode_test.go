package meta_test

import (
	"errors"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/xpkg-go/sdk/internal/executions"
	"github.com/xpkg-go/sdk/meta"
)

func TestEncodeByHand(t *testing.T) {
	exact, err := meta.ExactConstraint("v0.13.0")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		reason string
		p      meta.Package
		want   string
	}{
		{"nothing at all", meta.Package{}, `{}`},
		{"the least that makes sense", meta.Package{APIVersion: "meta.pkg.crossplane.io/v1", Kind: meta.Function, Name: "x"},
			`{"apiVersion":"meta.pkg.crossplane.io/v1","kind":"Function","metadata":{"name":"x"}}`},
		{"an exact version of Crossplane is a plain string", meta.Package{Crossplane: exact}, `{"spec":{"crossplane":"v0.13.0"}}`},
		{"a range of versions of Crossplane is an object", meta.Package{Crossplane: mustConstraint(t, ">=v1")}, `{"spec":{"crossplane":{"version":">=v1"}}}`},
		{"texts are not escaped for HTML, and need not be UTF-8", meta.Package{Annotations: map[string]string{"b": "<a & b>", "a": "\"\n\xff"}},
			`{"metadata":{"annotations":{"a":"\"\n` + "\ufffd" + `","b":"<a & b>"}}}`},
		{"empty lists are lists", meta.Package{DependsOn: []meta.Dependency{}, Capabilities: []string{}, Labels: map[string]string{}, PermissionRequests: []meta.PermissionRequest{}, Controller: &meta.Controller{}},
			`{"metadata":{"labels":{}},"spec":{"controller":{},"dependsOn":[],"capabilities":[],"permissionRequests":[]}}`},
		{"a controller", meta.Package{Controller: &meta.Controller{Image: "a/b:v1", PermissionRequests: []meta.PermissionRequest{{APIGroups: []string{""}, Verbs: []string{"get"}}}}},
			`{"spec":{"controller":{"image":"a/b:v1","permissionRequests":[{"apiGroups":[""],"verbs":["get"]}]}}}`},
		{"dependencies choose a spelling", meta.Package{DependsOn: []meta.Dependency{
			{Kind: "Provider", Package: mustSource(t, "a/b"), Constraint: mustConstraint(t, ">=v1")},
			{Kind: "Function", APIVersion: "pkg.crossplane.io/v1", Package: mustSource(t, "a/c")},
			{Kind: "AddOn", Package: mustSource(t, "a/d")},
			{Package: mustSource(t, "a/e")},
			{CRD: meta.CRDRef{Name: "*", Group: "x.io"}},
			{Spelling: meta.SpellingCrossplane, Constraint: mustConstraint(t, ">=v1.2")},
			{Spelling: meta.SpellingCrossplane},
			{Constraint: mustConstraint(t, ">=v1.2")},
		}}, `{"spec":{"dependsOn":[
			{"provider":"a/b","version":">=v1"},
			{"apiVersion":"pkg.crossplane.io/v1","kind":"Function","package":"a/c"},
			{"kind":"AddOn","package":"a/d"},
			{"package":"a/e"},
			{"crd":"*.x.io"},
			{"crossplane":">=v1.2"},
			{"crossplane":""},
			{"version":">=v1.2"}]}}`},
		{"unknown fields are set", meta.Package{Unknown: []meta.Unknown{
			{Path: meta.Path{"spec", "a", "b"}, JSON: []byte(`9007199254740993`)},
			{Path: meta.Path{"spec", "a", "c"}, JSON: []byte(`[1.0]`)},
		}}, `{"spec":{"a":{"b":9007199254740993,"c":[1.0]}}}`},
	} {
		got, err := tt.p.Encode()
		if err != nil {
			t.Errorf("%s: %v", tt.reason, err)
		} else if !equalJSON(t, got, []byte(tt.want)) {
			t.Errorf("%s: got %s, want %s", tt.reason, got, tt.want)
		}
	}
}

func TestEncodeIsDeterministic(t *testing.T) {
	annotations := map[string]string{}
	for c := 'a'; c <= 'z'; c++ {
		annotations[string(c)] = "x"
	}
	p := meta.Package{Annotations: annotations}
	first, err := p.Encode()
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if again, _ := p.Encode(); string(again) != string(first) {
			t.Fatalf("got %s, then %s", first, again)
		}
	}
}

func TestEncodeFailure(t *testing.T) {
	for _, tt := range []struct {
		reason string
		u      meta.Unknown
	}{
		{"the value is no JSON", meta.Unknown{Path: meta.Path{"x"}, JSON: []byte("{")}},
		{"there is no value", meta.Unknown{Path: meta.Path{"x"}}},
		{"there is no path", meta.Unknown{JSON: []byte(`{"a":1}`)}},
		{"the path leads through a text", meta.Unknown{Path: meta.Path{"metadata", "name", "x"}, JSON: []byte("1")}},
		{"the path leads into an object by number", meta.Unknown{Path: meta.Path{"metadata", 0}, JSON: []byte("1")}},
		{"the path leads to something else", meta.Unknown{Path: meta.Path{"metadata", 1.5}, JSON: []byte("1")}},
	} {
		p := meta.Package{Name: "x", Unknown: []meta.Unknown{tt.u}}
		if out, err := p.Encode(); err == nil {
			t.Errorf("%s: got %s, want an error", tt.reason, out)
		}
	}
}

// TestEncodeChanges: what the caller changes is encoded, and nothing else changes,
// not even what is at fault.
func TestEncodeChanges(t *testing.T) {
	const document = `{"apiVersion":"meta.pkg.crossplane.io/v1","kind":"Provider",
		"metadata":{"name":5,"annotations":{"a":null,"b":"x"},"labels":null},
		"spec":{"crossplane":{"version":1.10,"v":1},"dependsOn":[
			{"provider":"a/a","function":"a/f","version":"v1","x":0},
			"nothing",
			{"provider":"a/b","version":2,"x":1}],"y":null}}`
	for _, tt := range []struct {
		reason string
		change func(p *meta.Package)
		old    []string // pairs of old and new parts of the document
	}{
		{"nothing is changed", func(*meta.Package) {}, nil},
		{"a name replaces a number", func(p *meta.Package) { p.Name = "n" }, []string{`"name":5`, `"name":"n"`}},
		{"an annotation replaces null", func(p *meta.Package) { p.Annotations["a"] = "1" }, []string{`"a":null`, `"a":"1"`}},
		{"an annotation goes", func(p *meta.Package) { delete(p.Annotations, "b") }, []string{`,"b":"x"`, ``}},
		{"labels replace null", func(p *meta.Package) { p.Labels = map[string]string{"l": "m"} }, []string{`"labels":null`, `"labels":{"l":"m"}`}},
		{"a range replaces a number", func(p *meta.Package) { p.Crossplane = mustConstraint(t, ">=v1") }, []string{`1.10`, `">=v1"`}},
		{"a version is changed", func(p *meta.Package) { p.DependsOn[2].Constraint = mustConstraint(t, "v2") }, []string{`"version":2`, `"version":"v2"`}},
		{"a dependency goes, and takes along what is its own", func(p *meta.Package) { p.DependsOn = p.DependsOn[2:] },
			[]string{`{"provider":"a/a","function":"a/f","version":"v1","x":0},
			"nothing",
			`, ``}},
		{"dependencies change places", func(p *meta.Package) { p.DependsOn[0], p.DependsOn[2] = p.DependsOn[2], p.DependsOn[0] },
			[]string{`{"provider":"a/a","function":"a/f","version":"v1","x":0}`, `#`, `{"provider":"a/b","version":2,"x":1}`, `{"provider":"a/a","function":"a/f","version":"v1","x":0}`, `#`, `{"provider":"a/b","version":2,"x":1}`}},
		{"an unknown field goes", func(p *meta.Package) {
			p.Unknown = p.Unknown[:len(p.Unknown)-1]
		}, []string{`,"y":null`, ``}},
		{"an unknown field is added", func(p *meta.Package) {
			p.Unknown = append(p.Unknown, meta.Unknown{Path: meta.Path{"metadata", "annotations", "c"}, JSON: []byte("3")})
		}, []string{`"b":"x"`, `"b":"x","c":3`}},
	} {
		p, err := meta.Decode([]byte(document))
		if !errors.Is(err, meta.ErrInvalid) {
			t.Fatal(err)
		}
		tt.change(p)
		want := document
		for i := 0; i < len(tt.old); i += 2 {
			if !strings.Contains(want, tt.old[i]) {
				t.Fatalf("%s: %q is not in %s", tt.reason, tt.old[i], want)
			}
			want = strings.Replace(want, tt.old[i], tt.old[i+1], 1)
		}
		got, err := p.Encode()
		if err != nil {
			t.Errorf("%s: %v", tt.reason, err)
		} else if !equalJSON(t, got, []byte(want)) {
			t.Errorf("%s: got %s, want %s", tt.reason, got, want)
		}
	}
}

// TestEncodeOneLine: white space between tokens and keys that are there twice are
// not encoded, whatever they were read from. The last of two values counts.
func TestEncodeOneLine(t *testing.T) {
	for _, tt := range []struct{ reason, document, want string }{
		{"an unknown field on several lines", "{\"zz\": {\n \"a\": [1,\r\n\t2 ]},\n", `"zz":{"a":[1,2]}`},
		{"a kept value on several lines", "{\"spec\": {\"dependsOn\": {\n \"a\": 1}},\n", `"spec":{"dependsOn":{"a":1}}`},
		{"an annotation twice", `{"metadata":{"annotations":{"a":"1","a":"2"}},`, `"metadata":{"annotations":{"a":"2"}}`},
		{"a name of a dependency twice", `{"spec":{"dependsOn":[{"provider":"a/b","provider":"c/d"}]},`, `"spec":{"dependsOn":[{"provider":"c/d"}]}`},
		{"a key twice in an unknown field", `{"zz":{"q":1,"q":2},`, `"zz":{"q":2}`},
		{"texts that are no Unicode", "{\"zz\":{\"a\xff\":[\"\xe9\",\"\\ud800\"]},", "\"zz\":{\"a\ufffd\":[\"\ufffd\",\"\ufffd\"]}"},
		{"a key twice in a kept value", `{"spec":{"controller":[{"q":1,"q":2}]},`, `"spec":{"controller":[{"q":2}]}`},
	} {
		p, _ := meta.Decode([]byte(tt.document + `"apiVersion":"meta.pkg.crossplane.io/v1","kind":"Provider"}`))
		got, err := p.Encode()
		want := `{"apiVersion":"meta.pkg.crossplane.io/v1","kind":"Provider",` + tt.want + "}"
		if err != nil || string(got) != want {
			t.Errorf("%s: got %s, %v, want %s", tt.reason, got, err, want)
		}
	}
}

// TestEncodeWithoutHolder: an unknown field goes with what holds it.
func TestEncodeWithoutHolder(t *testing.T) {
	const document = `{"apiVersion":"meta.pkg.crossplane.io/v1","kind":"Provider","spec":{
		"controller":{"env":1,"permissionRequests":[{"verbs":["get"],"x":2}]},"crossplane":{"version":">=v1","y":3},
		"dependsOn":[{"provider":"a/b","z":4},{"crd":{"apiVersion":"a.b/v1","kind":"C","w":5}}]}}`
	exact, err := meta.ExactConstraint("v1.0.0")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		reason string
		change func(p *meta.Package)
		old    []string // pairs of old and new parts of the document
	}{
		{"nothing goes", func(*meta.Package) {}, nil},
		{"the controller goes", func(p *meta.Package) { p.Controller = nil },
			[]string{`"controller":{"env":1,"permissionRequests":[{"verbs":["get"],"x":2}]},`, ""}},
		{"its permission requests go", func(p *meta.Package) { p.Controller.PermissionRequests = nil },
			[]string{`,"permissionRequests":[{"verbs":["get"],"x":2}]`, ""}},
		{"the range becomes a plain version", func(p *meta.Package) { p.Crossplane = exact },
			[]string{`{"version":">=v1","y":3}`, `"v1.0.0"`}},
		{"the range goes", func(p *meta.Package) { p.Crossplane = meta.Constraint{} },
			[]string{`"crossplane":{"version":">=v1","y":3},`, ""}},
		{"the dependencies go", func(p *meta.Package) { p.DependsOn = nil },
			[]string{`,
		"dependsOn":[{"provider":"a/b","z":4},{"crd":{"apiVersion":"a.b/v1","kind":"C","w":5}}]`, ""}},
		{"a kind becomes a text", func(p *meta.Package) { p.DependsOn[1].CRD, _ = meta.ParseCRDRef("c.a.b/v1") },
			[]string{`{"apiVersion":"a.b/v1","kind":"C","w":5}`, `"c.a.b/v1"`}},
	} {
		p := decode(t, []byte(document))
		tt.change(p)
		want := document
		for i := 0; i < len(tt.old); i += 2 {
			if !strings.Contains(want, tt.old[i]) {
				t.Fatalf("%s: %q is not in %s", tt.reason, tt.old[i], want)
			}
			want = strings.Replace(want, tt.old[i], tt.old[i+1], 1)
		}
		got, err := p.Encode()
		if err != nil || !equalJSON(t, got, []byte(want)) {
			t.Errorf("%s: got %s, %v, want %s", tt.reason, got, err, want)
		}
	}
}

// TestEncodeConcurrently finds races when it is run with -race.
func TestEncodeConcurrently(t *testing.T) {
	data := []byte(`{"apiVersion":"meta.pkg.crossplane.io/v1","kind":"Provider","metadata":{"annotations":{"a":1,"b":"c"}},
		"spec":{"dependsOn":[{"crd":{"kind":1,"x":2},"y":{"z":3}}],"controller":[{"a":1}]}}`)
	p, err := meta.Decode(data)
	if err == nil {
		t.Fatal("the document has faults, and none is reported")
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { checkRoundTrip(t, data, p) })
	}
	wg.Wait()
}

func TestEncodeManyFields(t *testing.T) {
	// Thousands of fields that are unknown or kept must not take quadratic time:
	// with these numbers the test would not end.
	var b strings.Builder
	b.WriteString(`{"apiVersion":"meta.pkg.crossplane.io/v1","kind":"Provider","metadata":{"annotations":{`)
	for i := range 20_000 {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`"` + strings.Repeat("k", i%7) + string(rune('a'+i%26)) + strconv.Itoa(i) + `":` + strconv.Itoa(i%2))
	}
	b.WriteString(`}},"spec":{"a":1`)
	for i := range 20_000 {
		b.WriteString(`,"f` + strconv.Itoa(i) + `":{}`)
	}
	b.WriteString(`}}`)
	p, err := meta.Decode([]byte(b.String()))
	if p == nil || err == nil || len(p.Unknown) != 20_001 {
		t.Fatalf("%d unknown fields, %v", len(p.Unknown), err)
	}
	checkRoundTrip(t, []byte(b.String()), p)

	entries := strings.Repeat(`{"provider":"a/b","zz":1},`, 15_000) + `{"version":null}`
	data := []byte(`{"apiVersion":"meta.pkg.crossplane.io/v1","kind":"Provider","spec":{"dependsOn":[` + entries + `]}}`)
	p, _ = meta.Decode(data)
	checkRoundTrip(t, data, p)
}

// FuzzDecode has two oracles: whatever is read encodes to an equal value, unless
// it has a key twice, and errors are of the documented types.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		`{"apiVersion":"meta.pkg.crossplane.io/v1","kind":"Provider","metadata":{"name":"x"}}`,
		`{"apiVersion":"meta.pkg.crossplane.io/v1alpha1","kind":"Configuration","spec":{"crossplane":"v1.0.0","dependsOn":[{"provider":"a/b","version":"v0"},{"crd":"*.a.b"},{"crossplane":">=v1"},{"apiVersion":"a/v1","kind":"B","package":"c"}]}}`,
		`{"apiVersion":"meta.pkg.ibm.crossplane.io/v1alpha1","kind":"Provider","spec":{"permissionRequests":[{"verbs":["*"],"x":1}],"controller":{"image":"a"}}}`,
		`{"apiVersion":"meta.pkg.crossplane.io/v1","kind":"Function","spec":{"image":"a","capabilities":["composition"],"crossplane":{"version":1.10}},"metadata":{"annotations":{"a":null}}}`,
		`{"apiVersion":"meta.pkg.crossplane.io/v1","kind":"Provider","spec":{"dependsOn":[null,1,{"provider":1,"crd":{"kind":"x","apiVersion":"a/b"}}]}}`,
		`{"apiVersion":"meta.pkg.crossplane.io/v1","kind":"Provider","a":1,"a":2}`, `[`, `{}`, `nil`, `"\ud800"`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(executions.Many(func(t *testing.T, data []byte) {
		p, err := meta.Decode(data)
		var errs meta.FieldErrors
		if err != nil && (!errors.As(err, &errs) || len(errs) == 0 || !errors.Is(err, meta.ErrInvalid)) {
			t.Fatalf("Decode(%q) returns the error %#v", data, err)
		}
		if p == nil && err == nil {
			t.Fatalf("Decode(%q) returns neither", data)
		}
		for _, e := range errs {
			if e.Fault == meta.FaultDuplicate {
				return
			}
			if e.Fault == "" || len(e.Message()) > 400 {
				t.Errorf("the fault %q of Decode(%q) is %q", e.Fault, data, e.Message())
			}
		}
		if p != nil {
			checkRoundTrip(t, data, p)
		}
	}))
}
