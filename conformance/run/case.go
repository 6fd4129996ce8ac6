package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/xpkg-go/sdk/conformance/internal/oci"
)

// outcome is what came of a case, in one of the forms that its input has.
type outcome struct {
	c       *testCase
	as      string
	wrong   []string
	skipped string
	took    time.Duration
	memory  int64 // of the call that took most, in bytes; 0 where it is not known
}

// String is the name of the case, with the form of its input.
func (o *outcome) String() string {
	if o.as == "" {
		return o.c.ID
	}
	return o.c.ID + " (" + o.as + ")"
}

// runner runs cases.
type runner struct {
	program *program
	classes *classes
	dir     string
}

// run runs a case in a directory of its own, which it removes.
func (r *runner) run(ctx context.Context, c *testCase, as string) *outcome {
	o := &outcome{c: c, as: as}
	began := time.Now()
	defer func() { o.took = time.Since(began) }()
	dir, err := os.MkdirTemp(r.dir, "case")
	if err != nil {
		o.wrong = []string{err.Error()}
		return o
	}
	defer os.RemoveAll(dir)
	switch wrong, err := r.steps(ctx, o, dir); {
	case errors.Is(err, errCannot):
		o.skipped = err.Error()
	case err != nil:
		o.wrong = []string{err.Error()}
	default:
		o.wrong = wrong
	}
	return o
}

func (r *runner) steps(ctx context.Context, o *outcome, dir string) ([]string, error) {
	c, as := o.c, o.as
	layout, err := c.write(dir, as)
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	var registry *oci.Registry
	if layout != nil {
		for name, digest := range layout.Digests {
			names["digest "+name] = digest
		}
		names["image"] = map[string]string{"layout": "image", "file": "image.tar"}[as]
		if as == "registry" {
			registry = oci.Serve(layout)
			defer registry.Close()
			maps.Copy(names, map[string]string{
				"registry": registry.Host, "image": registry.Host + "/" + oci.Repository + ":" + oci.Tag,
				"pinned": registry.Host + "/" + oci.Repository + "@" + layout.Digests["image"],
			})
		}
	}
	var before *answer
	for i, s := range c.Steps {
		answers, wrong, err := r.step(ctx, c, &s, dir, registry, names, before)
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
		if len(wrong) > 0 {
			if len(c.Steps) > 1 {
				wrong[0] = fmt.Sprintf("step %d: %s", i+1, wrong[0])
			}
			return wrong, nil
		}
		before = answers[0]
		o.memory = max(o.memory, before.memory)
	}
	return nil, nil
}

// step calls the program, as often at once as the step says, and judges each answer.
func (r *runner) step(ctx context.Context, c *testCase, s *step, dir string, registry *oci.Registry, names map[string]string, before *answer) ([]*answer, []string, error) {
	if err := writeFiles(dir, s.Write, c.texts); err != nil {
		return nil, nil, err
	}
	home := filepath.Join(dir, "home")
	if s.Damage != "" {
		if err := damage(home, s.Damage); err != nil {
			return nil, nil, err
		}
	}
	if registry != nil {
		registry.Fail(s.Faults)
	}
	args := make([]string, len(s.Args))
	for i, a := range s.Args {
		args[i] = named(a, names)
	}
	answers, errs := make([]*answer, max(s.Concurrent, 1)), make([]error, max(s.Concurrent, 1))
	var all sync.WaitGroup
	for i := range answers {
		all.Go(func() { answers[i], errs[i] = r.program.run(ctx, dir, home, s, args) })
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, nil, err
	}
	for _, a := range answers {
		if wrong := r.judge(s.Verdict, a, dir, registry, names, before); len(wrong) > 0 {
			return answers, wrong, nil
		}
	}
	return answers, nil, nil
}

// judge holds an answer against each verdict that will do, and returns what is wrong with
// it by the first one.
func (r *runner) judge(all verdicts, a *answer, dir string, registry *oci.Registry, names map[string]string, before *answer) []string {
	var first []string
	for i, v := range all {
		wrong := v.judge(a, r.classes, names)
		wrong = append(wrong, v.judgeBefore(a, before)...)
		wrong = append(wrong, v.judgeCost(a, registry, names)...)
		wrong = append(wrong, v.judgeFiles(dir)...)
		if len(wrong) == 0 {
			return nil
		}
		if i == 0 {
			first = wrong
		}
	}
	return first
}

// judgeBefore compares with the step before.
func (v *verdict) judgeBefore(a, before *answer) []string {
	var wrong []string
	if v.Same != "" && (a.fact(v.Same) == nil || a.fact(v.Same) != before.fact(v.Same)) {
		wrong = append(wrong, fmt.Sprintf("%s is %v, and %v before: want the same", v.Same, a.fact(v.Same), before.fact(v.Same)))
	}
	if v.Differs != "" && a.fact(v.Differs) == before.fact(v.Differs) {
		wrong = append(wrong, fmt.Sprintf("%s is %v as before: want another", v.Differs, a.fact(v.Differs)))
	}
	return wrong
}

// judgeCost looks at what the answer took.
func (v *verdict) judgeCost(a *answer, registry *oci.Registry, names map[string]string) []string {
	var wrong []string
	if v.Memory > 0 && a.memory > v.Memory<<20 {
		wrong = append(wrong, fmt.Sprintf("%d MiB of memory, want at most %d", a.memory>>20, v.Memory))
	}
	if registry == nil {
		return wrong
	}
	requests := registry.Requests()
	if v.Requests > 0 && len(requests) > v.Requests {
		wrong = append(wrong, fmt.Sprintf("%d requests, want at most %d", len(requests), v.Requests))
	}
	for what, most := range v.Times {
		n := 0
		for _, q := range requests {
			if q == named(what, names) {
				n++
			}
		}
		if n > most {
			wrong = append(wrong, fmt.Sprintf("%s: %d times, want at most %d", what, n, most))
		}
	}
	return wrong
}

// judgeFiles looks for what the program left.
func (v *verdict) judgeFiles(dir string) []string {
	var wrong []string
	is := func(name string) bool {
		_, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name)))
		return err == nil
	}
	if v.File != "" && !is(v.File) {
		wrong = append(wrong, v.File+" is not there")
	}
	if v.NoFile != "" && is(v.NoFile) {
		wrong = append(wrong, v.NoFile+" is there, and should not be")
	}
	return wrong
}

// fileName makes a name for a directory of the name of a case.
func fileName(id string) string {
	return strings.NewReplacer("/", "_", " ", "_", ":", "_").Replace(id)
}
