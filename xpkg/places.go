package xpkg

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"

	"github.com/xpkg-go/sdk/meta"
)

// repository returns what a source names, at all places where it may be.
func (c *Client) repository(ref string, source meta.Source, o *Options) (*repository, error) {
	r, err := c.Registries.Resolve(source)
	if err != nil {
		return nil, err
	}
	s := &repository{client: c, ref: ref, o: o, name: r.Defaulted.Identity(), approved: o.Verify == nil}
	for _, place := range append(r.Mirrors, r.Rewritten) {
		repo, err := c.place(place)
		if err != nil {
			return nil, err
		}
		s.places = append(s.places, repo)
	}
	return s, nil
}

// place is a repository as go-containerregistry names it.
func (c *Client) place(source meta.Source) (name.Repository, error) {
	var options []name.Option
	if slices.ContainsFunc(c.PlainHTTP, func(host string) bool { return strings.EqualFold(host, source.Registry()) }) {
		options = append(options, name.Insecure)
	}
	repo, err := name.NewRepository(source.Identity(), options...)
	if err == nil {
		err = checkElements(repo.RepositoryStr())
	}
	if err != nil {
		return repo, &meta.ReferenceError{Text: source.String(), Want: "an image repository", Err: err}
	}
	return repo, nil
}

// checkElements refuses a path that leads elsewhere in a registry than it says, out of a
// prefix of a mirror among it, once its server or a proxy has cleaned it (OCI distribution specification,
// "Pulling manifests": names have no such elements).
func checkElements(path string) error {
	for element := range strings.SplitSeq(path, "/") {
		if element == "" || element == "." || element == ".." {
			return errors.New("its path has the element " + quote(element) + ", which no repository has")
		}
	}
	return nil
}

// ask calls f with one place after the other, that which answered last first,
// until one has what is wanted. What a mirror does not have, or has wrong, the
// next may have; the error is that of the last. Of a layer that is not stored in a
// cache, only its reader learns that it was wrong.
func (s *repository) ask(ctx context.Context, f func(name.Repository) error) error {
	first := int(s.at.Load())
	for n := range s.places {
		at := n
		if n == 0 {
			at = first
		} else if n <= first {
			at = n - 1
		}
		err := f(s.places[at])
		if err == nil {
			s.at.Store(int32(at))
			return nil
		}
		if n == len(s.places)-1 || ctx.Err() != nil || !isOfThePlace(err) {
			return err
		}
		s.client.event(MirrorFailed, s.places[at].Name(), err)
	}
	return nil
}

// isOfThePlace reports whether an error is one that another place may not have: it
// has nothing, other bytes than those that were named, or what is no manifest.
func isOfThePlace(err error) bool {
	var (
		registry *RegistryError
		digest   *DigestError
		manifest *ManifestError
	)
	return errors.As(err, &registry) || errors.As(err, &digest) || errors.As(err, &manifest)
}

// resolved is the reference as the place that answered last knows it.
func (s *repository) resolved() string {
	repo := s.places[s.at.Load()]
	if s.digest != "" {
		return repo.Digest(s.digest).Name()
	}
	return repo.Tag(s.tag).Name()
}
