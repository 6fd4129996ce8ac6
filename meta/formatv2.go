package meta

import "errors"

// requireFormatV2 reports what package format v2 requires and the document does
// not have, and the ways to write a dependency that it does not have. Later
// metadata makes most of it optional.
func (d *decoder) requireFormatV2(root *node) {
	require := func(path Path, want string) {
		d.fail(&FieldError{Path: path, Fault: FaultRequired, Want: want, Err: errors.New("package format v2 requires it")})
	}
	switch metadata := root.get("metadata"); {
	case !present(metadata):
		require(Path{"metadata"}, "the metadata of the package")
	case metadata.kind == object && !filled(metadata.get("name")):
		require(Path{"metadata", "name"}, "the name of the package")
	}
	spec := root.get("spec")
	if !present(spec) {
		require(Path{"spec"}, "the spec of the package")
		return
	}
	if spec.kind != object {
		return
	}
	if d.p.Kind == Provider {
		controller := spec.get("controller")
		switch {
		case !present(controller):
			require(Path{"spec", "controller"}, "the controller of the provider")
		case controller.kind == object && !filled(controller.get("image")):
			require(Path{"spec", "controller", "image"}, "the image of the controller")
		}
	}
	dependsOn := spec.get("dependsOn")
	if dependsOn == nil || dependsOn.kind != array {
		return
	}
	for i := range dependsOn.members {
		entry, path := &dependsOn.members[i].value, Path{"spec", "dependsOn", i}
		if entry.kind != object {
			continue
		}
		for _, s := range spellings() {
			if s != SpellingProvider && s != SpellingConfiguration && present(entry.get(string(s))) {
				d.fail(&FieldError{
					Path: path.join(string(s)), Fault: FaultNotInFormat,
					Err: errors.New("package format v2 has no such field: a dependency has provider or configuration"),
				})
			}
		}
		// Kinds and Crossplane have no tag.
		if s := d.p.DependsOn[i].Spelling; s != SpellingCRD && s != SpellingCrossplane && !filled(entry.get("version")) {
			require(path.join("version"), "the tag of the dependency")
		}
	}
}

// filled reports whether there is a value that is neither null nor an empty text.
func filled(n *node) bool { return present(n) && (n.kind != text || n.text() != "") }
