package lintertest

import (
	"github.com/xpkg-go/sdk/internal/lintinput"
	"github.com/xpkg-go/sdk/linter"
)

// isWanted reports whether a finding is the expected one.
func isWanted(w lintinput.Want, d linter.Diagnostic) bool {
	text := d.Message
	if d.Path != "" {
		text += " (" + d.Path + ")"
	}
	return w.File == d.Range.File && w.Line == d.Range.Start.Line && w.Rule == d.Rule && w.Message.MatchString(text)
}
