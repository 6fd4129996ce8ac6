package apiserver

// ordinary reads a schema of a definition, once and without building anything, and
// says whether it is one of which it is certain that the API server accepts it and
// drops nothing of it. It knows what generated definitions are made of; everything
// else, and everything that may be at fault, it leaves to the API server's code.
// That none is passed which that code refuses is what TestOrdinary holds it to.
type ordinary struct {
	cost uint64 // of the rules of the schema
}

// trivial is what an ordinary schema is replaced with for the rest of the definition to be judged.
const trivial = `{"type":"object"}`

// maxDepth bounds the recursion; a schema that is deeper is not ordinary.
const maxDepth = 100

// accepts reads the schema of a version of a definition.
func (o *ordinary) accepts(c *cursor) bool {
	o.cost = 0
	_, ok := o.schema(c, place{root: true, single: true})
	return ok && o.cost <= maxTotalCost
}

// place is where a schema stands.
type place struct {
	root bool
	// single says that an object has at most one value of the schema: there are
	// only properties above.
	single bool
	depth  int
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
	preserve                           bool
	listKeys, fallback, rules, pattern []byte
}

// schema reads one schema with all that is within.
func (o *ordinary) schema(c *cursor, at place) (node, bool) {
	var n node
	var k keywords
	if at.depth > maxDepth || !c.open('{') {
		return n, false
	}
	start := c.i - 1
	for c.more('}') {
		if key := c.key(); c.lost || !o.keyword(c, at, string(key), &n, &k) || c.lost {
			return n, false
		}
	}
	n.raw = c.b[start:c.i]
	return n, !c.lost && o.fits(at, &n, &k)
}

// keyword reads the value of one keyword. What the root may have is less: with a
// status, the API server takes few others there.
func (o *ordinary) keyword(c *cursor, at place, key string, n *node, k *keywords) bool {
	below := place{single: at.single, depth: at.depth + 1}
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
	}
	if at.root {
		return false
	}
	below.single = false
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
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
		return wholeNumber(c.skip())
	case "minimum", "maximum":
		return plainNumber(c.skip(), maxBound)
	case "x-kubernetes-list-type":
		k.listType = string(c.text())
		return true
	case "x-kubernetes-list-map-keys":
		k.listKeys = c.skip()
		return true
	case "x-kubernetes-map-type":
		k.mapType = string(c.text())
		return k.mapType == "atomic" || k.mapType == "granular"
	case "x-kubernetes-validations":
		k.rules = c.skip()
		return true
	}
	return false
}

// fits holds the keywords of a schema against each other.
func (o *ordinary) fits(at place, n *node, k *keywords) bool {
	object := n.kind == "object"
	switch {
	case n.kind == "",
		at.root && !object,
		(k.properties || k.extra || k.preserve || k.mapType != "") && !object,
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
	if k.rules != nil {
		cost, ok := costOf(n, k.rules)
		if !ok || !at.single || k.preserve || !object && (!n.scalar() || n.nullable) {
			return false
		}
		o.cost += cost
	}
	return true
}
