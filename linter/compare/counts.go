package compare

import "strconv"

// counts compares how many fields or items there may be.
func (d *schemaDiff) counts(old, new node, at spot, least, most string) {
	wasLeast, _ := old.schema.number(least)
	wasMost, hadMost := old.schema.number(most)
	isLeast, _ := new.schema.number(least)
	isMost, hasMost := new.schema.number(most)
	certain := max(unknown, verdictOf(!composed(old.schema) && canCount(old.schema, d.oldOpen)))
	if isLeast > wasLeast {
		// The fewest that there were: those that had to be there.
		fewest := max(wasLeast, float64(len(old.schema.list("required"))))
		if fewest < isLeast {
			d.report(RuleBounds, certain, old.child(nil, least), new.child(nil, least), at, "%s: %s changed from %s to %s", d.api, least, showNumber(wasLeast), showNumber(isLeast))
		}
	}
	switch {
	case !hasMost || hadMost && wasMost <= isMost:
	case hadMost:
		d.report(RuleBounds, certain, old.child(nil, most), new.child(nil, most), at, "%s: %s changed from %s to %s", d.api, most, showNumber(wasMost), showNumber(isMost))
	case isMost >= float64(d.mostFields(old)):
	default:
		d.report(RuleBounds, certain, old.child(nil, most), new.child(nil, most), at, "%s: there is a %s now, %s", d.api, most, showNumber(isMost))
	}
}

func showNumber(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// mostFields is how many fields a mapping may have that knows all of them, else a
// number beyond all limits.
func (d *schemaDiff) mostFields(n node) int {
	const beyond = 1 << 62
	if rest, _ := othersOf(n, d.oldOpen); rest != refused || typesOf(n.schema)&aList != 0 {
		return beyond
	}
	return len(n.schema.object("properties"))
}

// canCount says whether a mapping or list can be made of as many fields or items as
// its limits say: items that need not differ, and fields of any name.
func canCount(s object, open bool) bool {
	if typesOf(s)&aMapping != 0 {
		rest, _ := othersOf(node{schema: s}, open)
		return rest != refused
	}
	return listType(s) == listAtomic
}

// Sorts of lists.
const (
	listAtomic = "atomic"
	listSet    = "set"
	listMap    = "map"
)

// listType is the sort of a list; that of no demands where none is said, which demands nothing
// of the items.
func listType(s object) string {
	if t := s.text("x-kubernetes-list-type"); t != "" {
		return t
	}
	return listAtomic
}

func (d *schemaDiff) list(old, new node, at spot) {
	was, is := listType(old.schema), listType(new.schema)
	most, limited := old.schema.number("maxItems")
	least, _ := old.schema.number("minItems")
	roomy := !composed(old.schema) && (!limited || most >= 1) && (least <= 1 || was == listAtomic)
	_, had := old.schema["items"]
	_, has := new.schema["items"]
	if had || has {
		d.compare(old.child(old.schema.object("items"), "items"), new.child(new.schema.object("items"), "items"), at.part("[]", roomy))
	}
	d.counts(old, new, at, "minItems", "maxItems")
	const keyword = "x-kubernetes-list-type"
	oldAt, newAt := old.child(nil, keyword), new.child(nil, keyword)
	switch {
	case was != is && was == listAtomic && is == listSet:
		certain := max(unknown, verdictOf(roomy && (!limited || most >= 2)))
		d.report(RuleConstraint, certain, oldAt, newAt, at, "%s: an item could be there twice and cannot any more (the list is a set now)", d.api)
	case was != is && is != listAtomic:
		d.report(RuleConstraint, unknown, oldAt, newAt, at, "%s: the list changed from %s to %s", d.api, plain(was), plain(is))
	case is == listMap && !equal(old.schema["x-kubernetes-list-map-keys"], new.schema["x-kubernetes-list-map-keys"]):
		const keys = "x-kubernetes-list-map-keys"
		d.report(RuleConstraint, unknown, old.child(nil, keys), new.child(nil, keys), at, "%s: the keys of the list changed from %s to %s", d.api,
			enumerate(old.schema.texts(keys), quote), enumerate(new.schema.texts(keys), quote))
	}
}

// constraints tells of what a schema demands beside its own keywords and what cannot
// be decided. What is gone refuses nothing.
func (d *schemaDiff) constraints(old, new node, at spot) {
	for _, keyword := range []string{"allOf", "anyOf", "oneOf", "not"} {
		is, has := new.schema[keyword]
		if !has || equal(old.schema[keyword], is) {
			continue
		}
		d.report(RuleConstraint, unknown, old.child(nil, keyword), new.child(nil, keyword), at, "%s: %s is new or changed, and may refuse what was accepted", d.api, keyword)
	}
	known := map[string]bool{}
	const keyword = "x-kubernetes-validations"
	for _, r := range old.schema.objects(keyword) {
		known[r.text("rule")] = true
	}
	for i, r := range new.schema.objects(keyword) {
		if rule := r.text("rule"); !known[rule] {
			d.report(RuleConstraint, unknown, old.child(nil, keyword), new.child(nil, keyword, i, "rule"), at, "%s: the validation rule %s is new, and may refuse what was accepted", d.api, quote(rule))
		}
	}
}
