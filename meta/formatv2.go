package meta

import "errors"

// requireFormatV2 reports what package format v2 requires and the document does
// not have. Later metadata makes most of it optional.
func (d *decoder) requireFormatV2(root *node) {
	require := func(path Path, want string) {
		d.fail(&FieldError{Path: path, Fault: FaultRequired, Want: want, Err: errors.New("package format v2 requires it")})
	}
	if !present(root.get("metadata")) {
		require(Path{"metadata"}, "the metadata of the package")
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
		entry := &dependsOn.members[i].value
		// A dependency on Crossplane or on a kind is not of this format.
		if k := d.p.DependsOn[i].Spelling.kind(); k != "" && !filled(entry.get("version")) {
			require(Path{"spec", "dependsOn", i, "version"}, "the tag of the dependency")
		}
	}
}

// filled reports whether there is a value that is neither null nor an empty text.
func filled(n *node) bool { return present(n) && (n.kind != text || n.text() != "") }
