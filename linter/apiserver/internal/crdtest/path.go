package crdtest

// pathCases are about what points to fields: columns, scales, selectable fields.
var pathCases = []Case{
	{Reason: "a column's path with a star", Version: column(`"type": "string", "jsonPath": ".spec.policies[*]"`)},
	{Reason: "a column's path with a range", Version: column(`"type": "string", "jsonPath": ".spec.policies[0:2]"`)},
	{Reason: "a column's path with a bracket that does not end", Version: column(`"type": "string", "jsonPath": ".spec.policies[0"`)},
	{Reason: "a column's path in braces", Refused: true, Version: column(`"type": "string", "jsonPath": "{.spec.field}"`)},
	{Reason: "a column's path that goes down anywhere", Version: column(`"type": "string", "jsonPath": "..field"`)},
	{Reason: "a column's path to a field that there is not", Version: column(`"type": "string", "jsonPath": ".spec.nothing"`)},
	{Reason: "a column's path of a dot", Version: column(`"type": "string", "jsonPath": "."`)},
	{Reason: "a column's path with a filter that is none", Version: column(`"type": "string", "jsonPath": ".status.conditions[?(@.type=='Ready')"`)},
	{Reason: "a column's path with a key in brackets", Version: column(`"type": "string", "jsonPath": ".metadata.annotations['example\\.org/a']"`)},
	{Reason: "a column's priority", Version: column(`"type": "integer", "format": "int32", "priority": 1, "jsonPath": ".a"`)},
	{Reason: "a column's priority that is negative", Version: column(`"type": "integer", "priority": -1, "jsonPath": ".a"`)},
	{Reason: "a column's priority in words", Refused: true, Version: column(`"type": "integer", "priority": "high", "jsonPath": ".a"`)},
	{Reason: "a column's priority of more than 32 bits", Refused: true, Version: column(`"type": "integer", "priority": 4294967296, "jsonPath": ".a"`)},
	{Reason: "a column with a description", Version: column(`"type": "boolean", "description": "is it?", "jsonPath": ".a"`)},
	{Reason: "a column of bytes", Version: column(`"type": "string", "format": "byte", "jsonPath": ".a"`)},
	{Reason: "two columns of one name", Version: `{"additionalPrinterColumns": [{"name": "A", "type": "date", "jsonPath": ".a"}, {"name": "A", "type": "date", "jsonPath": ".b"}]}`},
	{Reason: "columns that are none", Version: `{"additionalPrinterColumns": []}`},
	{Reason: "columns that are a map", Refused: true, Version: `{"additionalPrinterColumns": {"name": "A"}}`},

	{Reason: "a status that is true", Refused: true, Version: `{"subresources": {"status": true}}`},
	{Reason: "no subresources of any kind", Version: `{"subresources": {"status": null}}`},
	{Reason: "a subresource that there is not", Version: `{"subresources": {"status": {}, "health": {}}}`},
	{Reason: "a scale of the whole spec", Refused: true, Version: scale(`"specReplicasPath": ".spec", "statusReplicasPath": ".status.replicas"`)},
	{Reason: "a scale of an item, whose path is not looked at that closely", Version: scale(`"specReplicasPath": ".spec.a[0]", "statusReplicasPath": ".status.replicas"`)},
	{Reason: "a scale without a dot", Refused: true, Version: scale(`"specReplicasPath": "spec.replicas", "statusReplicasPath": ".status.replicas"`)},
	{Reason: "a scale of a field that there is not", Version: scale(`"specReplicasPath": ".spec.nothing", "statusReplicasPath": ".status.nothing"`)},
	{Reason: "a scale with a selector of the spec", Version: scale(`"specReplicasPath": ".spec.a", "statusReplicasPath": ".status.a", "labelSelectorPath": ".spec.selector"`)},
	{Reason: "a scale with an empty selector", Version: scale(`"specReplicasPath": ".spec.a", "statusReplicasPath": ".status.a", "labelSelectorPath": ""`)},
	{Reason: "a scale that is null", Version: `{"subresources": {"scale": null}}`},

	{Reason: "a selectable field with an enumeration", Field: `{"type": "string", "enum": ["a", "b"]}`, Version: selectable(`{"jsonPath": ".spec.field"}`)},
	{Reason: "a selectable field that is a switch", Field: `{"type": "boolean"}`, Version: selectable(`{"jsonPath": ".spec.field"}`)},
	{Reason: "a selectable field that is a number", Field: `{"type": "integer"}`, Version: selectable(`{"jsonPath": ".spec.field"}`)},
	{Reason: "a selectable field with a fraction", Refused: true, Field: `{"type": "number"}`, Version: selectable(`{"jsonPath": ".spec.field"}`)},
	{Reason: "a selectable field that is an object", Refused: true, Field: `{"type": "object"}`, Version: selectable(`{"jsonPath": ".spec.field"}`)},
	{Reason: "a selectable field of an item", Refused: true, Version: selectable(`{"jsonPath": ".spec.policies[0]"}`)},
	{Reason: "a selectable field without a dot", Refused: true, Version: selectable(`{"jsonPath": "spec.field"}`)},
	{Reason: "a selectable field of the status", Refused: true, Version: selectable(`{"jsonPath": ".status.replicas.a"}`)},
	{Reason: "a selectable field without a path", Refused: true, Version: selectable(`{}`)},
	{Reason: "nine selectable fields", Refused: true, Version: selectable(`{"jsonPath": ".spec.a"}, {"jsonPath": ".spec.b"}, {"jsonPath": ".spec.c"}, {"jsonPath": ".spec.d"}, {"jsonPath": ".spec.e"}, {"jsonPath": ".spec.f"}, {"jsonPath": ".spec.g"}, {"jsonPath": ".spec.h"}, {"jsonPath": ".spec.i"}`)},
	{Reason: "no selectable fields", Version: selectable(``)},
}

func column(rest string) string {
	return `{"additionalPrinterColumns": [{"name": "A", ` + rest + `}]}`
}

func scale(paths string) string { return `{"subresources": {"scale": {` + paths + `}}}` }

func selectable(fields string) string { return `{"selectableFields": [` + fields + `]}` }
