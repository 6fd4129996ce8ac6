package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/meta/install"
	"github.com/xpkg-go/sdk/parser"
)

// plan plans the revisions of the manifest's package. Where the file holds the
// package already, its spec is what the user asked for, with the new reference.
func plan(ctx context.Context, env *cli.Env, manifest *install.Manifest, file string) (*install.Plan, error) {
	objects, err := readObjects(ctx, file)
	if err != nil {
		return nil, err
	}
	var history install.History
	for _, o := range objects {
		if o.isPackage(manifest) {
			installed, err := install.DecodeManifest(o.raw)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			installed.Spec.Package = manifest.Spec.Package
			if installed.Status != nil {
				history.Current = installed.Status.CurrentRevision
			}
			*manifest = *installed
			manifest.Default()
		}
		if o.isRevisionOf(manifest) {
			history.Revisions = append(history.Revisions, o.revision())
		}
	}
	resolved, err := resolve(ctx, env, manifest.Spec.Package)
	if err != nil {
		return nil, err
	}
	return install.PlanRevisions(manifest.Parent(), history, resolved)
}

// resolve tells what a reference names now: its digest, if it has one, and else
// what the registry says.
func resolve(ctx context.Context, env *cli.Env, ref string) (install.Resolution, error) {
	r, err := meta.ParseReference(ref)
	if err != nil {
		return install.Resolution{}, err
	}
	if r.Digest != "" {
		return install.Resolution{Digest: r.Digest}, nil
	}
	client, o, err := env.Client()
	if err != nil {
		return install.Resolution{}, err
	}
	img, err := client.Image(ctx, ref, o)
	if err != nil {
		return install.Resolution{}, err
	}
	// The digest of an index is what its tag names, and so what a revision is
	// made of, whichever of its images is read.
	digest := img.IndexDigest()
	if digest == "" {
		if digest, err = img.Digest(ctx); err != nil {
			return install.Resolution{}, err
		}
	}
	p, err := img.Package(ctx)
	if err != nil {
		return install.Resolution{}, err
	}
	return install.Resolved(digest, p.Meta), nil
}

// object is what planning reads of an object of the cluster.
type object struct {
	APIVersion string           `json:"apiVersion"`
	Kind       string           `json:"kind"`
	Metadata   install.Metadata `json:"metadata"`
	Spec       struct {
		Image        string        `json:"image"`
		Revision     int64         `json:"revision"`
		DesiredState install.State `json:"desiredState"`
	} `json:"spec"`
	Items []json.RawMessage `json:"items"`

	raw []byte
}

func (o *object) isPackage(m *install.Manifest) bool {
	return o.APIVersion == m.APIVersion && o.Kind == string(m.Kind) && o.Metadata.Name == m.Metadata.Name
}

func (o *object) isRevisionOf(m *install.Manifest) bool {
	if o.Kind != install.RevisionKind(string(m.Kind)) {
		return false
	}
	for _, owner := range o.Metadata.OwnerReferences {
		if owner.Kind == string(m.Kind) && owner.Name == m.Metadata.Name {
			return true
		}
	}
	return false
}

func (o *object) revision() install.Revision {
	r := install.Revision{
		Name:        o.Metadata.Name,
		Image:       o.Spec.Image,
		Number:      o.Spec.Revision,
		Desired:     o.Spec.DesiredState,
		Annotations: o.Metadata.Annotations,
		Owners:      o.Metadata.OwnerReferences,
	}
	if ref, err := meta.ParseReference(o.Spec.Image); err == nil {
		r.Digest = ref.Digest
	}
	return r
}

// readObjects reads a stream of objects; lists, as kubectl writes them, are
// taken apart.
func readObjects(ctx context.Context, file string) ([]*object, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", meta.ErrNotFound, err)
	}
	defer f.Close()
	var all []*object
	for d, err := range parser.Stream(ctx, file, f, nil) {
		if err != nil {
			return nil, err
		}
		b, err := d.JSON()
		if err != nil {
			return nil, err
		}
		objects, err := takeApart(b)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.Range, err)
		}
		all = append(all, objects...)
	}
	return all, nil
}

func takeApart(b []byte) ([]*object, error) {
	o := &object{raw: b}
	if err := json.Unmarshal(b, o); err != nil {
		return nil, fmt.Errorf("%w: %w", meta.ErrInvalid, err)
	}
	if o.Items == nil {
		return []*object{o}, nil
	}
	var all []*object
	for _, item := range o.Items {
		objects, err := takeApart(item)
		if err != nil {
			return nil, err
		}
		all = append(all, objects...)
	}
	return all, nil
}
