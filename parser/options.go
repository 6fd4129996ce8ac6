package parser

// Defaults of [Options].
const (
	DefaultMaxBytes         = 200 << 20 // a whole stream or directory, in bytes
	DefaultMaxDocumentBytes = 100 << 20 // one document, in bytes
	DefaultMaxDocuments     = 1_000_000 // documents that hold something
	DefaultMaxNodes         = 1_000_000 // keys, values and items of one document
	DefaultMaxDepth         = 1000      // mappings and sequences within each other
	DefaultMaxAliasBytes    = 10 << 20  // what aliases and merge keys add to one document, in bytes
	DefaultMaxFaults        = 50_000    // faults of documents
)

// MaxFaults is how many errors an [ErrorList] of [Collect] holds at most, beside
// one that says how many more there are. A document tells at most a hundred.
const MaxFaults = 10_000

// Options are limits and hooks. A nil *Options, and fields that are zero or negative, mean
// the documented defaults. Options are read only and may be shared.
type Options struct {
	// MaxBytes limits the bytes of a stream, or of all files of a directory
	// together. Reaching it ends the sequence with an error that matches
	// meta.ErrLimit; nothing is cut short in silence. A document that ends where
	// the limit does is not yielded either, since it may go on behind it.
	MaxBytes int64

	// MaxDocumentBytes limits the bytes of one document in UTF-8, with the comments
	// before its separator, and so the memory of a stream whose documents are
	// not held. Reaching it ends the stream, or of a directory the file. It
	// is never above 1 GiB, whatever is asked for.
	MaxDocumentBytes int64

	// MaxDocuments limits the number of documents, those that are empty or
	// null not counted. Reaching it ends the sequence.
	MaxDocuments int

	// MaxNodes limits the keys, values and items of one document, and so the
	// memory that parsing it takes: up to 500 bytes for each, however little
	// text they have. They are counted before, from signs, wherever these
	// stand: 2 for a colon that white space, a bracket or quotes make the end
	// of a key, 1 for a dash that may begin an item, 2 for a question mark
	// that may begin a key, 1 for a [ and 2 for a {, and from the first
	// bracket on 1 for a comma, from the first brace on 2. So the count is
	// never too low, and above the truth for prose. A document that exceeds
	// it is an error, and the sequence goes on.
	MaxNodes int

	// MaxDepth limits how deep mappings and sequences may nest. A document
	// that is deeper is an error, and the sequence goes on. It is never above
	// 10,000, whatever is asked for.
	MaxDepth int

	// MaxAliasBytes limits what aliases and merge keys may add to one
	// document when they are written out. A document that exceeds it is an
	// error, and the sequence goes on.
	MaxAliasBytes int64

	// MaxFaults limits the faults of the documents of a stream or directory, and
	// so the work that a stream of nothing but faults takes: finding the place
	// of one takes the time of many documents. The sequence ends behind the document
	// that exceeds it, all of whose faults are told.
	MaxFaults int

	// Ignore are patterns of what [Dir] and [Examples] leave out, each as a line of
	// git's .gitignore files: with * and ?, with ** over directories, with a slash
	// at the start or in the middle for a path from the root, with one at the end
	// for directories only, and with ! for what is taken in again. They follow
	// those of the file .xpkgignore, and the last that matches decides. What a
	// directory holds that is left out cannot be taken in again. Upper and lower
	// case differ on every system.
	Ignore []string

	// Hold, when not nil, holds the texts of documents in the place of the documents: it is
	// given each text, and what it returns has to give the same bytes back each time it is
	// called, which is whenever the document is asked for something. Held compressed, a large
	// package takes a small part of its size, for the time that decompressing takes. A nil
	// again leaves the text with the document.
	//
	// The text is in UTF-8, with the separator before it, and is a part of what was read:
	// Hold may neither modify nor keep it. Both functions are called from several goroutines
	// at once. A document whose text does not come back, as seen by its size, has none from
	// then on: [Document.Text] is empty, and JSON and Decode are errors.
	Hold func(text []byte) (again func() []byte)

	// Event, when not nil, is told what was passed over. It is called from the
	// goroutine that ranges, between documents, and must return soon.
	Event func(Event)
}

// An EventKind says what an [Event] is about.
type EventKind string

// What Dir and Examples tell.
const (
	SkippedLink     EventKind = "skipped-link"     // a symbolic link: it is not followed
	SkippedFile     EventKind = "skipped-file"     // a device, socket or pipe with a YAML name, or a junction of Windows
	SkippedNearMiss EventKind = "skipped-nearmiss" // a .json file, or one such as a.yaml.txt: only .yaml and .yml are read
	SkippedExamples EventKind = "skipped-examples" // the examples directory at the root
	SkippedIgnored  EventKind = "skipped-ignored"  // a directory, or a file that would be read or told, that a pattern leaves out
)

// An Event tells of something that was passed over without being an error.
type Event struct {
	Kind EventKind
	File string // slash-separated path below the root, as it is; String quotes one with control characters
}

// String returns a line for people, such as
// "crds/a.yaml: a symbolic link is not followed".
func (e Event) String() string {
	what := string(e.Kind)
	switch e.Kind {
	case SkippedLink:
		what = "a symbolic link is not followed"
	case SkippedFile:
		what = "not a regular file, so it is not read"
	case SkippedNearMiss:
		what = "not read: package files end in .yaml or .yml"
	case SkippedIgnored:
		what = "left out by an ignore pattern"
	case SkippedExamples:
		what = "examples are not part of the package"
	}
	return visible(e.File) + ": " + what
}

const (
	hardMaxDocumentBytes = 1 << 30
	hardMaxDepth         = 10_000 // go-yaml's own limit
)

// withDefaults returns a copy of o in which every limit is set.
func (o *Options) withDefaults() Options {
	var r Options
	if o != nil {
		r = *o
	}
	r.MaxBytes = orDefault(r.MaxBytes, DefaultMaxBytes)
	r.MaxDocumentBytes = min(orDefault(r.MaxDocumentBytes, DefaultMaxDocumentBytes), hardMaxDocumentBytes)
	r.MaxDocuments = orDefault(r.MaxDocuments, DefaultMaxDocuments)
	r.MaxNodes = orDefault(r.MaxNodes, DefaultMaxNodes)
	r.MaxDepth = min(orDefault(r.MaxDepth, DefaultMaxDepth), hardMaxDepth)
	r.MaxAliasBytes = orDefault(r.MaxAliasBytes, DefaultMaxAliasBytes)
	r.MaxFaults = orDefault(r.MaxFaults, DefaultMaxFaults)
	if r.Event == nil {
		r.Event = func(Event) {}
	}
	return r
}

func orDefault[T int | int64](v, def T) T {
	if v <= 0 {
		return def
	}
	return v
}
