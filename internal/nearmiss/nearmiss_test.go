package nearmiss

import "testing"

func TestNearest(t *testing.T) {
	known := []string{"crd-name", "object-name", "versions"}
	cases := map[string]struct{ reason, name, want string }{
		"Same":    {"A known name is its own.", "crd-name", "crd-name"},
		"Case":    {"Case is no slip.", "Versions", "versions"},
		"Swapped": {"Neighbours that changed places are one slip.", "verisons", "versions"},
		"Missing": {"A letter is missing.", "objct-name", "object-name"},
		"Far":     {"Nothing is near.", "webhook", ""},
		"Short":   {"Two letters of two are not near to anything.", "xy", ""},
		"Long":    {"A hostile name costs nothing.", string(make([]byte, 1<<20)), ""},
		"Empty":   {"No name is near to none.", "", ""},
	}
	for name, tc := range cases {
		if got := Nearest(tc.name, known); got != tc.want {
			t.Errorf("%s: %s got %q, want %q", name, tc.reason, got, tc.want)
		}
	}
}
