package main

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"html/template"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// safeLink returns the address that a link of a package may lead to: of the web, or of mail;
// "" for any other.
func safeLink(text string) string {
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil {
		return ""
	}
	switch u.Scheme { // in lower case
	case "http", "https":
		if u.Host != "" {
			return u.String()
		}
	case "mailto":
		if u.Opaque != "" {
			return u.String()
		}
	}
	return ""
}

// maxIcon bounds an icon, in bytes.
const maxIcon = 256 << 10

// icon returns the picture in a data URI, written anew, or the reason why it is not shown. An
// address elsewhere is never loaded: who opens a page is told to nobody.
func icon(uri string) (template.URL, error) {
	head, data, ok := strings.Cut(uri, ",")
	if scheme, _, _ := strings.Cut(head, ":"); !ok || !strings.EqualFold(scheme, "data") {
		return "", errors.New("it is no data URI, and this page loads nothing")
	}
	if len(data) > 4*maxIcon {
		return "", errors.New("it is larger than 256 KiB")
	}
	declared, encoded := strings.CutSuffix(head[len("data:"):], ";base64")
	text, err := url.PathUnescape(data)
	picture := []byte(text)
	if err == nil && encoded {
		picture, err = base64.RawStdEncoding.DecodeString(strings.TrimRight(text, "="))
	}
	declared, _, _ = strings.Cut(strings.ToLower(declared), ";")
	switch {
	case err != nil:
		return "", errors.New("it cannot be decoded")
	case len(picture) > maxIcon:
		return "", errors.New("it is larger than 256 KiB")
	case declared == "image/svg+xml":
		if err := checkSVG(picture); err != nil {
			return "", err
		}
	case !slices.Contains([]string{"image/png", "image/jpeg", "image/gif", "image/webp"}, declared):
		return "", errors.New("it is no picture of type PNG, JPEG, GIF, WebP or SVG")
	case http.DetectContentType(picture) != declared:
		return "", errors.New("it is not of the type that it says")
	}
	return template.URL("data:" + declared + ";base64," + base64.StdEncoding.EncodeToString(picture)), nil
}

// checkSVG refuses what could run, load or lead elsewhere. A browser runs nothing in a
// picture; this is for who saves the picture and opens it.
func checkSVG(picture []byte) error {
	bad := errors.New("it is an SVG that is not only a picture")
	depth := 0
	for d := xml.NewDecoder(bytes.NewReader(picture)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) && depth == 0 {
			return nil
		}
		if err != nil {
			return errors.New("it is not well-formed SVG")
		}
		switch t := token.(type) {
		case xml.EndElement:
			depth--
		case xml.Directive: // which could define entities
			if !strings.HasPrefix(strings.ToLower(string(t)), "doctype svg") || bytes.ContainsRune(t, '[') {
				return bad
			}
		case xml.StartElement:
			name := strings.ToLower(t.Name.Local)
			if depth == 0 && name != "svg" || depth > maxDepth {
				return bad
			}
			depth++
			if slices.Contains([]string{"script", "foreignobject", "iframe", "embed", "object", "handler", "listener", "a", "animate", "set"}, name) {
				return bad
			}
			for _, a := range t.Attr {
				key, value := strings.ToLower(a.Name.Local), strings.TrimSpace(a.Value)
				if strings.HasPrefix(key, "on") || (key == "href" || key == "src") && !strings.HasPrefix(value, "#") && !strings.HasPrefix(value, "data:image/") {
					return bad
				}
			}
		}
	}
}

// cut shortens a text to about so many bytes, and says so.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + "… (the rest is left out)"
}

// forward is a text of several lines that is no prose, such as YAML, in which nothing is read
// in another order than it stands: what turns text around is written as in a Go string.
func forward(text string) string {
	return strings.NewReplacer(
		"\u202a", `\u202a`, "\u202b", `\u202b`, "\u202c", `\u202c`, "\u202d", `\u202d`, "\u202e", `\u202e`,
		"\u2066", `\u2066`, "\u2067", `\u2067`, "\u2068", `\u2068`, "\u2069", `\u2069`,
	).Replace(text)
}
