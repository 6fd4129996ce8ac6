package linter

import (
	"maps"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/internal/ignore"
)

// settings are a configuration as Check asks it.
type settings struct {
	rules map[string]Level
	paths []pathSettings
}

type pathSettings struct {
	match ignore.List
	rules map[string]Level
}

// newSettings returns those of a configuration, which may be nil.
func newSettings(c *Config) *settings {
	if c == nil {
		return &settings{}
	}
	s := &settings{rules: c.Rules}
	for _, p := range c.Paths {
		s.paths = append(s.paths, pathSettings{ignore.Parse(strings.Join(p.Match, "\n")), p.Rules})
	}
	return s
}

// levelOf returns "" when the rules say nothing about the one.
func levelOf(rules map[string]Level, id string) Level {
	if l, ok := rules[id]; ok {
		return l
	}
	return rules[allRules]
}

// isOff reports whether a rule is off in all files, so that it need not be run.
func (s *settings) isOff(id string) bool {
	if levelOf(s.rules, id) != LevelOff {
		return false
	}
	return !slices.ContainsFunc(s.paths, func(p pathSettings) bool {
		l := levelOf(p.rules, id)
		return l != "" && l != LevelOff
	})
}

// level returns what the configuration makes of the findings of a rule in a file, and ""
// when it says nothing.
func (s *settings) level(id, file string) Level {
	for _, p := range slices.Backward(s.paths) {
		if l := levelOf(p.rules, id); l != "" && file != "" && matches(p.match, file) {
			return l
		}
	}
	return levelOf(s.rules, id)
}

// matches reports whether patterns match a file or a directory that it is in.
func matches(l ignore.List, file string) bool {
	for i := range len(file) {
		if file[i] == '/' && l.Match(file[:i], true) {
			return true
		}
	}
	return l.Match(file, false)
}

// apply returns the findings with the severities that they are to have, without those
// that are off.
func (s *settings) apply(found []Diagnostic) []Diagnostic {
	var kept []Diagnostic
	for _, d := range found {
		if s.applyTo(&d) {
			kept = append(kept, d)
		}
	}
	return kept
}

// applyTo changes the severity of a finding, and returns false for one that is off.
func (s *settings) applyTo(d *Diagnostic) bool {
	switch l := s.level(d.Rule, d.Range.File); l {
	case "":
		return true
	case LevelOff:
		return false
	default:
		d.Severity, _ = l.severity() // Check has looked at all levels
		return true
	}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
