package meta

import (
	"errors"
	"slices"
	"strconv"
)

// The limits of [Decode], far above what any package needs. They bound its memory:
// some 20 times the document, and 100 MB more for one of many small values.
const (
	// MaxValues is how many JSON values a metadata object may have: objects, arrays,
	// texts, numbers and so on, at any depth.
	MaxValues = 50_000

	// MaxDepth is how deep its objects and arrays may nest.
	MaxDepth = 1000

	// MaxFaults is how many faults of it are listed.
	MaxFaults = 1000
)

// checkLimits returns a [*LimitError] for valid JSON that is too large to be read.
func checkLimits(data []byte) error {
	values, depth, deepest := 1, 0, 0
	inText, escaped, opened := false, false, false
	for _, c := range data {
		switch {
		case escaped:
			escaped = false
			continue
		case inText:
			escaped, inText = c == '\\', c != '"'
			continue
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			continue
		}
		// The first value of an object or array has no comma before it.
		if c == ',' || opened && c != '}' && c != ']' {
			values++
		}
		opened = false
		switch c {
		case '"':
			inText = true
		case '{', '[':
			opened = true
			depth++
			deepest = max(deepest, depth)
		case '}', ']':
			depth--
		}
	}
	switch {
	case values > MaxValues:
		return &LimitError{What: "the metadata object", Limit: MaxValues, Got: int64(values), Unit: "values"}
	case deepest > MaxDepth:
		return &LimitError{What: "the nesting of the metadata object", Limit: MaxDepth, Got: int64(deepest), Unit: "levels"}
	default:
		return nil
	}
}

// faults collects faults, up to MaxFaults.
type faults struct {
	list FieldErrors
	more int // those that are not in list
}

func (f *faults) fail(e *FieldError) {
	if len(f.list) == MaxFaults {
		f.more++
		return
	}
	f.list = append(f.list, e)
}

// sorted are the faults in the order of their paths; those of one path stay in the
// order in which they were found.
func (f *faults) sorted() FieldErrors {
	slices.SortStableFunc(f.list, func(a, b *FieldError) int { return a.Path.Compare(b.Path) })
	if f.more > 0 {
		return append(f.list, &FieldError{Fault: FaultLimit, Err: errors.New("there are " + strconv.Itoa(f.more) + " more faults")})
	}
	return f.list
}
