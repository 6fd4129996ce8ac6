package yamltree

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A feed is a text as go-yaml is to see it. It differs from the original in
// five rare cases, none of which moves a character to another line.
type feed struct {
	text []byte
	// starts holds, for each line of the feed, where its first character is
	// in the original.
	starts []int32
	// breaks undoes the replacement of line breaks of YAML 1.1 in a scalar;
	// nil when there was none.
	breaks *strings.Replacer
	// escape stands for the backslash of escapes; "" when there are none.
	escape string
}

// newFeed prepares text, whose lines start at lines. A byte order mark at the
// start of a document's line is taken out, because go-yaml counts it as
// indentation. U+0085, U+2028 and U+2029, if there are any, are replaced by
// characters that the text does not use, because go-yaml breaks lines at them
// and YAML 1.2 does not; the same is done to escapes of JSON that go-yaml does
// not know. A %YAML directive gets a version that go-yaml takes, and directives that
// YAML reserves become comments.
func newFeed(text []byte, lines []int32, oldBreaks bool) feed {
	f := feed{text: text, starts: lines}
	f.dropMarks()
	f.lowerVersion()
	f.hideReserved()
	if oldBreaks {
		f.replaceBreaks()
	}
	f.replaceEscapes()
	return f
}

var byteOrderMark = []byte("\uFEFF")

// dropMarks takes out the byte order marks up to the first line of content.
func (f *feed) dropMarks() {
	if !bytes.Contains(f.text, byteOrderMark) {
		return
	}
	var out []byte
	starts := slices.Clone(f.starts)
	from := 0
	for i, start := range f.starts {
		line := f.text[start:]
		if bytes.HasPrefix(line, byteOrderMark) {
			out = append(out, f.text[from:start]...)
			for bytes.HasPrefix(line, byteOrderMark) { // joined files may have two
				line = line[len(byteOrderMark):]
			}
			from = len(f.text) - len(line)
			starts[i] = int32(from)
			if len(line) > 0 && line[0] == '\n' && len(out) > 0 && out[len(out)-1] == '\r' {
				out = append(out, ' ') // or two line breaks become one
			}
		}
		line = line[:lineLen(line)]
		if len(line) > 0 && line[0] == '%' {
			continue
		}
		if isSeparator(line) {
			line = line[3:]
		}
		if first := skipBlanks(line, 0); first < len(line) && line[first] != '#' {
			break
		}
	}
	f.text, f.starts = append(out, f.text[from:]...), starts
}

// yamlVersion finds a %YAML directive of a version 1.x that is not 1.1.
var yamlVersion = regexp.MustCompile(`(?m)^%YAML[ \t]+1\.(?:[02-9]|[0-9]{2,})(?:[ \t\r]|$)`)

// lowerVersion makes the version of a %YAML directive 1.1, the only one that
// go-yaml takes: YAML 1.2 wants a reader to read all of 1.x (section 6.8.1).
func (f *feed) lowerVersion() {
	if !bytes.Contains(f.text, []byte("%YAML")) {
		return
	}
	at := yamlVersion.FindIndex(f.text)
	if at == nil || bytes.HasPrefix(f.text, []byte("---")) || bytes.Contains(f.text[:at[0]], []byte("\n---")) {
		return
	}
	f.text = slices.Clone(f.text)
	point := at[0] + bytes.IndexByte(f.text[at[0]:], '.')
	f.text[point+1] = '1'
	for i := point + 2; i < len(f.text) && f.text[i] >= '0' && f.text[i] <= '9'; i++ {
		f.text[i] = ' '
	}
}

// hideReserved makes comments of the directives that are neither %YAML nor %TAG:
// YAML wants a reader to ignore them (section 6.8).
func (f *feed) hideReserved() {
	if !bytes.Contains(f.text, []byte("%")) {
		return
	}
	var reserved []int
	for at := 0; at < len(f.text); {
		line := f.text[at:]
		line = line[:lineLen(line)]
		switch {
		case bytes.HasPrefix(line, []byte("---")) && (len(line) == 3 || isSpace(line[3])):
			if len(reserved) > 0 {
				f.text = slices.Clone(f.text)
			}
			for _, i := range reserved {
				f.text[i] = '#'
			}
			return
		case len(line) > 1 && line[0] == '%':
			if name, _, _ := bytes.Cut(bytes.ReplaceAll(line, []byte("\t"), []byte(" ")), []byte(" ")); string(name) != "%YAML" && string(name) != "%TAG" {
				reserved = append(reserved, at)
			}
		case skipBlanks(line, 0) < len(line) && line[skipBlanks(line, 0)] != '#':
			return
		}
		at += len(line) + 1
	}
}

func lineLen(s []byte) int {
	if i := bytes.IndexAny(s, "\r\n"); i >= 0 {
		return i
	}
	return len(s)
}

// Characters for private use stand in for others.
const firstStandIn, lastStandIn = '\uE000', '\uF8FF'

// standIns returns n characters for private use that the text does not hold,
// or none when it holds nearly all.
func (f *feed) standIns(n int) []string {
	var used [lastStandIn - firstStandIn + 1]bool
	for i := 0; i < len(f.text); {
		r, size := utf8.DecodeRune(f.text[i:])
		if r >= firstStandIn && r <= lastStandIn {
			used[r-firstStandIn] = true
		}
		i += size
	}
	var list []string
	for i := 0; i < len(used) && len(list) < n; i++ {
		if !used[i] {
			list = append(list, string(firstStandIn+rune(i)))
		}
	}
	if len(list) < n {
		return nil
	}
	return list
}

// replaceBreaks puts other characters in place of U+0085, U+2028 and U+2029.
func (f *feed) replaceBreaks() {
	with := f.standIns(3)
	if with == nil {
		return
	}
	f.text = []byte(strings.NewReplacer("\u0085", with[0], "\u2028", with[1], "\u2029", with[2]).Replace(string(f.text)))
	f.breaks = strings.NewReplacer(with[0], "\u0085", with[1], "\u2028", with[2], "\u2029")
}

// jsonEscape finds the escapes of JSON that YAML 1.2 knows (section 5.7) and
// go-yaml does not, and other escapes, so that \\/ is not taken for one.
var jsonEscape = regexp.MustCompile(`\\(/|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|[^/])`)

// replaceEscapes puts another character in place of the backslashes of the
// escapes that go-yaml does not know.
func (f *feed) replaceEscapes() {
	if !bytes.Contains(f.text, []byte(`\/`)) && !bytes.Contains(f.text, []byte(`\ud`)) && !bytes.Contains(f.text, []byte(`\uD`)) {
		return
	}
	with := f.standIns(1)
	if with == nil {
		return
	}
	f.escape = with[0]
	f.text = jsonEscape.ReplaceAllFunc(f.text, func(e []byte) []byte {
		if len(e) == len(`\/`) && e[1] == '/' || len(e) == len(`\ud83d\ude00`) {
			return bytes.ReplaceAll(e, []byte(`\`), []byte(f.escape))
		}
		return e
	})
}

// restored returns what the text of a scalar said before it was replaced.
func (f *feed) restored(s string, isDouble bool) string {
	if f.breaks != nil {
		s = f.breaks.Replace(s)
	}
	if f.escape == "" || !strings.Contains(s, f.escape) {
		return s
	}
	if !isDouble {
		return strings.ReplaceAll(s, f.escape, `\`) // a backslash is itself there
	}
	parts := strings.Split(s, f.escape)
	out := []byte(parts[0])
	for i := 1; i < len(parts); i++ {
		part := parts[i]
		if i+1 < len(parts) && len(part) == len("ud83d") && len(parts[i+1]) >= len("ude00") {
			high, err1 := strconv.ParseUint(part[1:], 16, 16)
			low, err2 := strconv.ParseUint(parts[i+1][1:5], 16, 16)
			if r := utf16.DecodeRune(rune(high), rune(low)); err1 == nil && err2 == nil && r != utf8.RuneError {
				out = utf8.AppendRune(out, r)
				out = append(out, parts[i+1][5:]...)
				i++
				continue
			}
		}
		out = append(out, part...) // a slash
	}
	return string(out)
}
