package legacy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// MigrateOptions say what the files of a package do not. A nil *MigrateOptions, and fields
// that are zero, mean the documented defaults.
type MigrateOptions struct {
	// Name is the name of the package that is made: a name as meta.CheckName wants it. "" is
	// that of Image, else that of the Deployment, else the title as a name.
	Name string

	// Image is the image that the package was read from, with its tag or digest: where
	// install.yaml names no image, the controller is in it. "" is unknown.
	Image string

	// Packages answers which packages bring a kind, as dependencies that can be written down.
	// nil knows none.
	Packages func(context.Context, meta.CRDRef) ([]meta.Dependency, error)

	// Kinds answers what is known of a kind that is depended on. Permissions are asked for by the
	// plural that it says, where app.yaml names the kind. nil knows none.
	Kinds func(context.Context, meta.CRDRef) ([]meta.ProvidedKind, error)
}

// A Migration is a package of the v1 era as a package directory of today.
type Migration struct {
	// Kind and Name are those of the package.
	Kind meta.Kind
	Name string

	// Files are those of the directory, sorted by name; crossplane.yaml is one of them.
	Files []MigratedFile

	// Report has a line for all that the files of the old package say and those of the new
	// one do not, and for all that had to be added, in the order of the old package's files.
	Report []Line
}

// A MigratedFile is a file of a package directory.
type MigratedFile struct {
	Name string // slash-separated, below the directory
	Data []byte
}

// A Line of a report tells what became of a field, or of everything below it; without a
// Path, of a document or file.
type Line struct {
	Range parser.Range // in the old package
	Path  meta.Path
	Text  string // in lower case and without a full stop
}

// String is such as: app.yaml:29:1: a package has no such field today (owners).
func (l Line) String() string {
	s := l.Range.String() + ": " + l.Text
	if len(l.Path) > 0 {
		s += " (" + l.Path.String() + ")"
	}
	return s
}

// Migrate makes a package directory of today of a package that Read has read without a
// fault.
//
// The package is a Provider if the old one has definitions or a controller, else a
// Configuration: those are the kinds that may hold what it holds. The fields of app.yaml become
// annotations meta.crossplane.io/*, the image of the controller spec.controller.image, what
// the controller may do on the kinds that the package depends on
// spec.controller.permissionRequests, and those kinds dependencies on packages where
// o.Packages knows one. Definitions are converted by ConvertCRD and AdmitCRD, and have what
// group.yaml, *resource.yaml, *ui-schema.yaml and icons say in the annotations that the v1
// package manager gave them. InfrastructureDefinitions become composite resource
// definitions, and those of version v1beta1 and Compositions ones of v1. Everything else is a
// line of the report. Comments are lost where a document is written anew, and a line tells each
// file that had some.
//
// The error is a parser.ErrorList of fields that cannot be converted, with their places, and
// matches meta.ErrInvalid; a *meta.NameError; that of o.Packages or o.Kinds; or it matches
// meta.ErrCanceled.
func Migrate(ctx context.Context, p *Package, o *MigrateOptions) (*Migration, error) {
	if o == nil {
		o = &MigrateOptions{}
	}
	m := &migrator{p: p, o: o, out: &Migration{Kind: kindOf(p)}, names: map[string]int{}, own: map[string][]*CRD{},
		first: map[string]firstDefinition{}, plurals: map[[2]string]string{}, kept: map[*parser.Document]bool{}}
	for _, c := range p.CRDs {
		for _, name := range []string{c.Provides.Kind, c.Provides.Plural, c.Provides.Singular} {
			key := strings.ToLower(name) + "." + c.Provides.Group
			m.own[key] = append(m.own[key], c)
		}
	}
	var err error
	if m.out.Name, err = m.name(); err != nil {
		return nil, err
	}
	if err := m.metadata(ctx); err != nil {
		return nil, err
	}
	for _, c := range p.CRDs {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("migrating a v1 package: %w: %w", meta.ErrCanceled, err)
		}
		m.definition(c)
	}
	m.objects()
	m.unused()
	m.comments()
	if err := m.header(); err != nil {
		return nil, err
	}
	if len(m.errs) > 0 {
		m.errs.Sort()
		return nil, m.errs
	}
	m.finish()
	return m.out, nil
}

// kindOf is the kind of package that may hold what is there.
func kindOf(p *Package) meta.Kind {
	if len(p.CRDs) > 0 || p.Install != nil || p.Behavior != nil || p.App != nil && p.App.PackageType == TypeProvider && len(p.Objects) == 0 {
		return meta.Provider
	}
	return meta.Configuration
}

// A migrator is a migration in the making.
type migrator struct {
	p           *Package
	o           *MigrateOptions
	out         *Migration
	head        meta.Package
	annotations annotationSet              // of the metadata object
	names       map[string]int             // of files that were added, and how often
	own         map[string][]*CRD          // the definitions, by a name of the kind in lower case and its group
	first       map[string]firstDefinition // by the name of the definition
	plurals     map[[2]string]string       // of kinds that are depended on: by name in lower case and group
	kept        map[*parser.Document]bool  // with all their text
	errs        parser.ErrorList
}

// line tells what became of a field of a document.
func (m *migrator) line(doc *parser.Document, path meta.Path, format string, args ...any) {
	place := doc.At(path...)
	at := place.Key
	if at.IsZero() {
		at = place.Value
	}
	m.out.Report = append(m.out.Report, Line{Range: at, Path: path, Text: fmt.Sprintf(format, args...)})
}

// fileLine tells what became of a file.
func (m *migrator) fileLine(file, format string, args ...any) {
	m.out.Report = append(m.out.Report, Line{Range: parser.Range{File: file}, Text: fmt.Sprintf(format, args...)})
}

// fault keeps the errors of a conversion of a document.
func (m *migrator) fault(doc *parser.Document, err error) {
	var fields meta.FieldErrors
	if field := (*meta.FieldError)(nil); !errors.As(err, &fields) && errors.As(err, &field) {
		fields = meta.FieldErrors{field}
	}
	for _, f := range fields {
		m.errs = append(m.errs, doc.Fault(parser.RuleMetadataInvalid, f))
	}
	if len(fields) == 0 {
		m.errs = append(m.errs, &parser.Error{Rule: parser.RuleLimit, Range: doc.Range, Object: doc.Ref(), Index: doc.Index, Message: err.Error(), Err: err})
	}
}

// addFile adds a file under a name that no other one has.
func (m *migrator) addFile(dir, name, end string, data []byte) {
	full := dir + "/" + name + end
	for of := full; m.names[full] > 0; {
		m.names[of]++
		full = fmt.Sprintf("%s/%s-%d%s", dir, name, m.names[of], end)
	}
	m.names[full]++
	m.out.Files = append(m.out.Files, MigratedFile{full, data})
}

// name is the name of the package.
func (m *migrator) name() (string, error) {
	if m.o.Name != "" {
		return m.o.Name, meta.CheckName(m.o.Name)
	}
	if ref, err := meta.ParseReference(m.o.Image); err == nil && m.o.Image != "" {
		return meta.ShortName(ref.Source), nil
	}
	if i := m.p.Install; i != nil && meta.CheckName(i.Name) == nil {
		return i.Name, nil
	}
	title := ""
	if m.p.App != nil {
		title = m.p.App.Title
	}
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	name := strings.Join(words, "-")
	return cmp.Or(strings.Trim(name[:min(len(name), 50)], "-"), "package"), nil
}

// header writes crossplane.yaml.
func (m *migrator) header() error {
	m.head.APIVersion = meta.Group + "/" + meta.Versions(meta.Group, m.out.Kind)[0]
	m.head.Annotations = m.annotations.all
	m.head.Kind, m.head.Name = m.out.Kind, m.out.Name
	data, err := m.head.Encode()
	if err != nil {
		return err
	}
	v, err := decodeValue(data)
	if err != nil {
		return err
	}
	m.out.Files = append(m.out.Files, MigratedFile{"crossplane.yaml", writeYAML(v)})
	return nil
}

// finish puts files and report in their order.
func (m *migrator) finish() {
	slices.SortFunc(m.out.Files, func(a, b MigratedFile) int { return strings.Compare(a.Name, b.Name) })
	slices.SortStableFunc(m.out.Report, func(a, b Line) int {
		return cmp.Or(strings.Compare(a.Range.File, b.Range.File), cmp.Compare(a.Range.Start.Offset, b.Range.Start.Offset), a.Path.Compare(b.Path))
	})
	// What is said for all versions is told for each of them.
	m.out.Report = slices.CompactFunc(m.out.Report, func(a, b Line) bool {
		return a.Range == b.Range && a.Text == b.Text && slices.Equal(a.Path, b.Path)
	})
}

// maxAnnotations is how many bytes the annotations of an object may have together.
const maxAnnotations = 256 << 10

// annotationSet are the annotations of an object, which have a limit together.
type annotationSet struct {
	all  map[string]string
	size int // of all keys and values, in bytes
}

// add adds an annotation that is not there where there is room for it.
func (s *annotationSet) add(key, text string) bool {
	if s.size+len(key)+len(text) > maxAnnotations {
		return false
	}
	if s.all == nil {
		s.all = map[string]string{}
	}
	s.all[key] = text
	s.size += len(key) + len(text)
	return true
}

// sortedKeys are the keys of annotations in their order.
func sortedKeys(annotations map[string]string) []string {
	return slices.Sorted(maps.Keys(annotations))
}
