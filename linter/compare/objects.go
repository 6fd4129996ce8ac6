package compare

import (
	"bytes"
	"maps"
	"slices"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

// objects compares the objects that are no definitions.
func (p *pair) objects() []Change {
	var changes []Change
	for _, id := range p.old.ids {
		was, is := p.old.docs[id], p.new.docs[id]
		d := &diff{old: was, new: is}
		switch {
		case isDefinition(was):
		case is == nil:
			d.removedObject(id)
		case was.APIVersion == is.APIVersion && bytes.Equal(was.Text(), is.Text()):
		case id.group == groupCrossplane && id.kind == "Composition":
			d.composition()
		case isWebhook(id):
			d.webhooks()
		}
		changes = append(changes, d.changes...)
	}
	for _, id := range p.new.ids {
		if p.old.docs[id] == nil && isWebhook(id) {
			d := &diff{new: p.new.docs[id]}
			d.webhooks()
			changes = append(changes, d.changes...)
		}
	}
	return changes
}

func isWebhook(id identity) bool {
	return id.group == groupAdmission && (id.kind == "ValidatingWebhookConfiguration" || id.kind == "MutatingWebhookConfiguration")
}

// removedObject reports an object that is gone. Users name Compositions; what other
// objects did nobody does any more.
func (d *diff) removedObject(id identity) {
	switch {
	case id.group == groupCrossplane && id.kind == "Composition":
		d.add(RuleObjectRemoved, linter.Error, subject{}, "the Composition %s is gone, which composite resources may use", quote(id.name))
	case isWebhook(id):
		d.add(RuleObjectRemoved, linter.Info, subject{}, "the %s %s is gone", id.kind, quote(id.name))
	default:
		d.add(RuleObjectRemoved, linter.Warning, subject{}, "the %s %s is gone", plain(id.kind), quote(id.name))
	}
}

// composition compares what a Composition composes: the composite resources that use
// it are of that kind.
func (d *diff) composition() {
	typeOf := func(o object) API {
		ref := o.object("spec").object("compositeTypeRef")
		return API{APIVersion: ref.text("apiVersion"), Kind: ref.text("kind")}
	}
	was, is := typeOf(readObject(d.old)), typeOf(readObject(d.new))
	if was != is && was != (API{}) {
		path := meta.Path{"spec", "compositeTypeRef"}
		d.add(RuleComposition, linter.Error, subject{api: was, old: path, new: path}, "the Composition composed %s and composes %s now, so composite resources that use it cannot any more", was, is)
	}
}

// webhooks compares the webhooks of a configuration by name.
func (d *diff) webhooks() {
	old := map[string]object{}
	if d.old != nil {
		for _, w := range readObject(d.old).objects("webhooks") {
			old[w.text("name")] = w
		}
	}
	for i, w := range readObject(d.new).objects("webhooks") {
		about := subject{old: meta.Path{"webhooks"}, new: meta.Path{"webhooks", i}}
		name := w.text("name")
		was, had := old[name]
		if !had {
			d.add(RuleWebhook, linter.Warning, about, "the webhook %s is new, and may refuse or change what users write", quote(name))
			continue
		}
		var changed []string
		for _, field := range slices.Sorted(maps.Keys(w)) {
			// Where the webhook is reached is nothing to users.
			if field != "clientConfig" && !equal(was[field], w[field]) {
				changed = append(changed, field)
			}
		}
		if len(changed) > 0 {
			d.add(RuleWebhookChanged, linter.Warning, about, "the webhook %s changed, and may refuse or change what users write: %s", quote(name), enumerate(changed, plain))
		}
	}
}
