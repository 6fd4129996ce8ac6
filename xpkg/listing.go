package xpkg

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"

	"github.com/xpkg-go/sdk/meta"
)

// Bounds of a list. That of pages is for a registry that never ends and lists
// nothing.
const (
	maxListed    = 200_000
	maxListPages = 4_000
)

// namesPerPage is what is asked for; some registries refuse to be asked for more.
const namesPerPage = 1000

// listing is a list of names that a registry gives in pages.
type listing struct {
	ref  string // what errors call it
	repo name.Repository
	path string // of the API

	what, unit, one string // as messages have it: the list of tags, tags, tag
	valid           func(string) bool
}

// tagsOf is the list of the tags of a repository at one place.
func tagsOf(ref string, repo name.Repository) *listing {
	return &listing{ref: ref, repo: repo, path: "tags/list", what: "the list of tags", unit: "tags", one: "tag", valid: isTag}
}

// list reads a list to its end: each name once, in lexical order.
func (c *Client) list(ctx context.Context, l *listing) ([]string, error) {
	var names []string
	var size int64
	at := apiURL(l.repo, l.path) + fmt.Sprintf("?n=%d", namesPerPage)
	for range maxListPages {
		page, err := c.fetchPage(ctx, l, at)
		if err != nil {
			return nil, err
		}
		names = append(names, page.names...)
		if len(names) > maxListed {
			return nil, &meta.LimitError{What: l.what, Unit: l.unit, Limit: maxListed, Where: l.ref}
		}
		if size += page.size; size > maxListBytes {
			return nil, &meta.LimitError{What: l.what, Limit: maxListBytes, Where: l.ref}
		}
		if at = page.next; at == "" {
			slices.Sort(names)
			return slices.Compact(names), nil
		}
	}
	return nil, &meta.LimitError{What: l.what, Unit: "pages", Limit: maxListPages, Where: l.ref}
}

// page is one page of a list.
type page struct {
	names []string
	size  int64  // bytes that were read for it
	next  string // the address of the next one, or ""
}

// fetchPage asks for one page. It is not done by remote.Lister, which leaves the
// connection open after an answer that it cannot use.
func (c *Client) fetchPage(ctx context.Context, l *listing, at string) (p page, err error) {
	err = c.reading(ctx, l.ref, l.ref, l.repo, func(rt http.RoundTripper) error {
		resp, err := askURL(ctx, rt, http.MethodGet, at, nil, http.StatusOK)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		p, err = l.readPage(resp)
		return err
	})
	return p, err
}

func (l *listing) readPage(resp *http.Response) (page, error) {
	var list struct {
		Tags         []string `json:"tags"`
		Repositories []string `json:"repositories"`
	}
	answer := json.NewDecoder(resp.Body)
	if err := answer.Decode(&list); err != nil {
		var limit *meta.LimitError
		var broken *bodyError
		if errors.As(err, &limit) || errors.As(err, &broken) {
			return page{}, err
		}
		return page{}, badAnswer("it answers with no list of " + l.unit + ": " + jsonCause(err).Error())
	}
	names := list.Tags
	if isRegistry(l.repo) {
		names = list.Repositories
	}
	for _, n := range names {
		if !l.valid(n) {
			return page{}, badAnswer("it lists " + quote(n) + ", which is no " + l.one)
		}
	}
	next, err := nextPage(resp, l.repo, l.path)
	if err != nil {
		return page{}, err
	}
	return page{names: names, size: answer.InputOffset(), next: next}, nil
}

// nextPage returns the address in the header Link of an answer to a path of the
// API, or "". It leads to the same registry.
func nextPage(resp *http.Response, repo name.Repository, path string) (string, error) {
	link := resp.Header.Get("Link")
	if link == "" {
		return "", nil
	}
	text, _, ok := strings.Cut(strings.TrimPrefix(link, "<"), ">")
	u, err := url.Parse(text)
	if err != nil || !ok || link[0] != '<' {
		return "", badAnswer("it answers with the header Link: " + quote(link) + ", expected an address in angle brackets")
	}
	if text == "" {
		return "", nil
	}
	base := &url.URL{Scheme: repo.Scheme(), Host: repo.RegistryStr(), Path: apiPath(repo, path)}
	u = base.ResolveReference(u)
	if u.Host != base.Host {
		return "", badAnswer("it answers with the header Link: " + quote(link) + ", which leads to another host")
	}
	// A registry behind what ends TLS may think that there is none.
	u.Scheme, u.User = base.Scheme, nil
	return u.String(), nil
}
