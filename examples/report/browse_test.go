package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// shop is a package to browse: two definitions, one with two versions, and a composition.
const shop = `apiVersion: meta.pkg.crossplane.io/v1
kind: Configuration
metadata:
  name: configuration-shop
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: shops.example.org
spec:
  group: example.org
  scope: Namespaced
  names: {kind: Shop, plural: shops}
  versions:
  - name: v1alpha1
    served: true
    storage: false
    deprecated: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              oldName: {type: string}
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          spec:
            type: object
            required: [shelves]
            properties:
              shelves:
                type: array
                description: |-
                  The shelves, from
                  left to right.
                items:
                  type: object
                  properties:
                    label.with/dots: {type: string, maxLength: 20}
                    goods:
                      type: object
                      additionalProperties:
                        type: object
                        properties:
                          price: {type: integer, format: int64, minimum: 0, default: 1}
              size: {type: string, enum: [small, large], default: small}
---
apiVersion: apiextensions.crossplane.io/v1
kind: CompositeResourceDefinition
metadata:
  name: xmalls.example.org
spec:
  group: example.org
  names: {kind: XMall, plural: xmalls}
  versions:
  - name: v1
    served: true
    referenceable: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {floors: {type: integer}}}}}}
---
# Where the shops are.
apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata:
  name: mall
`

func shopPage(t testing.TB) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "package.yaml")
	if err := os.WriteFile(file, []byte(shop), 0o666); err != nil {
		t.Fatal(err)
	}
	return makePage(t, nil, file)
}

// A person filters the objects, opens one, looks at its versions and fields, and searches them.
func TestBrowse(t *testing.T) {
	b := startBrowser(t)
	page := shopPage(t)
	const (
		visible = `[...document.querySelectorAll('.objects > li:not([hidden]) .title')].map((e) => e.textContent).join()`
		crd     = `document.querySelector('details.object[data-key="CustomResourceDefinition/shops.example.org"]')`
		names   = `[...` + crd + `.querySelectorAll('.field-name')].filter((e) => e.checkVisibility()).map((e) => e.textContent).join()`
		shown   = `!` + crd + `.querySelector('[role=status]') && ` + crd + `.querySelector('.fields')`
	)
	tab := b.blank(1280, 900)
	check := func(reason, script, want string) {
		t.Helper()
		if got := tab.eval(script); got != want {
			t.Errorf("%s: got %s, want %s", reason, got, want)
		}
	}
	tab.open(page, "")
	check("every object is listed, definitions first", visible, `"XMall,Shop,mall,configuration-shop"`)
	tab.eval(`document.getElementById('filter').focus()`)
	tab.press("s", "H", "o")
	check("the filter looks at kinds, groups and names in any case", visible, `"Shop,configuration-shop"`)
	check("and says how many match", `document.getElementById('matches').textContent`, `"2 of 4 objects"`)
	check("a kind of which nothing matches is gone", `[...document.querySelectorAll('.kinds:not([hidden]) h3')].length`, `2`)
	tab.press("Enter")
	check("enter sends nothing anywhere", `location.search + document.getElementById('filter').value`, `"sHo"`)

	tab.press("Tab")
	check("the next stop of the keyboard is the first object", `document.activeElement.textContent.includes('Shop')`, `true`)
	tab.press("Enter")
	tab.until(shown)
	check("the version that is stored is shown", crd+`.querySelector('select').value`, `"v1"`)
	check("with what is in spec", names, `"spec,shelves,size"`)
	check("a default and the values of an enum are there", `[...`+crd+`.querySelectorAll('.fact')].map((e) => e.textContent).join()`, `"default \"small\",one of \"small\" \"large\""`)
	check("a description that was broken into lines flows", crd+`.querySelector('.description').textContent`, `"The shelves, from left to right."`)
	check("what is required says so", `[...`+crd+`.querySelectorAll('.required')].map((e) => e.previousElementSibling.previousElementSibling.textContent).join()`, `"spec,shelves"`)
	tab.eval(crd + `.querySelectorAll('details.field')[1].querySelector('summary').focus()`)
	tab.press("Enter")
	tab.until(crd + `.querySelectorAll('.fields').length > 2`)
	check("enter opens a field", names, `"spec,shelves,goods,label.with/dots,size"`)
	check("types are in words", crd+`.querySelectorAll('.type')[1].textContent`, `"array of object"`)
	tab.eval(`[...` + crd + `.querySelectorAll('button')].find((b) => b.textContent === 'Expand all').click()`)
	check("all fields can be opened at once", names, `"spec,shelves,goods,price,label.with/dots,size"`)
	tab.eval(`[...` + crd + `.querySelectorAll('button')].find((b) => b.textContent === 'Collapse all').click()`)
	check("and closed", names, `"spec"`)
	tab.eval(crd + `.querySelector('.search input').focus()`)
	tab.press("p", "r", "i")
	check("a search finds fields below lists and maps", `[...`+crd+`.querySelectorAll('.results a')].map((e) => e.textContent).join()`, `"spec.shelves[].goods{}.price"`)
	tab.eval(crd + `.querySelector('.results a').click()`)
	tab.until(crd + `.querySelector('li.target')`)
	check("a result leads to its field", crd+`.querySelector('li.target .field-name').textContent`, `"price"`)
	tab.eval(`{const s = ` + crd + `.querySelector('select'); s.value = 'v1alpha1'; s.dispatchEvent(new Event('change'))}`)
	check("another version has other fields", names, `"spec,oldName"`)
	tab.quiet(t)
}

// inView is what a link leads to having come into view.
const inView = `(() => { const at = document.querySelector('.target').getBoundingClientRect(); return at.top >= 0 && at.top < innerHeight; })()`

// A link leads to an object, to a version and to a field of it, and to what a filter finds.
func TestLinks(t *testing.T) {
	b := startBrowser(t)
	page := shopPage(t)
	tab := b.blank(1280, 900)
	const crd = "#object=CustomResourceDefinition/shops.example.org"
	for _, tc := range []struct{ reason, fragment, script, want string }{
		{"an object", crd, `document.querySelector('.object.target').dataset.key`, `"CustomResourceDefinition/shops.example.org"`},
		{"its fields are there", crd, `document.querySelector('.object.target .field-name').textContent`, `"spec"`},
		{"a field in a list", crd + "&field=spec.shelves[].goods", `document.querySelector('li.target .type').textContent`, `"map of object"`},
		{"a name with dots", crd + "&field=spec.shelves[].label.with/dots", `document.querySelector('li.target .fact').textContent`, `"max length 20"`},
		{"a field of another version", crd + "&version=v1alpha1&field=spec.oldName", `document.querySelector('li.target .field-name').textContent`, `"oldName"`},
		{"a field that is not there leads to its object", crd + "&field=spec.nothing", `document.querySelector('.target').className`, `"object target"`},
		{"an object with text shows it", "#object=Composition/mall", `document.querySelector('.object.target pre').textContent.startsWith('# Where the shops are.')`, `true`},
		{"the place of an object, as findings have it", "#o1", `document.querySelector('.object.target').dataset.key`, `"Configuration/configuration-shop"`},
	} {
		tab.open(page, tc.fragment)
		tab.until(`document.querySelector('.target') && !document.querySelector('[role=status]')`)
		if got := tab.eval(tc.script); got != tc.want {
			t.Errorf("%s: got %s, want %s", tc.reason, got, tc.want)
		}
		tab.until(inView)
	}
	tab.open(page, "#filter=mall")
	if got := tab.eval(`document.querySelectorAll('.objects > li:not([hidden])').length`); got != "2" {
		t.Errorf("a filter in a link shows %s objects, want 2", got)
	}
	tab.quiet(t)
}

// Without scripts all is there but the fields, and the page says so.
func TestNoScript(t *testing.T) {
	tab := startBrowser(t).blank(1280, 900)
	tab.do("Emulation.setScriptExecutionDisabled", params{"value": true}, nil)
	tab.open(shopPage(t), "")
	if got := tab.eval(`document.querySelector('noscript').checkVisibility() && document.querySelectorAll('.object').length`); got != "4" {
		t.Errorf("got %s, want 4 objects and a word about the rest", got)
	}
}

// What is not in a page, or is damaged, is told when it is opened.
func TestMissing(t *testing.T) {
	page := shopPage(t)
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	whole := strings.Replace(string(text), `data-key="Composition/mall" data-chunk="0"`, `data-key="Composition/mall" data-chunk="-1"`, 1)
	whole = strings.Replace(whole, `id="c0">`, `id="c0">AAAA`, 1)
	if err := os.WriteFile(page, []byte(whole), 0o666); err != nil {
		t.Fatal(err)
	}
	tab := startBrowser(t).blank(800, 600)
	for key, want := range map[string]string{"Composition/mall": "would be too large", "CompositeResourceDefinition/xmalls.example.org": "could not expand the data"} {
		tab.open(page, "#object="+key)
		told := tab.eval(`new Promise((done) => { const look = () => {
			const body = document.querySelector('.object.target .body');
			body && !body.querySelector('[role=status]') ? done(body.textContent) : setTimeout(look, 5);
		}; look(); })`)
		if !strings.Contains(told, want) {
			t.Errorf("%s: %s", key, told)
		}
	}
}
