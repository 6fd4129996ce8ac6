// Package recipe makes the bytes of an input of a short description of them, so that an
// input of gigabytes is a line in the file of its case. The same recipe gives the same bytes
// in every run.
package recipe

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Recipe is a text, a list of recipes whose bytes follow each other, or a mapping with one
// of the keys below. The README of the conformance folder documents each.
type Recipe struct {
	Text  string
	Parts []Recipe
	Step  *Step
}

// Step is what is made of other recipes.
type Step struct {
	Named   string  `yaml:"text"`
	Repeat  *Recipe `yaml:"repeat"`
	Count   string  `yaml:"count"`
	Indent  string  `yaml:"indent"`
	Times   int     `yaml:"times"`
	Hex     string  `yaml:"hex"`
	Gzip    *Recipe `yaml:"gzip"`
	Stored  bool    `yaml:"stored"`
	Zstd    *Recipe `yaml:"zstd"`
	Replace *Recipe `yaml:"replace"`
	Old     string  `yaml:"old"`
	New     string  `yaml:"new"`
	Cut     *Recipe `yaml:"cut"`
	Skip    *Recipe `yaml:"skip"`
	Bytes   int64   `yaml:"bytes"`
	Flip    *Recipe `yaml:"flip"`
	Find    string  `yaml:"find"`
	Fit     *Fit    `yaml:"fit"`
	Tar     []Entry `yaml:"tar"`
	Open    bool    `yaml:"open"`
}

// Fit is a text of a certain length: before, as many times fill as are needed, after.
type Fit struct {
	Before, Fill, After string
	To                  int
}

// UnmarshalYAML reads the three forms.
func (r *Recipe) UnmarshalYAML(n *yaml.Node) error {
	switch n.Kind {
	case yaml.ScalarNode:
		r.Text = n.Value
		return nil
	case yaml.SequenceNode:
		return n.Decode(&r.Parts)
	}
	r.Step = &Step{}
	return decodeStrictly(n, r.Step)
}

// decodeStrictly refuses unknown keys, which Node.Decode cannot.
func decodeStrictly(n *yaml.Node, into any) error {
	text, err := yaml.Marshal(n)
	if err != nil {
		return err
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("line %d: %w", n.Line, err)
	}
	return nil
}

// Texts are the recipes that others name.
type Texts map[string]Recipe

// Write writes the bytes of the recipe.
func (t Texts) Write(w io.Writer, r Recipe) error { return t.write(w, r, 0) }

// maxDepth bounds recipes within each other, a text that names itself among them.
const maxDepth = 64

func (t Texts) write(w io.Writer, r Recipe, depth int) error {
	if depth++; depth > maxDepth {
		return errors.New("recipes stand more than 64 deep within each other")
	}
	if r.Step != nil {
		return t.step(w, r.Step, depth)
	}
	for _, p := range r.Parts {
		if err := t.write(w, p, depth); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, r.Text)
	return err
}

func (t Texts) step(w io.Writer, s *Step, depth int) error {
	if s.Times < 0 || s.Bytes < 0 || s.Fit != nil && (s.Fit.Fill == "" || s.Fit.To < len(s.Fit.Before)+len(s.Fit.After)) {
		return errors.New("a recipe asks for less than nothing")
	}
	switch {
	case s.Named != "":
		named, ok := t[s.Named]
		if !ok {
			return fmt.Errorf("there is no text %q", s.Named)
		}
		return t.write(w, named, depth)
	case s.Repeat != nil:
		unit, err := t.bytes(*s.Repeat, depth)
		if err != nil {
			return err
		}
		return repeat(w, unit, s.Times)
	case s.Count != "", s.Indent != "":
		b := bufio.NewWriterSize(w, 1<<16)
		for i := range s.Times {
			if s.Indent != "" {
				_, _ = b.WriteString(strings.Repeat(" ", i) + s.Indent + "\n") // Flush tells
				continue
			}
			_, _ = b.WriteString(Numbered(s.Count, i))
		}
		return b.Flush()
	case s.Hex != "":
		b, err := hex.DecodeString(strings.ReplaceAll(s.Hex, " ", ""))
		if err != nil {
			return err
		}
		_, err = w.Write(b)
		return err
	case s.Gzip != nil:
		level := gzip.DefaultCompression
		if s.Stored {
			level = gzip.NoCompression
		}
		z, err := gzip.NewWriterLevel(w, level)
		if err != nil {
			return err
		}
		if err := t.write(z, *s.Gzip, depth); err != nil {
			return err
		}
		return z.Close()
	case s.Fit != nil:
		n := s.Fit.To - len(s.Fit.Before) - len(s.Fit.After)
		_, err := io.WriteString(w, s.Fit.Before+strings.Repeat(s.Fit.Fill, n/len(s.Fit.Fill))+s.Fit.After)
		return err
	case s.Tar != nil:
		return t.tar(w, s.Tar, s.Open, depth)
	}
	return t.changed(w, s, depth)
}

// changed writes what is made of all the bytes of another recipe.
func (t Texts) changed(w io.Writer, s *Step, depth int) error {
	var from *Recipe
	for _, r := range []*Recipe{s.Zstd, s.Replace, s.Cut, s.Skip, s.Flip} {
		if r != nil {
			from = r
		}
	}
	if from == nil {
		return errors.New("a recipe has none of the keys that there are")
	}
	b, err := t.bytes(*from, depth)
	if err != nil {
		return err
	}
	switch {
	case s.Zstd != nil:
		b = zstdFrame(b)
	case s.Replace != nil:
		b = bytes.ReplaceAll(b, []byte(s.Old), []byte(s.New))
	case s.Cut != nil:
		b = b[:min(s.Bytes, int64(len(b)))]
	case s.Skip != nil:
		b = b[min(s.Bytes, int64(len(b))):]
	case s.Flip != nil:
		at := bytes.Index(b, []byte(s.Find))
		if at < 0 {
			return fmt.Errorf("%q, of which a bit is to be flipped, is not there", s.Find)
		}
		b[at] ^= 1
	}
	_, err = w.Write(b)
	return err
}

func (t Texts) bytes(r Recipe, depth int) ([]byte, error) {
	var b bytes.Buffer
	err := t.write(&b, r, depth)
	return b.Bytes(), err
}

// repeat writes a unit many times, some of them at once.
func repeat(w io.Writer, unit []byte, times int) error {
	if len(unit) == 0 {
		return nil
	}
	at := min(max(1<<16/len(unit), 1), max(times, 1))
	chunk := bytes.Repeat(unit, at)
	for ; times >= at; times -= at {
		if _, err := w.Write(chunk); err != nil {
			return err
		}
	}
	_, err := w.Write(chunk[:times*len(unit)])
	return err
}

// Numbered is a text in which {n} is a number and {n+1} the next one.
func Numbered(text string, n int) string {
	return strings.NewReplacer("{n}", strconv.Itoa(n), "{n+1}", strconv.Itoa(n+1)).Replace(text)
}

// zstdFrame is b in a frame of zstd (RFC 8878) that compresses nothing: a frame header with
// the size of the content, then raw blocks.
func zstdFrame(b []byte) []byte {
	const maxBlock = 128 << 10
	out := []byte{0x28, 0xb5, 0x2f, 0xfd, 0xe0} // one segment, a size of 8 bytes
	out = binary.LittleEndian.AppendUint64(out, uint64(len(b)))
	for {
		n := min(len(b), maxBlock)
		header := uint32(n) << 3 // raw
		if n == len(b) {
			header |= 1 // the last one
		}
		out = append(out, byte(header), byte(header>>8), byte(header>>16))
		out = append(out, b[:n]...)
		if b = b[n:]; len(b) == 0 {
			return out
		}
	}
}
