package compare

import (
	"encoding/json"
	"math"
	"strings"
)

// types is a set of types of values.
type types int

const (
	aText types = 1 << iota
	anInteger
	aFraction // a number that is no integer
	aBoolean
	aMapping
	aList
	aNull

	anything = 1<<iota - 1
)

// typesOf is what a schema accepts, null apart where it is said with nullable.
func typesOf(s object) types {
	if s.truth("x-kubernetes-int-or-string") {
		return anInteger | aText
	}
	switch s.text("type") {
	case "string":
		return aText
	case "integer":
		return anInteger
	case "number":
		return anInteger | aFraction
	case "boolean":
		return aBoolean
	case "object":
		return aMapping
	case "array":
		return aList
	}
	return anything
}

func typeOf(v any) types {
	switch v := v.(type) {
	case string:
		return aText
	case bool:
		return aBoolean
	case json.Number:
		if f, err := v.Float64(); err != nil || f == math.Trunc(f) {
			return anInteger
		}
		return aFraction
	case map[string]any:
		return aMapping
	case []any:
		return aList
	default:
		return aNull
	}
}

// String lists the types as a message has them.
func (t types) String() string {
	if t == anything {
		return "anything"
	}
	var words []string
	for _, word := range []struct {
		types
		name string
	}{
		{aText, "string"}, {anInteger | aFraction, "number"}, {anInteger, "integer"}, {aBoolean, "boolean"}, {aMapping, "object"}, {aList, "array"},
	} {
		if t&word.types == word.types {
			words = append(words, word.name)
			t &^= word.types
		}
	}
	return strings.Join(words, " or ")
}
