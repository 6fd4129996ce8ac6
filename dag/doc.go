// Package dag answers which packages a package needs, in which order they can be
// installed, at which versions, and if that cannot be, why not.
//
// There are two ways in, for two questions.
//
// # What is there: the graph
//
// [NewGraph] takes packages whose versions are settled, such as those installed in
// a cluster, as nodes: made by hand, of a release ([NodeOf]), of a cluster's lock
// ([NodesOf], [NodesOfPackageLock]) or of a project's ([ProjectLock.Nodes]). The
// [Graph] does not change; it tells
//
//   - the order in which the packages can be installed ([Graph.Order]), which of
//     them at the same time ([Graph.Layers]), and the whole path of every circle
//     that stands in the way, a [*CycleError] ([Graph.Cycles]);
//   - what is required and not there ([Graph.Missing]), with everybody who
//     requires it; Crossplane calls this an implied node;
//   - what is there at a version that somebody does not accept
//     ([Graph.Unsatisfied]);
//   - which packages any fault spoils, and which none does ([Graph.Spoilt],
//     [Graph.Sound]);
//   - everything that one package needs ([Graph.Trace]), and who needs whom
//     ([Graph.Dependencies], [Graph.Dependents], [Graph.AllDependents],
//     [Graph.Path]);
//   - why a package is there ([Graph.Why]), who requires none ([Graph.Roots]) and what
//     nobody needs any more ([Graph.Orphans]);
//   - which packages are taken as given, so that nothing is said of what they need
//     ([Graph.Given]).
//
// It is drawn by [Graph.WriteDOT] and [Graph.WriteMermaid], and written by
// encoding/json.
//
// A fault of one node, a duplicate or a dependency on nothing, never stops the
// others: [NewGraph] gives the graph and the faults together, a [*DuplicateError], a
// [*DependencyError] or a [*NodeError] for each.
//
// # What to install: the resolver
//
// [Resolve] takes roots, packages with a constraint each, and a [Catalog] that knows
// what versions there are and what each of them declares. It gives a [Plan]: one
// version for every package that is needed, dependencies first. When there is no
// such choice it gives a [*NoSolutionError], which prints as prose:
//
//	no version of acme.io/provider-nop satisfies all requirements:
//	  1  <=v0.3.0  from acme.io/getting-started v0.1.0 (root)
//	  2  >=v0.3.1  from acme.io/platform v1.2.0 (root)
//	  3  =v0.2.0   from acme.io/nested v0.2.0 <- acme.io/getting-started v0.1.0 (root)
//	  candidates: v0.3.1 (fails 1 and 3), v0.3.0 (fails 2 and 3), v0.2.0 (fails 2); 2 tags ignored: latest (no version), v0 (partial, moved along with newer versions)
//	…
//	smallest change: relax ">=v0.3.1" in acme.io/platform v1.2.0
//
// The fields of the error hold the same as data. What has no part in a conflict is
// resolved all the same, and the plan comes back beside the error. So it is with a
// package that cannot be reached: it and what needs it are blocked, and a
// [*CatalogError] says why; an answer that is about something else than what was asked is
// its cause as an [*AnswerError]. Nothing older is ever chosen because something newer
// could not be read.
//
// What is installed goes in with [ResolveOptions]: as little of it is changed as can be,
// and every package of the plan has an [Action] with its reason. [Outdated] tells
// what could be newer. Nothing is done: a plan is a value.
//
// What was chosen is kept in a [ProjectLock], together with the request: [ProjectLock.Check]
// notices when the project asks for something else. That a cluster's lock has changed
// since a plan was made by it tells [Plan.Check].
//
// Packages whose installation skips dependency resolution are taken as given: those that
// a lock says it of, and those that [ResolveOptions].SkipDependencies names. What they
// depend on is neither followed nor demanded, and the plan's warnings say so.
//
// A catalog may be a registry (xpkg.Client), or a file ([DecodeCatalog]). [ByKind] makes
// dependencies on kinds ones on the packages that bring them, which a [KindIndex]
// knows. [ClosureOf] collects everything that roots need with digests and images,
// whatever of it fails.
//
// # How it searches
//
// The way is that of solvers that learn from conflicts, PubGrub's among them. Every
// demand is a clause over sets of a package's versions; following the clauses narrows what
// is left; a conflict is resolved back to its cause, which is learnt and which
// the search goes back to, over all choices that have no part in it. The sets are
// bit sets of the versions that there are, not ranges: the constraints of
// Masterminds/semver can be asked about a version and not be intersected, so that a
// solver on ranges would need a second opinion on what a range is. The proof that
// nothing will do is a list of demands, of which the explanation is made. Packages are
// chosen breadth first, level by level, so that the first solution is the best one.
// That nothing installed changes is assumed at first; each proof against that names a
// few packages of which one must change, and sets them free.
//
// # Versions and identity
//
// A package is its meta.Source: crossplane/x, docker.io/crossplane/x and
// index.docker.io/crossplane/x are one, and a cluster has one version of it.
// Constraints are meta.Constraint, and mean what they mean to Crossplane: those of
// Masterminds/semver, pre-releases included. The search matches each of them once
// against the finite list of a package's versions and works on the resulting
// sets, so that nothing here has an opinion on what a range is. Only full versions
// are chosen, never a moving tag such as v1; a digest is chosen where somebody
// pins it. Of a tag with a digest the digest rules and the tag says which version it is;
// where the tag leads elsewhere by now, a warning says so.
//
// # Promises
//
// Everything is deterministic: the order of nodes, roots and tags does not
// matter, and the same input gives the same result and the same text. No input
// panics, none overflows a stack, and nothing where something could be given, such as no
// catalog, is a typed error or an empty answer. Texts for people hold no character that a
// terminal would obey: what came from a catalog or a lock is quoted where it has some. Building a graph and putting it in order take time linear in
// its nodes and edges, but for the sorting of the nodes; so do the other answers but
// the search for the shortest circles, which is bounded. A search is bounded by
// [ResolveOptions] and the context. Values that this package returns may be read by
// several goroutines and must not be modified.
//
// Package dag imports the standard library, package meta and, for the locks,
// meta/install, and nothing of Kubernetes or of registries.
package dag
