package lintertest

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/xpkg-go/sdk/internal/lintinput"
	"github.com/xpkg-go/sdk/linter"
)

// forms are ways in which files that hold the same may be written.
var forms = []struct {
	name   string
	change func([]byte) []byte
}{
	{"", func(b []byte) []byte { return b }},
	{" (CRLF)", func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n")) }},
	{" (no line break at the end)", func(b []byte) []byte { return bytes.TrimSuffix(b, []byte("\n")) }},
	{" (byte order mark)", func(b []byte) []byte { return append([]byte("\ufeff"), b...) }},
}

// checkFixes describes every fix that does not do what a fix promises: alone, each takes
// its finding away and brings no other, in whatever form the files are; and those that
// linter.Apply carries out together make of a file what the archive says that they make.
func checkFixes(a *txtar.Archive, found []linter.Diagnostic, o *linter.Options) []string {
	var problems []string
	if slices.ContainsFunc(found, func(d linter.Diagnostic) bool { return len(d.Fixes) > 0 }) {
		for _, form := range forms {
			changed := &txtar.Archive{Files: slices.Clone(a.Files)}
			for i := range changed.Files {
				changed.Files[i].Data = form.change(changed.Files[i].Data)
			}
			for _, problem := range checkEach(changed, o) {
				problems = append(problems, problem+form.name)
			}
			if len(problems) > 0 {
				break // another form would only say it again
			}
		}
	}
	for _, golden := range a.Files {
		name, ok := strings.CutPrefix(golden.Name, lintinput.FixedPrefix)
		if !ok {
			continue
		}
		fixed, err := fix(a, []string{name}, found)
		switch {
		case err != nil:
			problems = append(problems, err.Error())
		case !bytes.Equal(fileOf(fixed, name), golden.Data):
			problems = append(problems, fmt.Sprintf("%s: fixed it is\n%s\nwant\n%s", name, fileOf(fixed, name), golden.Data))
		}
	}
	return problems
}

// checkEach lints an archive and carries out each fix of each finding alone.
func checkEach(a *txtar.Archive, o *linter.Options) []string {
	before, err := linter.Lint(context.Background(), documents(a), o)
	if err != nil {
		return []string{"lint: " + err.Error()}
	}
	var problems []string
	for _, d := range before.Diagnostics {
		for i, f := range d.Fixes {
			alone := d
			alone.Fixes = d.Fixes[i : i+1]
			if problem := checkFix(a, before.Diagnostics, alone, o); problem != "" {
				problems = append(problems, fmt.Sprintf("fix %q of %s: %s", f.Message, d, problem))
			}
		}
	}
	return problems
}

// checkFix carries out one fix alone.
func checkFix(a *txtar.Archive, found []linter.Diagnostic, d linter.Diagnostic, o *linter.Options) string {
	fixed, err := fix(a, filesOf(d), []linter.Diagnostic{d})
	if err != nil {
		return err.Error()
	}
	r, err := linter.Lint(context.Background(), documents(fixed), o)
	if err != nil {
		return "lint: " + err.Error()
	}
	before, after := countRules(found), countRules(r.Diagnostics)
	if after[d.Rule] >= before[d.Rule] {
		return "the finding is still there"
	}
	for _, found := range r.Diagnostics {
		if after[found.Rule] > before[found.Rule] {
			return fmt.Sprintf("it brings %s", found)
		}
	}
	return ""
}

// filesOf names the files that the edits of a finding are in.
func filesOf(d linter.Diagnostic) []string {
	var names []string
	for _, e := range d.Fixes[0].Edits {
		if !slices.Contains(names, e.Range.File) {
			names = append(names, e.Range.File)
		}
	}
	return names
}

// fix returns the archive with the fixes carried out in the files.
func fix(a *txtar.Archive, names []string, ds []linter.Diagnostic) (*txtar.Archive, error) {
	fixed := &txtar.Archive{Files: slices.Clone(a.Files)}
	for i, f := range fixed.Files {
		if !slices.Contains(names, f.Name) {
			continue
		}
		data, _, err := linter.Apply(f.Data, f.Name, ds)
		if err != nil {
			return nil, err
		}
		fixed.Files[i].Data = data
	}
	return fixed, nil
}

func fileOf(a *txtar.Archive, name string) []byte {
	for _, f := range a.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

func countRules(ds []linter.Diagnostic) map[string]int {
	n := map[string]int{}
	for _, d := range ds {
		n[d.Rule]++
	}
	return n
}
