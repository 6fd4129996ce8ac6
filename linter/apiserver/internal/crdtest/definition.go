package crdtest

// Cases returns the table: faults, and beside them what is just right.
func Cases() []Case {
	var all []Case
	for _, part := range [][]Case{definitionCases, versionCases, pathCases, schemaCases, defaultCases, listCases, ruleCases, expressionCases} {
		all = append(all, part...)
	}
	return all
}

var definitionCases = []Case{
	{Reason: "nothing is wrong"},
	{Reason: "no name", Refused: true, Definition: `{"metadata": {"name": null}}`},
	{Reason: "a name that is not plural.group", Refused: true, Definition: `{"metadata": {"name": "bucket.example.org"}}`},
	{Reason: "a name in upper case", Refused: true, Definition: `{"metadata": {"name": "Buckets.example.org"}}`},
	{Reason: "an annotation key with a space", Refused: true, Definition: `{"metadata": {"annotations": {"a b": "c"}}}`},
	{Reason: "an annotation key with a prefix", Definition: `{"metadata": {"annotations": {"example.org/a-b": "c"}}}`},
	{Reason: "a label value with a slash", Refused: true, Definition: `{"metadata": {"labels": {"a": "b/c"}}}`},
	{Reason: "a label value of dots and hyphens within", Definition: `{"metadata": {"labels": {"a": "b.c-d"}}}`},
	{Reason: "a label value that is a number", Refused: true, Definition: `{"metadata": {"labels": {"a": 5}}}`},
	{Reason: "a finalizer without a domain", Definition: `{"metadata": {"finalizers": ["mine"]}}`},
	{Reason: "a finalizer", Definition: `{"metadata": {"finalizers": ["example.org/mine"]}}`},
	{Reason: "an owner without a UID", Refused: true, Definition: `{"metadata": {"ownerReferences": [{"apiVersion": "v1", "kind": "A", "name": "a"}]}}`},
	{Reason: "an owner", Definition: `{"metadata": {"ownerReferences": [{"apiVersion": "v1", "kind": "A", "name": "a", "uid": "u"}]}}`},
	{Reason: "two owners that control", Refused: true, Definition: `{"metadata": {"ownerReferences": [
		{"apiVersion": "v1", "kind": "A", "name": "a", "uid": "u", "controller": true}, {"apiVersion": "v1", "kind": "A", "name": "b", "uid": "v", "controller": true}]}}`},
	{Reason: "a time of creation that is none yet", Definition: `{"metadata": {"creationTimestamp": "2024-01-01T00:00:00Z"}}`},
	{Reason: "a time of creation in words", Refused: true, Definition: `{"metadata": {"creationTimestamp": "yesterday"}}`},
	{Reason: "a status as a generator writes it", Definition: `{"status": {"acceptedNames": {"kind": "", "plural": ""}, "conditions": [], "storedVersions": []}}`},
	{Reason: "a status with versions that there are not", Definition: `{"status": {"storedVersions": ["v0"]}}`},
	{Reason: "a status with conditions as null", Definition: `{"status": {"acceptedNames": {"kind": "", "plural": ""}, "conditions": null, "storedVersions": null}}`},
	{Reason: "a status of another type", Refused: true, Definition: `{"status": {"storedVersions": "v1"}}`},

	{Reason: "no group", Refused: true, Definition: `{"spec": {"group": null}, "metadata": {"name": "buckets."}}`},
	{Reason: "a group without a dot", Refused: true, Definition: `{"spec": {"group": "example"}, "metadata": {"name": "buckets.example"}}`},
	{Reason: "a group in upper case", Refused: true, Definition: `{"spec": {"group": "Example.org"}, "metadata": {"name": "buckets.Example.org"}}`},
	{Reason: "a group with a hyphen", Definition: `{"spec": {"group": "my-example.org"}, "metadata": {"name": "buckets.my-example.org"}}`},
	{Reason: "a group that is a number", Refused: true, Definition: `{"spec": {"group": 5}}`},
	{Reason: "a group of Kubernetes, not approved", Refused: true, Definition: `{"spec": {"group": "example.k8s.io"}, "metadata": {"name": "buckets.example.k8s.io"}}`},
	{Reason: "a group of Kubernetes, approved by a link", Definition: `{"spec": {"group": "example.k8s.io"}, "metadata": {"name": "buckets.example.k8s.io",
		"annotations": {"api-approved.kubernetes.io": "https://github.com/kubernetes/kubernetes/pull/1"}}}`},
	{Reason: "a group of Kubernetes, approved by a word", Refused: true, Definition: `{"spec": {"group": "example.k8s.io"}, "metadata": {"name": "buckets.example.k8s.io",
		"annotations": {"api-approved.kubernetes.io": "yes"}}}`},
	{Reason: "a group of Kubernetes, unapproved with a reason", Definition: `{"spec": {"group": "example.k8s.io"}, "metadata": {"name": "buckets.example.k8s.io",
		"annotations": {"api-approved.kubernetes.io": "unapproved, experimental"}}}`},
	{Reason: "no scope", Refused: true, Definition: `{"spec": {"scope": null}}`},
	{Reason: "another scope", Refused: true, Definition: `{"spec": {"scope": "Galaxy"}}`},
	{Reason: "a scope in lower case", Refused: true, Definition: `{"spec": {"scope": "cluster"}}`},
	{Reason: "the other scope", Definition: `{"spec": {"scope": "Namespaced"}}`},
	{Reason: "a field that there is not", Definition: `{"spec": {"scoop": "Cluster"}}`},

	{Reason: "no names", Refused: true, Definition: `{"spec": {"names": null}}`},
	{Reason: "no kind", Refused: true, Definition: `{"spec": {"names": {"kind": null, "singular": null, "listKind": null}}}`},
	{Reason: "no plural", Refused: true, Definition: `{"spec": {"names": {"plural": null}}, "metadata": {"name": "x.example.org"}}`},
	{Reason: "no singular and no kind of lists", Definition: `{"spec": {"names": {"singular": null, "listKind": null}}}`},
	{Reason: "a kind with an underscore", Refused: true, Definition: `{"spec": {"names": {"kind": "Big_Bucket"}}}`},
	{Reason: "a kind with a hyphen", Definition: `{"spec": {"names": {"kind": "Big-Bucket"}}}`},
	{Reason: "a kind that begins with a digit", Refused: true, Definition: `{"spec": {"names": {"kind": "3Bucket"}}}`},
	{Reason: "a kind of 63 letters", Definition: `{"spec": {"names": {"kind": "Baaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"}}}`},
	{Reason: "a kind of 64 letters", Refused: true, Definition: `{"spec": {"names": {"kind": "Baaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"}}}`},
	{Reason: "a kind that is the kind of its lists", Refused: true, Definition: `{"spec": {"names": {"listKind": "Bucket"}}}`},
	{Reason: "a singular in upper case", Refused: true, Definition: `{"spec": {"names": {"singular": "Bucket"}}}`},
	{Reason: "a plural with a dot", Refused: true, Definition: `{"spec": {"names": {"plural": "buck.ets"}}, "metadata": {"name": "buck.ets.example.org"}}`},
	{Reason: "a short name with a space", Refused: true, Definition: `{"spec": {"names": {"shortNames": ["bu", "b u"]}}}`},
	{Reason: "the same short name twice", Definition: `{"spec": {"names": {"shortNames": ["bu", "bu"]}}}`},
	{Reason: "a category in upper case", Refused: true, Definition: `{"spec": {"names": {"categories": ["Managed"]}}}`},
	{Reason: "categories", Definition: `{"spec": {"names": {"categories": ["crossplane", "managed"]}}}`},
	{Reason: "names that are a list", Refused: true, Definition: `{"spec": {"names": ["buckets"]}}`},

	{Reason: "unknown fields preserved at the top", Refused: true, Definition: `{"spec": {"preserveUnknownFields": true}}`},
	{Reason: "unknown fields pruned", Definition: `{"spec": {"preserveUnknownFields": false}}`},
	{Reason: "no conversion", Definition: `{"spec": {"conversion": {"strategy": "None"}}}`},
	{Reason: "another strategy of conversion", Refused: true, Definition: `{"spec": {"conversion": {"strategy": "Magic"}}}`},
	{Reason: "a strategy of conversion that is missing", Refused: true, Definition: `{"spec": {"conversion": {}}}`},
	{Reason: "a webhook without one", Refused: true, Definition: `{"spec": {"conversion": {"strategy": "Webhook"}}}`},
	{Reason: "a webhook where there is no conversion", Refused: true, Definition: `{"spec": {"conversion": {"strategy": "None", "webhook": {"conversionReviewVersions": ["v1"]}}}}`},
	{Reason: "a webhook without versions", Refused: true, Definition: `{"spec": {"conversion": {"strategy": "Webhook", "webhook": {"clientConfig": {"service": {"name": "a", "namespace": "b"}}}}}}`},
	{Reason: "a webhook that speaks versions nobody knows", Refused: true, Definition: `{"spec": {"conversion": {"strategy": "Webhook", "webhook": {
		"conversionReviewVersions": ["v9"], "clientConfig": {"service": {"name": "a", "namespace": "b"}}}}}}`},
	{Reason: "a webhook that also speaks versions nobody knows", Definition: `{"spec": {"conversion": {"strategy": "Webhook", "webhook": {
		"conversionReviewVersions": ["v9", "v1"], "clientConfig": {"service": {"name": "a", "namespace": "b"}}}}}}`},
	{Reason: "a webhook with a version twice", Refused: true, Definition: `{"spec": {"conversion": {"strategy": "Webhook", "webhook": {
		"conversionReviewVersions": ["v1", "v1"], "clientConfig": {"service": {"name": "a", "namespace": "b"}}}}}}`},
	{Reason: "a webhook with a version that is no name", Refused: true, Definition: `{"spec": {"conversion": {"strategy": "Webhook", "webhook": {
		"conversionReviewVersions": ["v1", "V2"], "clientConfig": {"service": {"name": "a", "namespace": "b"}}}}}}`},
	{Reason: "a webhook's path without a slash", Refused: true, Definition: `{"spec": {"conversion": {"strategy": "Webhook", "webhook": {
		"conversionReviewVersions": ["v1"], "clientConfig": {"service": {"name": "a", "namespace": "b", "path": "convert"}}}}}}`},
	{Reason: "a webhook's path with an empty step", Refused: true, Definition: `{"spec": {"conversion": {"strategy": "Webhook", "webhook": {
		"conversionReviewVersions": ["v1"], "clientConfig": {"service": {"name": "a", "namespace": "b", "path": "/a//b"}}}}}}`},
	{Reason: "a webhook's path", Definition: `{"spec": {"conversion": {"strategy": "Webhook", "webhook": {
		"conversionReviewVersions": ["v1"], "clientConfig": {"service": {"name": "a", "namespace": "b", "path": "/convert"}}}}}}`},
	{Reason: "certificates that are not in base64", Refused: true, Definition: `{"spec": {"conversion": {"strategy": "Webhook", "webhook": {
		"conversionReviewVersions": ["v1"], "clientConfig": {"caBundle": "!", "service": {"name": "a", "namespace": "b"}}}}}}`},
	{Reason: "certificates that are none, before there is a server", Definition: `{"spec": {"conversion": {"strategy": "Webhook", "webhook": {
		"conversionReviewVersions": ["v1"], "clientConfig": {"caBundle": "Cg==", "service": {"name": "a", "namespace": "b"}}}}}}`},
}

const trivialVersion = `"served": true, "schema": {"openAPIV3Schema": {"type": "object"}}`

var versionCases = []Case{
	{Reason: "no versions", Refused: true, Definition: `{"spec": {"versions": []}}`},
	{Reason: "versions that are missing", Refused: true, Definition: `{"spec": {"versions": null}}`},
	{Reason: "no storage version", Refused: true, Version: `{"storage": false}`},
	{Reason: "two storage versions", Refused: true, Definition: `{"spec": {"versions": [
		{"name": "v1", "storage": true, ` + trivialVersion + `}, {"name": "v2", "storage": true, ` + trivialVersion + `}]}}`},
	{Reason: "two versions", Definition: `{"spec": {"versions": [
		{"name": "v1", "storage": true, ` + trivialVersion + `}, {"name": "v2", "storage": false, ` + trivialVersion + `}]}}`},
	{Reason: "two versions of one name", Refused: true, Definition: `{"spec": {"versions": [
		{"name": "v1", "storage": true, ` + trivialVersion + `}, {"name": "v1", "storage": false, ` + trivialVersion + `}]}}`},
	{Reason: "a second version without a schema", Refused: true, Definition: `{"spec": {"versions": [
		{"name": "v1", "storage": true, ` + trivialVersion + `}, {"name": "v2", "served": true, "storage": false}]}}`},
	{Reason: "a fault in the schema of the second version", Refused: true, Definition: `{"spec": {"versions": [
		{"name": "v1", "storage": true, ` + trivialVersion + `}, {"name": "v2", "storage": false, "served": true,
		"schema": {"openAPIV3Schema": {"type": "object", "properties": {"a.b": {"type": "string", "pattern": "["}}}}}]}}`},
	{Reason: "a version that is not served", Version: `{"served": false}`},
	{Reason: "no word of serving", Version: `{"served": null}`},
	{Reason: "served in words", Refused: true, Version: `{"served": "true"}`},
	{Reason: "a version in upper case", Refused: true, Version: `{"name": "V1"}`},
	{Reason: "a version with a dot", Refused: true, Version: `{"name": "v1.0"}`},
	{Reason: "a version that begins with a digit", Refused: true, Version: `{"name": "1"}`},
	{Reason: "a version of any name", Version: `{"name": "banana"}`},
	{Reason: "no version name", Refused: true, Version: `{"name": null}`},
	{Reason: "a version that is a word", Refused: true, Definition: `{"spec": {"versions": ["v1"]}}`},
	{Reason: "no schema", Refused: true, Version: `{"schema": null}`},
	{Reason: "an empty schema", Refused: true, Version: `{"schema": {"openAPIV3Schema": null}}`},
	{Reason: "a warning of a version that is not deprecated", Refused: true, Version: `{"deprecationWarning": "old"}`},
	{Reason: "a warning of a version that is deprecated", Version: `{"deprecated": true, "deprecationWarning": "old"}`},
	{Reason: "an empty warning", Refused: true, Version: `{"deprecated": true, "deprecationWarning": ""}`},
	{Reason: "a warning with a line break", Refused: true, Version: `{"deprecated": true, "deprecationWarning": "a\nb"}`},
	{Reason: "a column without a path", Refused: true, Version: `{"additionalPrinterColumns": [{"name": "A", "type": "string"}]}`},
	{Reason: "a column without a name", Refused: true, Version: `{"additionalPrinterColumns": [{"type": "string", "jsonPath": ".a"}]}`},
	{Reason: "a column of no type", Refused: true, Version: `{"additionalPrinterColumns": [{"name": "A", "jsonPath": ".a"}]}`},
	{Reason: "a column of another type", Refused: true, Version: `{"additionalPrinterColumns": [{"name": "A", "type": "object", "jsonPath": ".a"}]}`},
	{Reason: "a column's path without a dot", Refused: true, Version: `{"additionalPrinterColumns": [{"name": "A", "type": "date", "jsonPath": "a"}]}`},
	{Reason: "a column of another format", Refused: true, Version: `{"additionalPrinterColumns": [{"name": "A", "type": "string", "format": "ip", "jsonPath": ".a"}]}`},
	{Reason: "a column", Version: `{"additionalPrinterColumns": [{"name": "A", "type": "string", "format": "password", "jsonPath": ".status.conditions[?(@.type=='Ready')].status"}]}`},
	{Reason: "a faulty column behind a right one", Refused: true, Version: `{"additionalPrinterColumns": [{"name": "A", "type": "date", "jsonPath": ".a"}, {"name": "B", "type": "date", "jsonPath": "b"}]}`},
	{Reason: "a scale without paths", Refused: true, Version: `{"subresources": {"scale": {}}}`},
	{Reason: "a scale outside of spec", Refused: true, Version: `{"subresources": {"scale": {"specReplicasPath": ".a.b", "statusReplicasPath": ".status.b"}}}`},
	{Reason: "a scale outside of status", Refused: true, Version: `{"subresources": {"scale": {"specReplicasPath": ".spec.b", "statusReplicasPath": ".spec.b"}}}`},
	{Reason: "a scale", Version: `{"subresources": {"scale": {"specReplicasPath": ".spec.b", "statusReplicasPath": ".status.b", "labelSelectorPath": ".status.c"}}}`},
	{Reason: "a scale with a selector elsewhere", Refused: true, Version: `{"subresources": {"scale": {"specReplicasPath": ".spec.b", "statusReplicasPath": ".status.b", "labelSelectorPath": ".metadata.c"}}}`},
	{Reason: "a selectable field that there is not", Refused: true, Version: `{"selectableFields": [{"jsonPath": ".spec.nothing"}]}`},
	{Reason: "a selectable field", Version: `{"selectableFields": [{"jsonPath": ".spec.field"}]}`},
	{Reason: "a selectable field twice", Refused: true, Version: `{"selectableFields": [{"jsonPath": ".spec.field"}, {"jsonPath": ".spec.field"}]}`},
	{Reason: "a selectable field that is a list", Refused: true, Version: `{"selectableFields": [{"jsonPath": ".spec.policies"}]}`},
	{Reason: "a selectable field of the metadata", Refused: true, Version: `{"selectableFields": [{"jsonPath": ".metadata.name"}]}`},
}
