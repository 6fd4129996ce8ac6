package yamlstream

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// Eight bytes at once or one by one, the next line that does not begin with a space is the same.
func TestNextOuter(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		text := make([]byte, r.IntN(60))
		for i := range text {
			text[i] = "    \n\n-a\xEF\x8A\x00\xFF"[r.IntN(12)]
		}
		want := strings.LastIndexByte(string(text), '\n') + 1
		for i := 1; i < len(text); i++ {
			if text[i-1] == '\n' && text[i] != ' ' {
				want = i
				break
			}
		}
		lines := strings.Count(string(text[:want]), "\n")
		if next, n := nextOuter(text); next != want || n != lines {
			t.Fatalf("%q: got line %d at %d, want line %d at %d", text, n, next, lines, want)
		}
	}
}
