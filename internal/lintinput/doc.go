// Package lintinput reads what a test of lint rules is written in: archives of package
// directories whose comments say what is found in them. Package linter/lintertest
// documents the format, and tests rules with it; the conformance suite runs any linter
// on the same inputs.
package lintinput
