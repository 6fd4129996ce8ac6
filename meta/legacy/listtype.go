package legacy

import "github.com/xpkg-go/sdk/meta"

// The fields of a schema that say how a server merges changes of a list or an object.
const (
	listType = "x-kubernetes-list-type"
	listKeys = "x-kubernetes-list-map-keys"
	mapType  = "x-kubernetes-map-type"
)

// list lets an array be a set or a map as far as version v1 does: what is in a set is
// changed as a whole, no item is null, and every item of a map has its keys. Adding the keys to
// those that are required would refuse values that were accepted, so that the list is no map
// any more.
func (a *admission) list(path meta.Path, s *value) {
	kind, items := s.str(listType), s.get("items")
	if kind != "set" && kind != "map" || items == nil || items.kind != isObject {
		return
	}
	if why := notA(kind, s, items); why != "" {
		s.remove(listType)
		s.remove(listKeys)
		a.notes.add(to(path, listType), "taken out, since "+why+": the list is changed as a whole")
		return
	}
	field := map[string]string{"object": mapType, "array": listType}[items.str("type")]
	if kind != "set" || field == "" || items.str(field) == "atomic" || field == listType && items.get(field) == nil {
		return
	}
	items.set(field, textValue("atomic"))
	items.remove(listKeys)
	a.notes.add(to(path, "items", field), "made atomic, since what is in a set is changed as a whole")
}

// notA says why version v1 does not take the list for a set or a map; "" if it does.
func notA(kind string, s, items *value) string {
	isTrue := func(v *value) bool { return v != nil && v.kind == isBool && v.text == "true" }
	if isTrue(items.get("nullable")) {
		return "the items of a " + kind + " may not be null"
	}
	keys := s.get(listKeys)
	if kind != "map" || keys == nil || keys.kind != isArray {
		return ""
	}
	required := map[string]bool{}
	if list := items.get("required"); list != nil && list.kind == isArray {
		for _, m := range list.members {
			required[m.value.text] = true
		}
	}
	for _, m := range keys.members {
		key := items.get("properties", m.value.text)
		switch {
		case key == nil: // version v1beta1 refuses it as well
		case isTrue(key.get("nullable")):
			return "the key " + quoteShort(m.value.text) + " of a map may not be null"
		case !required[m.value.text] && key.get("default") == nil:
			return "the key " + quoteShort(m.value.text) + " of a map has to be required, or to have a default"
		}
	}
	return ""
}
