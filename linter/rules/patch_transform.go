package rules

import (
	"github.com/xpkg-go/sdk/meta"
)

// reportTransforms looks at how a patch changes its value: types that there are, and what
// each of them needs.
func reportTransforms(f *findings, path meta.Path, list *value) {
	items, _ := list.asList()
	for i, t := range items {
		if t.form != mapping {
			f.addf(below(path, i), "found %s, expected a transform", t.found())
			continue
		}
		at := below(path, i)
		reportChoice(f, below(at, "type"), t.get("type"), "a type of transform", true, "map", "match", "math", "string", "convert")
		kind := t.get("type").text
		look := transformTypes[kind]
		switch config := t.get(kind); {
		case look == nil:
		case config.form == mapping:
			look(f, below(at, kind), config)
		case config.isAbsent():
			f.addf(below(at, kind), "a transform of type %s does not say how (%s is expected)", kind, kind)
		default:
			f.addf(below(at, kind), "found %s, expected a mapping", config.found())
		}
	}
}

var transformTypes = map[string]func(*findings, meta.Path, *value){
	"map": func(f *findings, at meta.Path, v *value) {
		if len(v.fields) == 0 {
			f.addf(at, "there are no values to map")
		}
	},
	"match":  reportMatch,
	"math":   reportMath,
	"string": reportString,
	"convert": func(f *findings, at meta.Path, v *value) {
		reportChoice(f, below(at, "toType"), v.get("toType"), "a type to convert to", true, "string", "int", "int64", "bool", "float64", "object", "array")
		reportChoice(f, below(at, "format"), v.get("format"), "a format to convert from", false, "none", "quantity", "json")
	},
}

func reportMatch(f *findings, at meta.Path, v *value) {
	reportChoice(f, below(at, "fallbackTo"), v.get("fallbackTo"), "something to fall back to", false, "Value", "Input")
	patterns, ok := v.get("patterns").asList()
	if ok && len(patterns) == 0 {
		f.addf(below(at, "patterns"), "there are no patterns to match")
	}
	for i, p := range patterns {
		path := below(at, "patterns", i)
		reportChoice(f, below(path, "type"), p.get("type"), "a type of pattern", false, "literal", "regexp")
		switch p.get("type").text {
		case "regexp":
			reportExpressionOf(f, below(path, "regexp"), p.get("regexp"))
		case "literal", "":
			if p.form == mapping && p.get("literal").isAbsent() {
				f.addf(below(path, "literal"), "there is no text to match")
			}
		}
	}
}

func reportMath(f *findings, at meta.Path, v *value) {
	reportChoice(f, below(at, "type"), v.get("type"), "a type of arithmetic", false, "Multiply", "ClampMin", "ClampMax")
	operand := map[string]string{"": "multiply", "Multiply": "multiply", "ClampMin": "clampMin", "ClampMax": "clampMax"}[v.get("type").text]
	switch n := v.get(operand); {
	case operand == "" || n.form == number:
	case n.isAbsent():
		f.addf(below(at, operand), "there is no number to reckon with")
	default:
		f.addf(below(at, operand), "found %s, expected a number", n.found())
	}
}

func reportString(f *findings, at meta.Path, v *value) {
	reportChoice(f, below(at, "type"), v.get("type"), "a type of string transform", false,
		"Format", "Convert", "TrimPrefix", "TrimSuffix", "Regexp", "Join", "Replace")
	missing := func(field, what string) {
		if v.get(field).isAbsent() {
			f.addf(below(at, field), "there is no %s", what)
		}
	}
	switch v.get("type").text {
	case "", "Format":
		missing("fmt", "format")
	case "Convert":
		reportChoice(f, below(at, "convert"), v.get("convert"), "a conversion", true,
			"ToUpper", "ToLower", "ToBase64", "FromBase64", "ToJson", "ToSha1", "ToSha256", "ToSha512", "ToAdler32")
	case "TrimPrefix", "TrimSuffix":
		missing("trim", "text to trim")
	case "Regexp":
		reportExpressionOf(f, below(at, "regexp", "match"), v.get("regexp", "match"))
	case "Join":
		missing("join", "separator to join with")
	case "Replace":
		missing("replace", "text to replace")
	}
}

// reportExpressionOf looks at a regular expression that there must be.
func reportExpressionOf(f *findings, path meta.Path, v *value) {
	reportRequired(f, path, v, "regular expression")
	reportPattern(f, path, v)
}

// reportReadiness looks at how it is told that a composed resource is ready.
func reportReadiness(f *findings, path meta.Path, list *value) {
	items, _ := list.asList()
	for i, c := range items {
		if c.form != mapping {
			f.addf(below(path, i), "found %s, expected a readiness check", c.found())
			continue
		}
		at := below(path, i)
		reportChoice(f, below(at, "type"), c.get("type"), "a type of readiness check", true,
			"MatchString", "MatchInteger", "MatchTrue", "MatchFalse", "NonEmpty", "MatchCondition", "None")
		switch kind := c.get("type").text; kind {
		case "MatchString":
			reportRequired(f, below(at, "matchString"), c.get("matchString"), "text to match")
		case "MatchInteger":
			if n := c.get("matchInteger"); n.isAbsent() || n.text == "0" {
				f.addf(below(at, "matchInteger"), "there is no number to match (0 is taken for none)")
			}
		case "MatchCondition", "None", "":
			continue
		}
		reportRequired(f, below(at, "fieldPath"), c.get("fieldPath"), "field to look at")
		if s, _ := c.get("fieldPath").asText(); s != "" {
			reportFieldPath(f, below(at, "fieldPath"), s)
		}
	}
}

// reportConnectionDetails looks at what of a composed resource goes to a connection secret.
func reportConnectionDetails(f *findings, path meta.Path, list *value) {
	items, _ := list.asList()
	for i, d := range items {
		reportChoice(f, below(path, i, "type"), d.get("type"), "a type of connection detail", false,
			"FromConnectionSecretKey", "FromFieldPath", "FromValue")
		if s, _ := d.get("fromFieldPath").asText(); s != "" {
			reportFieldPath(f, below(path, i, "fromFieldPath"), s)
		}
	}
}
