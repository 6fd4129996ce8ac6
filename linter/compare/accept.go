package compare

import (
	"encoding/json"
	"math"
	"regexp"
	"unicode/utf8"
)

// A verdict says whether a schema accepts a value.
type verdict int

const (
	no verdict = iota
	unknown
	yes
)

func verdictOf(is bool) verdict {
	if is {
		return yes
	}
	return no
}

// A judge says what schemas accept. It keeps the last patterns, which takes longer to
// read than to match.
type judge struct {
	patterns map[string]*regexp.Regexp // nil for one that cannot be read
}

// maxPatterns is how many patterns a judge keeps.
const maxPatterns = 16

// pattern returns a pattern, or nil for one that is none or too long.
func (j *judge) pattern(text string) *regexp.Regexp {
	if len(text) > maxPattern {
		return nil
	}
	re, known := j.patterns[text]
	if !known {
		if j.patterns == nil || len(j.patterns) >= maxPatterns {
			j.patterns = map[string]*regexp.Regexp{}
		}
		re, _ = regexp.Compile(text) // nil beside an error
		j.patterns[text] = re
	}
	return re
}

// accepts says whether a schema accepts a text, a number, a boolean or null. Of
// mappings and lists it says no more than whether the type is right.
func (j *judge) accepts(s object, v any) verdict {
	result := verdictOf(v == nil && s.truth("nullable") || typesOf(s)&typeOf(v) != 0)
	if enum := s.list("enum"); len(enum) > 0 && result != no {
		if v == nil {
			result = unknown // releases of Kubernetes differ
		} else if !contains(enum, v) {
			return no
		}
	}
	for _, keyword := range limits {
		if result == no {
			return no
		}
		if _, set := s[keyword]; set {
			result = min(result, j.obeys(s, keyword, v))
		}
	}
	return min(result, j.acceptsComposed(s, v))
}

func (j *judge) acceptsComposed(s object, v any) verdict {
	result := yes
	for _, sub := range s.objects("allOf") {
		result = min(result, j.acceptsPart(sub, v))
	}
	if list := s.objects("anyOf"); len(list) > 0 {
		best := no
		for _, sub := range list {
			best = max(best, j.acceptsPart(sub, v))
		}
		result = min(result, best)
	}
	if list := s.objects("oneOf"); len(list) > 0 {
		sure, maybe := 0, 0
		for _, sub := range list {
			switch j.acceptsPart(sub, v) {
			case yes:
				sure++
			case unknown:
				maybe++
			}
		}
		switch {
		case sure > 1 || sure+maybe == 0:
			return no
		case maybe > 0:
			result = min(result, unknown)
		}
	}
	if _, set := s["not"]; set {
		result = min(result, yes-j.acceptsPart(s.object("not"), v))
	}
	return result
}

// acceptsPart is accepts for a schema within a composed one, which may say of
// mappings and lists what accepts does not look at.
func (j *judge) acceptsPart(s object, v any) verdict {
	switch v.(type) {
	case map[string]any, []any:
		return unknown
	}
	return j.accepts(s, v)
}

func contains(list []any, v any) bool {
	key := keyOf(v)
	for _, item := range list {
		if keyOf(item) == key {
			return true
		}
	}
	return false
}

// limits are the keywords about texts and numbers, in the order in which changes of
// them are told.
var limits = []string{"minLength", "maxLength", "pattern", "format", "minimum", "maximum", "multipleOf"}

// obeys says whether a value is what one of the limits of a schema demands. A limit
// says nothing of values of other types.
func (j *judge) obeys(s object, keyword string, v any) verdict {
	switch v := v.(type) {
	case string:
		return j.textObeys(s, keyword, v)
	case json.Number:
		if n, ok := asNumber(v); ok {
			return numberObeys(s, keyword, n)
		}
		return unknown
	}
	return yes
}

func (j *judge) textObeys(s object, keyword, v string) verdict {
	limit, isNumber := s.number(keyword)
	switch keyword {
	case "minLength":
		return verdictOf(!isNumber || float64(utf8.RuneCountInString(v)) >= limit)
	case "maxLength":
		return verdictOf(!isNumber || float64(utf8.RuneCountInString(v)) <= limit)
	case "pattern":
		re := j.pattern(s.text(keyword))
		if re == nil {
			return unknown
		}
		return verdictOf(re.MatchString(v))
	case "format":
		return textHasFormat(s.text(keyword), v)
	}
	return yes
}

// textHasFormat knows no format but that of no text with a single letter in it.
// Formats that the API server does not know it passes over.
func textHasFormat(format, v string) verdict {
	switch format {
	case "date", "date-time", "datetime", "duration", "ipv4", "ipv6", "cidr", "mac", "uuid", "uuid3", "uuid4", "uuid5", "email", "uri",
		"isbn", "isbn10", "isbn13", "creditcard", "ssn", "hexcolor", "rgbcolor", "bsonobjectid":
		if v == letter {
			return no
		}
		return unknown
	case "hostname", "byte", "k8s-short-name", "k8s-long-name":
		return unknown
	}
	return yes
}

// letter is the text that has none of the formats that demand more than one sign.
const letter = "a"

func numberObeys(s object, keyword string, v float64) verdict {
	limit, isNumber := s.number(keyword)
	switch keyword {
	case "minimum":
		return verdictOf(!isNumber || v > limit || v == limit && !s.truth("exclusiveMinimum"))
	case "maximum":
		return verdictOf(!isNumber || v < limit || v == limit && !s.truth("exclusiveMaximum"))
	case "multipleOf":
		if !isNumber || limit <= 0 {
			return yes
		}
		if v != math.Trunc(v) || limit != math.Trunc(limit) || math.Abs(v) > 1<<53 {
			return unknown // a question of rounding
		}
		return verdictOf(math.Mod(v, limit) == 0)
	case "format":
		if s.text("format") == "int32" && math.Abs(v) > math.MaxInt32 {
			return unknown // releases of Kubernetes differ
		}
	}
	return yes
}
