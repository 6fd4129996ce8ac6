package legacy_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/xpkg-go/sdk/internal/executions"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/meta/legacy"
	"github.com/xpkg-go/sdk/parser"
)

// fuzzed makes a file system of an archive, as txtar has them; a file that begins with "link " is a symbolic link.
func fuzzed(archive []byte) fstest.MapFS {
	fsys := fstest.MapFS{}
	var file *fstest.MapFile
	for line := range bytes.Lines(archive) {
		name, ok := bytes.CutPrefix(bytes.TrimRight(line, "\n"), []byte("-- "))
		if name, isName := bytes.CutSuffix(name, []byte(" --")); ok && isName {
			file = &fstest.MapFile{}
			if fs.ValidPath(string(name)) && string(name) != "." {
				fsys[string(name)] = file // no file system has another
			}
		} else if file != nil {
			file.Data = append(file.Data, line...)
		}
	}
	for _, file := range fsys {
		if bytes.HasPrefix(file.Data, []byte("link ")) {
			file.Mode = fs.ModeSymlink
		}
	}
	// A file is no directory as well.
	for name := range fsys {
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			delete(fsys, dir)
		}
	}
	return fsys
}

// Whatever a file system holds: Read and Process do not panic, do the same every time, tell
// every fault with its file and its category, pass over no file in silence, and find what a
// simple search finds.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		app, full + crd("MySQL", "v1"), app + deployment, full + crd("MySQL", "v1") + "---\n" + crd("Redis", "v2"),
		"-- app.yaml --\napiVersion: 1\npackageType: [a]\ndependsOn: [{crd: a}, {}, 5]\nx: y\n",
		app + "-- .registry/install.yaml --\nlink /etc/passwd\n-- .registry/icon.png --\n\x89PNG\r\n\x1a\n",
		"-- .registry/behavior.yaml --\nsource: {image: a/b}\n-- .registry/app.yaml --\n{\n",
		app + "-- .registry/resources/a/mysql.v1.icon.svg --\n<svg/>\n-- .registry/resources/a/icon.png --\n-- .registry/resources/a/b/x.yaml --\n" + crd("MySQL", "v1"),
		app + "-- .registry/resources/crd.yaml --\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {labels: 5, annotations: {" + legacy.AnnotationIcon + ": a}}\n",
		full + "-- .registry/resources/ui-schema.yaml --\n# nothing\n",
		app + "-- .registry/resources/a" + strings.Repeat("é", legacy.MaxPath) + "/crd.yaml --\n" + crd("MySQL", "v1"), // the path is cut within a letter
		full + crd("MySQL", "v1") + "Spec: {a: b}\n",                                                                   // another key than spec
	} {
		f.Add([]byte(seed), "v1")
	}
	f.Fuzz(executions.Many(func(t *testing.T, archive []byte, tag string) {
		fsys := fuzzed(archive)
		o := &legacy.Options{Tag: tag}
		p, err := legacy.Read(t.Context(), fsys, o)
		checkFaults(t, err)
		first, processed := outcome(t, p, err)
		again, err := legacy.Read(t.Context(), fsys, o)
		second, _ := outcome(t, again, err)
		if first != second {
			t.Fatalf("two runs differ:\n%s\n%s", first, second)
		}
		checkComplete(t, fsys, p, err)
		checkNearest(t, p)
		checkKept(t, processed)
	}))
}

// outcome is all that a package says, and what becomes of it.
func outcome(t *testing.T, p *legacy.Package, err error) (string, *legacy.Processed) {
	t.Helper()
	out, faults := p.Process(&legacy.ProcessOptions{Install: &legacy.PackageInstall{
		APIVersion: legacy.APIVersion, Kind: legacy.KindPackageInstall, Meta: legacy.ObjectMeta{Name: "x", UID: "1"},
		Spec: legacy.PackageInstallSpec{Source: "example.org", Package: "a/b:v1", ImagePullPolicy: "Always", ImagePullSecrets: []legacy.SecretReference{{Name: "s"}}},
	}})
	checkFaults(t, faults)
	record, jsonErr := json.Marshal(out.Record)
	if jsonErr != nil {
		t.Fatal(jsonErr)
	}
	text := describe(p, err) + string(record)
	for _, c := range out.CRDs {
		object, err := json.Marshal(c.Object)
		if err != nil {
			t.Fatal(err)
		}
		text += string(object)
	}
	if faults != nil {
		text += faults.Error()
	}
	return text, out
}

// checkFaults holds faults to their form.
func checkFaults(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		return
	}
	for _, e := range faultsOf(t, err) {
		if e.Range.File == "" && e.Rule != parser.RuleMetadataMissing {
			t.Errorf("%v has no file", e)
		}
		if len(e.Path) > 0 && !e.Range.Start.IsValid() {
			t.Errorf("%v has no line", e)
		}
		if !errors.Is(e, meta.ErrInvalid) && !errors.Is(e, meta.ErrNotPackage) && !errors.Is(e, meta.ErrLimit) {
			t.Errorf("%v is of no category", e)
		}
		if strings.ContainsAny(e.Error(), "\n\r\x00\x1b") {
			t.Errorf("%q has more than a line", e)
		}
	}
}

// checkComplete says which files are neither read nor told.
func checkComplete(t *testing.T, fsys fstest.MapFS, p *legacy.Package, err error) {
	t.Helper()
	known := map[string]bool{}
	for _, d := range p.Documents() {
		known[d.Range.File] = true
	}
	for _, i := range p.Icons {
		known[i.File] = true
	}
	for _, u := range p.UnknownFiles {
		known[u.File] = true
	}
	if err != nil {
		for _, e := range faultsOf(t, err) {
			if e.Rule == parser.RuleMetadataMissing && e.Range.File == "" {
				return // nothing was looked at
			}
			known[e.Range.File] = true
			if link := (*legacy.FileError)(nil); errors.As(e, &link) && link.File == ".registry" {
				return
			}
		}
	}
	for name := range fsys {
		below := p.Root == "." || strings.HasPrefix(name, p.Root+"/")
		told := known[name]
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			told = told || known[dir] // with a name that no file has
		}
		if len(name) > legacy.MaxPath { // told by the beginning of the path
			for file := range known {
				begin, ok := strings.CutSuffix(file, "…")
				told = told || ok && strings.HasPrefix(name, begin)
			}
		}
		if below && !told && !isEmpty(fsys[name].Data) {
			t.Errorf("nothing is told of %q", name)
		}
	}
}

// isEmpty reports whether a file is a stream without a document, such as a comment.
func isEmpty(data []byte) bool {
	for range parser.Bytes("f", data, nil) {
		return false
	}
	return true
}

// checkNearest looks for the icon of each definition in the simplest way.
func checkNearest(t *testing.T, p *legacy.Package) {
	t.Helper()
	for _, c := range p.CRDs {
		var best *legacy.Icon
		var bestRank [4]int
		for _, i := range p.Icons {
			rank, ok := rankOf(c, i)
			if ok && (best == nil || greater(rank, bestRank) || rank == bestRank && i.File < best.File) {
				best, bestRank = i, rank
			}
		}
		if c.Icon != best {
			t.Errorf("%s has the icon %v, want %v", c.Document.Range, fileOf(c.Icon), fileOf(best))
		}
	}
}

func fileOf(i *legacy.Icon) string {
	if i == nil {
		return "none"
	}
	return i.File
}

// rankOf tells how well an icon fits: how near it is, how much it says, what it is.
func rankOf(c *legacy.CRD, i *legacy.Icon) ([4]int, bool) {
	if i.Dir != "." && c.Dir != i.Dir && !strings.HasPrefix(c.Dir, i.Dir+"/") {
		return [4]int{}, false
	}
	says := 0
	if i.Prefix != "" {
		kind, version, _ := strings.Cut(strings.ToLower(i.Prefix), ".")
		k := c.Provides
		if kind == "" || kind != strings.ToLower(k.Kind) && kind != strings.ToLower(k.Plural) && kind != strings.ToLower(k.Singular) {
			return [4]int{}, false
		}
		says = 1
		if version != "" {
			ok := false
			for _, v := range k.Versions {
				ok = ok || strings.EqualFold(v.Name, version)
			}
			if !ok {
				return [4]int{}, false
			}
			says = 2
		}
	}
	types := map[string]int{legacy.MediaSVG: 4, legacy.MediaPNG: 3, legacy.MediaJPEG: 2, legacy.MediaGIF: 1}
	return [4]int{depth(i.Dir), says, types[legacy.MediaTypeOf(i.File)]}, true
}

func greater(a, b [4]int) bool {
	for n := range a {
		if a[n] != b[n] {
			return a[n] > b[n]
		}
	}
	return false
}

// checkKept holds processed definitions against what they were.
func checkKept(t *testing.T, out *legacy.Processed) {
	t.Helper()
	for _, c := range out.CRDs {
		text, err := c.Source.Document.JSON()
		if err != nil {
			continue
		}
		was, ok := parts(text)
		if !ok {
			continue // its metadata is of another type
		}
		text, err = json.Marshal(c.Object)
		now, ok := parts(text)
		if err != nil || !ok {
			t.Fatalf("%s became %s", c.Source.Document.Range, text)
		}
		for key := range was["annotations"] {
			if !sameJSON(was["annotations"][key], now["annotations"][key]) {
				t.Errorf("the annotation %q has changed", key)
			}
		}
		for key := range was["labels"] {
			if !sameJSON(was["labels"][key], now["labels"][key]) {
				t.Errorf("the label %q has changed", key)
			}
		}
		if now["labels"][legacy.LabelManagedBy] == nil || !sameJSON(was[""]["spec"], now[""]["spec"]) {
			t.Errorf("%s has changed, or has no label", c.Source.Document.Range)
		}
	}
}

// parts returns the fields of an object, and its labels and annotations. The names are as they
// are written: encoding/json would take Spec for spec.
func parts(object []byte) (map[string]map[string]json.RawMessage, bool) {
	fields := func(text []byte) (m map[string]json.RawMessage, ok bool) {
		return m, len(text) == 0 || json.Unmarshal(text, &m) == nil
	}
	all, ok := fields(object)
	metadata, ok2 := fields(all["metadata"])
	labels, ok3 := fields(metadata["labels"])
	annotations, ok4 := fields(metadata["annotations"])
	return map[string]map[string]json.RawMessage{"": all, "labels": labels, "annotations": annotations}, ok && ok2 && ok3 && ok4
}

func sameJSON(a, b json.RawMessage) bool {
	var x, y any
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	decode := func(in json.RawMessage, v *any) bool {
		d := json.NewDecoder(bytes.NewReader(in))
		d.UseNumber()
		return d.Decode(v) == nil
	}
	if !decode(a, &x) || !decode(b, &y) {
		return false
	}
	one, _ := json.Marshal(x)
	two, _ := json.Marshal(y)
	return bytes.Equal(one, two)
}

// depth is how many directories a path has.
func depth(dir string) int {
	if dir == "." {
		return 0
	}
	return 1 + strings.Count(dir, "/")
}
