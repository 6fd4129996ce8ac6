package install

import "slices"

// An Attempt is everything that decides how a pull of a package goes, and why it
// failed if it did: when nothing that decides changes, trying again gives the
// same result. (packages v2 design, Package Controller: a failed pull is retried
// when only the pull secrets changed)
type Attempt struct {
	// Package is the reference that was pulled, as written in spec.package.
	Package string `json:"package"`
	// Digest is what the reference named in the registry at that time; empty
	// when that could not be told.
	Digest     string     `json:"digest,omitempty"`
	PullPolicy PullPolicy `json:"pullPolicy,omitempty"`
	// PullSecrets are the names of the secrets that were offered. Their order
	// says nothing.
	PullSecrets []string `json:"pullSecrets,omitempty"`
	// Cause is, of an attempt that failed, the text of the error. It is for
	// people to read: Changes does not compare it.
	Cause string `json:"cause,omitempty"`
}

// Change names a part of an Attempt in which two attempts differ.
type Change string

// The parts of an Attempt, in the order in which Changes lists them.
const (
	PackageChanged     Change = "package"
	DigestChanged      Change = "digest"
	PullPolicyChanged  Change = "pull policy"
	PullSecretsChanged Change = "pull secrets"
)

// Changes lists in what the attempt that would be made now differs from a that
// failed. A failed pull is worth another try at once when the list is not
// empty; an empty list means to wait, and try again with growing pauses. A
// digest that is not known now is no change: nothing new was learned.
func (a Attempt) Changes(now Attempt) []Change {
	var changes []Change
	if a.Package != now.Package {
		changes = append(changes, PackageChanged)
	}
	if now.Digest != "" && a.Digest != now.Digest {
		changes = append(changes, DigestChanged)
	}
	if a.PullPolicy.OrDefault() != now.PullPolicy.OrDefault() {
		changes = append(changes, PullPolicyChanged)
	}
	if !slices.Equal(nameSet(a.PullSecrets), nameSet(now.PullSecrets)) {
		changes = append(changes, PullSecretsChanged)
	}
	return changes
}

func nameSet(names []string) []string {
	sorted := slices.Clone(names)
	slices.Sort(sorted)
	return slices.Compact(sorted)
}
