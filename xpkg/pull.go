package xpkg

// PullPolicy says when a registry is asked for what a cache may have
// (packages-guide, "spec.packagePullPolicy").
type PullPolicy string

const (
	// IfNotPresent asks for what the cache does not have: a tag that it knows
	// is not looked up again. It is the default.
	IfNotPresent PullPolicy = "IfNotPresent"
	// Always asks which image a tag names now, with one request, and for what
	// the cache does not have of it.
	Always PullPolicy = "Always"
	// Never makes no request.
	Never PullPolicy = "Never"
)
