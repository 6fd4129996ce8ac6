package mirror

import "strconv"

// quote quotes text of the input for a message, its first 80 bytes.
func quote(s string) string {
	const most = 80
	if len(s) > most {
		return strconv.Quote(s[:most]) + "…"
	}
	return strconv.Quote(s)
}
