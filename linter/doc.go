// Package linter judges packages: rules look at a package that has been read and
// report findings, each with the rule, a severity, the place in the author's file,
// the object, the field, and a message.
//
//	r, err := linter.Lint(ctx, parser.Dir(ctx, root, nil), &linter.Options{Rules: rules.Suite()})
//	for _, d := range r.Diagnostics {
//		fmt.Println(d.Severity, d)
//	}
//
// prints, for a package with two faults,
//
//	error crossplane.yaml:7:14: constraint-syntax: ">= v" is not a version range (spec.dependsOn[0].version)
//	error claim.yaml:1:1: object-not-allowed: example.org/v1 ExampleClaim "demo" is not allowed in a Configuration package (allowed: …)
//
// There are two sources of findings because there are two kinds of faults. What
// cannot be read (broken YAML, a version range that is none, no metadata object)
// is found by reading, comes as an error, and FromError gives it the form of a
// finding. What can be read and should still not be there is for rules. Lint does both
// for a sequence of documents, Text for bytes that an editor holds, Check for a package
// that was read before; Run runs rules alone.
//
// All findings come back, not the first, sorted by file, offset and rule, and the
// same ones in the same order every time: output may be compared with a golden
// file. Findings are results, an error means that something could not be judged.
//
// # Whose word counts
//
// A rule gives its findings a severity. The author of a package changes it, or turns
// rules off, for all files or for some, in a file .xpkg-lint.yaml (Config, ParseConfig),
// and answers a single finding with a comment that gives the reason (Check tells where
// one is looked for):
//
//	version: ">=v1.14.0" # xpkg:ignore RULE reason
//
// What a program sets in Options, such as from its flags, rules over the file; a comment
// rules over both, since what is ignored is not reported at any severity. A comment that
// ignores nothing is a finding itself. What severity is too much is the caller's to say,
// with Config.FailOn and MaxSeverity.
//
// # Mending
//
// A finding may have fixes, each a set of byte edits. Apply carries them out on the
// content of a file and leaves all other bytes as they are. Rewrite, Rename, Remove,
// Append, Prepend and Quote make fixes for rules.
//
// # Rules
//
// A rule is a value: its name, what it asks for and why, a bad and a good example,
// a severity, the kinds of packages and releases of Crossplane that it is for,
// and a function. The rules of the documents are in linter/rules, those of the
// Kubernetes API server in linter/apiserver; anybody may write others, and test
// them with linter/lintertest. The linter itself knows no rule. A rule that says
// more about the faults that another one finds names it (Rule.Supersedes), and each fault
// is told once:
//
//	&linter.Options{Rules: append(rules.Suite(), apiserver.Rules()...)}
//
//	rule := &linter.Rule{
//		ID:       "team-label",
//		Doc:      "Every object says which team owns it.",
//		Severity: linter.Warning,
//		Run: func(ctx context.Context, p *linter.Pass) error {
//			for d := range p.Package.Documents() {
//				if !d.At("metadata", "labels", "team").Found {
//					p.Reportf(linter.At(d, "metadata", "labels", "team"), "no team owns this object")
//				}
//			}
//			return nil
//		},
//	}
//
// # Rules must be cheap
//
// A provider may hold thousands of large definitions. Document.JSON, Decode and
// At read the text of a document anew, so a rule decodes only documents of the
// kinds that it is about, and several rules that need the same share a Fact, which
// is computed once in a Run. What takes long for each document is done on all cores
// with EachDocument. Rules themselves are run one after the other.
//
// # Concurrency
//
// All functions may be called from many goroutines at once, with the same package, rules
// and options too: nothing that is given to them is changed. What they return belongs to
// the caller, who may read it from many goroutines; the ranges, paths and edits in a
// finding are not to be changed, as findings may share them. A Pass is its rule's alone.
package linter
