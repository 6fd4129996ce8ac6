// Package deptest keeps the import law of docs/design.md: which package may
// import which of ours, and which foreign modules may be linked into it. The
// law is a table in its test; a package that the table does not know fails it,
// so a new folder is a decision and not an accident.
package deptest
