package apiserver

import (
	"encoding/json"
	"strconv"
	"strings"
)

// moved are the fields that the API server's internal version, which validation
// speaks of, has elsewhere than apiextensions.k8s.io/v1: what all versions have
// in common is lifted out of them, and the webhook of a conversion is spread.
var moved = []struct{ internal, external string }{
	{"spec.validation", "spec.versions[0].schema"},
	{"spec.subresources", "spec.versions[0].subresources"},
	{"spec.additionalPrinterColumns", "spec.versions[0].additionalPrinterColumns"},
	{"spec.selectableFields", "spec.versions[0].selectableFields"},
	{"spec.version", "spec.versions[0].name"},
	{"spec.conversion.webhookClientConfig", "spec.conversion.webhook.clientConfig"},
	{"spec.conversion.conversionReviewVersions", "spec.conversion.webhook.conversionReviewVersions"},
}

// renamed are keys whose case differs between the versions.
var renamed = map[string]string{"JSONPath": "jsonPath"}

// walker finds the path that a field error of the API server means. Its text does
// not say where a key ends (properties[a.b].type), so it is read along the
// document.
type walker struct{ root any }

func newWalker(raw []byte) (*walker, error) {
	w := &walker{}
	return w, json.Unmarshal(raw, &w.root)
}

// path returns the steps that text stands for, as far as the document has them
// and then as the text has them.
func (w *walker) path(text string) []any {
	for _, m := range moved {
		if rest, ok := strings.CutPrefix(text, m.internal); ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			text = m.external + rest
			break
		}
	}
	var path []any
	node := w.root
	for text != "" {
		var step any
		step, text = next(node, text)
		path = append(path, step)
		switch n := node.(type) {
		case map[string]any:
			node = nil
			if key, ok := step.(string); ok {
				node = n[key]
			}
		case []any:
			i, ok := step.(int)
			node = nil
			if ok && i < len(n) {
				node = n[i]
			}
		}
	}
	return path
}

// next takes one step off the text: an index, the longest key that the node has,
// or, when it has none, what looks like one.
func next(node any, text string) (step any, rest string) {
	text = strings.TrimPrefix(text, ".")
	body, bracket := strings.CutPrefix(text, "[")
	if bracket {
		if i, after, ok := strings.Cut(body, "]"); ok {
			if _, list := node.([]any); list || node == nil {
				if n, err := strconv.Atoi(i); err == nil && n >= 0 {
					return n, after
				}
			}
		}
	}
	longest := ""
	fields, _ := node.(map[string]any)
	for key := range fields {
		if after, ok := strings.CutPrefix(body, key); ok && len(key) > len(longest) && ends(after, bracket) {
			longest = key
		}
	}
	if longest == "" {
		stop := ".["
		if bracket {
			stop = "]"
		}
		end := strings.IndexAny(body, stop)
		if end < 1 {
			end = len(body)
		}
		longest = body[:end]
	}
	rest = body[len(longest):]
	if bracket {
		rest = strings.TrimPrefix(rest, "]")
	}
	if name, ok := renamed[longest]; ok {
		longest = name
	}
	return longest, rest
}

// ends reports whether a key that is followed by rest ends there.
func ends(rest string, bracket bool) bool {
	if bracket {
		return strings.HasPrefix(rest, "]")
	}
	return rest == "" || rest[0] == '.' || rest[0] == '['
}
