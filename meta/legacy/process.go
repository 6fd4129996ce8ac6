package legacy

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// FaultScope: the package wants permissions for the cluster and is asked for in a namespace,
// or the other way round.
const FaultScope meta.Fault = "scope"

// MaxAnnotationBytes limits what [Package.Process] makes of all files *ui-schema.yaml, which
// may each be about many definitions.
const MaxAnnotationBytes = 200 << 20

// ProcessOptions say what a package is installed with. A nil *ProcessOptions, and fields that
// are zero, mean nothing at all.
type ProcessOptions struct {
	// Install is the object that asks for the package; nil for what becomes of the package by
	// itself.
	Install *PackageInstall
	// Image is the image of the package, where Install asks for it by a kind; see [Index.Find].
	// "" is what Install says.
	Image string
	// DefaultSource takes the place of the constant of that name.
	DefaultSource string
	// TemplatingController is the generic templating controller, for a package with a
	// behavior.yaml that names no other.
	TemplatingController string
}

// Processed is what the package manager sends to the API server for a package. (packages v1,
// Package Processing)
type Processed struct {
	// Record says that the package is installed; nil where there is a StackDefinition.
	Record *Record
	// StackDefinition is there for a package with a behavior.yaml.
	StackDefinition *StackDefinition
	// CRDs are the definitions, in the order of the package.
	CRDs []ProcessedCRD
}

// A ProcessedCRD is a definition with labels and annotations.
type ProcessedCRD struct {
	Source *CRD
	// Object is the definition, as encoding/json has it; numbers are json.Number.
	Object map[string]any
}

// Process makes of a package what the package manager of the v1 era made of it. It does not
// change the package.
//
// It returns both: what could be made, never nil, and a parser.ErrorList of what stood
// against it: metadata of a definition of a wrong type, a scope that is not the one that the
// package is asked for in (FaultScope), annotations beyond MaxAnnotationBytes, which matches
// meta.ErrLimit. What [Read] and [PackageInstall.Validate] told is not told again.
func (p *Package) Process(o *ProcessOptions) (*Processed, error) {
	if o == nil {
		o = &ProcessOptions{}
	}
	w := &processor{p: p, o: o}
	if o.Install != nil {
		w.source = o.Install.Spec.Source
		if w.image = o.Image; w.image == "" {
			w.image = o.Install.Image(o.DefaultSource)
		}
	}
	w.scope()
	out := &Processed{}
	for _, c := range p.CRDs {
		if object := w.definition(c); object != nil {
			out.CRDs = append(out.CRDs, ProcessedCRD{Source: c, Object: object})
		}
	}
	spec, name := w.record(), w.name()
	if p.Behavior == nil {
		out.Record = &Record{APIVersion: APIVersion, Kind: KindPackage, Meta: name, Spec: spec}
	} else {
		out.StackDefinition = &StackDefinition{
			APIVersion: APIVersion, Kind: KindStackDefinition, Meta: name,
			Spec: StackDefinitionSpec{RecordSpec: spec, Behavior: w.behavior()},
		}
	}
	if len(w.errs) == 0 {
		return out, nil
	}
	w.errs.Sort()
	return out, w.errs
}

// A processor makes one [Processed].
type processor struct {
	p      *Package
	o      *ProcessOptions
	source string // that is asked for, not the default one
	image  string // of the package; "" if it is not known
	errs   parser.ErrorList
	icons  map[*Icon]string // as data URIs
	bytes  int              // of ui-schema annotations
}

// name is the metadata of the record.
func (w *processor) name() ObjectMeta {
	i := w.o.Install
	if i == nil {
		return ObjectMeta{}
	}
	m := ObjectMeta{Name: i.Meta.Name, Namespace: i.Meta.Namespace}
	if owner := w.owner(); owner != nil {
		m.OwnerReferences = []OwnerReference{*owner}
	}
	return m
}

// owner refers to the object that asks for the package; nil if that has no name.
func (w *processor) owner() *OwnerReference {
	i := w.o.Install
	if i == nil || i.Meta.Name == "" {
		return nil
	}
	return &OwnerReference{APIVersion: i.APIVersion, Kind: i.Kind, Name: i.Meta.Name, UID: i.Meta.UID}
}

// scope holds the scope that the package wants against the one that it is asked for in.
func (w *processor) scope() {
	a, i := w.p.App, w.o.Install
	if a == nil || i == nil {
		return
	}
	wanted := map[PermissionScope]string{ScopeCluster: KindClusterPackageInstall, ScopeNamespaced: KindPackageInstall}[a.PermissionScope]
	if wanted != "" && i.Kind != wanted {
		w.errs = append(w.errs, a.Document.Fault(parser.RuleMetadataInvalid, &meta.FieldError{
			Path: meta.Path{"permissionScope"}, Fault: FaultScope, Found: quote(string(a.PermissionScope)), Want: "what a " + i.Kind + " installs",
			Err: errors.New("want a " + wanted),
		}))
	}
}

// record makes the spec of the record. (packages v1, Package CRD)
func (w *processor) record() RecordSpec {
	var spec RecordSpec
	if a := w.p.App; a != nil {
		spec.Metadata = a.Metadata
		spec.Maintainers, spec.Owners = slices.Clone(a.Maintainers), slices.Clone(a.Owners)
		spec.Keywords, spec.DependsOn = slices.Clone(a.Keywords), slices.Clone(a.DependsOn)
	}
	if spec.Version == "" {
		spec.Version = w.version()
	}
	for _, i := range w.p.PackageIcons() {
		spec.Icons = append(spec.Icons, RecordIcon{Base64Data: base64.StdEncoding.EncodeToString(i.Data), MediaType: i.MediaType})
	}
	for _, c := range w.p.CRDs {
		if c.Provides.Kind != "" {
			spec.CRDs = append(spec.CRDs, TypeMeta{Kind: c.Provides.Kind, APIVersion: c.APIVersion()})
		}
	}
	spec.Controller.Deployment = w.deployment()
	if i := w.o.Install; i != nil && i.Spec.ServiceAccount != nil {
		spec.Controller.ServiceAccount = i.Spec.ServiceAccount
	}
	for _, r := range w.p.Permissions().All() {
		spec.Permissions.Rules = append(spec.Permissions.Rules, PolicyRule{APIGroups: r.APIGroups, Resources: r.Resources, Verbs: r.Verbs})
	}
	return spec
}

// version is that of a package which does not say it: the image's tag.
func (w *processor) version() string {
	if w.p.Tag != "" {
		return w.p.Tag
	}
	ref, err := meta.ParseReference(w.image)
	if err != nil {
		return ""
	}
	return ref.Tag
}

// deployment makes that of the controller. (packages v1, Example install.yaml, and Modifying the
// Package via PackageInstall)
func (w *processor) deployment() *Deployment {
	i := w.p.Install
	if i == nil {
		return nil
	}
	object, _ := objectOf(i.Document) // what is wrong with it was told
	spec, _ := object["spec"].(map[string]any)
	d := &Deployment{Name: i.Name, Spec: spec}
	install := w.o.Install
	if install == nil {
		return d
	}
	template, _ := spec["template"].(map[string]any)
	pod, _ := template["spec"].(map[string]any)
	for _, key := range []string{"initContainers", "containers"} {
		list, _ := pod[key].([]any)
		for _, c := range list {
			if container, ok := c.(map[string]any); ok {
				w.container(container, install.Spec.ImagePullPolicy)
			}
		}
	}
	if pod != nil && len(install.Spec.ImagePullSecrets) > 0 {
		pod["imagePullSecrets"] = withSecrets(pod["imagePullSecrets"], install.Spec.ImagePullSecrets)
	}
	return d
}

// container fills in the image and the pull policy.
func (w *processor) container(c map[string]any, policy string) {
	image, _ := c["image"].(string)
	if image = w.from(image); image != "" {
		c["image"] = image
	}
	if policy != "" {
		c["imagePullPolicy"] = policy
	}
}

// from is the image to use where one is named, or none.
func (w *processor) from(image string) string {
	if image == "" {
		return w.image
	}
	return withSource(w.source, image)
}

// withSecrets adds secrets to those that are there.
func withSecrets(there any, secrets []SecretReference) []any {
	list, _ := there.([]any)
	for _, s := range secrets {
		known := slices.ContainsFunc(list, func(v any) bool {
			m, _ := v.(map[string]any)
			return m["name"] == s.Name
		})
		if !known {
			list = append(list, map[string]any{"name": s.Name})
		}
	}
	return list
}

// behavior makes that of a StackDefinition, whose images come from where the package does.
func (w *processor) behavior() Behavior {
	b := *w.p.Behavior
	b.Document = nil
	b.Source.Image = w.from(b.Source.Image)
	if b.Engine.ControllerImage == "" {
		b.Engine.ControllerImage = w.o.TemplatingController
	}
	b.Engine.ControllerImage = withSource(w.source, b.Engine.ControllerImage)
	return b
}

// objectOf is a document as encoding/json has it, the caller's own.
func objectOf(doc *parser.Document) (map[string]any, error) {
	text, err := doc.JSON()
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var object map[string]any
	err = d.Decode(&object)
	return object, err
}
