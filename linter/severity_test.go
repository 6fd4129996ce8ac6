package linter

import (
	"encoding/json"
	"testing"
)

func TestSeverity(t *testing.T) {
	cases := map[string]struct {
		reason string
		s      Severity
		text   string
	}{
		"Zero":    {"The zero value is no severity and says so, rather than looking like one.", 0, "none"},
		"Info":    {"The lowest severity has its word.", Info, "info"},
		"Warning": {"The middle severity has its word.", Warning, "warning"},
		"Error":   {"The highest severity has its word.", Error, "error"},
		"Unknown": {"A value out of range must not print as a severity.", 17, "none"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := tc.s.String(); got != tc.text {
				t.Errorf("\n%s\nString() = %q, want %q", tc.reason, got, tc.text)
			}
		})
	}
	if !(Info < Warning && Warning < Error) {
		t.Error("severities are not ordered by how much they matter")
	}
}

func TestSeverityText(t *testing.T) {
	for s := Info; s <= Error; s++ {
		b, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var got Severity
		if err := json.Unmarshal(b, &got); err != nil || got != s {
			t.Errorf("%s came back as %v, %v", b, got, err)
		}
	}
	for _, bad := range []string{`"none"`, `"Error"`, `""`, `"warn"`} {
		var s Severity
		if err := json.Unmarshal([]byte(bad), &s); err == nil {
			t.Errorf("%s was read as %v", bad, s)
		}
	}
}
