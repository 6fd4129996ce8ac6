package rules

// License says what keeps a text from being a licence expression of SPDX (annex D of its
// specification 2.3): that is the error, which matches no category of meta. It returns the
// text as SPDX spells it, which differs from it in upper and lower case at most.
func License(s string) (spelled string, err error) { return checkLicense(s) }
