// Package doctest keeps the Markdown of this repository true, for who follows it to
// the letter: links lead somewhere, Go compiles, YAML can be read, commands name
// programs, flags and tests that exist, names of the API are there, the drawings are
// made from the text beside them, and the way of a newcomer through the README works
// on a fresh clone. Package spectest does the same for the tables of docs/.
package doctest
