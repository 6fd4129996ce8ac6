package parser_test

import (
	"encoding/json"
	"errors"
	"testing"
)

// A number in an interface keeps its digits, whichever of the readers has read the document.
func TestDecodeKeepsDigits(t *testing.T) {
	for _, number := range []string{"12345678901234567890123", "9007199254740993", "1.10", "1e400", "0.1", "5", "-7"} {
		d := one(t, "apiVersion: v1\nkind: A\nspec: {any: "+number+"}\n")
		for name, decode := range map[string]func(any) error{"Decode": d.Decode, "DecodeLax": d.DecodeLax} {
			var typed target
			var v map[string]any
			var deep looping
			if err := errors.Join(decode(&typed), decode(&v), decode(&deep)); err != nil {
				t.Errorf("%s of %s: %v", name, number, err)
			}
			if got := v["spec"].(map[string]any)["any"]; got != json.Number(number) || typed.Spec.Any != got || deep.Spec["any"] != got {
				t.Errorf("%s makes %v, %v and %v of %s", name, got, typed.Spec.Any, deep.Spec["any"], number)
			}
		}
	}
}

// looping is a type within itself, with an interface at last.
type looping struct {
	target
	Loop *looping
	Spec map[string]any `json:"spec"`
}
