package meta_test

import (
	"errors"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/meta"
)

// TestDecodeFaults has an object, and every fault of it in order.
func TestDecodeFaults(t *testing.T) {
	const v1 = "meta.pkg.crossplane.io/v1"
	for _, tt := range []struct {
		reason string
		data   []byte
		fault  meta.Fault
		want   []string
	}{
		{"no JSON at all", []byte("<html>"), meta.FaultSyntax, []string{"the document is not JSON (invalid character '<' looking for beginning of value at byte 1)"}},
		{"an array", []byte("[]"), meta.FaultType, []string{"an array is not an object"}},
		{"neither apiVersion nor kind", []byte("{}"), meta.FaultRequired, []string{
			"apiVersion: missing, want the apiVersion of a metadata object",
			"kind: missing, want the kind of a metadata object",
		}},
		{"an empty kind", []byte(`{"apiVersion":"` + v1 + `","kind":""}`), meta.FaultRequired, []string{
			`kind: "" is not the kind of a metadata object`,
		}},
		{"an object that is no metadata", []byte(`{"apiVersion":"v1","kind":"Secret"}`), meta.FaultKind, []string{
			`apiVersion: "v1" is not an API version of the metadata of a package, group meta.pkg.crossplane.io or meta.pkg.ibm.crossplane.io`,
		}},
		{"a Function of v1alpha1, which never was", spec(t, "meta.pkg.crossplane.io/v1alpha1", "Function", "{}"), meta.FaultKind, []string{
			`apiVersion: "meta.pkg.crossplane.io/v1alpha1" is not an API version of kind Function (Function has meta.pkg.crossplane.io/v1, v1beta1)`,
		}},
		{"a kind that the group does not have", spec(t, v1, "ListOptions", "{}"), meta.FaultKind, []string{
			`kind: "ListOptions" is not a kind of group meta.pkg.crossplane.io (there are Provider, Configuration, Function)`,
		}},
		{"the IBM group has no functions", spec(t, "meta.pkg.ibm.crossplane.io/v1alpha1", "Function", "{}"), meta.FaultKind, []string{
			`kind: "Function" is not a kind of group meta.pkg.ibm.crossplane.io (there are Provider, Configuration)`,
		}},
		{"a key twice", []byte(`{"apiVersion":"` + v1 + `","kind":"Provider","spec":{"x":[{"a":1,"a":2}]}}`), meta.FaultDuplicate, []string{
			`spec.x[0].a: this key is there twice`,
		}},
		{"an unquoted 1.10", spec(t, v1, "Provider", "{crossplane: {version: 1.5}}"), meta.FaultType, []string{
			`spec.crossplane.version: the number 1.5 is not a string (write it in quotes: "1.5")`,
		}},
		{"a text that must be cut, between letters", spec(t, v1, "Provider", "{crossplane: {version: '"+strings.Repeat("a", 58)+"日本'}}"), meta.FaultConstraint, []string{
			`spec.crossplane.version: "` + strings.Repeat("a", 58) + `…" is not a version range`,
		}},
		{"a text that becomes long by quoting", spec(t, v1, "Provider", `{crossplane: {version: "`+strings.Repeat(`\x01`, 60)+`"}}`), meta.FaultConstraint, []string{
			`spec.crossplane.version: "` + strings.Repeat(`\x01`, 14) + `\x0…" is not a version range`,
		}},
		{"a number as a version of Crossplane", spec(t, v1, "Provider", "{crossplane: 1}"), meta.FaultType, []string{
			`spec.crossplane: the number 1 is not a string (write it in quotes: "1")`,
		}},
		{"a range as a plain string", spec(t, v1, "Provider", "{crossplane: '>=v1.0.0'}"), meta.FaultConstraint, []string{
			`spec.crossplane: ">=v1.0.0" is not a version of Crossplane, such as v1.20.0 (a range goes to spec.crossplane.version)`,
		}},
		{"no range at all", spec(t, v1, "Provider", "{crossplane: {version: not a version}}"), meta.FaultConstraint, []string{
			`spec.crossplane.version: "not a version" is not a version range`,
		}},
		{"a digest of Crossplane", spec(t, v1, "Provider", "{crossplane: {version: '"+digest+"'}}"), meta.FaultConstraint, []string{
			`spec.crossplane.version: "sha256:ecc25c121431dfc7058754427f97c034ecde26d4aafa0da16d258…" is not a version range (it is a digest)`,
		}},
		{"a wrong operator, in v1alpha1 too", spec(t, "meta.pkg.crossplane.io/v1alpha1", "Configuration", "{dependsOn: [{function: a/b, version: '>-v0.1.4'}]}"), meta.FaultConstraint, []string{
			`spec.dependsOn[0].version: ">-v0.1.4" is not a version range`,
		}},
		{"a digest that is cut", spec(t, v1, "Configuration", "{dependsOn: [{function: a/b, version: 'sha256:12'}]}"), meta.FaultConstraint, []string{
			`spec.dependsOn[0].version: "sha256:12" is not a version range (its digest does not have the length of sha256)`,
		}},
		{"a dependency on nothing", spec(t, v1, "Configuration", "{dependsOn: [{version: v1}]}"), meta.FaultRequired, []string{
			`spec.dependsOn[0]: missing, want one of provider, configuration, function, or apiVersion, kind and package (it does not say what it depends on)`,
		}},
		{"apiVersion and kind without package", spec(t, v1, "Configuration", "{dependsOn: [{apiVersion: a/v1, kind: B, version: v1}]}"), meta.FaultRequired, []string{
			`spec.dependsOn[0]: missing, want one of provider, configuration, function, or apiVersion, kind and package (it does not say what it depends on)`,
		}},
		{"package and kind without apiVersion", spec(t, v1, "Configuration", "{dependsOn: [{package: a/b, kind: B}]}"), meta.FaultRequired, []string{
			`spec.dependsOn[0].apiVersion: missing, want the apiVersion by which the package is installed (apiVersion and kind come together)`,
		}},
		{"package and apiVersion without kind", spec(t, v1, "Configuration", "{dependsOn: [{package: a/b, apiVersion: a/v1}]}"), meta.FaultRequired, []string{
			`spec.dependsOn[0].kind: missing, want the kind by which the package is installed (apiVersion and kind come together)`,
		}},
		{"a kind beside the sugar", spec(t, v1, "Configuration", "{dependsOn: [{provider: a/b, kind: Function, apiVersion: a/v1}]}"), meta.FaultExclusive, []string{
			`spec.dependsOn[0].apiVersion: it belongs with package, and here is provider`,
			`spec.dependsOn[0].kind: it belongs with package, and here is provider`,
		}},
		{"two names", spec(t, v1, "Configuration", "{dependsOn: [{configuration: a/b, provider: a/c}]}"), meta.FaultExclusive, []string{
			`spec.dependsOn[0].provider: configuration is there too; a dependency has one of provider, configuration, function, package, crd and crossplane`,
		}},
		{"a package and a kind", spec(t, v1, "Configuration", "{dependsOn: [{crd: a.b/v1, package: a/c}]}"), meta.FaultExclusive, []string{
			`spec.dependsOn[0].package: crd is there too; a dependency has one of provider, configuration, function, package, crd and crossplane`,
		}},
		{"two versions of Crossplane", spec(t, v1, "Configuration", "{dependsOn: [{crossplane: '>=v1', version: v1}]}"), meta.FaultExclusive, []string{
			`spec.dependsOn[0].crossplane: version is there too; the versions of Crossplane are given here`,
		}},
		{"an empty name", spec(t, v1, "Configuration", "{dependsOn: [{provider: ''}]}"), meta.FaultRequired, []string{
			`spec.dependsOn[0].provider: "" is not an image repository`,
		}},
		{"no repository", spec(t, v1, "Configuration", "{dependsOn: [{provider: Hello World}]}"), meta.FaultSource, []string{
			`spec.dependsOn[0].provider: "Hello World" is not an image repository (its path may hold lower case letters, digits and _ - . / only)`,
		}},
		{"a tag in the source", spec(t, v1, "Configuration", "{dependsOn: [{provider: 'a.io/b/c:v1.0.0'}]}"), meta.FaultTagged, []string{
			`spec.dependsOn[0].provider: "a.io/b/c:v1.0.0" is not an image repository (the tag or digest belongs in the version)`,
		}},
		{"a digest in the source", spec(t, v1, "Configuration", "{dependsOn: [{provider: 'a@"+digest+"'}]}"), meta.FaultTagged, []string{
			`spec.dependsOn[0].provider: "a@sha256:ecc25c121431dfc7058754427f97c034ecde26d4aafa0da16d2…" is not an image repository (the tag or digest belongs in the version)`,
		}},
		{"no kind", spec(t, v1, "Configuration", "{dependsOn: [{crd: thing}]}"), meta.FaultCRD, []string{
			`spec.dependsOn[0].crd: "thing" is not the name of a kind (write NAME.GROUP/VERSION, or *.GROUP/VERSION for all of a group)`,
		}},
		{"a group without a version", spec(t, v1, "Configuration", "{dependsOn: [{crd: '*.ex.io'}]}"), meta.FaultCRD, []string{
			`spec.dependsOn[0].crd: "*.ex.io" is not the name of a kind (write NAME.GROUP/VERSION, or *.GROUP/VERSION for all of a group)`,
		}},
		{"all kinds, as an object", spec(t, v1, "Configuration", "{dependsOn: [{crd: {apiVersion: ex.io/v1, kind: '*'}}]}"), meta.FaultCRD, []string{
			`spec.dependsOn[0].crd: "ex.io/v1 *" is not the apiVersion and kind of a kind`,
		}},
		{"a version beside a kind", spec(t, v1, "Configuration", "{dependsOn: [{crd: foos.ex.io/v1, version: v1}]}"), meta.FaultExclusive, []string{
			`spec.dependsOn[0].crd: version is there too; the version of a kind is given here`,
		}},
		{"lists with nothing in them, which is no element of them", spec(t, v1, "Provider", "{permissionRequests: [null, {verbs: [null]}], capabilities: [~]}"), meta.FaultType, []string{
			`spec.capabilities[0]: null is not a string`,
			`spec.permissionRequests[0]: null is not an object`,
			`spec.permissionRequests[1].verbs[0]: null is not a string`,
		}},
		{"bytes that are no UTF-8, in a field and in an unknown one", []byte(`{"apiVersion":"` + v1 + `","kind":"Provider","metadata":{"name":"` + "\xff" + `","annotations":{"a":"a` + "\xe9" + `b"}},"x":["` + "\xc3" + `"]}`), meta.FaultSyntax, []string{
			"metadata.annotations.a: \"a\ufffdb\" is not a text in Unicode (it has bytes that are no UTF-8)",
			"metadata.name: \"\ufffd\" is not a text in Unicode (it has bytes that are no UTF-8)",
			"x[0]: \"\ufffd\" is not a text in Unicode (it has bytes that are no UTF-8)",
		}},
		{"a key that is no UTF-8", []byte(`{"apiVersion":"` + v1 + `","kind":"Provider","metadata":{"annotations":{"a` + "\xff" + `":"b"}}}`), meta.FaultSyntax, []string{
			"metadata.annotations[\"a\ufffd\"]: \"a\ufffd\" is not a text in Unicode (it has bytes that are no UTF-8)",
		}},
		{"halves of characters", []byte(`{"apiVersion":"` + v1 + `","kind":"Provider","x":["\ud83d\ude00", "\ud800", "\ude00\ud83d", "\ud800x", "\ud800\n", "\\ud800", "\"\u00e9"]}`), meta.FaultSyntax, []string{
			"x[1]: \"\ufffd\" is not a text in Unicode (it has half of a pair of surrogates)",
			"x[2]: \"\ufffd\ufffd\" is not a text in Unicode (it has half of a pair of surrogates)",
			"x[3]: \"\ufffdx\" is not a text in Unicode (it has half of a pair of surrogates)",
			"x[4]: \"\ufffd\\n\" is not a text in Unicode (it has half of a pair of surrogates)",
		}},
		{"half a kind", spec(t, v1, "Configuration", "{dependsOn: [{crd: {kind: Thing, x: 1}}]}"), meta.FaultCRD, []string{
			`spec.dependsOn[0].crd: missing, want the apiVersion, with a group, and the kind`,
		}},
		{"permission requests in both places", spec(t, v1, "Provider", "{controller: {permissionRequests: []}, permissionRequests: [{verbs: [get]}]}"), meta.FaultExclusive, []string{
			`spec.permissionRequests: permission requests are at spec.controller.permissionRequests too; they belong in one place`,
		}},
		{"an annotation that YAML 1.1 reads as a boolean", fromYAML(t, "{apiVersion: "+v1+", kind: Provider, metadata: {name: x, annotations: {a.b/c: on, d: ~}}}"), meta.FaultType, []string{
			`metadata.annotations["a.b/c"]: the boolean true is not a string (write it in quotes: "true")`,
		}},
		{"wrong types everywhere", []byte(`{"apiVersion":"` + v1 + `","kind":"Provider","metadata":{"name":5,"labels":[]},"spec":{
			"crossplane":[],"dependsOn":["a/b",null,{"provider":{},"version":1.10}],"capabilities":"x","controller":"y","permissionRequests":[1,{"verbs":"get","resources":[1]}]}}`), meta.FaultType, []string{
			`metadata.labels: an array is not an object`,
			`metadata.name: the number 5 is not a string (write it in quotes: "5")`,
			`spec.capabilities: a string is not an array`,
			`spec.controller: a string is not an object`,
			`spec.crossplane: an array is not an object`,
			`spec.dependsOn[0]: a string is not an object`,
			`spec.dependsOn[1]: null is not an object`,
			`spec.dependsOn[2].provider: an object is not a string`,
			`spec.dependsOn[2].version: the number 1.10 is not a string (write it in quotes: "1.10")`,
			`spec.permissionRequests[0]: the number 1 is not an object`,
			`spec.permissionRequests[1].resources[0]: the number 1 is not a string (write it in quotes: "1")`,
			`spec.permissionRequests[1].verbs: a string is not an array`,
		}},
		{"metadata and spec of wrong types", []byte(`{"apiVersion":"` + v1 + `","kind":"Provider","metadata":true,"spec":[]}`), meta.FaultType, []string{
			`metadata: the boolean true is not an object`,
			`spec: an array is not an object`,
		}},
	} {
		p, err := meta.Decode(tt.data)
		var errs meta.FieldErrors
		if !errors.As(err, &errs) {
			t.Errorf("%s: the error is %v, want FieldErrors", tt.reason, err)
			continue
		}
		got := make([]string, len(errs))
		for i, e := range errs {
			got[i] = e.Error()
			if e.Fault != tt.fault {
				t.Errorf("%s: %v is a fault %q, want %q", tt.reason, e, e.Fault, tt.fault)
			}
			if !strings.HasSuffix(e.Error(), e.Message()) {
				t.Errorf("%s: the message %q is not in %q", tt.reason, e.Message(), e.Error())
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
		if !errors.Is(err, meta.ErrInvalid) || meta.Code(err) != "invalid" {
			t.Errorf("%s: %v does not match ErrInvalid", tt.reason, err)
		}
		var first *meta.FieldError
		if !errors.As(err, &first) || first != errs[0] {
			t.Errorf("%s: errors.As finds %v, want the first fault", tt.reason, first)
		}
		if p != nil && tt.fault != meta.FaultDuplicate {
			checkRoundTrip(t, tt.data, p)
		}
	}
}

func TestDecodeReturnsWhatItCanRead(t *testing.T) {
	p, err := meta.Decode(spec(t, "meta.pkg.crossplane.io/v1", "Provider",
		"{dependsOn: [{provider: a/b, version: v1}, {provider: 'Bad!', version: '> y'}], capabilities: [1, b]}"))
	if err == nil || p == nil {
		t.Fatalf("Decode = %v, %v, want both", p, err)
	}
	if len(p.DependsOn) != 2 || p.DependsOn[0].Package.String() != "a/b" || p.DependsOn[1].Package.String() != "Bad!" {
		t.Errorf("the dependencies are %v", p.DependsOn)
	}
	bad := p.DependsOn[1]
	if bad.Package.Err() == nil || bad.Package.Identity() != "Bad!" || bad.Package.Registry() != "" || bad.Package.Name() != "Bad!" {
		t.Errorf("a source that is none does not say so: %+v", bad.Package)
	}
	if v, _ := meta.ParseVersion("v1.0.0"); bad.Constraint.Err() == nil || bad.Constraint.Allows(v) {
		t.Errorf("a constraint that is none does not say so: %+v", bad.Constraint)
	}
}

func TestDecodeHugeConstraint(t *testing.T) {
	huge := strings.Repeat(">=1.0.0 || ", 100_000) + "v1"
	data := spec(t, "meta.pkg.crossplane.io/v1", "Provider", "{crossplane: {version: '"+huge+"'}}")
	p, err := meta.Decode(data)
	if !errors.Is(err, meta.ErrLimit) || meta.Code(err) != "limit" {
		t.Errorf("a range of 1 MB: %v, want ErrLimit", err)
	}
	if len(err.Error()) > 300 {
		t.Errorf("the text of the error has %d bytes", len(err.Error()))
	}
	checkRoundTrip(t, data, p)
}

// TestDependencyFaults: all that is wrong with a dependency is told at once.
func TestDependencyFaults(t *testing.T) {
	p, err := meta.Decode([]byte(`{"apiVersion":"meta.pkg.crossplane.io/v1","kind":"Configuration","spec":{"dependsOn":[
		{"provider":"a/b","configuration":"Bad X","function":5,"crd":"x","crossplane":"banana","version":">= v"}]}}`))
	const and = "; a dependency has one of provider, configuration, function, package, crd and crossplane"
	want := []string{
		`spec.dependsOn[0].configuration: provider is there too` + and,
		`spec.dependsOn[0].configuration: "Bad X" is not an image repository (its path may hold lower case letters, digits and _ - . / only)`,
		`spec.dependsOn[0].crd: provider is there too` + and,
		`spec.dependsOn[0].crd: version is there too; the version of a kind is given here`,
		`spec.dependsOn[0].crd: "x" is not the name of a kind (write NAME.GROUP/VERSION, or *.GROUP/VERSION for all of a group)`,
		`spec.dependsOn[0].crossplane: provider is there too` + and,
		`spec.dependsOn[0].crossplane: version is there too; the versions of Crossplane are given here`,
		`spec.dependsOn[0].crossplane: "banana" is not a version range`,
		`spec.dependsOn[0].function: provider is there too` + and,
		`spec.dependsOn[0].function: the number 5 is not a string (write it in quotes: "5")`,
		`spec.dependsOn[0].version: ">= v" is not a version range`,
	}
	var errs meta.FieldErrors
	if !errors.As(err, &errs) {
		t.Fatal(err)
	}
	var got []string
	for _, e := range errs {
		got = append(got, e.Error())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if d := p.DependsOn[0]; d.String() != "provider a/b >= v" || !d.CRD.IsZero() {
		t.Errorf("the first name counts, and the dependency is %+v", d)
	}
}

func TestDecodeLimits(t *testing.T) {
	object := func(x string) []byte {
		return []byte(`{"apiVersion":"meta.pkg.crossplane.io/v1","kind":"Provider","metadata":{"name":"a,[{\",[\\"},"x":` + x + `}`)
	}
	// The document and its fields are 6 values.
	many := func(n int) []byte { return object("[" + strings.Repeat("[ ],", n-7) + "1 ]") }
	deep := func(n int) []byte { return object(strings.Repeat("[", n-1) + strings.Repeat("]", n-1)) }
	for _, tt := range []struct {
		reason string
		data   []byte
		want   string
	}{
		{"as many values as there may be", many(meta.MaxValues), ""},
		{"one more", many(meta.MaxValues + 1), "the metadata object has more than 50000 values (it has 50001)"},
		{"as deep as it may be", deep(meta.MaxDepth), ""},
		{"deeper", deep(meta.MaxDepth + 1), "the nesting of the metadata object has more than 1000 levels (it has 1001)"},
	} {
		p, err := meta.Decode(tt.data)
		if errorText(err) != tt.want {
			t.Errorf("%s: got %q, want %q", tt.reason, errorText(err), tt.want)
		}
		if tt.want == "" {
			checkRoundTrip(t, tt.data, p)
			continue
		}
		var limit *meta.LimitError
		var errs meta.FieldErrors
		if p != nil || !errors.As(err, &limit) || !errors.As(err, &errs) || errs[0].Fault != meta.FaultLimit || meta.Code(err) != "limit" {
			t.Errorf("%s: got %v, %#v", tt.reason, p, err)
		}
	}
}

// TestDecodeMemory has documents with much in few bytes. What is allocated in all,
// freed or not, is at most 20 times the document, or 120 MB where that is more.
func TestDecodeMemory(t *testing.T) {
	const head = `{"apiVersion":"meta.pkg.crossplane.io/v1","kind":"Provider","spec":`
	list := func(key, element string, n int) string {
		return head + `{"` + key + `":[` + strings.Repeat(element+",", n-1) + element + `]}}`
	}
	fields := func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(`"k` + strconv.Itoa(i) + `":1,`)
		}
		return b.String()
	}
	long := strings.Repeat("k", 1<<20)
	for _, tt := range []struct{ reason, data string }{
		{"4 MB of dependencies that are none", list("dependsOn", "1", 2_000_000)},
		{"as many as there may be", list("dependsOn", "1", 49_000)},
		{"3 MB of dependencies on nothing", list("dependsOn", "{}", 1_000_000)},
		{"as many as there may be", list("dependsOn", "{}", 49_000)},
		{"dependencies with a fault and an unknown field", list("dependsOn", `{"provider":"A","x":1}`, 16_000)},
		{"10 MB of permission requests that are null", list("permissionRequests", "null", 2_000_000)},
		{"as many as there may be", list("permissionRequests", "null", 49_000)},
		{"a million unknown fields", head + "{" + fields(1_000_000) + `"z":1}}`},
		{"as many as there may be", head + "{" + fields(49_000) + `"z":1}}`},
		{"duplicates at any depth", head + strings.Repeat(`{"a":1,"a":2,"b":`, 990) + "1" + strings.Repeat("}", 991)},
		{"many values below a long key", `{"apiVersion":"meta.pkg.crossplane.io/v1","kind":"Provider","u":1,"metadata":{"labels":{"` + long + `":[` + strings.Repeat("1,", 45_000) + `1]}}}`},
		{"a long text", `{"apiVersion":"meta.pkg.crossplane.io/v1","kind":"Provider","metadata":{"labels":{"a":"` + strings.Repeat("k", 16<<20) + `"}}}`},
		{"a long text with an escape", `{"apiVersion":"meta.pkg.crossplane.io/v1","kind":"Provider","metadata":{"labels":{"a":"` + strings.Repeat("k", 16<<20) + `\n"}}}`},
	} {
		data := []byte(tt.data)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := meta.Decode(data)
		runtime.ReadMemStats(&after)
		if got, limit := after.TotalAlloc-before.TotalAlloc, uint64(max(20*len(data), 120_000_000)); got > limit {
			t.Errorf("%s: %d bytes take %d (%.50v)", tt.reason, len(data), got, err)
		}
	}
}

func TestFieldErrorsAreBounded(t *testing.T) {
	entries := strings.Repeat("{},", 9999) + "{}"
	_, err := meta.Decode([]byte(`{"apiVersion":"meta.pkg.crossplane.io/v1","kind":"Provider","spec":{"dependsOn":[` + entries + `]}}`))
	var errs meta.FieldErrors
	if !errors.As(err, &errs) || len(errs) != meta.MaxFaults+1 {
		t.Fatalf("%d faults, want %d and one that counts the others", len(errs), meta.MaxFaults)
	}
	if last := errs[meta.MaxFaults]; last.Error() != "there are 9000 more faults" || last.Fault != meta.FaultLimit {
		t.Errorf("the last fault is %v", last)
	}
	if s := err.Error(); len(s) > 5000 || !strings.HasSuffix(s, "; and 991 more") {
		t.Errorf("the text has %d bytes and ends with %q", len(s), s[len(s)-20:])
	}
}

func TestDecodeDeepNesting(t *testing.T) {
	deep := strings.Repeat("[", 100_000)
	if p, err := meta.Decode([]byte(deep)); err == nil {
		t.Errorf("100,000 open brackets are read as %v", p)
	}
	nested := strings.Repeat(`{"a":`, 900) + "1" + strings.Repeat("}", 900)
	data := []byte(`{"apiVersion":"meta.pkg.crossplane.io/v1","kind":"Provider","x":` + nested + `}`)
	checkRoundTrip(t, data, decode(t, data))
}
