// Package apiserver has the lint rules that need Kubernetes: they ask of every
// CustomResourceDefinition in a package what an API server asks when the package
// manager creates it, with the API server's own code (decoding, defaulting,
// conversion and validation of k8s.io/apiextensions-apiserver): structural
// schemas, names, versions, storage, conversion, patterns, defaults, list types
// and CEL expressions, at the release of Kubernetes that the go.mod of this module
// names. The same is asked of the definitions that Crossplane makes of every
// CompositeResourceDefinition, and of every ManagedResourceDefinition.
//
// Most definitions were made by a generator and are accepted. One of which that is
// certain from reading its schemas once costs a tenth of what the API server's code
// does. Definitions are judged on all cores; findings come in the order of the
// documents all the same.
//
// It is a module of its own, so that who imports the linter alone gets no k8s.io
// requirement. Its rules are run beside those of linter/rules:
//
//	rs := append(rules.Suite(), apiserver.Rules()...)
//	found, err := linter.Run(ctx, pkg, &linter.Options{Rules: rs})
//
// Some rules of that suite, such as crd-name and crd-scope, look for faults that these
// find as well: a finding of theirs is left out where one of these is at the same place
// (linter.Rule.Supersedes). They still tell what is wrong with a definition that cannot
// be decoded, of which the API server says no more than that.
//
// What goes wrong in a rule is a *linter.RuleError of linter.Run, as for any rule. [Rules] makes new values
// each time, which belong to the caller and may be run by many goroutines at once.
package apiserver
