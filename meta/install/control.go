package install

import (
	"slices"

	"github.com/xpkg-go/sdk/meta"
)

// An Object is an object that packages install, with its owners in the cluster.
type Object struct {
	Ref `json:",inline"`
	// Makes are the names of the CRDs that the object ends in: those of an
	// XRD's composite resource and of its claim. They count as if they were in
	// the package too, since there can be one CRD of a name only.
	Makes  []string         `json:"makes,omitempty"`
	Owners []OwnerReference `json:"ownerReferences,omitempty"`
}

func (o Object) clone() Object {
	o.Makes = slices.Clone(o.Makes)
	o.Owners = slices.Clone(o.Owners)
	return o
}

// API versions of the objects that packages install, for references to them. An
// XRD may be of a newer version, which Ref.Is does not look at.
const (
	crdAPIVersion         = "apiextensions.k8s.io/v1"
	xrdAPIVersion         = "apiextensions.crossplane.io/v1"
	mrdAPIVersion         = "apiextensions.crossplane.io/v1alpha1"
	compositionAPIVersion = "apiextensions.crossplane.io/v1"
	webhookAPIVersion     = "admissionregistration.k8s.io/v1"
)

// ObjectsOf lists what a revision of a package takes control of, as far as
// others can have it too: its CRDs, the definitions that make CRDs, its
// Compositions, and its webhook configurations, in the order of provides, each
// once. A Function's CRDs only tell the schema of its input and are not
// installed. (packages v2 design, PackageLock API; xpkg specification, Function
// Package Requirements)
func ObjectsOf(kind meta.Kind, provides *meta.Provides) []Object {
	if kind == meta.Function || provides == nil {
		return nil
	}
	var objects []Object
	for _, k := range provides.Kinds {
		switch k.Definition {
		case meta.DefinitionCRD:
			objects = append(objects, Object{Ref: Ref{APIVersion: crdAPIVersion, Kind: k.Definition, Name: k.CRDName()}})
		case meta.DefinitionMRD:
			objects = append(objects, Object{Ref: Ref{APIVersion: mrdAPIVersion, Kind: k.Definition, Name: k.Name}, Makes: []string{k.CRDName()}})
		default:
			objects = append(objects, Object{Ref: Ref{APIVersion: xrdAPIVersion, Kind: k.Definition, Name: k.Name}, Makes: []string{k.CRDName()}})
		}
	}
	for _, c := range provides.Compositions {
		objects = append(objects, Object{Ref: Ref{APIVersion: compositionAPIVersion, Kind: "Composition", Name: c.Name}})
	}
	for _, w := range provides.Webhooks {
		objects = append(objects, Object{Ref: Ref{APIVersion: webhookAPIVersion, Kind: w.Kind, Name: w.Configuration}})
	}
	return distinct(objects)
}

// distinct returns the objects, each once, at its first place, with all that it
// makes.
func distinct(objects []Object) []Object {
	var all []Object
	places := make(map[objectKey][]int)
	for _, o := range objects {
		key := objectKey{o.Kind, o.Name}
		i := slices.IndexFunc(places[key], func(i int) bool { return all[i].Is(o.Ref) })
		if i < 0 {
			places[key] = append(places[key], len(all))
			all = append(all, o.clone())
			continue
		}
		first := &all[places[key][i]]
		for _, name := range o.Makes {
			if !slices.Contains(first.Makes, name) {
				first.Makes = append(first.Makes, name)
			}
		}
	}
	return all
}

// A Write is what is to be done to one object so that its owners are as they
// should be.
type Write struct {
	// Create says that the object is not there yet.
	Create bool `json:"create,omitempty"`
	// Object is as it is to be afterwards.
	Object Object `json:"object"`
}

// TakeControl tells how an Active revision becomes the controller of everything
// that it installs. wanted are the objects of its package, existing is what is
// in the cluster, and known are the revisions there, which tell whose package a
// controller belongs to.
//
// Objects that are not there are created under the revision's control. Those
// that are there and have no controller are taken over, which is how a revision
// takes over from one that became Inactive; other owners stay owners. Objects
// that the revision controls already are left alone, or get its new UID. CRDs
// that an object makes are created by whoever makes them, so that nothing is
// written for them; they only must not be somebody else's.
//
// It is all or nothing: when any object has another controller, be it beside the
// revision, the error is a *ConflictError with every conflict, and nothing is to
// be written. So it is when the package is at odds with itself: what makes a CRD
// is going to control it, so that neither the package can bring that CRD too, nor
// two objects of it make one CRD. An object that is wanted twice is written once.
// (packages guide, Provider Packages and spec.revisionActivationPolicy; packages
// v2 design, PackageRevision Controller)
func TakeControl(rival Claimant, wanted, existing []Object, known []Claimant) ([]Write, error) {
	cluster := newCluster(existing, known)
	wanted = distinct(wanted)
	makers := make(map[string]Ref) // the first object that is wanted and makes the CRD
	for _, want := range slices.Backward(wanted) {
		for _, name := range want.Makes {
			makers[name] = want.Ref
		}
	}
	var writes []Write
	var conflicts []Conflict
	for _, want := range wanted {
		there, exists := cluster.object(want.Ref)
		if maker, made := makers[want.Name]; made && isCRD(want.Ref) {
			conflicts = append(conflicts, Conflict{Object: want.Ref, Holder: Claimant{Package: rival.Package, Ref: maker}, Rival: rival})
		} else {
			for _, holder := range cluster.holders(want.Ref, rival) {
				conflicts = append(conflicts, Conflict{Object: want.Ref, Holder: holder, Rival: rival})
			}
		}
		for _, name := range want.Makes {
			made := Ref{APIVersion: crdAPIVersion, Kind: meta.DefinitionCRD, Name: name}
			if maker := makers[name]; !maker.Is(want.Ref) {
				conflicts = append(conflicts, Conflict{Object: made, Via: &want.Ref, Holder: Claimant{Package: rival.Package, Ref: maker}, Rival: rival})
				continue
			}
			for _, holder := range cluster.holders(made, rival, want.Ref) {
				conflicts = append(conflicts, Conflict{Object: made, Via: &want.Ref, Holder: holder, Rival: rival})
			}
		}
		after := want.clone()
		after.Owners = there.Owners
		owners, changed := withOwner(after.Owners, rival.Ref, true)
		if after.Owners = owners; changed {
			writes = append(writes, Write{Create: !exists, Object: after})
		}
	}
	if err := conflictError(conflicts); err != nil {
		return nil, err
	}
	return writes, nil
}

// TakeOwnership tells how an Inactive revision becomes one of the owners of
// everything that it installs and that is there, and gives up control of what
// it controls. There is no conflict: an object may have any number of owners.
// Nothing is created. (packages guide, spec.revisionActivationPolicy; packages
// v2 design, PackageRevision Controller: Modified to be Inactive)
func TakeOwnership(revision Ref, wanted, existing []Object) []Write {
	cluster := newCluster(existing, nil)
	var writes []Write
	for _, want := range distinct(wanted) {
		there, exists := cluster.object(want.Ref)
		if !exists {
			continue
		}
		after := want.clone()
		owners, changed := withOwner(there.Owners, revision, false)
		if after.Owners = owners; changed {
			writes = append(writes, Write{Object: after})
		}
	}
	return writes
}

// A cluster is an index of what is there. Its keys leave out API groups, which
// Ref.Is compares.
type cluster struct {
	objects map[objectKey][]Object
	makers  map[string][]Object // by the name of the CRD that they make
	known   []Claimant
}

type objectKey struct{ kind, name string }

func newCluster(existing []Object, known []Claimant) cluster {
	c := cluster{objects: make(map[objectKey][]Object), makers: make(map[string][]Object), known: known}
	for _, o := range existing {
		key := objectKey{o.Kind, o.Name}
		c.objects[key] = append(c.objects[key], o)
		for _, name := range o.Makes {
			c.makers[name] = append(c.makers[name], o)
		}
	}
	return c
}

func (c cluster) object(r Ref) (Object, bool) {
	for _, o := range c.objects[objectKey{r.Kind, r.Name}] {
		if o.Is(r) {
			return o, true
		}
	}
	return Object{}, false
}

// holders returns everybody but the rival who controls an object. A CRD that an
// XRD controls is held by whoever controls the XRD, and a CRD that nobody
// controls yet by whoever controls what will make it. What the rival wants to
// make it with is left out.
func (c cluster) holders(r Ref, rival Claimant, with ...Ref) []Claimant {
	var holders []Claimant
	add := func(controller Ref) {
		if controller.Is(rival.Ref) {
			return
		}
		holder := c.above(controller)
		if holder.Ref.Is(rival.Ref) {
			// The rival's own XRD makes the CRD, and is its controller all the
			// same.
			holder = Claimant{Package: rival.Package, Ref: controller}
		}
		if !slices.ContainsFunc(with, holder.Ref.Is) && !slices.Contains(holders, holder) {
			holders = append(holders, holder)
		}
	}
	object, _ := c.object(r)
	controllers := controllersOf(object.Owners)
	for _, controller := range controllers {
		add(controller)
	}
	if len(controllers) == 0 && isCRD(r) {
		for _, maker := range c.makers[r.Name] {
			if len(controllersOf(maker.Owners)) > 0 {
				add(maker.Ref)
			}
		}
	}
	return holders
}

// above returns who stands behind a controller: itself, unless it is an XRD that
// somebody controls in turn.
func (c cluster) above(controller Ref) Claimant {
	if makesCRDs(controller) {
		maker, _ := c.object(controller)
		if above := controllersOf(maker.Owners); len(above) > 0 {
			return c.claimant(above[0])
		}
	}
	return c.claimant(controller)
}

func (c cluster) claimant(r Ref) Claimant {
	for _, k := range c.known {
		if k.Ref.Is(r) {
			return k
		}
	}
	return Claimant{Ref: r}
}
