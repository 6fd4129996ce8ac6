package legacy

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/meta"
)

// Permissions are what the controller of a package may do: everything, with what each of
// them names. (packages v1, Example app.yaml)
type Permissions struct {
	// Core are those that every package has: on ConfigMaps, Events and Secrets.
	Core []meta.PermissionRequest
	// Owned are those on the kinds of the package and on their status, scale and finalizers,
	// in the order of the definitions.
	Owned []meta.PermissionRequest
	// Depended are those on the kinds that app.yaml depends on, in its order. A kind is called
	// as it is there, in lower case, and "*" stands for all of a group.
	Depended []meta.PermissionRequest
}

// All are the permissions in one list.
func (p Permissions) All() []meta.PermissionRequest {
	return slices.Concat(p.Core, p.Owned, p.Depended)
}

// Permissions tells what the controller of the package may do, whether or not it has one.
func (p *Package) Permissions() Permissions {
	every := func(group string, resources ...string) meta.PermissionRequest {
		return meta.PermissionRequest{APIGroups: []string{group}, Resources: resources, Verbs: []string{"*"}}
	}
	list := Permissions{Core: []meta.PermissionRequest{every("", "configmaps", "events", "secrets")}}
	at := map[string]int{} // of the definition with the name
	for _, c := range p.CRDs {
		k := c.Provides
		if k.Plural == "" {
			continue
		}
		name := k.CRDName()
		i, ok := at[name]
		if !ok {
			i = len(list.Owned)
			at[name] = i
			list.Owned = append(list.Owned, every(k.Group, k.Plural))
		}
		owned := &list.Owned[i]
		for _, sub := range append(c.subresources(), "finalizers") {
			if r := k.Plural + "/" + sub; !slices.Contains(owned.Resources, r) {
				owned.Resources = append(owned.Resources, r)
			}
		}
	}
	if p.App == nil {
		return list
	}
	seen := map[[2]string]bool{}
	for _, d := range p.App.DependsOn {
		ref, err := d.Ref()
		if err != nil {
			continue // told when it was read
		}
		kind := [2]string{ref.Group, strings.ToLower(ref.Name)}
		if !seen[kind] {
			seen[kind] = true
			list.Depended = append(list.Depended, every(kind[0], kind[1]))
		}
	}
	return list
}

// subresources are status and scale, where the definition has them in any version.
func (c *CRD) subresources() []string {
	type subresources struct {
		Status json.RawMessage `json:"status"`
		Scale  json.RawMessage `json:"scale"`
	}
	var def struct {
		Spec struct {
			Subresources subresources `json:"subresources"`
			Versions     []struct {
				Subresources subresources `json:"subresources"`
			} `json:"versions"`
		} `json:"spec"`
	}
	// What is of another type is as if it were absent: that is for rules to say.
	_ = c.Document.DecodeLax(&def)
	all := []subresources{def.Spec.Subresources}
	for _, v := range def.Spec.Versions {
		all = append(all, v.Subresources)
	}
	has := func(v json.RawMessage) bool { return len(v) > 0 && string(v) != "null" }
	var list []string
	if slices.ContainsFunc(all, func(s subresources) bool { return has(s.Status) }) {
		list = append(list, "status")
	}
	if slices.ContainsFunc(all, func(s subresources) bool { return has(s.Scale) }) {
		list = append(list, "scale")
	}
	return list
}
