package parity_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/apiserver"
	"github.com/xpkg-go/sdk/linter/apiserver/internal/crdtest"
	"github.com/xpkg-go/sdk/parser"
)

// TestParity asks the server and us about every case of the table, and about mutants
// of those that it accepts and of definitions of real packages, XPKG_MUTANTS of each
// (5): both say the same of each, and speak of the same fields.
func TestParity(t *testing.T) {
	mutants := 5
	if n, err := strconv.Atoi(os.Getenv("XPKG_MUTANTS")); err == nil {
		mutants = n
	}
	s := start(t)
	bases := real(t)
	for _, c := range crdtest.Cases() {
		raw, err := c.JSON()
		if err != nil {
			t.Fatal(err)
		}
		if refused := compare(t, s, c.Reason, raw); refused != c.Refused {
			t.Errorf("%s: the table says refused %t, the server %t", c.Reason, c.Refused, refused)
		}
		if !c.Refused && !completed(raw) {
			bases = append(bases, raw)
		}
	}
	var all, refused int
	var mu sync.Mutex
	work := make(chan func(), 1)
	var workers sync.WaitGroup
	for range 4 {
		workers.Go(func() {
			for f := range work {
				f()
			}
		})
	}
	for _, base := range bases {
		for seed := range mutants {
			work <- func() {
				is := compare(t, s, "mutant "+strconv.Itoa(seed), crdtest.Mutant(base, uint64(seed)))
				mu.Lock()
				defer mu.Unlock()
				all++
				if is {
					refused++
				}
			}
		}
	}
	close(work)
	workers.Wait()
	t.Logf("%d cases, %d mutants of which %d are refused", len(crdtest.Cases()), all, refused)
}

// real returns some definitions of real packages, if there are such.
func real(t *testing.T) [][]byte {
	t.Helper()
	var all [][]byte
	dirs, err := filepath.Glob(filepath.Join(os.Getenv("XPKG_CORPUS"), "packages", "*", "crossplane.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		root, err := os.OpenRoot(filepath.Dir(dir))
		if err != nil {
			t.Fatal(err)
		}
		taken := 0
		for d := range parser.Dir(t.Context(), root, nil) {
			if d == nil || d.APIVersion != "apiextensions.k8s.io/v1" || taken == 5 {
				continue
			}
			if raw, err := d.JSON(); err == nil && len(raw) < 100_000 && !completed(raw) {
				all = append(all, raw)
				taken++
			}
		}
		if err := root.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// completed reports whether the package manager completes the definition, with what
// its webhook is, before the server sees it: then the server says more of it as it is.
func completed(raw []byte) bool { return strings.Contains(string(raw), `"strategy":"Webhook"`) }

// compare holds our verdict on a definition against the server's, and reports whether
// the server refuses it.
func compare(t *testing.T, s *server, name string, raw []byte) bool {
	t.Helper()
	status, err := s.refused(t.Context(), raw)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return false
	}
	pkg, err := parser.Collect(parser.Bytes("crd.yaml", raw, nil))
	if pkg == nil {
		t.Errorf("%s: %v", name, err)
		return false
	}
	if len(pkg.Objects) != 1 || pkg.Objects[0].Ref().Kind != "CustomResourceDefinition" || pkg.Objects[0].APIVersion != "apiextensions.k8s.io/v1" {
		return status != nil // is something else by now
	}
	found, err := linter.Run(t.Context(), pkg, &linter.Options{Rules: apiserver.Rules()[:1]})
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return false
	}
	switch {
	case (len(found) > 0) != (status != nil):
		t.Errorf("%s: the server says %+v, we found %v\n%.2000s", name, status, found, raw)
	case status != nil && status.Details != nil:
		fields(t, name, status.Details.Causes, found)
	}
	return status != nil
}

// told reports whether something is told of the field at a path.
func told(found []linter.Diagnostic, path string) bool {
	return slices.ContainsFunc(found, func(d linter.Diagnostic) bool { return d.Path == path })
}

// kinds are how the API server begins what it has against a field.
var kinds = []string{
	"Invalid value", "Required value", "Unsupported value", "Duplicate value", "Forbidden", "Too long", "Too many", "Too few", "Not found", "Internal error",
}

// named are fields that have other names within the server.
var named = map[string]string{"JSONPath": "jsonPath", "webhookClientConfig": "clientConfig", "validation": "schema", "version": "name"}

// fields compares of which fields faults of which kind are told.
func fields(t *testing.T, name string, causes []metav1.StatusCause, found []linter.Diagnostic) {
	t.Helper()
	for _, c := range causes {
		i := slices.IndexFunc(kinds, func(k string) bool { return strings.HasPrefix(c.Message, k) })
		if i < 0 || strings.HasPrefix(c.Field, "status.") || strings.Contains(c.Message, "fields are allowed at the root") {
			continue // a status is the server's; the last one we tell otherwise
		}
		last := c.Field[strings.LastIndexAny(strings.TrimSuffix(c.Field, "]"), ".[")+1:]
		last = strings.TrimSuffix(last, "]")
		if author, ok := named[last]; ok {
			last = author
		}
		if (last == "clientConfig" || last == "conversionReviewVersions") && told(found, "spec.conversion.webhook") {
			continue // a webhook that is missing, or should not be, is one fault
		}
		if !slices.ContainsFunc(found, func(d linter.Diagnostic) bool {
			return strings.HasPrefix(d.Message, strings.ToLower(kinds[i])) && strings.Contains(d.Path, last)
		}) {
			t.Errorf("%s: the server tells of %s: %.200s; we found %v", name, c.Field, c.Message, found)
		}
	}
}
