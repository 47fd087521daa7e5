package toolkit

import (
	"context"
	"sync"

	"github.com/nfa-cli/nfa/internal/crash"
)

// maxConcurrentFetches is the maximum number of values that FetchAll fetches at once.
const maxConcurrentFetches = 4

// FetchAll fetches a value for each key, several at a time. Failures are returned per key; err is
// set only if the call was canceled.
func FetchAll[K comparable, V any](ctx context.Context, keys []K, fetch func(context.Context, K) (V, error)) (found map[K]V, failed map[K]error, err error) {
	found, failed = map[K]V{}, map[K]error{}
	var mu sync.Mutex
	group, ctx := crash.WithContext(ctx)
	group.SetLimit(maxConcurrentFetches)
	for _, key := range keys {
		group.Go(func() error {
			value, err := fetch(ctx, key)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				failed[key] = err
			} else {
				found[key] = value
			}
			return nil
		})
	}
	return found, failed, group.Wait()
}
