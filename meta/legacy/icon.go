package legacy

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"io"
	"path"
	"slices"
	"strings"
)

// An Icon is a picture of the package, of a group or of a kind: a file *icon.svg, .png, .jpg
// or .gif. (packages v1, Package Files)
type Icon struct {
	File string
	Dir  string
	// Prefix is what the file's name has before "icon", without the dot at its end.
	Prefix string
	// MediaType is what the content is, or what the file's name says where the content tells
	// nothing.
	MediaType string
	// Sniffed is what the content is; "" when it is none of the four.
	Sniffed string
	// Data is the content. It must not be modified.
	Data []byte
}

// Media types of icons, the preferred first. (packages v1, Package Files)
const (
	MediaSVG  = "image/svg+xml"
	MediaPNG  = "image/png"
	MediaJPEG = "image/jpeg"
	MediaGIF  = "image/gif"
)

// MediaTypeOf is the media type that a file's name says; "" if it is none of an icon.
func MediaTypeOf(name string) string {
	switch path.Ext(name) {
	case ".svg":
		return MediaSVG
	case ".png":
		return MediaPNG
	case ".jpg", ".jpeg":
		return MediaJPEG
	case ".gif":
		return MediaGIF
	}
	return ""
}

// icon reads an icon.
func (r *reader) icon(file file, data []byte) {
	sniffed := sniff(data)
	r.p.Icons = append(r.p.Icons, &Icon{
		File: file.path, Dir: file.dir, Prefix: file.prefix,
		MediaType: cmp.Or(sniffed, MediaTypeOf(file.path)), Sniffed: sniffed, Data: data,
	})
}

// sniff tells the media type of an icon by its content.
func sniff(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		return MediaPNG
	case bytes.HasPrefix(data, []byte("\xff\xd8\xff")):
		return MediaJPEG
	case bytes.HasPrefix(data, []byte("GIF87a")), bytes.HasPrefix(data, []byte("GIF89a")):
		return MediaGIF
	case svgElement(data) != nil:
		return MediaSVG
	}
	return ""
}

// svgElement returns the first element of an XML document if it is that of an SVG, else nil.
func svgElement(data []byte) *xml.StartElement {
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	if !bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("<")) {
		return nil
	}
	d := xml.NewDecoder(bytes.NewReader(data))
	d.Strict = false
	// Names of elements are ASCII in the encodings that icons are in.
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	for {
		t, err := d.RawToken()
		if err != nil {
			return nil
		}
		if e, ok := t.(xml.StartElement); ok {
			if e.Name.Local != "svg" {
				return nil
			}
			return &e
		}
	}
}

// preference is the place of a media type in the order of preference, from 0.
func preference(mediaType string) int {
	order := []string{MediaSVG, MediaPNG, MediaJPEG, MediaGIF}
	if i := slices.Index(order, mediaType); i >= 0 {
		return i
	}
	return len(order)
}

// sortIcons puts icons that apply alike into the order of preference, as their names have it.
func sortIcons(icons []*Icon) {
	slices.SortStableFunc(icons, func(a, b *Icon) int {
		return cmp.Or(
			cmp.Compare(preference(MediaTypeOf(a.File)), preference(MediaTypeOf(b.File))),
			strings.Compare(a.File, b.File),
		)
	})
}

// SVGAttributes are the attributes of the element svg, those without a prefix; nil
// for an icon that is no SVG.
func (i *Icon) SVGAttributes() map[string]string {
	e := svgElement(i.Data)
	if e == nil {
		return nil
	}
	attributes := make(map[string]string, len(e.Attr))
	for _, a := range e.Attr {
		if a.Name.Space == "" {
			attributes[a.Name.Local] = a.Value
		}
	}
	return attributes
}
