package apiserver

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
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
		text = strings.TrimPrefix(text, ".") // default.[1]
		if list, ok := node.([]any); ok && !strings.HasPrefix(text, "[") {
			// A field of an item, of which it is not said which one it is.
			if len(list) != 1 {
				return path
			}
			node = list[0]
			path = append(path, 0)
		}
		step, text = next(node, text)
		path = append(path, step)
		node = child(node, step)
	}
	return path
}

// of returns the path of a fault. What is wrong with a key or a value of the
// annotations and labels is told of them as a whole.
func (w *walker) of(f *field.Error) []any {
	path := w.path(f.Field)
	if strings.HasSuffix(f.Detail, rootDetail) {
		return append(path, w.notAtRoot(path, f.Detail)...)
	}
	if f.Field != "metadata.annotations" && f.Field != "metadata.labels" {
		return w.ofWebhook(path)
	}
	bad, ok := f.BadValue.(string)
	if !ok {
		return path
	}
	texts, _ := w.at(path).(map[string]any)
	if _, ok := texts[bad]; ok {
		return append(path, bad)
	}
	for _, key := range slices.Sorted(maps.Keys(texts)) {
		if texts[key] == bad {
			return append(path, key)
		}
	}
	return path
}

// ofWebhook returns the path of the webhook of a conversion for what is wrong with a part of
// it, where the webhook as a whole is missing, or is there and should not be.
func (w *walker) ofWebhook(path []any) []any {
	whole := []any{"spec", "conversion", "webhook"}
	if len(path) < len(whole) || !slices.Equal(path[:len(whole)], whole) {
		return path
	}
	if w.at(whole) != nil && w.at([]any{"spec", "conversion", "strategy"}) == "Webhook" {
		return path
	}
	return whole
}

// rootDetail ends what the API server says of a keyword at the root of a schema
// beside a status: which ones there may be, as its own fields.
const rootDetail = "fields are allowed at the root of the schema if the status subresource is enabled"

// notAtRoot returns the first keyword of the schema that is not one of those.
func (w *walker) notAtRoot(path []any, detail string) []any {
	list, _, _ := strings.Cut(strings.TrimPrefix(detail, "only ["), "]")
	allowed := map[string]bool{}
	for _, name := range strings.Fields(list) {
		switch name {
		case "XPreserveUnknownFields":
			name = "x-kubernetes-preserve-unknown-fields"
		case "XValidations":
			name = "x-kubernetes-validations"
		}
		allowed[strings.ToLower(name[:1])+name[1:]] = true
	}
	root, _ := w.at(path).(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(root)) {
		if !allowed[key] {
			return []any{key}
		}
	}
	return nil
}

// at returns the value at a path; nil when there is none.
func (w *walker) at(path []any) any {
	node := w.root
	for _, step := range path {
		node = child(node, step)
	}
	return node
}

func child(node, step any) any {
	switch n := node.(type) {
	case map[string]any:
		if key, ok := step.(string); ok {
			return n[key]
		}
	case []any:
		if i, ok := step.(int); ok && i < len(n) {
			return n[i]
		}
	}
	return nil
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
