package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/xpkg-go/sdk/conformance/internal/recipe"
	"github.com/xpkg-go/sdk/internal/lintinput"
)

// archives are the inputs of the tests of lint rules: packages that a rule reports and
// packages that it does not, a line away. Each is a case.
type archives struct {
	Dir  string   `yaml:"dir"` // from the root of the repository
	Args []string `yaml:"args"`
	// Except are inputs that are left out, with the reason.
	Except map[string]string `yaml:"except"`
}

// cases are those of the archives whose rule has a class.
func (a archives) cases(root, family string, known *classes) ([]*testCase, error) {
	names, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(a.Dir), "*.txtar"))
	if err != nil {
		return nil, err
	}
	var all []*testCase
	for _, name := range names {
		rule := strings.TrimSuffix(filepath.Base(name), ".txtar")
		class := known.rules[rule]
		if class == "" {
			continue
		}
		b, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		inputs, problems := lintinput.Inputs(txtar.Parse(lintinput.Expand(b)))
		if len(problems) > 0 {
			return nil, &archiveError{name, problems}
		}
		for _, in := range inputs {
			c, err := a.one(in, name, known)
			if err != nil {
				return nil, err
			}
			if c == nil || a.Except[rule+"/"+in.Name] != "" {
				continue
			}
			c.ID, c.family = rule+"/"+in.Name, family
			all = append(all, c)
		}
	}
	return all, nil
}

// one makes a case of an input, and nil of one that comes with facts about an image. Every
// finding that the input expects and whose rule has a class is expected; and of those
// classes no other.
func (a archives) one(in *lintinput.Input, name string, known *classes) (*testCase, error) {
	c := &testCase{Reason: in.Reason, Files: map[string]file{}, As: []string{""}}
	if c.Reason == "" {
		c.Reason = known.named[known.rules[strings.TrimSuffix(filepath.Base(name), ".txtar")]].Means
	}
	for _, f := range in.Files {
		if f.Name == "image.json" {
			return nil, nil
		}
		c.Files["package/"+f.Name] = file{Recipe: recipe.Recipe{Text: string(f.Data)}}
	}
	wants, problems := lintinput.Wants(&txtar.Archive{Comment: []byte(strings.Join(in.Wants, "\n")), Files: in.Files})
	if len(problems) > 0 {
		return nil, &archiveError{name, problems}
	}
	class := known.rules[strings.TrimSuffix(filepath.Base(name), ".txtar")]
	v := verdict{Outcome: "read", Exactly: []string{class}}
	for _, w := range wants {
		if of := known.rules[w.Rule]; of != "" {
			v.Faults = append(v.Faults, fault{Class: of, File: w.File, Line: w.Line})
		}
	}
	source := "package"
	if len(in.Files) == 1 && in.Files[0].Name == "package.yaml" {
		source = "package/package.yaml"
	}
	c.Steps = []step{{Job: "lint", Args: append(slices.Clone(a.Args), source), Verdict: verdicts{v}}}
	return c, nil
}

type archiveError struct {
	file     string
	problems []string
}

// Error names the archive and what is wrong with it.
func (e *archiveError) Error() string { return e.file + ": " + strings.Join(e.problems, "; ") }
