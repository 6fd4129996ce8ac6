package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/meta"
)

// What stands in a file before a run, and what the run makes of it.
func TestReadLines(t *testing.T) {
	good := `{"reference":"a","digest":"sha256:1"}` + "\n"
	failed := `{"reference":"b","error":{"code":"unavailable","message":""}}` + "\n"
	cases := []struct {
		name, reason, text string
		whole              int    // bytes that stay
		references         string // of the lines
		says               string
	}{
		{"empty", "a new file", "", 0, "", ""},
		{"lines", "", good + failed, len(good + failed), "a b", ""},
		{"torn", "the last line of a run that was killed", good + `{"reference":"b","di`, len(good), "a", ""},
		{"torn early", "within what each line begins with", good + `{"ref`, len(good), "a", ""},
		{"torn at its end", "only the line break is missing", good + strings.TrimSuffix(failed, "\n"), len(good), "a", ""},
		{"twice", "a line that was replaced, of a run that was killed", failed + good + `{"reference":"b"}` + "\n", len(failed+good) + 18, "b a b", ""},
		{"empty line", "", good + "\n", 0, "", "index.jsonl:2: not a line of an index"},
		{"no JSON", "", good + "text\n" + good, 0, "", "index.jsonl:2: not a line of an index"},
		{"no reference", "other JSON", good + `{"name":"x"}` + "\n", 0, "", "index.jsonl:2: not a line of an index"},
		{"zeros", "what a file system leaves of a crash", good + "\x00\x00\n", 0, "", "index.jsonl:2: not a line"},
		{"torn zeros", "and without a line break, where a machine has stopped within a line", good + "\x00\x00", len(good), "a", ""},
		{"torn line and zeros", "of which it had written some", good + `{"refer` + "\x00\x00", len(good), "a", ""},
		{"torn letter", "within a letter of several bytes", good + `{"reference":"b","name":"` + "\xc3", len(good), "a", ""},
		{"zeros and a text", "which nobody here has written", good + "\x00\x00notes", 0, "", "index.jsonl:2: what follows the last line break is no line of an index"},
		{"a text", "which has no line break", "notes", 0, "", "index.jsonl:1: what follows the last line break"},
		{"a long line", "", good + strings.Repeat("x", maxLine+1), 0, "", "index.jsonl:2: the line is larger than"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "index.jsonl")
			write(t, file, c.text)
			write(t, filepath.Join(filepath.Dir(file), ".index.jsonl.new"), "of a run that was killed at its end")
			out, err := openOutput(file, "", io.Discard)
			defer out.close()
			if c.says != "" {
				if code := meta.Code(err); code != "invalid" && code != "limit" || !strings.Contains(err.Error(), c.says) {
					t.Errorf("got %v, want %q: %s", err, c.says, c.reason)
				}
				if got := readFile(t, file); got != c.text {
					t.Errorf("the file has %d bytes now, want %d", len(got), len(c.text))
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := readFile(t, file); got != c.text[:c.whole] {
				t.Errorf("got the file %q: %s", got, c.reason)
			}
			if left, err := os.ReadDir(filepath.Dir(file)); err != nil || len(left) != 1 {
				t.Errorf("%v is left (%v)", left, err)
			}
			if got := strings.Join(out.known.order, " "); got != c.references {
				t.Errorf("got lines of %q, want %q: %s", got, c.references, c.reason)
			}
		})
	}
}

// The file at the end: others first, without those that failed, then what was asked for, each
// once, in the order of asking. It is compared with a model over random runs.
func TestFinish(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		file := filepath.Join(t.TempDir(), "index.jsonl")
		model := map[string]string{} // last lines
		var order []string           // of first lines
		for range 1 + random.IntN(3) {
			out, err := openOutput(file, "", io.Discard)
			if err != nil {
				t.Fatal(err)
			}
			var items []item
			for _, n := range random.Perm(6)[:random.IntN(6)] {
				items = append(items, item{reference: fmt.Sprint(n)})
			}
			for _, n := range random.Perm(len(items)) {
				l := &line{Reference: items[n].reference, Digest: fmt.Sprint(random.Int())}
				if random.IntN(3) == 0 {
					l.Error = &cli.Fault{Code: "unavailable"}
				}
				if err := out.write(l, nil); err != nil {
					t.Fatal(err)
				}
				text, _ := l.encode()
				model[l.Reference] = string(text)
			}
			if err := out.finish(items); err != nil {
				t.Fatal(err)
			}
			out.close()
			order = slices.DeleteFunc(order, func(r string) bool {
				return slices.ContainsFunc(items, func(i item) bool { return i.reference == r }) || strings.Contains(model[r], `"error"`)
			})
			for _, i := range items {
				order = append(order, i.reference)
			}
			maps.DeleteFunc(model, func(r, _ string) bool { return !slices.Contains(order, r) })
		}
		var want strings.Builder
		for _, reference := range order {
			want.WriteString(model[reference])
		}
		if got := readFile(t, file); got != want.String() {
			t.Fatalf("got\n%s, want\n%s", got, &want)
		}
	}
}

// Which part has a reference must stay as it is: files of another version would lack what
// moved to another part.
func TestShard(t *testing.T) {
	for reference, want := range map[string]uint64{
		"": 1, "xpkg.crossplane.io/crossplane-contrib/provider-nop:v0.4.0": 4, "a": 4, "b": 0, "c": 3,
	} {
		var has []uint64
		for index := range uint64(7) {
			if (shard{index, 7}).has(reference) {
				has = append(has, index)
			}
		}
		if !slices.Equal(has, []uint64{want}) {
			t.Errorf("%q is in the parts %d, want %d", reference, has, want)
		}
	}
}

// Each item is handed out once, and of a host never more than allowed at a time.
func TestSchedule(t *testing.T) {
	var items []item
	for n := range 500 {
		items = append(items, item{reference: fmt.Sprintf("host%d.example/a:v%d", n%5*(n%3), n)})
	}
	items = append(items, item{reference: "Not A Reference"}, item{reference: "host1.example/a", err: errors.New("fault")})
	const perHost = 3
	s := newSchedule(items, perHost)
	var mu sync.Mutex
	seen, running := map[string]int{}, map[string]int{}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for {
				i, done, ok := s.take()
				if !ok {
					return
				}
				host, _, _ := strings.Cut(i.reference, "/")
				mu.Lock()
				seen[i.reference]++
				if running[host]++; running[host] > perHost && i.err == nil {
					t.Errorf("%s has %d at once", host, running[host])
				}
				mu.Unlock()
				mu.Lock()
				running[host]--
				mu.Unlock()
				done(false)
			}
		})
	}
	wait.Wait()
	if len(seen) != len(items) {
		t.Errorf("%d of %d were handed out", len(seen), len(items))
	}
	for reference, n := range seen {
		if n != 1 {
			t.Errorf("%s was handed out %d times", reference, n)
		}
	}
	// Many hosts cost what many references do.
	items = items[:0]
	for n := range 200_000 {
		items = append(items, item{reference: fmt.Sprintf("host%d.example/a", max(n-100_000, 0))})
	}
	s = newSchedule(items, perHost)
	for range items {
		_, done, ok := s.take()
		if !ok {
			t.Fatal("too few were handed out")
		}
		done(false)
	}
	// Who waits when it is stopped does not wait for ever.
	ctx, stop := context.WithCancel(t.Context())
	s = newSchedule([]item{{reference: "a.example/a"}, {reference: "a.example/b"}}, 1)
	defer s.stopWith(ctx)()
	if _, _, ok := s.take(); !ok {
		t.Fatal("nothing was handed out")
	}
	ended := make(chan bool)
	go func() {
		_, _, ok := s.take()
		ended <- ok
	}()
	stop()
	if <-ended {
		t.Error("the host has more than one at a time")
	}
}

// Nothing in a line moves a cursor or turns text around, and JSON says the same as before.
func TestEncode(t *testing.T) {
	name := "a\x1b[2J\u0085\u009b\u202e\u2028\U000E0001<&>\u00e9\x7f"
	text, err := (&line{Reference: name}).encode()
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"reference":"a\u001b[2J\u0085\u009b\u202e\u2028\udb40\udc01<&>é\u007f"}` + "\n"; string(text) != want {
		t.Errorf("got %s, want %s", text, want)
	}
	if got := decoded(t, string(text)); got[name] == nil {
		t.Errorf("it decodes to %v", got)
	}
	text, err = (&line{Reference: "a", Digest: "d", Entry: &Entry{Name: strings.Repeat("x", maxLine)}}).encode()
	if l := decoded(t, string(text))["a"]; err != nil || l.Error == nil || l.Error.Code != "limit" || l.Digest != "d" || l.Entry != nil {
		t.Errorf("a long line: got %+v (%v)", l, err)
	}
}

// A list with a line that has no end is refused before anything is asked.
func TestLongReference(t *testing.T) {
	file := filepath.Join(t.TempDir(), "references.txt")
	if err := os.WriteFile(file, []byte("a\n"+strings.Repeat("x", maxText+1)), 0o600); err != nil {
		t.Fatal(err)
	}
	code, stdout, _ := call(t, "-f", file)
	if code != 2 || !strings.Contains(stdout, `"code":"limit"`) {
		t.Errorf("got the exit code %d and %q", code, stdout)
	}
}
