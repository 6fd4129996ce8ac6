package apiserver

import (
	"context"
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	schemacel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/json"
)

// decodeError is a body that the server cannot read, such as a number where a
// string is expected.
type decodeError struct{ err error }

// Error is the text of the cause.
func (e *decodeError) Error() string { return e.err.Error() }

// Unwrap returns the cause.
func (e *decodeError) Unwrap() error { return e.err }

// create does what an API server does with a CustomResourceDefinition between reading
// a request and storing the object, and returns what it has against that. Decoder,
// defaults and conversion to the internal version are those of the server's codec,
// which finds them by a table of all kinds.
func create(ctx context.Context, raw []byte) (field.ErrorList, error) {
	external, crd := &apiextensionsv1.CustomResourceDefinition{}, &apiextensions.CustomResourceDefinition{}
	if err := json.UnmarshalCaseSensitivePreserveInts(raw, external); err != nil {
		return nil, &decodeError{err}
	}
	apiextensionsv1.SetObjectDefaults_CustomResourceDefinition(external)
	if err := apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(external, crd, nil); err != nil {
		return nil, &decodeError{err}
	}
	complete(crd)
	unselectable := dropUnselectable(&crd.Spec)
	// A client's status is dropped when an object is created, and replaced.
	crd.Status = apiextensions.CustomResourceDefinitionStatus{}
	for _, v := range crd.Spec.Versions {
		if v.Storage {
			crd.Status.StoredVersions = []string{v.Name}
			break
		}
	}
	faults := append(unselectable, validation.ValidateCustomResourceDefinition(ctx, crd)...)
	return slices.DeleteFunc(faults, func(f *field.Error) bool {
		// The status is not the author's: what is wrong with it follows from the
		// versions, which are told of.
		return f.Field == "status" || strings.HasPrefix(f.Field, "status.")
	}), nil
}

// complete does what the package manager does before it creates a definition: it
// points a conversion webhook to the service of the provider that it runs. What a
// package says of the service's name and certificate is overwritten, so it need not
// say anything.
func complete(crd *apiextensions.CustomResourceDefinition) {
	c := crd.Spec.Conversion
	if c == nil || c.Strategy != apiextensions.WebhookConverter || c.WebhookClientConfig == nil {
		return
	}
	if c.WebhookClientConfig.Service == nil {
		c.WebhookClientConfig.Service = &apiextensions.ServiceReference{}
	}
	c.WebhookClientConfig.CABundle = nil
	service := c.WebhookClientConfig.Service
	service.Name, service.Namespace, service.Port = "provider", "crossplane-system", 9443
}

// dropUnselectable removes the fields to select by on which the API server's own code panics when
// it follows their paths, and returns what is to say of them: nothing where they have no
// structural schema to be in, of which that code tells.
func dropUnselectable(spec *apiextensions.CustomResourceDefinitionSpec) field.ErrorList {
	var faults field.ErrorList
	drop := func(fields []apiextensions.SelectableField, schema *apiextensions.CustomResourceValidation, path *field.Path) []apiextensions.SelectableField {
		if len(fields) == 0 || schema == nil {
			return fields
		}
		structural, err := structuralschema.NewStructural(schema.OpenAPIV3Schema)
		if err != nil || structural == nil {
			return nil
		}
		known := len(faults)
		for i, f := range fields {
			if !followed(f.JSONPath, structural) {
				faults = append(faults, field.Invalid(path.Index(i).Child("jsonPath"), f.JSONPath, "is an invalid path: the API server fails where it comes to additionalProperties: true"))
			}
		}
		if len(faults) > known { // the rest would be told at other places
			return nil
		}
		return fields
	}
	at := field.NewPath("spec")
	spec.SelectableFields = drop(spec.SelectableFields, spec.Validation, at.Child("selectableFields"))
	for i := range spec.Versions {
		v := &spec.Versions[i]
		v.SelectableFields = drop(v.SelectableFields, v.Schema, at.Child("versions").Index(i).Child("selectableFields"))
	}
	return faults
}

// followed reports whether the API server's code comes to an end with a path.
func followed(path string, schema *structuralschema.Structural) (ok bool) {
	defer func() { ok = recover() == nil }()
	_, _, _ = schemacel.ValidFieldPath(path, schema, schemacel.WithFieldPathAllowArrayNotation(false))
	return true
}
