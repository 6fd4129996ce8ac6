package build

import (
	"context"
	"maps"
	"slices"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/xpkg-go/sdk/xpkg"
)

// Repair gives the layers of an image the annotations io.crossplane.xpkg back that
// docker does not keep (pull and push, load and push, commit): the labels of the
// configuration still say which layer has which. The manifest becomes one of OCI, since
// that of docker has no place for them; layers and configuration stay byte for byte.
// An image whose layers have their annotations is returned as it is.
//
// A layer is known by its digest, or by its diff ID where docker has compressed it
// anew. Images of builders that label by the digest alone have lost it then: their
// base layer is the only one with a file /package.yaml, for which the layers are read.
//
// A label whose layer is not found is a *RepairError, and so is an image without such
// labels and annotations. Other errors are those of Annotate, and one that matches
// meta.ErrCanceled.
func Repair(ctx context.Context, img v1.Image) (v1.Image, error) {
	e, err := editOf(img)
	if err != nil {
		return nil, err
	}
	labels, err := annotations(e.settings, "Labels")
	if err != nil {
		return nil, err
	}
	layers, err := img.Layers()
	if err != nil {
		return nil, err
	}
	marks, known, err := e.marks(labels, layers)
	if err != nil {
		return nil, err
	}
	if lost := lostLabels(labels, known, marks); len(lost) > 0 {
		base, err := onlyPackage(ctx, e.ref, layers)
		if err != nil {
			return nil, err
		}
		onlyBase := slices.ContainsFunc(slices.Collect(maps.Values(marks)), func(m string) bool { return m == xpkg.BaseAnnotation })
		if len(lost) > 1 || labels[lost[0]] != xpkg.BaseAnnotation || base < 0 || onlyBase || marks[base] != "" {
			return nil, &RepairError{Labels: lost}
		}
		marks[base] = xpkg.BaseAnnotation
	}
	if len(marks) == 0 {
		return nil, &RepairError{}
	}
	changed := false
	for i, mark := range marks {
		has, err := annotations(e.layers[i], "annotations")
		if err != nil {
			return nil, err
		}
		if _, ok := has[xpkg.AnnotationKey]; ok {
			continue // what the manifest says is what Crossplane reads
		}
		changed = true
		if err := merge(e.layers[i], "annotations", map[string]string{xpkg.AnnotationKey: mark}); err != nil {
			return nil, err
		}
	}
	if !changed {
		return img, nil
	}
	if err := e.toOCI(); err != nil {
		return nil, err
	}
	return e.image()
}

// marks returns the marks of layers by their place, as annotations and labels have
// them, and the labels that are of one of them.
func (e *edit) marks(labels map[string]string, layers []v1.Layer) (marks map[int]string, known map[string]bool, err error) {
	marks, known = map[int]string{}, map[string]bool{}
	for i, l := range layers {
		if i >= len(e.layers) {
			break
		}
		digest, err := l.Digest()
		if err != nil {
			return nil, nil, err
		}
		diffID, err := l.DiffID()
		if err != nil {
			return nil, nil, err
		}
		for _, h := range []v1.Hash{diffID, digest} {
			if mark, ok := labels[label(h)]; ok {
				marks[i], known[label(h)] = mark, true
			}
		}
		has, err := annotations(e.layers[i], "annotations")
		if err != nil {
			return nil, nil, err
		}
		if mark, ok := has[xpkg.AnnotationKey]; ok {
			marks[i] = mark
		}
	}
	return marks, known, nil
}

// lostLabels returns the keys of labels that mark a layer which is not there, sorted.
// A builder of this package labels by two digests, of which one is enough.
func lostLabels(labels map[string]string, known map[string]bool, marks map[int]string) []string {
	var lost []string
	found := map[string]int{}
	for _, mark := range marks {
		found[mark]++
	}
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		if strings.HasPrefix(key, xpkg.AnnotationKey+":") && !known[key] && found[labels[key]] == 0 {
			lost = append(lost, key)
		}
	}
	return lost
}

// onlyPackage returns the place of the only layer with a file /package.yaml, or -1.
func onlyPackage(ctx context.Context, ref string, layers []v1.Layer) (int, error) {
	found := -1
	for i, l := range layers {
		entries, err := entriesOf(ctx, ref, l)
		if err != nil {
			return -1, err
		}
		if !slices.ContainsFunc(entries, func(e layerEntry) bool { return e.path == packageFile && !e.directory && !e.deletes }) {
			continue
		}
		if found >= 0 {
			return -1, nil
		}
		found = i
	}
	return found, nil
}
