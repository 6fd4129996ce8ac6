package rules

import (
	"context"
	"regexp"
	"strings"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

func controllerImage() *linter.Rule {
	return &linter.Rule{
		ID: "controller-image",
		Doc: "The image of a controller or function is a reference that can be pulled. A placeholder that a build was to replace, " +
			"such as the tag VERSION, is none. A tag that is moved along, as latest is, is told as information: the package " +
			"then runs whatever was pushed last.",
		Bad: headProvider + `spec:
  controller:
    image: example.org/provider-demo-controller:VERSION
`,
		Good: headProvider + `spec:
  controller:
    image: example.org/provider-demo-controller:v1.0.0
`,
		URL:      formatURL + "#the-packaged-format",
		Severity: linter.Error,
		Run: func(_ context.Context, p *linter.Pass) error {
			m := p.Package.Meta
			if m == nil || p.Package.Header == nil {
				return nil
			}
			if m.Controller != nil && m.Controller.Image != "" {
				reportImage(p, m.Controller.Image, meta.Path{"spec", "controller", "image"})
			}
			if m.Image != "" {
				reportImage(p, m.Image, meta.Path{"spec", "image"})
			}
			return nil
		},
	}
}

func reportImage(p *linter.Pass, image string, path meta.Path) {
	at := linter.At(p.Package.Header, path...)
	if mark := placeholder.FindString(image); mark != "" {
		p.Reportf(at, "%s has a placeholder in it (%s)", quote(image), clip(strings.Trim(mark, "/:-_.")))
		return
	}
	ref, err := meta.ParseReference(image)
	switch {
	case err != nil:
		p.Reportf(at, "%v", err)
	case ref.Digest == "" && (ref.Tag == "" || ref.Tag == meta.DefaultTag):
		at.Severity = linter.Info
		p.Reportf(at, "%s is whatever has the tag latest (a version is expected)", quote(image))
	}
}

// placeholder is what templates have where a value is to be put: %NAME%, ${NAME}, $NAME,
// {{ name }}, <name>, __NAME__; a word in capitals as an element of the path or as the
// tag, since no path has capitals and hardly any tag is a word; and the names that
// stand for one's own.
var placeholder = regexp.MustCompile(`%[A-Za-z_]+%|\$\{?[A-Za-z_(]|\{\{|<[^>]*>|__[A-Za-z_]+__|` +
	`(?:^|[/:])(?:[A-Z][A-Z_-]{2,}|(?i:placeholder))(?:[/:]|$)|` +
	`(?i)(?:^|[/:._-])(?:replace[-_]?me|change[-_]?me|your[-_]?org|my[-_]?org|your[-_]?registry)(?:[/:._-]|$)`)
