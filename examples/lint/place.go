package main

import (
	"os"
	"path/filepath"

	"github.com/xpkg-go/sdk/examples/internal/source"
	"github.com/xpkg-go/sdk/linter/report"
	"github.com/xpkg-go/sdk/parser"
)

// dirOf returns what stands before the files of a package where they are named from
// the directory that lint is started in.
func dirOf(p *source.Package) string {
	dir := p.Source
	switch p.Kind {
	case source.Reference:
		return dir
	case source.Stdin:
		return ""
	case source.File:
		dir = filepath.Dir(dir)
	}
	if here, err := os.Getwd(); err == nil && filepath.IsAbs(dir) {
		if below, err := filepath.Rel(here, dir); err == nil && filepath.IsLocal(below) {
			dir = below
		}
	}
	if dir = filepath.ToSlash(filepath.Clean(dir)); dir == "." {
		return ""
	}
	return dir
}

// linesOf returns the lines of a package: those of its documents and, where it is on
// disk, those of documents that could not be read.
func linesOf(p *source.Package) func(file string, line int) []byte {
	known := report.Lines(p.Package)
	dir := p.Source
	switch p.Kind {
	case source.Directory:
	case source.File:
		dir = filepath.Dir(dir)
	default:
		return known
	}
	var last string // the file that lines are of
	lines := report.LinesOf("", nil)
	return func(file string, line int) []byte {
		if text := known(file, line); text != nil {
			return text
		}
		if file != last {
			text, _ := source.ReadBelow(dir, filepath.FromSlash(file), parser.DefaultMaxBytes) // no text has no lines
			last, lines = file, report.LinesOf(file, text)
		}
		return lines(file, line)
	}
}
