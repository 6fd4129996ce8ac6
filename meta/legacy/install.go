package legacy

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// Install is what install.yaml says: how the controller of the package is run. (packages v1,
// Example install.yaml)
type Install struct {
	// Document is the Deployment.
	Document *parser.Document
	// Name is metadata.name.
	Name string
	// Containers are those of the pod, the init containers first.
	Containers []Container
}

// A Container is one of the controller's pod.
type Container struct {
	Name string
	// Image is as it is written; "" where the image of the package is meant.
	Image string
	// Path leads to the container, such as spec.template.spec.containers[0].
	Path meta.Path
}

// Behavior is what behavior.yaml says of a package whose controller is made of templates.
type Behavior struct {
	Document *parser.Document `json:"-"`

	// CRD is the kind whose objects the templates are applied for.
	CRD BehaviorCRD `json:"crd"`
	// Engine is what applies them.
	Engine BehaviorEngine `json:"engine"`
	// Source is where they are.
	Source BehaviorSource `json:"source"`
}

// BehaviorCRD names a kind.
type BehaviorCRD struct {
	APIVersion string `json:"apiVersion,omitempty"`
	Kind       string `json:"kind,omitempty"`
}

// A BehaviorEngine applies templates.
type BehaviorEngine struct {
	Type string `json:"type,omitempty"` // such as helm2 or kustomize
	// ControllerImage is the templating controller; "" means the generic one.
	ControllerImage string `json:"controllerImage,omitempty"`
	// Kustomize are the options of the engine kustomize, such as overlays: an object in JSON, or
	// nil where there are none. It must not be modified.
	Kustomize json.RawMessage `json:"kustomize,omitempty"`
}

// A BehaviorSource holds templates.
type BehaviorSource struct {
	// Image holds them; "" means the image of the package.
	Image string `json:"image,omitempty"`
	Path  string `json:"path,omitempty"` // within the image
}

const kindDeployment = "Deployment"

// isDeployment reports whether a document is a Deployment, of whatever API version there was.
func isDeployment(doc *parser.Document) bool {
	group, _ := meta.SplitAPIVersion(doc.APIVersion)
	return doc.Kind == kindDeployment && (group == "apps" || group == "extensions")
}

// install reads install.yaml.
func (r *reader) install(name string, text []byte) {
	var first *parser.Document
	for _, doc := range r.documents(name, text, true) {
		switch {
		case !isDeployment(doc):
			if doc.Kind == "" {
				continue // told
			}
			r.fieldFault(doc, &meta.FieldError{
				Path: meta.Path{"kind"}, Fault: FaultDeployment, Found: quote(doc.APIVersion + " " + doc.Kind), Want: "a Deployment of the group apps",
				Err: errors.New("install.yaml holds one, and nothing else"),
			})
		case first != nil:
			r.fieldFault(doc, &meta.FieldError{
				Path: meta.Path{"kind"}, Fault: FaultDeployment,
				Err: fmt.Errorf("a second Deployment, beside the one at %s, where install.yaml holds one", first.Range),
			})
		default:
			first = doc
			r.p.Install = r.deployment(doc)
		}
	}
}

// deployment reads the containers of a Deployment.
func (r *reader) deployment(doc *parser.Document) *Install {
	i := &Install{Document: doc, Name: doc.Name}
	pod := r.fields(doc).object("spec").object("template").object("spec")
	for _, key := range []string{"initContainers", "containers"} {
		for _, c := range pod.objects(key) {
			i.Containers = append(i.Containers, Container{Name: c.text("name"), Image: c.image("image"), Path: c.at})
		}
	}
	return i
}

// image reads the reference of an image.
func (f *fields) image(key string) string {
	s := f.text(key)
	if s == "" {
		return ""
	}
	if _, err := meta.ParseReference(s); err != nil {
		f.fail(&meta.FieldError{Path: f.path(key), Fault: FaultImage, Err: err})
	}
	return s
}

// behavior reads behavior.yaml.
func (r *reader) behavior(name string, text []byte) {
	doc := r.single(name, text, "the behavior of the package")
	if doc == nil {
		return
	}
	f := r.fields(doc)
	crd, engine, source := f.object("crd"), f.object("engine"), f.object("source")
	r.p.Behavior = &Behavior{
		Document: doc,
		CRD:      BehaviorCRD{APIVersion: crd.text("apiVersion"), Kind: crd.text("kind")},
		Engine:   BehaviorEngine{Type: engine.text("type"), ControllerImage: engine.image("controllerImage"), Kustomize: engine.raw("kustomize")},
		Source:   BehaviorSource{Image: source.image("image"), Path: source.text("path")},
	}
	for _, o := range []*fields{crd, engine, source, f} {
		o.done()
	}
}
