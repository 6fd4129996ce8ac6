package compare

// Rules of changes: what Change.Rule holds.
const (
	RulePackageKind       = "package-kind-changed"     // the package is of another kind, or its metadata of another group
	RulePackageName       = "package-name-changed"     // metadata.name is another one
	RuleCrossplane        = "crossplane-narrowed"      // versions of Crossplane that would do do not any more
	RuleCapability        = "capability-removed"       // a capability is not claimed any more
	RulePermission        = "permission-added"         // a Provider asks for more than it did
	RuleDependencyAdded   = "dependency-added"         // the package depends on something new
	RuleDependencyRemoved = "dependency-removed"       // the package does not depend on something any more
	RuleDependencyRange   = "dependency-narrowed"      // versions of a dependency that would do do not any more
	RuleObjectRemoved     = "object-removed"           // an object that is no definition is gone, a Composition for example
	RuleComposition       = "composition-type-changed" // a Composition composes another kind
	RuleWebhook           = "webhook-added"            // a webhook is new, and may refuse or change what users write
	RuleWebhookChanged    = "webhook-changed"          // a webhook is another one than it was
	RuleKindRemoved       = "kind-removed"             // an API kind is gone
	RuleScope             = "scope-changed"            // objects of the kind are in namespaces and were not, or the other way
	RuleNames             = "names-changed"            // the names by which an API kind is reached changed
	RuleVersionRemoved    = "version-removed"          // a version of an API kind is gone
	RuleVersionNotServed  = "version-not-served"       // a version of an API kind is not served any more
	RuleVersionDeprecated = "version-deprecated"       // a version of an API kind is deprecated now
	RuleStorageRemoved    = "storage-version-removed"  // the version that objects are stored in is gone
	RuleStorageChanged    = "storage-version-changed"  // objects are stored in another version
	RuleReferenceable     = "referenceable-changed"    // Compositions have to name another version of a composite resource
	RuleConversion        = "conversion-changed"       // versions are converted in another way
	RuleSubresource       = "subresource-changed"      // a subresource is gone, or status has become one
	RuleSelectableField   = "selectable-field-removed" // objects cannot be selected by a field any more
	RulePrinterColumn     = "printer-column-removed"   // a column that kubectl prints is gone
	RuleConnectionKey     = "connection-key-removed"   // connection secrets do not get a key any more
	RulePolicy            = "composite-policy-changed" // a default or enforced Composition, or a default policy, changed
	RuleFieldRemoved      = "field-removed"            // a field is gone
	RuleFieldRequired     = "field-required"           // a field has to be there and did not have to be
	RuleFieldsRefused     = "unknown-fields-refused"   // fields of any name were taken and are not any more
	RuleType              = "type-changed"             // a field does not take values of a type any more
	RuleNull              = "null-refused"             // a field does not take null any more
	RuleEnum              = "enum-narrowed"            // a field does not take values any more that it took
	RuleBounds            = "bounds-narrowed"          // limits of a number, a length or a count are tighter
	RulePattern           = "pattern-changed"          // texts have to match another pattern
	RuleFormat            = "format-changed"           // a field has another format
	RuleConstraint        = "constraint-changed"       // allOf, anyOf, oneOf, not, a validation rule or the sort of a list is new or another one
	RuleDefault           = "default-changed"          // what stands for a field that is left out is another value
)
