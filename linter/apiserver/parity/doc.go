// Package parity compares the judgement of linter/apiserver with that of the API
// server's own extension server, which its test starts on an etcd of its own. It is a
// module of its own, so that who imports linter/apiserver gets no requirement on
// etcd.
package parity
