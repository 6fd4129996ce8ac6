package meta

import (
	"context"
	"errors"
	"strconv"
)

// The categories of errors. Every error that a package of this module returns
// matches at most one of them with [errors.Is], save an error about the caller's
// own arguments or an unclassified failure of the system, which match none.
// Typed errors carry the details; match those with [errors.As].
var (
	// ErrInvalid: the input was read, and says something that it may not say.
	ErrInvalid = errors.New("invalid")

	// ErrNotPackage: what was named is there, and is no Crossplane package.
	ErrNotPackage = errors.New("not a package")

	// ErrLimit: the input is larger than the limit that the caller set, or than
	// the documented default. The error is a [*LimitError].
	ErrLimit = errors.New("limit exceeded")

	// ErrDigest: content does not have the digest or the size that it was asked
	// for by. Nothing that was read from it may be trusted.
	ErrDigest = errors.New("digest mismatch")

	// ErrNotFound: the registry, file or cache answered that there is none.
	ErrNotFound = errors.New("not found")

	// ErrUnauthorized: the registry wants other credentials, or refuses these.
	ErrUnauthorized = errors.New("unauthorized")

	// ErrUnavailable: the registry could not be reached or failed to answer; the
	// same call may succeed later.
	ErrUnavailable = errors.New("unavailable")

	// ErrCanceled: the caller's context ended. Such an error also matches
	// [context.Canceled] or [context.DeadlineExceeded].
	ErrCanceled = errors.New("canceled")
)

// Code is the stable word for the category of err, for machine-readable output:
// "invalid", "not-a-package", "limit", "digest", "not-found", "unauthorized",
// "unavailable" or "canceled". It is "internal" for an error of no category, and
// "" for nil. [context.Canceled] and [context.DeadlineExceeded] are "canceled".
//
// An error that joins several categories gets the one that explains the others:
// a canceled pull that therefore misses its digest is "canceled", and metadata
// that is invalid because of its size is "limit".
func Code(err error) string {
	if err == nil {
		return ""
	}
	for _, c := range []struct {
		category error
		code     string
	}{
		{ErrCanceled, "canceled"},
		{context.Canceled, "canceled"},
		{context.DeadlineExceeded, "canceled"},
		{ErrDigest, "digest"},
		{ErrLimit, "limit"},
		{ErrUnauthorized, "unauthorized"},
		{ErrNotFound, "not-found"},
		{ErrUnavailable, "unavailable"},
		{ErrNotPackage, "not-a-package"},
		{ErrInvalid, "invalid"},
	} {
		if errors.Is(err, c.category) {
			return c.code
		}
	}
	return "internal"
}

// A LimitError says that an input was refused for its size. It matches
// [ErrLimit]. Nothing is ever cut short to fit a limit.
type LimitError struct {
	// What is the thing that is too large, such as "package.yaml".
	What string

	// Limit is the largest size that would have been accepted.
	Limit int64

	// Got is the size that was found, as far as it was counted; 0 if unknown.
	Got int64

	// Unit is what Limit and Got count, in the plural. Empty means bytes.
	Unit string

	// Where names the file, image or layer; empty if there is nothing to name.
	Where string
}

// Error is such as
// "app.xpkg: package.yaml is larger than 209715200 bytes (it has 209715201)".
func (e *LimitError) Error() string {
	s := e.What
	if e.Where != "" {
		s = e.Where + ": " + s
	}
	if e.Unit == "" {
		s += " is larger than " + strconv.FormatInt(e.Limit, 10) + " byte"
		if e.Limit != 1 {
			s += "s"
		}
	} else {
		s += " has more than " + strconv.FormatInt(e.Limit, 10) + " " + e.Unit
	}
	if e.Got > 0 {
		s += " (it has " + strconv.FormatInt(e.Got, 10) + ")"
	}
	return s
}

// Is reports whether target is [ErrLimit].
func (e *LimitError) Is(target error) bool { return target == ErrLimit }
