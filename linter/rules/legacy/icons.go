package legacy

import (
	"bytes"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/xpkg-go/sdk/linter"
	v1 "github.com/xpkg-go/sdk/meta/legacy"
)

func iconRatio() rule {
	return rule{linter.Rule{
		ID: "legacy-icon-ratio",
		Doc: "An icon is as wide as it is high, so that it can stand in a list with others. That of an SVG is told by its width and " +
			"height, or by its viewBox; one of a hundred may be missing there.",
		Bad:  goodApp + "-- .registry/icon.svg --\n<svg viewBox=\"0 0 64 32\"/>\n",
		Good: goodApp + "-- .registry/icon.svg --\n<svg viewBox=\"0 0 64 64\"/>\n", Severity: linter.Warning,
	}, func(f *findings, p *v1.Package) {
		for _, i := range p.Icons {
			w, h, ok := sizeOf(i)
			if exact := i.Sniffed != v1.MediaSVG; ok && (exact && w != h || math.Abs(w-h) > max(w, h)/100) {
				f.file(i.File, "the icon is %s wide and %s high (the ratio 1:1 is expected)", number(w), number(h))
			}
		}
	}}
}

func iconContent() rule {
	return rule{linter.Rule{
		ID:  "legacy-icon-content",
		Doc: "An icon is an SVG, a PNG, a JPEG or a GIF, the one that its name says, and can be read as one: the media type of its data URI follows from it.",
		Bad: goodApp + "-- .registry/icon.png --\n<svg/>\n", Good: goodApp + "-- .registry/icon.svg --\n<svg/>\n", Severity: linter.Warning,
	}, func(f *findings, p *v1.Package) {
		for _, i := range p.Icons {
			named := v1.MediaTypeOf(i.File)
			switch {
			case i.Sniffed == "":
				f.file(i.File, "the content is none of an icon (%s is expected)", named)
			case i.Sniffed != named:
				f.file(i.File, "the content is %s, and the name says %s", i.Sniffed, named)
			case i.Sniffed != v1.MediaSVG:
				if _, err := config(i); err != nil {
					f.file(i.File, "the content cannot be read as %s", named)
				}
			}
		}
	}}
}

// sizeOf is the width and the height of an icon; false if it does not say them.
func sizeOf(i *v1.Icon) (w, h float64, ok bool) {
	if i.Sniffed == v1.MediaSVG {
		return sizeOfSVG(i.SVGAttributes())
	}
	c, err := config(i)
	return float64(c.Width), float64(c.Height), err == nil
}

// config reads the head of a bitmap.
func config(i *v1.Icon) (image.Config, error) {
	r := bytes.NewReader(i.Data)
	switch i.Sniffed {
	case v1.MediaPNG:
		return png.DecodeConfig(r)
	case v1.MediaJPEG:
		return jpeg.DecodeConfig(r)
	case v1.MediaGIF:
		return gif.DecodeConfig(r)
	}
	return image.Config{}, image.ErrFormat
}

// length is a number with a unit, as SVG has them.
var length = regexp.MustCompile(`^\s*([0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?)\s*([a-zA-Z%]*)\s*$`)

// sizeOfSVG reads width and height where both have one unit, or else the viewBox.
func sizeOfSVG(attributes map[string]string) (w, h float64, ok bool) {
	width, height := length.FindStringSubmatch(attributes["width"]), length.FindStringSubmatch(attributes["height"])
	if width != nil && height != nil && width[2] == height[2] && width[2] != "%" {
		return numbers(width[1], height[1])
	}
	box := strings.FieldsFunc(attributes["viewBox"], func(c rune) bool { return strings.ContainsRune(", \t\r\n", c) })
	if len(box) != 4 {
		return 0, 0, false
	}
	return numbers(box[2], box[3])
}

func numbers(w, h string) (float64, float64, bool) {
	x, errX := strconv.ParseFloat(w, 64)
	y, errY := strconv.ParseFloat(h, 64)
	return x, y, errX == nil && errY == nil && x > 0 && y > 0 && !math.IsInf(x, 0) && !math.IsInf(y, 0)
}

func number(x float64) string { return fmt.Sprintf("%.4g", x) }
