package linter

import "fmt"

// Severity says how much a finding matters. Severities are ordered: a larger
// one matters more. The zero value is no severity.
type Severity int

const (
	// Info is worth knowing; nothing has to change.
	Info Severity = iota + 1
	// Warning marks what works today, in some places, or by luck.
	Warning
	// Error marks what the specification forbids, or what a package manager or
	// an API server refuses.
	Error
)

// ParseSeverity reads what String writes: "info", "warning" or "error".
func ParseSeverity(s string) (Severity, error) {
	for v := Info; v <= Error; v++ {
		if v.String() == s {
			return v, nil
		}
	}
	return 0, fmt.Errorf("%.80q is not a severity (info, warning or error)", s)
}

// String returns "info", "warning" or "error", and "none" for the zero value.
func (s Severity) String() string {
	switch s {
	case Info:
		return "info"
	case Warning:
		return "warning"
	case Error:
		return "error"
	default:
		return "none"
	}
}

// MarshalText writes the severity as String does, so that JSON holds a word. There is no
// error.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a severity as ParseSeverity does, with its errors.
func (s *Severity) UnmarshalText(text []byte) error {
	v, err := ParseSeverity(string(text))
	if err != nil {
		return err
	}
	*s = v
	return nil
}
