package client

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/nfa-cli/nfa/internal/atomicfile"
)

// Bounds of waiting.
const (
	// maxQueueWait is how long a request may wait for its turn. If the queue is longer, trying the next
	// source is better.
	maxQueueWait = 30 * time.Second
	// maxBlock limits the pause that a server may request, unless the policy has a longer one.
	maxBlock = time.Hour
)

// limiter keeps the request rate of one server within its policy.
type limiter struct {
	slots chan struct{} // nil if the number of concurrent requests is unlimited

	mu sync.Mutex
	// booked is the state of a token bucket in its virtual scheduling form: the time at which the last token
	// taken becomes available (ITU-T I.371, annex A).
	booked       time.Time
	blockedUntil time.Time // send no request before this time
	// blockFile stores blockedUntil for the next run; empty to store nothing.
	blockFile string
	loaded    bool
}

func newLimiter(dir string, p Policy) *limiter {
	l := &limiter{}
	if dir != "" {
		name := strings.Map(func(r rune) rune {
			if r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '.' || r == '-') {
				return r
			}
			return '_'
		}, p.Shared)
		l.blockFile = filepath.Join(dir, "limits", name+".until")
	}
	if p.InFlight > 0 {
		l.slots = make(chan struct{}, p.InFlight)
	}
	return l
}

func interval(p Policy) time.Duration { return time.Duration(float64(time.Second) / p.Rate) }

// acquire waits for a turn; the caller must call leave after the request. If the server is blocked, or the
// turn would come too late for ctx, it returns at once with the remaining time as blockedFor.
func (l *limiter) acquire(ctx context.Context, p Policy, paced bool) (leave func(), blockedFor time.Duration, err error) {
	leave = func() {}
	if l.slots != nil {
		select {
		case l.slots <- struct{}{}:
			leave = func() { <-l.slots }
		case <-ctx.Done():
			return nil, 0, ctx.Err()
		}
	}
	wait, blockedFor := l.reserve(ctx, p, paced)
	if blockedFor == 0 {
		err = sleep(ctx, wait)
	}
	if blockedFor > 0 || err != nil {
		leave()
		return nil, blockedFor, err
	}
	return leave, 0, nil
}

// reserve takes a token and returns how long to wait for it. If the server is blocked or the queue
// is too long, it takes nothing and returns how long that lasts.
func (l *limiter) reserve(ctx context.Context, p Policy, paced bool) (wait, blockedFor time.Duration) {
	atMost := maxQueueWait
	if deadline, ok := ctx.Deadline(); ok {
		atMost = min(atMost, time.Until(deadline))
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	l.load(now, p)
	if blocked := l.blockedUntil.Sub(now); blocked > 0 {
		return 0, blocked
	}
	if !paced {
		return 0, 0
	}
	every := interval(p)
	booked := l.booked
	if booked.Before(now) {
		booked = now
	}
	wait = max(0, booked.Sub(now)-time.Duration(p.Burst-1)*every)
	if wait > atMost {
		return 0, wait
	}
	l.booked = booked.Add(every)
	return wait, 0
}

// load reads, once, the block that an earlier run stored. It ignores a time further ahead than the policy
// allows.
func (l *limiter) load(now time.Time, p Policy) {
	if l.loaded || l.blockFile == "" {
		return
	}
	l.loaded = true
	text, _, err := atomicfile.Read(l.blockFile, 100)
	if err != nil {
		return
	}
	until, err := time.Parse(time.RFC3339Nano, string(text))
	if err == nil && until.Sub(now) <= max(maxBlock, p.Breaker) {
		l.blockedUntil = until
	}
}

// block stops all requests to the server for d, including those of the next run.
func (l *limiter) block(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	until := time.Now().Add(d)
	if !until.After(l.blockedUntil) {
		return
	}
	l.blockedUntil = until
	// If the file cannot be written, the next run learns of the block from its first response.
	if l.blockFile != "" && os.MkdirAll(filepath.Dir(l.blockFile), 0o700) == nil {
		_ = atomicfile.Replace(l.blockFile, []byte(until.Format(time.RFC3339Nano)), 0o600)
	}
}

// exceedsDeadline reports whether ctx ends before the wait does.
func exceedsDeadline(ctx context.Context, wait time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return ok && wait > 0 && time.Until(deadline) < wait
}

func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
