package dag

import (
	"errors"
	"fmt"
	"slices"

	"github.com/xpkg-go/sdk/meta"
)

// errPrerelease is why a pre-release is no candidate.
var errPrerelease = errors.New("pre-releases are not wanted")

// A HeldError says that a version of a package cannot be used because of the one that
// is installed. It matches meta.ErrInvalid.
type HeldError struct {
	Source    meta.Source
	Version   meta.Version
	Installed meta.Version

	// Reason says why the installed version may not be replaced by this one.
	Reason string
}

// Error implements error.
func (e *HeldError) Error() string {
	return fmt.Sprintf("%s: %s is installed, %s", packageText(e.Source, e.Version), versionText(e.Installed), printable(e.Reason))
}

// Is reports whether target is meta.ErrInvalid.
func (e *HeldError) Is(target error) bool { return target == meta.ErrInvalid }

// releaseOf is what is known of an installed package without its catalog.
func releaseOf(n *Node) *meta.Release {
	return &meta.Release{Source: n.Source, Version: n.Version, Digest: n.Version.Digest(), Kind: n.Kind, DependsOn: n.DependsOn}
}

// takeInstalled makes a candidate of the version that is installed, if it is none by
// its tag or because somebody pins it. A digest that is known of a tag goes with
// it: the tag may have moved since. It gives the pins.
func (p *pkg) takeInstalled(n *Node, pins []candidate) []candidate {
	if n == nil || n.Version.IsZero() {
		return pins
	}
	v := n.Version
	if v.IsFull() {
		pins = slices.DeleteFunc(pins, func(c candidate) bool { return samePin(c.version, v) })
		for k := range p.candidates {
			if p.candidates[k].version.Tag() == v.Tag() {
				p.candidates[k].version = v
				return pins
			}
		}
		p.candidates = append(p.candidates, candidate{version: v})
		return pins
	}
	p.ignored = slices.DeleteFunc(p.ignored, func(tag string) bool { return tag == v.Tag() })
	if slices.ContainsFunc(pins, func(c candidate) bool { return samePin(c.version, v) }) {
		return pins
	}
	return append(pins, candidate{version: v})
}

// findInstalled notes which candidate is installed, and that it is to stay.
func (u *universe) findInstalled(i int32) {
	p := u.pkgs[i]
	n := u.installed[p.key]
	if n == nil || n.Version.IsZero() {
		return
	}
	for k := range p.candidates {
		if samePin(p.candidates[k].version, n.Version) {
			p.at = int32(k)
			break
		}
	}
	if p.at >= 0 && !u.options.Upgrade {
		p.stay = int32(len(u.edges))
		u.edges = append(u.edges, edge{from: stayer, to: i})
	}
}

// restrict refuses the candidates that the options keep out.
func (u *universe) restrict(p *pkg) {
	for k := range p.candidates {
		c := &p.candidates[k]
		if c.read || int32(k) == p.at || u.waits(p, c) {
			continue
		}
		if err := u.keptOut(p, c.version, k < p.tags); err != nil {
			c.read, c.barred, c.refused = true, true, err
		}
	}
}

// waits says whether the options' word on a candidate waits until somebody needs it, because
// the catalog must be asked first which tag has its digest.
func (u *universe) waits(p *pkg, c *candidate) bool {
	o, n := u.options, u.installed[p.key]
	return (o.NoUpgrades || o.NoDowngrades) && n != nil && n.Version.IsFull() && c.version.Tag() == "" && !c.version.IsZero()
}

// judge refuses a digest that the options keep out by the tag of the same content, whose
// spelling by others may have that tag.
func (u *universe) judge(i, k int32) error {
	p := u.pkgs[i]
	c := &p.candidates[k]
	if c.judged || c.refused != nil || k == p.at || !u.waits(p, c) {
		return nil
	}
	c.judged = true
	t, err := u.tagOf(i, c.version.Digest(), fullBitset(p.tags))
	if err != nil {
		return err
	}
	c = &p.candidates[k] // asking may have moved it
	v := c.version
	if t >= 0 {
		v = p.candidates[t].version.WithDigest(v.Digest())
	}
	c.refused = u.keptOut(p, v, false)
	return nil
}

// keptOut says why the options keep a version out, or what is installed does; nil when
// neither does.
func (u *universe) keptOut(p *pkg, v meta.Version, tag bool) error {
	o := u.options
	if o.NoPrereleases && tag && v.Class() == meta.ClassPrerelease {
		return errPrerelease
	}
	n := u.installed[p.key]
	if n == nil || n.Version.IsZero() {
		return nil
	}
	held := func(reason string) error {
		return &HeldError{Source: p.source, Version: v, Installed: n.Version, Reason: reason}
	}
	order := v.WithDigest("").Compare(n.Version.WithDigest(""))
	switch both := n.Version.IsFull() && v.IsFull(); {
	case both && order == 0 && n.Version.Digest() != "" && (o.NoUpgrades || o.NoDowngrades):
		return held("and which of them is newer cannot be told: both have the tag " + v.Tag())
	case !both && (o.NoUpgrades || o.NoDowngrades):
		return held("and which of them is newer cannot be told: " + notComparable(n.Version, v))
	case !n.Version.IsFull() && !p.root:
		return held("which stays unless the package itself is asked for: " + notComparable(n.Version, v))
	case both && o.NoUpgrades && order > 0:
		return held("and upgrades are not allowed")
	case both && o.NoDowngrades && order < 0:
		return held("and downgrades are not allowed")
	}
	return nil
}

// notComparable says which of two versions is none that can be compared.
func notComparable(vs ...meta.Version) string {
	for _, v := range vs {
		switch {
		case v.IsFull():
		case v.Class() == meta.ClassDigest:
			return "a digest cannot be compared with a version"
		default:
			return fmt.Sprintf("the tag %s is no version", v.Tag())
		}
	}
	return ""
}
