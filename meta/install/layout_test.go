package install

import (
	"encoding/json"
	"reflect"
	"testing"
)

// Every struct that the codec reads must have a place for fields without a
// name, or reading such a field could not keep it.
func TestEveryStructKeepsUnknownFields(t *testing.T) {
	var visit func(t reflect.Type)
	seen := make(map[reflect.Type]bool)
	visit = func(typ reflect.Type) {
		switch {
		case typ.Kind() == reflect.Pointer, typ.Kind() == reflect.Slice && typ != reflect.TypeFor[json.RawMessage]():
			visit(typ.Elem())
			return
		case typ.Kind() != reflect.Struct || seen[typ]:
			return
		}
		seen[typ] = true
		l := layoutOf(typ)
		if l.unknown == nil {
			t.Errorf("%v has no field of type Fields", typ)
		}
		for _, m := range l.members {
			if m.name == "" {
				t.Errorf("%v has a field without a name in JSON", typ)
			}
			visit(typ.FieldByIndex(m.index).Type)
		}
	}
	for _, v := range []any{
		Manifest{}, RevisionManifest{}, ControllerConfig{}, ImageConfig{}, Package{}, PackageRevision{}, PackageLock{}, Lock{},
	} {
		visit(reflect.TypeOf(v))
	}
}
