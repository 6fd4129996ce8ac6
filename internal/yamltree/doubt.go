package yamltree

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// A Doubt is a plain scalar or a binary (!!binary) that this package and other readers of YAML
// understand differently, or that does not survive some of them.
type Doubt struct {
	Node Node
	Path []any // to the value; of a key, to its value
	Key  bool  // the scalar is a key
	Kind DoubtKind

	// What it is here, and what it is to Kubernetes' reader, as JSON; of a long binary the
	// beginning. Kubernetes is "" for what that reader may refuse.
	Means, Kubernetes string
}

// DoubtKind says what a Doubt is about.
type DoubtKind uint8

// Kinds of doubts.
const (
	noDoubt   DoubtKind = iota
	Differs             // it is one value in YAML 1.2 and another one to Kubernetes' reader, which follows YAML 1.1
	Inexact             // a number that a 64 bit floating point number does not hold
	Respelled           // a number whose value remains, and whose digits do not
	Old                 // a text here and to Kubernetes' reader, and none to other readers of YAML 1.1
	Binary              // a binary: its text here, what that stands for to Kubernetes' reader
	Override            // a key that a merge key brings too: Kubernetes' strict reader refuses it
)

// Doubts calls f with the doubts of the document in their order, until f returns
// false. Values of aliases are those of the anchor. Path is only valid in f.
func (t *Tree) Doubts(f func(Doubt) bool) {
	w := doubts{tree: t, yield: f}
	w.node(0)
}

type doubts struct {
	tree  *Tree
	yield func(Doubt) bool
	path  []any
}

func (w *doubts) node(n Node) bool {
	switch e := &w.tree.nodes[n]; e.kind {
	case Scalar:
		return w.scalar(n, false)
	case Sequence:
		i := 0
		for c := range w.tree.children(n) {
			w.path = append(w.path, i)
			ok := w.node(c)
			if w.path = w.path[:len(w.path)-1]; !ok {
				return false
			}
			i++
		}
	case Mapping:
		key := None
		merged, twice := w.tree.mergedKeys(n)
		for c := range w.tree.children(n) {
			if key == None {
				key = c
				continue
			}
			name := w.tree.Key(key)
			w.path = append(w.path, name)
			ok := true
			if isMerge := w.tree.isMerge(key); isMerge && twice || !isMerge && merged[name] {
				ok = w.yield(Doubt{Node: key, Path: w.path, Key: true, Kind: Override, Means: string(appendString(nil, name))})
			}
			ok = ok && w.scalar(key, true) && w.node(c)
			if w.path = w.path[:len(w.path)-1]; !ok {
				return false
			}
			key = None
		}
	}
	return true
}

// mergedKeys returns the keys that the merge keys of the mapping n bring, and whether they
// bring one twice.
func (t *Tree) mergedKeys(n Node) (keys map[string]bool, twice bool) {
	if t.nodes[n].flags&hasMerge == 0 {
		return nil, false
	}
	keys = make(map[string]bool)
	for _, m := range t.merged(n) {
		for _, p := range t.Pairs(m) {
			name := t.Key(p.Key)
			twice = twice || keys[name]
			keys[name] = true
		}
	}
	return keys, twice
}

func (w *doubts) scalar(n Node, key bool) bool {
	e := &w.tree.nodes[n]
	if e.kind == Scalar && e.tag == tagBinary {
		d := binaryDoubt(w.tree.scalarText(n))
		d.Node, d.Path, d.Key = n, w.path, key
		return w.yield(d)
	}
	if e.kind != Scalar || e.style != plain || e.tag != noTag || e.ref >= 0 || e.end-e.start > maxDoubt {
		return true
	}
	text := w.tree.text[e.start:e.end]
	if !mayBeDoubtful(text) {
		return true
	}
	d := doubtOf(string(text), key)
	d.Node, d.Path, d.Key = n, w.path, key
	return d.Kind == noDoubt || w.yield(d)
}

// DoubtOf returns the doubt about a value that is a plain scalar of one line, but for its
// node and path, which the caller knows, and false when there is none.
func DoubtOf(text []byte) (Doubt, bool) {
	if len(text) > maxDoubt || !mayBeDoubtful(text) {
		return Doubt{}, false
	}
	d := doubtOf(string(text), false)
	return d, d.Kind != noDoubt
}

// binaryDoubt tells that Kubernetes' reader takes the bytes of a binary for text.
func binaryDoubt(s string) Doubt {
	bytes, _ := base64.StdEncoding.DecodeString(s) // as far as it is base64
	says, _ := json.Marshal(string(bytes))         // cannot fail
	return Doubt{Kind: Binary, Means: cutDoubt(appendString(nil, s)), Kubernetes: cutDoubt(says)}
}

func cutDoubt(json []byte) string {
	if len(json) <= maxDoubt {
		return string(json)
	}
	return strings.ToValidUTF8(string(json[:maxDoubt]), "") + "…"
}

// maxDoubt bounds the length of what is looked at. What is longer than any number
// of 64 bits that is written out is beyond doubt a text, or refused by all.
const maxDoubt = 400

// mayBeDoubtful is a quick no for nearly all scalars.
func mayBeDoubtful(text []byte) bool {
	if len(text) == 0 {
		return false
	}
	switch c := text[0]; {
	case c >= '0' && c <= '9', c == '+', c == '-', c == '.', c == '=':
		return true
	case len(text) > len("False"):
		return false
	}
	is := func(word string) bool { return bytes.EqualFold(text, []byte(word)) }
	switch text[0] {
	case 'y', 'Y':
		return is("y") || is("yes")
	case 'n', 'N':
		return is("n") || is("no") || is("null")
	case 'o', 'O':
		return is("on") || is("off")
	case 't', 'T': // as the most frequent key of definitions does: type
		return is("true")
	case 'f', 'F':
		return is("false")
	case '~':
		return true
	}
	return false
}

// doubtOf says what is doubtful about a plain scalar: Kind, Means and Kubernetes.
func doubtOf(s string, key bool) Doubt {
	old := readOld(s)
	if key {
		if old.kind == valString || old.kind == valNull || old.kind == valNotFinite || old.key() == s {
			return Doubt{}
		}
		return Doubt{Kind: Differs, Means: strconv.Quote(s), Kubernetes: strconv.Quote(old.key())}
	}
	kind, means := resolvePlain(s)
	if kind == valString {
		means = strconv.Quote(s)
	}
	d := Doubt{Means: means, Kubernetes: old.json}
	switch {
	case kind != old.kind:
		d.Kind = Differs
	case kind == valString && oldOnly.MatchString(s):
		d.Kind = Old
	case kind != valNumber:
	case old.isFloat && significand(means) != significand(strconv.FormatFloat(old.float, 'e', -1, 64)):
		d.Kind = Inexact
	case old.isFloat && old.json != s:
		d.Kind = Respelled
	case old.isFloat:
	case means != old.json && means != "-0":
		d.Kind = Differs
	case !isExact(means):
		d.Kind = Inexact
	case old.json != s:
		d.Kind = Respelled
	}
	return d
}

// oldOnly are the texts that YAML 1.1 has a value for and Kubernetes' reader has
// none: numbers to the base of sixty, dates, and the sign for a default.
var oldOnly = regexp.MustCompile(`^([-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(([Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(\.[0-9]*)?([ \t]*(Z|[-+][0-9]{1,2}(:[0-9]{2})?))?)?|=)$`)

// significand returns the digits of a decimal number that count and where its
// point is, so that equal numbers have equal texts.
func significand(s string) string {
	s, negative := strings.CutPrefix(s, "-")
	s, exponent, _ := strings.Cut(strings.ToLower(s), "e")
	whole, fraction, _ := strings.Cut(s, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	point := len(whole) - (len(whole+fraction) - len(digits))
	digits = strings.TrimRight(digits, "0")
	if digits == "" {
		return "0" // the sign of nothing does not count
	}
	n, _ := strconv.Atoi(exponent) // what does not fit was refused as a number
	if negative {
		digits = "-" + digits
	}
	return digits + "e" + strconv.Itoa(point+n)
}

// isExact reports whether a float holds an integer of 64 bits.
func isExact(s string) bool {
	n, ok := new(big.Int).SetString(s, 10)
	if !ok {
		return false
	}
	_, accuracy := new(big.Float).SetInt(n).Float64()
	return accuracy == big.Exact
}

// An oldValue is what Kubernetes' reader, sigs.k8s.io/yaml, makes of a plain
// scalar.
type oldValue struct {
	kind    value
	json    string
	isFloat bool
	float   float64
}

// key returns the text of the key that the value makes.
func (v *oldValue) key() string {
	if !v.isFloat {
		return v.json
	}
	switch s := strconv.FormatFloat(v.float, 'g', -1, 32); s { // with half of the digits, indeed
	case "+Inf":
		return ".inf"
	case "-Inf":
		return "-.inf"
	default:
		return s
	}
}

func readOld(s string) oldValue {
	switch s {
	case "y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "true", "True", "TRUE":
		return oldValue{kind: valBool, json: "true"}
	case "n", "N", "no", "No", "NO", "off", "Off", "OFF", "false", "False", "FALSE":
		return oldValue{kind: valBool, json: "false"}
	}
	if kind, json := resolvePlain(s); kind == valNull || kind == valNotFinite {
		return oldValue{kind: kind, json: json}
	}
	c := s[0]
	plain := s
	if c != '.' {
		plain = strings.ReplaceAll(s, "_", "")
	}
	if c == '+' || c == '-' || c == '.' || c >= '0' && c <= '9' {
		if n, err := strconv.ParseInt(plain, 0, 64); err == nil {
			return oldValue{kind: valNumber, json: strconv.FormatInt(n, 10)}
		}
		if n, err := strconv.ParseUint(plain, 0, 64); err == nil {
			return oldValue{kind: valNumber, json: strconv.FormatUint(n, 10)}
		}
		if digits, ok := strings.CutPrefix(plain, "0b"); ok { // it takes 0b-1 as well
			if n, err := strconv.ParseInt(digits, 2, 64); err == nil {
				return oldValue{kind: valNumber, json: strconv.FormatInt(n, 10)}
			}
		}
		if oldFloat.MatchString(plain) {
			if f, err := strconv.ParseFloat(plain, 64); err == nil {
				b, _ := json.Marshal(f) // it is finite
				return oldValue{kind: valNumber, json: string(b), isFloat: true, float: f}
			}
		}
	}
	return oldValue{kind: valString, json: strconv.Quote(s)}
}

var oldFloat = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
