package rules

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/github/go-spdx/v2/spdxexp/spdxlicenses"
)

// maxLicense is how many bytes of a licence expression are read; the longest that
// anybody needs has a tenth of them.
const maxLicense = 1000

var (
	licenseToken = regexp.MustCompile(`[()]|[^\s()]+`)
	licenseRef   = regexp.MustCompile(`^(?:DocumentRef-[A-Za-z0-9.-]+:)?LicenseRef-[A-Za-z0-9.-]+$`)
)

// checkLicense says what keeps a text from being a licence expression of SPDX (annex D
// of its specification 2.3). It returns the text as SPDX spells it, which differs from
// it in upper and lower case at most.
//
// The list of licences is go-spdx's. The grammar is here, since that module's reader
// of expressions panics for some that are none.
func checkLicense(s string) (string, error) {
	if len(s) > maxLicense {
		return "", fmt.Errorf("it has more than %d bytes", maxLicense)
	}
	out, depth := licenseToken.FindAllString(s, -1), 0
	operand, simple := true, false // an operand comes next; the last was a licence
	for i, t := range out {
		switch {
		case t == "(" && operand:
			depth++
		case t == "(":
			return "", errors.New("AND or OR is missing before a bracket")
		case t == ")" && (operand || depth == 0):
			return "", errors.New("a bracket closes nothing")
		case t == ")":
			depth, simple = depth-1, false
		case i > 0 && out[i-1] == "WITH":
			known, ok := inList(spdxlicenses.GetExceptions(), t)
			if !ok {
				return "", errors.New(quote(t) + " is no exception of the SPDX list")
			}
			out[i] = known
		case !operand && isOperator(t):
			out[i], operand, simple = strings.ToUpper(t), true, false
		case simple && strings.EqualFold(t, "WITH"):
			out[i], simple = "WITH", false
		case !operand:
			return "", errors.New("AND or OR is expected before " + quote(t))
		default:
			known, err := licenseID(t)
			if err != nil {
				return "", err
			}
			out[i], operand, simple = known, false, true
		}
	}
	switch {
	case len(out) == 0 || operand || out[len(out)-1] == "WITH":
		return "", errors.New("a licence is missing at its end")
	case depth > 0:
		return "", errors.New("a bracket is not closed")
	}
	return strings.NewReplacer("( ", "(", " )", ")").Replace(strings.Join(out, " ")), nil
}

func isOperator(t string) bool { return strings.EqualFold(t, "AND") || strings.EqualFold(t, "OR") }

// licenseID returns an identifier as the list spells it.
func licenseID(t string) (string, error) {
	if licenseRef.MatchString(t) {
		return t, nil
	}
	id := strings.TrimSuffix(t, "+")
	for _, list := range [][]string{spdxlicenses.GetLicenses(), spdxlicenses.GetDeprecated()} {
		if known, ok := inList(list, id); ok {
			return known + t[len(id):], nil
		}
	}
	return "", errors.New(quote(t) + " is not in the SPDX list")
}

func inList(list []string, s string) (string, bool) {
	for _, known := range list {
		if strings.EqualFold(known, s) {
			return known, true
		}
	}
	return "", false
}

// meantLicense returns the identifier that a name of a licence stands for, and "" when
// it may be several or none: the words "licence" and "version" add nothing, and
// neither do spaces.
func meantLicense(s string) string {
	const longest = 60
	if len(s) > longest {
		return ""
	}
	name := lettersOf(licenseWord.ReplaceAllString(s, "$1"))
	for _, id := range spdxlicenses.GetLicenses() {
		if p := lettersOf(id); p == name || p == name+"0" && strings.HasSuffix(id, ".0") {
			return id
		}
	}
	return ""
}

// licenseWord is what adds nothing to the name of a licence, with the digit behind it.
var licenseWord = regexp.MustCompile(`(?i)\b(?:the|licen[cs]ed?|version|v)(?:\b|([0-9]))`)

// lettersOf returns the letters and digits of a text in lower case.
func lettersOf(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, strings.ToLower(s))
}
