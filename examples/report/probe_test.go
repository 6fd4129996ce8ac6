package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// act is what a probe does if it is run.
const act = "window.probed=1;document.title='probed'"

// probes are texts that become a script where a page takes them for more than text.
var probes = []string{
	"</script><script>" + act + "</script>",
	`"><img src=x onerror="` + act + `">`,
	`'><svg onload='` + act + `'>`,
	"javascript:" + act,
	" JaVaScRiPt:" + act,
	"data:text/html,<script>" + act + "</script>",
	"</style></title></textarea></noscript><script>" + act + "</script>",
	"<!--<script>" + act + "</script>",
	"${" + act + "}{{.}}`+" + act + "+`",
	"' onmouseover='" + act + "' autofocus onfocus='" + act,
	"&lt;script&gt;" + act + "&lt;/script&gt;",
	"\u2028" + act + "\u202e</script>",
}

// probePackage writes a package in which every string that may be one is a probe.
func probePackage(t testing.TB) string {
	t.Helper()
	n := 0
	probe := func() string { // a quoted YAML string
		n++
		text, _ := json.Marshal(probes[n%len(probes)])
		return string(text)
	}
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	dir := t.TempDir()
	files := 0
	end := func(name string) {
		t.Helper()
		if runtime.GOOS != "windows" { // which has no such names
			name = strings.ReplaceAll(probes[files%len(probes)], "/", "") + name
		}
		if files++; files == 1 {
			name = "crossplane.yaml"
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		b.Reset()
	}

	line("apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata:\n  name: %s\n  labels: {%s: %s}\n  annotations:", probe(), probe(), probe())
	for _, key := range []string{"maintainer", "source", "license", "description", "iconURI"} {
		line("    meta.crossplane.io/%s: %s", key, probe())
	}
	line("    friendly-name.meta.crossplane.io: %s\n    company: %s\n    keywords: %s", probe(), probe(), probe())
	for _, p := range probes {
		key, _ := json.Marshal(p)
		line("    %s: %s", key, probe())
	}
	var readme strings.Builder
	for _, p := range probes {
		fmt.Fprintf(&readme, "# %s\n\n%s\n\n[%s](%s \"%s\") ![%s](<%s>) <%s>\n\n`%s`\n\n```%s\n%s\n```\n\n- %s\n\n|%s|\n|-|\n|%s|\n\n    %s\n\n[a][r]\n\n[r]: <%s>\n\n",
			p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p)
	}
	text, _ := json.Marshal(readme.String())
	line("    meta.crossplane.io/readme: %s", text)
	line("spec:\n  capabilities: [%s]\n  %s: %s\n  crossplane: {version: %s}\n  dependsOn:", probe(), probe(), probe(), probe())
	for range probes {
		line("  - {apiVersion: %s, kind: %s, package: %s, version: %s}", probe(), probe(), probe(), probe())
		line("  - {provider: %s, version: %s}\n  - {crd: %s, version: %s}", probe(), probe(), probe(), probe())
	}
	end("")

	for i := range probes {
		kind := []string{"apiextensions.k8s.io/v1\nkind: CustomResourceDefinition", "apiextensions.crossplane.io/v1\nkind: CompositeResourceDefinition"}[i%2]
		line("apiVersion: %s\nmetadata: {name: %s, annotations: {%s: %s}}\nspec:", kind, probe(), probe(), probe())
		line("  group: %s\n  scope: %s\n  names: {kind: %s, plural: %s, categories: [%s]}\n  claimNames: {kind: %s, plural: %s}\n  versions:", probe(), probe(), probe(), probe(), probe(), probe(), probe())
		for range 2 {
			line("  - name: %s\n    deprecationWarning: %s\n    served: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        description: %s\n        properties:\n          spec:\n            type: object\n            required: [%s]\n            properties:", probe(), probe(), probe(), probe())
			for j, p := range probes {
				name, _ := json.Marshal(p)
				line("              %s: {type: %s, format: %s, description: %s, default: %s, enum: [%s, %s], pattern: %s, example: %s, title: %s, x-kubernetes-list-type: %s, x-kubernetes-validations: [{rule: %s, message: %s}]}",
					name, probe(), probe(), probe(), probe(), probe(), probe(), probe(), probe(), probe(), probe(), probe(), probe())
				line("              list%d: {type: array, description: %s, items: {type: object, properties: {%s: {type: object, additionalProperties: {description: %s, properties: {%s: {default: {%s: %s}}}}}}}}",
					j, probe(), name, probe(), probe(), probe(), probe())
			}
		}
		line("---")
		line("apiVersion: apiextensions.crossplane.io/v1\nkind: Composition\nmetadata: {name: %s}\nspec: {%s: %s} # %s", probe(), probe(), probe(), probes[i%2])
		line("---\napiVersion: %s\nkind: %s\nmetadata: {name: %s}", probe(), probe(), probe())
		line("---\n%s: [", probe())
		end(fmt.Sprintf("%d.yaml", i))
	}
	return dir
}

// openAll opens everything in a page that can be opened, and searches for all.
const openAll = `(async () => {
	for (const details of document.querySelectorAll('details')) details.open = true;
	const wait = async (done) => {
		for (; !done(); await new Promise((r) => setTimeout(r, 5)))
			if (document.querySelector('[role=alert]')) throw Error(document.querySelector('[role=alert]').textContent);
	};
	for (const object of document.querySelectorAll('details.object')) {
		await wait(() => object.querySelector('.body') && !object.querySelector('.body > [role=status]'));
		const select = object.querySelector('select');
		for (let i = 0; i < (select ? select.options.length : 1); i++) {
			if (select) { select.selectedIndex = i; select.dispatchEvent(new Event('change')); }
			for (const button of object.querySelectorAll('button')) if (button.textContent === 'Expand all') button.click();
			const search = object.querySelector('.search input');
			if (search) { search.value = 'p'; search.dispatchEvent(new Event('input')); }
		}
	}
	return document.querySelectorAll('details.field[open]').length;
})()`

// A package whose every string is a script runs none of them: not by being read, not by being
// opened, searched or pointed at. None even comes so far that the policy has to stop it.
func TestProbes(t *testing.T) {
	probed(t, "probes", probePackage(t))
}

// probed opens the page of a package that is full of probes, does all that can be done
// there, and looks for what should not be.
func probed(t *testing.T, screenshot string, args ...string) {
	t.Helper()
	page := makePage(t, nil, args...)
	tab := startBrowser(t).blank(1280, 1400)
	tab.open(page, "")
	title := tab.eval(`document.title`)
	if got := tab.eval(openAll); len(got) < 3 { // hundreds
		t.Fatalf("%s fields were opened", got)
	}
	tab.screenshot(screenshot)
	tab.eval(`document.querySelector('details.object').scrollIntoView({behavior: 'instant'})`)
	tab.screenshot(screenshot + "-objects")
	// What is pointed at, focused and clicked, save links that lead away.
	tab.eval(`for (const e of document.querySelectorAll('*')) {
		for (const kind of ['mouseover', 'focus', 'load', 'error']) e.dispatchEvent(new Event(kind));
		if (e.tagName !== 'A' && e.tagName !== 'SUMMARY' && e.tagName !== 'BUTTON') e.dispatchEvent(new MouseEvent('click'));
	}`)
	for _, fragment := range probes {
		tab.eval(fmt.Sprintf(`(async () => { location.hash = new URLSearchParams({object: %q, filter: %q, field: %q, version: %q}); await new Promise((r) => setTimeout(r, 0)); })()`, fragment, fragment, fragment, fragment))
	}
	for what, script := range map[string]string{
		"a probe was run":                  `window.probed !== undefined`,
		"the title has changed":            `document.title !== ` + title,
		"there is a script too many":       `[...document.scripts].filter((s) => s.type === '').length !== 1 || [...document.scripts].some((s) => s.src || (s.type !== '' && !/^[\w-]*$/.test(s.textContent)))`,
		"there is an attribute of events":  `[...document.querySelectorAll('*')].some((e) => [...e.attributes].some((a) => a.name.startsWith('on')))`,
		"there is a style in an attribute": `document.querySelector('[style]') !== null`,
		"a link leads somewhere else":      `[...document.links].some((a) => !/^(https?:|mailto:|file:.*#)/.test(a.href)) || document.querySelector('use, a[*|href]:not([href])') !== null`,
		"an id is there twice":             `(() => { const ids = [...document.querySelectorAll('[id]')].map((e) => e.id); return new Set(ids).size !== ids.length; })()`,
		"a control has no label":           `[...document.querySelectorAll('input, select')].some((e) => e.labels.length !== 1)`,
		"code is turned around":            `[...document.querySelectorAll('code, pre')].some((e) => /[\u202a-\u202e\u2066-\u2069]/.test(e.textContent))`,
		"there is an element too many":     `document.querySelector('iframe, object, embed, base, link, form:not(.filter), meta[http-equiv=refresh], svg script, foreignObject, style ~ style') !== null`,
	} {
		if tab.eval(script) != "false" {
			t.Errorf("%s", what)
		}
	}
	tab.quiet(t)
}

// quiet fails the test where the page asked for anything, or the browser had anything to say:
// of an exception, of a breach of the policy.
func (t *tab) quiet(tb testing.TB) {
	tb.Helper()
	for _, m := range t.events("Network.requestWillBeSent") {
		var p struct{ Request struct{ URL string } }
		_ = json.Unmarshal(m.Params, &p)
		if u := p.Request.URL; !strings.HasPrefix(u, "file:") && !strings.HasPrefix(u, "data:image/") {
			tb.Errorf("the page asks for %s", u)
		}
	}
	if n := len(t.events("Network.requestWillBeSent")); n > 2 { // itself, and the icon
		tb.Errorf("the page asks %d times", n)
	}
	for _, event := range []string{"Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Page.javascriptDialogOpening", "Page.windowOpen"} {
		for _, m := range t.events(event) {
			tb.Errorf("%s: %s", event, m.Params)
		}
	}
}

// A script that came into a page would still not run, and nothing would be loaded: the policy
// says so.
func TestPolicy(t *testing.T) {
	page := makePage(t, nil, filepath.Join("..", "inspect", "sample"))
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	whole := strings.Replace(string(text), `<main id="main"`, `<script>`+act+`</script><img src="x:" onerror="`+act+`">`+
		`<img src="http://127.0.0.1:9/pixel"><link rel="stylesheet" href="http://127.0.0.1:9/style"><iframe src="http://127.0.0.1:9/"></iframe>`+
		`<style>body{display:none}</style><main id="main"`, 1)
	if err := os.WriteFile(page, []byte(whole), 0o666); err != nil {
		t.Fatal(err)
	}
	tab := startBrowser(t).blank(800, 600)
	tab.open(page, "")
	if tab.eval(`window.probed === undefined && getComputedStyle(document.body).display !== 'none'`) != "true" {
		t.Error("what stands in the page by itself has an effect")
	}
	if tab.eval(`(() => { try { document.body.innerHTML = '<p>'; return false } catch { return true } })()`) != "true" {
		t.Error("text may be made HTML")
	}
	if got := len(tab.events("Log.entryAdded")); got < 5 {
		t.Errorf("the browser complains %d times, want once for each of what is not allowed", got)
	}
}
