package apiserver

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/parser"
)

// verdict is what the API server does with one definition: what it refuses and what
// it drops.
type verdict struct {
	doc              *parser.Document
	refused, dropped []finding
}

type finding struct {
	path    []any
	message string
}

// verdicts are those about which there is something to say, in the order of the
// documents.
var verdicts = linter.NewFact(func(ctx context.Context, p *linter.Pass) ([]*verdict, error) {
	return judgeEach(ctx, p, func(d *parser.Document) bool {
		return d.APIVersion == "apiextensions.k8s.io/v1" && d.Kind == "CustomResourceDefinition"
	}, judgeDefinition)
})

// judgeEach judges the documents that are wanted, on all cores, and returns those
// about which there is something to say.
func judgeEach(ctx context.Context, p *linter.Pass, wanted func(*parser.Document) bool, judge func(context.Context, *parser.Document) (*verdict, error)) ([]*verdict, error) {
	all, err := linter.EachDocument(ctx, p, func(d *parser.Document) (*verdict, error) {
		if !wanted(d) {
			return nil, nil
		}
		return judge(ctx, d)
	})
	return slices.DeleteFunc(all, func(v *verdict) bool { return v == nil }), err
}

// judgeDefinition returns what the server has against a definition; nil when nothing.
func judgeDefinition(ctx context.Context, d *parser.Document) (*verdict, error) {
	raw, err := d.JSON()
	if err != nil {
		return nil, nil // a fault of reading, which has told of it
	}
	if clean(ctx, d, raw) {
		return nil, nil
	}
	return whole(ctx, d, raw)
}

// clean reports whether it is certain, at a tenth of the cost, that whole finds
// nothing.
func clean(ctx context.Context, d *parser.Document, raw []byte) bool {
	short, ok := shorten(raw)
	if !ok {
		return false
	}
	v, err := whole(ctx, d, short)
	return v == nil && err == nil
}

// whole judges a definition by the API server's code alone.
func whole(ctx context.Context, d *parser.Document, raw []byte) (*verdict, error) {
	mistyped, dropped, err := misfits(raw)
	if err != nil {
		return nil, err
	}
	v := &verdict{doc: d}
	v.dropped = findings(dropped, "the API server drops %d more fields", func(m misfit) finding {
		return finding{m.path, "there is no such field, and the API server drops it"}
	})
	v.refused = mistypes(mistyped)
	if len(mistyped) == 0 { // or else the API server comes no further either
		if v.refused, err = refusals(ctx, raw); err != nil {
			return nil, err
		}
	}
	if len(v.refused)+len(v.dropped) == 0 {
		return nil, nil
	}
	return v, nil
}

func refusals(ctx context.Context, raw []byte) ([]finding, error) {
	faults, err := create(ctx, raw)
	if undecodable := (*decodeError)(nil); errors.As(err, &undecodable) {
		return []finding{{nil, "the API server cannot decode it"}}, nil
	}
	if err != nil || len(faults) == 0 {
		return nil, err
	}
	w, err := newWalker(raw)
	if err != nil {
		return nil, err
	}
	return once(findings(faults, "the API server refuses it for %d more faults", func(f *field.Error) finding {
		return finding{w.of(f), message(f)}
	})), nil
}

// findings turns faults into findings, of which maxPlaced have a place of their own.
func findings[T any](faults []T, more string, place func(T) finding) []finding {
	var all []finding
	for i, f := range faults {
		if i == maxPlaced {
			return append(all, finding{nil, fmt.Sprintf(more, len(faults)-i)})
		}
		all = append(all, place(f))
	}
	return all
}

// once removes what is told twice: the name of the first version, since it is a field
// of its own in the API server, and what is required of a missing webhook part by part.
func once(all []finding) []finding {
	const required = "required value"
	seen, explained := map[string]bool{}, map[string]bool{}
	for _, f := range all {
		if strings.HasPrefix(f.message, required+": ") {
			explained[fmt.Sprint(f.path)] = true
		}
	}
	return slices.DeleteFunc(all, func(f finding) bool {
		path := fmt.Sprint(f.path)
		key := path + "\x00" + f.message
		before := seen[key] || f.message == required && explained[path]
		seen[key] = true
		return before
	})
}
