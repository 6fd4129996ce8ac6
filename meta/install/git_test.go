package install_test

import (
	"testing"

	"github.com/xpkg-go/sdk/meta/install"
)

func TestIsGitSource(t *testing.T) {
	const git = "packages v2 design, Package API, spec.package: a Git source"
	for source, tc := range map[string]struct {
		reason string
		want   bool
	}{
		"https://github.com/crossplane/provider-gcp.git": {git, true},
		"https://github.com/crossplane/provider-gcp":     {git, true},
		"http://www.github.com/crossplane/provider-gcp/": {git, true},
		"github.com/crossplane/provider-gcp":             {git, true},
		"github.com/crossplane/provider-gcp?ref=v1":      {git, true},
		"gitlab.com/a/b":    {git, true},
		"bitbucket.org/a/b": {git, true},
		"git@github.com:crossplane/provider-gcp.git":         {git, true},
		"me@git.example.org:team/repo":                       {git, true},
		"git::https://example.org/a":                         {git, true},
		"git+ssh://example.org/a":                            {git, true},
		"git://example.org/a":                                {git, true},
		"ssh://git@example.org/a":                            {git, true},
		"example.org/team/repo.git":                          {git, true},
		"https://example.org/team/repo.git/#v1.0.0":          {git, true},
		"GIT://example.org/a":                                {git + ", in either case", true},
		"Git@Git.example.org:team/repo":                      {git + ", in either case", true},
		"GitHub.com/a/b":                                     {git + ", in either case", true},
		"a/b.GIT":                                            {git + ", in either case", true},
		"ssh+git://example.org/a":                            {git + ", by a scheme of schemes", true},
		"git@host:team/repo":                                 {git + ", on a host of the local network", true},
		"me@host:repo":                                       {git + ", on a host of the local network", true},
		"https://me@github.com:443/a/b":                      {git + ", with a user and a port", true},
		"svn+ssh://example.org/a":                            {"another system than Git", false},
		"fn@sha256:00":                                       {"a broken digest is no Git source", false},
		"a@sha512:00":                                        {"a digest of another algorithm is no Git source", false},
		"":                                                   {"nothing is no Git source", false},
		"crossplane/provider-gcp:v0.12.0":                    {"an image of the default registry", false},
		"ghcr.io/crossplane/git:v1":                          {"an image named git", false},
		"registry.gitlab.com/a/b:v1":                         {"a registry of a Git host is a registry", false},
		"example.org:5000/a/b:v1":                            {"a registry with a port", false},
		"example.org/a/b@" + digest:                          {"a digest follows an @, too", false},
		"a/b:v1@" + digest:                                   {"a tag and a digest", false},
		"provider.git.example.org/a":                         {"git inside a name", false},
		"https://example.org/a/b":                            {"a URL that says nothing of Git is no image reference for another reason", false},
		"github.com":                                         {"a host without a repository", false},
		"mycoolpkg":                                          {"a file in the cache", false},
		"github.com.example.org/a/b":                         {"another host that begins so", false},
		"example.org/a/b:v1.git":                             {"a tag that ends in .git is a tag", false},
		"example.org/team/repo.git:v1":                       {"an image that is called like a Git repository", false},
		"xpkg.upbound.io/github.com/provider-github:v1.0.0":  {"a repository named after a host", false},
		"xpkg.crossplane.io/crossplane-contrib/fn@sha256:00": {"a broken digest is no Git source", false},
	} {
		if got := install.IsGitSource(source); got != tc.want {
			t.Errorf("%s: IsGitSource(%q) = %v, want %v", tc.reason, source, got, tc.want)
		}
	}
}
