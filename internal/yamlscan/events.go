package yamlscan

// events is what is made of a document while it is read: its identity, its JSON, the place of a field, or its
// numbers. The structure tells all that it comes by to the methods below.
type events struct {
	scanning bool     // the identity is wanted
	id       Identity // as far as it is known
	want     *Span    // where the value that comes next belongs
	inMeta   bool     // the last key of the document itself is metadata
	unusual  bool     // what identifies the object is not simply a string
	writing  bool     // JSON is wanted
	out      []byte
	path     []any // the place of this field is wanted
	matched  int   // how many elements of path lead to the value that is read
	waiting  bool  // the value of the last of them has not begun
	place    Place
	done     bool                             // it is known
	number   func(at Span, path func() []any) // the numbers are wanted
}

// A Span is a part of the text, from Start up to but without End.
type Span struct{ Start, End int }

// An Identity says what object a document is, and where.
type Identity struct {
	Root             Span // from the first key to the end of the last value
	APIVersion, Kind Span // without quotes; what is written there is what it says
	Name             Span // the same; zero when it is absent, null or no scalar
}

// Scan reads every byte of a document that has an apiVersion and a kind, and at most depth collections within each
// other. ok is false when the text is not taken.
func (s *Scanner) Scan(text []byte, depth int) (id Identity, ok bool) {
	s.events = events{scanning: true}
	ok = s.run(text, depth) && !s.unusual && s.id.APIVersion.Start < s.id.APIVersion.End && s.id.Kind.Start < s.id.Kind.End
	s.id.Root.End = s.end
	return s.id, ok
}

// AppendJSON appends a document to dst as JSON, with keys in the author's order and no more escapes than JSON needs;
// in the order and with the escapes of encoding/json it is what YAMLToJSONStrict of sigs.k8s.io/yaml gives. ok is
// false when the text is not taken.
func (s *Scanner) AppendJSON(dst, text []byte) (json []byte, ok bool) {
	s.events = events{writing: true, out: dst}
	ok = s.run(text, maxDepth)
	return s.out, ok
}

// A Place is where a field stands.
type Place struct {
	Key      Span // with quotes; zero for the document itself and for an item
	Value    Span // empty, behind the colon or dash, for a null that is not written
	Followed int  // how many elements of the path could be followed
}

// Find follows a path of keys (string) and indexes (int). Where it cannot be followed to its end, the place is that
// of the last element that could. ok is false when the text is not taken as far as it had to be read.
func (s *Scanner) Find(text []byte, path []any) (p Place, ok bool) {
	s.events = events{path: path, waiting: true}
	ok = s.run(text, maxDepth)
	return s.place, ok && s.done
}

// Numbers calls f with the place of each value without quotes that begins as a number does, and with what tells the
// path to it until f returns, in the order of the text. No other value of a text that is taken is one to some reader
// of YAML and none to another. ok is false when the text is not taken.
func (s *Scanner) Numbers(text []byte, f func(at Span, path func() []any)) (ok bool) {
	s.events = events{number: f}
	return s.run(text, maxDepth)
}

// pathHere returns the path to the value that is read.
func (s *Scanner) pathHere() []any {
	path := make([]any, 0, len(s.frames)-1)
	for _, f := range s.frames[1:] {
		var step any = f.items - 1
		if !f.seq {
			step = string(s.text[f.key.Start:f.key.End])
		}
		path = append(path, step)
	}
	return path
}

// beginPair is told of the key that was added last, and of its place with quotes.
func (s *Scanner) beginPair(name []byte, at Span) {
	count := len(s.keys) - s.top().first
	switch {
	case s.writing:
		if count > 1 {
			s.put(",")
		}
		s.put(`"`)
		s.say(name)
		s.put(`":`)
	case !s.scanning:
		if key, is := s.step().(string); is && key == string(name) {
			s.follow(at)
		}
	case len(s.frames) == 2:
		if count == 1 {
			s.id.Root.Start = at.Start
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
	case len(s.frames) == 3 && s.inMeta && string(name) == "name":
		s.want = &s.id.Name
	}
}

// beginItem is told of the next item of the innermost sequence.
func (s *Scanner) beginItem() {
	f := s.top()
	switch {
	case s.writing && f.items > 0:
		s.put(",")
	case s.writing || s.scanning:
	case s.step() == f.items:
		s.follow(Span{})
	}
	f.items++
}

// step returns the key or index that is looked for in the innermost collection, or nil.
func (s *Scanner) step() any {
	if s.done || len(s.frames) != s.matched+2 || s.matched == len(s.path) {
		return nil
	}
	return s.path[s.matched]
}

// follow notes that what begins now is the next step of the path.
func (s *Scanner) follow(key Span) {
	s.matched, s.waiting, s.place.Key = s.matched+1, true, key
}

// beginCollection is told of a collection before it is opened.
func (s *Scanner) beginCollection(seq bool, start int) {
	s.want = nil
	if s.put("{"); seq && s.writing {
		s.out[len(s.out)-1] = '['
	}
	if s.waiting {
		s.waiting, s.place.Value.Start = false, start
	}
}

// endCollection is told of the innermost collection, which ends at s.end, before it is closed.
func (s *Scanner) endCollection(f *frame) {
	switch {
	case s.writing && f.seq:
		s.put("]")
	case s.writing:
		s.put("}")
	case !s.scanning && !s.done && len(s.frames) == s.matched+2:
		s.found()
	}
}

// scalar is told of a scalar that was written as JSON: its place, its meaning, and whether what the text has there,
// but for quotes, is what it says.
func (s *Scanner) scalar(start, end int, m meaning, verbatim bool) {
	s.end = end
	switch {
	case s.number != nil && start < end && beginsNumber(s.text[start]):
		s.number(Span{start, end}, s.pathHere)
	case s.want != nil:
		s.unusual = s.unusual || !verbatim || m != isString && s.want != &s.id.Name
		if m != isNull {
			quotes := 0
			if c := s.text[start]; c == '"' || c == '\'' {
				quotes = 1
			}
			*s.want = Span{start + quotes, end - quotes}
		}
		s.want = nil
	case s.waiting:
		s.waiting, s.place.Value.Start = false, start
		s.found()
	}
}

// null is told of a value that is not written.
func (s *Scanner) null() {
	s.put("null")
	s.scalar(s.pending, s.pending, isNull, true)
	s.pending = -1
}

// found notes that the value that was looked for ends here.
func (s *Scanner) found() { s.place.Value.End, s.place.Followed, s.done = s.end, s.matched, true }

// put appends to the JSON, if that is wanted.
func (s *Scanner) put(json string) {
	if s.writing {
		s.out = append(s.out, json...)
	}
}

// breaks appends line breaks to the JSON, or a space where they are folded and none is left.
func (s *Scanner) breaks(n int, folded bool) {
	if n == 0 && folded {
		s.put(" ")
	}
	for range n {
		s.put(`\n`)
	}
}

// say appends a text to the JSON, if that is wanted. A text holds no other control characters than tabs: its line
// breaks are said with breaks.
func (s *Scanner) say(text []byte) {
	if !s.writing {
		return
	}
	from := 0
	for i, c := range text {
		if !escapes[c] {
			continue
		}
		s.out = append(append(s.out, text[from:i]...), '\\', c)
		if c == '\t' {
			s.out[len(s.out)-1] = 't'
		}
		from = i + 1
	}
	s.out = append(s.out, text[from:]...)
}

var escapes = tableOf("\"\\\t")
