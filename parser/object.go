package parser

import "encoding/json"

// An object is a mapping of a document whose fields are read when they are asked
// for. A field that is absent, null or of another type than is asked for is the
// zero value. encoding/json's structs would not do: they take fields in any
// spelling, Kubernetes in one.
type object map[string]json.RawMessage

// readObject reads a document; nil when it has no JSON form.
func readObject(d *Document) object {
	b, err := d.JSON()
	if err != nil {
		return nil
	}
	return asObject(b)
}

func asObject(b json.RawMessage) object {
	var o object
	if json.Unmarshal(b, &o) != nil {
		return nil
	}
	return o
}

func (o object) object(name string) object { return asObject(o[name]) }

// objects returns the items of a list. An item that is no mapping is nil, so
// that the others keep their index.
func (o object) objects(name string) []object {
	var items []json.RawMessage
	if json.Unmarshal(o[name], &items) != nil {
		return nil
	}
	list := make([]object, len(items))
	for i, item := range items {
		list[i] = asObject(item)
	}
	return list
}

func (o object) text(name string) string {
	var s string
	if json.Unmarshal(o[name], &s) != nil {
		return ""
	}
	return s
}

func (o object) truth(name string) bool { return string(o[name]) == "true" }
