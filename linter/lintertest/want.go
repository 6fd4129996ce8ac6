package lintertest

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/xpkg-go/sdk/linter"
)

// want is one expected finding.
type want struct {
	file    string // "" for a finding without a place
	line    int
	rule    string
	message *regexp.Regexp
}

// String is the place, the rule and the pattern of the message.
func (w want) String() string {
	place := ""
	if w.file != "" {
		place = w.file + ":" + strconv.Itoa(w.line) + ": "
	}
	return fmt.Sprintf("%s%s %q", place, w.rule, w.message)
}

func (w want) matches(d linter.Diagnostic) bool {
	text := d.Message
	if d.Path != "" {
		text += " (" + d.Path + ")"
	}
	return w.file == d.Range.File && w.line == d.Range.Start.Line && w.rule == d.Rule && w.message.MatchString(text)
}

var (
	// A comment of YAML begins a line or follows white space.
	inComment = regexp.MustCompile(`(?:^|\s)# *want\s+(.*)$`)
	inText    = regexp.MustCompile(`^(?:(.+):(\d+): )?want\s+(.*)$`)
	aRule     = regexp.MustCompile(`^([a-z0-9]+(?:-[a-z0-9]+)*)\s+`)
)

// expectations reads the comments of the files and the text before them.
func expectations(a *txtar.Archive) (wants []want, problems []string) {
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
		if !isYAML(f.Name) || strings.HasPrefix(f.Name, fixedPrefix) {
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
func parseWants(file string, line int, text string) ([]want, error) {
	var wants []want
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
		wants = append(wants, want{file: file, line: line, rule: m[1], message: re})
	}
	return wants, nil
}
