package xpkg

import (
	"context"
	"errors"
	"regexp"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"

	"github.com/xpkg-go/sdk/meta"
)

// Repositories returns the repositories of a registry, such as ghcr.io or
// localhost:5000, in lexical order: its catalog, at most 200,000 in answers of 32 MiB
// together. The registry itself is asked, without rules and mirrors, and never the
// cache. Many public registries have no such list, or only for those who run them.
//
// The error is a *meta.ReferenceError for a text that is no registry, a *RegistryError,
// a *CredentialsError, a *meta.LimitError for a list without an end, or a
// *CacheMissError under Never.
func (c *Client) Repositories(ctx context.Context, registry string) ([]meta.Source, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	const repository = "repository"
	s, err := meta.ParseSource(registry + "/" + repository)
	if err != nil || !s.HasRegistry() || s.Repository() != repository {
		return nil, &meta.ReferenceError{Text: registry, Want: "a registry", Err: errors.New("write the host, such as ghcr.io or localhost:5000")}
	}
	if c.Pull == PullNever {
		return nil, &CacheMissError{Ref: registry}
	}
	place, err := c.place(s)
	if err != nil {
		return nil, err
	}
	names, err := c.list(ctx, &listing{
		ref: registry, repo: place.Registry.Repo(), path: "_catalog",
		what: "the list of repositories", unit: "repositories", one: "repository",
		valid: isRepository,
	})
	if err != nil {
		return nil, err
	}
	all := make([]meta.Source, len(names))
	for i, n := range names {
		if all[i], err = meta.ParseSource(registry + "/" + n); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// repositoryName is the name of a repository by the grammar of the OCI distribution
// specification ("Pulling manifests").
var repositoryName = regexp.MustCompile(`^[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*(/[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*)*$`)

// isRepository reports whether s is the name of a repository. Registries allow 255
// characters.
func isRepository(s string) bool {
	const most = 255
	return len(s) <= most && repositoryName.MatchString(s)
}

// isRegistry reports whether a repository stands for its registry as a whole, of
// which the list of repositories is asked for: it is the one without a name.
func isRegistry(repo name.Repository) bool { return repo == repo.Registry.Repo() }

// resource is what credentials are for.
func resource(repo name.Repository) authn.Resource {
	if isRegistry(repo) {
		return repo.Registry
	}
	return repo
}

// scope is what a token is asked for.
func scope(repo name.Repository, action string) string {
	if isRegistry(repo) {
		return repo.Registry.Scope(action)
	}
	return repo.Scope(action)
}
