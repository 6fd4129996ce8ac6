package parser

import (
	"fmt"
	"strings"

	"github.com/xpkg-go/sdk/meta"
)

// metadataFile is where a package directory has its metadata object.
const metadataFile = "crossplane.yaml"

// maxNearMisses bounds the objects that the error of a missing one names.
const maxNearMisses = 3

// missing reports that there is no metadata object, and what comes close to one.
func (c *collector) missing() {
	what := "no metadata object"
	at := Range{}
	switch fromDir := c.fromDir(); {
	case len(c.files) == 0: // a stream or a directory, nobody can tell
		what = "no " + metadataFile + " and no metadata object"
	case fromDir && !c.files[metadataFile]:
		what = "no " + metadataFile
	case !fromDir && !c.files[metadataFile]:
		for name := range c.files { // the only one
			at.File = name
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s (Configuration, Provider or Function in %s) found; ", what, meta.Group)
	switch {
	case c.brokenHeader:
		b.WriteString(metadataFile + " could not be read; ")
	case c.files[metadataFile]:
		b.WriteString(metadataFile + c.headerFile() + "; ")
	}
	if len(c.files) == 0 {
		b.WriteString("there is no document at all")
	} else {
		fmt.Fprintf(&b, "searched %s in %s", count(c.documents+c.unreadable, "document"), count(len(c.files), "file"))
	}
	if c.unreadable > 0 {
		fmt.Fprintf(&b, ", of which %d could not be read", c.unreadable)
	}
	near := c.nearMisses()
	for i, d := range near {
		sep := ", "
		if i == 0 {
			sep = "; a near miss is "
			if len(near) > 1 {
				sep = "; near misses are "
			}
		}
		ref := d.Ref()
		fmt.Fprintf(&b, "%s%s at %s", sep, ref, d.Range)
		if ref.APIVersion == "" {
			b.WriteString(" (without apiVersion)")
		}
	}
	if len(c.errs) == MaxFaults { // whatever else there is, this is told
		c.errs = c.errs[:MaxFaults-1]
		c.dropped++
	}
	c.add(&Error{Rule: RuleMetadataMissing, Range: at, Index: -1, Message: b.String()})
}

// headerFile says what the file of the metadata object holds instead of it.
func (c *collector) headerFile() string {
	var first *Document
	n := 0
	for _, d := range c.pkg.Objects {
		if d.Range.File == metadataFile {
			if n++; first == nil {
				first = d
			}
		}
	}
	switch {
	case n == 0:
		return " holds no object"
	case first.Ref() == ObjectRef{}:
		return " holds none"
	case n == 1:
		return " holds " + first.Ref().String()
	default:
		return fmt.Sprintf(" holds %s and %s", first.Ref(), count(n-1, "more object"))
	}
}

// fromDir reports whether the documents are those of a directory. Where not one
// could be read, several files tell, or none at all: a stream has a name.
func (c *collector) fromDir() bool {
	if len(c.pkg.Objects) > 0 {
		return c.pkg.Objects[0].source.inDir
	}
	return len(c.files) != 1
}

// nearMisses returns the first objects that an author may have meant to be the
// metadata object.
func (c *collector) nearMisses() []*Document {
	var near []*Document
	for _, d := range c.pkg.Objects {
		if len(near) == maxNearMisses {
			break
		}
		if isNearMiss(d) {
			near = append(near, d)
		}
	}
	return near
}

func isNearMiss(d *Document) bool {
	group, _ := meta.SplitAPIVersion(d.APIVersion)
	if group == "" {
		group = d.APIVersion // the version may be what is missing
	}
	switch {
	case strings.EqualFold(group, meta.Group), strings.EqualFold(group, meta.GroupIBM):
		return true
	case d.APIVersion == "", strings.EqualFold(group, meta.InstallGroup), strings.EqualFold(group, meta.InstallGroupIBM):
		return isPackageKind(d.Kind)
	}
	return false
}
