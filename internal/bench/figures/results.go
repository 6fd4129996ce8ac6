package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// results is what commands printed.
type results struct {
	machine  string
	cores    int
	commands []string
	// of holds the values of every benchmark by unit, one for each time that it ran. Names
	// have no "Benchmark", and end in the number of cores.
	of map[string]map[string][]float64
	// skipped holds why a benchmark has none, by its name without the number of cores.
	skipped map[string]string
}

var (
	// With one core the go command leaves the number out.
	measurement = regexp.MustCompile(`^Benchmark(\S+?)(-\d+)?\s+\d+\t(.*)$`)
	procs       = regexp.MustCompile(`-\d+$`)
)

// parse reads what run wrote. Its error names every command that failed or was broken off, and
// every benchmark that two commands ran, since a figure would be that of neither.
func parse(r io.Reader) (*results, error) {
	all := &results{of: map[string]map[string][]float64{}, skipped: map[string]string{}}
	var (
		errs            []error
		command, before string
		owner           = map[string]string{}
	)
	end := func() {
		if command != "" {
			errs = append(errs, fmt.Errorf("%s: it failed or was broken off", command))
		}
	}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for ; lines.Scan(); before = lines.Text() {
		line := lines.Text()
		if rest, ok := strings.CutPrefix(line, "machine: "); ok {
			all.machine = rest
			_, _ = fmt.Sscan(rest, &all.cores)
		} else if rest, ok := strings.CutPrefix(line, "cpu: "); ok && !strings.Contains(all.machine, rest) {
			all.machine += ", " + rest
		} else if rest, ok := strings.CutPrefix(line, "$ "); ok {
			end()
			command = rest
			all.commands = append(all.commands, rest)
		} else if strings.HasPrefix(line, "ok  \t") {
			command = ""
		} else if rest, ok := strings.CutPrefix(line, "--- SKIP: Benchmark"); ok {
			_, reason, _ := strings.Cut(before, ": ")
			all.skipped[rest] = reason
		} else if rest, ok := strings.CutPrefix(line, "--- FAIL: Benchmark"); ok {
			errs = append(errs, fmt.Errorf("%s failed", rest))
		} else if m := measurement.FindStringSubmatch(line); m != nil {
			name := m[1] + cmp.Or(m[2], "-1")
			if of := cmp.Or(owner[name], command); of != command {
				errs = append(errs, fmt.Errorf("%s is run by two commands: %s; %s", name, of, command))
			}
			owner[name] = command
			if err := all.add(name, strings.Fields(m[3])); err != nil {
				errs = append(errs, err)
			}
		}
	}
	end()
	if all.cores == 0 {
		errs = append(errs, errors.New("what was printed does not name the machine"))
	}
	return all, errors.Join(append(errs, lines.Err())...)
}

// add takes pairs of a value and its unit.
func (r *results) add(name string, pairs []string) error {
	if r.of[name] == nil {
		r.of[name] = map[string][]float64{}
	}
	for pair := range slices.Chunk(pairs, 2) {
		value, err := strconv.ParseFloat(pair[0], 64)
		if err != nil || len(pair) != 2 {
			return fmt.Errorf("%s: %q is no value with a unit", name, pair)
		}
		r.of[name][pair[1]] = append(r.of[name][pair[1]], value)
	}
	return nil
}

// values are what a benchmark printed in a unit, the least first. A name without a number of
// cores means all of the machine.
func (r *results) values(name, unit string) ([]float64, error) {
	full := name
	if !procs.MatchString(name) {
		full = fmt.Sprintf("%s-%d", name, r.cores)
	}
	if values := r.of[full][unit]; len(values) > 0 {
		return slices.Sorted(slices.Values(values)), nil
	}
	for whole := procs.ReplaceAllString(name, ""); whole != "."; whole = path.Dir(whole) {
		if reason, ok := r.skipped[whole]; ok {
			return nil, fmt.Errorf("%s is skipped: %s", name, reason)
		}
	}
	return nil, fmt.Errorf("%s has no result in %s", name, unit)
}
