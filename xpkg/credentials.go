package xpkg

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/docker/cli/cli/config/configfile"

	"github.com/xpkg-go/sdk/meta"
)

// maxCredentialBytes bounds a file of credentials.
const maxCredentialBytes = 4 << 20

// credentialSource is a file that may hold credentials, or a variable that does.
type credentialSource struct {
	name    string // the path, or the variable behind a $
	content string // of the variable
	usual   bool   // where such files are, and not named by a variable
}

// credentialSources lists where DefaultKeychain looks, in its order.
func credentialSources() []credentialSource {
	var all []credentialSource
	add := func(usual bool, dir string, names ...string) {
		if dir == "" {
			return
		}
		s := credentialSource{name: filepath.Join(append([]string{dir}, names...)...), usual: usual}
		if !slices.ContainsFunc(all, func(other credentialSource) bool { return other.name == s.name }) {
			all = append(all, s)
		}
	}
	if content := os.Getenv("DOCKER_AUTH_CONFIG"); content != "" {
		all = append(all, credentialSource{name: "$DOCKER_AUTH_CONFIG", content: content})
	}
	home, _ := os.UserHomeDir() // empty when there is none
	add(false, os.Getenv("DOCKER_CONFIG"), "config.json")
	add(false, os.Getenv("REGISTRY_AUTH_FILE"))
	if os.Getenv("DOCKER_CONFIG") == "" {
		add(true, home, ".docker", "config.json")
	}
	if dir := os.Getenv("XDG_RUNTIME_DIR"); dir != "" {
		add(true, dir, "containers", "auth.json")
	} else if runtime.GOOS == "linux" {
		add(true, "/run/containers", strconv.Itoa(os.Getuid()), "auth.json")
	}
	if dir := os.Getenv("XDG_CONFIG_HOME"); dir != "" {
		add(true, dir, "containers", "auth.json")
	} else {
		add(true, home, ".config", "containers", "auth.json")
	}
	return all
}

// load returns nothing when there is no such file, or when it would be in a
// directory of somebody else: under sudo and in containers, programs often run
// with a home that is not theirs. Its errors hold nothing of the content.
func (s credentialSource) load() (*configfile.ConfigFile, error) {
	data := []byte(s.content)
	if s.content == "" {
		f, err := openRegular(s.name)
		if errors.Is(err, fs.ErrNotExist) || s.usual && isForbidden(s.name) {
			return nil, nil
		}
		if err != nil {
			return nil, pathCause(err)
		}
		defer f.Close()
		data, err = io.ReadAll(io.LimitReader(f, maxCredentialBytes+1))
		if err != nil {
			return nil, pathCause(err)
		}
	}
	if len(data) > maxCredentialBytes {
		return nil, &meta.LimitError{What: "a file of credentials", Limit: maxCredentialBytes}
	}
	file := configfile.New("")
	if err := file.LoadFromReader(bytes.NewReader(data)); err != nil {
		return nil, credentialCause(err)
	}
	return file, nil
}

// isForbidden reports whether not even the existence of a file may be known.
func isForbidden(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrPermission)
}

// pathCause is the cause of an error about a path that is named already.
func pathCause(err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return p.Err
	}
	return err
}

// credentialCause says what is wrong with a file of credentials and nothing of
// what is in it: encoding/json shows numbers, which may be passwords.
func credentialCause(err error) error {
	var t *json.UnmarshalTypeError
	var s *json.SyntaxError
	switch {
	case errors.As(err, &t):
		kind, _, _ := strings.Cut(t.Value, " ")
		if t.Field == "" {
			return errors.New("found " + kind + ", expected a JSON object")
		}
		return errors.New("a field is of the JSON type " + kind)
	case errors.As(err, &s):
		return errors.New("not JSON: fault at byte " + strconv.FormatInt(s.Offset, 10))
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("not JSON: it ends too early")
	}
	return errors.New("an entry cannot be decoded: expected the base64 of USER:PASSWORD")
}

// CredentialsError says that a file of credentials cannot be used, or that a
// credential helper that it names fails. It matches meta.ErrInvalid. It holds
// nothing of the content of the file; what the keychain of a Client says of
// itself is in it as it is.
type CredentialsError struct {
	// File is the path, $DOCKER_AUTH_CONFIG, or Client.Keychain for an error of
	// that.
	File string
	// Host is the registry whose credentials were looked for.
	Host string
	Err  error
}

// Error implements error.
func (e *CredentialsError) Error() string {
	return "credentials for " + e.Host + ": " + e.File + ": " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *CredentialsError) Unwrap() error { return e.Err }

// Is reports whether target is meta.ErrInvalid.
func (e *CredentialsError) Is(target error) bool { return target == meta.ErrInvalid }
