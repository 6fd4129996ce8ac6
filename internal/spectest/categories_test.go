package spectest

import (
	"errors"
	"io/fs"
	"net/http"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/meta/install"
	"github.com/xpkg-go/sdk/meta/legacy"
	"github.com/xpkg-go/sdk/parser"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/build"
	"github.com/xpkg-go/sdk/xpkg/mirror"
)

// samples holds an error of each type, in the cases that the table of errors in
// docs/design.md tells apart. An error whose category is that of its cause is
// shown with a cause of no category.
var samples = map[string][]error{
	"meta.FieldError":              {&meta.FieldError{}},
	"meta.FieldErrors":             {meta.FieldErrors{{}}},
	"meta.ReferenceError":          {&meta.ReferenceError{Err: errCause}},
	"meta.VersionError":            {&meta.VersionError{Err: errCause}},
	"meta.ConstraintError":         {&meta.ConstraintError{Err: errCause}},
	"meta.NameError":               {&meta.NameError{}},
	"meta.CRDRefError":             {&meta.CRDRefError{}},
	"meta.LimitError":              {&meta.LimitError{}},
	"install.ConflictError":        {&install.ConflictError{}},
	"install.MissingError":         {&install.MissingError{}},
	"install.RewriteConflictError": {&install.RewriteConflictError{}},
	"install.StaleLockError":       {&install.StaleLockError{}},
	"legacy.FileError":             {&legacy.FileError{}},
	"legacy.OwnerError":            {&legacy.OwnerError{Packages: make([]string, 2)}, &legacy.OwnerError{}},
	"parser.Error":                 {&parser.Error{Rule: parser.RuleSyntax}},
	"parser.ErrorList":             {parser.ErrorList{{Rule: parser.RuleSyntax}}},
	"dag.DuplicateError":           {&dag.DuplicateError{}},
	"dag.DependencyError":          {&dag.DependencyError{Err: errCause}},
	"dag.NodeError":                {&dag.NodeError{}},
	"dag.ConstraintError":          {&dag.ConstraintError{}},
	"dag.CrossplaneError":          {&dag.CrossplaneError{}},
	"dag.HeldError":                {&dag.HeldError{}},
	"dag.CycleError":               {&dag.CycleError{}},
	"dag.NoSolutionError":          {&dag.NoSolutionError{}},
	"dag.StaleProjectLockError":    {&dag.StaleProjectLockError{}},
	"dag.KindError":                {&dag.KindError{Providers: make([]dag.KindProvider, 2)}, &dag.KindError{}},
	"dag.EdgeError":                {&dag.EdgeError{Err: errCause}},
	"dag.MissingError":             {&dag.MissingError{}},
	"dag.AnswerError":              {&dag.AnswerError{}},
	"dag.CatalogError":             {&dag.CatalogError{Err: errCause}},
	"xpkg.LayerError":              {&xpkg.LayerError{Err: errCause}},
	"xpkg.ManifestError":           {&xpkg.ManifestError{}},
	"xpkg.NotPackageError":         {&xpkg.NotPackageError{}},
	"xpkg.MultipleBaseLayersError": {&xpkg.MultipleBaseLayersError{}},
	"xpkg.DigestError":             {&xpkg.DigestError{}},
	"xpkg.ErrUnverified":           {xpkg.ErrUnverified},
	"xpkg.PlatformError":           {&xpkg.PlatformError{}},
	"xpkg.ChildError":              {&xpkg.ChildError{Err: fs.ErrNotExist}},
	"xpkg.CacheMissError":          {&xpkg.CacheMissError{}},
	"xpkg.FileError":               {&xpkg.FileError{Err: fs.ErrNotExist}},
	"xpkg.RegistryError": {
		&xpkg.RegistryError{Status: http.StatusUnauthorized, Err: errCause},
		&xpkg.RegistryError{Status: http.StatusNotFound, Err: errCause},
		&xpkg.RegistryError{Status: http.StatusBadGateway, Err: errCause},
	},
	"xpkg.CredentialsError":   {&xpkg.CredentialsError{Err: errCause}},
	"xpkg.PackageError":       {&xpkg.PackageError{Err: errCause}},
	"xpkg.ReleaseError":       {&xpkg.ReleaseError{Err: errCause}},
	"xpkg.VerifyError":        {&xpkg.VerifyError{Err: errCause}},
	"build.JudgeError":        {&build.JudgeError{Err: errCause}},
	"build.LayerError":        {&build.LayerError{Err: errCause}},
	"build.AdditiveError":     {&build.AdditiveError{}},
	"build.RepairError":       {&build.RepairError{}},
	"linter.RuleError":        {&linter.RuleError{Err: errCause}},
	"linter.PanicError":       {&linter.PanicError{}},
	"linter.FixError":         {&linter.FixError{}},
	"linter.ErrNoRules":       {linter.ErrNoRules},
	"xpkg.TagError":           {&xpkg.TagError{}},
	"xpkg.PlatformClashError": {&xpkg.PlatformClashError{}},
	"xpkg.NoPlatformError":    {&xpkg.NoPlatformError{}},
	"xpkg.PackageFilesError":  {&xpkg.PackageFilesError{Packages: make([]string, 2)}, &xpkg.PackageFilesError{}},
	"mirror.ErrNoRule":        {mirror.ErrNoRule},
	"mirror.ClashError":       {&mirror.ClashError{}},
	"mirror.MovedError":       {&mirror.MovedError{}},
	"mirror.ManifestError":    {&mirror.ManifestError{}},
	"mirror.WrittenError":     {&mirror.WrittenError{}},
	"mirror.ItemError":        {&mirror.ItemError{Err: errCause}},
}

var errCause = errors.New("cause")

var categories = map[string]error{
	"meta.ErrInvalid":      meta.ErrInvalid,
	"meta.ErrNotPackage":   meta.ErrNotPackage,
	"meta.ErrLimit":        meta.ErrLimit,
	"meta.ErrDigest":       meta.ErrDigest,
	"meta.ErrNotFound":     meta.ErrNotFound,
	"meta.ErrUnauthorized": meta.ErrUnauthorized,
	"meta.ErrUnavailable":  meta.ErrUnavailable,
	"meta.ErrCanceled":     meta.ErrCanceled,
}

// Every error stands in the row of the category that it matches, and in no
// other, and the row's code is what meta.Code gives for it.
func TestErrorCategories(t *testing.T) {
	documented := map[string][]string{} // error -> codes of the rows that name it
	for _, r := range rows(t, "docs/design.md") {
		if r.section != "Errors" {
			continue
		}
		category, code := strings.Trim(r.cells[0], "`"), r.cells[1]
		if c := categories[category]; c != nil && meta.Code(c) != code {
			t.Errorf("docs/design.md:%d: the code of %s is %q", r.line, category, meta.Code(c))
		}
		for _, name := range quoted(r.cells[3]) {
			documented[name] = append(documented[name], category, code)
		}
	}
	for name, errs := range samples {
		var want []string
		for _, err := range errs {
			if err.Error() == "" {
				t.Errorf("%s says nothing", name)
			}
			want = append(want, categoryOf(err), meta.Code(err))
		}
		if got := documented[name]; strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s is %v, docs/design.md says %v", name, want, got)
		}
	}
	for name := range documented {
		if samples[name] == nil {
			t.Errorf("%s of docs/design.md has no sample here", name)
		}
	}
}

func categoryOf(err error) string {
	for name, c := range categories {
		if errors.Is(err, c) {
			return name
		}
	}
	return "none of these"
}
