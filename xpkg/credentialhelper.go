package xpkg

import (
	"context"
	"errors"
	"io"
	"os/exec"
	"time"

	"github.com/docker/docker-credential-helpers/client"
	"github.com/docker/docker-credential-helpers/credentials"
	"github.com/google/go-containerregistry/pkg/authn"
)

// askHelper asks a credential helper, the program docker-credential-NAME, for
// the credentials of a registry. It returns nothing when the helper has none.
// Errors say nothing of what the helper said, which may be a secret.
func askHelper(ctx context.Context, helper, server string) (*authn.AuthConfig, error) {
	program := "docker-credential-" + helper
	if _, err := exec.LookPath(program); err != nil {
		return nil, errors.New("the credential helper " + shown(program) + " is not in the PATH")
	}
	run := func(args ...string) client.Program {
		cmd := exec.CommandContext(ctx, program, args...)
		cmd.WaitDelay = time.Second // for what a helper started and left behind
		return helperProgram{cmd}
	}
	c, err := client.Get(run, server)
	if credentials.IsErrCredentialsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, errors.New("the credential helper " + shown(program) + " fails")
	}
	if c.Username == "<token>" {
		return &authn.AuthConfig{IdentityToken: c.Secret}, nil
	}
	if c.Username == "" && c.Secret == "" {
		return nil, nil
	}
	return &authn.AuthConfig{Username: c.Username, Password: c.Secret}, nil
}

// helperProgram is a credential helper that ends with a context, which those of
// the library do not.
type helperProgram struct{ *exec.Cmd }

// Input implements client.Program.
func (p helperProgram) Input(r io.Reader) { p.Stdin = r }
