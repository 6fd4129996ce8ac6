package linter

import (
	"path"
	"slices"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// ConfigFile is the name of the file that a package directory's settings are in.
const ConfigFile = ".xpkg-lint.yaml"

// Config are an author's settings, as a file .xpkg-lint.yaml has them:
//
//	target: v1.20
//	profile: publish
//	failOn: warning
//	rules:
//	  crd-not-served: off
//	  metadata-name: info
//	paths:
//	- match: [generated/, "*.gen.yaml"]
//	  rules:
//	    "*": off
//	    crd-name: error
//
// ParseConfig reads one. Check carries it out, save for FailOn, which is for whoever
// decides what becomes of the findings; what Options say otherwise rules over it.
type Config struct {
	// Target is as Options.Target.
	Target string `json:"target,omitempty"`
	// Profile is as Options.Profile.
	Profile Profile `json:"profile,omitempty"`
	// FailOn is the least severity that is too much (see MaxSeverity); zero leaves it to
	// the program, whose flags rule over it.
	FailOn Severity `json:"failOn,omitempty"`
	// Rules give rules another severity, by their ID, or turn them off. The name "*"
	// stands for all rules that are not named beside it.
	Rules map[string]Level `json:"rules,omitempty"`
	// Paths do so for some files only, and rule over Rules; of several that match a file
	// and have a say about a rule, the last one rules.
	Paths []PathConfig `json:"paths,omitempty"`
}

// PathConfig are settings for some files.
type PathConfig struct {
	// Match are patterns as in gitignore(5), for slash-separated paths below the package
	// directory: the last one that matches decides, and ! before a pattern takes files
	// back out. A finding without a file matches none.
	Match []string `json:"match"`
	// Rules are as Config.Rules.
	Rules map[string]Level `json:"rules"`
}

// Level is what a configuration makes of the findings of a rule: a severity, or nothing.
type Level string

// The levels.
const (
	LevelOff     Level = "off" // there are none
	LevelInfo    Level = "info"
	LevelWarning Level = "warning"
	LevelError   Level = "error"
)

// severity returns false for a level that is none.
func (l Level) severity() (Severity, bool) {
	if l == LevelOff {
		return 0, true
	}
	s, err := ParseSeverity(string(l))
	return s, err == nil
}

// allRules stands for all rules in Config.Rules.
const allRules = "*"

// check returns what is wrong with the words of the configuration as meta.FieldErrors, and
// with the names of rules where ids holds those that there are.
func (c *Config) check(ids []string) error {
	var errs meta.FieldErrors
	wrong := func(found, want string, path ...any) {
		errs = append(errs, &meta.FieldError{Path: path, Fault: meta.FaultType, Found: quote(found), Want: want})
	}
	if _, err := parseRelease(c.Target); c.Target != "" && err != nil {
		wrong(c.Target, "a Crossplane version such as v1.20", "target")
	}
	if _, err := ParseProfile(string(c.Profile)); c.Profile != "" && err != nil {
		wrong(string(c.Profile), "install or publish", "profile")
	}
	checkRules := func(rules map[string]Level, in ...any) {
		for _, id := range sortedKeys(rules) {
			at := append(slices.Clone(in), id)
			if _, ok := rules[id].severity(); !ok {
				wrong(string(rules[id]), "off, info, warning or error", at...)
			}
			if ids != nil && id != allRules && !slices.Contains(ids, id) {
				errs = append(errs, &meta.FieldError{Path: at, Fault: meta.FaultNotInFormat, Found: quote(id), Want: "the name of a rule" + didYouMean(id, ids)})
			}
		}
	}
	checkRules(c.Rules, "rules")
	for _, id := range []string{parser.RuleSyntax, parser.RuleUnreadable, parser.RuleLimit} {
		if c.Rules[id] == LevelOff {
			wrong(string(LevelOff), "info, warning or error: no rule judges what cannot be read (paths may leave out files)", "rules", id)
		}
	}
	for i, p := range c.Paths {
		if len(p.Match) == 0 {
			errs = append(errs, &meta.FieldError{Path: meta.Path{"paths", i, "match"}, Fault: meta.FaultRequired, Want: "the files that the rules are for"})
		}
		for j, pattern := range p.Match {
			if _, err := path.Match(pattern, ""); err != nil {
				wrong(pattern, "a pattern as in gitignore: a bracket or an escape is not complete", "paths", i, "match", j)
			}
		}
		checkRules(p.Rules, "paths", i, "rules")
	}
	if len(errs) > 0 {
		return errs
	}
	return nil
}
