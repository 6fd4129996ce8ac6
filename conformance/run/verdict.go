package main

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// verdicts are the answers that will do: most often one.
type verdicts []verdict

// UnmarshalYAML reads one verdict, or a list.
func (v *verdicts) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.SequenceNode {
		return n.Decode((*[]verdict)(v))
	}
	*v = make(verdicts, 1)
	return n.Decode(&(*v)[0])
}

// verdict is what an answer must be; what it does not speak of may be anything.
type verdict struct {
	Outcome  string         `yaml:"outcome,omitempty"`
	Facts    map[string]any `yaml:"facts,omitempty"`
	Objects  []object       `yaml:"objects,omitempty"`
	Faults   []fault        `yaml:"faults,omitempty"`
	Exactly  []string       `yaml:"exactly,omitempty"` // no other faults of these classes
	Code     string         `yaml:"code,omitempty"`
	Says     []string       `yaml:"says,omitempty"`
	Packages []pkg          `yaml:"packages,omitempty"`
	Count    map[string]int `yaml:"count,omitempty"`    // how many items a list of the answer has
	Same     string         `yaml:"same,omitempty"`     // the fact that is as it was in the step before
	Differs  string         `yaml:"differs,omitempty"`  // or is not
	Length   int            `yaml:"length,omitempty"`   // bytes of the message, at most
	Requests int            `yaml:"requests,omitempty"` // to the registry, at most
	Times    map[string]int `yaml:"times,omitempty"`    // how often the registry was asked for something, at most
	Memory   int64          `yaml:"memory,omitempty"`   // MiB, at most
	File     string         `yaml:"file,omitempty"`     // one that is there
	NoFile   string         `yaml:"noFile,omitempty"`   // or is not
}

type object struct {
	APIVersion string `yaml:"apiVersion,omitempty" json:"apiVersion"`
	Kind       string `yaml:"kind,omitempty" json:"kind"`
	Name       string `yaml:"name,omitempty" json:"name"`
	File       string `yaml:"file,omitempty" json:"file"`
	Line       int    `yaml:"line,omitempty" json:"line"`
}

type fault struct {
	Class  string   `yaml:"class,omitempty"`
	Any    []string `yaml:"classes,omitempty"` // where more than one will do
	File   string   `yaml:"file,omitempty"`
	Line   int      `yaml:"line,omitempty"`
	Object object   `yaml:"object,omitempty"`
	Path   string   `yaml:"path,omitempty"`
	Says   []string `yaml:"says,omitempty"`
}

type pkg struct {
	Source  string `yaml:"source,omitempty" json:"source"`
	Version string `yaml:"version,omitempty" json:"version"`
	Kind    string `yaml:"kind,omitempty" json:"kind"`
	Digest  string `yaml:"digest,omitempty" json:"digest"`
	Action  string `yaml:"action,omitempty" json:"action"`
}

// exits are the exit codes of each outcome.
var exits = map[string][]int{"ok": {0}, "findings": {1}, "read": {0, 1}, "unsolved": {1}, "refused": {2}}

// codes are the classes of a refusal.
var codes = []string{"invalid", "not-a-package", "limit", "digest", "unauthorized", "not-found", "unavailable", "canceled"}

// check refuses what no answer could be.
func (v *verdict) check(known *classes) error {
	if exits[v.Outcome] == nil {
		return fmt.Errorf("there is no outcome %q", v.Outcome)
	}
	if v.Code != "" && !slices.Contains(codes, v.Code) {
		return fmt.Errorf("there is no code %q", v.Code)
	}
	named := slices.Clone(v.Exactly)
	for _, f := range v.Faults {
		named = append(append(named, f.Class), f.Any...)
	}
	for _, name := range named {
		if name != "" && known.named[name] == nil {
			return fmt.Errorf("there is no class %q", name)
		}
	}
	return nil
}

// judge returns what is not as the verdict has it.
func (v *verdict) judge(a *answer, known *classes, names map[string]string) []string {
	var wrong []string
	miss := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	if !slices.Contains(exits[v.Outcome], a.exit) {
		miss("exit code %d, want %v (%s)%s", a.exit, exits[v.Outcome], v.Outcome, a.brief())
		return wrong
	}
	if v.Outcome == "ok" && slices.ContainsFunc(a.Diagnostics, func(d diagnostic) bool { return d.Severity == "error" }) {
		miss("a finding of severity error%s", a.brief())
	}
	if v.Outcome == "findings" && len(v.Faults) == 0 {
		miss("the case does not say what is found")
	}
	for key, want := range v.Facts {
		if w, ok := want.(string); ok {
			want = named(w, names)
		}
		if got := a.fact(key); fmt.Sprint(got) != fmt.Sprint(want) {
			miss("%s is %v, want %v", key, got, want)
		}
	}
	for key, want := range v.Count {
		if list, _ := a.fact(key).([]any); len(list) != want {
			miss("%d %s, want %d", len(list), key, want)
		}
	}
	if v.Objects != nil {
		wrong = append(wrong, compare("object", v.Objects, a.Objects, object.matches)...)
	}
	if v.Packages != nil {
		wrong = append(wrong, compare("package", v.Packages, a.Packages, pkg.matches)...)
	}
	wrong = append(wrong, v.judgeFaults(a.Diagnostics, known, names)...)
	if v.Code != "" && a.Error.Code != v.Code {
		miss("error code %q, want %q (%.300s)", a.Error.Code, v.Code, a.Error.Message)
	}
	if v.Outcome == "refused" || v.Outcome == "unsolved" {
		if a.Error.Message == "" {
			miss("the error has no message")
		}
		for _, s := range v.Says {
			if !strings.Contains(a.Error.Message, named(s, names)) {
				miss("the message does not say %q: %.300s", named(s, names), a.Error.Message)
			}
		}
	}
	if v.Length > 0 && len(a.Error.Message) > v.Length {
		miss("the message has %d bytes, want at most %d", len(a.Error.Message), v.Length)
	}
	return wrong
}

// judgeFaults pairs faults with findings.
func (v *verdict) judgeFaults(found []diagnostic, known *classes, names map[string]string) []string {
	var wrong []string
	left := slices.Clone(found)
	for _, f := range v.Faults {
		i := slices.IndexFunc(left, func(d diagnostic) bool { return f.matches(d, known, names) })
		if i < 0 {
			wrong = append(wrong, fmt.Sprintf("no fault %s%s", f, listOf(found, known)))
			continue
		}
		if v.Length > 0 && len(left[i].Message) > v.Length {
			wrong = append(wrong, fmt.Sprintf("the message has %d bytes, want at most %d", len(left[i].Message), v.Length))
		}
		left = slices.Delete(left, i, i+1)
	}
	for _, d := range left {
		again := func(f fault) bool { return f.matches(d, known, names) } // one more about what is told
		if slices.Contains(v.Exactly, known.of(d)) && !slices.ContainsFunc(v.Faults, again) {
			wrong = append(wrong, fmt.Sprintf("a fault too many: %s at %s:%d: %.200s", known.of(d), d.File, d.Line, d.Message))
		}
	}
	return wrong
}

func (f fault) matches(d diagnostic, known *classes, names map[string]string) bool {
	class := known.of(d)
	if class != f.Class && !slices.Contains(f.Any, class) {
		return false
	}
	for _, s := range f.Says {
		if !strings.Contains(d.Message, named(s, names)) {
			return false
		}
	}
	is := func(want, got string) bool { return want == "" || want == got }
	return is(f.File, d.File) && (f.Line == 0 || f.Line == d.Line) && is(f.Path, d.Path) && is(f.Object.Kind, d.Object.Kind) && is(f.Object.Name, d.Object.Name)
}

// String is the place and the class.
func (f fault) String() string {
	text := strings.Join(append(slices.DeleteFunc([]string{f.Class}, func(s string) bool { return s == "" }), f.Any...), " or ")
	if f.File != "" || f.Line != 0 {
		text += fmt.Sprintf(" at %s:%d", f.File, f.Line)
	}
	if f.Object.Kind != "" || f.Object.Name != "" {
		text += fmt.Sprintf(" of %s %s", f.Object.Kind, f.Object.Name)
	}
	if f.Path != "" {
		text += " (" + f.Path + ")"
	}
	if len(f.Says) > 0 {
		text += fmt.Sprintf(" that says %q", f.Says)
	}
	return text
}

func listOf(found []diagnostic, known *classes) string {
	text := " among"
	for _, d := range found[:min(len(found), 8)] {
		text += fmt.Sprintf(" [%s (%s) %s:%d %s %.120s]", known.of(d), d.Rule, d.File, d.Line, d.Object.Name, d.Message)
	}
	return fmt.Sprintf("%s: %d in all", text, len(found))
}

func (o object) matches(got object) bool {
	return (o.APIVersion == "" || o.APIVersion == got.APIVersion) && (o.Kind == "" || o.Kind == got.Kind) &&
		(o.Name == "" || o.Name == got.Name) && (o.File == "" || o.File == got.File) && (o.Line == 0 || o.Line == got.Line)
}

func (p pkg) matches(got pkg) bool {
	return (p.Source == "" || p.Source == got.Source) && (p.Version == "" || p.Version == got.Version) && (p.Kind == "" || p.Kind == got.Kind) &&
		(p.Digest == "" || p.Digest == got.Digest) && (p.Action == "" || p.Action == got.Action)
}

// compare holds a list against the one that is wanted, in its order.
func compare[T any](what string, want, got []T, matches func(T, T) bool) []string {
	var wrong []string
	if len(want) != len(got) {
		wrong = append(wrong, fmt.Sprintf("%d %ss, want %d: %.400s", len(got), what, len(want), fmt.Sprintf("%+v", got)))
		return wrong
	}
	for i := range want {
		if !matches(want[i], got[i]) {
			wrong = append(wrong, fmt.Sprintf("%s %d is %+v, want %+v", what, i+1, got[i], want[i]))
		}
	}
	return wrong
}

// named writes names of digests out: {digest NAME}.
func named(text string, names map[string]string) string {
	for name, value := range names {
		text = strings.ReplaceAll(text, "{"+name+"}", value)
	}
	return text
}
