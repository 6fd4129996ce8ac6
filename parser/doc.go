// Package parser turns a package stream (the package.yaml of a Crossplane
// package, or a directory of YAML files) into documents that know where they
// stand, and documents into a package.
//
// # Documents
//
// [Stream], [Bytes] and [Dir] yield documents in order, one at a time:
//
//	for doc, err := range parser.Stream(ctx, "package.yaml", r, nil) {
//		if err != nil {
//			fmt.Println(err) // package.yaml:12:3: yaml-syntax: …
//			continue
//		}
//		fmt.Println(doc.Range, doc.Kind, doc.Name)
//	}
//
// A fault does not end the sequence. A document that cannot be read is an error
// in its place, and the next one follows; a document that can be read, but has
// no kind or has a key twice, is yielded, and its faults follow it. Every error
// is an [*Error] with file, line and column, counted from the start of the file,
// and a stable word for its rule. Nothing is passed over in silence: what is
// skipped without being wrong (a symbolic link, say) is told to Options.Event.
//
// A [Document] keeps the author's bytes ([Document.Raw]). It gives itself as
// JSON ([Document.JSON]), decodes into Go values ([Document.Decode]), and tells
// where a field stands ([Document.At]), which is how a later stage that knows
// only the path of a field finds its line.
//
// # Packages
//
// [Collect] reads a sequence to its end and returns a [Package] and an
// [ErrorList]: everything that could be read, and everything that was wrong,
// together.
//
//	root, err := os.OpenRoot(dir)
//	…
//	pkg, err := parser.Collect(parser.Dir(ctx, root, nil))
//
// Objects of any kind are kept; [Document.Known] tells those apart that packages
// may hold. Which kinds this package may hold, and what they
// must look like, is the business of package linter. [Package.Provides] says what
// API kinds and other things a package brings.
//
// # YAML
//
// Streams are read as YAML 1.2 has them (sections 5 and 9): documents end at lines that
// begin with --- or ..., also without a --- behind the ...; content may stand on the
// separator's line; directives, comments, byte order marks and LF, CRLF and CR line ends
// are taken anywhere that YAML allows; directives that YAML reserves are ignored. Empty
// documents and those that say null are passed over, and a file that holds nothing at all
// is an error. Words and numbers mean what YAML 1.2's core schema says, and keep their
// digits; see [Document.JSON] for each difference to YAML 1.1, and [Document.Doubts] for
// where one document has them. Text is UTF-8, or UTF-16 with or without a byte order mark,
// which is read as if it were UTF-8. A byte order mark within a document is an error; a
// line of one and --- begins a document, also where quotes are open. A tag other than
// those of the core schema, one that does not fit its value, a key that is no text, and a
// number that JSON does not have are errors, since a Kubernetes object cannot hold them.
// A List is a document like any other: it is not taken apart.
//
// Four things that YAML or JSON allow are errors with a place: a tab before what a line
// holds outside of brackets and quotes (also of a blank line, of a comment, of the first
// text of a block scalar, and behind a dash); a key of more than 1024 characters, which
// YAML wants behind "? " and JSON does not; U+007F and U+FFFF within quotes; and more than
// 100 %TAG directives in a document.
//
// Input may be hostile: sizes, numbers of documents and values, depth and aliases
// have limits ([Options]), the errors of a package too ([MaxFaults]), and
// no input makes the package panic or hang.
//
// # Errors and concurrency
//
// Every fault is an [*Error]. It matches meta.ErrInvalid, meta.ErrNotPackage where there
// is no metadata object, or meta.ErrLimit where a limit was reached; what keeps a reader from reading on matches what the reader's error does.
// errors.As finds the cause, such as a [*meta.FieldError] or a [*meta.LimitError]. When a context ends, the sequence does, with an error that matches
// meta.ErrCanceled.
//
// A sequence is ranged once, by one goroutine, and leaves nothing running however the
// loop ends. Documents and packages do not change and may be read by many goroutines.
// Nothing here is closed: what a caller opened, such as a reader or an os.Root, the
// caller closes when the loop is done.
package parser
