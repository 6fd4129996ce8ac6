package xpkg

import (
	"context"
	"net/http"
	"slices"
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
// that break off are continued where the registry can do that.
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

	// Cache keeps what was read, and Pull says when it does for an answer; nil
	// is none. A cache that cannot be written to never makes a call fail.
	Cache *Cache

	// Pull is when the registry is asked; empty is IfNotPresent. With a value
	// that is none, every call fails with an error that matches meta.ErrInvalid.
	Pull PullPolicy

	// Event, when not nil, is told what went wrong without making a call fail.
	// It may be called from several goroutines at once.
	Event func(Event)

	once  sync.Once
	rt    http.RoundTripper // Transport with CACerts
	rtErr error

	mu       sync.Mutex
	sessions map[name.Repository]*session
}

// EventKind says what an Event is about.
type EventKind string

const (
	// CacheBroken: an entry of the cache was not what its name says. It is
	// replaced.
	CacheBroken EventKind = "cache-broken"
	// CacheFailed: the cache could not be written to.
	CacheFailed EventKind = "cache-failed"
	// HeadFailed: the registry did not answer a HEAD as it should, and was
	// asked for the whole manifest.
	HeadFailed EventKind = "head-failed"
	// Retried: a request failed in passing and is made again, after Event.Wait.
	// Name is its method and address, or the digest of a layer that is continued;
	// Err is a *RegistryError.
	Retried EventKind = "retried"
)

// Event is something that went wrong and was overcome.
type Event struct {
	Kind EventKind
	Name string // the reference or digest that it is about
	Err  error
	Wait time.Duration // of Retried: the pause before the next attempt
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
// as Select describes.
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
// *CacheMissError under Never, and those of Select.
func (c *Client) Image(ctx context.Context, ref string, o *Options) (*Image, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	r, err := c.parse(ref)
	if err != nil {
		return nil, err
	}
	options := o.withDefaults()
	src := &repository{client: c, ref: ref, repo: r.Context(), o: &options}
	m, err := src.root(ctx, r)
	if err != nil {
		return nil, err
	}
	if !m.index {
		return opened(ref, options, src, newContent(m)), nil
	}
	child, chosen, err := newSelection(ref, src, &options).image(ctx, m)
	if err != nil {
		return nil, err
	}
	img := opened(ref, options, src, newContent(child))
	img.index = m.digest.String()
	img.platform = chosen.Platform
	return img, nil
}

// Tags returns all tags of a repository in lexical order, whatever they are. It
// asks the registry under every policy but Never, under which it is what the
// cache knows. The error is a *RegistryError, a *CredentialsError, a
// *meta.LimitError for a list without an end, or a *CacheMissError under Never
// without a cache.
func (c *Client) Tags(ctx context.Context, source meta.Source) ([]string, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	repo, err := c.repository(source)
	if err != nil {
		return nil, err
	}
	if c.Pull == PullNever {
		if c.Cache == nil {
			return nil, &CacheMissError{Ref: source.String()}
		}
		return c.Cache.tags(repo.Name()), nil
	}
	var tags []string
	at := ""
	for range maxTagPages {
		page, err := c.fetchTags(ctx, source.String(), repo, at)
		if err != nil {
			return nil, err
		}
		tags = append(tags, page.tags...)
		if len(tags) > maxTags {
			return nil, &meta.LimitError{What: "the list of tags", Unit: "tags", Limit: maxTags, Where: source.String()}
		}
		if at = page.next; at == "" {
			break
		}
	}
	if at != "" {
		return nil, &meta.LimitError{What: "the list of tags", Unit: "pages", Limit: maxTagPages, Where: source.String()}
	}
	slices.Sort(tags)
	return slices.Compact(tags), nil
}

// Bounds of a list of tags. That of pages is for a registry that never ends and
// lists nothing.
const (
	maxTags     = 200_000
	maxTagPages = 4_000
)

// Push writes an image to a registry and returns its digest, which is that of
// img. One image becomes one manifest, never an index. ref has a tag or a
// digest; without either the tag is latest. Layers that the repository has
// already are not sent again; the manifest is written last, so that a push that
// fails leaves the tag as it was. A tag that the cache knows is the new image's
// from then on. The error is a *meta.ReferenceError, a *RegistryError or a
// *CredentialsError.
func (c *Client) Push(ctx context.Context, ref string, img v1.Image) (string, error) {
	if err := c.check(); err != nil {
		return "", err
	}
	if img == nil {
		return "", missing("img", "an image")
	}
	r, err := c.parse(ref)
	if err != nil {
		return "", err
	}
	digest, err := img.Digest()
	if err != nil {
		return "", err
	}
	if err := c.push(ctx, ref, r, img); err != nil {
		return "", err
	}
	if c.Cache != nil {
		if known, ok := c.Cache.digest(r.Context().Name(), r.Identifier()); ok && known != digest {
			(&repository{client: c}).keepTag(r, digest)
		}
	}
	return digest.String(), nil
}

// parse reads a reference as Crossplane does.
func (c *Client) parse(ref string) (name.Reference, error) {
	m, err := meta.ParseReference(ref)
	if err != nil {
		return nil, err
	}
	r, err := name.ParseReference(ref, c.options(m.Source)...)
	if err != nil {
		return nil, &meta.ReferenceError{Text: ref, Want: "an image reference", Err: err}
	}
	return r, nil
}

func (c *Client) repository(source meta.Source) (name.Repository, error) {
	if err := source.Err(); err != nil {
		return name.Repository{}, err
	}
	return name.NewRepository(source.Name(), c.options(source)...)
}

func (c *Client) options(source meta.Source) []name.Option {
	if slices.Contains(c.PlainHTTP, source.Registry()) {
		return []name.Option{name.Insecure}
	}
	return nil
}
