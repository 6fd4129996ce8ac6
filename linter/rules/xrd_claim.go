package rules

import (
	"strings"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

func xrdClaimNames() *linter.Rule {
	return &linter.Rule{
		ID: "xrd-claim-names",
		Doc: "A CompositeResourceDefinition that offers claims names their kind and plural, which are not those of the composite " +
			"resource: Crossplane makes a CustomResourceDefinition of each, in one group.",
		Bad: exampleXRD + goodXRDSpec + `  claimNames:
    kind: XBucket
    plural: buckets
`,
		Good: exampleXRD + goodXRDSpec + `  claimNames:
    kind: Bucket
    plural: buckets
`,
		URL:      xrdURL,
		Severity: linter.Error,
		Run: eachDefinition(isXRD, func(p *linter.Pass, def *definition) {
			claim, names := def.body.get("spec", "claimNames"), def.body.get("spec", "names")
			if claim.form != mapping {
				return
			}
			f := &findings{pass: p, doc: def.doc}
			reportNamesOf(f, meta.Path{"spec", "claimNames"}, claim)
			for _, field := range []string{"kind", "plural", "singular", "listKind"} {
				own, _ := claim.get(field).asText()
				if other, _ := names.get(field).asText(); own == other && own != "" {
					f.add(fault{path: meta.Path{"spec", "claimNames", field}, related: []linter.Related{{
						Range: linter.At(def.doc, "spec", "names", field).Range, Message: "that of the composite resource is here",
					}}}, "%s is the %s of the composite resource as well", quote(own), field)
				}
			}
			f.done()
		}),
	}
}

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

func xrdConnectionKeys() *linter.Rule {
	return &linter.Rule{
		ID: "xrd-connection-keys",
		Doc: "The keys of the connection secret of a composite resource are keys that a Secret can have, each there once: Crossplane " +
			"leaves out what comes under any other key.",
		Bad:      exampleXRD + goodXRDSpec + "  connectionSecretKeys: [user name]\n",
		Good:     exampleXRD + goodXRDSpec + "  connectionSecretKeys: [username]\n",
		URL:      xrdURL,
		Severity: linter.Warning,
		Run: eachDefinition(isXRD, func(p *linter.Pass, def *definition) {
			f := &findings{pass: p, doc: def.doc}
			path := meta.Path{"spec", "connectionSecretKeys"}
			keys, _ := def.body.get("spec", "connectionSecretKeys").asList()
			first := map[string]int{}
			for i, key := range keys {
				s, ok := key.asText()
				switch before, again := first[s]; {
				case !ok:
				case !isSecretKey(s):
					f.addf(below(path, i), "%s is not a key of a Secret (letters, digits, -, _ and .)", quote(s))
				case again:
					f.add(fault{path: below(path, i), first: below(path, before)}, "key %s is there twice", quote(s))
				default:
					first[s] = i
				}
			}
			f.done()
		}),
	}
}

func isSecretKey(s string) bool {
	const longest = 253
	return s != "" && len(s) <= longest && s != "." && !strings.HasPrefix(s, "..") && strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.')
	}) < 0
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
