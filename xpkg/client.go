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
	"github.com/google/go-containerregistry/pkg/v1/remote"

	"github.com/xpkg-go/sdk/meta"
)

// Client reads packages from registries and writes them there. The zero value
// works: it uses the credentials that docker and podman keep, the system's
// certificates and the proxies of the environment, and no cache.
//
// A Client may be used concurrently. Its fields are set before the first call,
// and it is not copied after it. It needs no closing. The credentials for a
// repository are looked up once and kept for as long as the Client is; so is a
// little memory for each repository.
type Client struct {
	// Keychain finds the credentials for a registry; nil is
	// authn.DefaultKeychain.
	Keychain authn.Keychain

	// Transport makes all requests, of every call; nil is
	// remote.DefaultTransport. Own certificate authorities, proxies and time
	// limits belong here. Requests that fail in passing are repeated above it.
	Transport http.RoundTripper

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

	mu         sync.Mutex
	transports map[name.Repository]http.RoundTripper
}

// EventKind says what an Event is about.
type EventKind string

const (
	// CacheBroken: an entry of the cache was not what its name says. It is
	// replaced.
	CacheBroken EventKind = "cache-broken"
	// CacheFailed: the cache could not be written to, its directory not be read,
	// or an entry that has to make room not be removed.
	CacheFailed EventKind = "cache-failed"
	// HeadFailed: the registry did not answer a HEAD as it should, and was
	// asked for the whole manifest.
	HeadFailed EventKind = "head-failed"
)

// Event is something that went wrong and was overcome.
type Event struct {
	Kind EventKind
	Name string // the reference or digest that it is about
	Err  error
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
// Errors: *meta.ReferenceError, *RegistryError, *CacheMissError under Never, those
// of Select, and for what is in the cache by hand those of OpenFile.
func (c *Client) Image(ctx context.Context, ref string, o *Options) (*Image, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	if img, err := c.local(ctx, ref, o); img != nil || err != nil {
		return img, err
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
// cache knows. The error is a *RegistryError, a *meta.LimitError for a list
// without an end, or a *CacheMissError under Never without a cache.
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
	p, err := c.puller(ctx, repo)
	if err != nil {
		return nil, c.failed(ctx, repo.Registry, source.String(), err)
	}
	lister, err := p.Lister(ctx, repo)
	if err != nil {
		return nil, c.failed(ctx, repo.Registry, source.String(), err)
	}
	var tags []string
	for pages := 0; lister.HasNext(); pages++ {
		page, err := lister.Next(ctx)
		if err != nil {
			return nil, c.failed(ctx, repo.Registry, source.String(), err)
		}
		tags = append(tags, page.Tags...)
		if pages == maxTagPages {
			return nil, &meta.LimitError{What: "the list of tags", Unit: "pages", Limit: maxTagPages, Where: source.String()}
		}
		if len(tags) > maxTags {
			return nil, &meta.LimitError{What: "the list of tags", Unit: "tags", Limit: maxTags, Where: source.String()}
		}
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
// from then on. The error is a *meta.ReferenceError or a
// *RegistryError.
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
	if err := c.push(ctx, r, img); err != nil {
		return "", c.failed(ctx, r.Context().Registry, ref, err)
	}
	if c.Cache != nil {
		if known, ok := c.Cache.digest(r.Context().Name(), r.Identifier()); ok && known != digest {
			(&repository{client: c}).keepTag(r, digest)
		}
	}
	return digest.String(), nil
}

// push repeats a push that fails in passing; what has arrived is not sent again.
// It is not left to go-containerregistry, which sleeps in between without
// looking at the context.
func (c *Client) push(ctx context.Context, r name.Reference, img v1.Image) error {
	p, err := remote.NewPusher(remote.WithTransport(c.base()), remote.WithAuthFromKeychain(c.keychain()),
		remote.WithRetryBackoff(remote.Backoff{Steps: 1}))
	if err != nil {
		return err
	}
	for n := 0; ; n++ {
		err := p.Push(ctx, r, img)
		if err == nil || n == attempts-1 || !isTemporary(err) && !isBroken(err) || !pause(ctx, time.Second, n) {
			return err
		}
	}
}

// failed turns the error of a request into the one that a caller gets.
func (c *Client) failed(ctx context.Context, registry name.Registry, ref string, err error) error {
	if ctx.Err() != nil {
		return canceled(ctx, ref)
	}
	return registryError(registry.Name(), ref, err)
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
