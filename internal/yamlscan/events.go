package yamlscan

import (
	"bytes"
	"slices"
)

// events is what is made of a document while it is read. Only one of the three is
// wanted at a time; the structure calls the methods below for all of them.
type events struct {
	scanning bool // identity
	id       Identity
	want     *Text // where the value that comes next belongs
	inMeta   bool  // the last key of the document itself is metadata
	complex  bool  // something that identifies the object is written in an unusual way

	writing bool // JSON
	form    Form
	out     []byte
	sorted  []byte // memory for putting members in order

	path    []any // finding a place
	matched int   // how many elements of path lead to the value that is read
	waiting bool  // the value of the last of them has not begun
	place   Place
	done    bool // everything that was asked for is known
}

// A Span is a part of the text, from Start up to but without End.
type Span struct{ Start, End int }

// An Identity says what object a document is, and where.
type Identity struct {
	Root                   Span // from the first key to the end of the last value
	APIVersion, Kind, Name Text
}

// A Text is a scalar of an [Identity]; the zero Text is one that is absent or null.
type Text struct {
	Span          // without quotes
	IsString bool // it is no number and no boolean
	Set      bool
}

// Scan reads every byte of a document that is a mapping, with at most depth
// collections within each other. ok is false when the text is not taken. It
// allocates nothing that it does not keep for the next document.
func (s *Scanner) Scan(text []byte, depth int) (id Identity, ok bool) {
	s.events = events{scanning: true, out: s.out[:0], sorted: s.sorted}
	if !s.run(text, depth) || s.complex {
		return Identity{}, false
	}
	s.id.Root.End = s.end
	return s.id, true
}

// Form is how JSON is written.
type Form int

// Forms of JSON.
const (
	Author   Form = iota // keys in the author's order, no more escapes than JSON needs
	Standard             // as encoding/json writes a map, and so YAMLToJSONStrict of sigs.k8s.io/yaml
)

// AppendJSON appends a document to dst as JSON. ok is false when the text is not
// taken.
func (s *Scanner) AppendJSON(dst, text []byte, form Form) (json []byte, ok bool) {
	s.events = events{writing: true, form: form, out: dst, sorted: s.sorted}
	ok = s.run(text, maxDepth)
	json, s.out = s.out, nil
	return json, ok
}

// maxDepth is go-yaml's own limit.
const maxDepth = 10_000

// A Place is where a field stands.
type Place struct {
	Key      Span // with quotes; zero for the document itself and for an item
	HasKey   bool
	Value    Span // empty, behind the colon or dash, for a null that is not written
	Followed int  // how many elements of the path could be followed
}

// Find follows a path of keys (string) and indexes (int). Where it cannot be
// followed to its end, the place is that of the last element that could.
// ok is false when the text is not taken as far as it had to be read.
func (s *Scanner) Find(text []byte, path []any) (p Place, ok bool) {
	s.events = events{path: path, waiting: true, out: s.out[:0], sorted: s.sorted}
	if !s.run(text, maxDepth) || !s.done {
		return Place{}, false
	}
	return s.place, true
}

// beginPair is called for a key: its name, and its place with quotes.
func (s *Scanner) beginPair(name []byte, at Span) {
	depth := len(s.frames)
	switch {
	case s.writing:
		if s.keyCount() > 1 {
			s.out = append(s.out, ',')
			s.keys[len(s.keys)-1].out++ // the member begins behind the comma
		}
		s.out = append(s.out, '"')
		s.escaped(name)
		s.out = append(s.out, '"', ':')
	case s.scanning:
		if depth <= 2 {
			s.identify(depth, name, at.Start)
		}
	case depth == s.matched+1 && s.matched < len(s.path) && !s.done:
		if want, is := s.path[s.matched].(string); is && want == string(name) {
			s.matched++
			s.waiting = true
			s.place.Key, s.place.HasKey = at, true
		}
	}
}

// identify looks whether a key of the document or of its metadata tells what the
// object is.
func (s *Scanner) identify(depth int, name []byte, at int) {
	switch {
	case depth == 1:
		if s.keyCount() == 1 {
			s.id.Root.Start = at
		}
		s.inMeta = false
		switch string(name) {
		case "apiVersion":
			s.want = &s.id.APIVersion
		case "kind":
			s.want = &s.id.Kind
		case "metadata":
			s.inMeta = true
		}
	case s.inMeta && string(name) == "name":
		s.want = &s.id.Name
	}
}

// keyCount returns how many keys the innermost mapping has so far.
func (s *Scanner) keyCount() int { return len(s.keys) - s.top().first }

// beginItem is called for an item of the innermost sequence.
func (s *Scanner) beginItem() {
	f := s.top()
	index := f.items
	f.items++
	switch {
	case s.writing:
		if index > 0 {
			s.out = append(s.out, ',')
		}
	case s.scanning:
	case len(s.frames) == s.matched+1 && s.matched < len(s.path) && !s.done:
		if want, is := s.path[s.matched].(int); is && want == index {
			s.matched++
			s.waiting = true
			s.place.Key, s.place.HasKey = Span{}, false
		}
	}
}

// beginCollection is called before a collection is opened.
func (s *Scanner) beginCollection(seq bool, start int) {
	s.want = nil
	switch {
	case s.writing && seq:
		s.out = append(s.out, '[')
	case s.writing:
		s.out = append(s.out, '{')
	case s.waiting:
		s.waiting = false
		s.place.Value.Start = start
	}
}

// endCollection is called for the innermost collection, whose last value ends, or
// whose bracket is, before s.end.
func (s *Scanner) endCollection(f *frame) {
	switch {
	case s.writing && f.seq:
		s.out = append(s.out, ']')
	case s.writing:
		if s.form == Standard {
			s.sortMembers(s.keys[f.first:])
		}
		s.out = append(s.out, '}')
	case s.scanning || s.done:
	case len(s.frames) == s.matched+1:
		s.found()
	}
}

// found notes that the value that was looked for ends here.
func (s *Scanner) found() {
	s.place.Value.End = s.end
	s.place.Followed = s.matched
	s.done = true
}

// scalar is called for a scalar that is not written as JSON: for its place. simple
// says that the text between start and end, without quotes if there are any, is
// what it says.
func (s *Scanner) scalar(start, end int, m meaning, simple bool) {
	s.end = end
	switch {
	case s.scanning:
		if s.want == nil {
			return
		}
		t := Text{Span: Span{start, end}, IsString: m == isString, Set: m != isNull}
		if c := s.text[min(start, len(s.text)-1)]; simple && t.Set && (c == '"' || c == '\'') {
			t.Start++
			t.End--
		}
		s.complex = s.complex || !simple
		*s.want = t
		s.want = nil
	case s.waiting:
		s.waiting = false
		s.place.Value.Start = start
		s.found()
	}
}

// null is called for a value that is not written.
func (s *Scanner) null() {
	s.pending = false
	s.put("null")
	s.scalar(s.pendingAt, s.pendingAt, isNull, true)
}

// sortMembers puts the members of the mapping that the JSON ends with in the order
// of their keys.
func (s *Scanner) sortMembers(keys []key) {
	compare := func(a, b key) int { return bytes.Compare(s.text[a.start:a.end], s.text[b.start:b.end]) }
	if len(keys) == 0 || slices.IsSortedFunc(keys, compare) {
		return
	}
	begin := keys[0].out
	for i := range keys { // each tells where it ends, for that is lost with the order
		keys[i].hash = uint64(len(s.out))
		if i+1 < len(keys) {
			keys[i].hash = uint64(keys[i+1].out - 1)
		}
	}
	slices.SortFunc(keys, compare)
	s.sorted = s.sorted[:0]
	for i, k := range keys {
		if i > 0 {
			s.sorted = append(s.sorted, ',')
		}
		s.sorted = append(s.sorted, s.out[k.out:k.hash]...)
	}
	copy(s.out[begin:], s.sorted)
}

// escapes says how a byte of a text is written in JSON: 0 as it is, 1 with an
// escape, 2 with one in the Standard form only.
var escapes = func() (t [256]uint8) {
	for c := range ' ' {
		t[c] = 1
	}
	t['"'], t['\\'] = 1, 1
	t['<'], t['>'], t['&'] = 2, 2, 2
	return t
}()

// escaped appends a text to the JSON, without quotes around it.
func (s *Scanner) escaped(text []byte) {
	const hex = "0123456789abcdef"
	from := 0
	for i, c := range text {
		e := escapes[c]
		if e == 0 || e == 2 && s.form != Standard {
			continue
		}
		s.out = append(s.out, text[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			s.out = append(s.out, '\\', c)
		case '\n':
			s.out = append(s.out, '\\', 'n')
		case '\t':
			s.out = append(s.out, '\\', 't')
		default:
			s.out = append(s.out, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	s.out = append(s.out, text[from:]...)
}

// put appends to the JSON, if that is wanted.
func (s *Scanner) put(json string) {
	if s.writing {
		s.out = append(s.out, json...)
	}
}

// say appends a text to the JSON, if that is wanted.
func (s *Scanner) say(text []byte) {
	if s.writing {
		s.escaped(text)
	}
}

// breaks appends line breaks to the JSON.
func (s *Scanner) breaks(n int) {
	for ; n > 0; n-- {
		s.put(`\n`)
	}
}

// fold appends what a line break within a scalar says that blank lines may follow:
// alone it is a space, and else only the blank lines count.
func (s *Scanner) fold(blanks int) {
	if blanks == 0 {
		s.put(" ")
	}
	s.breaks(blanks)
}
