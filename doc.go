// Package sdk is the front page of a library that reads, checks, builds and
// resolves Crossplane packages. It exports nothing; each job has a package of
// its own, and each of those can be imported alone.
//
// # What a package is
//
// A Crossplane package ("xpkg") is an OCI image. It holds one file that counts,
// package.yaml: a YAML stream with one metadata object, which says that this is
// a Provider, a Configuration or a Function, and the objects that the package
// installs. The metadata object is never created in a cluster; it names the
// releases of Crossplane that the package works with, the packages that it
// depends on, and the controller that it runs.
//
// # The path of a package
//
// Data flows one way, and each step is a value that does not change any more:
//
//	bytes ──xpkg──▶ stream ──parser──▶ documents ──▶ package ──linter──▶ diagnostics
//	                                                  │
//	refs ──xpkg──▶ releases ──┐                       └──xpkg/build──▶ image
//	                          └──dag──▶ graph, plan
//
// Package [github.com/xpkg-go/sdk/xpkg] finds the image: in a registry, in a
// .xpkg file, in an OCI layout or in memory. It selects one image of an index,
// finds package.yaml in it, and checks every byte against its digest before any
// of it counts as read.
//
// Package [github.com/xpkg-go/sdk/parser] splits the stream into documents, each
// with its place and with the author's own bytes, and collects them into a
// package. It reads package directories as well. A fault in one document does
// not hide the others: what comes back is everything that could be read and
// every fault, with file, line and column.
//
// Package [github.com/xpkg-go/sdk/meta] is the meaning of the metadata object in
// every form that it was ever written, and the vocabulary that the other
// packages share: references to images, versions, constraints, dependencies,
// and the categories of errors.
//
// Package [github.com/xpkg-go/sdk/linter] runs rules over a package and returns
// diagnostics; the rules themselves are values in
// [github.com/xpkg-go/sdk/linter/rules]. Package [github.com/xpkg-go/sdk/linter/report]
// writes diagnostics as text, JSON, SARIF, GitHub annotations and JUnit, and
// [github.com/xpkg-go/sdk/linter/compare] says what a new release of a package breaks.
//
// Package [github.com/xpkg-go/sdk/dag] puts packages in the order of their
// dependencies and finds out which versions to install, or why there is no
// answer.
//
// Package [github.com/xpkg-go/sdk/xpkg/build] makes an image of a directory, and
// package [github.com/xpkg-go/sdk/meta/install] models what a cluster does with
// it, as plain values and pure functions. Package [github.com/xpkg-go/sdk/xpkg/mirror]
// copies packages with all that belongs to them, and
// [github.com/xpkg-go/sdk/meta/legacy] reads packages of the v1 era and makes packages of
// today of them.
//
// # Where to start
//
//   - What is in this image? [github.com/xpkg-go/sdk/xpkg.Client.Image], then
//     [github.com/xpkg-go/sdk/xpkg.Image.Package].
//   - What is in this directory or stream? [github.com/xpkg-go/sdk/parser.Dir] or
//     [github.com/xpkg-go/sdk/parser.Stream], then
//     [github.com/xpkg-go/sdk/parser.Collect].
//   - Is it valid? [github.com/xpkg-go/sdk/linter.Lint].
//   - What does its new release break? [github.com/xpkg-go/sdk/linter/compare.Packages].
//   - How is a directory made an image? [github.com/xpkg-go/sdk/xpkg/build.Dir], and how is
//     that published? [github.com/xpkg-go/sdk/xpkg.Client.PushFiles].
//   - Does this version satisfy that range?
//     [github.com/xpkg-go/sdk/meta.ParseConstraint].
//   - What must be installed first? [github.com/xpkg-go/sdk/dag.NewGraph]. Which versions,
//     and why not? [github.com/xpkg-go/sdk/dag.Resolve].
//   - How does a package come into another registry, or over a gap?
//     [github.com/xpkg-go/sdk/xpkg/mirror.Copy].
//   - What was this package of the v1 era? [github.com/xpkg-go/sdk/meta/legacy.Read], and
//     what is it today? [github.com/xpkg-go/sdk/meta/legacy.Migrate].
//
// # Errors
//
// Every error about an input or a registry matches one of the categories of
// package meta with errors.Is (such as meta.ErrDigest when a byte is not what its
// digest promises, or meta.ErrNotPackage when an image holds no package), and
// typed errors carry the facts; each is in an example of its package. An error means that
// there is no result, save where a function says that it returns both. A finding about a
// package is not an error but a diagnostic.
//
// # Concurrency
//
// Values that are returned do not change and may be read by many goroutines. Functions
// may be called by many at once; what starts goroutines of its own leaves none behind.
//
// # Hostile input
//
// Packages come from strangers. Sizes, depths and counts have limits, and
// reaching one is a typed error, never a short result. Nothing here panics on
// input, follows a link out of a directory, or believes a registry.
package sdk
