// Package spectest keeps the tables of docs/ true: every requirement of the
// format's documents in docs/spec.md has a test that exists, an open gap or a
// reason, and the table of errors in docs/design.md is the code's.
package spectest
