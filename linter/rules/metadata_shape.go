package rules

import "github.com/xpkg-go/sdk/meta"

// nearField returns the field that an unknown one is probably meant to be, "" if none
// comes near.
func nearField(m *meta.Package, path meta.Path) string {
	name, ok := path[len(path)-1].(string)
	s := metadataShape(m)
	for _, step := range path[:len(path)-1] {
		if s == nil {
			break
		}
		if key, isKey := step.(string); isKey {
			s = s.fields[key]
		} else {
			s = s.item
		}
	}
	if s == nil || !ok {
		return ""
	}
	return nearest(name, s.fields)
}

// metadataShape is what metadata objects of a kind and group have, by the names that
// meta.Decode knows.
func metadataShape(m *meta.Package) *shape {
	dependency := map[string]*shape{"provider": aText, "configuration": aText, "version": aText}
	spec := map[string]*shape{"crossplane": fields(map[string]*shape{"version": aText}), "dependsOn": listOf(fields(dependency))}
	if m.Group() == meta.Group {
		spec["capabilities"] = aList
		for _, key := range []string{"function", "apiVersion", "kind", "package"} {
			dependency[key] = aText
		}
	}
	switch m.Kind {
	case meta.Provider:
		spec["controller"] = fields(map[string]*shape{"image": aText, "permissionRequests": requestsShape})
		if m.Group() == meta.GroupIBM {
			spec["permissionRequests"] = requestsShape
		}
	case meta.Function:
		spec["image"] = aText
	}
	return fields(map[string]*shape{
		"apiVersion": aText, "kind": aText, "spec": fields(spec),
		"metadata": fields(map[string]*shape{"name": aText, "annotations": texts, "labels": texts}),
	})
}
