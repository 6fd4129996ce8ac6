package bench

import (
	"archive/tar"
	"bufio"
	"errors"
	"fmt"
	"io"
	"path"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	extv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// provider is the metadata object as an API type, with what the benchmark's
// packages use of it.
type provider struct {
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

// DeepCopyObject makes provider a runtime.Object.
func (p *provider) DeepCopyObject() runtime.Object {
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

// conventional holds the decoders, which a program makes once.
type conventional struct{ meta, objects runtime.Decoder }

func newConventional() (*conventional, error) {
	meta, err := decoder(func(s *runtime.Scheme) error {
		s.AddKnownTypeWithName(schema.GroupVersionKind{Group: "meta.pkg.crossplane.io", Version: "v1", Kind: "Provider"}, &provider{})
		return nil
	})
	if err != nil {
		return nil, err
	}
	objects, err := decoder(extv1.AddToScheme)
	if err != nil {
		return nil, err
	}
	return &conventional{meta, objects}, nil
}

// parse reads a stream as the package manager does: documents by apimachinery's
// reader, each decoded against the metadata kinds and, when it is none of them,
// against the kinds of objects. It returns how many there are.
func (c *conventional) parse(r io.Reader) (int, error) {
	docs := yaml.NewYAMLReader(bufio.NewReader(r))
	for n := 0; ; {
		doc, err := docs.Read()
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		if len(doc) == 0 {
			continue
		}
		_, _, err = c.meta.Decode(doc, nil, nil)
		if runtime.IsNotRegisteredError(err) {
			_, _, err = c.objects.Decode(doc, nil, nil)
		}
		if err != nil {
			return n, err
		}
		n++
	}
}

// conventionalExtract finds package.yaml in the flattened file system of an
// image, as the package manager does when no layer is annotated.
func conventionalExtract(img v1.Image) (int64, error) {
	flat := mutate.Extract(img)
	defer flat.Close()
	for files := tar.NewReader(flat); ; {
		h, err := files.Next()
		if err != nil {
			return 0, fmt.Errorf("package.yaml: %w", err)
		}
		if path.Base(h.Name) == "package.yaml" {
			return io.Copy(io.Discard, files)
		}
	}
}
