package rules

import (
	"errors"
	"regexp"
	"regexp/syntax"

	"github.com/xpkg-go/sdk/meta"
)

// reportPattern reports a text that is no regular expression.
func reportPattern(f *findings, path meta.Path, v *value) {
	if v.form != text {
		return
	}
	var fault *syntax.Error
	if _, err := regexp.Compile(v.text); errors.As(err, &fault) {
		f.addf(path, "%s does not compile as a regular expression of RE2: %s at %s", quote(v.text), fault.Code, quote(fault.Expr))
	}
}
