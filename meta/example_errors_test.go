package meta_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/xpkg-go/sdk/meta"
)

// What a program does about an error is decided by its category; the facts are in
// its type.
func Example_categories() {
	advice := func(err error) string {
		switch {
		case errors.Is(err, meta.ErrCanceled):
			return "nobody waits for it any more"
		case errors.Is(err, meta.ErrUnavailable):
			return "try again later"
		case errors.Is(err, meta.ErrUnauthorized):
			return "log in"
		case errors.Is(err, meta.ErrNotFound):
			return "look at the name"
		case errors.Is(err, meta.ErrDigest):
			return "trust nothing of it"
		case errors.Is(err, meta.ErrLimit):
			return "raise the limit, or refuse it"
		case errors.Is(err, meta.ErrNotPackage):
			return "it is another kind of image"
		case errors.Is(err, meta.ErrInvalid):
			return "tell its author"
		}
		return "look at the caller's own code"
	}
	_, invalid := meta.ParseVersion("v1 2")
	for _, err := range []error{
		invalid,
		fmt.Errorf("an image: %w", meta.ErrNotPackage),
		&meta.LimitError{What: "package.yaml", Limit: 200 << 20},
		fmt.Errorf("a layer: %w", meta.ErrDigest),
		fmt.Errorf("a tag: %w", meta.ErrNotFound),
		fmt.Errorf("a registry: %w", meta.ErrUnauthorized),
		fmt.Errorf("a registry: %w", meta.ErrUnavailable),
		fmt.Errorf("%w: %w", meta.ErrCanceled, context.Canceled),
		errors.New("a bug"),
	} {
		fmt.Printf("%s: %s\n", meta.Code(err), advice(err))
	}
	// Output:
	// invalid: tell its author
	// not-a-package: it is another kind of image
	// limit: raise the limit, or refuse it
	// digest: trust nothing of it
	// not-found: look at the name
	// unauthorized: log in
	// unavailable: try again later
	// canceled: nobody waits for it any more
	// internal: look at the caller's own code
}

// Each fault has the path of its field, a stable word, what was found and what
// was expected.
func ExampleFieldError() {
	_, err := meta.Decode([]byte(`{"apiVersion": "meta.pkg.crossplane.io/v1", "kind": "Function", "metadata": {"name": "demo"},
		"spec": {"dependsOn": [{"provider": "example.org/p", "version": ">= v"}]}}`))
	var fault *meta.FieldError
	if errors.As(err, &fault) {
		fmt.Println(fault.Path, fault.Fault)
		fmt.Println(fault.Found, "where there should be", fault.Want)
	}
	// Output:
	// spec.dependsOn[0].version constraint
	// ">= v" where there should be a version range
}

// A limit that is reached is told with its size; nothing is cut short.
func ExampleLimitError() {
	values := strings.Repeat(`"x",`, meta.MaxValues) + `"x"`
	_, err := meta.Decode([]byte(`{"metadata": {"list": [` + values + `]}}`))
	var limit *meta.LimitError
	if errors.As(err, &limit) {
		fmt.Println(limit.What, "has more than", limit.Limit, limit.Unit)
	}
	fmt.Println(errors.Is(err, meta.ErrLimit))
	// Output:
	// the metadata object has more than 50000 values
	// true
}

func ExampleConstraintError() {
	_, err := meta.ParseConstraint(">=v1.2.0, banana")
	var broken *meta.ConstraintError
	if errors.As(err, &broken) {
		fmt.Println(broken.Text)
	}
	fmt.Println(errors.Is(err, meta.ErrInvalid))
	// Output:
	// >=v1.2.0, banana
	// true
}

func ExampleVersionError() {
	_, err := meta.ParseVersion("v1 2")
	var broken *meta.VersionError
	if errors.As(err, &broken) {
		fmt.Println(broken.Text)
	}
	_, err = meta.RevisionName("provider-demo", "sha256:short")
	fmt.Println(errors.As(err, &broken), broken)
	// Output:
	// v1 2
	// true "sha256:short" is not a version (it is not "sha256:" and 64 hexadecimal digits)
}

func ExampleNameError() {
	err := meta.CheckName("Provider_Demo")
	var name *meta.NameError
	if errors.As(err, &name) {
		fmt.Println(name.Name)
		fmt.Println(name)
	}
	// Output:
	// Provider_Demo
	// "Provider_Demo" is not a DNS-1123 name (it may hold lower case letters, digits, - and ., and begins and ends with a letter or digit)
}

func ExampleCRDRefError() {
	_, err := meta.ParseCRDRef("Bucket")
	var ref *meta.CRDRefError
	if errors.As(err, &ref) {
		fmt.Println(ref.Text)
	}
	fmt.Println(err)
	// Output:
	// Bucket
	// "Bucket" is not the name of a kind (write NAME.GROUP/VERSION, or *.GROUP/VERSION for all of a group)
}
