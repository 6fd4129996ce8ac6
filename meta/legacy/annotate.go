package legacy

import (
	"bytes"
	"encoding/base64"
	"encoding/json"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// Annotations and labels of a definition that is part of a package. (packages v1, Package CRD
// Labels and Package CRD Annotations)
const (
	AnnotationPackageTitle          = "packages.crossplane.io/package-title"
	AnnotationGroupTitle            = "packages.crossplane.io/group-title"
	AnnotationGroupOverview         = "packages.crossplane.io/group-overview"
	AnnotationGroupOverviewShort    = "packages.crossplane.io/group-overview-short"
	AnnotationGroupReadme           = "packages.crossplane.io/group-readme"
	AnnotationResourceCategory      = "packages.crossplane.io/resource-category"
	AnnotationResourceTitle         = "packages.crossplane.io/resource-title"
	AnnotationResourceTitlePlural   = "packages.crossplane.io/resource-title-plural"
	AnnotationResourceOverview      = "packages.crossplane.io/resource-overview"
	AnnotationResourceOverviewShort = "packages.crossplane.io/resource-overview-short"
	AnnotationResourceReadme        = "packages.crossplane.io/resource-readme"
	AnnotationUISchema              = "packages.crossplane.io/ui-schema"
	AnnotationIcon                  = "packages.crossplane.io/icon-data-uri"

	LabelManagedBy = "app.kubernetes.io/managed-by"
	ManagedBy      = "package-manager" // the label's value
)

// DataURI is the icon as a data URI of RFC 2397, in base64. (packages v1, Package Files)
func (i *Icon) DataURI() string {
	return "data:" + i.MediaType + ";base64," + base64.StdEncoding.EncodeToString(i.Data)
}

// Text is what the annotation of a definition says: all documents, with "---" between them.
func (u *UISchema) Text() string { return string(textOfSchemas([]*UISchema{u})) }

func textOfSchemas(schemas []*UISchema) []byte {
	var b bytes.Buffer
	for _, u := range schemas {
		for _, doc := range u.Documents {
			if b.Len() > 0 {
				b.WriteString("\n---\n")
			}
			b.Write(bytes.Trim(doc.Text(), "\r\n"))
		}
	}
	return b.Bytes()
}

// Annotations are those that the files of a package give the definition, without those that
// it has itself. What a file does not say is not there. (packages v1, Package CRD Annotations)
func (p *Package) Annotations(c *CRD) map[string]string {
	w := &processor{p: p}
	return w.annotations(c, nil)
}

// annotations leaves out those that are there already.
func (w *processor) annotations(c *CRD, there map[string]any) map[string]string {
	all := map[string]string{}
	add := func(key string, value func() string) {
		if _, ok := there[key]; ok {
			return
		}
		if s := value(); s != "" {
			all[key] = s
		}
	}
	text := func(key, value string) { add(key, func() string { return value }) }
	if a := w.p.App; a != nil {
		text(AnnotationPackageTitle, a.Title)
	}
	if g := c.Group; g != nil {
		text(AnnotationGroupTitle, g.Title)
		text(AnnotationGroupOverview, g.Overview)
		text(AnnotationGroupOverviewShort, g.OverviewShort)
		text(AnnotationGroupReadme, g.Readme)
	}
	if r := c.Resource; r != nil {
		text(AnnotationResourceCategory, r.Category)
		text(AnnotationResourceTitle, r.Title)
		text(AnnotationResourceTitlePlural, r.TitlePlural)
		text(AnnotationResourceOverview, r.Overview)
		text(AnnotationResourceOverviewShort, r.OverviewShort)
		text(AnnotationResourceReadme, r.Readme)
	}
	add(AnnotationUISchema, func() string {
		for _, u := range c.UISchemas {
			for _, doc := range u.Documents {
				w.bytes += len(doc.Text())
			}
		}
		if w.bytes > MaxAnnotationBytes {
			return ""
		}
		return string(textOfSchemas(c.UISchemas))
	})
	add(AnnotationIcon, func() string { return w.icon(c.Icon) })
	return all
}

// icon is the data URI of an icon, which many definitions may share.
func (w *processor) icon(i *Icon) string {
	if i == nil {
		return ""
	}
	if w.icons == nil {
		w.icons = map[*Icon]string{}
	}
	if _, ok := w.icons[i]; !ok {
		w.icons[i] = i.DataURI()
	}
	return w.icons[i]
}

// definition makes the definition that is installed: with the labels and annotations that it
// has, those that the files of the package give it, and a reference to what asked for the
// package. nil if it cannot be read.
func (w *processor) definition(c *CRD) map[string]any {
	object, err := objectOf(c.Document)
	if err != nil {
		return nil // told when it was read
	}
	metadata, ok := w.child(c.Document, object, "metadata")
	if !ok {
		return object
	}
	if labels, ok := w.child(c.Document, metadata, "labels", "metadata"); ok {
		if _, ok := labels[LabelManagedBy]; !ok {
			labels[LabelManagedBy] = ManagedBy
		}
	}
	was := w.bytes
	if annotations, ok := w.child(c.Document, metadata, "annotations", "metadata"); ok {
		for key, value := range w.annotations(c, annotations) {
			annotations[key] = value
		}
		if len(annotations) == 0 {
			delete(metadata, "annotations")
		}
	}
	if was <= MaxAnnotationBytes && w.bytes > MaxAnnotationBytes {
		limit := &meta.LimitError{What: "the annotations of the definitions", Limit: MaxAnnotationBytes}
		w.errs = append(w.errs, &parser.Error{
			Rule: parser.RuleLimit, Range: c.Document.Range, Object: c.Document.Ref(), Index: c.Document.Index, Message: limit.Error(), Err: limit,
		})
	}
	w.addOwner(c.Document, metadata)
	return object
}

// child returns an object within another one, which is made if it is not there. It is false
// for what is none.
func (w *processor) child(doc *parser.Document, in map[string]any, key string, within ...any) (map[string]any, bool) {
	switch v := in[key].(type) {
	case nil:
		child := map[string]any{}
		in[key] = child
		return child, true
	case map[string]any:
		return v, true
	}
	w.wrongType(doc, in[key], "an object", append(within, key))
	return nil, false
}

func (w *processor) wrongType(doc *parser.Document, v any, want string, path meta.Path) {
	text, _ := json.Marshal(v) // it was JSON
	w.errs = append(w.errs, doc.Fault(parser.RuleMetadataInvalid, &meta.FieldError{Path: path, Fault: meta.FaultType, Found: found(text), Want: want}))
}

// addOwner adds a reference to what asked for the package, if it is not there.
func (w *processor) addOwner(doc *parser.Document, metadata map[string]any) {
	owner := w.owner()
	if owner == nil {
		return
	}
	list, ok := metadata["ownerReferences"].([]any)
	if !ok && metadata["ownerReferences"] != nil {
		w.wrongType(doc, metadata["ownerReferences"], "a list", meta.Path{"metadata", "ownerReferences"})
		return
	}
	for _, v := range list {
		if m, _ := v.(map[string]any); m["kind"] == owner.Kind && m["name"] == owner.Name && m["uid"] == owner.UID {
			return
		}
	}
	metadata["ownerReferences"] = append(list, map[string]any{
		"apiVersion": owner.APIVersion, "kind": owner.Kind, "name": owner.Name, "uid": owner.UID,
	})
}
