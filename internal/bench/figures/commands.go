package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// section is the part of the page with a heading.
func section(page, heading string) (string, error) {
	_, text, found := strings.Cut(page, "\n## "+heading+"\n")
	if !found {
		return "", fmt.Errorf("the page has no section %q", heading)
	}
	text, _, _ = strings.Cut(text, "\n## ")
	return "## " + heading + "\n" + text + "\n", nil
}

// commands are the indented lines of a text that run benchmarks.
func commands(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		if command, ok := strings.CutPrefix(line, "    go test "); ok {
			all = append(all, "go test "+strings.TrimSpace(command))
		}
	}
	return all
}

// run runs commands one after the other, and writes what a terminal would show: each command
// behind a dollar sign, and what it prints. One that fails stops no other: go test says ok of none
// that does, and parse looks for that.
func run(ctx context.Context, commands []string, w io.Writer) error {
	if _, err := fmt.Fprintf(w, "machine: %d cores, %s/%s, %s\n", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version()); err != nil {
		return err
	}
	for i, command := range commands {
		fmt.Fprintf(os.Stderr, "%d of %d: %s", i+1, len(commands), command)
		if _, err := fmt.Fprintf(w, "$ %s\n", command); err != nil {
			return err
		}
		start := time.Now()
		// -v makes a benchmark say why it is skipped, and a slow machine may take its time.
		c := exec.CommandContext(ctx, "sh", "-c", "exec "+command+" -v -timeout=0")
		c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
		var printed bytes.Buffer
		both := io.MultiWriter(w, &printed)
		c.Stdout, c.Stderr = both, both
		err := c.Run()
		fmt.Fprintf(os.Stderr, " (%s)\n", time.Since(start).Round(time.Second))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
			_, err = printed.WriteTo(os.Stderr)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
