//go:build !linux

package main

// asUser calls f, and what f starts, as whoever runs the suite.
func asUser(f func() error) error { return f() }
