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
