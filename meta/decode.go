package meta

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Decode reads a metadata object, in any of the API versions of [Versions]. What
// it returns besides an error is the result all the same:
//
//   - a [*Package] and nil: nothing is wrong with the object;
//   - a *Package and [FieldErrors]: the object is metadata, and every fault of it
//     is listed; all that could be read is there, and encoding the Package gives
//     the faulty object again;
//   - nil and [FieldErrors]: data is no JSON object, or not one of a group of
//     metadata, or it is larger than [MaxValues] or [MaxDepth] allow. That fault
//     is a [*LimitError].
//
// Two faults change what is encoded again. Of a key that an object has twice, the
// last value counts, and is encoded once; and in a text that is no Unicode, U+FFFD
// stands for each part that is none.
//
// These are no faults: a dependency without a version (any version will do), a
// missing or improper name (see [CheckName]), a field that is null (it counts as
// absent; an element of a list that is null is a fault), and fields that this library has no name for, or not in this kind and
// group (see [Package.Unknown]). In the IBM group package format v2 rules: there
// metadata and its name, spec, the version of a dependency, and the controller of
// a Provider with its image are required, and a dependency is written with provider
// or configuration and with nothing else. Names of fields are matched exactly, as Kubernetes
// does. See the specification, "package.yaml Contents".
func Decode(data []byte) (*Package, error) {
	if err := validJSON(data); err != nil {
		return nil, FieldErrors{syntaxError(err)}
	}
	if err := checkLimits(data); err != nil {
		return nil, FieldErrors{{Fault: FaultLimit, Err: err}}
	}
	d := &decoder{}
	r := reader{s: string(data), faults: &d.faults}
	root := r.value(nil)
	if root.kind != object {
		d.wrongType(nil, &root, object)
		return nil, d.sorted()
	}
	p := d.document(&root)
	if p != nil {
		p.kept = keep(p, &root)
	}
	if len(d.list) > 0 {
		return p, d.sorted()
	}
	return p, nil
}

func syntaxError(err error) *FieldError {
	var s *json.SyntaxError
	if errors.As(err, &s) {
		err = fmt.Errorf("%s at byte %d", clip(s.Error()), s.Offset)
	}
	return &FieldError{Fault: FaultSyntax, Found: "the document", Want: "JSON", Err: err}
}

// A decoder collects the faults of one document.
type decoder struct {
	faults
	p *Package
}

func (d *decoder) document(root *node) *Package {
	d.p = &Package{}
	apiVersion, hasVersion := d.required(root, "apiVersion")
	kind, hasKind := d.required(root, "kind")
	if !hasVersion || !hasKind {
		return nil
	}
	if !IsMeta(apiVersion) {
		d.fail(&FieldError{
			Path: Path{"apiVersion"}, Fault: FaultKind, Found: quote(apiVersion),
			Want: "an API version of the metadata of a package, group " + Group + " or " + GroupIBM,
		})
		return nil
	}
	p := d.p
	p.APIVersion, p.Kind = apiVersion, Kind(kind)
	d.checkKind()
	d.fields(root, nil, func(key string, path Path, n *node) bool {
		switch key {
		case "apiVersion", "kind":
		case "metadata":
			d.metadata(path, n)
		case "spec":
			d.spec(path, n)
		default:
			return false
		}
		return true
	})
	if p.Group() == GroupIBM {
		d.requireFormatV2(root)
	}
	return p
}

// required is a field of the document that must be a text, and not an empty one.
func (d *decoder) required(root *node, key string) (string, bool) {
	path := Path{key}
	n := root.get(key)
	if n == nil || n.kind == null {
		d.fail(&FieldError{Path: path, Fault: FaultRequired, Want: "the " + key + " of a metadata object"})
		return "", false
	}
	s, ok := d.text(path, n)
	if ok && s == "" {
		d.fail(&FieldError{Path: path, Fault: FaultRequired, Found: `""`, Want: "the " + key + " of a metadata object"})
	}
	return s, ok && s != ""
}

func (d *decoder) checkKind() {
	group, version := SplitAPIVersion(d.p.APIVersion)
	versions := Versions(group, d.p.Kind)
	if versions == nil {
		var known []string
		for _, k := range Kinds() {
			if Versions(group, k) != nil {
				known = append(known, string(k))
			}
		}
		d.fail(&FieldError{
			Path: Path{"kind"}, Fault: FaultKind, Found: quote(string(d.p.Kind)),
			Want: "a kind of group " + group, Err: errors.New("there are " + strings.Join(known, ", ")),
		})
		return
	}
	if !slices.Contains(versions, version) {
		d.fail(&FieldError{
			Path: Path{"apiVersion"}, Fault: FaultKind, Found: quote(d.p.APIVersion),
			Want: "an API version of kind " + string(d.p.Kind),
			Err:  errors.New(string(d.p.Kind) + " has " + group + "/" + strings.Join(versions, ", ")),
		})
	}
}

// fields visits the fields of an object. Those that known does not know are
// recorded as unknown.
func (d *decoder) fields(n *node, path Path, known func(key string, path Path, n *node) bool) {
	for i := range n.members {
		m := &n.members[i]
		at := path.join(m.key)
		if !known(m.key, at, &m.value) {
			m.value.unknown = true
			d.p.Unknown = append(d.p.Unknown, Unknown{Path: at, JSON: []byte(m.value.raw)})
		}
	}
}

func (d *decoder) metadata(path Path, n *node) {
	if !d.is(path, n, object) {
		return
	}
	p := d.p
	d.fields(n, path, func(key string, path Path, n *node) bool {
		switch key {
		case "name":
			p.Name, _ = d.text(path, n)
		case "labels":
			p.Labels = d.textMap(path, n)
		case "annotations":
			p.Annotations = d.textMap(path, n)
		default:
			return false
		}
		return true
	})
}

func (d *decoder) spec(path Path, n *node) {
	if !d.is(path, n, object) {
		return
	}
	p := d.p
	// What is no field of the kind, or of the format, is unknown there.
	hasController := p.Kind != Configuration && p.Kind != Function
	d.fields(n, path, func(key string, path Path, n *node) bool {
		switch {
		case key == "crossplane":
			d.crossplane(path, n)
		case key == "dependsOn":
			d.dependsOn(path, n)
		case key == "capabilities" && p.Group() == Group:
			p.Capabilities = d.texts(path, n)
		case key == "controller" && hasController:
			d.controller(path, n)
		case key == "permissionRequests" && hasController:
			p.PermissionRequests = d.permissionRequests(path, n)
		case key == "image" && p.Kind == Function:
			p.Image, _ = d.text(path, n)
		default:
			return false
		}
		return true
	})
	if p.PermissionRequests != nil && p.Controller != nil && p.Controller.PermissionRequests != nil {
		d.fail(&FieldError{
			Path: path.join("permissionRequests"), Fault: FaultExclusive,
			Err: errors.New("permission requests are at spec.controller.permissionRequests too; they belong in one place"),
		})
	}
}

// crossplane reads what the package asks of Crossplane: a version as a plain
// string, as package format v2 has it, or an object with a range.
func (d *decoder) crossplane(path Path, n *node) {
	if n.kind == text {
		s := n.text()
		v, err := ParseVersion(s)
		if s != "" && (err != nil || !v.full) {
			d.p.Crossplane = Constraint{text: s, word: &word{plain: true, err: &ConstraintError{Text: s, Err: errors.New("not a full version")}}}
			d.fail(&FieldError{
				Path: path, Fault: FaultConstraint, Found: quote(s), Want: "a version of Crossplane, such as v1.20.0",
				Err: errors.New("a range goes to spec.crossplane.version"),
			})
			return
		}
		// Nothing can be wrong with the tag that was just read.
		d.p.Crossplane, _ = ExactConstraint(s)
		return
	}
	if n.kind == number {
		d.wrongType(path, n, text)
		return
	}
	if !d.is(path, n, object) {
		return
	}
	d.fields(n, path, func(key string, path Path, n *node) bool {
		if key != "version" {
			return false
		}
		if s, ok := d.text(path, n); ok {
			d.p.Crossplane = d.crossplaneRange(path, s)
		}
		return true
	})
}

// crossplaneRange reads a range of versions of Crossplane, which has no digest.
func (d *decoder) crossplaneRange(path Path, s string) Constraint {
	c, err := ParseConstraint(s)
	if err == nil && c.Digest() != "" {
		c, err = failConstraint(s, false, errors.New("it is a digest"))
	}
	if err != nil {
		d.constraint(path, s, err)
	}
	return c
}

// constraint records that a text is no constraint.
func (d *decoder) constraint(path Path, s string, err error) {
	cause := errors.Unwrap(err)
	if cause == errImproper {
		cause = nil
	}
	d.fail(&FieldError{Path: path, Fault: FaultConstraint, Found: quote(s), Want: "a version range", Err: cause})
}

// is reports whether n is of that kind, and records it if n is of another; null
// counts as absent.
func (d *decoder) is(path Path, n *node, want kind) bool {
	if n.kind != want && n.kind != null {
		d.wrongType(path, n, want)
	}
	return n.kind == want
}

// isElement is as is, for an element of the list at path: there null is no value
// either, but nothing is absent.
func (d *decoder) isElement(path Path, i int, n *node, want kind) bool {
	if n.kind != want {
		d.wrongType(path.join(i), n, want)
	}
	return n.kind == want
}

// text is the value of a string; that of null is "".
func (d *decoder) text(path Path, n *node) (string, bool) {
	if !d.is(path, n, text) {
		return "", n.kind == null
	}
	return n.text(), true
}

func (d *decoder) texts(path Path, n *node) []string {
	if !d.is(path, n, array) {
		return nil
	}
	list := make([]string, len(n.members))
	for i := range n.members {
		if e := &n.members[i].value; d.isElement(path, i, e, text) {
			list[i] = e.text()
		}
	}
	return list
}

func (d *decoder) textMap(path Path, n *node) map[string]string {
	if !d.is(path, n, object) {
		return nil
	}
	m := make(map[string]string, len(n.members))
	for i := range n.members {
		key, value := n.members[i].key, &n.members[i].value
		if value.kind != text && value.kind != null {
			d.wrongType(path.join(key), value, text)
			continue
		}
		m[key] = ""
		if value.kind == text {
			m[key] = value.text()
		}
	}
	return m
}

func (d *decoder) wrongType(path Path, n *node, want kind) {
	e := &FieldError{Path: path, Fault: FaultType, Found: n.kind.String(), Want: want.String()}
	if n.kind == number || n.kind == boolean {
		e.Found = "the " + strings.TrimPrefix(n.kind.String(), "a ") + " " + clip(n.raw)
		if want == text {
			e.Err = errors.New("write it in quotes: " + strconv.Quote(clip(n.raw)))
		}
	}
	d.fail(e)
}
