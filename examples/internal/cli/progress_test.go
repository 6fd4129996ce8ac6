package cli

import (
	"bytes"
	"strings"
	"testing"
)

func TestProgress(t *testing.T) {
	var w bytes.Buffer
	p := newProgress(&w)
	p.Show("a", 1<<20, 4<<20)
	p.Show("b", 4<<20, 4<<20)
	p.Show("a", 4<<20, 4<<20)
	p.Show("c", 2, 1) // more has come than was said
	p.Done()
	p.Done()
	if got := w.String(); !strings.Contains(got, "MB") {
		t.Errorf("got %q, want sizes", got)
	}
	// Where nobody looks nothing is written.
	var stderr bytes.Buffer
	quiet := (&Env{Stderr: &stderr}).Progress()
	quiet.Show("a", 1, 2)
	quiet.Done()
	if stderr.Len() > 0 {
		t.Errorf("got %q", &stderr)
	}
}
