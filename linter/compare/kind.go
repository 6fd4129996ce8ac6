package compare

import (
	"slices"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

// compare compares the kind with the same kind of the new definition.
func (d *kindDiff) compare(is meta.ProvidedKind) {
	was := d.kind
	oldNames, newNames := below(d.old.path, "names"), below(d.new.path, "names")
	if was.Claim {
		oldNames = meta.Path{"spec", "claimNames"}
	}
	if is.Claim {
		newNames = meta.Path{"spec", "claimNames"}
	}
	api := d.subject("", nil, nil).api
	if was.Scope != is.Scope {
		about := d.subject("", below(d.old.path, "scope"), below(d.new.path, "scope"))
		d.add(RuleScope, linter.Error, about, "%s: the scope changed from %s to %s", api, plain(was.Scope), plain(is.Scope))
	}
	if was.Plural != is.Plural {
		about := d.subject("", below(oldNames, "plural"), below(newNames, "plural"))
		d.add(RuleNames, linter.Error, about, "%s: the plural changed from %s to %s, by which the API, permissions and the definition are named", api, quote(was.Plural), quote(is.Plural))
	}
	if !was.Claim && !is.Claim {
		d.lists(api, oldNames, newNames)
	}
}

// lists compares names that people use.
func (d *kindDiff) lists(api API, old, new meta.Path) {
	was, is := d.old.spec.object("names"), d.new.spec.object("names")
	if a, b := was.text("singular"), is.text("singular"); a != "" && b != a {
		about := d.subject("", below(old, "singular"), below(new, "singular"))
		d.add(RuleNames, linter.Warning, about, "%s: the singular changed from %s to %s", api, quote(a), quote(b))
	}
	for _, name := range []string{"shortNames", "categories"} {
		about := d.subject("", below(old, name), below(new, name))
		if gone := missing(was.texts(name), is.texts(name)); len(gone) > 0 {
			d.add(RuleNames, linter.Warning, about, "%s: %s are gone: %s", api, name, enumerate(gone, quote))
		}
	}
}

// missing are the items of a list that another one does not have, in their order.
func missing(was, is []string) []string {
	have := map[string]bool{}
	for _, s := range is {
		have[s] = true
	}
	return slices.DeleteFunc(slices.Clone(was), func(s string) bool { return have[s] })
}

// definition compares what is said once for all kinds of a definition.
func (d *kindDiff) definition() {
	about := func(field string) subject {
		return d.subject("", meta.Path{"spec", field}, meta.Path{"spec", field})
	}
	api := d.subject("", nil, nil).api
	strategy := func(o object) string {
		if s := o.object("conversion").text("strategy"); s != "" {
			return s
		}
		return "None"
	}
	if a, b := strategy(d.old.spec), strategy(d.new.spec); a != b {
		d.add(RuleConversion, linter.Warning, about("conversion"), "%s: conversion between versions changed from %s to %s", api, quote(a), quote(b))
	}
	if !d.old.xrd || !d.new.xrd {
		return
	}
	if was, is := d.old.isLegacy(), d.new.isLegacy(); was != is {
		where := map[bool]string{true: "spec", false: "spec.crossplane"}
		d.add(RuleFieldRemoved, linter.Error, about("scope"), "%s: the fields of Crossplane, compositionRef and resourceRefs for example, were in %s and are in %s now", api, where[was], where[is])
	}
	d.connectionKeys(api, about("connectionSecretKeys"))
	for _, field := range []string{"defaultCompositionRef", "enforcedCompositionRef"} {
		a, b := d.old.outer.object(field).text("name"), d.new.outer.object(field).text("name")
		// A Composition that is suggested where there was none changes nobody's choice.
		if a != b && (a != "" || field == "enforcedCompositionRef") {
			d.add(RulePolicy, linter.Warning, about(field), "%s: %s changed from %s to %s", api, field, orNothing(a), orNothing(b))
		}
	}
	for field, usual := range map[string]string{"defaultCompositeDeletePolicy": "Background", "defaultCompositionUpdatePolicy": "Automatic"} {
		value := func(o object) string {
			if s := o.text(field); s != "" {
				return s
			}
			return usual
		}
		if a, b := value(d.old.outer), value(d.new.outer); a != b {
			d.add(RulePolicy, linter.Warning, about(field), "%s: %s changed from %s to %s", api, field, quote(a), quote(b))
		}
	}
}

func orNothing(name string) string {
	if name == "" {
		return "nothing"
	}
	return quote(name)
}

// connectionKeys compares the keys that connection secrets get. Where none are
// listed they get all that there are.
func (d *kindDiff) connectionKeys(api API, about subject) {
	was, is := d.old.outer.texts("connectionSecretKeys"), d.new.outer.texts("connectionSecretKeys")
	switch gone := missing(was, is); {
	case len(is) == 0:
	case len(was) == 0:
		d.add(RuleConnectionKey, linter.Warning, about, "%s: connection secrets got all keys and get only %s now", api, enumerate(is, quote))
	case len(gone) > 0:
		d.add(RuleConnectionKey, linter.Error, about, "%s: connection secrets do not get %s any more", api, enumerate(gone, quote))
	}
}
