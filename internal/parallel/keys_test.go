package parallel

import (
	"context"
	"errors"
	"testing"
)

func TestKeys(t *testing.T) {
	var keys Keys
	counts := map[string]*int{"a": new(int), "b": new(int)}
	faults := Each(t.Context(), 200, 8, func(ctx context.Context, i int) error {
		key := []string{"a", "b"}[i%2]
		unlock, err := keys.Lock(ctx, key)
		if err != nil {
			return err
		}
		defer unlock()
		*counts[key]++ // a race, were it not for the lock
		return nil
	})
	if err := errors.Join(faults...); err != nil || *counts["a"] != 100 || *counts["b"] != 100 || len(keys.held) != 0 {
		t.Errorf("got %d and %d, and %d are held (%v)", *counts["a"], *counts["b"], len(keys.held), err)
	}
	unlock, err := keys.Lock(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := keys.Lock(ctx, "a"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the end of the context", err)
	}
	unlock()
	if unlock, err = keys.Lock(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	unlock()
}
