package lintinput

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

// Want is one expected finding.
type Want struct {
	File    string // "" for a finding without a place
	Line    int
	Rule    string
	Message *regexp.Regexp
}

// String is the place, the rule and the pattern of the message.
func (w Want) String() string {
	place := ""
	if w.File != "" {
		place = w.File + ":" + strconv.Itoa(w.Line) + ": "
	}
	return fmt.Sprintf("%s%s %q", place, w.Rule, w.Message)
}

// FixedPrefix is what the name of a file begins with that holds what another one becomes.
const FixedPrefix = "fixed/"

// IsYAML reports whether a file of this name is one of a package.
func IsYAML(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".yaml" || ext == ".yml"
}

var (
	// A comment of YAML begins a line or follows white space.
	inComment = regexp.MustCompile(`(?:^|\s)# *want\s+(.*)$`)
	inText    = regexp.MustCompile(`^(?:(.+):(\d+): )?want\s+(.*)$`)
	aRule     = regexp.MustCompile(`^([a-z0-9]+(?:-[a-z0-9]+)*)\s+`)
)

// Wants reads the comments of the files and the text before them. It returns a line for each
// that cannot be read.
func Wants(a *txtar.Archive) (wants []Want, problems []string) {
	add := func(file string, line int, text string) {
		ws, err := parseWants(file, line, text)
		if err != nil {
			problems = append(problems, fmt.Sprintf("%s:%d: bad expectation: %v", file, line, err))
		}
		wants = append(wants, ws...)
	}
	for _, l := range lines(a.Comment) {
		if m := inText.FindStringSubmatch(l); m != nil {
			line, _ := strconv.Atoi(m[2]) // digits, or nothing: a finding without a place
			add(m[1], line, m[3])
		}
	}
	for _, f := range a.Files {
		if !IsYAML(f.Name) || strings.HasPrefix(f.Name, FixedPrefix) {
			continue
		}
		for i, l := range lines(f.Data) {
			if m := inComment.FindStringSubmatch(l); m != nil {
				add(f.Name, i+1, m[1])
			}
		}
	}
	return wants, problems
}

func lines(b []byte) []string {
	return strings.Split(strings.ReplaceAll(string(b), "\r\n", "\n"), "\n")
}

// parseWants reads pairs of a rule and a quoted regular expression.
func parseWants(file string, line int, text string) ([]Want, error) {
	var wants []Want
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		m := aRule.FindStringSubmatch(text)
		if m == nil {
			return wants, fmt.Errorf("a rule and a quoted regular expression are expected at %q", text)
		}
		text = text[len(m[0]):]
		quoted, err := strconv.QuotedPrefix(text)
		if err != nil {
			return wants, fmt.Errorf("a quoted regular expression is expected at %q", text)
		}
		text = text[len(quoted):]
		pattern, err := strconv.Unquote(quoted)
		if err != nil {
			return wants, err
		}
		re, err := regexp.Compile(pattern)
		if err != nil {
			return wants, err
		}
		wants = append(wants, Want{File: file, Line: line, Rule: m[1], Message: re})
	}
	return wants, nil
}
