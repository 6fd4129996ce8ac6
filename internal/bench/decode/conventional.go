package decode

import (
	"bufio"
	"errors"
	"io"

	extv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// Provider is the metadata object as an API type, with what the benchmark's
// packages use of it.
type Provider struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              struct {
		Crossplane struct {
			Version string `json:"version"`
		} `json:"crossplane"`
		Controller struct {
			Image string `json:"image"`
		} `json:"controller"`
	} `json:"spec"`
}

// DeepCopyObject makes Provider a runtime.Object.
func (p *Provider) DeepCopyObject() runtime.Object {
	c := *p
	p.ObjectMeta.DeepCopyInto(&c.ObjectMeta)
	return &c
}

// decoder reads a document against the kinds of one scheme.
func decoder(register func(*runtime.Scheme) error) (runtime.Decoder, error) {
	s := runtime.NewScheme()
	if err := register(s); err != nil {
		return nil, err
	}
	return json.NewSerializerWithOptions(json.DefaultMetaFactory, s, s, json.SerializerOptions{Yaml: true}), nil
}

// Conventional holds the decoders, which a program makes once.
type Conventional struct{ meta, objects runtime.Decoder }

// NewConventional returns the decoders of a provider and of the API extensions.
func NewConventional() (*Conventional, error) {
	meta, err := decoder(func(s *runtime.Scheme) error {
		s.AddKnownTypeWithName(schema.GroupVersionKind{Group: "meta.pkg.crossplane.io", Version: "v1", Kind: "Provider"}, &Provider{})
		return nil
	})
	if err != nil {
		return nil, err
	}
	objects, err := decoder(extv1.AddToScheme)
	if err != nil {
		return nil, err
	}
	return &Conventional{meta, objects}, nil
}

// Stream reads a stream as the package manager does: documents by apimachinery's
// reader, each decoded against the metadata kinds and, when it is none of them,
// against the kinds of objects. It returns how many there are.
func (c *Conventional) Stream(r io.Reader) (n int, err error) {
	err = c.each(r, func(runtime.Object) { n++ })
	return n, err
}

// Package is Stream that keeps the objects, as who looks at a package as a whole
// must.
func (c *Conventional) Package(r io.Reader) (all []runtime.Object, err error) {
	err = c.each(r, func(o runtime.Object) { all = append(all, o) })
	return all, err
}

// Encode reads a stream and writes every object anew, with separators between them, as
// the field's builder does. It returns how many there are.
func (c *Conventional) Encode(r io.Reader, w io.Writer) (n int, err error) {
	encoder := json.NewSerializerWithOptions(json.DefaultMetaFactory, nil, nil, json.SerializerOptions{Yaml: true})
	var failed error
	err = c.each(r, func(o runtime.Object) {
		n++
		if failed == nil {
			_, failed = io.WriteString(w, "---\n")
		}
		if failed == nil {
			failed = encoder.Encode(o, w)
		}
	})
	return n, errors.Join(err, failed)
}

func (c *Conventional) each(r io.Reader, found func(runtime.Object)) error {
	docs := yaml.NewYAMLReader(bufio.NewReader(r))
	for {
		doc, err := docs.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if len(doc) == 0 {
			continue
		}
		o, _, err := c.meta.Decode(doc, nil, nil)
		if runtime.IsNotRegisteredError(err) {
			o, _, err = c.objects.Decode(doc, nil, nil)
		}
		if err != nil {
			return err
		}
		found(o)
	}
}
