package xpkg

import (
	"cmp"
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/xpkg-go/sdk/meta"
)

// Client reads packages from registries and writes them there. The zero value
// works: it uses the credentials that docker and podman keep, the system's
// certificates and the proxies of the environment, and no cache.
//
// A Client may be used concurrently. Its fields are set before the first call,
// and it is not copied after it. It needs no closing. What authenticates with a
// repository is kept for as long as the Client is, for up to a thousand
// repositories; when the registry no longer accepts it, the credentials are
// looked up once more.
//
// Requests that fail in passing, by a status (408, 429, 500, 502, 503, 504) or
// because the connection broke, are made up to five times, with pauses of 250 ms
// and twice as long each time, or as long as the registry says (Retry-After), for
// which more than a minute is too long. That holds for every call, Push included,
// and each time is an Event. The end of the context ends a pause at once. Layers
// that break off are continued where the registry can do that; each MiB that has
// come gives them five attempts more. An answer of which no byte comes for a
// minute has broken off.
//
// Redirects are followed up to nine times, without credentials where they lead to
// another host; never to a private address by a host that has none, and from
// https to http for layers only.
type Client struct {
	// Keychain finds the credentials for a repository; nil is DefaultKeychain.
	// authn.NewMultiKeychain() has none.
	Keychain authn.Keychain

	// Transport makes all requests, of every call; nil is
	// remote.DefaultTransport, which uses the proxies of the environment. Own
	// proxies and time limits belong here.
	Transport http.RoundTripper

	// CACerts are certificate authorities, in PEM, that are trusted besides those
	// of Transport or, where that names none, of the system (on Linux also those
	// of SSL_CERT_FILE and SSL_CERT_DIR). Transport is then nil or an
	// *http.Transport that leaves TLS to package net/http; it is cloned, and not
	// changed. With anything else, or without a certificate in them, every call
	// fails with an error that matches meta.ErrInvalid.
	CACerts []byte

	// PlainHTTP lists the hosts, with their port when the reference has one,
	// that may be spoken to without TLS. HTTPS is tried first. Hosts on the
	// loopback and of private networks (10/8, 172.16/12, 192.168/16) may
	// always.
	PlainHTTP []string

	// Registries says where packages are: the registry of those that name none, the
	// rules that rewrite names, and mirrors. They are for reading; Push writes to
	// the place that its reference names, with the default registry where it names
	// none. The cache knows a package by its name before all that.
	Registries meta.Registries

	// Options are what Image, Index and Release read with when they are given none.
	Options *Options

	// Cache keeps what was read, and Pull says when it does for an answer; nil
	// is none. A cache that cannot be written to never makes a call fail.
	Cache *Cache

	// Pull is when the registry is asked; empty is IfNotPresent. With a value
	// that is none, every call fails with an error that matches meta.ErrInvalid.
	Pull PullPolicy

	// Event, when not nil, is told what went wrong without making a call fail, and
	// how far downloads and uploads are. It may be called from several goroutines at once, and
	// what it waits for, the call waits for.
	Event func(Event)

	pause func(context.Context, time.Duration) bool // nil but in tests

	once  sync.Once
	rt    http.RoundTripper // Transport with CACerts
	rtErr error

	mu       sync.Mutex
	sessions map[name.Repository]*session
}

// EventKind says what an Event is about.
type EventKind string

const (
	// CacheBroken: an entry of the cache was not what its name says, or no file. It
	// is replaced.
	CacheBroken EventKind = "cache-broken"
	// CacheFailed: the cache could not be written to, its directory or an entry not
	// be read, or an entry that has to make room not be removed.
	CacheFailed EventKind = "cache-failed"
	// MirrorFailed: a mirror could not give what was asked for, and the next place
	// was asked. Name is the repository there.
	MirrorFailed EventKind = "mirror-failed"
	// HeadFailed: the registry did not answer a HEAD as it should, and was
	// asked for the whole manifest.
	HeadFailed EventKind = "head-failed"
	// Downloading: a layer comes from a registry. It is told once at least for each
	// MiB, and when the layer ends or breaks off; Bytes is Total when all has come,
	// which says nothing about its digest.
	Downloading EventKind = "downloading"
	// Uploading: a blob is sent to a registry, by PushFiles. It is told as Downloading
	// is; an upload that breaks off begins anew.
	Uploading EventKind = "uploading"
	// Retried: a request failed in passing and is made again, after Event.Wait.
	// Name is its method and address, or the digest of a layer that is continued;
	// Err is a *RegistryError.
	Retried EventKind = "retried"
)

// Event is something that went wrong and was overcome or, of the kinds Downloading and
// Uploading, something that takes long.
type Event struct {
	Kind EventKind
	Name string // the reference or digest that it is about
	Err  error  // nil for Downloading and Uploading

	// Bytes have come or were sent, of Total, which is what the manifest says; for
	// Downloading and Uploading.
	Bytes, Total int64
	// Wait is, for Retried, the pause before the next attempt.
	Wait time.Duration
}

func (c *Client) event(kind EventKind, name string, err error) {
	if c.Event != nil {
		c.Event(Event{Kind: kind, Name: name, Err: err})
	}
}

// Image finds the image that a reference names, such as
// xpkg.crossplane.io/crossplane-contrib/provider-nop:v0.4.0 or the same with
// @sha256:…; without a registry it is index.docker.io, without a tag latest.
// With a tag and a digest the digest counts. From an index one image is chosen,
// as Select describes. A bare name is first looked for among the packages that
// were put into the cache by hand, as Cache.Add describes.
//
// Without a cache this is one request for the manifest, or two when it is an
// index, and everything afterwards is asked for by the digest that was read.
// Layers are read when the image is; see Image.Stream. Configurations never
// are. The context governs this call only; each call of the image has its own.
//
// The first call that reads from a repository makes a request for /v2/ before,
// which tells how the registry authenticates, and one to its token service where
// it has one. Of a host that may be spoken to without TLS, /v2/ is asked for both
// ways. Push does that each time.
//
// Errors: *meta.ReferenceError, *RegistryError, *CredentialsError,
// *CacheMissError under Never, and those of Select, *VerifyError, and
// for what is in the cache by hand those of OpenFile.
func (c *Client) Image(ctx context.Context, ref string, o *Options) (*Image, error) {
	if o == nil {
		o = c.Options
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	if img, err := c.local(ctx, ref, o); img != nil || err != nil {
		return img, err
	}
	src, m, err := c.find(ctx, ref, o)
	if err != nil {
		return nil, err
	}
	defer src.done()
	img := &Image{ref: ref, o: *src.o, src: src}
	if m.index {
		child, chosen, err := newSelection(ref, src, src.o).image(ctx, m)
		if err != nil {
			return nil, err
		}
		img.root, img.index, img.platform = m, m.digest.String(), chosen.Platform
		m = child
	}
	content := newContent(m)
	img.content.Store(content)
	img.resolved = src.resolved()
	if src.o.Verify != nil {
		// Code of the caller may take its time, and ask for the same tag.
		src.done()
	}
	if err := img.check(ctx, content); err != nil {
		return nil, err
	}
	src.commit()
	return img, nil
}

// Tags returns all tags of a repository in lexical order, versions or not, at
// most 200,000 in answers of 32 MiB together. It asks the registry under every
// policy but Never, under which it is what the cache knows. The error is a *RegistryError, a *CredentialsError, a
// *meta.LimitError for a list without an end, or a *CacheMissError under Never
// without a cache.
func (c *Client) Tags(ctx context.Context, source meta.Source) ([]string, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	src, err := c.repository(source.String(), source, &Options{})
	if err != nil {
		return nil, err
	}
	if c.Pull == PullNever {
		if c.Cache == nil {
			return nil, &CacheMissError{Ref: source.String()}
		}
		return c.Cache.tags(src.name), nil
	}
	var tags []string
	err = src.ask(ctx, func(repo name.Repository) (err error) {
		tags, err = c.list(ctx, tagsOf(source.String(), repo))
		return err
	})
	return tags, err
}

// Push writes an image to a registry and returns its digest, which is that of
// img. One image becomes one manifest, never an index. ref has a tag or a
// digest; without either the tag is latest, and another digest than that of img
// is a *DigestError. Layers that the repository has
// already are not sent again; the manifest is written last, so that a push that
// fails leaves the tag as it was. A tag that the cache knows is the new image's
// from then on. The error is a *meta.ReferenceError, a *RegistryError or a
// *CredentialsError. See the packages guide, "Pushing a Package".
func (c *Client) Push(ctx context.Context, ref string, img v1.Image) (string, error) {
	if err := c.check(); err != nil {
		return "", err
	}
	if img == nil {
		return "", missing("img", "an image")
	}
	parsed, err := meta.ParseReference(ref)
	if err != nil {
		return "", err
	}
	where, err := meta.Registries{Default: c.Registries.Default}.Resolve(parsed.Source)
	if err != nil {
		return "", err
	}
	repo, err := c.place(where.Defaulted)
	if err != nil {
		return "", err
	}
	digest, err := img.Digest()
	if err != nil {
		return "", err
	}
	if parsed.Digest != "" && parsed.Digest != digest.String() {
		return "", &DigestError{Ref: ref, What: "image", Want: parsed.Digest, Got: digest.String(), WantSize: -1}
	}
	var r name.Reference = repo.Tag(cmp.Or(parsed.Tag, meta.DefaultTag))
	if parsed.Digest != "" {
		r = repo.Digest(parsed.Digest)
	}
	if err := c.push(ctx, ref, r, img); err != nil {
		return "", err
	}
	if c.Cache != nil && parsed.Digest == "" {
		c.pushed(ctx, where.Defaulted.Identity(), r.Identifier(), digest)
	}
	return digest.String(), nil
}

// pushed tells the cache what a tag that it knows names now. Who is asking for the
// tag may have got the answer from before, so it is told after him. What was
// pushed stays so when ctx ends meanwhile.
func (c *Client) pushed(ctx context.Context, repository, tag string, h v1.Hash) {
	if unlock, err := c.Cache.lock(ctx, repository+":"+tag); err == nil {
		defer unlock()
	}
	known, ok := c.Cache.digest(repository, tag)
	if !ok || known == h {
		return
	}
	if err := c.Cache.setDigest(repository, tag, h); err != nil {
		c.event(CacheFailed, repository+":"+tag, err)
	}
}
