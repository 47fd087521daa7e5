package client

import (
	"context"
	"math/rand/v2"
	"net/http"
	"net/url"
	"time"
)

// Limits of a retry.
const (
	maxRetries = 2
	// maxRetryAfter is how long a server that says when to come back is waited for.
	// Beyond it the next source is the better answer.
	maxRetryAfter = 10 * time.Second
	// initialBackoff doubles with each attempt; half of it is chance, so that callers
	// that failed together do not come back together.
	initialBackoff = 250 * time.Millisecond
)

// getWithRetry asks until there is an answer, or no hope of one.
func (s *Source) getWithRetry(ctx context.Context, r Request, target *url.URL, cached *entry) (Response, error) {
	for tried := 0; ; tried++ {
		answer, failure := s.attempt(ctx, r, target, cached)
		if failure == nil {
			return answer, nil
		}
		if failure.discardCached {
			cached = nil
			continue
		}
		wait := initialBackoff << tried
		wait = failure.retryAfter + wait/2 + rand.N(wait/2)
		if !failure.retryable || tried >= maxRetries || r.Method != http.MethodGet && r.Method != http.MethodHead || exceedsDeadline(ctx, wait) {
			return Response{}, failure.err
		}
		if err := sleep(ctx, wait); err != nil {
			return Response{}, s.canceledError(r, err)
		}
	}
}
