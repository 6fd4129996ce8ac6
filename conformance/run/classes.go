package main

import (
	"fmt"
)

// class is a kind of fault, by a name that no implementation has to share.
type class struct {
	Class  string   `yaml:"class"`
	Means  string   `yaml:"means"`
	Reason string   `yaml:"reason"`
	Rules  []string `yaml:"rules"` // the names that the inputs of this repository have for it
}

// classes tells classes, and what a program calls them.
type classes struct {
	named  map[string]*class
	rules  map[string]string // of the inputs to the class
	theirs map[string]string // of the program under test to the class
}

func readClasses(name string) (*classes, error) {
	var list []class
	if err := readYAML(name, &list); err != nil {
		return nil, err
	}
	c := &classes{named: map[string]*class{}, rules: map[string]string{}}
	for i, one := range list {
		if c.named[one.Class] != nil {
			return nil, fmt.Errorf("%s: class %s is there twice", name, one.Class)
		}
		c.named[one.Class] = &list[i]
		for _, rule := range one.Rules {
			if c.rules[rule] != "" {
				return nil, fmt.Errorf("%s: rule %s has two classes", name, rule)
			}
			c.rules[rule] = one.Class
		}
	}
	c.theirs = c.rules
	return c, nil
}

// of returns the class of a finding, and "" for one that is none of them.
func (c *classes) of(d diagnostic) string {
	if d.Class != "" {
		return d.Class
	}
	return c.theirs[d.Rule]
}
