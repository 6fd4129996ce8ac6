package cli

import (
	"io"
	"os"

	"golang.org/x/term"
)

// IsTerminal says whether a person looks at what is written there.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Colours says whether neither the user (no-color.org) nor the terminal minds colours.
func Colours(getenv func(string) string) bool {
	return getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"
}
