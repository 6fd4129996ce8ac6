package lintinput

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

// Input is one of the packages of an archive.
type Input struct {
	Name, Reason string
	Files        []txtar.File
	Wants        []string // lines of the text that expect something, without the name
}

var (
	inputLine = regexp.MustCompile(`^(bad|good|borderline[a-z0-9-]*)(?:/([^:]+:\d+))?: +(.*)$`)
	inputFile = regexp.MustCompile(`^(bad|good|borderline[a-z0-9-]*)(?:/(.+)| from (bad|good|borderline[a-z0-9-]*))$`)
)

// Inputs takes an archive apart, in the order of its files. It returns a line for each thing
// that is not as the format has it.
func Inputs(a *txtar.Archive) (inputs []*Input, problems []string) {
	named := map[string]*Input{}
	for _, f := range a.Files {
		m := inputFile.FindStringSubmatch(f.Name)
		if m == nil {
			problems = append(problems, f.Name+": not a file of an input (bad, good or borderline…)")
			continue
		}
		in := named[m[1]]
		if in == nil {
			in = &Input{Name: m[1]}
			named[m[1]] = in
			inputs = append(inputs, in)
		}
		switch base := named[m[3]]; {
		case m[3] == "":
			in.Files = append(in.Files, txtar.File{Name: m[2], Data: f.Data})
		case base == nil:
			problems = append(problems, f.Name+": there is no such input before it")
		default:
			files, err := changed(base.Files, f.Data)
			if err != nil {
				problems = append(problems, fmt.Sprintf("%s: %v", f.Name, err))
			}
			in.Files = files
		}
	}
	for _, l := range lines(a.Comment) {
		m := inputLine.FindStringSubmatch(l)
		switch {
		case m == nil:
		case named[m[1]] == nil:
			problems = append(problems, l+": there is no such input")
		case m[2] != "":
			named[m[1]].Wants = append(named[m[1]].Wants, m[2]+": "+m[3])
		case strings.HasPrefix(m[3], "want "):
			named[m[1]].Wants = append(named[m[1]].Wants, m[3])
		default:
			named[m[1]].Reason = m[3]
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
		text := "\n" + Plain(f.Data) // lines are compared from their beginning on
		times += strings.Count(text, "\n"+was.String())
		out[i].Data = []byte(strings.Replace(text, "\n"+was.String(), "\n"+is.String(), 1)[1:])
	}
	if times != 1 {
		return nil, fmt.Errorf("the lines to change are there %d times (one is expected)", times)
	}
	return out, nil
}

var repeated = regexp.MustCompile(`\{(\d+)\*(.)\}`)

// Expand writes out what an archive has many of: {3*a} is aaa.
func Expand(archive []byte) []byte {
	return repeated.ReplaceAllFunc(archive, func(b []byte) []byte {
		m := repeated.FindSubmatch(b)
		n, _ := strconv.Atoi(string(m[1])) // digits
		return []byte(strings.Repeat(string(m[2]), n))
	})
}

// Plain is a text without its expectations.
func Plain(data []byte) string {
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
