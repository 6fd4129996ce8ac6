// Package parallel runs one job for each of many things, a few at a time.
package parallel

import (
	"context"
	"sync"
)

// Each calls job for every index below n, at most workers at a time, and returns
// when all calls have. The errors stand at the indexes of their calls. A call is made
// for each index also when ctx ends meanwhile: what the job does then is its own
// business.
func Each(ctx context.Context, n, workers int, job func(ctx context.Context, i int) error) []error {
	faults := make([]error, n)
	next := make(chan int)
	var wait sync.WaitGroup
	for range min(n, max(workers, 1)) {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for i := range next {
				faults[i] = job(ctx, i)
			}
		}()
	}
	for i := range n {
		next <- i
	}
	close(next)
	wait.Wait()
	return faults
}
