// Package install holds the side of packages that is in a cluster, as plain
// values: the manifests that ask for a package, what their policies mean, which
// revisions of a package there are to be, and who owns what they install.
// Nothing here talks to a cluster or to a registry; a caller reads objects,
// asks, and carries out the answer. The rules are those of the packages guide
// and of the packages v2 design.
//
// # Manifests
//
// A [Manifest] is a Provider, Configuration or Function of the group
// pkg.crossplane.io. [New] makes the one that the guide's command line would
// create, [DecodeManifest] reads one, [Manifest.Default] writes the defaults
// out, and [Manifest.Validate] tells every fault at once, with paths. Fields
// that this package has no name for are kept and written again.
// [ControllerConfig] configures a Provider's controller, and [ImageConfig] where
// and how images are pulled: [ImageRewrites] makes rules for [meta.Registries]
// of several. The design's
// [Package], [PackageRevision] and [PackageLock] never shipped under these
// names; they are here since the design says most about how revisions and
// ownership work.
//
// All of them have json tags and encode as JSON, so that a YAML library that
// goes through JSON can print them. The field Unknown holds what has no name.
//
// # Pulling
//
// [Behavior] is the guide's table of pull policies: when a package is
// downloaded, when its registry is asked, what happens when the cache is lost,
// and how safe it is from unwanted upgrades. [PullBehavior.Next] says what to
// do now. A pull that failed is worth another try when [Attempt.Changes] lists
// something.
//
// # Revisions
//
// Each digest that a package ever resolved to has a revision, and one of them
// at most is Active. [PlanRevisions] takes a package, what it resolves to now,
// and its [History], and returns what to do:
//
//	plan, err := install.PlanRevisions(manifest.Parent(), history, install.Resolved(digest, pkg))
//	for _, a := range plan.Actions { … }       // deactivate, create, activate, adopt, collect, in this order
//	history = plan.History                     // planning again changes nothing
//
// The number of a revision is not that of a version: it says when the revision
// was last activated, so that the lowest number is collected first once there
// are more Inactive revisions than the history limit. A re-activated revision
// gets a new number, the highest. [Steps] tells what a revision does in the
// cluster when it comes to a state, and [GarbageCollect] what goes when a
// package or a revision is deleted.
//
// # Ownership
//
// An object in a cluster has at most one controller, which may change it, and
// any number of owners, which keep it alive. An Active revision takes control
// of everything that it installs ([TakeControl]), or of nothing: a
// [*ConflictError] lists what others control. An Inactive one is an owner
// ([TakeOwnership]). Owners are told apart by kind and name ([Ref.Is]), so that
// a cluster that was restored from a backup keeps working. A definition that
// makes CRDs counts with the CRDs that it makes.
//
// Two packages that want the same objects at the same time are told apart by
// [PackageLock.Claim], which makes exactly one of them win.
//
// # Errors
//
// Faults of a value are [meta.FieldErrors]; the stable words in
// [meta.FieldError.Fault] are those of package meta and the Fault constants
// here. Where a JSON object has a name twice, the last one counts, and every
// other one is a fault. A [*ConflictError] and a [*MissingError] say what cannot
// be installed beside what is there, a [*RewriteConflictError] which image
// configurations contradict each other. All of them match [meta.ErrInvalid].
//
// Nothing in this package waits, starts a goroutine, or keeps state. A nil
// *meta.Package or *meta.Provides means that nobody knows it; other pointers are
// not to be nil. Functions do not change their arguments; what they return may
// share memory with them, may be read concurrently, and is not to be modified,
// save where a method says that it changes its receiver (Default,
// UnmarshalJSON).
package install
