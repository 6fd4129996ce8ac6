package rules

import (
	"context"
	"strings"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

func pipelineFunction() *linter.Rule {
	return &linter.Rule{
		ID: "pipeline-function",
		Doc: "A step calls a function by the name under which it is installed. Crossplane gives the packages that it installs as " +
			"dependencies the path of their repository as a name, with hyphens for slashes: " +
			"crossplane-contrib-function-auto-ready for xpkg.upbound.io/crossplane-contrib/function-auto-ready. Another name " +
			"works only where somebody has installed the function by hand. Where a Configuration that the package depends on " +
			"may bring the function, that is for information.",
		Bad: exampleConfiguration + compositionHead + `  mode: Pipeline
  pipeline:
  - step: compose
    functionRef:
      name: function-demo
`,
		Good:     exampleConfiguration + compositionHead + goodPipeline,
		URL:      "https://docs.crossplane.io/latest/packages/functions/",
		Severity: linter.Warning,
		Kinds:    []meta.Kind{meta.Configuration},
		Run:      runPipelineFunction,
	}
}

// installed is the functions that are installed with a package.
type installed struct {
	names  map[string]*shape // the names, as a set for nearest
	byLast map[string]string // the last element of the repository -> the name
	others bool              // what the package depends on may bring more of them
}

func functionsOf(m *meta.Package) installed {
	in := installed{names: map[string]*shape{}, byLast: map[string]string{}}
	for _, d := range m.DependsOn {
		if d.Kind == string(meta.Configuration) || d.Kind == "" || !d.Package.IsZero() && d.Package.Err() != nil {
			in.others = true
		}
		if d.Package.IsZero() || d.Package.Err() != nil || d.Kind != "" && d.Kind != string(meta.Function) {
			continue
		}
		path := d.Package.Repository()
		if !d.Package.HasRegistry() {
			path = d.Package.String() // which registry that is, a cluster says
		}
		name := dependencyName(path)
		in.names[name] = nil
		in.names[dependencyName(d.Package.Repository())] = nil
		last := dependencyName(path[strings.LastIndexByte(path, '/')+1:])
		in.byLast[last] = name
	}
	return in
}

// dependencyName is the name that Crossplane gives to a package that it installs as a
// dependency, made of the path of its repository.
func dependencyName(path string) string {
	const longest = 63
	var b strings.Builder
	for i := range min(len(path), longest) {
		switch c := path[i]; {
		case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
			b.WriteByte(c)
		case c == '.' || c == '/' || c == ':' || c == '-':
			if i != 0 && i != longest-1 && i != len(path)-1 {
				b.WriteByte('-')
			}
		}
	}
	return strings.Trim(b.String(), "-")
}

func runPipelineFunction(ctx context.Context, p *linter.Pass) error {
	if isIBM(p) {
		return nil
	}
	in := functionsOf(p.Package.Meta)
	return eachPipeline(func(p *linter.Pass, l pipeline) {
		f := &findings{pass: p, doc: l.doc}
		for i, step := range l.steps {
			name, _ := step.get("functionRef", "name").asText()
			if _, ok := in.names[name]; ok || name == "" {
				continue
			}
			at := fault{path: below(l.path, i, "functionRef", "name")}
			if is := in.byLast[name]; is != "" {
				at.rewrite = is
				f.add(at, "the dependency that has function %s is installed as %s", quote(name), quote(is))
				continue
			}
			if in.others {
				at.severity = linter.Info
			}
			near := nearest(name, in.names)
			at.rewrite = near
			f.add(at, "function %s is none that the package depends on%s", quote(name), didYouMean(near))
		}
		f.done()
	})(ctx, p)
}
