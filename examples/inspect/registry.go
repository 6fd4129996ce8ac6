package main

import (
	"io"
	"log"
	"net"
	"net/http"
	"time"

	"github.com/google/go-containerregistry/pkg/registry"
)

// serveRegistry starts an OCI registry on a loopback port of the system's
// choice. It returns its host:port and a function that stops it.
func serveRegistry() (string, func(), error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{
		Handler:           registry.New(registry.Logger(log.New(io.Discard, "", 0))),
		ReadHeaderTimeout: 10 * time.Second,
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(listener) // always an error: that it was closed
	}()
	return listener.Addr().String(), func() {
		_ = server.Close()
		<-done
	}, nil
}
