package install

import (
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
// trailing .git), those of tools (git+https://, git::), and repositories on
// hosts that serve Git and no images: github.com, gitlab.com and bitbucket.org.
// What has the tag or the digest of an image is an image, whatever it is
// called. (packages v2 design, Package API)
func IsGitSource(s string) bool {
	if r, err := meta.ParseReference(s); err == nil && (r.Tag != "" || r.Digest != "") {
		return false
	}
	for _, scheme := range []string{"git://", "git+", "git::", "ssh://"} {
		if strings.HasPrefix(s, scheme) {
			return true
		}
	}
	_, rest, hasScheme := strings.Cut(s, "://")
	if !hasScheme {
		rest = s
	}
	// A branch or a commit follows as #NAME or ?ref=NAME, and neither may occur
	// in an image reference.
	repository, _, _ := strings.Cut(rest, "#")
	repository, _, _ = strings.Cut(repository, "?")
	if strings.HasSuffix(strings.TrimRight(repository, "/"), ".git") {
		return true
	}
	host, path, _ := strings.Cut(repository, "/")
	if user, address, ok := strings.Cut(host, "@"); ok && !hasScheme {
		// git@example.org:team/repo.git. In an image reference nothing but a
		// digest follows the @.
		name, _, colon := strings.Cut(address, ":")
		return user != "" && colon && strings.Contains(name, ".")
	}
	switch strings.TrimPrefix(host, "www.") {
	case "github.com", "gitlab.com", "bitbucket.org":
		return path != ""
	}
	return false
}
