package build

import (
	"context"
	"iter"
	"maps"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/xpkg-go/sdk/parser"
)

// Options says how a package is built. Nil and zero fields mean the defaults.
type Options struct {
	// Parser is handed to the parser by Dir, and to that of the examples without its
	// Ignore; nil is its defaults. Its Event is told what Dir leaves out.
	Parser *parser.Options

	// Judge, when not nil, is shown the package before it is built. An error
	// stops the build and is returned inside a *JudgeError. A linter goes here.
	// Who is judged is held in memory as a whole, without a judge Dir is not; what the
	// texts take is for Parser.Hold to say.
	Judge func(ctx context.Context, p *parser.Package) error

	// Force builds what could be read, whatever was wrong with it and whatever the
	// judge says; that is told to Event (Overruled). A package needs its metadata
	// object all the same.
	Force bool

	// Examples are documents that show how the package is used. They get a layer of
	// their own, marked ExamplesAnnotation. Nil means, for Dir, those of the
	// directory examples (parser.Examples), and for Package none; an empty sequence
	// means none. What of them cannot be read is left out and told to Event
	// (LeftOut).
	Examples iter.Seq2[*parser.Document, error]

	// Runtime, when not nil, is the image of the program that the package runs. Its
	// layers come first, and its labels, environment, entrypoint and platform stay.
	// That it runs as root is told to Event (RunsAsRoot). It is read when the image
	// that is built of it is. It must not be a package itself.
	Runtime v1.Image

	// Annotations are those of the manifest, beside and before those that are
	// taken from the metadata object (ImageAnnotations).
	Annotations map[string]string

	// Created is when the image says that it was made. The zero time is the
	// Unix epoch. Callers that follow reproducible-builds.org set it from
	// SOURCE_DATE_EPOCH. It is kept in whole seconds, in UTC.
	Created time.Time

	// Compression of the layers that are made; "" is Gzip.
	Compression Compression

	// Event, when not nil, is told what is no error. It is called from the goroutine
	// that builds, and must return soon.
	Event func(Event)
}

// Event is something that a build tells and that does not end it.
type Event struct {
	Kind EventKind
	Err  error // of Overruled and LeftOut, with places

	// Name is, for RunsAsRoot, the user that the runtime image names, "" for none.
	Name string
	// Bytes of package.yaml have been packed, for Packed.
	Bytes int64
}

// EventKind says what an Event is about.
type EventKind string

// What a build tells.
const (
	// Overruled: Options.Force has built what Err says is wrong. Of a *JudgeError all
	// documents are in the package; of a parser.ErrorList those are not of which it
	// says that they cannot be read.
	Overruled EventKind = "overruled"
	// LeftOut: a document of the examples cannot be read, and is not in their layer.
	LeftOut EventKind = "left-out"
	// RunsAsRoot: the runtime image runs its program as root, which a cluster may
	// refuse.
	RunsAsRoot EventKind = "runs-as-root"
	// Packed: so much of package.yaml has been packed. It is told for each MiB, and
	// when all is.
	Packed EventKind = "packed"
)

func (o *Options) withDefaults() Options {
	var c Options
	if o != nil {
		c = *o
	}
	if c.Created.IsZero() {
		c.Created = time.Unix(0, 0)
	}
	c.Created = c.Created.UTC().Truncate(time.Second)
	c.Annotations = maps.Clone(c.Annotations)
	return c
}

// tell tells an event.
func (o *Options) tell(e Event) {
	if o.Event != nil {
		o.Event(e)
	}
}

// packed tells how much has been packed.
func (o *Options) packed(bytes int64) { o.tell(Event{Kind: Packed, Bytes: bytes}) }
