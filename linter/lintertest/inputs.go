package lintertest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/xpkg-go/sdk/internal/lintinput"
	"github.com/xpkg-go/sdk/linter"
)

// CheckInputs holds a rule to inputs on both sides of what it decides. The archive has
// several packages, each in a folder of its own: "bad", which the rule reports, "good",
// which it does not, and at least one whose name begins with "borderline". A borderline
// input is one line away from an input that the rule decides otherwise, so that a rule
// which draws its line elsewhere fails. The text before the files has a line for each
// borderline input with the reason why it is decided as it is:
//
//	borderline-63: a name of 63 letters is the longest that there is
//	-- bad/package.yaml --
//	name: Bad_Name # want a-rule "not a name"
//	-- good from bad --
//	-name: Bad_Name
//	+name: good-name
//
// As shown, an input may be told as what changes in another one: lines that begin with a
// minus sign are replaced by those that begin with a plus sign, and those with a space
// before them remain; together the old ones are in the other input once. A file image.json
// holds the facts about the image (linter.Image) that the package comes from.
//
// Each input is checked as by Check, with the expectations in its comments; one that no
// comment can hold is a line of the text, with the name of the input before it:
//
//	bad/package.yaml:3: want a-rule "of the third line"
//	bad: want a-rule "without a place"
//
// The rules of o are run, of which the rule is one. CheckInputs returns a line for each
// thing that is not so.
func CheckInputs(archive []byte, r *linter.Rule, o *linter.Options) []string {
	read, problems := lintinput.Inputs(txtar.Parse(archive))
	if len(problems) > 0 {
		return problems
	}
	var inputs []*input
	for _, r := range read {
		inputs = append(inputs, &input{Input: r})
	}
	for _, in := range inputs {
		found, unmet := in.check(o)
		for _, p := range unmet {
			problems = append(problems, in.Name+": "+p)
		}
		in.reported = slices.ContainsFunc(found, func(d linter.Diagnostic) bool { return d.Rule == r.ID })
	}
	return append(problems, checkSides(inputs)...)
}

// input is one of the packages of an archive.
type input struct {
	*lintinput.Input
	reported bool
}

// checkSides describes what is missing on either side of what a rule decides.
func checkSides(inputs []*input) []string {
	var problems []string
	sides := map[string]bool{}
	for _, in := range inputs {
		switch in.Name {
		case "bad", "good":
			sides[in.Name] = true
			if in.reported != (in.Name == "bad") {
				problems = append(problems, fmt.Sprintf("%s: reported is %t", in.Name, in.reported))
			}
			continue
		}
		sides["borderline"] = true
		if in.Reason == "" {
			problems = append(problems, in.Name+": no line of the text gives the reason")
		}
		if !slices.ContainsFunc(inputs, func(other *input) bool { return other.reported != in.reported && isOneLineAway(in, other) }) {
			problems = append(problems, in.Name+": no input that is decided otherwise is one line away")
		}
	}
	for _, side := range []string{"bad", "good", "borderline"} {
		if !sides[side] {
			problems = append(problems, "there is no "+side+" input")
		}
	}
	return problems
}

// check lints an input as a package of its own.
func (in *input) check(o *linter.Options) ([]linter.Diagnostic, []string) {
	a := &txtar.Archive{Comment: []byte(strings.Join(in.Wants, "\n")), Files: in.Files}
	options := *o
	if image := fileOf(a, "image.json"); image != nil {
		options.Image = &linter.Image{}
		decoder := json.NewDecoder(bytes.NewReader(image))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(options.Image); err != nil {
			return nil, []string{"image.json: " + err.Error()}
		}
	}
	return Check(txtar.Format(a), &options)
}

// isOneLineAway reports whether two inputs differ in one line that is changed, added or
// removed, the names of files counted.
func isOneLineAway(a, b *input) bool {
	x, y := strings.Split(a.text(), "\n"), strings.Split(b.text(), "\n")
	for len(x) > 0 && len(y) > 0 && x[0] == y[0] {
		x, y = x[1:], y[1:]
	}
	for len(x) > 0 && len(y) > 0 && x[len(x)-1] == y[len(y)-1] {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	return len(x) <= 1 && len(y) <= 1
}

// text is all of the files without their expectations.
func (in *input) text() string {
	var b strings.Builder
	for _, f := range in.Files {
		b.WriteString("-- " + f.Name + " --\n" + lintinput.Plain(f.Data))
	}
	return b.String()
}
