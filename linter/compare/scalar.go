package compare

// scalars compares what two schemas demand of texts, numbers and booleans. The old
// one accepts any value of its type but for its limits.
func (d *schemaDiff) scalars(old, new node, at spot) {
	tighter := tightened(old.schema, new.schema)
	_, hasEnum := new.schema["enum"]
	if len(tighter) == 0 && !hasEnum {
		return
	}
	var accepted []any
	for _, v := range candidates(old.schema, new.schema) {
		if d.accepts(old.schema, v) == yes {
			accepted = append(accepted, v)
		}
	}
	if enum := new.schema.list("enum"); len(enum) > 0 {
		listed, certain := keys(enum), unknown
		if typesOf(old.schema) == aBoolean && listed["true"] && listed["false"] {
			return
		}
		for _, v := range accepted {
			if !listed[keyOf(v)] {
				certain = yes
			}
		}
		d.report(RuleEnum, certain, old, new.child(nil, "enum"), at, "%s: any %s was accepted, now only %s", d.api, typesOf(old.schema), enumerate(enum, show))
	}
	for _, keyword := range tighter {
		d.limit(keyword, accepted, old, new, at)
	}
}

// limit reports a limit that is tighter. accepted are values that the old schema
// accepts.
func (d *schemaDiff) limit(keyword string, accepted []any, old, new node, at spot) {
	certain := unknown
	var witness any
	for _, v := range accepted {
		if d.obeys(new.schema, keyword, v) == no {
			certain, witness = yes, v
			break
		}
	}
	rule := RuleBounds
	switch keyword {
	case "pattern":
		rule = RulePattern
	case "format":
		rule = RuleFormat
	}
	oldAt, newAt := old.child(nil, keyword), new.child(nil, keyword)
	example := ""
	if s, ok := witness.(string); ok && rule != RuleBounds {
		example = ": " + show(s) + " was accepted"
	}
	if was, had := old.schema[keyword]; had && !equal(was, new.schema[keyword]) {
		d.report(rule, certain, oldAt, newAt, at, "%s: %s changed from %s to %s%s", d.api, keyword, show(was), show(new.schema[keyword]), example)
		return
	}
	if _, had := old.schema[keyword]; had { // it is the same number
		d.report(rule, certain, oldAt, newAt, at, "%s: the %s %s is not accepted itself any more", d.api, keyword, show(new.schema[keyword]))
		return
	}
	d.report(rule, certain, oldAt, newAt, at, "%s: there is a %s now, %s%s", d.api, keyword, show(new.schema[keyword]), example)
}

// tightened are the limits of the new schema that may refuse what those of the old
// one accept.
func tightened(old, new object) []string {
	var list []string
	t := typesOf(old)
	for _, keyword := range limits {
		if _, set := new[keyword]; set && t&typesUnder(keyword) != 0 && !looser(old, new, keyword) {
			list = append(list, keyword)
		}
	}
	return list
}

// typesUnder are the types of values that a limit says something of.
func typesUnder(keyword string) types {
	switch keyword {
	case "minLength", "maxLength", "pattern":
		return aText
	case "format":
		return aText | anInteger
	default:
		return anInteger
	}
}

// looser says that a limit of the new schema refuses nothing that the same limit of
// the old one accepts.
func looser(old, new object, keyword string) bool {
	a, hadNumber := old.number(keyword)
	b, isNumber := new.number(keyword)
	switch keyword {
	case "minLength":
		return !isNumber || b <= 0 || hadNumber && b <= a
	case "maxLength":
		return !isNumber || hadNumber && b >= a
	case "minimum":
		return !isNumber || hadNumber && (b < a || b == a && (old.truth("exclusiveMinimum") || !new.truth("exclusiveMinimum")))
	case "maximum":
		return !isNumber || hadNumber && (b > a || b == a && (old.truth("exclusiveMaximum") || !new.truth("exclusiveMaximum")))
	case "multipleOf":
		if !isNumber || b <= 0 || hadNumber && a == b {
			return true
		}
		one := typesOf(old)&aFraction == 0 && b == 1
		return one || hadNumber && numberObeys(new, keyword, a) == yes
	case "pattern":
		if old.text(keyword) == new.text(keyword) {
			return true
		}
		return matchesAnything(new.text(keyword))
	case "format":
		return looserFormat(old.text(keyword), new.text(keyword))
	}
	return false
}

// matchesAnything knows the common spellings of a pattern that refuses nothing.
func matchesAnything(pattern string) bool {
	switch pattern {
	case "", "^", "$", ".*", "(?s).*", "(?s)^.*$":
		return true
	}
	return false
}

// looserFormat says that a format refuses nothing that another one accepts. Those of
// numbers are held to be no limits, save that a smaller integer is one; so is a
// format that the API server passes over.
func looserFormat(was, is string) bool {
	switch is {
	case was, "", "int64", "float", "double", "password":
		return true
	case "int32":
		return false
	}
	return textHasFormat(is, letter) == yes
}
