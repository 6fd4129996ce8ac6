// Package decode turns every object of a package stream into the type that the API
// server has for it, in the two ways that are compared: the field's and the library's.
package decode
