package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/template"
)

// A figure is a value with its unit; time is in nanoseconds ("ns").
type figure struct {
	value float64
	unit  string
}

// String shows three digits, and in numbers from a thousand on all before the point.
func (f figure) String() string {
	if f.unit == "ns" {
		for _, s := range scales {
			if f.value >= s.ns {
				return figure{f.value / s.ns, s.name}.String()
			}
		}
	}
	if f.unit == "" && f.value < 1000 && f.value == math.Trunc(f.value) {
		return strconv.Itoa(int(f.value)) // a count
	}
	return strings.TrimSpace(number(f.value) + " " + f.unit)
}

// scales are the units of time, the largest first.
var scales = []struct {
	name string
	ns   float64
}{{"s", 1e9}, {"ms", 1e6}, {"µs", 1e3}}

// digits rounds to three.
func digits(v float64) float64 {
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64)
	return v
}

func number(v float64) string {
	if v < 1000 {
		v = digits(v)
	}
	switch text := strconv.FormatFloat(math.Round(v), 'f', 0, 64); {
	case v >= 1000:
		for i := len(text) - 3; i > 0; i -= 3 {
			text = text[:i] + "," + text[i:]
		}
		return text
	case v >= 100:
		return text
	case v >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// notMet marks what is asked for and not reached.
const notMet = ": not met**"

// asked is the cell of a table that says what is asked for, at least or at most so much with
// its unit, and whether all figures reach it as they are shown.
func asked(words, demand string, least bool, figures []figure) (string, error) {
	text, unit, _ := strings.Cut(demand, " ")
	limit, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return "", fmt.Errorf("%q does not begin with a number", demand)
	}
	for _, s := range scales {
		if s.name == unit {
			limit, unit = limit*s.ns, "ns"
		}
	}
	for _, f := range figures {
		if f.unit != unit {
			return "", fmt.Errorf("%q is asked of %q", demand, f)
		}
		shown := digits(f.value)
		if least && shown < limit || !least && shown > limit {
			return "**" + words + " " + demand + notMet, nil
		}
	}
	return words + " " + demand, nil
}

// A lookup finds the values of a benchmark, the least first: times, if no other unit is named.
type lookup func(name string, unit ...string) []float64

// render makes the text from its template. Its error names every row that has no figure, with
// the result that is missing.
func render(text string, r *results) (string, error) {
	var made strings.Builder
	var missing []string
	// Each line is a template of its own: what is missing in it is told with it.
	for line := range strings.Lines(text) {
		text, err := execute(line, r.machine, func(name string, unit ...string) []float64 {
			values, err := r.values(name, append(unit, "ns/op")[0])
			if err != nil {
				work, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "| "), " |")
				if fault := fmt.Sprintf("%s: %v", work, err); !slices.Contains(missing, fault) {
					missing = append(missing, fault)
				}
				return []float64{1}
			}
			return values
		})
		if err != nil {
			return "", err
		}
		made.WriteString(text)
	}
	if len(missing) > 0 {
		return "", fmt.Errorf("nothing is written, since results are missing:\n%s", strings.Join(missing, "\n"))
	}
	return made.String(), nil
}

func execute(line, machine string, values lookup) (string, error) {
	var made strings.Builder
	t, err := template.New("line").Funcs(functions(machine, values)).Parse(line)
	if err == nil {
		err = t.Execute(&made, nil)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", strings.TrimSpace(line), err)
	}
	return made.String(), nil
}

// functions are those of the template. Of a benchmark's values they take the middle one.
func functions(machine string, values lookup) template.FuncMap {
	value := func(name string, unit ...string) float64 {
		all := values(name, unit...)
		return all[len(all)/2]
	}
	return template.FuncMap{
		// machine is what the commands ran on.
		"machine": func() string { return machine },
		// time is how long a run of a benchmark takes, or a metric of its own in ns or ms.
		"time": func(name string, unit ...string) figure {
			v := value(name, unit...)
			if len(unit) > 0 && strings.HasSuffix(unit[0], "ms") {
				v *= 1e6
			}
			return figure{v, "ns"}
		},
		// mb is a metric in megabytes, which is most memory resident if none is named.
		"mb": func(name string, unit ...string) figure {
			v := value(name, append(unit, "MB-resident")[0])
			if len(unit) > 0 && unit[0] == "B/op" {
				v /= 1e6
			}
			return figure{v, "MB"}
		},
		// num is any other metric, without its unit.
		"num": func(name, unit string) figure { return figure{value(name, unit), ""} },
		// faster compares the library's time with another, and times any two figures of a unit.
		"faster": func(library, beside figure) figure { return figure{beside.value / library.value, "times as fast"} },
		"times": func(one, other figure) (figure, error) {
			if one.unit != other.unit {
				return figure{}, fmt.Errorf("%v is not compared with %v", one, other)
			}
			return figure{one.value / other.value, "times"}, nil
		},
		// spread is by how much of the middle one the times differ, in percent.
		"spread": func(name string) figure {
			all := values(name)
			return figure{100 * (all[len(all)-1] - all[0]) / value(name), "%"}
		},
		"atLeast": func(demand string, figures ...figure) (string, error) {
			return asked("at least", demand, true, figures)
		},
		"atMost": func(demand string, figures ...figure) (string, error) {
			return asked("at most", demand, false, figures)
		},
	}
}
