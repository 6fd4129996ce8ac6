// Command figures makes docs/performance.md: it runs the commands that the page names, one
// after the other, and writes the page with what they print. It is run from the root of the
// repository, on a machine that does nothing else, and takes some twenty minutes:
//
//	XPKG_CORPUS=DIR go run ./internal/bench/figures [-raw FILE] [-from FILE] [-only SECTION]
//
// The text, its commands and the rows of its tables are in performance.md.tmpl, and nowhere
// else. Where a command fails or a row's result is missing, every such fault is told, nothing
// is written and the exit code is 1. Figures below what was asked for are listed.
package main

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed performance.md.tmpl
var page string

const output = "docs/performance.md"

func main() {
	raw := flag.String("raw", "", "keep what the commands print in `FILE`")
	from := flag.String("from", "", "run nothing: take what a run kept in `FILE`")
	only := flag.String("only", "", "run the commands of one `SECTION`, by its heading, and print it instead of writing the page")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := figures(ctx, *raw, *from, *only); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func figures(ctx context.Context, raw, from, only string) error {
	if _, err := os.Stat(output); err != nil {
		return fmt.Errorf("this is not the root of the repository: %w", err)
	}
	text := page
	if only != "" {
		var err error
		if text, err = section(page, only); err != nil {
			return err
		}
	}
	printed, err := measured(ctx, text, raw, from)
	if err != nil {
		return err
	}
	r, err := parse(bytes.NewReader(printed))
	if err != nil {
		return err
	}
	if !slices.Equal(r.commands, commands(text)) {
		return fmt.Errorf("nothing is written, since %s is not what the page's commands printed: it has %q", from, r.commands)
	}
	made, err := render(text, r)
	if err != nil {
		return err
	}
	for line := range strings.Lines(made) {
		if strings.Contains(line, notMet) {
			fmt.Fprint(os.Stderr, "below what was asked: ", line)
		}
	}
	if only != "" {
		fmt.Print(made)
		return nil
	}
	return write(output, made)
}

// measured is what the commands of a text print, now or in an earlier run.
func measured(ctx context.Context, text, raw, from string) ([]byte, error) {
	if from != "" {
		return os.ReadFile(from)
	}
	f, err := os.Create(cmp.Or(raw, os.DevNull))
	if err != nil {
		return nil, err
	}
	var printed bytes.Buffer
	err = run(ctx, commands(text), io.MultiWriter(&printed, f))
	return printed.Bytes(), errors.Join(err, f.Close())
}

// write replaces a file, which is never seen in part.
func write(name, text string) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".performance-*")
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	err = errors.Join(err, f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
