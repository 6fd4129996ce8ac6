// Package rules holds the lint rules of the Crossplane package documents: the
// xpkg specification, package format v2 for packages of the IBM group, and what
// releases of Crossplane and of Kubernetes have added since.
//
//	found, err := linter.Run(ctx, pkg, &linter.Options{Rules: rules.Suite()})
//
// # Rules
//
//	metadata-name           the metadata object has a name that is a DNS-1123 subdomain
//	metadata-group          the metadata object is of the group of metadata
//	metadata-file           a directory has it in crossplane.yaml
//	metadata-required       it has the fields that its schema requires
//	metadata-labels         what it tells is in annotations, not in labels
//	metadata-unknown-field           the metadata object has no field of this name
//	annotation-key          the key of an annotation is a qualified name
//	annotation-size         annotations have 256 KiB together at most
//	annotation-missing      annotations tell what a package is
//	annotation-plain        they have the keys of the specification
//	annotation-license      the licence is an expression of SPDX
//	annotation-source       the source is a URL
//	annotation-description  the description is one sentence
//	crossplane-unversioned  the package says which versions of Crossplane it is for
//	crossplane-range        they hold one that the package is judged for
//	range-unsatisfiable     there is a version that a range holds
//	range-partial           a version is a full one, or a range
//	range-prerelease        a range is without pre-releases on purpose
//	dependency-source       what is depended on is an image repository of the OCI grammar
//	dependency-kind         a dependency says of what kind it is
//	dependency-itself       a package does not depend on itself
//	dependency-duplicate    a repository is depended on once
//	dependency-unversioned  a dependency says which versions will do
//	controller-image        the image of a controller is a reference, and no placeholder
//	controller-required     a Provider for old releases names the image of its controller
//	permission-invalid      a permission request is one that the API server takes
//	permission-verb         its verbs are not misspelt
//	permission-broad        the package asks for what it needs
//	object-not-allowed      the object is of a kind that this package may hold
//	object-partly-allowed   every Crossplane that the package admits takes the object
//	object-name             an object has a name, and a valid one
//	object-namespace        it has no namespace
//	object-duplicate        an object is in the package once
//	kind-duplicate          a kind is defined once
//	webhook-incomplete      a webhook says all that the API server asks for
//	webhook-invalid         what it says is what the API server takes
//	object-wrong-type       the fields of Compositions, Operations and policies hold values of their types
//	object-unknown-field    they, and webhook configurations, have no field of this name
//	object-empty            Compositions, Operations and policies have a spec
//	crd-wrong-type          the fields of a CRD hold values of their types
//	crd-unknown-field       a CRD has no field of this name
//	crd-name                a CRD has group, kind and plural, and is named plural.group
//	crd-scope               its scope is Cluster or Namespaced
//	crd-versions            it has a version
//	crd-storage             exactly one of them is stored
//	crd-not-served          one of them is served
//	crd-conversion          its versions are converted by nobody, or a webhook that can be called
//	crd-v1beta1             its API version is one that API servers still take
//	xrd-wrong-type          the fields of an XRD hold values of their types
//	xrd-unknown-field       an XRD has no field of this name
//	xrd-name                an XRD has group, kind and plural, and is named plural.group
//	xrd-versions            an XRD has a version
//	xrd-referenceable       exactly one of them is referenceable, and served
//	xrd-conversion          they are converted by nobody, or a webhook that can be called
//	xrd-claim-names         claims are called otherwise than composite resources
//	xrd-scope               the scope is one that the releases of Crossplane have
//	xrd-legacy-field        claims and connection secrets are for the old scope
//	xrd-connection-keys     keys of connection secrets are keys of Secrets, each there once
//	xrd-schema              the schema is one that an API server takes
//	xrd-schema-meaning      it says nothing that is passed over
//	xrd-composition         the Composition that is the default or enforced is there
//	mrd-wrong-type          the fields of a managed resource definition hold values of their types
//	mrd-unknown-field       it has no field of this name
//	mrd-invalid             it has what the definition must have that is made of it
//	composition-definition  a Composition is for a type that is defined
//	composition-resources   a Composition is of a mode that Crossplane still has
//	composition-removed-field
//	                        it has no field that Crossplane no longer has
//	composition-mode        its mode is one that there is, and has its pipeline
//	composition-patch       its patches have what their types need
//	composition-patch-path  they read and write what the composite resource has
//	pipeline-step           a step has a name of its own and calls a function
//	pipeline-function       the function is called by the name that it is installed under
//	operation-invalid       an Operation has a pipeline, a schedule, something to watch
//	activation-policy-invalid       an activation policy names something to activate
//	image-base              one layer of the image is annotated as the base layer
//	image-overwritten       no layer changes a file of an annotated one
//	image-platform          an index has one image for each platform
//	image-tag               the image has a tag that is a version
//
// The rules about images look at facts that the caller brings (linter.Options.Image), and
// what they find has no place in the package. Those that ask for what no package manager
// needs, annotations among them, do not run under the profile Install.
//
// To be installed a metadata object needs no spec: without one it depends on nothing, and is
// for all releases of Crossplane. What some of them need is asked for by name, such as
// controller-required; what only the schema of metadata asks for is metadata-required.
//
// What API servers ask of CRDs beyond that is the matter of linter/apiserver,
// which needs Kubernetes' own code.
//
// # Faults that no rule reports
//
// A metadata object that cannot be understood in full is a fault of reading, not
// of linting: parser.Collect reports it, and linter.FromError makes findings of it
// under the names that that function lists, constraint-syntax and
// dependency-source among them (what Crossplane reads and no registry can have is
// dependency-source too, and a rule's). So a package is clean only if both are:
//
//	pkg, err := parser.Collect(docs)
//	found := linter.FromError(err)
//	more, err := linter.Run(ctx, pkg, &linter.Options{Rules: rules.Suite()})
//	found = append(found, more...)
//	linter.Sort(found)
//
// # Which kinds of objects
//
// Which kinds a package may hold depends on its own kind and, for kinds that came
// later than the specification, on the release of Crossplane:
//
//	Provider       CustomResourceDefinition; MutatingWebhookConfiguration and
//	               ValidatingWebhookConfiguration from v1.7 on;
//	               ManagedResourceDefinition from v2.0 on
//	Configuration  CompositeResourceDefinition and Composition, v2 definitions
//	               from v2.0 on; ManagedResourceActivationPolicy, Operation,
//	               CronOperation and WatchOperation from v2.0 on
//	Function       CustomResourceDefinition
//	IBM group      CustomResourceDefinition, CompositeResourceDefinition and
//	               Composition, in a Provider and in a Configuration
//
// # Errors and concurrency
//
// Rules report findings; what goes wrong in one is a *linter.RuleError of linter.Run, as
// for any rule. [Suite] makes new values each time: they belong to the caller, who
// may leave some out or change a severity, and may be run by many goroutines at once.
package rules
