package install

import (
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/meta"
)

// IsGitSource says whether a package is asked for by a Git repository instead
// of an image. The packages v2 design lets spec.package "be either an OCI image
// or a Git source", but says nowhere how one is written or fetched, and no
// release of Crossplane ever took one: Validate refuses what this function
// recognises, with a message of its own.
//
// Recognised are the spellings of git itself (git://, ssh://, user@host:path, a
// trailing .git), those of tools (git+https://, ssh+git://, git::), and
// repositories on hosts that serve Git and no images: github.com, gitlab.com and
// bitbucket.org. All are recognised in either case. What has the tag or the
// digest of an image is an image, whatever it is called. (packages v2 design,
// Package API)
func IsGitSource(s string) bool {
	if r, err := meta.ParseReference(s); err == nil && (r.Tag != "" || r.Digest != "") {
		return false
	}
	s = strings.ToLower(s)
	if strings.HasPrefix(s, "git+") || strings.HasPrefix(s, "git::") {
		return true
	}
	scheme, rest, isURL := strings.Cut(s, "://")
	switch {
	case !isURL:
		rest = s
	case scheme == "ssh" || slices.Contains(strings.Split(scheme, "+"), "git"):
		return true
	}
	// A branch or a commit follows as #NAME or ?ref=NAME, and neither may occur
	// in an image reference.
	repository, _, _ := strings.Cut(rest, "#")
	repository, _, _ = strings.Cut(repository, "?")
	if strings.HasSuffix(strings.TrimRight(repository, "/"), ".git") {
		return true
	}
	host, path, _ := strings.Cut(repository, "/")
	if user, address, ok := strings.Cut(host, "@"); ok && !isURL {
		// git@example.org:team/repo. In an image reference nothing but a digest
		// follows the @, well formed or not.
		name, _, colon := strings.Cut(address, ":")
		return user != "" && name != "" && colon && !isDigestAlgorithm(name)
	}
	if isURL {
		host = host[strings.LastIndexByte(host, '@')+1:]
		host, _, _ = strings.Cut(host, ":")
	}
	switch strings.TrimPrefix(host, "www.") {
	case "github.com", "gitlab.com", "bitbucket.org":
		return path != ""
	}
	return false
}

// isDigestAlgorithm knows the algorithms that the OCI image specification
// registers, and those that others use for digests.
func isDigestAlgorithm(s string) bool {
	switch s {
	case "sha256", "sha384", "sha512", "sha1", "md5", "blake3":
		return true
	}
	return false
}
