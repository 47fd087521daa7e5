package openai

import (
	"context"
	"crypto/tls"
	"errors"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/llm"
)

// Retry limits retries. Zero fields have the defaults noted next to them.
type Retry struct {
	Tries  int              // total requests; 4
	Budget time.Duration    // for all tries and waits; 60 s
	Base   time.Duration    // upper bound of the first wait, doubled for each further one; 500 ms
	Max    time.Duration    // upper limit of a wait not requested by the server; 10 s
	Jitter func() float64   // in [0, 1), safe for concurrent use; random
	Now    func() time.Time // the wall clock
}

func (r Retry) withDefaults() Retry {
	if r.Tries <= 0 {
		r.Tries = 4
	}
	r.Budget = orDefault(r.Budget, 60*time.Second)
	r.Base = orDefault(r.Base, 500*time.Millisecond)
	r.Max = orDefault(r.Max, 10*time.Second)
	if r.Jitter == nil {
		r.Jitter = rand.Float64
	}
	if r.Now == nil {
		r.Now = time.Now
	}
	return r
}

// schedule is the retry state of one Stream.
type schedule struct {
	Retry
	start time.Time
	tries int // done so far
	cuts  int // of them, streams that were cut
}

func (r Retry) begin() *schedule { return &schedule{Retry: r, start: r.Now()} }

// next returns how long to wait before retrying after err, or reports that a retry is useless, not
// allowed, or would exceed the budget.
func (s *schedule) next(err error) (time.Duration, bool) {
	s.tries++
	var e *llm.Error
	if !errors.As(err, &e) || s.tries >= s.Tries || !retryable(e) {
		return 0, false
	}
	if e.Kind == llm.KindTruncated {
		// A server that cuts the stream twice probably has a limit.
		if s.cuts++; s.cuts > 1 {
			return 0, false
		}
	}
	wait := s.backoff()
	if e.RetryAfter > wait {
		wait = e.RetryAfter
	}
	if s.Now().Sub(s.start)+wait > s.Budget {
		return 0, false
	}
	return wait, true
}

// backoff returns an exponential wait with full jitter, so that clients refused at the same moment do not
// all return at once.
func (s *schedule) backoff() time.Duration {
	bound := s.Max
	if doublings := s.tries - 1; doublings < 16 {
		bound = min(s.Base<<doublings, s.Max)
	}
	return time.Duration(s.Jitter() * float64(bound))
}

func retryable(e *llm.Error) bool {
	switch e.Kind {
	case llm.KindAuth, llm.KindQuota, llm.KindContextLength, llm.KindModelUnknown, llm.KindRefused:
		return false
	case llm.KindRateLimit:
		return true
	case llm.KindTruncated:
		// A server that did not end its answer this time would not do so on a retry.
		return !errors.Is(e.Err, llm.ErrAnswerTooLong)
	case llm.KindServer:
		// Without such a status the response cannot be parsed, and a retry would not help.
		return e.Status >= http.StatusInternalServerError
	case llm.KindNetwork:
		return !neverConnected(e.Err)
	default:
		return e.Status == http.StatusRequestTimeout || e.Status == http.StatusConflict
	}
}

// neverConnected distinguishes a server that is not listening, which a retry seldom fixes and the
// user should know at once, from a broken connection.
func neverConnected(err error) bool {
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "dial" {
		return true
	}
	var (
		dns    *net.DNSError
		cert   *tls.CertificateVerificationError
		notTLS tls.RecordHeaderError
	)
	return errors.As(err, &dns) || errors.As(err, &cert) || errors.As(err, &notTLS)
}

// retryAfter returns the wait that the server requests, as milliseconds, seconds or an HTTP date. It is
// zero if it is unreadable or in the past.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if d, ok := parseWait(h.Get("Retry-After-Ms"), time.Millisecond); ok {
		return d
	}
	value := h.Get("Retry-After")
	if d, ok := parseWait(value, time.Second); ok {
		return d
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}

func parseWait(s string, unit time.Duration) (time.Duration, bool) {
	const longest = 24 * time.Hour // keeps the multiplication below from overflowing
	n, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || !(n >= 0) {
		return 0, false
	}
	return time.Duration(min(n, float64(longest/unit)) * float64(unit)), true
}

// sleep waits for d, or less when ctx ends, and then returns ctx's error.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
