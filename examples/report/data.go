package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"

	"github.com/klauspost/compress/flate"
)

// chunkSize is from how much JSON on, in bytes, the next objects go into another chunk. A browser
// expands one in some milliseconds, when the first of its objects is opened.
const chunkSize = 256 << 10

// A chunk is what the page knows of some objects, which a browser expands when it is
// wanted. In it everything that occurs twice stands once.
type chunk struct {
	texts   []string
	nodes   []json.RawMessage
	objects []detail
	size    int

	textAt, nodeAt map[string]int
}

// A detail is what is shown of an object when it is opened.
type detail struct {
	Versions []version `json:"v,omitempty"`
	Text     string    `json:"y,omitempty"` // the YAML
}

// A version is one of a definition.
type version struct {
	Name   string `json:"n"`
	State  string `json:"s,omitempty"`
	Schema int    `json:"k"` // in the table of nodes; -1 for none
}

func newChunk() *chunk {
	return &chunk{texts: []string{""}, textAt: map[string]int{"": 0}, nodeAt: map[string]int{}}
}

// text puts a text into the table and returns its place in it; "" is at 0.
func (c *chunk) text(s string) int {
	at, ok := c.textAt[s]
	if !ok {
		at = len(c.texts)
		c.textAt[s] = at
		c.texts = append(c.texts, s)
		c.size += len(s)
	}
	return at
}

// node puts a node into the table and returns its place in it.
func (c *chunk) node(n node) int {
	data, _ := json.Marshal(n) // of strings and numbers, which cannot fail
	at, ok := c.nodeAt[string(data)]
	if !ok {
		at = len(c.nodes)
		c.nodeAt[string(data)] = at
		c.nodes = append(c.nodes, data)
		c.size += len(data)
	}
	return at
}

// encode returns the chunk as text that may stand anywhere in a page: JSON, compressed,
// in letters, digits, - and _. The same chunk gives the same text on any machine.
func (c *chunk) encode() (string, error) {
	data, err := json.Marshal(struct {
		Texts   []string          `json:"texts"`
		Nodes   []json.RawMessage `json:"nodes"`
		Objects []detail          `json:"objects"`
	}{c.texts, c.nodes, c.objects})
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err := w.Write(data); err != nil {
		return "", err
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(b.Bytes()), nil
}
