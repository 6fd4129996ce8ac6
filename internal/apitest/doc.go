// Package apitest keeps the listing of the exported API in docs/api.txt, so that
// a change of the API is a change that a reviewer sees. Its test compares the
// listing with the code; write it anew with
//
//	go test ./internal/apitest -update
package apitest
