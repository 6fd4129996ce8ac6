package build

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// Change is one difference between an image and what became of it.
type Change struct {
	Kind ChangeKind
	// Layer is the digest of the layer that changed, "" for another part.
	Layer string
	// Path is the place of the change in the manifest or the configuration, such as
	// annotations or config.Labels, or the file of a layer that another one takes.
	Path string
	// Mark is what the layer is marked, "" for none.
	Mark string
	// Before and After are the values, as JSON; "" where there is none.
	Before, After string
}

// ChangeKind says what a Change is about.
type ChangeKind string

// What may change. Those behind the first three harm an annotated layer.
const (
	LayerAdded    ChangeKind = "layer-added"    // a layer that was not there; harmless unless it does harm
	LayerDropped  ChangeKind = "layer-dropped"  // a layer without a mark is gone, or has moved
	FieldChanged  ChangeKind = "field-changed"  // something else of the manifest or the configuration
	MarkedDropped ChangeKind = "marked-dropped" // an annotated layer is gone, or stands elsewhere among the annotated ones
	MarkedChanged ChangeKind = "marked-changed" // the descriptor of an annotated layer is another one
	BaseAdded     ChangeKind = "base-added"     // another layer is marked base
	FileTaken     ChangeKind = "file-taken"     // another layer replaces or deletes a file of an annotated one
)

// Harms reports whether the change harms an annotated layer.
func (c Change) Harms() bool {
	switch c.Kind {
	case LayerAdded, LayerDropped, FieldChanged:
		return false
	}
	return true
}

// String returns the change as a line for people.
func (c Change) String() string {
	layer := "layer " + c.Layer
	if c.Mark != "" {
		layer += " (" + shown(c.Mark) + ")"
	}
	switch c.Kind {
	case LayerAdded:
		return layer + " was added"
	case LayerDropped:
		return layer + " was dropped or moved"
	case MarkedDropped:
		return "annotated " + layer + " was dropped or moved"
	case MarkedChanged:
		return fmt.Sprintf("annotated %s is described otherwise: %s, was %s", layer, c.After, c.Before)
	case BaseAdded:
		return layer + " is marked as the base layer, and another one was"
	case FileTaken:
		return shown(c.Path) + " of an annotated layer is taken by " + layer
	}
	switch {
	case c.Before == "":
		return c.Path + " was added: " + c.After
	case c.After == "":
		return c.Path + " was removed: " + c.Before
	}
	return fmt.Sprintf("%s is %s, was %s", c.Path, c.After, c.Before)
}

// VerifyAdditive says what became of an image, and whether all its annotated layers are
// unharmed: an image may be built in stages, and whoever adds one has to leave the
// layers of others as they are (specification, "Manifests"). Unharmed are the annotated
// layers of before when after has them in the same order, described in the same way,
// with the content that their digests name, no other layer is marked base, and no
// layer that was not there before replaces or deletes one of their files; /package.yaml is
// looked for behind links too, as Append does.
//
// The changes are all that differs, those of layers first. When one of them is harm, the
// error is an *AdditiveError with those, and the changes are returned with it. Other
// errors, without changes: *xpkg.DigestError for a layer of after that is not what it
// should be, *LayerError, *xpkg.ManifestError, *meta.LimitError, and one that
// matches meta.ErrCanceled.
//
// It reads the annotated layers of after, and those that were added above the first
// of them, and for what may lie behind a link those below.
func VerifyAdditive(ctx context.Context, before, after v1.Image) ([]Change, error) {
	old, err := editOf(before)
	if err != nil {
		return nil, err
	}
	now, err := editOf(after)
	if err != nil {
		return nil, err
	}
	c := comparison{ctx: ctx, old: old, now: now}
	if err := c.layers(after); err != nil {
		return nil, err
	}
	c.fields("", old.manifest, now.manifest, "layers", "config")
	c.fields("config.", old.config, now.config, "rootfs", "history", "config")
	c.fields("config.config.", old.settings, now.settings)
	var harm []Change
	for _, change := range c.changes {
		if change.Harms() {
			harm = append(harm, change)
		}
	}
	if len(harm) > 0 {
		return c.changes, &AdditiveError{Harm: harm}
	}
	return c.changes, nil
}

// comparison gathers what became of an image.
type comparison struct {
	ctx      context.Context
	old, now *edit
	changes  []Change
}

// described is a layer as a manifest has it.
type described struct {
	digest, mark, text string
	marked             bool
}

// describe returns the layers of a manifest.
func describe(e *edit) ([]described, error) {
	var all []described
	for i, o := range e.layers {
		d, err := e.descriptor(i)
		if err != nil {
			return nil, err
		}
		text, err := json.Marshal(o)
		if err != nil {
			return nil, err
		}
		mark, marked := d.Annotations[xpkg.AnnotationKey]
		all = append(all, described{d.Digest.String(), mark, string(text), marked})
	}
	return all, nil
}

func (c *comparison) layers(after v1.Image) error {
	old, err := describe(c.old)
	if err != nil {
		return err
	}
	now, err := describe(c.now)
	if err != nil {
		return err
	}
	// Which layer of now is which of old: the annotated ones in their order, and
	// each layer stands for one at most.
	stayed := map[int]int{} // by place in now
	c.match(old, now, stayed, true)
	c.match(old, now, stayed, false)
	blobs, err := (&verified{after, c.now.ref}).Layers()
	if err != nil {
		return err
	}
	hadBase := slices.ContainsFunc(old, func(d described) bool { return d.mark == xpkg.BaseAnnotation })
	files := map[string]bool{} // of the annotated layers so far
	for i, d := range now {
		was, known := stayed[i]
		if !known {
			kind := LayerAdded
			if hadBase && d.mark == xpkg.BaseAnnotation {
				kind = BaseAdded
			}
			c.changes = append(c.changes, Change{Kind: kind, Layer: d.digest, Mark: d.mark, After: d.text})
		}
		if known && !old[was].marked || !known && len(files) == 0 {
			continue
		}
		entries, err := entriesOf(c.ctx, c.now.ref, blobs[i])
		if err != nil {
			return err
		}
		if !known {
			hidden := false
			if files[packageFile] {
				if hidden, err = c.hides(i, entries, blobs); err != nil {
					return err
				}
			}
			c.taken(d, entries, files, hidden)
			continue
		}
		for _, e := range entries {
			if !e.directory && !e.deletes && !e.opaque {
				files[e.path] = true
			}
		}
		if len(files) > maxEntries {
			return &meta.LimitError{What: "the files of the annotated layers", Limit: maxEntries, Unit: "files", Where: c.now.ref}
		}
	}
	return nil
}

// match finds layers of old in now, in the order of old, and tells those that are gone
// or described otherwise.
func (c *comparison) match(old, now []described, stayed map[int]int, marked bool) {
	next := 0
	for was, d := range old {
		if d.marked != marked {
			continue
		}
		i := next
		for i < len(now) && (now[i].digest != d.digest || has(stayed, i)) {
			i++
		}
		if i == len(now) {
			kind := LayerDropped
			if marked {
				kind = MarkedDropped
			}
			c.changes = append(c.changes, Change{Kind: kind, Layer: d.digest, Mark: d.mark, Before: d.text})
			continue
		}
		stayed[i], next = was, i+1
		if now[i].text != d.text {
			change := Change{Kind: FieldChanged, Layer: d.digest, Path: "layers[" + strconv.Itoa(i) + "]", Mark: d.mark, Before: d.text, After: now[i].text}
			if marked {
				change.Kind = MarkedChanged
			}
			c.changes = append(c.changes, change)
		}
	}
}

func has(m map[int]int, k int) bool { _, ok := m[k]; return ok }

// hides reports whether a layer hides /package.yaml as Append understands it: also behind
// links, its own and those of the layers below.
func (c *comparison) hides(i int, entries []layerEntry, blobs []v1.Layer) (bool, error) {
	digest, err := blobs[i].Digest()
	if err != nil {
		return false, err
	}
	err = refuse(digest, entries, func() (map[string]bool, error) { return linksOf(c.ctx, c.now.ref, blobs[:i]) })
	var harm *LayerError
	if errors.As(err, &harm) && harm.Layer == digest.String() {
		return true, nil
	}
	return false, err
}

// taken tells the files of annotated layers that the entries of another layer replace
// or delete. Entries that do not lie in one place, such as those of a directory which
// is opaque, cost a look at every file; there is a change for each file at most.
func (c *comparison) taken(d described, entries []layerEntry, files map[string]bool, hidden bool) {
	gone, emptied := map[string]bool{packageFile: hidden}, map[string]bool{}
	for _, e := range entries {
		switch {
		case e.opaque:
			emptied[e.path] = true
		case !e.directory:
			gone[e.path] = true
		}
		// A directory in the place of a file takes it as well.
		if e.directory && files[e.path] {
			gone[e.path] = true
		}
		for dir := parent(e.path); dir != ""; dir = parent(dir) {
			if files[dir] {
				gone[dir] = true
			}
		}
	}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		taken := gone[file]
		for dir := parent(file); !taken; dir = parent(dir) {
			taken = gone[dir] || emptied[dir]
			if dir == "" {
				break
			}
		}
		if taken {
			c.changes = append(c.changes, Change{Kind: FileTaken, Layer: d.digest, Mark: d.mark, Path: file})
		}
	}
}

// fields tells the fields of two objects that differ, one by one where both are
// objects themselves.
func (c *comparison) fields(prefix string, old, now object, except ...string) {
	keys := map[string]bool{}
	for k := range old {
		keys[k] = true
	}
	for k := range now {
		keys[k] = true
	}
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		if slices.Contains(except, k) || bytes.Equal(compact(old[k]), compact(now[k])) {
			continue
		}
		c.changes = append(c.changes, Change{Kind: FieldChanged, Path: prefix + k, Before: string(old[k]), After: string(now[k])})
	}
}

// compact returns JSON in one form, whatever the order of its fields.
func compact(raw json.RawMessage) []byte {
	if raw == nil {
		return nil
	}
	out, ok := canonical(raw)
	if !ok {
		return raw
	}
	return out
}
