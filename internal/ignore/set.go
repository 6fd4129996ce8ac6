package ignore

import "strings"

// readSet reads a set in brackets from behind its first bracket, and returns where
// its last one is, or -1 when there is none. No set has the slash.
func (t *token) readSet(s string, i int) int {
	negated := i < len(s) && (s[i] == '!' || s[i] == '^')
	if negated {
		i++
	}
	last, open := byte(0), false // the character that a range may begin with
	for first := true; ; first, i = false, i+1 {
		if i >= len(s) {
			return -1
		}
		c := s[i]
		switch {
		case c == ']' && !first:
			if negated {
				for k := range t.set {
					t.set[k] = ^t.set[k]
				}
			}
			t.remove('/')
			return i
		case c == '-' && open && i+1 < len(s) && s[i+1] != ']':
			if i++; s[i] == '\\' {
				i++
			}
			if i == len(s) {
				return -1
			}
			t.addRange(last, s[i])
			open = false
			continue
		case c == '[' && i+1 < len(s) && s[i+1] == ':':
			end := strings.IndexByte(s[i+2:], ']')
			if end < 0 {
				return -1
			}
			if name, ok := strings.CutSuffix(s[i+2:i+2+end], ":"); ok {
				if !t.addClass(name) {
					return -1
				}
				i += 2 + end
				open = false
				continue
			}
		case c == '\\':
			if i++; i == len(s) {
				return -1
			}
			c = s[i]
		}
		t.addRange(c, c)
		last, open = c, true
	}
}

// addClass adds a class of characters of POSIX.
func (t *token) addClass(name string) bool {
	ranges, ok := map[string]string{
		"alnum": "09AZaz", "alpha": "AZaz", "blank": "\t\t  ", "cntrl": "\x00\x1f\x7f\x7f", "digit": "09", "graph": "!~",
		"lower": "az", "print": " ~", "punct": "!/:@[`{~", "space": "\t\r  ", "upper": "AZ", "xdigit": "09AFaf",
	}[name]
	for ; ranges != ""; ranges = ranges[2:] {
		t.addRange(ranges[0], ranges[1])
	}
	return ok
}
