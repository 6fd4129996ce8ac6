package meta_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/xpkg-go/sdk/meta"
)

func TestCode(t *testing.T) {
	for _, tt := range []struct {
		reason string
		err    error
		want   string
	}{
		{"no error has no code", nil, ""},
		{"a category by itself", meta.ErrNotFound, "not-found"},
		{"a category in a wrapped error", fmt.Errorf("x: %w", meta.ErrUnauthorized), "unauthorized"},
		{"a typed error", &meta.LimitError{What: "x", Limit: 1}, "limit"},
		{"a context that ended", fmt.Errorf("x: %w", context.DeadlineExceeded), "canceled"},
		{"a canceled context", context.Canceled, "canceled"},
		{"the category of cancellation", meta.ErrCanceled, "canceled"},
		{"cancellation explains what else went wrong", errors.Join(meta.ErrDigest, context.Canceled), "canceled"},
		{"invalid because of its size", &meta.FieldError{Err: &meta.LimitError{What: "x"}}, "limit"},
		{"invalid", meta.FieldErrors{{Want: "x"}}, "invalid"},
		{"no package", meta.ErrNotPackage, "not-a-package"},
		{"digest", meta.ErrDigest, "digest"},
		{"unavailable", meta.ErrUnavailable, "unavailable"},
		{"an error of no category", errors.New("disk on fire"), "internal"},
	} {
		if got := meta.Code(tt.err); got != tt.want {
			t.Errorf("%s: Code(%v) = %q, want %q", tt.reason, tt.err, got, tt.want)
		}
	}
}

func TestLimitError(t *testing.T) {
	for _, tt := range []struct {
		reason string
		err    meta.LimitError
		want   string
	}{
		{"bytes are the default unit", meta.LimitError{What: "package.yaml", Limit: 200}, "package.yaml is larger than 200 bytes"},
		{"the place and the size are named", meta.LimitError{What: "package.yaml", Limit: 200, Got: 201, Where: "a.xpkg"}, "a.xpkg: package.yaml is larger than 200 bytes (it has 201)"},
		{"other units", meta.LimitError{What: "the image", Limit: 10, Got: 11, Unit: "layers"}, "the image has more than 10 layers (it has 11)"},
	} {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.reason, got, tt.want)
		}
	}
}
