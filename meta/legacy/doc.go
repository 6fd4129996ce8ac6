// Package legacy reads packages of the v1 era.
package legacy
