package install

// GarbageCollect tells what Kubernetes deletes when objects are deleted: every
// object all of whose owners are gone, and so on. gone lists those in the order
// of objects, without the deleted ones themselves; kept lists the objects that
// stay although an owner of theirs went, without the references to those
// owners. Objects without owners stay, and are in neither list.
//
// This is all that happens when a package or a revision is deleted: the package
// manager takes its finalizer off the package, its revisions go because the
// package controls them, and what only they own goes with them, be they Active
// or Inactive. A CustomResourceDefinition that goes takes all custom resources
// of its kind along.
//
// Owners are matched as by Ref.Is. (packages v2 design, Package Controller:
// Package Deleted, Garbage Collecting Old PackageRevisions; PackageRevision
// Controller: PackageRevision Deleted)
func GarbageCollect(objects []Object, deleted ...Ref) (gone, kept []Object) {
	// Of each object: how many owners are left. Of each owner: the objects that
	// wait for it.
	left := make([]int, len(objects))
	waiting := make(map[objectKey][]waiter)
	for i, o := range objects {
		left[i] = len(o.Owners)
		for j, owner := range o.Owners {
			key := objectKey{owner.Kind, owner.Name}
			waiting[key] = append(waiting[key], waiter{object: i, owner: j})
		}
	}
	isGone := make([]bool, len(objects))
	for i, o := range objects {
		for _, d := range deleted {
			isGone[i] = isGone[i] || o.Is(d)
		}
	}
	lost := make(map[waiter]bool)
	queue := append([]Ref(nil), deleted...)
	var collected []int
	for len(queue) > 0 {
		dead := queue[0]
		queue = queue[1:]
		for _, w := range waiting[objectKey{dead.Kind, dead.Name}] {
			if lost[w] || !objects[w.object].Owners[w.owner].Is(dead) {
				continue
			}
			lost[w] = true
			if left[w.object]--; left[w.object] == 0 && !isGone[w.object] {
				isGone[w.object] = true
				collected = append(collected, w.object)
				queue = append(queue, objects[w.object].Ref)
			}
		}
	}
	fate := make(map[int]bool, len(collected))
	for _, i := range collected {
		fate[i] = true
	}
	for i, o := range objects {
		switch {
		case fate[i]:
			gone = append(gone, o.clone())
		case !isGone[i] && left[i] < len(o.Owners):
			survivor := o.clone()
			survivor.Owners = nil
			for j, owner := range o.Owners {
				if !lost[waiter{i, j}] {
					survivor.Owners = append(survivor.Owners, owner)
				}
			}
			kept = append(kept, survivor)
		}
	}
	return gone, kept
}

// A waiter is one owner reference of one object, by their indexes.
type waiter struct{ object, owner int }
