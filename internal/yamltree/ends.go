package yamltree

// go-yaml says where a node begins; where it ends is found here, in the text.
// Every function takes the offset of the node behind its anchor and tag, and
// returns the offset behind it, never beyond the text.

// skipProperties returns the offset behind the anchor and tag at offset, of
// each kind at most as many as wanted, and the white space and comments
// between them and the node. With nothing to skip it returns offset.
func skipProperties(text []byte, offset, anchors, tags int) (behind, node int) {
	behind, node = offset, offset
	for node < len(text) {
		switch {
		case text[node] == '&' && anchors > 0:
			anchors--
		case text[node] == '!' && tags > 0:
			tags--
		default:
			return behind, node
		}
		behind = endOfProperty(text, node)
		node = skipSpace(text, behind)
	}
	return behind, node
}

// endOfProperty returns the offset behind an anchor, alias or tag, as go-yaml reads them: a
// comma and brackets, but no braces, are part of a tag.
func endOfProperty(text []byte, i int) int {
	if text[i] != '!' {
		return endOfName(text, i+1)
	}
	verbatim := i+1 < len(text) && text[i+1] == '<'
	for ; i < len(text) && !isSpace(text[i]); i++ {
		switch text[i] {
		case '{', '}':
			if !verbatim {
				return i
			}
		case '>':
			if verbatim {
				return i + 1
			}
		}
	}
	return i
}

// endOfName returns the offset behind the name of an anchor.
func endOfName(text []byte, i int) int {
	for i < len(text) && (text[i] >= '0' && text[i] <= '9' || text[i] >= 'A' && text[i] <= 'Z' || text[i] >= 'a' && text[i] <= 'z' || text[i] == '_' || text[i] == '-') {
		i++
	}
	return i
}

// endOfAlias returns the offset behind an alias: go-yaml's names are letters,
// digits, _ and -.
func endOfAlias(text []byte, i int, name string) int {
	return min(i+1+len(name), len(text))
}

// skipSpace skips white space, line breaks and comments.
func skipSpace(text []byte, i int) int { return skip(text, i, "") }

// skip skips white space, line breaks, comments and any of also.
func skip(text []byte, i int, also string) int {
	for i < len(text) {
		switch c := text[i]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			i++
		case c == '#':
			for i < len(text) && text[i] != '\n' && text[i] != '\r' {
				i++
			}
		case also != "" && (c == also[0] || len(also) > 1 && c == also[1] || len(also) > 2 && c == also[2]):
			i++
		default:
			return i
		}
	}
	return i
}

// endOfQuoted returns the offset behind a quoted scalar.
func endOfQuoted(text []byte, i int) int {
	quote := text[i]
	for i++; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote == '"':
			i++
		case text[i] != quote:
		case quote == '\'' && i+1 < len(text) && text[i+1] == quote:
			i++
		default:
			return i + 1
		}
	}
	return len(text)
}

// endOfWords returns the offset behind a plain or block scalar that begins at i
// and says value: outside quotes there are no escapes, so its text is the same
// but for white space.
func endOfWords(text []byte, i int, value string) int {
	end := i
	for v := 0; v < len(value); v++ {
		if isSpace(value[v]) {
			continue
		}
		for i < len(text) && isSpace(text[i]) {
			i++
		}
		if i == len(text) || text[i] != value[v] {
			return end
		}
		i++
		end = i
	}
	return end
}

// endOfHeader returns the offsets of the end of the line of a block scalar's |
// or > without white space, and of the text that follows.
func endOfHeader(text []byte, i int) (end, body int) {
	end = i
	for i < len(text) && text[i] != '\n' && text[i] != '\r' {
		if text[i] == '#' {
			break
		}
		if !isSpace(text[i]) {
			end = i + 1
		}
		i++
	}
	for i < len(text) && text[i] != '\n' && text[i] != '\r' {
		i++
	}
	return end, i
}

// endOfFlow returns the offset behind the bracket that closes a flow collection
// whose last child ends at i.
func endOfFlow(text []byte, i int, closer byte) int {
	i = skip(text, i, ",:?")
	if i < len(text) && text[i] == closer {
		return i + 1
	}
	return i
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
