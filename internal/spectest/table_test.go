package spectest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../.."

// row is one row of a Markdown table, without its header and rule.
type row struct {
	line    int
	section string // the nearest heading above
	cells   []string
}

// rows returns the rows of every table of a page.
func rows(t *testing.T, page string) []row {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, page))
	if err != nil {
		t.Fatal(err)
	}
	var (
		all     []row
		section string
		inTable bool
		number  int
	)
	for line := range strings.Lines(string(b)) {
		number++
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "#"):
			section, inTable = strings.TrimLeft(line, "# "), false
		case !strings.HasPrefix(line, "|"):
			inTable = false
		case strings.HasPrefix(line, "|--") || strings.HasPrefix(line, "| --"):
			inTable = true
		case inTable:
			all = append(all, row{number, section, cells(line)})
		}
	}
	return all
}

// cells splits a row at its bars; a bar in a cell is written \|.
func cells(line string) []string {
	line = strings.ReplaceAll(strings.Trim(line, "|"), `\|`, "\x00")
	parts := strings.Split(line, "|")
	for i, p := range parts {
		parts[i] = strings.TrimSpace(strings.ReplaceAll(p, "\x00", "|"))
	}
	return parts
}

// quoted returns what stands between back quotes.
func quoted(cell string) []string {
	var all []string
	for i, part := range strings.Split(cell, "`") {
		if i%2 == 1 {
			all = append(all, part)
		}
	}
	return all
}
