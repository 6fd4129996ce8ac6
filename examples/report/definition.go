package main

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/xpkg-go/sdk/parser"
)

// definition is what the page shows of a definition.
type definition struct {
	Spec struct {
		Group      string `json:"group"`
		Names      names  `json:"names"`
		ClaimNames names  `json:"claimNames"`
		Scope      string `json:"scope"`
		Versions   []struct {
			Name          string      `json:"name"`
			Served        *bool       `json:"served"`
			Storage       bool        `json:"storage"`
			Referenceable bool        `json:"referenceable"`
			Deprecated    bool        `json:"deprecated"`
			Schema        schemaField `json:"schema"`
		} `json:"versions"`
		// The form of version v1beta1: one schema for all.
		Version    string      `json:"version"`
		Validation schemaField `json:"validation"`
	} `json:"spec"`
}

type names struct {
	Kind string `json:"kind"`
}

type schemaField struct {
	OpenAPI *schema `json:"openAPIV3Schema"`
}

// newObject returns what the list shows of a document, and what is shown when it is opened.
func newObject(d *parser.Document, c *chunk) (*object, detail, error) {
	o := &object{
		Chunk: -1, APIVersion: printable(d.APIVersion), Kind: printable(d.Kind), Name: printable(d.Name),
		Title: printable(cmp.Or(d.Name, "(no name)")), Place: d.Range.String(),
	}
	if rank(d.Kind) == other {
		return o, text(d, c), nil
	}
	data, err := d.JSON()
	if err != nil {
		return nil, detail{}, err
	}
	var def definition
	// What does not fit is left out; that it does not is a finding.
	_ = json.Unmarshal(data, &def)
	spec := &def.Spec
	if spec.Names.Kind == "" {
		return o, text(d, c), nil
	}
	o.Title, o.Group = printable(spec.Names.Kind), printable(spec.Group)
	o.Scope, o.Claim = printable(spec.Scope), printable(spec.ClaimNames.Kind)
	var out detail
	add := func(name, state string, s *schema) {
		v := version{Name: printable(name), State: state, Schema: -1}
		if s != nil {
			v.Schema = c.schema(s, 0)
		}
		c.size += len(v.Name) + len(state)
		if len(o.Versions) < maxBadges {
			o.Versions = append(o.Versions, defined{v.Name, state})
		} else {
			o.MoreVersions++
		}
		out.Versions = append(out.Versions, v)
	}
	for _, v := range spec.Versions {
		var state []string
		for _, s := range []struct {
			is   bool
			name string
		}{
			{v.Served != nil && !*v.Served, "not served"},
			{v.Storage && len(spec.Versions) > 1, "storage"},
			{v.Referenceable && len(spec.Versions) > 1, "referenceable"},
			{v.Deprecated, "deprecated"},
		} {
			if s.is {
				state = append(state, s.name)
			}
		}
		add(v.Name, strings.Join(state, ", "), cmp.Or(v.Schema.OpenAPI, spec.Validation.OpenAPI))
	}
	if len(spec.Versions) == 0 && spec.Version != "" {
		add(spec.Version, "", spec.Validation.OpenAPI)
	}
	return o, out, nil
}

// text returns a document as its author wrote it, forward.
func text(d *parser.Document, c *chunk) detail {
	shown := forward(cut(string(d.Text()), maxText))
	c.size += len(shown)
	return detail{Text: shown}
}
