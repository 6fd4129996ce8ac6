package meta

import "strings"

// A Package is what a package declares of itself: its metadata object, in any of
// the API versions that there are. [Decode] makes one and [Package.Encode] writes
// it; a value that was put together by hand encodes as well.
//
// A decoded Package keeps whatever its document said, also where that is at
// fault, so that it can be encoded again without a loss. A field that the caller
// changes is encoded as changed. A Package may be read concurrently.
// See the specification, "package.yaml Contents".
type Package struct {
	// APIVersion is the apiVersion of the document, of one of the groups [Group]
	// and [GroupIBM].
	APIVersion string

	// Kind is what the package is. A decoded one may hold a kind that does not
	// exist, together with an error.
	Kind Kind

	// Name is metadata.name; "" if there is none. Which names are proper is
	// [CheckName]'s business: a package with another name can be read all the same.
	Name string

	// Labels and Annotations are those of metadata. A value that is null is "".
	Labels, Annotations map[string]string

	// Crossplane says which versions of Crossplane the package is compatible with.
	// It is the zero Constraint if nothing is said: for spec.crossplane that is
	// absent, null or empty, or whose version is. It is an exact version, which
	// encodes as a plain string, or a range, which encodes as the field version of
	// an object.
	Crossplane Constraint

	// DependsOn are the dependencies, all entries of spec.dependsOn in their order.
	DependsOn []Dependency

	// Capabilities are the capabilities that the package claims, as declared. Ask
	// with [Package.HasCapability]. The IBM group has none.
	Capabilities []string

	// Controller is spec.controller of a Provider; nil if there is none.
	Controller *Controller

	// PermissionRequests are those of a Provider at spec.permissionRequests, the
	// place of package format v2. [Package.Permissions] finds them in either place.
	PermissionRequests []PermissionRequest

	// Image is spec.image, the image of a packaged Function.
	Image string

	// Unknown are the fields that this library has no name for, in the order of
	// the document. They are encoded again; entries may be removed or added. A path
	// into spec.dependsOn means the dependency that has this Index. An entry goes
	// with what holds it: if its path leads through a dependency, the controller, the
	// object at spec.crossplane or a permission request, and that is not there any
	// more, the entry is not encoded.
	Unknown []Unknown

	// kept makes the encoding of an untouched Package equal to what was decoded,
	// where the fields above cannot say it: see the type.
	kept []kept
}

// An Unknown is a field of a document that this library has no name for.
type Unknown struct {
	Path Path
	JSON []byte // its value
}

// Controller is the field spec.controller of a Provider.
type Controller struct {
	// Image is the image that runs the provider; "" if the package itself is that
	// image, as it is in newer ones.
	Image string

	// PermissionRequests are what the controller asks for besides what is implied.
	PermissionRequests []PermissionRequest
}

// A PermissionRequest is a rule of Kubernetes' role-based access control that the
// controller of a package asks for.
type PermissionRequest struct {
	APIGroups       []string
	Resources       []string
	ResourceNames   []string // all, if empty
	NonResourceURLs []string
	Verbs           []string
}

// Group is the API group of the package's metadata.
func (p *Package) Group() string {
	group, _ := SplitAPIVersion(p.APIVersion)
	return group
}

// Permissions are the permission requests of the package, from whichever of the
// two places has them: spec.controller.permissionRequests, or
// spec.permissionRequests in package format v2.
func (p *Package) Permissions() []PermissionRequest {
	if p.Controller != nil && len(p.Controller.PermissionRequests) > 0 {
		return p.Controller.PermissionRequests
	}
	return p.PermissionRequests
}

// CrossplaneConstraints are all that the package asks of Crossplane: that of
// spec.crossplane and those of its dependencies on Crossplane, which the packages
// v2 design has. Hand them to [Compatible].
func (p *Package) CrossplaneConstraints() []Constraint {
	var out []Constraint
	if !p.Crossplane.IsZero() {
		out = append(out, p.Crossplane)
	}
	for _, d := range p.DependsOn {
		if d.Spelling == SpellingCrossplane {
			out = append(out, d.Constraint)
		}
	}
	return out
}

// Capabilities that Crossplane knows. There may be others: those of a package are
// for whoever understands them.
const (
	// CapabilitySafeStart: a Provider that can start before the kinds that it
	// reconciles are there.
	CapabilitySafeStart = "safe-start"

	// CapabilityComposition: a Function for the pipeline of a composition.
	CapabilityComposition = "composition"

	// CapabilityOperation: a Function for the pipeline of an operation.
	CapabilityOperation = "operation"
)

// HasCapability reports whether the package claims the capability. As Crossplane
// does, it compares letters and digits only, and those in either case: SafeStart
// is safe-start. No package claims a capability that has none of either.
func (p *Package) HasCapability(capability string) bool {
	want := foldCapability(capability)
	for _, c := range p.Capabilities {
		if want != "" && foldCapability(c) == want {
			return true
		}
	}
	return false
}

func foldCapability(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
			return r
		case 'A' <= r && r <= 'Z':
			return r - 'A' + 'a'
		default:
			return -1
		}
	}, s)
}
