package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/examples/internal/source"
	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

// line is one line of an index.
type line struct {
	Reference string     `json:"reference"`
	Digest    string     `json:"digest,omitempty"` // of what the reference names: an index, where there is one
	Error     *cli.Fault `json:"error,omitempty"`
	*Entry               // nil with an error

	slow bool // the registry took too long
}

// Entry is what is known of a package. Lists are never null, so that a reader need not ask.
type Entry struct {
	Image        string              `json:"image"`              // digest of the manifest that was read
	Platform     string              `json:"platform,omitempty"` // that the index gives to it
	Platforms    []platform          `json:"platforms"`          // all images of the index
	Method       string              `json:"method"`
	APIVersion   string              `json:"apiVersion"`
	Kind         string              `json:"kind"`
	Name         string              `json:"name"`
	Version      string              `json:"version,omitempty"` // the tag
	Annotations  map[string]string   `json:"annotations"`
	Crossplane   string              `json:"crossplane"`
	Capabilities []string            `json:"capabilities"`
	DependsOn    []source.Dependency `json:"dependsOn"`
	Provides     provides            `json:"provides"`
	Findings     findings            `json:"findings"`
	attached
}

type platform struct {
	Platform string `json:"platform,omitempty"`
	Digest   string `json:"digest"`
}

// findings counts what inspect would find.
type findings struct {
	Error   int `json:"error"`
	Warning int `json:"warning"`
	Info    int `json:"info"`
}

func count(found []linter.Diagnostic) (f findings) {
	for _, d := range found {
		switch d.Severity {
		case linter.Error:
			f.Error++
		case linter.Warning:
			f.Warning++
		default:
			f.Info++
		}
	}
	return f
}

// provides is what a package brings and calls.
type provides struct {
	Kinds        []kind        `json:"kinds"`
	Compositions []composition `json:"compositions"`
	Functions    []string      `json:"functions"`
	Images       []string      `json:"images"`
}

type kind struct {
	Group      string   `json:"group"`
	Kind       string   `json:"kind"`
	Plural     string   `json:"plural"`
	Scope      string   `json:"scope"`
	Versions   []string `json:"versions"` // that are served
	Definition string   `json:"definition"`
	Claim      bool     `json:"claim,omitempty"`
}

type composition struct {
	Name       string `json:"name"`
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
}

func newProvides(p *meta.Provides) provides {
	all := provides{Kinds: []kind{}, Compositions: []composition{}, Functions: []string{}, Images: []string{}}
	for _, k := range p.Kinds {
		versions := []string{}
		for _, v := range k.Versions {
			if v.Served {
				versions = append(versions, v.Name)
			}
		}
		all.Kinds = append(all.Kinds, kind{k.Group, k.Kind, k.Plural, k.Scope, versions, k.Definition, k.Claim})
	}
	for _, c := range p.Compositions {
		all.Compositions = append(all.Compositions, composition{c.Name, c.APIVersion, c.Kind})
	}
	all.Functions = append(all.Functions, p.FunctionNames()...)
	for _, i := range p.Images {
		all.Images = append(all.Images, i.Image)
	}
	return all
}

// maxLine bounds a line, in bytes: a list of 50,000 kinds has 10 MB.
const maxLine = 16 << 20

// encode writes a line with its end. What is too long becomes a line that says so.
func (l *line) encode() ([]byte, error) {
	text, err := l.text()
	if meta.Code(err) == "limit" {
		return (&line{Reference: l.Reference, Digest: l.Digest, Error: cli.NewFault(err)}).text()
	}
	return text, err
}

// text is a line with its end.
func (l *line) text() ([]byte, error) {
	var b bytes.Buffer
	w := json.NewEncoder(&b)
	w.SetEscapeHTML(false)
	if err := w.Encode(l); err != nil {
		return nil, err
	}
	text := escape(b.Bytes())
	if len(text) > maxLine {
		return nil, &meta.LimitError{What: "the line", Limit: maxLine, Got: int64(len(text)), Where: l.Reference}
	}
	return text, nil
}

// escape escapes what a terminal would take for more than text and JSON allows to stand as
// it is, such as the control characters above 127. In JSON it stands in strings only.
func escape(text []byte) []byte {
	body := bytes.TrimSuffix(text, []byte("\n"))
	if bytes.IndexFunc(body, unprintable) < 0 {
		return text
	}
	var b bytes.Buffer
	for len(body) > 0 {
		r, n := utf8.DecodeRune(body)
		switch {
		case !unprintable(r):
			b.Write(body[:n])
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		body = body[n:]
	}
	b.WriteByte('\n')
	return b.Bytes()
}

func unprintable(r rune) bool { return !unicode.IsPrint(r) }
