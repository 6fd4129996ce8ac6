package linter

import (
	"sync"

	"github.com/xpkg-go/sdk/parser"
)

// The rules of findings about linting itself.
const (
	// RuleFailed: a rule panicked or could not be applied, so that what it is about is
	// not known to be right.
	RuleFailed = "rule-failed"
	// RuleIgnoreSyntax: a comment xpkg:ignore names no rule or gives no reason.
	RuleIgnoreSyntax = "ignore-syntax"
	// RuleIgnoreUnused: a comment xpkg:ignore ignores nothing.
	RuleIgnoreUnused = "ignore-unused"
)

// header is a metadata object for examples to go on from.
const header = `apiVersion: meta.pkg.crossplane.io/v1
kind: Configuration
metadata:
  name: demo
`

// Builtin returns the rules of the findings that no rule of Options reports: the faults
// of reading, and those of linting itself. They have no Run function and cannot be given
// to Run: the values are for documentation, for reports that describe the rules of their
// findings, and for configurations, which may name them. The values are the caller's own.
func Builtin() []*Rule {
	return append(readingRules(), ownRules()...)
}

// The same for use within the package, made once: nobody may change them.
var (
	reading = sync.OnceValue(readingRules)
	builtin = sync.OnceValue(Builtin)
)

func ownRules() []*Rule {
	return []*Rule{
		{ID: RuleFailed, Severity: Error, Doc: "A rule could be applied to the package. Where one could not, or had a fault of its own, what it asks for is not known to be there."},
		{ID: RuleIgnoreSyntax, Severity: Warning, Doc: "A comment xpkg:ignore names a rule, or several with commas between them, and gives a reason for whoever reads it next. Without both it ignores nothing.",
			Bad: header + "  # xpkg:ignore metadata-name\n", Good: header},
		{ID: RuleIgnoreUnused, Severity: Warning, Doc: "A comment xpkg:ignore ignores something. One that does not has outlived its reason, stands in the wrong place, or misspells its rule, and would hide a fault to come.",
			Bad: header + "  # xpkg:ignore yaml-syntax the generator writes it so\n", Good: header},
	}
}

func readingRules() []*Rule {
	rules := []*Rule{
		{ID: parser.RuleSyntax, Doc: "A document is YAML that JSON can express. What cannot be read is passed over, and all else is judged.",
			Bad: header + "---\nkind: [\n", Good: header + "spec: {}\n"},
		{ID: parser.RuleDuplicateKey, Doc: "A mapping has a key once. Readers differ in which of two they take, and many refuse the document.",
			Bad: header + "  name: other\n", Good: header},
		{ID: parser.RuleEmptyFile, Doc: "A file of a package holds a document, or at least a comment; crossplane.yaml holds a document. An empty one is often a file that was never written.",
			Bad: "\n", Good: header},
		{ID: parser.RuleNotUTF8, Doc: "A text is UTF-8, or UTF-16 with a byte order mark.",
			Bad: header + "  labels: {a: \xff}\n", Good: header + "  labels: {a: b}\n"},
		{ID: parser.RuleNotObject, Doc: "Every document is an object: a mapping.",
			Bad: header + "---\n- a\n- b\n", Good: header},
		{ID: parser.RuleMissingKind, Doc: "Every object says of which kind it is.",
			Bad: header + "---\napiVersion: v1\nmetadata: {name: demo}\n", Good: header},
		{ID: parser.RuleMissingAPIVersion, Doc: "Every object says of which API version it is.",
			Bad: header + "---\nkind: Composition\nmetadata: {name: demo}\n", Good: header},
		{ID: parser.RuleMetadataMissing, Doc: "A package has a metadata object: a Provider, Configuration or Function of meta.pkg.crossplane.io, in a directory in the file crossplane.yaml.",
			Bad: "apiVersion: apiextensions.crossplane.io/v1\nkind: Composition\nmetadata: {name: demo}\n", Good: header},
		{ID: parser.RuleMetadataMultiple, Doc: "A package has one metadata object.",
			Bad: header + "---\n" + header, Good: header},
		{ID: parser.RuleMetadataInvalid, Doc: "The fields of the metadata object hold values of their types.",
			Bad: header + "spec:\n  dependsOn: everything\n", Good: header + "spec:\n  dependsOn: []\n"},
		{ID: parser.RuleConstraint, Doc: "A version range is one that Crossplane can read.",
			Bad: header + "spec:\n  crossplane:\n    version: \">= v\"\n", Good: header + "spec:\n  crossplane:\n    version: \">=v1.14.0\"\n"},
		{ID: RuleDependencySource, Doc: "What a dependency is on is an image repository; the version, which is a tag or digest or a range of tags, is its version field's.",
			Bad:  header + "spec:\n  dependsOn:\n  - provider: example.org/provider-demo:v1.0.0\n    version: v1.0.0\n",
			Good: header + "spec:\n  dependsOn:\n  - provider: example.org/provider-demo\n    version: v1.0.0\n"},
		{ID: RuleDependencyIncomplete, Doc: "A dependency says in one way what it is on.",
			Bad:  header + "spec:\n  dependsOn:\n  - version: v1.0.0\n",
			Good: header + "spec:\n  dependsOn:\n  - provider: example.org/provider-demo\n    version: v1.0.0\n"},
		{ID: parser.RuleLimit, Doc: "A package stays within the limits of reading, which keep a hostile one from taking all memory: of bytes, documents, nesting and faults."},
		{ID: parser.RuleUnreadable, Doc: "A file can be read. A finding of this rule is a failure of the machine or of its permissions rather than a fault of the package."},
	}
	for _, r := range rules {
		r.Severity = Error
	}
	return rules
}
