package build

import (
	"context"
	"fmt"
	"strings"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// canceled returns the error of a context that is done, and nil for one that is
// not. It matches meta.ErrCanceled, what the context says and its cause.
func canceled(ctx context.Context) error {
	err := ctx.Err()
	if err == nil {
		return nil
	}
	if cause := context.Cause(ctx); cause != err {
		return fmt.Errorf("%w: %w (%w)", meta.ErrCanceled, err, cause)
	}
	return fmt.Errorf("%w: %w", meta.ErrCanceled, err)
}

// JudgeError says that Options.Judge refused the package. It matches what Err
// matches, and meta.ErrInvalid when Err is of no category.
type JudgeError struct{ Err error }

// Error implements error.
func (e *JudgeError) Error() string { return "the package is refused: " + e.Err.Error() }

// Unwrap returns what the judge returned.
func (e *JudgeError) Unwrap() error { return e.Err }

// Is reports whether target is meta.ErrInvalid.
func (e *JudgeError) Is(target error) bool {
	return target == meta.ErrInvalid && meta.Code(e.Err) == "internal"
}

// LayerError says that a layer cannot be put on a package: because of what it would do
// to /package.yaml there, or because it is no tar archive that can be read. It matches
// meta.ErrInvalid, and what Err matches.
type LayerError struct {
	Layer  string // the digest of the layer
	Entry  string // the name as it stands in the archive; "" where the fault is in the archive itself
	Reason string
	Err    error // the cause, or nil
}

// Error implements error.
func (e *LayerError) Error() string {
	text := "layer " + e.Layer + " is refused: it " + e.Reason
	if e.Entry != "" {
		text = "layer " + e.Layer + " is refused: its entry " + shown(e.Entry) + " " + e.Reason
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the cause, which may be nil.
func (e *LayerError) Unwrap() error { return e.Err }

// Is reports whether target is meta.ErrInvalid.
func (e *LayerError) Is(target error) bool { return target == meta.ErrInvalid }

// AdditiveError says that annotated layers of an image were harmed. It matches
// meta.ErrInvalid.
type AdditiveError struct {
	Harm []Change // of which Harms is true
}

// Error implements error.
func (e *AdditiveError) Error() string {
	const most = 10
	var lines []string
	for i, c := range e.Harm {
		if i == most {
			lines = append(lines, fmt.Sprintf("and %d more", len(e.Harm)-most))
			break
		}
		lines = append(lines, c.String())
	}
	return "annotated layers are harmed: " + strings.Join(lines, "; ")
}

// Is reports whether target is meta.ErrInvalid.
func (e *AdditiveError) Is(target error) bool { return target == meta.ErrInvalid }

// RepairError says that it cannot be told which layers of an image had annotations. It
// matches meta.ErrInvalid.
type RepairError struct {
	Labels []string // that mark layers which are not there; nil when no layer is marked at all
}

// Error implements error.
func (e *RepairError) Error() string {
	if len(e.Labels) == 0 {
		return "no layer is marked, by an annotation or by a label " + xpkg.AnnotationKey + ":DIGEST, so nothing can be repaired"
	}
	quoted := make([]string, len(e.Labels))
	for i, l := range e.Labels {
		quoted[i] = shown(l)
	}
	return "no layer is the one of the label " + strings.Join(quoted, ", ")
}

// Is reports whether target is meta.ErrInvalid.
func (e *RepairError) Is(target error) bool { return target == meta.ErrInvalid }
