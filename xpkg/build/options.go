package build

import (
	"context"
	"time"

	"github.com/xpkg-go/sdk/parser"
)

// Options says how a package is built. Nil and zero fields mean the defaults.
type Options struct {
	// Parser is handed to the parser by Dir; nil is its defaults.
	Parser *parser.Options

	// Judge, when not nil, is shown the package before it is built. An error
	// stops the build and is returned inside a *JudgeError. A linter goes here.
	Judge func(ctx context.Context, p *parser.Package) error

	// Created is when the image says that it was made. The zero time is the
	// Unix epoch. Callers that follow reproducible-builds.org set it from
	// SOURCE_DATE_EPOCH. It is kept in whole seconds, in UTC.
	Created time.Time
}

func (o *Options) withDefaults() Options {
	var c Options
	if o != nil {
		c = *o
	}
	if c.Created.IsZero() {
		c.Created = time.Unix(0, 0)
	}
	c.Created = c.Created.UTC().Truncate(time.Second)
	return c
}
