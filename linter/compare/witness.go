package compare

import (
	"encoding/json"
	"math"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
)

// maxWitness is how long a text is made at most to show what a length means, in
// characters.
const maxWitness = 1 << 12

// maxPattern is how long a pattern is at most that is looked into, in bytes, and
// maxSteps how many parts of it are written.
const (
	maxPattern = 4 << 10
	maxSteps   = 1 << 16
)

// candidates are values from which a witness is chosen: a value that the old schema
// accepts and the new one refuses. They come from the limits of both schemas. What
// they are worth is for accepts to say.
func candidates(old, new object) []any {
	var out []any
	for _, s := range []object{old, new} {
		for _, name := range []string{"default", "example"} {
			if v, set := s[name]; set {
				out = append(out, v)
			}
		}
	}
	t := typesOf(old)
	if t&aText != 0 {
		out = append(out, textCandidates(old, new)...)
	}
	if t&anInteger != 0 {
		out = append(out, numberCandidates(old, new)...)
	}
	if t&aBoolean != 0 {
		out = append(out, true, false)
	}
	return out
}

func textCandidates(old, new object) []any {
	lengths := []int{0, 1, 2, 3}
	for _, s := range []object{old, new} {
		for _, name := range []string{"minLength", "maxLength"} {
			if n, ok := s.number(name); ok && n >= 0 && n < maxWitness {
				lengths = append(lengths, max(0, int(n)-1), int(n), int(n)+1)
			}
		}
	}
	slices.Sort(lengths)
	lengths = slices.Compact(lengths)
	var out []any
	patterns := patternsOf(old, nil)
	for _, n := range lengths {
		for _, sign := range []string{letter, "A", "0", "-", ".", "_", "/", " ", "é"} {
			out = append(out, strings.Repeat(sign, n))
		}
		for _, p := range patterns {
			for variant := range 4 {
				if g := (generator{repeat: n, variant: variant}); g.write(p, 0) {
					out = append(out, g.text.String())
				}
			}
		}
	}
	return out
}

// patternsOf are the patterns of a schema and of those that it is composed of.
func patternsOf(s object, out []*syntax.Regexp) []*syntax.Regexp {
	if p := s.text("pattern"); p != "" && len(p) <= maxPattern {
		if re, err := syntax.Parse(p, syntax.Perl); err == nil {
			out = append(out, re)
		}
	}
	for _, name := range []string{"allOf", "anyOf", "oneOf"} {
		for _, sub := range s.objects(name) {
			out = patternsOf(sub, out)
		}
	}
	return out
}

// A generator writes a text that a pattern probably matches. What is repeated is
// repeated as often as wanted, and of alternatives and characters the variant says
// which one is taken.
type generator struct {
	text            strings.Builder
	repeat, variant int
	steps           int
}

// write reports false when the text has become too long.
func (g *generator) write(re *syntax.Regexp, depth int) bool {
	if g.steps++; g.steps > maxSteps {
		return false
	}
	subs, times := re.Sub, 1
	switch re.Op {
	case syntax.OpLiteral:
		g.text.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		if len(re.Rune) > 0 {
			g.text.WriteRune(re.Rune[(2*g.variant)%len(re.Rune)])
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		g.text.WriteString(letter)
	case syntax.OpAlternate:
		subs = subs[g.variant%len(subs):][:1]
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		times = g.times(re, depth)
		depth++
	}
	for range times {
		for _, sub := range subs {
			if !g.write(sub, depth) {
				return false
			}
		}
	}
	return g.text.Len() <= 4*maxWitness
}

// times is how often a repetition is written: the outer one as often as wanted,
// one within another as seldom as may be.
func (g *generator) times(re *syntax.Regexp, depth int) int {
	least, most := 0, math.MaxInt
	switch re.Op {
	case syntax.OpPlus:
		least = 1
	case syntax.OpQuest:
		most = 1
	case syntax.OpRepeat:
		least = re.Min
		if re.Max >= 0 {
			most = re.Max
		}
	}
	if depth > 0 {
		return least
	}
	return min(max(g.repeat, least), most)
}

func numberCandidates(old, new object) []any {
	numbers := []float64{0, 1, -1, 2, 0.5}
	for _, s := range []object{old, new} {
		for _, name := range []string{"minimum", "maximum", "multipleOf"} {
			if n, ok := s.number(name); ok {
				numbers = append(numbers, n, n-1, n+1, n-0.5, n+0.5, math.Floor(n), math.Ceil(n), 2*n, 3*n, n/2)
			}
		}
	}
	// Between a limit and its successor, and multiples near the limits.
	if step, ok := old.number("multipleOf"); ok && step > 0 {
		for _, n := range slices.Clone(numbers) {
			numbers = append(numbers, math.Floor(n/step)*step, math.Ceil(n/step)*step)
		}
	}
	for _, name := range []string{"minimum", "maximum"} {
		a, okA := old.number(name)
		b, okB := new.number(name)
		if okA && okB {
			numbers = append(numbers, (a+b)/2)
		}
	}
	var out []any
	for _, n := range numbers {
		if !math.IsInf(n, 0) && !math.IsNaN(n) {
			out = append(out, json.Number(strconv.FormatFloat(n, 'f', -1, 64)))
		}
	}
	return out
}
