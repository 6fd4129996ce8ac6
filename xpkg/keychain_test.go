package xpkg_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// home gives the test a home directory of its own, which it returns, and takes
// away every variable that leads to credentials.
func home(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, key := range []string{"HOME", "USERPROFILE", "home"} {
		t.Setenv(key, dir)
	}
	for _, key := range []string{"DOCKER_CONFIG", "DOCKER_AUTH_CONFIG", "REGISTRY_AUTH_FILE", "XDG_CONFIG_HOME"} {
		t.Setenv(key, "")
	}
	t.Setenv("XDG_RUNTIME_DIR", filepath.Join(dir, "run"))
	return dir
}

func writeFile(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// auths is a file of credentials: the password of each key is "of " and the user.
func auths(keysAndUsers ...string) string {
	var entries []string
	for i := 0; i < len(keysAndUsers); i += 2 {
		user := keysAndUsers[i+1]
		auth := base64.StdEncoding.EncodeToString([]byte(user + ":of " + user))
		if user == "" {
			auth = ""
		}
		entries = append(entries, fmt.Sprintf("%q:{\"auth\":%q}", keysAndUsers[i], auth))
	}
	return `{"auths":{` + strings.Join(entries, ",") + `}}`
}

// resolved looks a repository up and returns the user.
func resolved(t *testing.T, repo string) (string, error) {
	t.Helper()
	r, err := name.NewRepository(repo)
	if err != nil {
		t.Fatal(err)
	}
	auth, err := authn.Resolve(t.Context(), xpkg.DefaultKeychain(), r)
	if err != nil {
		return "", err
	}
	if auth == authn.Anonymous {
		return "", nil
	}
	c, err := auth.Authorization()
	if err != nil {
		t.Fatal(err)
	}
	if c.IdentityToken != "" {
		return "token " + c.IdentityToken, nil
	}
	if c.Password != "of "+c.Username {
		t.Errorf("got the password %q of %q", c.Password, c.Username)
	}
	return c.Username, nil
}

func TestKeychainKeys(t *testing.T) {
	cases := []struct {
		name, reason, file, repo, want string
	}{
		{"host", "the plain key", auths("quay.io", "a"), "quay.io/org/package", "a"},
		{"other host", "another registry's are nobody's business", auths("quay.io", "a"), "ghcr.io/org/package", ""},
		{"beginning of a host", "a key is no prefix of text", auths("quay.io", "a"), "quay.io.evil.example/org/package", ""},
		{"port", "a port is a part of the host", auths("host.example:5000", "a"), "host.example:5000/org/package", "a"},
		{"other port", "another port is another registry", auths("host.example:5000", "a"), "host.example/org/package", ""},
		{"scheme", "docker's old keys are addresses of the API", auths("https://host.example/v1/", "a"), "host.example/org/package", "a"},
		{"scheme v2", "of either version", auths("https://host.example/v2/", "a"), "host.example/org/package", "a"},
		{"scheme alone", "without a path too", auths("https://host.example", "a"), "host.example/org/package", "a"},
		{"http", "and without TLS", auths("http://host.example:5000/v1/", "a"), "host.example:5000/org/package", "a"},
		{"path of the API", "or without the scheme", auths("host.example/v1/", "a"), "host.example/org/package", "a"},
		{"case", "hosts have no case", auths("Host.Example", "a"), "host.example/org/package", "a"},
		{"exact spelling", "what is spelt like it comes first", auths("https://host.example/v1/", "b", "host.example", "a"), "host.example/org/package", "a"},
		{"namespace", "podman's keys may name a part of the registry", auths("quay.io/org", "a"), "quay.io/org/package", "a"},
		{"namespace of others", "which is not for the rest of it", auths("quay.io/org", "a"), "quay.io/other/package", ""},
		{"beginning of a namespace", "path elements are whole", auths("quay.io/or", "a"), "quay.io/org/package", ""},
		{"repository", "or one repository", auths("quay.io/org/package", "a"), "quay.io/org/package", "a"},
		{"longest", "the longest counts", auths("quay.io", "a", "quay.io/org/package", "c", "quay.io/org", "b"), "quay.io/org/package", "c"},
		{"longest of two", "the longest that matches", auths("quay.io", "a", "quay.io/org/other", "c", "quay.io/org", "b"), "quay.io/org/package", "b"},
		{"empty entry", "an entry without credentials is none, and a shorter one counts", auths("quay.io", "a", "quay.io/org", ""), "quay.io/org/package", "a"},
		{"docker hub", "as docker login writes it", auths("https://index.docker.io/v1/", "a"), "org/package", "a"},
		{"docker hub, podman", "as podman login writes it", auths("docker.io", "a"), "docker.io/org/package", "a"},
		{"docker hub, index", "as its name is", auths("index.docker.io", "a"), "org/package", "a"},
		{"docker hub, API", "as its API is called", auths("registry-1.docker.io", "a"), "index.docker.io/org/package", "a"},
		{"docker hub, namespace", "podman's keys there", auths("docker.io/org", "a"), "org/package", "a"},
		{"docker hub, official", "what has no namespace is in library", auths("docker.io/library", "a"), "package", "a"},
		{"identity token", "a token to be exchanged", `{"auths":{"quay.io":{"identitytoken":"x"}}}`, "quay.io/org/package", "token x"},
		{"user and password", "what nobody writes and some do", `{"auths":{"quay.io":{"username":"a","password":"of a"}}}`, "quay.io/org/package", "a"},
		{"empty file", "as touch leaves it", "", "quay.io/org/package", ""},
		{"empty object", "a file about other things", `{"psFormat":"x"}`, "quay.io/org/package", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir := home(t)
			writeFile(t, filepath.Join(dir, ".docker", "config.json"), c.file)
			if got, err := resolved(t, c.repo); err != nil || got != c.want {
				t.Errorf("got %q (%v), want %q: %s", got, err, c.want, c.reason)
			}
		})
	}
}

func TestKeychainFiles(t *testing.T) {
	const repo = "quay.io/org/package"
	dir := home(t)
	docker := filepath.Join(dir, ".docker", "config.json")
	runtimeAuth := filepath.Join(dir, "run", "containers", "auth.json")
	configAuth := filepath.Join(dir, ".config", "containers", "auth.json")
	cases := []struct {
		name, reason string
		env          map[string]string
		files        map[string]string
		want         string
	}{
		{"none", "without a file there are no credentials", nil, nil, ""},
		{"docker", "", nil, map[string]string{docker: auths("quay.io", "a")}, "a"},
		{"podman, runtime", "", nil, map[string]string{runtimeAuth: auths("quay.io", "a")}, "a"},
		{"podman, config", "", nil, map[string]string{configAuth: auths("quay.io", "a")}, "a"},
		{"all", "docker's comes first", nil, map[string]string{docker: auths("quay.io", "a"), runtimeAuth: auths("quay.io", "b"), configAuth: auths("quay.io", "c")}, "a"},
		{"docker of another host", "a file without an entry does not end the search", nil, map[string]string{docker: auths("ghcr.io", "a"), runtimeAuth: auths("quay.io", "b"), configAuth: auths("quay.io", "c")}, "b"},
		{"two without", "however many there are", nil, map[string]string{docker: auths("ghcr.io", "a"), runtimeAuth: auths(), configAuth: auths("quay.io", "c")}, "c"},
		{"first with an entry", "the first file with an entry counts, not the longest key of all", nil, map[string]string{docker: auths("quay.io", "a"), configAuth: auths("quay.io/org", "c")}, "a"},
		{"DOCKER_CONFIG", "stands for ~/.docker", map[string]string{"DOCKER_CONFIG": filepath.Join(dir, "d")}, map[string]string{filepath.Join(dir, "d", "config.json"): auths("quay.io", "d"), docker: auths("quay.io", "a")}, "d"},
		{"DOCKER_CONFIG without", "which is not looked at then", map[string]string{"DOCKER_CONFIG": filepath.Join(dir, "none")}, map[string]string{docker: auths("quay.io", "a"), configAuth: auths("quay.io", "c")}, "c"},
		{"REGISTRY_AUTH_FILE", "what is named comes before what is found", map[string]string{"REGISTRY_AUTH_FILE": filepath.Join(dir, "r.json")}, map[string]string{filepath.Join(dir, "r.json"): auths("quay.io", "r"), docker: auths("quay.io", "a")}, "r"},
		{"REGISTRY_AUTH_FILE of another host", "and does not end the search", map[string]string{"REGISTRY_AUTH_FILE": filepath.Join(dir, "r.json")}, map[string]string{filepath.Join(dir, "r.json"): auths("ghcr.io", "r"), docker: auths("quay.io", "a")}, "a"},
		{"REGISTRY_AUTH_FILE that is not there", "as podman before its first login", map[string]string{"REGISTRY_AUTH_FILE": filepath.Join(dir, "none.json")}, map[string]string{docker: auths("quay.io", "a")}, "a"},
		{"XDG_CONFIG_HOME", "stands for ~/.config", map[string]string{"XDG_CONFIG_HOME": filepath.Join(dir, "x")}, map[string]string{filepath.Join(dir, "x", "containers", "auth.json"): auths("quay.io", "x"), configAuth: auths("quay.io", "c")}, "x"},
		{"DOCKER_AUTH_CONFIG", "a variable with the content, as of CI systems", map[string]string{"DOCKER_AUTH_CONFIG": auths("quay.io", "v")}, map[string]string{docker: auths("quay.io", "a")}, "v"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for key, value := range c.env {
				t.Setenv(key, value)
			}
			for path, content := range c.files {
				writeFile(t, path, content)
				defer os.Remove(path)
			}
			if got, err := resolved(t, repo); err != nil || got != c.want {
				t.Errorf("got %q (%v), want %q: %s", got, err, c.want, c.reason)
			}
		})
	}
}

// A file that is broken is an error that names it, and tells nothing of it.
func TestKeychainFaults(t *testing.T) {
	const secret = "4815162342"
	cases := []struct {
		name, reason, file, says string
	}{
		{"no JSON", "a text", "machine quay.io password " + secret, "not JSON"},
		{"cut", "a file that was not written to its end", `{"auths":{"quay.io":{"password":"` + secret, "not JSON"},
		{"list", "another value", `["` + secret + `"]`, "found array, expected a JSON object"},
		{"number", "encoding/json would show the number", `{"auths":{"quay.io":{"password":` + secret + `}}}`, "a field is of the JSON type number"},
		{"base64", "credentials that are not encoded", `{"auths":{"quay.io":{"auth":"me:` + secret + `"}}}`, "an entry cannot be decoded"},
		{"no colon", "credentials without a password", `{"auths":{"quay.io":{"auth":"` + base64.StdEncoding.EncodeToString([]byte(secret)) + `"}}}`, "an entry cannot be decoded"},
		{"another host's", "a file is broken as a whole", `{"auths":{"quay.io":{},"ghcr.io":{"auth":"` + secret + `!"}}}`, "an entry cannot be decoded"},
		{"large", "no file of credentials is as large", `{"auths":{}}` + strings.Repeat(" ", 5<<20), "larger than 4194304 bytes"},
		{"helper", "a helper that is not installed", `{"credsStore":"none-such-` + secret[:1] + `"}`, "the credential helper docker-credential-none-such-4 is not in the PATH"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(home(t), ".docker", "config.json")
			writeFile(t, path, c.file)
			check := func(err error) {
				t.Helper()
				checkError(t, err, meta.ErrInvalid, path, "quay.io", c.says)
				checkSaysNot(t, err, secret)
				var e *xpkg.CredentialsError
				if !errors.As(err, &e) || e.File != path || e.Host != "quay.io" {
					t.Fatalf("got %#v, want a *CredentialsError: %s", err, c.reason)
				}
				for cause := error(e); cause != nil; cause = errors.Unwrap(cause) {
					checkSaysNot(t, cause, secret)
				}
			}
			_, err := resolved(t, "quay.io/org/package")
			check(err)
			_, err = (&xpkg.Client{Transport: unreachable{t}}).Image(t.Context(), "quay.io/org/package:v1", nil)
			check(err)
		})
	}
	t.Run("directory", func(t *testing.T) {
		path := filepath.Join(home(t), ".docker", "config.json")
		writeFile(t, filepath.Join(path, "x"), "")
		_, err := resolved(t, "quay.io/org/package")
		checkError(t, err, meta.ErrInvalid, path, "not a regular file")
	})
	t.Run("variable", func(t *testing.T) {
		home(t)
		t.Setenv("DOCKER_AUTH_CONFIG", "{"+secret)
		_, err := resolved(t, "quay.io/org/package")
		checkError(t, err, meta.ErrInvalid, "$DOCKER_AUTH_CONFIG", "not JSON")
		checkSaysNot(t, err, secret)
	})
	t.Run("after the entry", func(t *testing.T) {
		// What comes behind an entry is not looked at.
		dir := home(t)
		writeFile(t, filepath.Join(dir, ".docker", "config.json"), auths("quay.io", "a"))
		writeFile(t, filepath.Join(dir, ".config", "containers", "auth.json"), "broken")
		if got, err := resolved(t, "quay.io/org/package"); err != nil || got != "a" {
			t.Errorf("got %q (%v)", got, err)
		}
	})
}

// helper installs a credential helper that is a shell script.
func helper(t *testing.T, suffix, script string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the helpers of this test are shell scripts: run it on Linux or macOS")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "docker-credential-"+suffix), []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// echo answers with the address that the helper was asked for as the user.
const echo = `read server; printf '{"Username":"%s","Secret":"of %s"}' "$server" "$server"`

func TestKeychainHelpers(t *testing.T) {
	const none = `echo "credentials not found in native keychain"; exit 1`
	entry := strings.TrimSuffix(strings.TrimPrefix(auths("quay.io", "a"), "{"), "}")
	cases := []struct {
		name, reason, script, file, repo, want string
	}{
		{"for all", "a helper for every registry", echo, `{"credsStore":"test"}`, "quay.io/org/package", "quay.io"},
		{"for one", "a helper for a registry", echo, `{"credHelpers":{"quay.io":"test"}}`, "quay.io/org/package", "quay.io"},
		{"for another", "which is not asked for others", echo, `{"credHelpers":{"ghcr.io":"test"}}`, "quay.io/org/package", ""},
		{"docker hub", "helpers know it by its old address", echo, `{"credsStore":"test"}`, "org/package", "https://index.docker.io/v1/"},
		{"docker hub, one", "by whatever name it is configured", echo, `{"credHelpers":{"docker.io":"test"}}`, "org/package", "https://index.docker.io/v1/"},
		{"namespace", "a helper for a part of a registry", echo, `{"credHelpers":{"quay.io/org":"test"}}`, "quay.io/org/package", "quay.io/org"},
		{"entry and helper for one", "the registry's own helper comes first", echo, `{"credHelpers":{"quay.io":"test"},` + entry + `}`, "quay.io/org/package", "quay.io"},
		{"entry and helper for all", "an entry is about this registry", `exit 1`, `{"credsStore":"test",` + entry + `}`, "quay.io/org/package", "a"},
		{"marked", "docker leaves an empty entry for what its helper has", echo, `{"credsStore":"test","auths":{"quay.io":{}}}`, "quay.io/org/package", "quay.io"},
		{"has none", "a helper without an entry is no fault", none, `{"credsStore":"test"}`, "quay.io/org/package", ""},
		{"has none, entry", "and the search goes on", none, `{"credHelpers":{"quay.io":"test"},` + entry + `}`, "quay.io/org/package", "a"},
		{"turned off", "an empty name is no helper for this registry", echo, `{"credsStore":"test","credHelpers":{"quay.io":""}}`, "quay.io/org/package", ""},
		{"token", "a token to be exchanged", `printf '{"Username":"<token>","Secret":"x"}'`, `{"credsStore":"test"}`, "quay.io/org/package", "token x"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			helper(t, "test", c.script)
			writeFile(t, filepath.Join(home(t), ".docker", "config.json"), c.file)
			if got, err := resolved(t, c.repo); err != nil || got != c.want {
				t.Errorf("got %q (%v), want %q: %s", got, err, c.want, c.reason)
			}
		})
	}
	for _, script := range []string{`echo secret; echo secret >&2; exit 1`, `echo '{"Username":"secret`} {
		t.Run("fails", func(t *testing.T) {
			helper(t, "test", script)
			path := filepath.Join(home(t), ".docker", "config.json")
			writeFile(t, path, `{"credsStore":"test"}`)
			_, err := resolved(t, "quay.io/org/package")
			checkError(t, err, meta.ErrInvalid, path, "docker-credential-test fails")
			checkSaysNot(t, err, "secret")
		})
	}
	t.Run("canceled", func(t *testing.T) {
		// The helper waits for ever; a fifo tells that it has begun.
		started := filepath.Join(t.TempDir(), "started")
		helper(t, "test", `: >"`+started+`"; exec sleep 1000`)
		writeFile(t, filepath.Join(home(t), ".docker", "config.json"), `{"credsStore":"test"}`)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			for {
				if _, err := os.Stat(started); err == nil {
					cancel()
					return
				}
				runtime.Gosched()
			}
		}()
		_, err := (&xpkg.Client{Transport: unreachable{t}}).Image(ctx, "quay.io/org/package:v1", nil)
		checkError(t, err, meta.ErrCanceled, "quay.io/org/package:v1")
	})
}
