package parser_test

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/xpkg-go/sdk/parser"
)

// TestNamesAreVisible gives files names that would look like something else on a terminal
// or in a log: texts quote them, and fields hold them as they are.
func TestNamesAreVisible(t *testing.T) {
	for _, tc := range []struct {
		reason, name, want string
	}{
		{"a name like any other", "a b/é.yaml", "a b/é.yaml:1:4: "},
		{"a line break", "x\n::error::pwn.yaml", `"x\n::error::pwn.yaml":1:4: `},
		{"a sequence for terminals", "\x1b[31mred.yaml", `"\x1b[31mred.yaml":1:4: `},
		{"a sign that turns the direction of writing", "a\u202eb.yaml", `"a\u202eb.yaml":1:4: `},
		{"no UTF-8", "a\xff.yaml", `"a\xff.yaml":1:4: `},
	} {
		for _, err := range parser.Bytes(tc.name, []byte("a: [\n"), nil) {
			var e *parser.Error
			if !errors.As(err, &e) || e.Range.File != tc.name || !strings.HasPrefix(err.Error(), tc.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: %q with the file %q, want %q", tc.reason, err, e.Range.File, tc.want)
			}
		}
		if got, want := (parser.Event{Kind: parser.SkippedExamples, File: tc.name}).String(), strings.TrimSuffix(tc.want, "1:4: "); !strings.HasPrefix(got, want) {
			t.Errorf("%s: the event says %q, want %q", tc.reason, got, want)
		}
	}
}

// A message is one line, whatever a reader says.
func TestForeignErrorsAreOneLine(t *testing.T) {
	cause := errors.New("no\n\tluck\x1b[2J: \xff")
	for _, err := range parser.Stream(t.Context(), "f", io.MultiReader(strings.NewReader("# c\n"), iotest.ErrReader(cause)), nil) {
		if want := "f:2:1: unreadable: no luck [2J: "; !errors.Is(err, cause) || err.Error() != want {
			t.Errorf("%q, want %q", err, want)
		}
	}
	if _, err := os.Stat("no\nfile"); err != nil {
		_, err := parser.Collect(func(yield func(*parser.Document, error) bool) { yield(nil, err) })
		if strings.Count(err.Error(), "\n") > 0 {
			t.Errorf("%q has line breaks", err)
		}
	}
}
