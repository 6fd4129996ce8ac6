package legacy

import (
	"cmp"
	"encoding/json"
	"maps"
	"strings"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// definition converts a definition, and tells what the files say about it.
func (m *migrator) definition(c *CRD) {
	data, err := c.Document.JSON()
	if err != nil {
		m.fault(c.Document, err)
		return
	}
	old, err := decodeValue(data)
	if err != nil {
		m.fault(c.Document, err)
		return
	}
	if m.isRepeated(c, old) {
		return
	}
	var changes []Note
	if c.Document.APIVersion == crdV1beta1 {
		if data, changes, err = ConvertCRD(data); err != nil {
			m.fault(c.Document, err)
			return
		}
		m.line(c.Document, meta.Path{"apiVersion"}, "converted to %s", crdV1)
	}
	data, more, err := AdmitCRD(data)
	if err != nil {
		m.fault(c.Document, err)
		return
	}
	for _, n := range append(changes, more...) {
		m.line(c.Document, origin(old.get("spec"), meta.Path{"spec"}, n.Path), "%s", n.Text)
	}
	crd, err := decodeValue(data)
	if err != nil {
		m.fault(c.Document, err)
		return
	}
	text := c.Document.Text()
	if m.annotateDefinition(c, crd) || len(changes)+len(more) > 0 || c.Document.APIVersion == crdV1beta1 {
		text = writeYAML(crd)
	} else {
		m.kept[c.Document] = true
	}
	m.addFile("crds", m.fileName(c.Document, c.Provides.Group+"_"+c.Provides.Plural), ".yaml", text)
	if r := c.Resource; r != nil {
		m.friendly(r.Document, "friendly-kind-name."+annotationDomain+"/"+strings.ToLower(c.Provides.Kind)+"."+c.Provides.Group, r.Title)
	}
	if g := c.Group; g != nil {
		m.friendly(g.Document, "friendly-group-name."+annotationDomain+"/"+c.Provides.Group, g.Title)
	}
}

// isRepeated reports whether a definition that says the same was there before, which a
// package holds once. Another one of the same name is kept, for the author to choose.
func (m *migrator) isRepeated(c *CRD, v *value) bool {
	first, ok := m.first[c.Document.Name]
	if !ok {
		m.first[c.Document.Name] = firstDefinition{c, v}
		return false
	}
	// Of one that is elsewhere, files may say something else.
	if first.value.equal(v) && maps.Equal(m.p.Annotations(first.crd), m.p.Annotations(c)) {
		m.line(c.Document, nil, "left out: the same definition is at %s", first.crd.Document.Range)
		return true
	}
	m.line(c.Document, nil, "another definition of this name is at %s: a package holds one, so take one out", first.crd.Document.Range)
	return false
}

// A firstDefinition is the first of its name.
type firstDefinition struct {
	crd   *CRD
	value *value
}

// annotationDomain is that of the annotations which today's tools look for.
const annotationDomain = "meta.crossplane.io"

// friendly gives the package the title of a group or kind. The first one wins.
func (m *migrator) friendly(doc *parser.Document, key, title string) {
	if _, ok := m.annotations.all[key]; ok || title == "" {
		return
	}
	if name := key[strings.Index(key, "/")+1:]; len(name) > 63 || !m.annotations.add(key, title) {
		m.line(doc, meta.Path{"title"}, "no annotation of the package can hold it; it is in those of the definitions")
	}
}

// fileName is a name for the file of a document.
func (m *migrator) fileName(doc *parser.Document, name string) string {
	if meta.CheckName(strings.ReplaceAll(name, "_", ".")) == nil {
		return name
	}
	return strings.ToLower(cmp.Or(doc.Kind, "object"))
}

// origin is the path that a note about a converted definition has in the one that the
// author wrote: what was said for all versions is where it was. at is the path to spec.
func origin(spec *value, at, path meta.Path) meta.Path {
	n := len(at)
	if len(path) < n+3 || path[n] != "versions" {
		return path
	}
	for _, field := range shared {
		if path[n+2] == field.version && spec.get(field.spec) != nil {
			return append(to(at, field.spec), path[n+3:]...)
		}
	}
	return path
}

// annotateDefinition gives a definition the annotations that the files make of it, and
// reports whether there were any. Those that it has win.
func (m *migrator) annotateDefinition(c *CRD, crd *value) bool {
	all := m.p.Annotations(c)
	delete(all, AnnotationPackageTitle) // the package tells it itself
	if len(all) == 0 {
		return false
	}
	metadata := crd.get("metadata")
	if metadata == nil {
		metadata = objectValue()
		crd.set("metadata", metadata)
	}
	annotations := metadata.get("annotations")
	if annotations == nil {
		annotations = objectValue()
	}
	if metadata.kind != isObject || annotations.kind != isObject {
		m.fault(c.Document, &meta.FieldError{Path: meta.Path{"metadata", "annotations"}, Fault: meta.FaultType, Found: annotations.found(), Want: "an object"})
		return false
	}
	var there annotationSet
	for _, a := range annotations.members {
		there.size += len(a.key) + len(a.value.text)
	}
	added := false
	for _, key := range sortedKeys(all) {
		if was := annotations.get(key); was != nil {
			if was.text != all[key] {
				m.notAdded(c, key, "the definition has the annotation "+key+" already, which wins")
			}
			continue
		}
		if !there.add(key, all[key]) {
			m.notAdded(c, key, noRoom)
			continue
		}
		annotations.set(key, textValue(all[key]))
		added = true
	}
	if added {
		metadata.set("annotations", annotations)
	}
	return added
}

// notAdded tells why what a file says is in no annotation of a definition.
func (m *migrator) notAdded(c *CRD, key, text string) {
	text = "not told of " + quote(c.Provides.Kind) + ": " + text
	switch key {
	case AnnotationIcon:
		m.fileLine(c.Icon.File, "%s", text)
		return
	case AnnotationUISchema:
		for _, u := range c.UISchemas {
			m.fileLine(u.File, "%s", text)
		}
		return
	}
	field := map[string]string{
		AnnotationGroupTitle: "title", AnnotationGroupOverview: "overview", AnnotationGroupOverviewShort: "overviewShort", AnnotationGroupReadme: "readme",
		AnnotationResourceTitle: "title", AnnotationResourceOverview: "overview", AnnotationResourceOverviewShort: "overviewShort", AnnotationResourceReadme: "readme",
		AnnotationResourceTitlePlural: "titlePlural", AnnotationResourceCategory: "category",
	}[key]
	doc := c.Document
	if c.Resource != nil && strings.Contains(key, "/resource-") {
		doc = c.Resource.Document
	} else if c.Group != nil {
		doc = c.Group.Document
	}
	m.line(doc, meta.Path{field}, "%s", text)
}

// objects translates the documents that are no definitions of kinds.
func (m *migrator) objects() {
	published := map[string]*parser.Document{}
	used := map[string]bool{}
	for _, doc := range m.p.Objects {
		if doc.APIVersion == infrastructureVersion && doc.Kind == infrastructurePublication && m.out.Kind == meta.Configuration {
			data, err := doc.JSON()
			if err == nil {
				var name string
				if name, err = PublishedDefinition(data); err == nil {
					published[name] = doc
				}
			}
			if err != nil {
				m.fault(doc, err)
			}
		}
	}
	for _, doc := range m.p.Objects {
		group, version := meta.SplitAPIVersion(doc.APIVersion)
		switch {
		case m.out.Kind == meta.Provider && group == "admissionregistration.k8s.io" && doc.Known(),
			m.out.Kind == meta.Configuration && group == "apiextensions.crossplane.io" && version == "v1" && doc.Known():
			m.addFile("objects", m.fileName(doc, doc.Name), ".yaml", doc.Text())
			m.kept[doc] = true
			m.mode(doc)
		case m.out.Kind == meta.Provider && group == "apiextensions.crossplane.io":
			m.line(doc, nil, "left out: a Provider may not hold it, and it belongs in a Configuration of its own")
		case doc.APIVersion == compositeV1beta1 && (doc.Kind == xrdKind || doc.Kind == compositionKind):
			m.renamed(doc)
		case doc.APIVersion == infrastructureVersion && doc.Kind == infrastructureDefinition:
			m.composite(doc, published[doc.Name] != nil)
			used[doc.Name] = true
		case doc.APIVersion == infrastructureVersion && doc.Kind == infrastructurePublication:
		case group == "apiextensions.crossplane.io":
			m.line(doc, nil, "left out: what it says is not translated, so write it anew in a version that packages may hold today")
		default:
			m.line(doc, nil, "left out: no package may hold an object of this kind")
		}
	}
	for name, doc := range published {
		if used[name] {
			m.line(doc, nil, "made the claim of the composite resource definition %s, with the names that the namespaced kind had", quote(name))
		} else {
			m.line(doc, nil, "left out: the package has no InfrastructureDefinition %s", quote(name))
		}
	}
}

// renamed puts an object of version v1beta1 in version v1, which has the same fields: an API server
// converted between them by changing the apiVersion.
func (m *migrator) renamed(doc *parser.Document) {
	data, err := doc.JSON()
	if err != nil {
		m.fault(doc, err)
		return
	}
	object, err := decodeValue(data)
	if err != nil {
		m.fault(doc, err)
		return
	}
	object.set("apiVersion", textValue(xrdVersion))
	m.line(doc, meta.Path{"apiVersion"}, "converted to %s, which has the same fields", xrdVersion)
	if object.remove("status") != nil {
		m.line(doc, meta.Path{"status"}, "the status of an object is made by the cluster, and a package has none")
	}
	m.mode(doc)
	m.addFile("apis", m.fileName(doc, doc.Name), ".yaml", writeYAML(object))
}

// mode tells that a Composition lists resources, as all did at first.
func (m *migrator) mode(doc *parser.Document) {
	var composition struct {
		Spec struct {
			Resources json.RawMessage `json:"resources"`
		} `json:"spec"`
	}
	_ = doc.DecodeLax(&composition) // a spec of another type has none
	if doc.Kind == compositionKind && composition.Spec.Resources != nil {
		m.line(doc, meta.Path{"spec", "resources"}, "kept, but since Crossplane v2.0 a Composition has a pipeline of functions instead")
	}
}

// composite converts an InfrastructureDefinition.
func (m *migrator) composite(doc *parser.Document, published bool) {
	data, err := doc.JSON()
	if err != nil {
		m.fault(doc, err)
		return
	}
	out, notes, err := ConvertInfrastructureDefinition(data, published)
	if err != nil {
		m.fault(doc, err)
		return
	}
	old, err := decodeValue(data)
	if err != nil {
		m.fault(doc, err)
		return
	}
	m.line(doc, meta.Path{"apiVersion"}, "converted to a %s of %s", xrdKind, xrdVersion)
	for _, n := range notes {
		m.line(doc, origin(old.get("spec", "crdSpecTemplate"), meta.Path{"spec", "crdSpecTemplate"}, n.Path), "%s", n.Text)
	}
	xrd, err := decodeValue(out)
	if err != nil {
		m.fault(doc, err)
		return
	}
	m.addFile("apis", m.fileName(doc, doc.Name), ".yaml", writeYAML(xrd))
}

// unused tells of all that describes nothing, and of what the format does not know.
func (m *migrator) unused() {
	same := map[*Group]bool{} // as that of a definition that it is about
	groups, resources, icons, schemas := map[*Group]bool{}, map[*Resource]bool{}, map[*Icon]bool{}, map[*UISchema]bool{}
	for _, c := range m.p.CRDs {
		groups[c.Group], resources[c.Resource], icons[c.Icon] = true, true, true
		if g := c.Group; g != nil && strings.EqualFold(g.Group, c.Provides.Group) {
			same[g] = true
		}
		for _, u := range c.UISchemas {
			schemas[u] = true
		}
	}
	for _, i := range m.p.PackageIcons() {
		icons[i] = true
	}
	told := map[string]bool{}
	tell := func(file, text string) {
		if !told[file] {
			told[file] = true
			m.fileLine(file, "%s", text)
		}
	}
	const nothing = "left out: it is about nothing that the package has"
	for _, g := range m.p.Groups {
		if !groups[g] {
			tell(g.Document.Range.File, nothing)
		} else if g.Group != "" && !same[g] {
			m.line(g.Document, meta.Path{"group"}, "left out: %s is not the group of the definitions in the directory, and counts for nothing", quote(g.Group))
		} else if g.Group != "" {
			m.line(g.Document, meta.Path{"group"}, "the group is that of the definitions in the directory")
		}
	}
	for _, r := range m.p.Resources {
		if !resources[r] {
			tell(r.Document.Range.File, nothing)
		} else if r.ID != "" {
			m.line(r.Document, meta.Path{"id"}, "it told which definition the file is about, in whose annotations it is now")
		}
	}
	for _, i := range m.p.Icons {
		if !icons[i] {
			tell(i.File, "left out: no definition has it as its icon")
		}
	}
	for _, u := range m.p.UISchemas {
		if !schemas[u] {
			tell(u.File, nothing)
		}
	}
	for _, u := range m.p.UnknownFields {
		shown := ""
		if s := ""; json.Unmarshal(u.JSON, &s) == nil {
			shown = " " + quoteShort(s)
		}
		m.line(u.Document, u.Path, "left out: the format has no such field%s", shown)
	}
	for _, f := range m.p.UnknownFiles {
		tell(f.File, "left out: "+map[UnknownReason]string{
			UnknownName: "the format has no such file", UnknownPlace: "the file belongs elsewhere",
			UnknownContent: "it holds no objects", UnknownKind: nothing[len("left out: "):],
		}[f.Reason])
	}
}
