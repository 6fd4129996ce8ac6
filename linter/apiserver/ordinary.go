package apiserver

// ordinary reads a schema of a definition, once and without building anything, and
// says whether it is one of which it is certain that the API server accepts it and
// drops nothing of it. It knows what generated definitions are made of; everything
// else, and everything that may be at fault, it leaves to the API server's code.
// That none is passed which that code refuses is what TestOrdinary holds it to.
type ordinary struct {
	ruled  []ruled // the schemas within that have rules, those within others first
	hidden int     // how many schemas of anything there are, of which rules cannot speak
}

// trivial is what an ordinary schema is replaced with for the rest of the definition to be judged.
const trivial = `{"type":"object"}`

// maxDepth bounds the recursion; a schema that is deeper is not ordinary.
const maxDepth = 100

// accepts reads the schema of a version of a definition.
func (o *ordinary) accepts(c *cursor) bool {
	if _, ok := o.schema(c, place{root: true}); !ok {
		return false
	}
	total, ok := totalCost(o.ruled)
	return ok && total <= maxTotalCost
}

// place is where a schema stands.
type place struct {
	root  bool
	depth int
}

// node is what the schema around needs to know of one within.
type node struct {
	kind     string
	nullable bool
	raw      []byte
}

// scalar reports whether the values of the node have no parts.
func (n *node) scalar() bool { return n.kind != "object" && n.kind != "array" && n.kind != "" }

// keywords of a schema that need others of the same schema.
type keywords struct {
	items                              node
	properties, extra                  bool // are there properties, is there additionalProperties
	listType, mapType                  string
	preserve, embedded, either, both   bool
	maxItems, maxProperties            []byte
	listKeys, fallback, rules, pattern []byte
}

// schema reads one schema with all that is within.
func (o *ordinary) schema(c *cursor, at place) (node, bool) {
	var n node
	var k keywords
	if at.depth > maxDepth || !c.open('{') {
		return n, false
	}
	start, within, hidden := c.i-1, len(o.ruled), o.hidden
	for c.more('}') {
		if key := c.key(); c.lost || !o.keyword(c, at, string(key), &n, &k) || c.lost {
			return n, false
		}
	}
	n.raw = c.b[start:c.i]
	if c.lost || !fits(at, &n, &k) {
		return n, false
	}
	if n.kind == "" && !k.either {
		o.hidden++
	}
	for i := range o.ruled[within:] {
		o.ruled[within+i].below(&n, &k)
	}
	if k.rules != nil {
		o.ruled = append(o.ruled, ruled{node: n, rules: k.rules, root: at.root, hidden: k.preserve || o.hidden > hidden, times: 1})
	}
	return n, true
}

// keyword reads the value of one keyword. What the root may have is less: with a
// status, the API server takes few others there.
func (o *ordinary) keyword(c *cursor, at place, key string, n *node, k *keywords) bool {
	below := place{depth: at.depth + 1}
	switch key {
	case "description", "title":
		c.text()
		return true
	case "type":
		if n.kind != "" {
			return false
		}
		switch kind := string(c.text()); kind {
		case "string", "integer", "number", "boolean", "array", "object":
			n.kind = kind
			return true
		}
		return false
	case "properties":
		if k.properties || !c.open('{') {
			return false
		}
		k.properties = true
		for c.more('}') {
			name := c.key()
			if at.root && isMeta(string(name)) {
				if !metaSchema(string(name), c.skip()) {
					return false
				}
				continue
			}
			if _, ok := o.schema(c, below); !ok || len(name) == 0 {
				return false
			}
		}
		return true
	case "required":
		return stringList(c)
	case "x-kubernetes-preserve-unknown-fields":
		k.preserve = true
		return string(c.skip()) == "true"
	case "x-kubernetes-validations":
		k.rules = c.skip()
		return true
	}
	if at.root {
		return false
	}
	switch key {
	case "items":
		var ok bool
		repeated := k.items.raw != nil
		k.items, ok = o.schema(c, below)
		return ok && !repeated
	case "additionalProperties":
		k.extra = true
		if c.peek() == '{' {
			_, ok := o.schema(c, below)
			return ok
		}
		return string(c.skip()) == "true"
	case "format":
		c.text()
		return true
	case "enum":
		return scalarList(c)
	case "default":
		k.fallback = c.skip()
		return true
	case "nullable":
		value := string(c.skip())
		n.nullable = value == "true"
		return value == "true" || value == "false"
	case "pattern":
		k.pattern = c.skip()
		return true
	case "maxItems", "maxProperties":
		value := c.skip()
		if key == "maxItems" {
			k.maxItems = value
		} else {
			k.maxProperties = value
		}
		return wholeNumber(value)
	case "minLength", "maxLength", "minItems", "minProperties":
		return wholeNumber(c.skip())
	case "minimum", "maximum":
		return plainNumber(c.skip(), maxBound)
	case "x-kubernetes-list-type":
		k.listType = string(c.text())
		return true
	case "x-kubernetes-list-map-keys":
		k.listKeys = c.skip()
		return true
	case "x-kubernetes-embedded-resource":
		k.embedded = true
		return string(c.skip()) == "true"
	case "x-kubernetes-int-or-string":
		k.either = true
		return string(c.skip()) == "true"
	case "oneOf", "anyOf":
		value := c.skip()
		both := key == "anyOf" && string(value) == intOrString
		k.both = k.both || both
		return both || required(value)
	case "x-kubernetes-map-type":
		k.mapType = string(c.text())
		return k.mapType == "atomic" || k.mapType == "granular"
	}
	return false
}

// fits holds the keywords of a schema against each other.
func fits(at place, n *node, k *keywords) bool {
	object := n.kind == "object"
	switch {
	case n.kind == "" && (at.root || k.rules != nil || !anything(n.raw) && !isEither(n.raw)),
		n.kind != "" && (k.either || k.both),
		k.embedded && (!object || !k.preserve || k.properties || k.extra || k.rules != nil),
		at.root && !object,
		(k.properties || k.extra || k.preserve && n.kind != "" || k.mapType != "") && !object,
		k.properties && k.extra,
		(k.items.raw != nil) != (n.kind == "array"),
		(k.listType != "" || k.listKeys != nil) && n.kind != "array",
		k.listKeys != nil && k.listType != "map":
		return false
	}
	switch k.listType {
	case "", "atomic":
	case "set":
		if !k.items.scalar() || k.items.nullable {
			return false
		}
	case "map":
		if k.items.nullable || !keyed(&k.items, k.listKeys) {
			return false
		}
	default:
		return false
	}
	if k.pattern != nil {
		if pattern, ok := unquote(k.pattern); !ok || !compiles(pattern) {
			return false
		}
	}
	if k.fallback != nil && !takes(n.raw, k.fallback, at.depth) {
		return false
	}
	return true
}
