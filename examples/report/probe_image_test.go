package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	ocilayout "github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"

	"github.com/xpkg-go/sdk/examples/internal/clitest"
)

// Where a package is right in form, more of it is shown than of one in which nothing is: its
// controller, its icon, what its schemas say of values, the platforms and annotations of its
// image, where it was read from, what its dependencies come to or why not, the author's answers
// to findings. Probes there run no script either.
func TestProbesInForm(t *testing.T) {
	n := 0
	probe := func() string {
		n++
		text, _ := json.Marshal(probes[n%len(probes)])
		return string(text)
	}
	probeList := func(of int) string {
		list := make([]string, of)
		for i := range list {
			list[i] = probe()
		}
		return "[" + strings.Join(list, ", ") + "]"
	}
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata:\n  name: probes\n  annotations:")
	line("    meta.crossplane.io/maintainer: %s\n    meta.crossplane.io/iconURI: %q", probe(), "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='"+act+"'><script>"+act+"</script></svg>")
	readme, _ := json.Marshal(strings.Join([]string{
		"[a](&#106;avascript:" + act + ") [b](java&Tab;script:" + act + ") [c](<\x01javascript:" + act + ">) [d](vbscript:" + act + ")",
		"![e](data:image/svg+xml,<svg/onload=" + act + ">) <a href=javascript:" + act + ">f</a> <img src=x onerror=" + act + ">",
		"<svg><script>" + act + "</script></svg>\n\n<details open ontoggle=" + act + "><summary>g</summary></details>\n\n<style>*{background:url(https://example.org/)}</style>",
		"[h][i]\n\n[i]: javascript:" + act + " \"" + act + "\"\n\n| <script>" + act + "</script> |\n|:-:|\n| [j](//example.org/) |\n\n~~~<script>" + act + "\n</script>\n~~~",
		"<form action=javascript:" + act + "><button autofocus>k</button></form> {{ .Name }} <base href=//example.org/> <meta http-equiv=refresh content=0>",
	}, "\n\n"))
	line("    meta.crossplane.io/readme: %s", readme)
	line("spec:\n  controller:\n    image: %s\n    permissionRequests: [{apiGroups: %s, resources: %s, verbs: %s}]", probe(), probeList(2), probeList(2), probeList(2))
	line("  capabilities: %s\n  crossplane: {version: \">=v1.20.0\"}\n  dependsOn:", probeList(12))
	line("  - {apiVersion: pkg.crossplane.io/v1, kind: Provider, package: acme.io/org/one, version: \">=v1.0.0\"}")
	line("  - {apiVersion: pkg.crossplane.io/v1, kind: Provider, package: acme.io/org/two, version: \">=v3.0.0\"}")
	for i := range 5 {
		line("---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: things%d.acme.io, annotations: {%s: %s}}", i, probe(), probe())
		line("spec:\n  group: acme.io\n  scope: Namespaced\n  names: {kind: Thing%d, plural: things%[1]d, singular: %s, shortNames: %s, categories: %s}\n  versions:", i, probe(), probeList(2), probeList(2))
		line("  - name: v1\n    served: true\n    storage: true\n    deprecated: true\n    deprecationWarning: %s", probe())
		line("    additionalPrinterColumns: [{name: %s, type: string, description: %s, format: %s, jsonPath: %s}]", probe(), probe(), probe(), probe())
		line("    subresources: {scale: {specReplicasPath: %s, statusReplicasPath: %s, labelSelectorPath: %s}}", probe(), probe(), probe())
		line("    schema:\n      openAPIV3Schema:\n        type: object\n        description: %s\n        externalDocs: {url: %s, description: %s}\n        properties:\n          spec:\n            type: object\n            properties:", probe(), probe(), probe())
		for j := range probes {
			line("              field%d: {type: object, description: %s, properties: {inner: {type: object, properties: {leaf: {type: string, description: %s, default: %s, enum: %s, pattern: %s, format: %s, example: %s, externalDocs: {url: %s}, x-kubernetes-validations: [{rule: %s, message: %s, messageExpression: %s, fieldPath: %s, reason: %s}]}}}}}",
				j, probe(), probe(), probe(), probeList(len(probes)), probe(), probe(), probe(), probe(), probe(), probe(), probe(), probe(), probe())
		}
	}
	// xpkg:ignore is answered with a reason of the author's.
	line("---\n# xpkg:ignore object-not-allowed %s\napiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {%s: %s}", probes[0], probe(), probe())
	for _, kind := range []string{"ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"} {
		line("---\napiVersion: admissionregistration.k8s.io/v1\nkind: %s\nmetadata: {name: %s}\nwebhooks: [{name: %s, clientConfig: {url: %s}, sideEffects: %s, rules: [{apiGroups: %s, operations: %s}]}]", kind, probe(), probe(), probe(), probe(), probeList(1), probeList(1))
	}

	img := clitest.Image(t, b.String())
	index := v1.ImageIndex(empty.Index)
	index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: img, Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "linux", Architecture: "amd64"}}})
	for i, p := range probes {
		other := mutate.Annotations(img, map[string]string{"n": fmt.Sprint(i), p: p}).(v1.Image)
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: other, Descriptor: v1.Descriptor{
			Platform:    &v1.Platform{OS: p, Architecture: p, Variant: p, OSVersion: p, OSFeatures: []string{p}, Features: []string{p}},
			Annotations: map[string]string{p: p},
		}})
	}
	name := "layout"
	if runtime.GOOS != "windows" { // which has no such names
		name = strings.ReplaceAll(probes[1], "/", "") + "</code><script>" + act
	}
	dir := filepath.Join(t.TempDir(), strings.ReplaceAll(name, "/", ""))
	at, err := ocilayout.Write(dir, empty.Index)
	if err != nil {
		t.Fatal(err)
	}
	if err := at.AppendIndex(index); err != nil {
		t.Fatal(err)
	}
	catalog := filepath.Join(t.TempDir(), "catalog.yaml")
	text := "packages:\n- source: acme.io/org/one\n  versions:\n  - {version: v1.0.0, kind: Provider, crossplane: " + probe() + ", images: " + probeList(2) + ", dependsOn: [{kind: Provider, package: " + probe() + ", version: " + probe() + "}]}\n" +
		"- source: acme.io/org/two\n  versions:\n  - {version: v1.0.0, kind: Provider}\n  - {version: " + probe() + ", kind: Provider}\n"
	if err := os.WriteFile(catalog, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	probed(t, "probes-in-form", "-catalog", catalog, dir)
}
