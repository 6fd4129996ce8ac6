package rules

import (
	"encoding/base64"
	"strings"

	"github.com/xpkg-go/sdk/meta"
)

// selectorShape is that of a label selector.
var selectorShape = fields(map[string]*shape{
	"matchLabels":      texts,
	"matchExpressions": listOf(fields(map[string]*shape{"key": aText, "operator": aText, "values": listOf(aText)})),
})

// reportSelector looks at a label selector as the API server does.
func reportSelector(f *findings, path meta.Path, v *value) {
	labels := v.get("matchLabels")
	for _, key := range sortedFields(labels) {
		at := below(path, "matchLabels", key)
		if why := wrongLabel(key); why != "" {
			f.add(fault{path: at, key: true}, "%s is not the key of a label: %s", quote(key), why)
		}
		reportLabelValue(f, at, labels.fields[key])
	}
	expressions, _ := v.get("matchExpressions").asList()
	for i, e := range expressions {
		if e.form == mapping {
			reportExpression(f, below(path, "matchExpressions", i), e)
		}
	}
}

// wrongLabel is wrongKey for the key of a label, whose prefix has no capitals.
func wrongLabel(key string) string {
	if prefix, _, ok := strings.Cut(key, "/"); ok && meta.CheckName(prefix) != nil {
		return "what is before the slash is not a DNS subdomain"
	}
	return wrongKey(key)
}

// reportExpression looks at one expression: its operator says whether there are values.
func reportExpression(f *findings, path meta.Path, e *value) {
	key, ok := e.get("key").asText()
	if why := wrongLabel(key); ok && why != "" {
		f.addf(below(path, "key"), "%s is not the key of a label: %s", quote(key), why)
	}
	operator := e.get("operator")
	reportChoice(f, below(path, "operator"), operator, "an operator", true, "In", "NotIn", "Exists", "DoesNotExist")
	values, ok := e.get("values").asList()
	switch operator.text {
	case "In", "NotIn":
		if ok && len(values) == 0 {
			f.addf(below(path, "values"), "there are no values for the operator %s", operator.text)
		}
	case "Exists", "DoesNotExist":
		if len(values) > 0 {
			f.add(fault{path: below(path, "values"), key: true}, "the operator %s takes no values", operator.text)
		}
	}
	for i, v := range values {
		reportLabelValue(f, below(path, "values", i), v)
	}
}

func reportLabelValue(f *findings, path meta.Path, v *value) {
	const longest = 63
	s, ok := v.asText()
	if ok && s != "" && (len(s) > longest || !keyName.MatchString(s)) {
		f.addf(path, "%s is not the value of a label (at most 63 letters and digits, with - _ . between them)", quote(s))
	}
}

// reportBundle looks at a certificate, which is in base64.
func reportBundle(f *findings, path meta.Path, v *value) {
	s, ok := v.asText()
	if _, err := base64.StdEncoding.DecodeString(s); ok && err != nil {
		f.addf(path, "%s is not in base64", quote(s))
	}
}
