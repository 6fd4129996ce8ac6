package parser_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/xpkg-go/sdk/parser"
)

// What was decoded keeps nothing of what the documents after it are decoded with.
func TestDecodedKeepsItsOwn(t *testing.T) {
	type target struct {
		APIVersion, Kind string
		Any              any
		Raw              json.RawMessage
		Bytes            []byte
		Number           json.Number
		Texts            map[string]string
	}
	var stream strings.Builder
	const documents = 200
	for n := range documents {
		if n == documents/2 {
			fmt.Fprintf(&stream, "apiVersion: v1\nkind: Large\nany: %s\n---\n", strings.Repeat("x", 1<<20))
		}
		fmt.Fprintf(&stream, "apiVersion: v1\nkind: A\nany: [a%[1]d, {b: \"c%[1]d\"}]\nraw: {r%[1]d: [%[1]d, \"s%[1]d\"]}\nbytes: %[2]s\nnumber: %[1]d\ntexts: {k%[1]d: v%[1]d}\n---\n",
			n, strings.Repeat("YWJj", n+1))
	}
	decode := func(d *parser.Document) *target {
		v := new(target)
		if err := d.DecodeLax(v); err != nil {
			t.Error(err)
		}
		return v
	}
	var all []*parser.Document
	for d, err := range parser.Bytes("f", []byte(stream.String()), nil) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, d)
	}
	got := make([]target, len(all))
	var workers sync.WaitGroup
	for w := range 4 {
		workers.Go(func() {
			for n := w; n < len(all); n += 4 {
				lower := struct { // strict: the very spelling
					APIVersion string            `json:"apiVersion"`
					Kind       string            `json:"kind"`
					Any        any               `json:"any"`
					Raw        json.RawMessage   `json:"raw"`
					Bytes      []byte            `json:"bytes"`
					Number     json.Number       `json:"number"`
					Texts      map[string]string `json:"texts"`
				}{}
				if err := all[n].Decode(&lower); err != nil {
					t.Error(err)
				}
				got[n] = target(lower)
			}
		})
	}
	workers.Wait()
	if len(all) != documents+1 {
		t.Fatalf("there are %d documents", len(all))
	}
	for n, d := range all {
		if want := decode(d); !reflect.DeepEqual(&got[n], want) {
			t.Errorf("document %d is %+v, want %+v", n, got[n], *want)
		}
	}
}
