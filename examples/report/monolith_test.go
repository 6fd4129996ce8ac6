package main

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/xpkg-go/sdk/examples/internal/clitest"
)

// monolith reads the largest real package, 102 MB with 2,065 definitions.
func monolith(t testing.TB) io.Reader {
	t.Helper()
	dir := os.Getenv("XPKG_CORPUS")
	if dir == "" {
		t.Skip("XPKG_CORPUS is not set: set it to the folder of real packages (see CONTRIBUTING.md)")
	}
	if clitest.Race {
		t.Skip("102 MB are too slow under the race detector; the test runs without it")
	}
	f, err := os.Open(filepath.Join(dir, "provider-aws-monolith.package.yaml.gz"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

const maxPage = 30 << 20

// bucket leads to a field of one of the definitions of the largest package.
const (
	bucket = "#object=CustomResourceDefinition/buckets.s3.aws.upbound.io&field=spec.forProvider.region"
	opened = `document.querySelector('li.target .field-name')`
)

// The page of the largest real package has 30 MB at most, and everything in it can be found.
func TestMonolith(t *testing.T) {
	page := makePage(t, monolith(t), "-")
	info, err := os.Stat(page)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > maxPage {
		t.Errorf("the page has %d bytes, want %d at most", info.Size(), maxPage)
	}
	tab := startBrowser(t).blank(1280, 900)
	tab.open(page, bucket)
	tab.until(opened)
	tab.until(inView)
	if got := tab.eval(opened + `.textContent`); got != `"region"` {
		t.Errorf("the link leads to %s", got)
	}
	if got := tab.eval(`document.querySelectorAll('.object').length`); got != "2066" {
		t.Errorf("%s objects are listed", got)
	}
	tab.eval(`{const f = document.getElementById('filter'); f.value = 'bucket s3.aws.upbound'; f.dispatchEvent(new Event('input')); f.scrollIntoView({behavior: 'instant'})}`)
	tab.screenshot("monolith-filter")
	if got := tab.eval(`document.querySelectorAll('.objects > li:not([hidden])').length`); got == "0" || got == "2066" {
		t.Errorf("the filter leaves %s objects", got)
	}
	tab.quiet(t)
}

// BenchmarkOpen opens the page of the largest real package: until its script has run and it can
// be used (interactive-ms), until something is seen (paint-ms), and, from a link, until a field
// of a definition is there (field-ms). It is the browser's own clock, which begins with the navigation.
func BenchmarkOpen(b *testing.B) {
	page := makePage(b, monolith(b), "-")
	info, err := os.Stat(page)
	if err != nil {
		b.Fatal(err)
	}
	tab := startBrowser(b).blank(1280, 900)
	number := func(script string) (n float64) {
		if err := json.Unmarshal([]byte(tab.eval(script)), &n); err != nil {
			b.Fatal(err)
		}
		return n
	}
	var interactive, paint, field, heap float64
	for b.Loop() {
		tab.open(page, "")
		tab.until(`performance.getEntriesByName('first-contentful-paint').length`)
		interactive += number(`performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd`)
		paint += number(`performance.getEntriesByName('first-contentful-paint')[0].startTime`)
		heap = max(heap, number(`performance.memory.usedJSHeapSize`))
		tab.open(page, bucket)
		tab.until(opened)
		field += number(`performance.now()`)
	}
	n := float64(b.N)
	b.ReportMetric(interactive/n, "interactive-ms")
	b.ReportMetric(paint/n, "paint-ms")
	b.ReportMetric(field/n, "field-ms")
	b.ReportMetric(heap/1e6, "heap-MB")
	b.ReportMetric(float64(info.Size())/1e6, "page-MB")
	b.ReportMetric(0, "ns/op")
}
