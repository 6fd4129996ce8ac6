package parallel

import (
	"context"
	"errors"
	"sync"
	"testing"
)

func TestEach(t *testing.T) {
	odd := errors.New("odd")
	for _, workers := range []int{-1, 0, 1, 3, 100} {
		var mu sync.Mutex
		running, most, calls := 0, 0, 0
		faults := Each(t.Context(), 10, workers, func(_ context.Context, i int) error {
			mu.Lock()
			running++
			calls++
			most = max(most, running)
			mu.Unlock()
			defer func() {
				mu.Lock()
				running--
				mu.Unlock()
			}()
			if i%2 == 1 {
				return odd
			}
			return nil
		})
		if most > max(workers, 1) || calls != 10 || len(faults) != 10 {
			t.Errorf("%d workers: %d calls, %d at once", workers, calls, most)
		}
		for i, err := range faults {
			if (err != nil) != (i%2 == 1) {
				t.Errorf("%d workers: call %d gave %v", workers, i, err)
			}
		}
	}
	if faults := Each(t.Context(), 0, 4, nil); len(faults) != 0 {
		t.Errorf("got %v for nothing", faults)
	}
}
