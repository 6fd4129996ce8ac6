package dag_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/meta"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Every file of testdata/explanations is a catalog, roots, what is installed and the
// explanation of why that cannot be, as text and as data. The change that the explanation
// proposes is made and the rest resolved.
func TestExplanations(t *testing.T) {
	files, err := filepath.Glob("testdata/explanations/*.golden")
	if err != nil {
		t.Fatal(err)
	}
	changes := 0
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".golden"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			part := func(name string) string {
				for _, f := range archive.Files {
					if f.Name == name {
						return string(f.Data)
					}
				}
				return ""
			}
			roots := deps(strings.ReplaceAll(part("roots"), "\n", ";"))
			o := &dag.ResolveOptions{Installed: nodes(part("installed"))}
			for _, flag := range strings.Fields(part("options")) {
				key, value, _ := strings.Cut(flag, "=")
				switch key {
				case "crossplane":
					o.Crossplane = ver(value)
				case "no-upgrades":
					o.NoUpgrades = true
				case "no-downgrades":
					o.NoDowngrades = true
				case "no-prereleases":
					o.NoPrereleases = true
				default:
					t.Fatalf("no option %q", key)
				}
			}
			m := catalog(part("catalog"))
			var none *dag.NoSolutionError
			for range 100 {
				_, err := resolve(roots, m, o)
				var again *dag.NoSolutionError
				if !errors.As(err, &again) || none != nil && again.Error() != none.Error() {
					t.Fatalf("error is %v, was %v", err, none)
				}
				none = again
				slices.Reverse(roots)
			}
			var encoded, indented bytes.Buffer
			encoder := json.NewEncoder(&encoded)
			encoder.SetEscapeHTML(false)
			if err := errors.Join(encoder.Encode(none), json.Indent(&indented, encoded.Bytes(), "", "  ")); err != nil {
				t.Fatal(err)
			}
			data := bytes.TrimSpace(indented.Bytes())
			if *update {
				archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return f.Name == "text" || f.Name == "data" })
				archive.Files = append(archive.Files, txtar.File{Name: "text", Data: []byte(none.Error() + "\n")}, txtar.File{Name: "data", Data: append(data, '\n')})
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			} else {
				if diff := cmp.Diff(part("text"), none.Error()+"\n"); diff != "" {
					t.Errorf("text (-want +got):\n%s", diff)
				}
				if diff := cmp.Diff(part("data"), string(data)+"\n"); diff != "" {
					t.Errorf("data (-want +got):\n%s", diff)
				}
			}
			for _, c := range none.Conflicts {
				checkConflict(t, c)
				checkChange(t, part("catalog"), roots, o, c)
				if c.Relax != nil || c.Drop != nil {
					changes++
				}
			}
		})
	}
	if changes < 20 && flag.Lookup("test.run").Value.String() == "" {
		t.Errorf("%d explanations propose a change, want twenty", changes)
	}
}

// checkConflict holds what every explanation promises: each requirement is there once,
// with its path to a root; each candidate has a reason, each ignored tag is told once; a
// circle is whole and begins with its smallest name.
func checkConflict(t *testing.T, c dag.Conflict) {
	t.Helper()
	once := make(map[string]bool)
	tell := func(what string) {
		if once[what] {
			t.Errorf("%s is told twice", what)
		}
		once[what] = true
	}
	numbers := make(map[int]bool)
	for _, p := range c.Packages {
		tell("the package " + p.Source.Identity())
		for _, r := range p.Requirements {
			tell(r.Source.Identity() + " " + r.Constraint.String() + " from " + r.Origin())
			numbers[r.Number] = true
			if !r.Rooted || len(p.Requirements) == 0 || !r.Source.Equal(p.Source) {
				t.Errorf("requirement %d has no way to a root, or stands at another package: %+v", r.Number, r)
			}
			for i, s := range r.Path {
				if len(s.Versions) == 0 {
					t.Errorf("step %d of requirement %d names no version", i, r.Number)
				}
			}
		}
		for _, v := range p.Candidates {
			tell("the candidate " + p.Source.Identity() + " " + v.Version.String())
			if len(v.Fails)+len(v.Brings) == 0 && v.Err == nil {
				t.Errorf("%s %s has no reason", p.Source, v.Version)
			}
			for _, f := range v.Fails {
				if f.Verdict.Allowed || f.Verdict.Message == "" {
					t.Errorf("%s %s fails %d for no reason", p.Source, v.Version, f.Number)
				}
			}
		}
		for _, tag := range p.Ignored {
			tell("the tag " + p.Source.Identity() + " " + tag)
			if meta.FromOCITag(tag).IsFull() {
				t.Errorf("%s is a version, and ignored", tag)
			}
		}
	}
	for _, p := range c.Packages {
		for _, v := range p.Candidates {
			for _, f := range v.Fails {
				if !numbers[f.Number] {
					t.Errorf("%s fails %d, which is not stated", v.Version, f.Number)
				}
			}
			for _, n := range v.Brings {
				if !numbers[n] {
					t.Errorf("%s brings %d, which is not stated", v.Version, n)
				}
			}
		}
	}
	for _, circle := range c.Circles {
		path := circle.Path
		tell(circle.Error())
		if len(path) < 2 || !path[0].Equal(path[len(path)-1]) {
			t.Fatalf("the circle is not whole: %v", circle)
		}
		for _, s := range path {
			if s.Identity() < path[0].Identity() {
				t.Errorf("%v does not begin with its smallest name", circle)
			}
		}
	}
}

// checkChange makes the change that a conflict proposes and resolves its roots again.
func checkChange(t *testing.T, lines string, roots []meta.Dependency, o *dag.ResolveOptions, c dag.Conflict) {
	t.Helper()
	roots = slices.DeleteFunc(slices.Clone(roots), func(d meta.Dependency) bool {
		return !slices.ContainsFunc(c.Packages, func(p dag.PackageConflict) bool {
			return slices.ContainsFunc(p.Requirements, func(r dag.NumberedRequirement) bool {
				return r.Core && len(r.Path) == 0 && r.Source.Equal(d.Package) && r.Constraint.Equal(d.Constraint)
			})
		})
	})
	m := catalog(lines)
	relax := func(ds []meta.Dependency, r *dag.Requirement) {
		for i := range ds {
			if ds[i].Package.Equal(r.Source) && ds[i].Constraint.Equal(r.Constraint) {
				ds[i].Constraint = meta.Constraint{}
			}
		}
	}
	switch {
	case c.Relax != nil && len(c.Relax.Path) == 0:
		relax(roots, c.Relax)
	case c.Relax != nil:
		for _, v := range c.Relax.Path[0].Versions {
			relax(m.releases[c.Relax.Path[0].Source.Identity()+" "+v.Tag()].DependsOn, c.Relax)
		}
	case c.Drop != nil:
		roots = slices.DeleteFunc(roots, func(d meta.Dependency) bool {
			return d.Package.Equal(c.Drop.Source) && d.Constraint.Equal(c.Drop.Constraint)
		})
	default:
		return
	}
	plan, err := resolve(roots, m, o)
	if err != nil || len(plan.Packages) == 0 {
		t.Errorf("with the change there is no solution: %v", err)
	}
}
