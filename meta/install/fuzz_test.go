package install_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/internal/executions"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/meta/install"
)

// FuzzDecode reads objects of every kind of the package. The oracle: nothing
// panics; faults have paths that lead into the document, are sorted, and quote
// little of it; what is read without a fault is valid, is written as an equal
// JSON value but for what says nothing, and reading that gives the same object
// again.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		everyPackageField, everyRevisionField, everyLockField, everyConfigField, everyRevisionManifestField, everyImageConfigField, everyClusterLockField,
		`{"apiVersion":"pkg.crossplane.io/v1alpha1","kind":"Lock","metadata":{"name":"lock"},"packages":[{"name":"a","type":"Provider","kind":"Function","source":"a/b:v1","version":"","dependencies":null}]}`,
		`{"apiVersion":"pkg.crossplane.io/v1","kind":"Provider","metadata":{"name":"a"},"spec":{"package":"a/b:v1","packagePullPolicy":"Automatic"}}`,
		`{"apiVersion":"pkg.ibm.crossplane.io/v1alpha1","kind":"Configuration","metadata":{"name":"a","x":null},"spec":{"package":"a/b","package":"c","y":{"z":1e400}}}`,
		`{"apiVersion":"pkg.crossplane.io/v1","kind":"Function","metadata":{"name":"a"},"spec":{"package":"../A","packagePullPolicy":"Never"},"status":{}}`,
		` {"kind" : "Package" , "spec" : {"package" : null , "revisionHistoryLimit" : -0 } } `,
		`{"kind":"PackageLock","spec":{"compositions":{"a":null,"b":"\ud800","a":"x"}}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(executions.Many(func(t *testing.T, data []byte) {
		v, err := decodeAny(data)
		last := meta.Path(nil)
		for _, fault := range faultsOf(t, err) {
			if fault.Path.Compare(last) < 0 {
				t.Errorf("%s comes after %s", fault.Path, last)
			}
			last = fault.Path
			if n := len(fault.Error()); n > 600 {
				t.Errorf("a text of %d bytes: %s", n, fault)
			}
			if strings.ContainsAny(fault.Error(), "\n\r") {
				t.Errorf("a text of several lines: %q", fault)
			}
		}
		if v == nil {
			if err == nil {
				t.Error("neither an object nor an error")
			}
			return
		}
		written, encodeErr := v.Encode()
		if encodeErr != nil {
			t.Fatalf("what was read cannot be written: %v", encodeErr)
		}
		if err != nil {
			return
		}
		if err := v.Validate(); err != nil {
			t.Errorf("what was read without a fault is not valid: %v", err)
		}
		if want, got := meaning(data), meaning(written); !reflect.DeepEqual(want, got) {
			t.Errorf("read    %s\nwritten %s", data, written)
		}
		again, err := decodeAny(written)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
		twice, err := again.Encode()
		if err != nil || string(twice) != string(written) {
			t.Errorf("written once %s\nand twice   %s %v", written, twice, err)
		}
	}))
}

func faultsOf(t *testing.T, err error) meta.FieldErrors {
	if err == nil {
		return nil
	}
	faults, ok := err.(meta.FieldErrors)
	if !ok || len(faults) == 0 {
		t.Fatalf("error is %T (%v), want meta.FieldErrors", err, err)
	}
	return faults
}

// meaning is a JSON value without the members that say nothing: null, the empty
// text, and objects that hold nothing else. Numbers keep their digits.
func meaning(data []byte) any {
	dec := json.NewDecoder(strings.NewReader(string(data)))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil {
		return nil
	}
	return prune(v)
}

func prune(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, member := range v {
			if p := prune(member); p == nil || p == "" {
				delete(v, k)
			} else {
				v[k] = p
			}
		}
		if len(v) == 0 {
			return nil
		}
	case []any:
		for i := range v {
			v[i] = prune(v[i])
		}
	case json.Number:
		if v == "-0" {
			return json.Number("0")
		}
	}
	return v
}

// FuzzGarbageCollect holds the collector to what it says: what is gone lost all
// of its owners, what is kept lost some, and everything else lost none.
func FuzzGarbageCollect(f *testing.F) {
	f.Add([]byte{0, 1, 1, 2, 2, 3, 9, 9})
	f.Fuzz(executions.Many(func(t *testing.T, edges []byte) {
		if len(edges) > 200 {
			return // large graphs only take longer
		}
		name := func(b byte) install.Ref { return install.Ref{Kind: "K", Name: string(rune('a' + b%10))} }
		objects := make([]install.Object, 10)
		for i := range objects {
			objects[i].Ref = name(byte(i))
		}
		for i := 0; i+1 < len(edges); i += 2 {
			o := &objects[edges[i]%10]
			o.Owners = append(o.Owners, install.OwnerReference{Ref: name(edges[i+1])})
		}
		gone, kept := install.GarbageCollect(objects, name(0))
		fate := map[string]string{"a": "deleted"}
		for _, o := range gone {
			fate[o.Name] += "gone"
		}
		left := map[string]int{}
		for _, o := range kept {
			fate[o.Name] += "kept"
			left[o.Name] = len(o.Owners)
		}
		for _, o := range objects[1:] {
			alive := 0
			for _, owner := range o.Owners {
				if f := fate[owner.Name]; f == "" || f == "kept" {
					alive++
				}
			}
			want := ""
			switch {
			case len(o.Owners) > 0 && alive == 0:
				want = "gone"
			case alive < len(o.Owners):
				want = "kept"
			}
			if fate[o.Name] != want || want == "kept" && left[o.Name] != alive {
				t.Errorf("%s is %q with %d owners, want %q with %d", o.Name, fate[o.Name], left[o.Name], want, alive)
			}
		}
	}))
}
