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

func TestCounter(t *testing.T) {
	var w bytes.Buffer
	c := newCounter(&w, 3)
	c.Add()
	c.Add()
	c.Done()
	c.Done()
	if got := w.String(); !strings.Contains(got, "/3") {
		t.Errorf("got %q, want how many of 3", got)
	}
	// Where nobody looks nothing is written.
	var stderr bytes.Buffer
	quiet := (&Env{Stderr: &stderr}).Counting(2, false)
	quiet.Add()
	quiet.Done()
	if stderr.Len() > 0 {
		t.Errorf("got %q", &stderr)
	}
}
