package rules

import (
	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

// Scopes of composite resources.
const (
	scopeNamespaced = "Namespaced"
	scopeCluster    = "Cluster"
	scopeLegacy     = "LegacyCluster"
)

// firstWithScope is the release of Crossplane that brought scopes.
const firstWithScope = "v2.0"

func xrdScope() *linter.Rule {
	return &linter.Rule{
		ID: "xrd-scope",
		Doc: "The scope of a composite resource is Namespaced or Cluster. LegacyCluster, whose resources can be claimed, is for " +
			"definitions of apiextensions.crossplane.io/v1, where it is the default; the API server refuses it in v2, though " +
			"it is documented. Releases of Crossplane before v2.0 know no scope.",
		Bad: version2(exampleXRD) + goodXRDSpec + `  scope: Namespace
`,
		Good: version2(exampleXRD) + goodXRDSpec + `  scope: Namespaced
`,
		URL:      xrdURL,
		Severity: linter.Error,
		Run: eachDefinition(isXRD, func(p *linter.Pass, def *definition) {
			scope, ok := def.body.get("spec", "scope").asText()
			if !ok || scope == "" || !def.hasVersionList() {
				return
			}
			f := &findings{pass: p, doc: def.doc}
			at := fault{path: meta.Path{"spec", "scope"}}
			switch {
			case scope == scopeLegacy && def.doc.APIVersion == xrdV2:
				at.severity = linter.Warning
				f.add(at, "%s is for definitions of %s (Namespaced or Cluster is expected)", quote(scope), xrdV1)
			case scope != scopeNamespaced && scope != scopeCluster && scope != scopeLegacy:
				near := nearest(scope, map[string]*shape{scopeNamespaced: nil, scopeCluster: nil, scopeLegacy: nil})
				if def.doc.APIVersion == xrdV2 && near != scopeLegacy || p.Releases.Every(firstWithScope, "") {
					at.rewrite = near
				}
				f.add(at, "%s is not a scope (Namespaced or Cluster)", quote(scope))
			case scope != scopeLegacy && def.doc.APIVersion != xrdV2 && p.Releases.Some("", firstWithScope):
				at.severity, at.key = linter.Warning, true
				f.add(at, "before %s, Crossplane drops the scope, and makes a cluster scoped resource", firstWithScope)
			}
		}),
	}
}

func xrdLegacyField() *linter.Rule {
	return &linter.Rule{
		ID: "xrd-legacy-field",
		Doc: "Claims and connection secrets are for composite resources of the scope LegacyCluster, which is that of definitions " +
			"of apiextensions.crossplane.io/v1 that say no other. The API server refuses them in others.",
		Bad: version2(exampleXRD) + goodXRDSpec + `  scope: Namespaced
  claimNames:
    kind: Bucket
    plural: buckets
`,
		Good:     version2(exampleXRD) + goodXRDSpec + "  scope: Namespaced\n",
		URL:      xrdURL,
		Severity: linter.Error,
		Since:    firstWithScope,
		Run: eachDefinition(isXRD, func(p *linter.Pass, def *definition) {
			scope, modern := def.scope()
			if !modern {
				return
			}
			f := &findings{pass: p, doc: def.doc}
			for _, legacy := range [][2]string{{"claimNames", "claims"}, {"connectionSecretKeys", "connection secrets"}} {
				if v := def.body.get("spec", legacy[0]); !v.isAbsent() {
					f.add(fault{path: meta.Path{"spec", legacy[0]}, key: true},
						"a composite resource of the scope %s has no %s", scope, legacy[1])
				}
			}
		}),
	}
}

// scope is that of a composite resource, and whether it is one that came with
// Crossplane v2.0. It is "" when it is no scope.
func (def *definition) scope() (scope string, modern bool) {
	scope, ok := def.body.get("spec", "scope").asText()
	switch {
	case !ok:
		return "", false
	case scope == "" && def.doc.APIVersion == xrdV2:
		return scopeNamespaced, true
	case scope == "":
		return scopeLegacy, false
	}
	return scope, scope == scopeNamespaced || scope == scopeCluster
}
