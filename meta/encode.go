package meta

import (
	"errors"
	"fmt"
	"slices"
)

// Encode writes the metadata object as JSON, on one line. For a decoded Package
// that was not changed, it is a value equal to the one that was decoded: the same
// fields, the same numbers to the last digit, in an order of its own. Of a key that
// an object has twice, in the value of an entry of Unknown too, the last one counts.
//
// An error says that an entry of Unknown has a value that is no JSON, no path, or
// a path that leads through a value that is no object.
func (p *Package) Encode() ([]byte, error) {
	n := p.node()
	positions := p.positions()
	// Kept values come first: an unknown field may be inside of one.
	for _, k := range p.kept {
		path, ok := positions.of(k.path)
		if ok && n.at(path).equal(k.was) {
			n.set(path, k.value.clone())
		}
	}
	for _, u := range p.Unknown {
		v, err := jsonNode(u.JSON)
		if err != nil {
			return nil, fmt.Errorf("%s: the value is not JSON: %w", u.Path.clipped(), err)
		}
		if len(u.Path) == 0 {
			return nil, errors.New("an unknown field has no path")
		}
		path, ok := positions.of(u.Path)
		if ok && n.holds(path) && !n.set(path, v) {
			return nil, fmt.Errorf("%s: %w", u.Path.clipped(), errors.New("there is no object to hold this field"))
		}
	}
	return n.append(nil), nil
}

// positions has where the dependencies are now, by their Index: they may have been
// moved since they were decoded.
type positions map[int]int

func (p *Package) positions() positions {
	m := make(positions, len(p.DependsOn))
	for i, d := range p.DependsOn {
		// Those that were made by hand may all have the Index 0, and one has to win.
		if _, ok := m[d.Index]; !ok {
			m[d.Index] = i
		}
	}
	return m
}

// of is a decoded path in the document that is encoded; it is false if the
// dependency that it leads through is gone.
func (m positions) of(path Path) (Path, bool) {
	if len(path) < 3 || path[0] != "spec" || path[1] != "dependsOn" {
		return path, true
	}
	index, _ := path[2].(int)
	i, ok := m[index]
	if !ok {
		return nil, false
	}
	q := slices.Clone(path)
	q[2] = i
	return q, true
}

// holds reports whether the parts of the package that path leads through are there:
// those that a field of Package stands for, and that the caller may have taken away
// together with all that is in them.
func (n *node) holds(path Path) bool {
	for i := 2; i < len(path); i++ {
		if isPart(path[:i]) && n.at(path[:i]).kind != object {
			return false
		}
	}
	return true
}

// isPart reports whether path leads to the controller, the object at
// spec.crossplane, a dependency or the kind in it, or a permission request.
func isPart(path Path) bool {
	if path[0] != "spec" {
		return false
	}
	_, element := path[len(path)-1].(int)
	switch parent := path[len(path)-2]; len(path) {
	case 2:
		return path[1] == "controller" || path[1] == "crossplane"
	case 3:
		return element && (parent == "dependsOn" || parent == "permissionRequests")
	case 4:
		return path[1] == "dependsOn" && path[3] == "crd" || path[1] == "controller" && element && parent == "permissionRequests"
	default:
		return false
	}
}

// node is what the fields of p say.
func (p *Package) node() node {
	root := node{kind: object}
	root.field("apiVersion", p.APIVersion)
	root.field("kind", string(p.Kind))

	metadata := node{kind: object}
	metadata.field("name", p.Name)
	for _, m := range []struct {
		key string
		m   map[string]string
	}{{"labels", p.Labels}, {"annotations", p.Annotations}} {
		if m.m != nil {
			metadata.add(m.key, node{kind: object, strings: m.m})
		}
	}
	root.addFilled("metadata", metadata)

	spec := node{kind: object}
	if c := p.Controller; c != nil {
		controller := node{kind: object}
		controller.field("image", c.Image)
		controller.addPermissions(c.PermissionRequests)
		spec.add("controller", controller)
	}
	spec.field("image", p.Image)
	if c := p.Crossplane; c.isPlain() {
		spec.field("crossplane", c.text)
	} else if !c.IsZero() {
		crossplane := node{kind: object}
		crossplane.field("version", c.text)
		spec.add("crossplane", crossplane)
	}
	if p.DependsOn != nil {
		list := node{kind: array}
		for _, d := range p.DependsOn {
			list.members = append(list.members, member{value: d.node()})
		}
		spec.add("dependsOn", list)
	}
	spec.addTexts("capabilities", p.Capabilities)
	spec.addPermissions(p.PermissionRequests)
	root.addFilled("spec", spec)
	return root
}

func (d Dependency) node() node {
	n := node{kind: object}
	s := d.spelling()
	if s == SpellingPackage {
		n.field("apiVersion", d.APIVersion)
		n.field("kind", d.Kind)
	}
	switch {
	case s == SpellingCrossplane:
		// It is there if any version will do, too: it says what the dependency is on.
		n.add(string(s), textNode(d.Constraint.String()))
		return n
	case s == SpellingCRD && d.CRD.object:
		crd := node{kind: object}
		crd.field("apiVersion", d.CRD.Group+"/"+d.CRD.Version)
		crd.field("kind", d.CRD.Name)
		n.add(string(s), crd)
	case s == SpellingCRD:
		n.field(string(s), d.CRD.String())
	default:
		n.field(string(s), d.Package.String())
	}
	n.field("version", d.Constraint.String())
	return n
}

// field adds a text, unless it is empty.
func (n *node) field(key, value string) {
	if value != "" {
		n.add(key, textNode(value))
	}
}

func (n *node) add(key string, value node) {
	if n.index != nil {
		n.index[key] = len(n.members)
	}
	n.members = append(n.members, member{key, value})
}

func (n *node) addFilled(key string, value node) {
	if len(value.members) > 0 {
		n.add(key, value)
	}
}

// addTexts adds a list, unless it is nil: an empty one was declared as such.
func (n *node) addTexts(key string, list []string) {
	if list != nil {
		n.add(key, textsNode(list))
	}
}

func (n *node) addPermissions(requests []PermissionRequest) {
	if requests == nil {
		return
	}
	list := node{kind: array}
	for i := range requests {
		r := node{kind: object}
		for _, key := range permissionKeys() {
			r.addTexts(key, *requests[i].list(key))
		}
		list.members = append(list.members, member{value: r})
	}
	n.add("permissionRequests", list)
}

// A kept value is one that a field of Package cannot say: null, an empty object, a
// value of a wrong type, the second of two names. It is encoded as long as the
// fields still say what they said when it was decoded.
type kept struct {
	path  Path
	value node // absent: there was nothing, whatever the fields say
	was   node // what the fields say; absent: nothing
}

// keep compares what the fields of p say with the document they were read from,
// and returns whatever must be kept to encode it again. Decoding and encoding are
// inverse by that, and not by the care of whoever adds a field.
func keep(p *Package, root *node) []kept {
	said := p.node()
	var c comparison
	c.compare(nil, root, &said)
	return c.kept
}

type comparison struct{ kept []kept }

func (c *comparison) keep(path Path, declared, said *node) {
	k := kept{path: path.join()}
	if declared != nil {
		k.value = declared.withoutUnknown()
	}
	if said != nil {
		k.was = *said
	}
	c.kept = append(c.kept, k)
}

// withoutUnknown is n without the unknown fields inside: those are encoded, or
// not, as Package.Unknown says.
func (n *node) withoutUnknown() node {
	if n.kind != object && n.kind != array {
		return *n
	}
	out := node{kind: n.kind}
	for i := range n.members {
		if m := &n.members[i]; !m.value.unknown {
			out.members = append(out.members, member{m.key, m.value.withoutUnknown()})
		}
	}
	return out
}

func (c *comparison) compare(path Path, declared, said *node) {
	switch {
	case declared.kind == object && said.kind == object:
		c.compareObjects(path, declared, said)
	case declared.kind == array && said.kind == array && len(declared.members) == len(said.members):
		for i := range declared.members {
			c.compare(append(path, i), &declared.members[i].value, &said.members[i].value)
		}
	case !declared.equal(*said):
		c.keep(path, declared, said)
	}
}

func (c *comparison) compareObjects(path Path, declared, said *node) {
	if said.strings != nil {
		for i := range declared.members {
			m := &declared.members[i]
			if s, ok := said.strings[m.key]; !ok {
				c.keep(path.join(m.key), &m.value, nil)
			} else if m.value.kind != text || m.value.text() != s {
				v := textNode(s)
				c.keep(path.join(m.key), &m.value, &v)
			}
		}
		return
	}
	for i := range declared.members {
		m := &declared.members[i]
		at := append(path, m.key)
		if m.value.unknown {
			continue
		}
		if other := said.get(m.key); other != nil {
			c.compare(at, &m.value, other)
		} else {
			c.keep(at, &m.value, nil)
		}
	}
	for i := range said.members {
		if m := &said.members[i]; declared.get(m.key) == nil {
			c.keep(append(path, m.key), nil, &m.value)
		}
	}
}

// equal compares values as JSON: objects without regard to order, texts by what
// they say, numbers by their digits.
func (n node) equal(m node) bool {
	if n.kind != m.kind {
		return false
	}
	switch n.kind {
	case text:
		return n.text() == m.text()
	case array:
		return slices.EqualFunc(n.members, m.members, func(a, b member) bool { return a.value.equal(b.value) })
	case object:
		n.expand()
		m.expand()
		if len(n.members) != len(m.members) {
			return false
		}
		for i := range n.members {
			other := m.get(n.members[i].key)
			if other == nil || !n.members[i].value.equal(*other) {
				return false
			}
		}
		return true
	default:
		return n.raw == m.raw
	}
}
