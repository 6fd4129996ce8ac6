package rules

import (
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

func xrdClaimNames() *linter.Rule {
	return &linter.Rule{
		ID: "xrd-claim-names",
		Doc: "A CompositeResourceDefinition that offers claims names their kind and plural. No name of theirs is one of the composite " +
			"resource: Crossplane makes a CustomResourceDefinition of each, in one group. A singular name that is not said is the " +
			"kind in small letters.",
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
			told := map[string]bool{}
			reportSameNames(f, kindNames(claim), kindNames(names), told)
			reportSameNames(f, resourceNames(claim), resourceNames(names), told)
			f.done()
		}),
	}
}

// apiName is a name that an API is called by, and where it is said or, where it is made of
// another one, that one.
type apiName struct {
	name, what string
	path       meta.Path // within the names
}

// resourceNames are the names of an API in paths, of which no other API of the group may
// have one.
func resourceNames(names *value) []apiName {
	var list []apiName
	add := func(name, what string, path ...any) {
		if name != "" {
			list = append(list, apiName{name, what, path})
		}
	}
	add(names.get("plural").text, "plural", "plural")
	if singular, _ := names.get("singular").asText(); singular != "" {
		add(singular, "singular", "singular")
	} else {
		add(strings.ToLower(names.get("kind").text), "singular", "kind")
	}
	short, _ := names.get("shortNames").asList()
	for i, s := range short {
		add(s.text, "short name", "shortNames", i)
	}
	return list
}

// kindNames are the names of the objects and lists of an API.
func kindNames(names *value) []apiName {
	kind, list := names.get("kind").text, names.get("listKind").text
	switch {
	case kind == "":
		return nil
	case list == "":
		return []apiName{{kind, "kind", meta.Path{"kind"}}, {kind + "List", "listKind", meta.Path{"kind"}}}
	}
	return []apiName{{kind, "kind", meta.Path{"kind"}}, {list, "listKind", meta.Path{"listKind"}}}
}

// reportSameNames reports names of claims that the composite resource has, one at each
// place.
func reportSameNames(f *findings, claim, composite []apiName, told map[string]bool) {
	for _, own := range claim {
		i := slices.IndexFunc(composite, func(other apiName) bool { return other.name == own.name })
		if i < 0 || told[own.path.String()] {
			continue
		}
		told[own.path.String()] = true
		f.add(fault{path: append(meta.Path{"spec", "claimNames"}, own.path...), related: []linter.Related{{
			Range: linter.At(f.doc, append(meta.Path{"spec", "names"}, composite[i].path...)...).Range, Message: "that of the composite resource is here",
		}}}, "%s is the %s of the composite resource as well", quote(own.name), composite[i].what)
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
				s, ok := key.itemText()
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
