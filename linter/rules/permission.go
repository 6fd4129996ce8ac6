package rules

import (
	"context"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/internal/nearmiss"
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
		Run: eachPermission(func(f *findings, r request, path meta.Path) {
			report := func(key, message string) {
				if _, ok := r.entry.get(key).asList(); ok { // else reading has told of it
					f.addf(below(path, key), "%s", message)
				}
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
		}),
	}
}

func permissionVerb() *linter.Rule {
	return &linter.Rule{
		ID: "permission-verb",
		Doc: "The verbs of a permission request are spelled as the API server spells them, in lower case. It takes any word for one, " +
			"and a misspelt verb permits nothing. Words that are not near to a verb are taken for those of other servers.",
		Bad: headPermissions + `    - apiGroups: [example.org]
      resources: [buckets]
      verbs: [get, lists, Watch]
`,
		Good: headPermissions + `    - apiGroups: [example.org]
      resources: [buckets]
      verbs: [get, list, watch]
`,
		URL:      "https://kubernetes.io/docs/reference/access-authn-authz/authorization/#determine-the-request-verb",
		Severity: linter.Warning,
		Run:      eachPermission(reportVerbs),
	}
}

// knownVerbs are those of the API server: of resources, of URLs, and those that some of
// its resources have beside.
var knownVerbs = []string{
	"*", "get", "list", "watch", "create", "update", "patch", "delete", "deletecollection",
	"post", "put", "head", "options",
	"approve", "attest", "bind", "escalate", "impersonate", "proxy", "sign", "use",
}

// shortVerb is how long a verb is that a slip makes another word of, such as set of get:
// what is meant is not sure then.
const shortVerb = 4

func reportVerbs(f *findings, r request, path meta.Path) {
	asked := map[string]bool{}
	for _, verb := range r.Verbs {
		asked[verb] = true
	}
	for i, verb := range r.Verbs {
		near := nearmiss.Nearest(verb, knownVerbs)
		if near == "" || near == verb {
			continue
		}
		at := fault{path: below(path, "verbs", i)}
		if !asked[near] && (sure(verb, near) != "" || len(verb) > shortVerb) {
			at.rewrite = near
		}
		f.add(at, "%s is not a verb of the API server%s", quote(verb), didYouMean(near))
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

func reportBroad(f *findings, r request, path meta.Path) {
	report := func(key string, i int, severity linter.Severity, message string) {
		f.add(fault{path: below(path, key, i), severity: severity}, "%s", message)
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
	for i, resource := range r.Resources {
		name, part, _ := strings.Cut(resource, "/")
		switch {
		case part != "" && name == "*":
			report("resources", i, 0, "the package asks for a part of every resource")
		case part == "*":
			report("resources", i, linter.Info, "the package asks for every part of a resource")
		case resource == "serviceaccounts/token" && (slices.Contains(r.Verbs, "create") || wild(r.Verbs) >= 0):
			report("resources", i, 0, "with tokens of service accounts a controller can get any permission that one has")
		}
	}
	for i, verb := range r.Verbs {
		switch verb {
		case "escalate", "bind", "impersonate":
			report("verbs", i, 0, "with the verb "+verb+" a controller can get any permission")
		}
	}
}

// request is a permission request, and the value that it was read from.
type request struct {
	meta.PermissionRequest
	entry *value
}

var requestsShape = listOf(fields(map[string]*shape{
	"apiGroups": aList, "resources": aList, "resourceNames": aList, "nonResourceURLs": aList, "verbs": aList,
}))

var permissionsShape = fields(map[string]*shape{"spec": fields(map[string]*shape{
	"permissionRequests": requestsShape, "controller": fields(map[string]*shape{"permissionRequests": requestsShape}),
})})

// eachPermission makes the Run function of a rule that looks at one permission request
// at a time. What is none, of which reading has told, it passes over.
func eachPermission(look func(*findings, request, meta.Path)) func(context.Context, *linter.Pass) error {
	return func(ctx context.Context, p *linter.Pass) error {
		m := p.Package.Meta
		if m == nil || p.Package.Header == nil {
			return nil
		}
		requests := m.Permissions()
		if len(requests) == 0 {
			return nil
		}
		body := readDocument(p.Package.Header, permissionsShape)
		if body == nil {
			return nil
		}
		base, list := meta.Path{"spec", "permissionRequests"}, body.get("spec", "permissionRequests")
		if m.Controller != nil && m.Controller.PermissionRequests != nil {
			base, list = meta.Path{"spec", "controller", "permissionRequests"}, body.get("spec", "controller", "permissionRequests")
		}
		f := &findings{pass: p, doc: p.Package.Header, around: base}
		for i, r := range requests {
			if err := ctx.Err(); err != nil {
				return err
			}
			if i < len(list.items) && list.items[i].form == mapping {
				look(f, request{r, list.items[i]}, below(base, i))
			}
		}
		f.done()
		return nil
	}
}
