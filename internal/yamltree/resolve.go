package yamltree

import (
	"encoding/base64"
	"math/big"
	"strings"
)

// tag is the tag that a node is written with.
type tag uint8

const (
	noTag tag = iota
	tagMap
	tagSeq
	tagStr
	tagNull
	tagBool
	tagInt
	tagFloat
	tagText // !!timestamp: text to JSON
	tagBinary
	tagMerge // !!merge, or a plain <<
	tagOther // everything else
)

// tags maps go-yaml's short form of the tags that JSON has a value for.
var tags = map[string]tag{
	"!!map": tagMap, "!!seq": tagSeq, "!!str": tagStr, "!!null": tagNull,
	"!!bool": tagBool, "!!int": tagInt, "!!float": tagFloat,
	"!!binary": tagBinary, "!!timestamp": tagText, "!!merge": tagMerge,
}

// A value is what a scalar means.
type value uint8

const (
	valString value = iota
	valNull
	valBool
	valNumber
	valNotFinite // .inf and .nan, which JSON does not have
	valBad       // a tag that the text does not fit
)

// maxDigits bounds the hexadecimal and octal numbers that are converted. A
// longer one remains a string, as it does for a reader with 64 bits.
const maxDigits = 256

// resolve returns what a scalar means under the core schema of YAML 1.2
// (section 10.3.2), and its JSON text when it is no string. YAML 1.1's yes, no, on, off,
// 1_000, 0b1, 12:30:45 and dates are strings.
func resolve(text string, s style, t tag) (value, string) {
	switch t {
	case tagStr, tagText:
		return valString, ""
	case tagBinary:
		if _, err := base64.StdEncoding.DecodeString(text); err != nil {
			return valBad, ""
		}
		return valString, ""
	case noTag, tagMerge, tagOther:
		if s != plain {
			return valString, ""
		}
		return resolvePlain(text)
	}
	v, json := resolvePlain(text)
	switch {
	case t == tagNull && v == valNull,
		t == tagBool && v == valBool,
		t == tagInt && v == valNumber && !strings.ContainsAny(json, ".eE"),
		t == tagFloat && (v == valNumber || v == valNotFinite):
		return v, json
	}
	return valBad, ""
}

func resolvePlain(s string) (value, string) {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return valNull, "null"
	case "true", "True", "TRUE":
		return valBool, "true"
	case "false", "False", "FALSE":
		return valBool, "false"
	}
	if c := s[0]; c != '.' && c != '-' && c != '+' && (c < '0' || c > '9') {
		return valString, ""
	}
	switch strings.TrimLeft(s, "+-") {
	case ".inf", ".Inf", ".INF":
		if s[0] == '.' || s[1] == '.' {
			return valNotFinite, ""
		}
	case ".nan", ".NaN", ".NAN":
		if s[0] == '.' {
			return valNotFinite, ""
		}
	}
	if n := based(s, "0x", 16); n != "" {
		return valNumber, n
	}
	if n := based(s, "0o", 8); n != "" {
		return valNumber, n
	}
	if n := decimal(s); n != "" {
		return valNumber, n
	}
	return valString, ""
}

// based returns the decimal digits of a number written with a prefix, or "".
func based(s, prefix string, base int) string {
	digits, ok := strings.CutPrefix(s, prefix)
	if !ok || digits == "" || len(digits) > maxDigits || strings.ContainsAny(digits, "+-_") {
		return ""
	}
	n, ok := new(big.Int).SetString(digits, base)
	if !ok {
		return ""
	}
	return n.String()
}

// decimal returns a decimal number as JSON writes it, or "" when s is none. All
// digits remain: only a plus sign, leading zeros and a lonely point, which
// JSON does not allow, are taken away or filled up.
func decimal(s string) string {
	rest, sign := s, ""
	switch rest[0] {
	case '-':
		sign, rest = "-", rest[1:]
	case '+':
		rest = rest[1:]
	}
	whole, rest := digits(rest)
	fraction, point := "", false
	if len(rest) > 0 && rest[0] == '.' {
		point = true
		fraction, rest = digits(rest[1:])
	}
	if whole == "" && fraction == "" {
		return ""
	}
	exponent := ""
	if len(rest) > 0 && (rest[0] == 'e' || rest[0] == 'E') {
		e := rest[1:]
		if len(e) > 0 && (e[0] == '+' || e[0] == '-') {
			e = e[1:]
		}
		d, left := digits(e)
		if d == "" || left != "" {
			return ""
		}
		exponent, rest = rest, ""
	}
	if rest != "" {
		return ""
	}
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if point && fraction == "" {
		fraction = "0"
	}
	if fraction != "" {
		fraction = "." + fraction
	}
	return sign + whole + fraction + exponent
}

// digits splits s behind its leading decimal digits.
func digits(s string) (run, rest string) {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return s[:i], s[i:]
}
