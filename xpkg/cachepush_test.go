package xpkg_test

import (
	"context"
	"net/http"
	"sync"
	"testing"

	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/xpkg-go/sdk/xpkg"
)

// A tag that is pushed while somebody is reading what it was is the new image's
// afterwards.
func TestPushWhileTheTagIsRead(t *testing.T) {
	r := newRegistry(t)
	ref := r.put(t, "org/package:v1", pkg())
	pushed := variant("pushed")
	c, told := r.cached(t.TempDir(), "")
	asked, written := make(chan struct{}), make(chan struct{})
	var once sync.Once
	r.on("GET manifests/v1", func(w http.ResponseWriter, _ *http.Request) {
		image := pushed
		once.Do(func() {
			image = pkg() // the registry had looked before it was written
			close(asked)
			<-written
		})
		serve(string(types.OCIManifestSchema1), image.manifest())(w, nil)
	})
	r.on("PUT manifests/v1", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusCreated)
		close(written)
	})
	pulled := make(chan error)
	go func() {
		_, err := get(t, c, ref)
		pulled <- err
	}()
	<-asked
	if _, err := c.Push(t.Context(), ref, pushed.image(t)); err != nil {
		t.Fatal(err)
	}
	if err := <-pulled; err != nil {
		t.Error(err)
	}
	if got, err := get(t, c, ref); err != nil || got != "# pushed\n"+packageYAML {
		t.Errorf("got %q (%v), want what was pushed", got, err)
	}
	if told.kinds() != nil {
		t.Errorf("got the events %v", told.all)
	}
}

// What a tag was when it was asked for is no news to a cache that learnt
// something else since.
func TestApprovalAfterAPush(t *testing.T) {
	r := newRegistry(t)
	ref := r.put(t, "org/package:v1", pkg())
	c, _ := r.cached(t.TempDir(), xpkg.PullAlways)
	if _, err := get(t, c, ref); err != nil {
		t.Fatal(err)
	}
	r.put(t, "org/package:v1", variant("between"))
	var once sync.Once
	o := &xpkg.Options{Verify: func(ctx context.Context, _ *xpkg.Subject) error {
		var err error
		once.Do(func() { _, err = c.Push(ctx, ref, variant("pushed").image(t)) })
		return err
	}}
	if _, err := c.Image(t.Context(), ref, o); err != nil {
		t.Fatal(err)
	}
	ifNotPresent := &xpkg.Client{Transport: r.transport, Keychain: anonymous, Cache: c.Cache}
	if got, err := get(t, ifNotPresent, ref); err != nil || got != "# pushed\n"+packageYAML {
		t.Errorf("got %q (%v), want what was pushed", got, err)
	}
}
