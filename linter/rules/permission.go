package rules

import (
	"context"
	"slices"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

const rbacURL = "https://kubernetes.io/docs/reference/access-authn-authz/rbac/"

// headPermissions is the beginning of examples of permission requests.
const headPermissions = headProvider + `spec:
  controller:
    permissionRequests:
`

func permissionInvalid() *linter.Rule {
	return &linter.Rule{
		ID: "permission-invalid",
		Doc: "A permission request is a rule of a ClusterRole, which the API server takes if it has verbs, and either resources " +
			"with their API groups (\"\" is the core group) or URLs, but not both.",
		Bad: headPermissions + `    - resources: [configmaps]
      verbs: [get]
`,
		Good: headPermissions + `    - apiGroups: [""]
      resources: [configmaps]
      verbs: [get]
`,
		URL:      rbacURL,
		Severity: linter.Error,
		Run: eachPermission(func(p *linter.Pass, r meta.PermissionRequest, path meta.Path) int {
			n := 0
			report := func(key, message string) {
				n++
				p.Reportf(linter.At(p.Package.Header, append(path, key)...), "%s", message)
			}
			if len(r.Verbs) == 0 {
				report("verbs", "there are no verbs in the permission request")
			}
			switch urls := len(r.NonResourceURLs) > 0; {
			case urls && len(r.APIGroups)+len(r.Resources)+len(r.ResourceNames) > 0:
				report("nonResourceURLs", "a permission request is for URLs or for resources, and this one is for both")
			case urls:
			case len(r.Resources) == 0:
				report("resources", "the permission request is for no resources (nor URLs)")
			case len(r.APIGroups) == 0:
				report("apiGroups", `there are no API groups of the resources ("" is the core group)`)
			}
			return n
		}),
	}
}

func permissionBroad() *linter.Rule {
	return &linter.Rule{
		ID: "permission-broad",
		Doc: "A package asks for the permissions that it needs, and who installs it should see at a glance which. Every group or " +
			"every resource, everything with secrets, and the verbs escalate, bind and impersonate, with which a controller can give " +
			"itself any permission, need a reason. Every verb of some resources is told as information.",
		Bad: headPermissions + `    - apiGroups: ["*"]
      resources: ["*"]
      verbs: ["*"]
`,
		Good: headPermissions + `    - apiGroups: [example.org]
      resources: [buckets]
      verbs: [get, list, watch]
`,
		URL:      "https://kubernetes.io/docs/concepts/security/rbac-good-practices/",
		Severity: linter.Warning,
		Run:      eachPermission(reportBroad),
	}
}

func reportBroad(p *linter.Pass, r meta.PermissionRequest, path meta.Path) int {
	n := 0
	report := func(key string, i int, severity linter.Severity, message string) {
		n++
		at := linter.At(p.Package.Header, append(path, key, i)...)
		at.Severity = severity
		p.Reportf(at, "%s", message)
	}
	wild := func(list []string) int { return slices.Index(list, "*") }
	if i := wild(r.APIGroups); i >= 0 {
		report("apiGroups", i, 0, "the package asks for every API group")
	}
	if i := wild(r.Resources); i >= 0 {
		report("resources", i, 0, "the package asks for every resource")
	}
	if i := wild(r.NonResourceURLs); i >= 0 {
		report("nonResourceURLs", i, 0, "the package asks for every URL")
	}
	if i := wild(r.Verbs); i >= 0 {
		switch {
		case slices.Contains(r.Resources, "secrets"):
			report("verbs", i, 0, "the package asks for every verb on secrets")
		case wild(r.Resources) < 0:
			report("verbs", i, linter.Info, "the package asks for every verb")
		}
	}
	for i, verb := range r.Verbs {
		switch {
		case n > maxPlaced:
			return n
		case verb == "escalate", verb == "bind", verb == "impersonate":
			report("verbs", i, 0, "with the verb "+verb+" a controller can get any permission")
		}
	}
	return n
}

// eachPermission makes the Run function of a rule that looks at one permission request
// at a time, and returns how many findings it had. Those behind maxPlaced are not looked
// at, which one finding says.
func eachPermission(look func(*linter.Pass, meta.PermissionRequest, meta.Path) int) func(context.Context, *linter.Pass) error {
	return func(_ context.Context, p *linter.Pass) error {
		m := p.Package.Meta
		if m == nil || p.Package.Header == nil {
			return nil
		}
		base := meta.Path{"spec", "permissionRequests"}
		if m.Controller != nil && m.Controller.PermissionRequests != nil {
			base = meta.Path{"spec", "controller", "permissionRequests"}
		}
		left := maxPlaced
		for i, r := range m.Permissions() {
			if left <= 0 {
				p.Reportf(linter.At(p.Package.Header, base...), "%d more permission requests were not looked at", len(m.Permissions())-i)
				break
			}
			left -= look(p, r, append(base[:len(base):len(base)], i))
		}
		return nil
	}
}
