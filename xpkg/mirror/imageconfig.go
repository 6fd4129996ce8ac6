package mirror

import (
	"slices"
	"strconv"
	"strings"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/meta/install"
)

// ImageConfigs are the rules as Crossplane takes them: one ImageConfig for each place
// that images are rewritten to, sorted by name, each named name- and what it is about.
//
// Crossplane matches references as they are written, so a package of Docker Hub is
// matched by both names of that and, where it was declared without a registry, by its
// own, whole name.
func (l *Lock) ImageConfigs(name string) []*install.ImageConfig {
	type target struct{ label, to string }
	prefixes := map[target][]string{}
	add := func(from, to string) {
		t := target{strings.Trim(unfit(from), "-."), to}
		prefixes[t] = append(prefixes[t], from)
	}
	for _, r := range l.Rules {
		add(r.From, r.To)
		if rest, ok := strings.CutPrefix(r.From, meta.DefaultRegistry+"/"); ok {
			t := target{strings.Trim(unfit(r.From), "-."), r.To}
			prefixes[t] = append(prefixes[t], "docker.io/"+rest)
		}
	}
	for _, e := range l.Entries {
		if !e.Declared.Source.HasRegistry() && !e.Mirrored.Source.Equal(e.Declared.Source) {
			add(e.Declared.Source.String(), e.Mirrored.Source.Name())
		}
	}
	var configs []*install.ImageConfig
	for t, from := range prefixes {
		slices.Sort(from)
		c := &install.ImageConfig{
			APIVersion: install.ImageConfigAPIVersion, Kind: install.KindImageConfig,
			Metadata: install.Metadata{Name: name + "-" + t.label},
			Spec:     install.ImageConfigSpec{RewriteImage: &install.ImageRewrite{Prefix: t.to}},
		}
		for _, prefix := range slices.Compact(from) {
			c.Spec.MatchImages = append(c.Spec.MatchImages, install.ImageMatch{Type: install.MatchPrefix, Prefix: prefix})
		}
		configs = append(configs, c)
	}
	slices.SortFunc(configs, func(a, b *install.ImageConfig) int {
		if n := strings.Compare(a.Metadata.Name, b.Metadata.Name); n != 0 {
			return n
		}
		return strings.Compare(a.Spec.RewriteImage.Prefix, b.Spec.RewriteImage.Prefix)
	})
	for i, c := range configs { // different prefixes can look the same
		plain := c.Metadata.Name
		for n := 2; slices.ContainsFunc(configs[:i], func(o *install.ImageConfig) bool { return o.Metadata.Name == c.Metadata.Name }); n++ {
			c.Metadata.Name = plain + "-" + strconv.Itoa(n)
		}
	}
	return configs
}

// unfit replaces what the name of an object may not hold.
func unfit(s string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '.' {
			return r
		}
		return '-'
	}, strings.ToLower(s))
}
