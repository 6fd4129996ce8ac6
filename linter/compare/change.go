package compare

import (
	"cmp"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// A Change is one difference between two packages that matters to who uses them.
type Change struct {
	// Rule says what sort of change it is: one of the Rule constants.
	Rule string
	// Severity says what it does to users: linter.Error breaks some of them,
	// linter.Warning may break some, linter.Info is worth knowing.
	Severity linter.Severity
	// Object is the object of the package that changed, as the new package has it;
	// as the old one has it when the new one does not.
	Object parser.ObjectRef
	// API is the API kind that the change is about; zero when it is about no kind.
	API API
	// Field is the field of the objects of that kind, such as
	// spec.rules[].port, with [] for the items of a list and [*] for the values of
	// a map; empty when the change is about no field.
	Field string
	// Message says what changed: lower case, no full stop, without rule, field and
	// places.
	Message string
	// Old and New are the places in both packages. Where one of them does not have
	// the thing, its place is what is nearest, or zero when there is no such object.
	Old, New Place
}

// An API is a kind that users have objects of.
type API struct {
	APIVersion string // group/version; the group alone when the change is about all versions
	Kind       string
}

// String returns "group/version Kind"; "" for the zero value. Long names are cut, and what
// is no name is quoted.
func (a API) String() string {
	var parts []string
	for _, part := range []string{a.APIVersion, a.Kind} {
		if part != "" {
			parts = append(parts, plain(part))
		}
	}
	return strings.Join(parts, " ")
}

// A Place is where something stands in a package.
type Place struct {
	// Range is the key or the value that the change is about. Of the changes of
	// one object, the first 200 have places of their own and the others that of
	// the object.
	Range parser.Range
	// Path is the field within the object of the package, such as
	// spec.versions[0].served; empty for the object as a whole.
	Path string
}

// String returns the change on one line, without its severity:
//
//	field-removed: example.org/v1 Bucket has no such field any more (spec.region), old crd.yaml:20:15, new crd.yaml:18:13
//
// Field, or else the path, is in parentheses. What is not known is left out.
func (c Change) String() string {
	var b strings.Builder
	b.WriteString(c.Rule)
	b.WriteString(": ")
	b.WriteString(c.Message)
	if field := cmp.Or(c.Field, c.New.Path, c.Old.Path); field != "" {
		b.WriteString(" (")
		b.WriteString(field)
		b.WriteString(")")
	}
	if place := c.Old.Range.String(); place != "" {
		b.WriteString(", old ")
		b.WriteString(place)
	}
	if place := c.New.Range.String(); place != "" {
		b.WriteString(", new ")
		b.WriteString(place)
	}
	return b.String()
}

// MaxSeverity returns the highest severity among the changes, and zero when there
// are none.
func MaxSeverity(changes []Change) linter.Severity {
	var highest linter.Severity
	for _, c := range changes {
		highest = max(highest, c.Severity)
	}
	return highest
}

// inOrder sorts changes: those of the metadata object first, then by object, kind,
// version and field.
func inOrder(changes []Change) {
	rank := func(c Change) int {
		if meta.IsMeta(c.Object.APIVersion) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(changes, func(a, b Change) int {
		return cmp.Or(
			cmp.Compare(rank(a), rank(b)),
			cmp.Compare(a.Object.Kind, b.Object.Kind),
			cmp.Compare(a.Object.Name, b.Object.Name),
			cmp.Compare(a.API.Kind, b.API.Kind),
			cmp.Compare(a.API.APIVersion, b.API.APIVersion),
			cmp.Compare(a.Field, b.Field),
			cmp.Compare(a.Rule, b.Rule),
			cmp.Compare(a.Message, b.Message),
		)
	})
}
