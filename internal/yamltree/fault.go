package yamltree

import (
	"fmt"
	"strconv"
)

// Problem is the sort of a [Fault].
type Problem uint8

// Problems of a document.
const (
	Syntax         Problem = iota // no YAML, or none that JSON can express
	DuplicateKey                  // a mapping has a key twice
	TooDeep                       // Limits.Depth
	TooManyAliases                // Limits.AliasBytes
	TooManyNodes                  // Limits.Nodes
	TooManyTags                   // maxTags
)

// A Fault is something wrong in a document. Its message is short whatever the
// document holds, and names no place.
type Fault struct {
	Problem Problem
	Span    Span
	Other   Span // DuplicateKey: the first of the two
	Path    []any
	Message string
	Limit   int64 // TooDeep and those below: the limit that was exceeded
}

// maxFaults bounds the faults of one document; a document that has more is
// generated wrongly, and the rest is counted.
const maxFaults = 100

// Quote quotes s for a message and cuts it short when it is long.
func Quote(s string) string {
	const most = 60
	if len(s) <= most {
		return strconv.Quote(s)
	}
	cut := most
	for cut > 0 && s[cut]&0xC0 == 0x80 { // not inside a character
		cut--
	}
	return strconv.Quote(s[:cut] + "…")
}

func unknownAnchor(name string) string {
	return fmt.Sprintf("alias %s has no anchor before it in this document", Quote("*"+name))
}

// tooDeepFault says that collections nest deeper than a limit.
func tooDeepFault(limit int) Fault {
	return Fault{Problem: TooDeep, Limit: int64(limit), Message: fmt.Sprintf("mappings and sequences nest deeper than %d", limit)}
}
