// Package nearmiss finds the name that a misspelled one was meant to be.
package nearmiss

// longest is how many bytes a name may have: the work grows with the square, and no
// field or rule has a name as long.
const longest = 64

// Nearest returns the first of the known names with the fewest slips, upper and lower
// case being the same, or "" when none is near: up to one slip in three letters, and not a slip in every letter.
func Nearest(name string, known []string) string {
	if len(name) > longest {
		return ""
	}
	best, least := "", max(1, len(name)/3)+1
	for _, k := range known {
		if n := slips(name, k); n < least && n < len(name) {
			best, least = k, n
		}
	}
	return best
}

// slips counts the letters that are wrong, missing, too many, or in the order of
// their neighbours (the optimal string alignment distance), upper and lower case
// being the same.
func slips(a, b string) int {
	lower := func(c byte) byte {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		return c
	}
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if lower(a[i-1]) == lower(b[j-1]) {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && lower(a[i-1]) == lower(b[j-2]) && lower(a[i-2]) == lower(b[j-1]) {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
