package apiserver

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/internal/executions"
	"github.com/xpkg-go/sdk/linter/apiserver/internal/crdtest"
	"github.com/xpkg-go/sdk/parser"
)

// TestOrdinary holds the short way against the API server's code: what it takes for
// clean must be without a finding. It does so for the definitions of real packages
// and of the table, and for mutants of both, XPKG_MUTANTS of each (10).
func TestOrdinary(t *testing.T) {
	mutants := count(t, "XPKG_MUTANTS", 10)
	judged, taken := 0, 0
	compare := func(name string, raw []byte) {
		judged++
		if !clean(context.Background(), nil, raw) {
			return
		}
		taken++
		if v, err := whole(context.Background(), nil, raw); v != nil || err != nil {
			t.Errorf("%s: taken for clean, but %+v, %v\n%.3000s", name, v, err, raw)
		}
	}
	for name, raw := range definitionsFor(t) {
		compare(name, raw)
		if !clean(context.Background(), nil, raw) {
			continue // nor would its mutants be
		}
		for seed := range mutants {
			compare(name+" "+strconv.Itoa(seed), crdtest.Mutant(raw, uint64(seed)))
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d definitions, of which %d are clean", judged, taken)
	if taken < judged/20 {
		t.Errorf("%d of %d definitions are judged the short way, which shows too little", taken, judged)
	}
}

// definitionsFor returns the definitions of the table, and small ones of real packages
// if there are such.
func definitionsFor(t *testing.T) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for _, c := range crdtest.Cases() {
		raw, err := c.JSON()
		if err != nil {
			t.Fatal(err)
		}
		all[c.Reason] = raw
	}
	for reason, raw := range maps.Clone(all) {
		addMade(t, all, reason, raw)
	}
	root := os.Getenv("XPKG_CORPUS")
	if root == "" {
		return all
	}
	dirs, err := filepath.Glob(filepath.Join(root, "packages", "*", "crossplane.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		r, err := os.OpenRoot(filepath.Dir(dir))
		if err != nil {
			t.Fatal(err)
		}
		taken, rules := 0, map[string]bool{}
		for d := range parser.Dir(t.Context(), r, nil) {
			if d != nil && isComposite(d) {
				if raw, err := d.JSON(); err == nil {
					addMade(t, all, dir+" "+d.Name, raw)
				}
			}
			if d == nil || !strings.HasPrefix(d.APIVersion, "apiextensions.k8s.io/v1") {
				continue
			}
			if raw, err := d.JSON(); err == nil && len(raw) < 50_000 && (taken < 10 || hasNewRule(raw, rules)) {
				all[dir+" "+d.Name] = raw
				taken++
			}
		}
		r.Close()
	}
	return all
}

// hasNewRule reports whether a definition has rules of which there was none before.
func hasNewRule(raw []byte, before map[string]bool) bool {
	fresh := false
	for _, m := range ruleText.FindAll(raw, -1) {
		fresh = fresh || !before[string(m)]
		before[string(m)] = true
	}
	return fresh
}

var ruleText = regexp.MustCompile(`"rule":"(?:[^"\\]|\\.)*"`)

// addMade adds the definitions that Crossplane makes of a composite resource definition;
// of another definition, whose schemas are in the same place, those that it would make.
func addMade(t *testing.T, all map[string][]byte, name string, raw []byte) {
	root, err := decode(raw)
	if err != nil {
		t.Fatal(err)
	}
	xrd, _ := root.(map[string]any)
	names, _ := valueAt(xrd, "spec", "names").(map[string]any)
	for i, m := range []making{forComposite(xrd), forClaim(xrd, names)} {
		made, err := json.Marshal(m.definition)
		if err != nil {
			t.Fatal(err)
		}
		all[name+" made "+strconv.Itoa(i)] = made
	}
}

// TestOrdinaryComposite: what Crossplane makes is ordinary where the author's schema is.
func TestOrdinaryComposite(t *testing.T) {
	for field, want := range map[string]bool{`{"type":"string"}`: true, `{"type":"string","pattern":"["}`: false, `{"type":"string","anyOf":[]}`: false} {
		root, err := decode(fmt.Appendf(nil, `{"apiVersion":%q,"metadata":{"name":"xbuckets.example.org"},"spec":{"group":"example.org",
			"names":{"kind":"XBucket","plural":"xbuckets"},"versions":[{"name":"v1","served":true,"referenceable":true,
			"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","properties":{"a":%s}}}}}}]}}`, xrdV1, field))
		if err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(forComposite(root.(map[string]any)).definition)
		if err != nil {
			t.Fatal(err)
		}
		if got := clean(t.Context(), nil, raw); got != want {
			t.Errorf("%s: clean %t, want %t", field, got, want)
		}
	}
}

// FuzzOrdinary is TestOrdinary for any text.
func FuzzOrdinary(f *testing.F) {
	for _, c := range crdtest.Cases() {
		raw, err := c.JSON()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	f.Fuzz(executions.Many(func(t *testing.T, text []byte) {
		d, _ := parser.Collect(parser.Bytes("crd.yaml", text, nil))
		if d == nil || len(d.Objects) == 0 {
			return
		}
		raw, err := d.Objects[0].JSON()
		if err != nil || !json.Valid(raw) || !clean(context.Background(), nil, raw) {
			return
		}
		if v, err := whole(context.Background(), nil, raw); v != nil || err != nil {
			t.Errorf("taken for clean, but %+v, %v\n%s", v, err, raw)
		}
	}))
}
