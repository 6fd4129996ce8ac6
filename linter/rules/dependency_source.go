package rules

import (
	"context"
	"errors"
	"regexp"
	"strconv"
	"strings"

	"github.com/xpkg-go/sdk/linter"
)

func dependencySource() *linter.Rule {
	return &linter.Rule{
		ID: linter.RuleDependencySource,
		Doc: "What a dependency names is an image repository: an optional registry, which is a host with an optional port, and " +
			"a path as the OCI distribution specification has it. Crossplane reads more than that, and then finds no registry " +
			"that has it.",
		Bad: headConfiguration + `spec:
  dependsOn:
  - provider: oci://example.org/provider-demo
    version: ">=v1.0.0"
`,
		Good: headDependency + `    version: ">=v1.0.0"
`,
		URL:      "https://github.com/opencontainers/distribution-spec/blob/main/spec.md#pulling-manifests",
		Severity: linter.Error,
		Run: func(_ context.Context, p *linter.Pass) error {
			if p.Package.Meta == nil {
				return nil
			}
			placed, more := 0, 0
			for _, d := range p.Package.Meta.DependsOn {
				// What is no source at all is a fault of reading.
				if d.Package.IsZero() || d.Package.Err() != nil {
					continue
				}
				err := checkRepository(d.Package.String(), d.Package.HasRegistry())
				switch {
				case err == nil:
				case placed == maxPlaced:
					more++
				default:
					placed++
					p.Reportf(linter.At(p.Package.Header, d.Path(string(d.Spelling))...), "%s is not an image repository (%v)", quote(d.Package.String()), err)
				}
			}
			if more > 0 {
				p.Reportf(linter.At(p.Package.Header, "spec", "dependsOn"), "%d more dependencies are on no image repository", more)
			}
			return nil
		},
	}
}

var (
	// A component of <name> in the OCI distribution specification.
	pathComponent = regexp.MustCompile(`^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$`)
	// A host as container tools read it in a reference, without its port.
	hostName = regexp.MustCompile(`^(?:(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])(?:\.(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9]))*|\[[a-fA-F0-9:]+\])$`)
)

// checkRepository says what keeps the name of a repository, with or without a
// registry in front, from being one.
func checkRepository(name string, hasRegistry bool) error {
	if scheme, _, ok := strings.Cut(name, "://"); ok {
		return errors.New("leave out the scheme " + clip(scheme) + "://")
	}
	path := name
	if hasRegistry {
		var registry string
		registry, path, _ = strings.Cut(name, "/")
		if err := checkRegistry(registry); err != nil {
			return err
		}
	}
	for component := range strings.SplitSeq(path, "/") {
		switch {
		case component == "":
			return errors.New("an element of its path is empty")
		case !pathComponent.MatchString(component):
			return errors.New("the element " + quote(component) + " of its path is not lower case letters and digits, " +
				"joined by one dot, one or two underscores, or hyphens")
		}
	}
	return nil
}

func checkRegistry(registry string) error {
	host, port := registry, ""
	if i := strings.LastIndexByte(registry, ':'); i > strings.LastIndexByte(registry, ']') {
		host, port = registry[:i], registry[i+1:]
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return errors.New(quote(port) + " is not a port from 1 to 65535")
		}
	}
	if !hostName.MatchString(host) {
		return errors.New(quote(host) + " is not the host of a registry")
	}
	return nil
}
