package xpkg

import (
	"context"
	"slices"
	"strings"

	"github.com/docker/cli/cli/config/types"
	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
)

// DefaultKeychain returns the keychain of a Client that has none: the
// credentials that docker and podman keep. These are looked at, in this order,
// those that do not exist, or are in a directory that this user may not enter,
// passed over, until one has an entry for the repository; what is named explicitly comes before what is merely found:
//
//   - the content of $DOCKER_AUTH_CONFIG
//   - $DOCKER_CONFIG/config.json
//   - $REGISTRY_AUTH_FILE
//   - ~/.docker/config.json, unless DOCKER_CONFIG is set
//   - $XDG_RUNTIME_DIR/containers/auth.json or, on Linux without that variable,
//     /run/containers/UID/auth.json
//   - $XDG_CONFIG_HOME/containers/auth.json or, without that variable,
//     ~/.config/containers/auth.json
//
// In each, the credential helper that is configured for the registry is asked
// first, then the entries are gone through, and then the helper that is
// configured for all. A key is a registry or the beginning of a repository's
// name, of which the longest counts: quay.io/org/package, quay.io/org, quay.io.
// A key with a scheme, such as https://quay.io/v1/, is that registry.
// docker.io, index.docker.io and registry-1.docker.io are one.
//
// What is there and cannot be used, be it no JSON, not readable or a helper that
// fails, makes the call fail with a [*CredentialsError] that names it: to go on
// without credentials would turn it into "not found" later on. Nothing is kept;
// the files are read whenever credentials are looked up. A helper is ended with
// the context.
func DefaultKeychain() authn.Keychain { return fileKeychain{} }

// fileKeychain is the keychain of docker's and podman's files.
type fileKeychain struct{}

// Resolve implements authn.Keychain.
func (k fileKeychain) Resolve(r authn.Resource) (authn.Authenticator, error) {
	return k.ResolveContext(context.Background(), r)
}

// ResolveContext implements authn.ContextKeychain.
func (fileKeychain) ResolveContext(ctx context.Context, r authn.Resource) (authn.Authenticator, error) {
	names := credentialNames(r)
	for _, s := range credentialSources() {
		found, err := s.find(ctx, names)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return nil, &CredentialsError{File: s.name, Host: r.RegistryStr(), Err: err}
		}
		if found != nil {
			return found, nil
		}
	}
	return authn.Anonymous, nil
}

// fileCredentials are credentials and where they were found.
type fileCredentials struct {
	authn.AuthConfig
	from string
}

// Authorization implements authn.Authenticator.
func (c *fileCredentials) Authorization() (*authn.AuthConfig, error) {
	config := c.AuthConfig
	return &config, nil
}

// find looks a repository up by its names, the longest first and the registry
// last. It returns nothing when there is no entry.
func (s credentialSource) find(ctx context.Context, names []string) (*fileCredentials, error) {
	file, err := s.load()
	if file == nil || err != nil {
		return nil, err
	}
	registry := names[len(names)-1]
	key, own := longest(file.CredentialHelpers, names, func(string) bool { return true })
	if helper := file.CredentialHelpers[key]; own && helper != "" {
		server := serverAddress(registry)
		if canonicalKey(key) != registry {
			server = key
		}
		if c, err := askHelper(ctx, helper, server); c != nil || err != nil {
			return s.found(c), err
		}
	}
	if key, ok := longest(file.AuthConfigs, names, func(a types.AuthConfig) bool { return config(a) != authn.AuthConfig{} }); ok {
		c := config(file.AuthConfigs[key])
		return s.found(&c), nil
	}
	if helper := file.CredentialsStore; helper != "" && !own {
		c, err := askHelper(ctx, helper, serverAddress(registry))
		return s.found(c), err
	}
	return nil, nil
}

func (s credentialSource) found(c *authn.AuthConfig) *fileCredentials {
	if c == nil {
		return nil
	}
	return &fileCredentials{AuthConfig: *c, from: s.name}
}

func config(a types.AuthConfig) authn.AuthConfig {
	return authn.AuthConfig{
		Username: a.Username, Password: a.Password, IdentityToken: a.IdentityToken, RegistryToken: a.RegistryToken,
	}
}

// longest returns the key of the entry that stands for the longest of names. Of
// several that do, the one that is spelt like it counts, else the first.
func longest[T any](entries map[string]T, names []string, usable func(T) bool) (string, bool) {
	keys := make([]string, 0, len(entries))
	for key, entry := range entries {
		if usable(entry) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for _, n := range names {
		if slices.Contains(keys, n) {
			return n, true
		}
		if i := slices.IndexFunc(keys, func(key string) bool { return canonicalKey(key) == n }); i >= 0 {
			return keys[i], true
		}
	}
	return "", false
}

// credentialNames are the names that a repository's credentials may be kept
// under: its own, those of the folders that it is in, and the registry's.
func credentialNames(r authn.Resource) []string {
	registry := canonicalHost(r.RegistryStr())
	path := strings.Trim(strings.TrimPrefix(r.String(), r.RegistryStr()), "/")
	var names []string
	for path != "" {
		names = append(names, registry+"/"+path)
		path = path[:max(0, strings.LastIndexByte(path, '/'))]
	}
	return append(names, registry)
}

// canonicalKey spells a key of a file as credentialNames does.
func canonicalKey(key string) string {
	_, rest, scheme := strings.Cut(key, "://")
	if !scheme {
		rest = key
	}
	host, path, _ := strings.Cut(rest, "/")
	if scheme || path == "v1/" || path == "v2/" {
		// docker once kept the address of the API.
		path = ""
	}
	if path = strings.Trim(path, "/"); path != "" {
		return canonicalHost(host) + "/" + path
	}
	return canonicalHost(host)
}

func canonicalHost(host string) string {
	host = strings.ToLower(host)
	if host == "docker.io" || host == "registry-1.docker.io" {
		return name.DefaultRegistry
	}
	return host
}

// serverAddress is the name by which credential helpers know a registry.
func serverAddress(registry string) string {
	if registry == name.DefaultRegistry {
		return authn.DefaultAuthKey
	}
	return registry
}
