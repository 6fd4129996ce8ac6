// Package compare says what a new release of a package breaks for who uses the old
// one.
//
//	changes, err := compare.Packages(ctx, old, new)
//	for _, c := range changes {
//		fmt.Println(c.Severity, c)
//	}
//
// prints, for a provider that dropped a field and a version,
//
//	error field-removed: example.org/v1 Bucket has no such field any more (spec.region), old crd.yaml:20:17, new crd.yaml:16:15
//	error storage-version-removed: objects are stored as example.org/v1alpha2 Bucket, which is gone: … (spec.versions[1]), old …
//
// Compared are the metadata objects (kind, range of Crossplane, dependencies,
// permissions, capabilities), the API kinds that definitions make (names, scope,
// versions, schemas and what else a version has), what a composite resource
// definition says of its Compositions and connection secrets, Compositions, and
// webhooks. Every change has a rule, a severity, the API kind and the field that
// it is about, and its place in both packages.
//
// # What is an error
//
// An error breaks somebody: a request that the old package served, or an object that
// it accepted, fails with the new one. Of schemas that is said only where there is
// such an object: a value is looked for that the old schema accepts and the new one
// does not. Where none is found and none can be excluded, or where validation rules
// have their say, the change is a warning, and worth a look. A field that is gone
// counts as refused: API servers drop it, and refuse it where fields are validated
// strictly, as kubectl wants it. Changes that only add are not told, save
// for a default that is new and a version that is deprecated, which are worth
// knowing.
//
// What only controllers write, the status of objects, is held to be read: fields
// that are gone or of another type are errors there, tighter limits are warnings.
//
// What cannot be compared is not: the code of a controller, the pipelines of
// Compositions, and the meaning of a field that looks as it did.
//
// [Packages] may be called by many goroutines at once, for the same packages too. What it
// returns belongs to the caller. Its only error is the end of its context, which matches
// meta.ErrCanceled.
package compare
