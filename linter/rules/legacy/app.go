package legacy

import (
	"net/url"
	"strings"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/rules"
	"github.com/xpkg-go/sdk/meta"
	v1 "github.com/xpkg-go/sdk/meta/legacy"
	"github.com/xpkg-go/sdk/parser"
)

// goodApp is an app.yaml without fault.
const goodApp = `-- .registry/app.yaml --
apiVersion: 0.1.0
title: Sample
packageType: Provider
permissionScope: Cluster
`

// but is the good app.yaml with a part replaced.
func but(old, new string) string { return strings.Replace(goodApp, old, new, 1) }

func appIncomplete() rule {
	return rule{linter.Rule{
		ID: "legacy-app-incomplete",
		Doc: "An app.yaml says the version of the format, the title of the package, its type and the scope of its permissions: " +
			"the package manager shows the title and held the scope against the object that asks for the package.",
		Bad: but("title: Sample\n", ""), Good: goodApp, Severity: linter.Warning,
	}, func(f *findings, p *v1.Package) {
		if p.App == nil {
			return
		}
		for _, field := range []struct{ key, value string }{
			{"apiVersion", p.App.APIVersion}, {"title", p.App.Title}, {"packageType", string(p.App.PackageType)}, {"permissionScope", string(p.App.PermissionScope)},
		} {
			// What is there and is wrong was told when it was read.
			if field.value == "" && !p.App.Document.At(field.key).Found {
				f.value(p.App.Document, []any{field.key}, "%s is missing", field.key)
			}
		}
	}}
}

func version() rule {
	return rule{linter.Rule{
		ID: "legacy-version", Doc: "The version of a package is a semantic one, such as v1.0.4, so that it can be compared with others.",
		Bad: goodApp + "version: latest\n", Good: goodApp + "version: v1.0.4\n", Severity: linter.Warning,
	}, func(f *findings, p *v1.Package) {
		if p.App == nil || p.App.Version == "" {
			return
		}
		switch meta.Classify(p.App.Version) {
		case meta.ClassRelease, meta.ClassPrerelease:
		default:
			f.value(p.App.Document, []any{"version"}, "%s is not a semantic version (such as v1.0.4)", quote(p.App.Version))
		}
	}}
}

func overviewShort() rule {
	return rule{linter.Rule{
		ID: "legacy-overview-short", Doc: "A short overview is one line of plain text. What is longer is the overview.",
		Bad: goodApp + "overviewShort: |\n  One line\n  and another\n", Good: goodApp + "overviewShort: One line\n", Severity: linter.Warning,
	}, func(f *findings, p *v1.Package) {
		check := func(d *parser.Document, text string) {
			if strings.Contains(strings.TrimSpace(text), "\n") {
				key := "overviewShort"
				if !d.At(key).Found {
					key = "shortOverview"
				}
				f.value(d, []any{key}, "the short overview has several lines (one is expected)")
			}
		}
		if p.App != nil {
			check(p.App.Document, p.App.OverviewShort)
		}
		for _, g := range p.Groups {
			check(g.Document, g.OverviewShort)
		}
		for _, r := range p.Resources {
			check(r.Document, r.OverviewShort)
		}
	}}
}

func link() rule {
	return rule{linter.Rule{
		ID: "legacy-link", Doc: "The website and the source of a package are links: URLs with http or https and a host.",
		Bad: goodApp + "website: example.org\n", Good: goodApp + "website: https://example.org\n", Severity: linter.Warning,
	}, func(f *findings, p *v1.Package) {
		if p.App == nil {
			return
		}
		for _, field := range []struct{ key, value string }{{"website", p.App.Website}, {"source", p.App.Source}} {
			u, err := url.Parse(field.value)
			if field.value != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "") {
				f.value(p.App.Document, []any{field.key}, "%s is not the URL of a page (such as https://example.org)", quote(field.value))
			}
		}
	}}
}

func contributor() rule {
	return rule{linter.Rule{
		ID: "legacy-contributor", Doc: "Maintainers and owners have a name and an e-mail address.",
		Bad: goodApp + "owners:\n- name: Jared\n", Good: goodApp + "owners:\n- name: Jared\n  email: jared@example.org\n", Severity: linter.Warning,
	}, func(f *findings, p *v1.Package) {
		if p.App == nil {
			return
		}
		for _, list := range []struct {
			key  string
			list []v1.Contributor
		}{{"maintainers", p.App.Maintainers}, {"owners", p.App.Owners}} {
			for i, c := range list.list {
				d := p.App.Document
				switch local, host, _ := strings.Cut(c.Email, "@"); {
				case c.Name == "" && !d.At(list.key, i, "name").Found:
					f.value(d, []any{list.key, i, "name"}, "the name is missing")
				case c.Email == "" && !d.At(list.key, i, "email").Found:
					f.value(d, []any{list.key, i, "email"}, "the e-mail address is missing")
				case c.Email != "" && (local == "" || host == "" || strings.ContainsAny(c.Email, " <>")):
					f.value(d, []any{list.key, i, "email"}, "%s is not an e-mail address", quote(c.Email))
				}
			}
		}
	}}
}

func license() rule {
	return rule{linter.Rule{
		ID: "legacy-license", Doc: "The licence of a package is a name of the SPDX list, or an expression of several.",
		Bad: goodApp + "license: Apache License 2.0\n", Good: goodApp + "license: Apache-2.0\n", Severity: linter.Warning,
	}, func(f *findings, p *v1.Package) {
		if p.App == nil || p.App.License == "" {
			return
		}
		if _, err := rules.License(p.App.License); err != nil {
			f.value(p.App.Document, []any{"license"}, "%s is not a licence expression of SPDX (%v)", quote(p.App.License), err)
		}
	}}
}
