package apiserver

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// server is what an API server does with a CustomResourceDefinition between
// reading a request and storing the object.
type server struct{ decoder runtime.Decoder }

func newServer() *server {
	scheme := runtime.NewScheme()
	install.Install(scheme)
	// The universal decoder defaults what it reads and converts it to the internal
	// version, as the server's own does.
	return &server{decoder: serializer.NewCodecFactory(scheme).UniversalDecoder(apiextensions.SchemeGroupVersion)}
}

// decodeError is a body that the server cannot read, such as a number where a
// string is expected.
type decodeError struct{ err error }

func (e *decodeError) Error() string { return e.err.Error() }
func (e *decodeError) Unwrap() error { return e.err }

// create returns what the server has against creating the object.
func (s *server) create(ctx context.Context, raw []byte) (field.ErrorList, error) {
	obj, err := runtime.Decode(s.decoder, raw)
	if err != nil {
		return nil, &decodeError{err}
	}
	crd, ok := obj.(*apiextensions.CustomResourceDefinition)
	if !ok {
		return nil, &decodeError{fmt.Errorf("no CustomResourceDefinition")}
	}
	complete(crd)
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
