package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/linter/report"
)

// maxDepth bounds how many levels of fields a page shows, so that no schema can make
// the program or a browser go deeper than people do.
const maxDepth = 100

// Limits of what is shown of one field.
const (
	maxEnum        = 500
	maxDescription = 16 << 10 // bytes
)

// A schema is what the page shows of an OpenAPI schema.
type schema struct {
	Type        string             `json:"type"`
	Format      string             `json:"format"`
	Title       string             `json:"title"`
	Description string             `json:"description"`
	Properties  map[string]*schema `json:"properties"`
	Required    []string           `json:"required"`
	Items       *schema            `json:"items"`
	Additional  *additional        `json:"additionalProperties"`

	Default  json.RawMessage   `json:"default"`
	Enum     []json.RawMessage `json:"enum"`
	Example  json.RawMessage   `json:"example"`
	Pattern  string            `json:"pattern"`
	Nullable bool              `json:"nullable"`
	Unique   bool              `json:"uniqueItems"`

	Minimum          json.Number `json:"minimum"`
	Maximum          json.Number `json:"maximum"`
	ExclusiveMinimum bool        `json:"exclusiveMinimum"`
	ExclusiveMaximum bool        `json:"exclusiveMaximum"`
	MultipleOf       json.Number `json:"multipleOf"`
	MinLength        json.Number `json:"minLength"`
	MaxLength        json.Number `json:"maxLength"`
	MinItems         json.Number `json:"minItems"`
	MaxItems         json.Number `json:"maxItems"`
	MinProperties    json.Number `json:"minProperties"`
	MaxProperties    json.Number `json:"maxProperties"`

	AllOf json.RawMessage `json:"allOf"`
	AnyOf json.RawMessage `json:"anyOf"`
	OneOf json.RawMessage `json:"oneOf"`
	Not   json.RawMessage `json:"not"`

	IntOrString bool         `json:"x-kubernetes-int-or-string"`
	Unknown     bool         `json:"x-kubernetes-preserve-unknown-fields"`
	Embedded    bool         `json:"x-kubernetes-embedded-resource"`
	ListType    string       `json:"x-kubernetes-list-type"`
	ListKeys    []string     `json:"x-kubernetes-list-map-keys"`
	MapType     string       `json:"x-kubernetes-map-type"`
	Validations []validation `json:"x-kubernetes-validations"`
}

// A validation is a rule in CEL.
type validation struct {
	Rule    string `json:"rule"`
	Message string `json:"message"`
}

// additional is what a map holds: a schema, or true for anything.
type additional struct {
	any    bool
	schema *schema
}

// UnmarshalJSON takes both forms.
func (a *additional) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, &a.any) == nil {
		return nil
	}
	a.schema = new(schema)
	return json.Unmarshal(data, a.schema)
}

// A fact is one thing that a schema says of its values, such as a default.
type fact [2]string

// facts lists what a schema says beside types and descriptions, in one order.
func (s *schema) facts() []fact {
	var list []fact
	add := func(name, text string) {
		if text != "" {
			list = append(list, fact{name, forward(cut(text, maxValue))})
		}
	}
	add("default", compact(s.Default))
	for i, value := range s.Enum {
		if i == maxEnum {
			add("enum", fmt.Sprintf("… and %d more", len(s.Enum)-i))
			break
		}
		add("enum", compact(value))
	}
	add("example", compact(s.Example))
	add("minimum", bound(s.Minimum, s.ExclusiveMinimum))
	add("maximum", bound(s.Maximum, s.ExclusiveMaximum))
	add("multiple of", s.MultipleOf.String())
	add("min length", s.MinLength.String())
	add("max length", s.MaxLength.String())
	add("min items", s.MinItems.String())
	add("max items", s.MaxItems.String())
	add("min properties", s.MinProperties.String())
	add("max properties", s.MaxProperties.String())
	add("pattern", s.Pattern)
	add("unique items", yes(s.Unique))
	add("nullable", yes(s.Nullable))
	add("embedded resource", yes(s.Embedded))
	add("takes any fields", yes(s.Additional != nil && s.Additional.any))
	add("keeps unknown fields", yes(s.Unknown))
	add("list type", strings.Join(append([]string{s.ListType}, s.ListKeys...), " "))
	add("map type", s.MapType)
	if !s.IntOrString { // which is what its alternatives say
		add("any of", compact(s.AnyOf))
	}
	add("all of", compact(s.AllOf))
	add("one of", compact(s.OneOf))
	add("not", compact(s.Not))
	for _, v := range s.Validations {
		if v.Message == "" {
			add("rule", v.Rule)
		} else {
			add("rule", v.Rule+" — "+v.Message)
		}
	}
	return list
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return ""
}

func bound(n json.Number, exclusive bool) string {
	if n != "" && exclusive {
		return n.String() + ", exclusive"
	}
	return n.String()
}

// compact returns JSON without the space in it; "" for none.
func compact(value json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, value) != nil {
		return ""
	}
	return b.String()
}

// A node is a schema in the data of a page. Fields that are alike share one: most of a
// provider's are, since what is asked for and what is observed have the same fields.
type node struct {
	Type        string   `json:"t"`           // such as: array of object
	Mark        string   `json:"m,omitempty"` // what leads to the fields of the elements of a list or map: [] or {}
	Description int      `json:"d,omitempty"` // in the table of texts
	Facts       []fact   `json:"f,omitempty"`
	Names       []string `json:"n,omitempty"` // of the fields
	Fields      []int    `json:"k,omitempty"` // in the table of nodes
	Required    []int    `json:"r,omitempty"` // places in Names
	Cut         bool     `json:"c,omitempty"` // there are fields below, which are not shown
}

// schema puts a schema into the table of nodes and returns its place in it.
func (c *chunk) schema(s *schema, depth int) int {
	n := node{Facts: s.facts()}
	description := cmp.Or(s.Description, s.Title)
	// The fields of what is in a list or a map are shown as its own.
	in, each := s, ""
	for {
		element, kind, mark := in.element()
		if element == nil || len(n.Mark) > 2*maxDepth {
			break
		}
		in, each = element, each+"each "
		n.Type += kind + " of "
		n.Mark += mark
		description = cmp.Or(description, in.Description)
		for _, f := range in.facts() {
			n.Facts = append(n.Facts, fact{each + f[0], f[1]})
		}
	}
	n.Type += report.Printable(in.name())
	n.Description = c.text(cut(description, maxDescription))
	names := slices.Sorted(maps.Keys(in.Properties))
	n.Cut = depth == maxDepth && len(names) > 0
	if n.Cut {
		names = nil
	}
	for _, name := range names {
		field := in.Properties[name]
		if field == nil { // a null, as which no field is declared
			continue
		}
		if slices.Contains(in.Required, name) {
			n.Required = append(n.Required, len(n.Names))
		}
		n.Names = append(n.Names, report.Printable(name))
		n.Fields = append(n.Fields, c.schema(field, depth+1))
	}
	return c.node(n)
}

// element returns what is in a list or a map, how that is called, and how its place is
// written in the path of a field; nil where the schema is of neither.
func (s *schema) element() (element *schema, kind, mark string) {
	switch {
	case len(s.Properties) > 0:
	case s.Items != nil:
		return s.Items, "array", "[]"
	case s.Additional != nil && s.Additional.schema != nil:
		return s.Additional.schema, "map", "{}"
	}
	return nil, "", ""
}

// name names the type of a schema that is neither a list nor a map.
func (s *schema) name() string {
	name := cmp.Or(s.Type, "any")
	switch {
	case s.IntOrString:
		name = "integer or string"
	case s.Type == "" && len(s.Properties) > 0:
		name = "object"
	}
	if s.Format != "" {
		name += " (" + s.Format + ")"
	}
	return name
}
