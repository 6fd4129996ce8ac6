package dag

import (
	"context"
	"fmt"
	"strings"

	"github.com/xpkg-go/sdk/meta"
)

// A Catalog knows which versions of a package there are and what each of them
// declares: a registry, a file, an index. xpkg.Client is one.
//
// [Resolve] asks lazily and each question once, up to eight of them at the same time,
// from several goroutines. Its answer does not depend on which comes back first. A question
// whose context has ended may come back after [Resolve] did; nobody looks at its answer.
type Catalog interface {
	// Tags lists the tags of a package in any order. Only full versions among
	// them become candidates. An error that matches meta.ErrNotFound says for
	// certain that there is no such package; any other error says that nobody
	// knows.
	Tags(ctx context.Context, source meta.Source) ([]string, error)

	// Release is what one version of a package declares. The version is one of
	// the tags, or a tag or digest that somebody pins. An error that matches
	// meta.ErrNotFound, meta.ErrNotPackage or meta.ErrInvalid says for certain that
	// this version cannot be used; any other error says that nobody knows what it
	// declares. Content with a wrong digest is of the second sort: to take an
	// older version for it would let whoever spoilt it choose the version.
	Release(ctx context.Context, source meta.Source, version meta.Version) (*meta.Release, error)
}

// An AnswerError says that a catalog gave another release than the one that it was
// asked for. The answer is not used; it is the cause of a [*CatalogError], because what the
// version in question declares nobody knows. It matches no category: the fault is the
// catalog's.
type AnswerError struct {
	// Source and Version are what was asked for.
	Source  meta.Source
	Version meta.Version

	// Answer is what came.
	Answer *meta.Release
}

// Error names the question and the answer.
func (e *AnswerError) Error() string {
	answer := "nothing"
	if r := e.Answer; r != nil {
		v := r.Version
		if r.Digest != "" {
			v = v.WithDigest(r.Digest)
		}
		answer = printable(packageText(r.Source, v))
	}
	return "the catalog was asked for " + printable(packageText(e.Source, e.Version)) + " and answered with " + answer
}

// A CatalogError says that a catalog could not answer, so that what needs the
// answer is not resolved. It matches whatever the catalog's error matches.
type CatalogError struct {
	Source meta.Source

	// Version is the version that was asked for; zero when the versions
	// themselves could not be listed.
	Version meta.Version

	// Requirements are the demands that made the resolver ask.
	Requirements []Requirement

	// Err is what the catalog said.
	Err error
}

// Error implements error.
func (e *CatalogError) Error() string {
	var b strings.Builder
	if e.Version.IsZero() {
		fmt.Fprintf(&b, "cannot list the versions of %s: %s", sourceText(e.Source), causeText(e.Err))
	} else {
		fmt.Fprintf(&b, "cannot read %s: %s", packageText(e.Source, e.Version), causeText(e.Err))
	}
	writeRequiredBy(&b, e.Requirements)
	return b.String()
}

// Unwrap is the catalog's error.
func (e *CatalogError) Unwrap() error { return e.Err }
