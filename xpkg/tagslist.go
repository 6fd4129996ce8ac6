package xpkg

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"

	"github.com/xpkg-go/sdk/meta"
)

// tagsPerPage is what is asked for; some registries refuse to be asked for more.
const tagsPerPage = 1000

// readPage reads one page of a list of tags.
func readPage(resp *http.Response, repo name.Repository) (page, error) {
	var list struct {
		Tags []string `json:"tags"`
	}
	answer := json.NewDecoder(resp.Body)
	if err := answer.Decode(&list); err != nil {
		var limit *meta.LimitError
		var broken *bodyError
		if errors.As(err, &limit) || errors.As(err, &broken) {
			return page{}, err
		}
		return page{}, badAnswer("it answers with no list of tags: " + jsonCause(err).Error())
	}
	for _, tag := range list.Tags {
		if !isTag(tag) {
			return page{}, badAnswer("it lists " + quote(tag) + ", which is no tag")
		}
	}
	next, err := nextPage(resp, repo, "tags/list")
	if err != nil {
		return page{}, err
	}
	return page{tags: list.Tags, size: answer.InputOffset(), next: next}, nil
}

// isTag reports whether s is a tag by the grammar of the OCI distribution
// specification ("Pulling manifests"). Without it, a list of few tags could take
// any amount of memory.
func isTag(s string) bool {
	const most = 128
	return s != "" && len(s) <= most && s[0] != '.' && s[0] != '-' && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("._-", r)
	})
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
