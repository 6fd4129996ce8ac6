package main

import (
	"context"
	"fmt"
	"sync"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/linter/rules"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// run is one call.
func run(ctx context.Context, env *cli.Env, s *settings) (int, error) {
	if err := s.check(env); err != nil {
		return cli.Failed, err
	}
	client, o, err := env.Client()
	if err != nil {
		return cli.Failed, err
	}
	tell := client.Event
	client.Event = func(e xpkg.Event) {
		if e.Kind != xpkg.Downloading {
			tell(e)
		}
	}
	items, err := s.references(ctx, env, client)
	if err != nil {
		return cli.Failed, err
	}
	out, err := openOutput(s.out, s.previous, env.Stdout)
	if err != nil {
		return cli.Failed, err
	}
	defer out.close()
	j := &job{
		reader: &reader{client: client, options: o, rules: rules.Suite(), large: make(chan struct{}, 1), limit: s.limit},
		out:    out, bar: env.Counting(len(items), s.out == ""),
	}
	defer j.bar.Done()
	if err := j.all(ctx, items, s); err != nil {
		return cli.Failed, err
	}
	if err := out.finish(items); err != nil {
		return cli.Failed, err
	}
	j.bar.Done()
	fmt.Fprintf(env.Stderr, "%s: %d read, %d unchanged, %d failed\n", cli.Count(len(items), "reference"), j.done-j.copied-j.failed, j.copied, j.failed)
	if j.failed > 0 {
		return cli.Findings, nil
	}
	return cli.Fine, nil
}

// job reads all references.
type job struct {
	reader *reader
	out    *output
	bar    *cli.Counter

	mu                   sync.Mutex
	done, copied, failed int
}

// all reads the references, as many at once as is allowed.
func (j *job) all(ctx context.Context, items []item, s *settings) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	queue := newSchedule(items, s.perHost)
	defer queue.stopWith(ctx)()
	var wait sync.WaitGroup
	for range min(s.concurrency, len(items)) {
		wait.Go(func() {
			for {
				i, done, ok := queue.take()
				if !ok {
					return
				}
				slow, err := j.one(ctx, i)
				if err != nil {
					stop(err)
				}
				done(slow)
			}
		})
	}
	wait.Wait()
	if ctx.Err() == nil {
		return nil
	}
	cause := context.Cause(ctx)
	if meta.Code(cause) != "canceled" {
		return cause
	}
	on := ""
	if s.out != "" {
		on = "; the same command goes on from there"
	}
	return fmt.Errorf("stopped after %d of %s (%w)%s", j.done, cli.Count(len(items), "reference"), cause, on)
}

// one reads one reference and writes its line. Lines of a run that is stopped are not
// written: they would say that something is wrong with the reference. slow is that it took
// too long.
func (j *job) one(ctx context.Context, i item) (slow bool, err error) {
	old, standing := j.out.older(i.reference)
	l, copied, err := j.reader.read(ctx, i, old)
	if err != nil {
		return false, err
	}
	if err := j.out.write(l, standing); err != nil {
		return false, err
	}
	j.bar.Add()
	j.mu.Lock()
	defer j.mu.Unlock()
	j.done++
	switch {
	case l.Error != nil, l.Entry != nil && l.AttachedError != nil:
		j.failed++
	case copied:
		j.copied++
	}
	return l.slow, nil
}
