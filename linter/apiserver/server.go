package apiserver

import (
	"context"
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
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
	dropUnselectable(&crd.Spec)
	// A client's status is dropped when an object is created, and replaced.
	crd.Status = apiextensions.CustomResourceDefinitionStatus{}
	for _, v := range crd.Spec.Versions {
		if v.Storage {
			crd.Status.StoredVersions = []string{v.Name}
			break
		}
	}
	faults := validation.ValidateCustomResourceDefinition(ctx, crd)
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

// dropUnselectable removes the fields to select by that have no structural schema to be in. The
// API server's own code tells of such a schema, and panics when it goes on to these.
func dropUnselectable(spec *apiextensions.CustomResourceDefinitionSpec) {
	unselectable := func(v *apiextensions.CustomResourceValidation) bool {
		if v == nil {
			return false
		}
		structural, err := structuralschema.NewStructural(v.OpenAPIV3Schema)
		return err != nil || structural == nil
	}
	if len(spec.SelectableFields) > 0 && unselectable(spec.Validation) {
		spec.SelectableFields = nil
	}
	for i := range spec.Versions {
		if v := &spec.Versions[i]; len(v.SelectableFields) > 0 && unselectable(v.Schema) {
			v.SelectableFields = nil
		}
	}
}
