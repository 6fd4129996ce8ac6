// Command install prints the object that asks Crossplane to install a package
// and, given what a cluster holds, what the package manager would do then.
//
//	go run ./examples/install [flags] KIND REF
//
// KIND is provider, configuration or function; REF is the package's image. With
// -revisions FILE, where FILE holds objects such as kubectl writes them,
//
//	kubectl get providers,providerrevisions -o yaml > FILE
//
// the plan follows: which revisions are created, activated, deactivated and
// collected, and why. A REF with a digest needs no registry for that. The text
// is YAML, with the plan in comments, so that kubectl can apply it.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/meta/install"
)

func main() { cli.Main(newProgram()) }

const help = `KIND is provider, configuration or function; REF is the image of the package.

  install provider org/provider:v1.0.0 > provider.yaml       the object, for kubectl apply
  kubectl get providers,providerrevisions -o yaml > now.yaml
  install -revisions now.yaml provider org/provider:v1.1.0   what would happen then

The plan is in comments of the YAML. A REF with a digest needs no registry for it.

The exit code is 0 for a manifest, 2 when there is none.`

func newProgram() *cli.Program {
	var revisions string
	return &cli.Program{
		Name:    "install",
		Summary: "print the object that installs a package, and what happens then",
		Args:    "KIND REF",
		Help:    help,
		Flags: func(flags *flag.FlagSet) {
			flags.StringVar(&revisions, "revisions", "", "plan against the packages and revisions in `FILE`")
		},
		Run: func(ctx context.Context, env *cli.Env) (int, error) { return run(ctx, env, revisions) },
	}
}

// result is what install prints with -o json.
type result struct {
	Manifest *install.Manifest `json:"manifest"`
	Plan     *install.Plan     `json:"plan,omitempty"`
}

func run(ctx context.Context, env *cli.Env, revisions string) (int, error) {
	if len(env.Args) != 2 {
		return cli.Failed, &cli.UsageError{Err: fmt.Errorf("install takes a KIND and a REF, got %d; flags come before them", len(env.Args))}
	}
	kind, err := kindOf(env.Args[0])
	if err != nil {
		return cli.Failed, err
	}
	manifest, err := install.New(kind, env.Args[1])
	if err != nil {
		return cli.Failed, err
	}
	r := &result{Manifest: manifest}
	if revisions != "" {
		if r.Plan, err = plan(ctx, env, manifest, revisions); err != nil {
			return cli.Failed, err
		}
	}
	if env.JSON() {
		return cli.Fine, env.Print(r)
	}
	return cli.Fine, r.text(env.Stdout)
}

// kindOf accepts the kinds as the command lines write them: in any case.
func kindOf(arg string) (meta.Kind, error) {
	for _, k := range meta.Kinds() {
		if strings.EqualFold(arg, string(k)) {
			return k, nil
		}
	}
	return "", &cli.UsageError{Err: fmt.Errorf("KIND %q: want provider, configuration or function", arg)}
}

func (r *result) text(w io.Writer) error {
	b, err := yaml.Marshal(r.Manifest)
	if err != nil {
		return err
	}
	if _, err := w.Write(b); err != nil || r.Plan == nil {
		return err
	}
	fmt.Fprintf(w, "# %s\n", cli.Count(len(r.Plan.Actions), "action"))
	for _, a := range r.Plan.Actions {
		fmt.Fprintf(w, "#   %s %s (revision %d): %s\n", a.Op, a.Revision.Name, a.Revision.Number, a.Reason)
		for _, s := range a.Steps {
			fmt.Fprintf(w, "#     %s %s\n", s.Verb, s.Resource)
		}
	}
	for _, c := range r.Plan.Retry {
		fmt.Fprintf(w, "#   pull again: %s changed\n", c)
	}
	_, err = fmt.Fprintf(w, "# current revision: %s\n", r.Plan.History.Current)
	return err
}
