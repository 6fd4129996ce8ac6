package legacy

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/meta"
)

// noRoom is said of what is too large for the annotations of an object.
const noRoom = "too large: the annotations of an object may have 256 KiB together"

// metadata translates app.yaml and install.yaml.
func (m *migrator) metadata(ctx context.Context) error {
	if m.p.App != nil {
		m.describe()
		m.scope()
		if err := m.dependencies(ctx); err != nil {
			return err
		}
	}
	m.controller()
	m.icons()
	return nil
}

// property gives the package an annotation that today's tools look for.
func (m *migrator) property(p meta.Property, field, text string) {
	if text != "" && !m.annotations.add(p.Keys()[0], text) {
		m.line(m.p.App.Document, meta.Path{field}, noRoom)
	}
}

// describe turns what app.yaml tells about the package into annotations.
func (m *migrator) describe() {
	app := m.p.App
	m.property(meta.PropertyFriendlyName, "title", app.Title)
	m.property(meta.PropertyDescription, "overviewShort", app.OverviewShort)
	m.property(meta.PropertySource, "source", app.Source)
	m.property(meta.PropertyLicense, "license", app.License)
	m.property(meta.PropertyCompany, "company", app.Company)
	m.property(meta.PropertyKeywords, "keywords", strings.Join(app.Keywords, ","))
	var people []string
	for _, c := range app.Maintainers {
		s := c.Name
		if c.Email != "" {
			s = strings.TrimSpace(s + " <" + c.Email + ">")
		}
		people = append(people, s)
	}
	m.property(meta.PropertyMaintainer, "maintainers", strings.Join(people, ", "))
	readme := app.Readme
	if app.Overview != "" && readme != "" {
		readme = strings.TrimRight(app.Overview, "\n") + "\n\n" + readme
		m.line(app.Document, meta.Path{"overview"}, "put before the readme: there is one long description today")
	} else if app.Overview != "" {
		readme = app.Overview
		m.line(app.Document, meta.Path{"overview"}, "made the readme: there is one long description today")
	}
	m.property(meta.PropertyReadme, "readme", readme)

	gone := func(field string, there bool, text string) {
		if there {
			m.line(app.Document, meta.Path{field}, "%s", text)
		}
	}
	gone("apiVersion", app.APIVersion != "", "the version of the old format; today's is the apiVersion of crossplane.yaml")
	gone("version", app.Metadata.Version != "", "the version of a package is the tag that it is pushed with")
	gone("owners", len(app.Owners) > 0, "packages have maintainers today, and no owners")
	gone("category", app.Category != "", "packages have no category today")
	gone("website", app.Website != "", "packages name their source today, and no website")
	if app.PackageType != "" && string(app.PackageType) != string(m.out.Kind) {
		m.line(app.Document, meta.Path{"packageType"}, "made a %s, which may hold what the package holds", m.out.Kind)
	}
}

// scope tells that permissions are for the whole cluster.
func (m *migrator) scope() {
	switch m.p.App.PermissionScope {
	case ScopeCluster:
		m.line(m.p.App.Document, meta.Path{"permissionScope"}, "what a controller may do holds for the cluster today, and nothing else can be asked for")
	case ScopeNamespaced:
		m.line(m.p.App.Document, meta.Path{"permissionScope"}, "there is no such scope today: what the controller may do holds for the whole cluster")
	}
}

// dependencies turns the kinds that the package depends on into permissions and, where it
// is known who brings them, into dependencies on packages.
func (m *migrator) dependencies(ctx context.Context) error {
	app := m.p.App
	if m.out.Kind == meta.Provider {
		if err := m.findPlurals(ctx); err != nil {
			return err
		}
		m.permissions()
	}
	written := map[string]bool{}
	for i, d := range app.DependsOn {
		if d.CRD == "" {
			m.line(app.Document, meta.Path{"dependsOn", i}, "left out, since a package of the v1 era cannot be installed today: add what has taken the place of %s to spec.dependsOn", quote(d.Package))
			continue
		}
		ref, err := d.Ref()
		if err != nil {
			continue // told when it was read
		}
		path := meta.Path{"dependsOn", i, "crd"}
		if m.brings(ref) {
			m.line(app.Document, path, "the package brings the kind itself, and its controller may do everything with it")
			continue
		}
		if m.out.Kind != meta.Provider {
			m.line(app.Document, path, "no permission is asked for: a Configuration has no controller")
		} else if ref.Name != "*" && m.plurals[[2]string{strings.ToLower(ref.Name), ref.Group}] == "" {
			m.line(app.Document, path, "the permission on %s in %s is asked for by this name, which has to be that of the resource, in the plural", quote(strings.ToLower(ref.Name)), quote(ref.Group))
		}
		var known []meta.Dependency
		if m.o.Packages != nil {
			if known, err = m.o.Packages(ctx, ref); err != nil {
				return err
			}
		}
		switch len(known) {
		case 0:
			m.line(app.Document, path, "no package is known that brings this: packages depend on packages today, so add the one that does to spec.dependsOn")
		case 1:
			m.line(app.Document, path, "made a dependency on %s", known[0])
			if !written[known[0].Package.Identity()] {
				written[known[0].Package.Identity()] = true
				m.head.DependsOn = append(m.head.DependsOn, known[0])
			}
		default:
			var names []string
			for _, k := range known {
				names = append(names, k.Package.String())
			}
			m.line(app.Document, path, "several packages bring this, so add the one that is meant to spec.dependsOn: %s", strings.Join(names, ", "))
		}
	}
	return nil
}

// findPlurals looks up what the resources of the kinds are called that the package depends on.
// Where there are two answers, the one that app.yaml gives stays.
func (m *migrator) findPlurals(ctx context.Context) error {
	if m.o.Kinds == nil {
		return nil
	}
	for _, d := range m.p.App.DependsOn {
		ref, err := d.Ref()
		if err != nil || ref.Name == "*" || m.brings(ref) {
			continue
		}
		kinds, err := m.o.Kinds(ctx, ref)
		if err != nil {
			return err
		}
		plural := ""
		for _, k := range kinds {
			if plural != "" && k.Plural != "" && k.Plural != plural {
				plural = ""
				break
			}
			plural = cmp.Or(k.Plural, plural)
		}
		m.plurals[[2]string{strings.ToLower(ref.Name), ref.Group}] = plural
	}
	return nil
}

// permissions asks for what the controller may do with the kinds that the package depends
// on. Everything else is implied: what it may do with its own kinds, and with Secrets,
// ConfigMaps and Events.
func (m *migrator) permissions() {
	own := map[string]bool{}
	for _, d := range m.p.App.DependsOn {
		if ref, err := d.Ref(); err == nil && m.brings(ref) {
			own[strings.ToLower(ref.Name)+"."+ref.Group] = true
		}
	}
	requests := slices.DeleteFunc(m.p.Permissions().Depended, func(r meta.PermissionRequest) bool {
		return own[r.Resources[0]+"."+r.APIGroups[0]]
	})
	asked := map[[2]string]bool{}
	requests = slices.DeleteFunc(requests, func(r meta.PermissionRequest) bool {
		if plural := m.plurals[[2]string{r.Resources[0], r.APIGroups[0]}]; plural != "" {
			r.Resources[0] = plural
		}
		name := [2]string{r.Resources[0], r.APIGroups[0]}
		again := asked[name]
		asked[name] = true
		return again
	})
	if len(requests) > 0 {
		m.head.Controller = &meta.Controller{PermissionRequests: requests}
	}
}

// brings reports whether the package has a definition of the kind itself.
func (m *migrator) brings(ref meta.CRDRef) bool {
	return slices.ContainsFunc(m.own[strings.ToLower(ref.Name)+"."+ref.Group], func(c *CRD) bool { return ref.Matches(c.Provides) })
}

// controller names the image that runs the package.
func (m *migrator) controller() {
	if b := m.p.Behavior; b != nil {
		m.line(b.Document, nil, "there is no controller of templates today: a Configuration with compositions does that work")
	}
	i := m.p.Install
	if i == nil {
		if m.out.Kind == meta.Provider {
			m.fileLine(join(m.p.Root, appFile), "the package has no controller, and a Provider has one: Crossplane runs the image that the package is pushed as")
		}
		return
	}
	image, from := m.o.Image, meta.Path{"spec", "template", "spec", "containers"}
	for _, c := range i.Containers {
		if len(c.Path) > 3 && c.Path[3] == "containers" {
			from = to(c.Path, "image")
			if c.Image != "" {
				image = c.Image
			}
			break
		}
	}
	m.line(i.Document, nil, "of the Deployment a package names the image of the controller only: how its pod is run belongs in a DeploymentRuntimeConfig of the cluster")
	if image == "" {
		m.line(i.Document, from, "missing, so that the image of the old package was meant: name it in spec.controller.image, or push the new package with the controller in it")
		return
	}
	if m.head.Controller == nil {
		m.head.Controller = &meta.Controller{}
	}
	m.head.Controller.Image = image
}

// icons gives the package its icon.
func (m *migrator) icons() {
	icons := m.p.PackageIcons()
	for n, icon := range icons {
		switch {
		case n > 0:
			m.fileLine(icon.File, "a package has one icon today, and %s is preferred", quote(icons[0].File))
		case !m.annotations.add(meta.PropertyIcon.Keys()[0], icon.DataURI()):
			m.fileLine(icon.File, noRoom)
		}
	}
}
