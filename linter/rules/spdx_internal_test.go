package rules

import (
	"testing"

	"github.com/xpkg-go/sdk/internal/executions"
)

func TestCheckLicense(t *testing.T) {
	cases := map[string]struct {
		reason, text, want string // want is empty for what is no expression
	}{
		"One":              {"an identifier of the list", "MIT", "MIT"},
		"Case":             {"identifiers are the same in upper and lower case", "apache-2.0", "Apache-2.0"},
		"Deprecated":       {"a deprecated identifier is one still", "GPL-2.0", "GPL-2.0"},
		"OrLater":          {"a plus is part of an identifier", "LGPL-2.1+", "LGPL-2.1+"},
		"Several":          {"operators join operands", "MIT OR Apache-2.0 AND BSD-3-Clause", "MIT OR Apache-2.0 AND BSD-3-Clause"},
		"Operators":        {"operators are the same in lower case since version 2.3", "mit or apache-2.0", "MIT OR Apache-2.0"},
		"Brackets":         {"brackets nest", "((MIT) AND (ISC OR 0BSD))", "((MIT) AND (ISC OR 0BSD))"},
		"With":             {"an exception of the list", "gpl-2.0 with classpath-exception-2.0", "GPL-2.0 WITH Classpath-exception-2.0"},
		"Reference":        {"a licence of one's own", "DocumentRef-a:LicenseRef-b.1", "DocumentRef-a:LicenseRef-b.1"},
		"Name":             {"the name of a licence is none", "MIT License", ""},
		"Unknown":          {"an identifier that is in no list", "Proprietary", ""},
		"Empty":            {"nothing is no expression", "", ""},
		"Operator":         {"an operand is missing", "MIT OR", ""},
		"OperatorFirst":    {"an operand is missing", "AND MIT", ""},
		"Two":              {"an operator is missing", "MIT ISC", ""},
		"BracketOpen":      {"never closed, which go-spdx panics for", "(", ""},
		"BracketClose":     {"never opened", "MIT)", ""},
		"BracketEmpty":     {"nothing within", "()", ""},
		"BracketOperand":   {"an operator is missing", "MIT (ISC)", ""},
		"WithNothing":      {"no exception", "GPL-2.0 WITH", ""},
		"WithLicense":      {"a licence is no exception", "GPL-2.0 WITH MIT", ""},
		"WithTwice":        {"one exception per licence", "GPL-2.0 WITH Bison-exception-2.2 WITH Bison-exception-2.2", ""},
		"WithBracket":      {"an exception is one of a licence, not of an expression", "(GPL-2.0 OR MIT) WITH Bison-exception-2.2", ""},
		"ReferenceOfNone":  {"its name is missing", "LicenseRef-", ""},
		"AnotherSeparator": {"a slash is no operator", "MIT/Apache-2.0", ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := checkLicense(tc.text)
			if got != tc.want || (err == nil) != (tc.want != "") {
				t.Errorf("%s: %q gives %q, %v; want %q", tc.reason, tc.text, got, err, tc.want)
			}
		})
	}
}

func TestMeantLicense(t *testing.T) {
	for text, want := range map[string]string{
		"MIT License": "MIT", "The MIT licence": "MIT", "Apache 2.0": "Apache-2.0", "Apache 2": "Apache-2.0",
		"Apache License, Version 2.0": "Apache-2.0", "Apache v2": "Apache-2.0", "BSD 3-Clause": "BSD-3-Clause", "MPL 2.0": "MPL-2.0",
		"GPLv3": "", "BSD": "", "Proprietary": "", "": "", "©": "",
	} {
		if got := meantLicense(text); got != want {
			t.Errorf("%q is taken for %q, want %q", text, got, want)
		}
	}
}

// FuzzCheckLicense: no text makes it panic, and what it returns it accepts.
func FuzzCheckLicense(f *testing.F) {
	for _, s := range []string{"MIT", "(MIT OR ISC) AND 0BSD", "GPL-2.0+ WITH Bison-exception-2.2", "((", "WITH WITH"} {
		f.Add(s)
	}
	f.Fuzz(executions.Many(func(t *testing.T, s string) {
		got, err := checkLicense(s)
		if err != nil {
			return
		}
		if again, err := checkLicense(got); err != nil || again != got {
			t.Errorf("%q gives %q, which gives %q, %v", s, got, again, err)
		}
	}))
}
