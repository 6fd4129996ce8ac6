package lintertest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

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
	inputs, problems := inputsOf(txtar.Parse(archive))
	if len(problems) > 0 {
		return problems
	}
	for _, in := range inputs {
		found, unmet := in.check(o)
		for _, p := range unmet {
			problems = append(problems, in.name+": "+p)
		}
		in.reported = slices.ContainsFunc(found, func(d linter.Diagnostic) bool { return d.Rule == r.ID })
	}
	return append(problems, checkSides(inputs)...)
}

// input is one of the packages of an archive.
type input struct {
	name, reason string
	files        []txtar.File
	wants        []string // lines of the text, without the name
	reported     bool
}

// checkSides describes what is missing on either side of what a rule decides.
func checkSides(inputs []*input) []string {
	var problems []string
	sides := map[string]bool{}
	for _, in := range inputs {
		switch in.name {
		case "bad", "good":
			sides[in.name] = true
			if in.reported != (in.name == "bad") {
				problems = append(problems, fmt.Sprintf("%s: reported is %t", in.name, in.reported))
			}
			continue
		}
		sides["borderline"] = true
		if in.reason == "" {
			problems = append(problems, in.name+": no line of the text gives the reason")
		}
		if !slices.ContainsFunc(inputs, func(other *input) bool { return other.reported != in.reported && isOneLineAway(in, other) }) {
			problems = append(problems, in.name+": no input that is decided otherwise is one line away")
		}
	}
	for _, side := range []string{"bad", "good", "borderline"} {
		if !sides[side] {
			problems = append(problems, "there is no "+side+" input")
		}
	}
	return problems
}

var (
	inputLine = regexp.MustCompile(`^(bad|good|borderline[a-z0-9-]*)(?:/([^:]+:\d+))?: +(.*)$`)
	inputFile = regexp.MustCompile(`^(bad|good|borderline[a-z0-9-]*)(?:/(.+)| from (bad|good|borderline[a-z0-9-]*))$`)
)

// inputsOf takes an archive apart, in the order of its files.
func inputsOf(a *txtar.Archive) (inputs []*input, problems []string) {
	named := map[string]*input{}
	for _, f := range a.Files {
		m := inputFile.FindStringSubmatch(f.Name)
		if m == nil {
			problems = append(problems, f.Name+": not a file of an input (bad, good or borderline…)")
			continue
		}
		in := named[m[1]]
		if in == nil {
			in = &input{name: m[1]}
			named[m[1]] = in
			inputs = append(inputs, in)
		}
		switch base := named[m[3]]; {
		case m[3] == "":
			in.files = append(in.files, txtar.File{Name: m[2], Data: f.Data})
		case base == nil:
			problems = append(problems, f.Name+": there is no such input before it")
		default:
			files, err := changed(base.files, f.Data)
			if err != nil {
				problems = append(problems, fmt.Sprintf("%s: %v", f.Name, err))
			}
			in.files = files
		}
	}
	for _, l := range lines(a.Comment) {
		m := inputLine.FindStringSubmatch(l)
		switch {
		case m == nil:
		case named[m[1]] == nil:
			problems = append(problems, l+": there is no such input")
		case m[2] != "":
			named[m[1]].wants = append(named[m[1]].wants, m[2]+": "+m[3])
		case strings.HasPrefix(m[3], "want "):
			named[m[1]].wants = append(named[m[1]].wants, m[3])
		default:
			named[m[1]].reason = m[3]
		}
	}
	return inputs, problems
}

// changed carries out a change in the one file that has the old lines.
func changed(files []txtar.File, change []byte) ([]txtar.File, error) {
	var was, is strings.Builder
	for l := range strings.Lines(string(change)) {
		if l[0] != '+' {
			was.WriteString(withoutWant(l[1:]))
		}
		if l[0] != '-' {
			is.WriteString(l[1:])
		}
	}
	out, times := slices.Clone(files), 0
	for i, f := range files {
		text := "\n" + plain(f.Data) // lines are compared from their beginning on
		times += strings.Count(text, "\n"+was.String())
		out[i].Data = []byte(strings.Replace(text, "\n"+was.String(), "\n"+is.String(), 1)[1:])
	}
	if times != 1 {
		return nil, fmt.Errorf("the lines to change are there %d times (one is expected)", times)
	}
	return out, nil
}

// plain is a text without its expectations.
func plain(data []byte) string {
	var b strings.Builder
	for l := range strings.Lines(string(data)) {
		b.WriteString(withoutWant(l))
	}
	return b.String()
}

func withoutWant(line string) string {
	if at := inComment.FindStringIndex(strings.TrimSuffix(line, "\n")); at != nil {
		return strings.TrimRight(line[:at[0]], " ") + "\n"
	}
	return line
}

// check lints an input as a package of its own.
func (in *input) check(o *linter.Options) ([]linter.Diagnostic, []string) {
	a := &txtar.Archive{Comment: []byte(strings.Join(in.wants, "\n")), Files: in.files}
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
	for _, f := range in.files {
		b.WriteString("-- " + f.Name + " --\n" + plain(f.Data))
	}
	return b.String()
}
