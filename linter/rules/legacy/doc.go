// Package legacy holds the lint rules of packages of the v1 era: what their document asks
// for, and what the world of today no longer takes. Package meta/legacy reads such a package:
//
//	pkg, faults := v1.Read(ctx, os.DirFS(dir), nil)
//	result, err := legacy.Lint(ctx, pkg, faults, nil)
//	for _, d := range result.Diagnostics {
//		fmt.Println(d.Severity, d)
//	}
//
// A v1 package has icons, and files that are about others by where they stand, so that its
// documents alone do not make it. The rules are therefore made for one package: [Suite] puts it
// into them. In all else they are rules like any others; comments in the text and a
// configuration have their say (linter.Check).
//
// Of what the document asks for:
//
//	legacy-app-incomplete      app.yaml says title, type, scope and version of the format
//	legacy-version             the version is a semantic one
//	legacy-overview-short      a short overview is one line
//	legacy-link                website and source are URLs
//	legacy-contributor         maintainers and owners have a name and an address
//	legacy-license             the licence is an expression of SPDX
//	legacy-icon-ratio          an icon is as wide as it is high
//	legacy-icon-content        an icon is what its name says
//	legacy-unknown-field       a document has the fields of the format
//	legacy-unknown-file        a package has the files of the format
//	legacy-object              the documents among the definitions are definitions
//	legacy-resource-id         a description beside others says its kind
//	legacy-group-name          group.yaml names the group of its definitions
//	legacy-crd-duplicate       a version of a kind is defined once
//	legacy-annotation-size     the annotations that the files make are not too large
//	legacy-controller-image    the image of the controller is left out where it can be
//
// Of what is no longer taken:
//
//	legacy-layout              no package manager of today reads the format
//	legacy-package-type        Stack, Application and Addon are no kinds of packages
//	legacy-permission-scope    a package is installed for the cluster
//	legacy-depends-on-kind     a package depends on packages, not on kinds
//	legacy-crd-v1beta1         definitions are of apiextensions.k8s.io/v1
//	legacy-deployment-version  a Deployment is of apps/v1
//	legacy-no-home             ui-schema.yaml and behavior.yaml mean nothing
//
// Where a rule has more than a thousand findings the others are counted.
//
// Errors are those of package linter; the faults of meta/legacy.Read become findings. What
// [Suite] makes belongs to the caller, and may be run by many goroutines at once for the
// package that it was made for.
package legacy
