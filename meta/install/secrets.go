package install

import "github.com/xpkg-go/sdk/meta"

// Recipient is somebody who may be given the pull secrets of a package.
type Recipient string

const (
	// RecipientPuller is the package manager, which pulls the package's image.
	RecipientPuller Recipient = "puller"
	// RecipientController is the Deployment of the controller in the package,
	// which pulls the controller's image.
	RecipientController Recipient = "controller"
	// RecipientDependency is any package that is installed because this one
	// depends on it.
	RecipientDependency Recipient = "dependency"
)

// PullSecrets returns the names of the secrets that a recipient is given, in
// the order of spec.packagePullSecrets: the puller is always given them, a
// controller when the package is a Provider, and a dependency never. (packages
// guide, spec.packagePullSecrets; the packages v2 design thinks of handing them
// to dependencies one day, and the guide rules)
func (m *Manifest) PullSecrets(to Recipient) []string {
	if to == RecipientPuller || to == RecipientController && m.Kind == meta.Provider {
		return names(m.Spec.PackagePullSecrets)
	}
	return nil
}

func names(refs []LocalReference) []string {
	var all []string
	for _, r := range refs {
		all = append(all, r.Name)
	}
	return all
}
