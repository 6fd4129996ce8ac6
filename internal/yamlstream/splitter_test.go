package yamlstream

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/internal/executions"
)

var wide = Limits{Stream: 1 << 20, Document: 1 << 20}

// cutAll describes the chunks of a stream as "line@offset raw|text".
func cutAll(s *Splitter) (got []string, err error) {
	for {
		c, err := s.Next()
		if err != nil {
			return got, err
		}
		d := fmt.Sprintf("%d@%d %q", c.Pos.Line, c.Pos.Offset, c.Text[c.Raw:])
		if c.BadEnd > 0 {
			d = fmt.Sprintf("%d@%d bad %q", c.Pos.Line, c.Pos.Offset, c.Text[c.BadEnd:])
		}
		got = append(got, d)
	}
}

func TestSplitter(t *testing.T) {
	cases := []struct {
		reason string
		text   string
		want   []string
	}{
		{"nothing", "", nil},
		{"nothing but comments", "# a\n---\n# b\n...\n\n---", nil},
		{"one document", "a: 1\n", []string{`1@0 "a: 1\n"`}},
		{"without a line break", "a: 1", []string{`1@0 "a: 1"`}},
		{"a separator is not part of the text", "---\na: 1\n---\nb: 2\n", []string{`1@0 "a: 1\n"`, `3@9 "b: 2\n"`}},
		{"what stands behind it is", "--- a # b\n---\t# c\nd: 1\n--- [e]", []string{`1@0 "a # b\n"`, `2@10 "# c\nd: 1\n"`, `4@23 "[e]"`}},
		{"comments before a document without a separator are its own", "# a\n\nb: 1\n", []string{`1@0 "# a\n\nb: 1\n"`}},
		{"comments before a separator are nobody's", "# a\n---\nb: 1\n# c\n---\n# d\ne: 2\n", []string{`2@4 "b: 1\n# c\n"`, `5@17 "# d\ne: 2\n"`}},
		{"an end is not part of the text", "a: 1\n... # b\n# c\nd: 2\n...\n", []string{`1@0 "a: 1\n"`, `3@13 "# c\nd: 2\n"`}},
		{"a directive needs its separator", "# a\n%YAML 1.2\n---\nb: 1\n", []string{`1@0 "# a\n%YAML 1.2\n---\nb: 1\n"`}},
		{"a directive without an end before it", "a: 1\n# b\n%TAG ! x\n# c\n---\nd: 2\n", []string{`1@0 "a: 1\n# b\n"`, `3@9 "%TAG ! x\n# c\n---\nd: 2\n"`}},
		{"two of them", "a: 1\n%TAG ! x\n%YAML 1.2\n---\nd: 2\n", []string{`1@0 "a: 1\n"`, `2@5 "%TAG ! x\n%YAML 1.2\n---\nd: 2\n"`}},
		{"a line of text that begins with %", "a: 'b\n%YAML c\n d'\n---\ne: 1\n", []string{`1@0 "a: 'b\n%YAML c\n d'\n"`, `4@18 "e: 1\n"`}},
		{"not a directive of YAML", "a: 'b\n%x'\n---\nc: 1\n", []string{`1@0 "a: 'b\n%x'\n"`, `3@10 "c: 1\n"`}},
		{"a directive and no document", "%YAML 1.2\n", []string{`1@0 "%YAML 1.2\n"`}},
		{"a directive and an end", "%YAML 1.2\n...\na: 1\n", []string{`1@0 "%YAML 1.2\n"`, `3@14 "a: 1\n"`}},
		{"a directive at the end is not lost", "a: 1\n%YAML 1.2\n# b\n", []string{`1@0 "a: 1\n"`, `2@5 "%YAML 1.2\n# b\n"`}},
		{"nor is one behind nothing", "---\n%YAML 1.2", []string{`2@4 "%YAML 1.2"`}},
		{"lookalikes", "----\n---a\n--\n ---\n....\n", []string{`1@0 "----\n---a\n--\n ---\n....\n"`}},
		{"text behind an end", "a: 1\n...  b\nc: 2\n---\nd: 3\n", []string{`1@0 "a: 1\n"`, `2@5 bad "b\nc: 2\n"`, `4@17 "d: 3\n"`}},
		{"all line breaks", "a: 1\r\n---\r\nb: 2\r---\rc: 3\r\r\n---\nd: 4", []string{`1@0 "a: 1\r\n"`, `2@6 "b: 2\r"`, `4@16 "c: 3\r\r\n"`, `7@27 "d: 4"`}},
		{"byte order marks", "\ufeffa: 1\n---\n\ufeffb: 2\n\ufeff---\nc: 3\n", []string{`1@0 "a: 1\n"`, `2@8 "b: 2\n"`, `4@20 "c: 3\n"`}},
		{"a byte order mark before %", "\ufeff%YAML 1.2\n---\na: 1\n", []string{`1@0 "%YAML 1.2\n---\na: 1\n"`}},
		{"a byte order mark in the text", "a: 1\n\ufeffb: 2\n", []string{"1@0 \"a: 1\\n\\ufeffb: 2\\n\""}},
	}
	for _, tc := range cases {
		t.Run(tc.reason, func(t *testing.T) {
			got, err := cutAll(NewBytes([]byte(tc.text), wide))
			if err != io.EOF {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for name, r := range map[string]io.Reader{
				"whole": strings.NewReader(tc.text), "byte by byte": iotest.OneByteReader(strings.NewReader(tc.text)),
				"with the end": iotest.DataErrReader(strings.NewReader(tc.text)),
			} {
				if got, _ := cutAll(New(r, wide)); cmp.Diff(tc.want, got) != "" {
					t.Errorf("read %s: %v", name, got)
				}
			}
		})
	}
}

func TestSplitterEnds(t *testing.T) {
	broken := errors.New("broken")
	var foreign *ForeignError
	for _, tc := range []struct {
		reason string
		s      *Splitter
		docs   int
		is     func(error) bool
		pos    Pos
	}{
		{"a stream as large as allowed", New(strings.NewReader("a: 1\n---\nb: 2\n"), Limits{14, 14}), 2, isErr(io.EOF), Pos{4, 14}},
		{"a byte more", New(strings.NewReader("a: 1\n---\nb: 2\n"), Limits{13, 14}), 1, isErr(ErrStreamTooLarge), Pos{3, 9}},
		{"the same in memory", NewBytes([]byte("a: 1\n---\nb: 2\n"), Limits{13, 14}), 1, isErr(ErrStreamTooLarge), Pos{3, 9}},
		{"a document as large as allowed", NewBytes([]byte("a: 1\n---\nb: 2\n"), Limits{20, 9}), 2, isErr(io.EOF), Pos{4, 14}},
		{"a byte more", NewBytes([]byte("a: 1\n---\nb: 2\n"), Limits{20, 8}), 1, isErr(ErrDocumentTooLarge), Pos{2, 5}},
		{"a line that does not end", New(endless{}, Limits{1 << 40, 1 << 20}), 0, isErr(ErrDocumentTooLarge), Pos{1, 0}},
		{"a reader that fails", New(io.MultiReader(strings.NewReader("a: 1\n---\nb: 2\n"), iotest.ErrReader(broken)), wide), 1, isErr(broken), Pos{4, 14}},
		{"a reader that gives nothing", New(readerFunc(func([]byte) (int, error) { return 0, nil }), wide), 0, isErr(io.ErrNoProgress), Pos{1, 0}},
		{"another encoding", NewBytes([]byte("\xff\xfe\x00\x00a\x00\x00\x00"), wide), 0, func(err error) bool { return errors.As(err, &foreign) && foreign.Encoding }, Pos{1, 0}},
		{"UTF-16 as large as allowed", NewBytes(UTF16LE.Encode([]byte("a: é\n---\nb: 😀\n")), Limits{30, 16}), 2, isErr(io.EOF), Pos{4, 30}},
		{"the same from a reader", New(bytes.NewReader(UTF16LE.Encode([]byte("a: é\n---\nb: 😀\n"))), Limits{30, 16}), 2, isErr(io.EOF), Pos{4, 30}},
		{"two bytes more", New(bytes.NewReader(UTF16LE.Encode([]byte("a: é\n---\nb: 😀\n"))), Limits{28, 16}), 1, isErr(ErrStreamTooLarge), Pos{3, 18}},
		{"and in memory", NewBytes(UTF16BE.Encode([]byte("a: é\n---\nb: 😀\n")), Limits{28, 16}), 1, isErr(ErrStreamTooLarge), Pos{3, 18}},
		{"UTF-16 with a document that is too large", New(bytes.NewReader(UTF16BE.Encode([]byte("a: é\n---\nb: 😀\n"))), Limits{40, 10}), 1, isErr(ErrDocumentTooLarge), Pos{2, 10}},
		{"another format", NewBytes([]byte("\x1f\x8b\x08"), wide), 0, func(err error) bool { return errors.As(err, &foreign) && !foreign.Encoding }, Pos{1, 0}},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			docs, err := cutAll(tc.s)
			if len(docs) != tc.docs || !tc.is(err) || tc.s.Pos() != tc.pos {
				t.Errorf("%d documents, %v at %v; want %d at %v", len(docs), err, tc.s.Pos(), tc.docs, tc.pos)
			}
		})
	}
}

// TestCanceled asks once a document and once a MiB, however the bytes are cut.
func TestCanceled(t *testing.T) {
	large := Limits{1 << 30, 1 << 30}
	stop := errors.New("stop")
	for _, tc := range []struct {
		reason string
		text   string
		least  int
	}{
		{"comments without end", strings.Repeat("# a comment of many lines\n", 400_000), 9},
		{"documents of nothing", strings.Repeat("---\n", 1000), 1000},
		{"a large document", "a: |\n" + strings.Repeat("  text\n", 1<<20), 6},
	} {
		asked := 0
		s := NewBytes([]byte(tc.text), large)
		s.Canceled = func() error { asked++; return nil }
		if _, err := cutAll(s); err != io.EOF || asked < tc.least || asked > 2*tc.least+10 {
			t.Errorf("%s: asked %d times, want some %d; %v", tc.reason, asked, tc.least, err)
		}
		s = NewBytes([]byte(tc.text), large)
		s.Canceled = func() error {
			if asked--; asked == 0 {
				return stop
			}
			return nil
		}
		if _, err := cutAll(s); err != stop {
			t.Errorf("%s: it goes on, and ends with %v", tc.reason, err)
		}
	}
}

func isErr(target error) func(error) bool {
	return func(err error) bool { return errors.Is(err, target) }
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestSplitterKeepsOneDocument(t *testing.T) {
	doc := strings.Repeat("a: "+strings.Repeat("x", 1000)+"\n", 100) + "---\n"
	s := New(&repeat{text: doc, n: 200}, Limits{1 << 30, 1 << 30})
	n := 0
	for {
		if _, err := s.Next(); err != nil {
			break
		}
		n++
	}
	if n != 200 || cap(s.src.store) > 4*len(doc)+4*readSize {
		t.Errorf("%d documents of %d bytes, and a buffer of %d", n, len(doc), cap(s.src.store))
	}
}

// A large document among small ones is not paid for to the end of the stream.
func TestSplitterGivesUpLargeBuffers(t *testing.T) {
	large := strings.Repeat("a: "+strings.Repeat("x", 1000)+"\n", 5000) + "---\n"
	s := New(io.MultiReader(strings.NewReader(large), &repeat{text: "a: b\n---\n", n: 1 << 20}), Limits{1 << 30, 1 << 30})
	most := 0
	for {
		if _, err := s.Next(); err != nil {
			break
		}
		most = max(most, cap(s.src.store))
	}
	if most < len(large) || cap(s.src.store) >= largeBuffer {
		t.Errorf("the buffer had %d bytes at most, and %d at the end", most, cap(s.src.store))
	}
}

// repeat is a reader of a text n times.
type repeat struct {
	text string
	n    int
	at   int
}

func (r *repeat) Read(p []byte) (int, error) {
	if r.n == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.text[r.at:])
	if r.at += n; r.at == len(r.text) {
		r.at, r.n = 0, r.n-1
	}
	return n, nil
}

func TestCheckText(t *testing.T) {
	for _, tc := range []struct {
		text   string
		offset int // -1 when there is no flaw
		byte   bool
		old    bool
	}{
		{"a\t\r\n~é€😀\u00a0\ufeff\ue000", -1, false, false},
		{"a\u0085", -1, false, true},
		{"\u2028\u2029", -1, false, true},
		{"a\x00", 1, false, false},
		{"é\x7f", 2, false, false},
		{"\u2028\u0080", 3, false, true},
		{"a\ufffe", 1, false, false},
		{"a\uffff", 1, false, false},
		{"\ufffd", -1, false, false},
		{"a\xff", 1, true, false},
		{"\xc0\x80", 0, true, false},
		{"\xed\xa0\x80", 0, true, false},
		{"\xf4\x90\x80\x80", 0, true, false},
		{"a\xe2\x82", 1, true, false},
	} {
		flaw, old := CheckText([]byte(tc.text))
		got := -1
		if flaw != nil {
			got = flaw.Offset
			if flaw.Byte != tc.byte {
				t.Errorf("%q: byte %v", tc.text, flaw.Byte)
			}
		}
		if got != tc.offset || old != tc.old {
			t.Errorf("%q: flaw at %d, old breaks %v; want %d, %v", tc.text, got, old, tc.offset, tc.old)
		}
	}
}

// TestDocumentLimit cuts documents that are as long as the limit, and one that
// is a byte longer: what is read does not depend on how the bytes come.
func TestDocumentLimit(t *testing.T) {
	exact := strings.Repeat("a: bcdefgh\n", 10_000)
	separated := "---\n" + exact[4:]
	for _, tc := range []struct {
		reason string
		text   string
		want   int // documents before the error
		err    error
		end    Pos
	}{
		{"as long as the limit, with separators", exact + separated + separated, 3, io.EOF, Pos{30_003, 330_000}},
		{"a separator with a long comment", exact + "--- # " + strings.Repeat("c", 1000) + "\na: b\n", 2, io.EOF, Pos{10_003, 111_012}},
		{"a byte more", exact + separated + "\n", 1, ErrDocumentTooLarge, Pos{10_001, 110_000}},
		{"a line more", exact + separated + "a: b\n", 1, ErrDocumentTooLarge, Pos{10_001, 110_000}},
	} {
		limits := Limits{1 << 30, int64(len(exact))}
		for name, s := range map[string]*Splitter{
			"bytes":    NewBytes([]byte(tc.text), limits),
			"reader":   New(strings.NewReader(tc.text), limits),
			"one byte": New(iotest.OneByteReader(strings.NewReader(tc.text)), limits),
		} {
			chunks, err := cutAll(s)
			if len(chunks) != tc.want || err != tc.err || s.Pos() != tc.end {
				t.Errorf("%s, %s: %d documents, then %v at %v; want %d, %v at %v", tc.reason, name, len(chunks), err, s.Pos(), tc.want, tc.err, tc.end)
			}
		}
	}
}

// FuzzSplitter checks that the chunks are the stream, in order, save separators
// and comments, and that reading does not depend on how the bytes come.
func FuzzSplitter(f *testing.F) {
	for _, s := range []string{"a\n---\nb", "%YAML 1.2\n---\na\n...\n", "\ufeff---\r\n\ufeffa\r---\r", "... a\n--- b # c\n", "a\n%TAG a\n---\n%YAML \n...\n", "... a\n... b", "0\n%YAML \n... i\n... i", "---\n%YAML \n... i", "\r\n\r\r\n---"} {
		f.Add(s)
	}
	f.Fuzz(executions.Many(func(t *testing.T, text string) {
		whole, err1 := cutAll(NewBytes([]byte(text), wide))
		slow, err2 := cutAll(New(iotest.OneByteReader(strings.NewReader(text)), wide))
		if diff := cmp.Diff(whole, slow); diff != "" || fmt.Sprint(err1) != fmt.Sprint(err2) {
			t.Errorf("%v and %v:\n%s", err1, err2, diff)
		}
		if e := encodingOf([]byte(text)); e != UTF8 {
			checkUTF16(t, text, e)
			return
		}
		s := NewBytes([]byte(text), wide)
		end := 0
		for {
			c, err := s.Next()
			if err != nil {
				break
			}
			if c.Pos.Offset < end || text[c.Pos.Offset:c.Pos.Offset+len(c.Text)] != string(c.Text) {
				t.Fatalf("chunk %q is not at %v", c.Text, c.Pos)
			}
			checkPassedOver(t, text[end:c.Pos.Offset])
			end = c.Pos.Offset + len(c.Text)
		}
		if err1 == io.EOF {
			checkPassedOver(t, text[end:])
		}
	}))
}

// checkPassedOver checks that text that is in no chunk says nothing.
func checkPassedOver(t *testing.T, text string) {
	t.Helper()
	for _, line := range strings.FieldsFunc(text, func(r rune) bool { return r == '\r' || r == '\n' }) {
		line = strings.TrimLeft(line, "\ufeff")
		if k := classify([]byte(line)); k == lineContent || k == lineDirective {
			t.Errorf("the line %q is lost", line)
		}
		if k := classify([]byte(line)); (k == lineMarker || k == lineEnd) && blankOrComment([]byte(line[3:])) == lineContent {
			t.Errorf("text behind a marker is lost: %q", line)
		}
	}
}

// checkUTF16 holds the chunks of a stream in UTF-16 against those of the same
// stream in UTF-8.
func checkUTF16(t *testing.T, text string, e Encoding) {
	t.Helper()
	units := make([]uint16, len(text)/2)
	for i := range units {
		units[i] = uint16(e.unit([]byte(text[2*i:])))
	}
	plain := []byte(string(utf16.Decode(units)))
	if back := e.Encode(plain); string(back) != text || sniff(plain) != nil || encodingOf(plain) != UTF8 {
		return // it holds what is no character
	}
	large := Limits{1 << 30, 1 << 30}
	ours, theirs := NewBytes([]byte(text), large), NewBytes(plain, large)
	for {
		got, err := ours.Next()
		want, wantErr := theirs.Next()
		if want.Text != nil {
			want.Encoding, want.Pos.Offset = e, len(e.Encode(plain[:want.Pos.Offset]))
		}
		if diff := cmp.Diff(want, got); diff != "" || err != wantErr {
			t.Fatalf("%v and %v, -UTF-8 +UTF-16:\n%s", wantErr, err, diff)
		}
		if err != nil {
			return
		}
	}
}
