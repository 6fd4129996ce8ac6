// Package yamlstream cuts a stream of bytes into the documents of a YAML
// stream, without parsing them.
//
// YAML makes that possible with lines alone: section 9.1.2 of YAML 1.2 forbids
// a line that begins with --- or ... and white space everywhere but between
// documents, even inside block scalars and quotes. So the cutter needs no
// lexer, holds one document at a time, and a document that is broken inside
// cannot swallow those that follow it.
package yamlstream
