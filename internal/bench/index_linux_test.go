package bench

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// BenchmarkIndex tells how many references a second the example program index reads from a
// registry on the loopback, which works on the same cores, and how much memory it had
// resident: 2,000 references of small packages, and the same with large providers among them.
//
//	go test -run='^$' -bench='^BenchmarkIndex$' -benchtime=1x ./internal/bench
func BenchmarkIndex(b *testing.B) {
	of, program := built(b, "./peakof"), built(b, "../../examples/index")
	b.Run("small", func(b *testing.B) { index(b, of, program, nil, 0) })
	providers(b, func(b *testing.B, stream []byte, _ int) {
		for _, n := range []int{1, 4} {
			b.Run(fmt.Sprintf("large=%d", n), func(b *testing.B) { index(b, of, program, stream, n) })
		}
	})
}

// index runs the program over 2,000 small packages with n large ones among them.
func index(b *testing.B, of, program string, stream []byte, n int) {
	var most int64
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0)), registry.WithReferrersSupport(true)))
	defer server.Close()
	host := strings.TrimPrefix(server.URL, "http://")
	var list strings.Builder
	for p := range 20 {
		text := fmt.Sprintf("apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata:\n  name: small-%d\nspec:\n  dependsOn:\n  - provider: acme.io/provider\n    version: v1.0.0\n", p)
		publish(b, &list, fmt.Sprintf("%s/org/small-%d", host, p), []byte(text), 100)
		if p == 10 && n > 0 {
			publish(b, &list, host+"/org/large", stream, n)
		}
	}
	file := filepath.Join(b.TempDir(), "references.txt")
	if err := os.WriteFile(file, []byte(list.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	var took time.Duration
	for b.Loop() {
		var told bytes.Buffer
		cmd := exec.CommandContext(b.Context(), of, program, "-f", file, "-out", filepath.Join(b.TempDir(), "index.jsonl"))
		cmd.Stderr = &told
		start := time.Now()
		out, err := cmd.Output()
		took += time.Since(start)
		var code int
		var peak int64
		if want := fmt.Sprintf("%d references: %[1]d read, 0 unchanged, 0 failed\n", 2000+n); err != nil || told.String() != want {
			b.Fatalf("%v: %q, want %q", err, &told, want)
		}
		if _, err := fmt.Fscan(bytes.NewReader(out), &code, &peak); err != nil || code != 0 {
			b.Fatalf("%q: %v, want the exit code 0", out, err)
		}
		most = max(most, peak)
	}
	b.ReportMetric(float64(b.N)*float64(2000+n)/took.Seconds(), "references/s")
	b.ReportMetric(float64(most)/1e6, "MB-resident")
}

// publish pushes a package under so many tags, each with a manifest of its own, and lists
// them.
func publish(b *testing.B, list *strings.Builder, repository string, stream []byte, tags int) {
	img := marked(b, layer(b, "package.yaml", stream))
	source, err := meta.ParseSource(repository)
	if err != nil {
		b.Fatal(err)
	}
	client := &xpkg.Client{}
	if _, err := client.Push(b.Context(), source.WithTag("first").String(), img); err != nil {
		b.Fatal(err)
	}
	to, err := client.Destination(source)
	if err != nil {
		b.Fatal(err)
	}
	for n := range tags {
		tag := fmt.Sprintf("v1.%d.0", n)
		raw, err := mutate.Annotations(img, map[string]string{"tag": tag}).(v1.Image).RawManifest()
		if err != nil {
			b.Fatal(err)
		}
		m, err := xpkg.NewRawManifest(raw, "")
		if err != nil {
			b.Fatal(err)
		}
		if err := to.PutManifest(b.Context(), tag, m); err != nil {
			b.Fatal(err)
		}
		fmt.Fprintln(list, source.WithTag(tag))
	}
}
