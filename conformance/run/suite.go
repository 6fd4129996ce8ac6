package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"go.yaml.in/yaml/v3"

	"github.com/xpkg-go/sdk/conformance/internal/oci"
	"github.com/xpkg-go/sdk/conformance/internal/recipe"
)

// schemaVersion is that of the case files that this runner reads.
const schemaVersion = 1

// family is one file of cases.
type family struct {
	Version  int          `yaml:"version"`
	Family   string       `yaml:"family"`
	Title    string       `yaml:"title"`
	Texts    recipe.Texts `yaml:"texts"`
	Archives []archives   `yaml:"archives"`
	Cases    []testCase   `yaml:"cases"`
}

// testCase is an input, what is done with it, and what that must give.
type testCase struct {
	ID        string          `yaml:"id"`
	Reason    string          `yaml:"reason"`
	Reference string          `yaml:"reference"`
	Files     map[string]file `yaml:"files"`
	Image     *oci.Image      `yaml:"image"`
	As        []string        `yaml:"as"`
	step      `yaml:",inline"`
	Steps     []step `yaml:"steps"`

	family string
	texts  recipe.Texts
}

// step is one call of the program.
type step struct {
	Job        string            `yaml:"job,omitempty"`
	Args       []string          `yaml:"args,omitempty"`
	Faults     []oci.Fault       `yaml:"faults,omitempty"`
	Damage     string            `yaml:"damage,omitempty"`
	Write      map[string]file   `yaml:"write,omitempty"`
	Concurrent int               `yaml:"concurrent,omitempty"`
	Env        map[string]string `yaml:"env,omitempty"`
	Verdict    verdicts          `yaml:"verdict,omitempty"`
}

// file is a regular file, unless it says otherwise.
type file struct {
	recipe.Recipe
	Link     string
	Mode     string
	Modified string
}

// UnmarshalYAML reads a recipe, or a mapping that says what else a file is.
func (f *file) UnmarshalYAML(n *yaml.Node) error {
	special := struct {
		Link     string        `yaml:"link"`
		Mode     string        `yaml:"mode"`
		Modified string        `yaml:"modified"`
		Content  recipe.Recipe `yaml:"content"`
	}{}
	if n.Kind == yaml.MappingNode && (has(n, "link") || has(n, "content")) {
		err := n.Decode(&special)
		*f = file{special.Content, special.Link, special.Mode, special.Modified}
		return err
	}
	return n.Decode(&f.Recipe)
}

func has(n *yaml.Node, key string) bool {
	for i := 0; i < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return true
		}
	}
	return false
}

// load reads all cases below a folder: files of cases, and what they share.
func load(dir string) ([]*testCase, *classes, error) {
	var shared recipe.Texts
	if err := readYAML(filepath.Join(dir, "texts.yaml"), &shared); err != nil {
		return nil, nil, err
	}
	known, err := readClasses(filepath.Join(dir, "classes.yaml"))
	if err != nil {
		return nil, nil, err
	}
	files, err := filepath.Glob(filepath.Join(dir, "cases", "*.yaml"))
	if err != nil {
		return nil, nil, err
	}
	var all []*testCase
	for _, name := range files {
		var f family
		if err := readYAML(name, &f); err != nil {
			return nil, nil, err
		}
		if f.Version != schemaVersion {
			return nil, nil, fmt.Errorf("%s: version %d of the schema, and this runner reads %d", name, f.Version, schemaVersion)
		}
		texts := recipe.Texts{}
		for _, t := range []recipe.Texts{shared, f.Texts} {
			for key, r := range t {
				texts[key] = r
			}
		}
		for i := range f.Cases {
			c := &f.Cases[i]
			c.family, c.texts = f.Family, texts
			if err := c.check(known); err != nil {
				return nil, nil, fmt.Errorf("%s: %s: %w", name, c.ID, err)
			}
			all = append(all, c)
		}
		for _, a := range f.Archives {
			cases, err := a.cases(filepath.Join(dir, ".."), f.Family, known)
			if err != nil {
				return nil, nil, fmt.Errorf("%s: %w", name, err)
			}
			all = append(all, cases...)
		}
	}
	if len(all) == 0 {
		return nil, nil, fmt.Errorf("%s: there are no cases", dir)
	}
	return all, known, nil
}

// check completes a case that is written the short way.
func (c *testCase) check(known *classes) error {
	if len(c.Steps) == 0 {
		c.Steps = []step{c.step}
	}
	if c.As == nil {
		c.As = []string{""}
		if c.Image != nil {
			c.As = []string{"layout", "registry"}
		}
	}
	for _, s := range c.Steps {
		if s.Job == "" || len(s.Verdict) == 0 {
			return errors.New("a step needs a job and a verdict")
		}
		for _, v := range s.Verdict {
			if err := v.check(known); err != nil {
				return err
			}
		}
	}
	return nil
}

func readYAML(name string, into any) error {
	b, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var whole yaml.Node
	if err := yaml.Unmarshal(b, &whole); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	// Parts are decoded on their own, where an alias would know no anchor.
	if b, err = yaml.Marshal(withoutAliases(&whole)); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	d := yaml.NewDecoder(bytes.NewReader(b))
	d.KnownFields(true)
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// withoutAliases copies a tree with what aliases stand for in their places.
func withoutAliases(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	out := *n
	out.Anchor, out.Content = "", nil
	for _, c := range n.Content {
		out.Content = append(out.Content, withoutAliases(c))
	}
	return &out
}
