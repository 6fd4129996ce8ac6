package parser

import (
	"github.com/xpkg-go/sdk/internal/yamlscan"
	"github.com/xpkg-go/sdk/internal/yamltree"
	"github.com/xpkg-go/sdk/meta"
)

// A Doubt is a word or number without quotes, or a binary (!!binary), that not all
// readers of YAML understand alike, or that some of them change; or a key that a merge key
// brings too. It is no fault: quotes, where a text is meant, or another spelling, where a
// number is, leave no doubt.
type Doubt struct {
	Kind  DoubtKind
	Path  meta.Path // leads to the value; of a key, to its value
	Key   bool      // it is a key
	Range Range
	Text  string // as it is written

	Means      string // what it is to this library, as JSON: what Document.JSON has; cut short with "…" above 400 bytes
	Kubernetes string // what it is to the YAML reader of Kubernetes, as JSON, cut short alike; "" for DoubtOverride
}

// A DoubtKind says what a [Doubt] is about.
type DoubtKind string

// Kinds of doubts. [Document.JSON] tells what this library reads.
const (
	DoubtDiffers   DoubtKind = "differs"   // Kubernetes reads another value, as YAML 1.1 has it: on, no, 0777, 1_000, 1e400; or another key: 1.10
	DoubtInexact   DoubtKind = "inexact"   // a number that 64 bits of floating point do not hold: 9007199254740993
	DoubtRespelled DoubtKind = "respelled" // a number of the same value whose spelling gets lost: 1.10, 1e3, 0x10
	DoubtBinary    DoubtKind = "binary"    // a binary (!!binary): Kubernetes reads what its text stands for, this library the text
	DoubtOverride  DoubtKind = "override"  // a key that a merge key (<<) brings too: the strict reader of Kubernetes refuses it; of a << that brings one key twice, the <<
	DoubtOld       DoubtKind = "old"       // a text to this library and to Kubernetes, but not to every reader of YAML 1.1: 12:30:45, 2001-01-01, =
)

// MaxDoubts is how many doubts a document tells at most.
const MaxDoubts = 1000

// Doubts returns the doubts of the document in the order of their places, at most
// [MaxDoubts], and how many more there are. A value that aliases name is told
// once, at the anchor.
func (d *Document) Doubts() (list []Doubt, more int) {
	s := d.loaded()
	if s.text == nil || !yamltree.MayHaveDoubts(s.text[s.raw:]) {
		return nil, 0
	}
	if list, ok := d.scanDoubts(); ok {
		return list, 0
	}
	t := d.tree()
	if t == nil {
		return nil, 0
	}
	for f := range t.Doubts {
		if len(list) == MaxDoubts {
			more++
			continue
		}
		span := t.Span(f.Node)
		list = append(list, newDoubt(f, s.rangeIn(t, f.Node), f.Path, s.text[span.Start:span.End]))
	}
	return list, more
}

// scanDoubts is Doubts for a document that the engine has taken, where only numbers and what
// looks like them can be doubtful. It leaves many to a tree, as scanPlace does.
func (d *Document) scanDoubts() (list []Doubt, ok bool) {
	s := d.loaded()
	if s.scan < 0 {
		return nil, false
	}
	text := s.scanText()
	ok = yamlscan.New().Numbers(text, func(at yamlscan.Span, path func() []any) {
		word := text[at.Start:at.End]
		if f, is := yamltree.DoubtOf(word); is && len(list) <= fewFinds {
			list = append(list, newDoubt(f, s.scanRange(text, at), path(), word))
		}
	})
	return list, ok && len(list) <= fewFinds
}

func newDoubt(f yamltree.Doubt, at Range, path meta.Path, text []byte) Doubt {
	return Doubt{
		Kind: kindOfDoubt(f.Kind), Path: append(meta.Path(nil), path...), Key: f.Key, Range: at,
		Text: string(text), Means: f.Means, Kubernetes: f.Kubernetes,
	}
}

func kindOfDoubt(k yamltree.DoubtKind) DoubtKind {
	switch k {
	case yamltree.Differs:
		return DoubtDiffers
	case yamltree.Inexact:
		return DoubtInexact
	case yamltree.Respelled:
		return DoubtRespelled
	case yamltree.Binary:
		return DoubtBinary
	case yamltree.Override:
		return DoubtOverride
	default:
		return DoubtOld
	}
}
