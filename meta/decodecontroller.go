package meta

func (d *decoder) controller(path Path, n *node) {
	if !d.is(path, n, object) {
		return
	}
	c := &Controller{}
	d.p.Controller = c
	d.fields(n, path, func(key string, path Path, n *node) bool {
		switch key {
		case "image":
			c.Image, _ = d.text(path, n)
		case "permissionRequests":
			c.PermissionRequests = d.permissionRequests(path, n)
		default:
			return false
		}
		return true
	})
}

func (d *decoder) permissionRequests(path Path, n *node) []PermissionRequest {
	if !d.is(path, n, array) {
		return nil
	}
	requests := make([]PermissionRequest, len(n.members))
	for i := range n.members {
		r, n := &requests[i], &n.members[i].value
		if !d.isElement(path, i, n, object) {
			continue
		}
		d.fields(n, path.join(i), func(key string, path Path, n *node) bool {
			list := r.list(key)
			if list == nil {
				return false
			}
			*list = d.texts(path, n)
			return true
		})
	}
	return requests
}

// permissionKeys are the fields of a permission request in the order in which
// they are encoded.
func permissionKeys() []string {
	return []string{"apiGroups", "resources", "resourceNames", "nonResourceURLs", "verbs"}
}

// list is the field with that key.
func (r *PermissionRequest) list(key string) *[]string {
	switch key {
	case "apiGroups":
		return &r.APIGroups
	case "resources":
		return &r.Resources
	case "resourceNames":
		return &r.ResourceNames
	case "nonResourceURLs":
		return &r.NonResourceURLs
	case "verbs":
		return &r.Verbs
	default:
		return nil
	}
}
