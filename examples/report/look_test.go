package main

import (
	"os"
	"path/filepath"
	"testing"
)

// Pages of any package fit any width, in light and dark. With XPKG_SCREENSHOTS=DIR they can be
// looked at.
func TestLook(t *testing.T) {
	b := startBrowser(t)
	pages := map[string]string{"sample": makePage(t, nil, filepath.Join("..", "inspect", "sample"))}
	if corpus := os.Getenv("XPKG_CORPUS"); corpus != "" {
		for name, dir := range map[string]string{
			"eks": "configuration-aws-eks-v0.16.0", "blueprints": "crossplane-on-eks-aws", "function": "function-kcl-v0.11.6",
		} {
			pages[name] = makePage(t, nil, "-catalog", filepath.Join(corpus, "catalog.yaml"), filepath.Join(corpus, "packages", dir))
		}
		pages["monolith"] = makePage(t, monolith(t), "-")
	}
	for name, file := range pages {
		for _, width := range []int{1280, 360} {
			tab := b.blank(width, 1400)
			for _, look := range []string{"light", "dark"} {
				if look == "dark" {
					tab.dark()
				}
				tab.open(file, "")
				view := name + "-" + look + map[int]string{1280: "", 360: "-narrow"}[width]
				tab.screenshot(view)
				tab.eval(`document.querySelector('details.object').open = true`)
				tab.until(`!document.querySelector('details.object [role=status]') && document.querySelector('.body')`)
				if tab.eval(`document.documentElement.scrollWidth <= innerWidth`) != "true" {
					t.Errorf("%s is wider than a window of %d pixels", view, width)
				}
				tab.eval(`document.getElementById('objects').scrollIntoView({behavior: 'instant'})`)
				tab.screenshot(view + "-objects")
			}
		}
	}
}
