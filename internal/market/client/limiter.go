package client

import (
	"context"
	"path/filepath"
	"time"
)

// Bounds of waiting.
const (
	// maxQueueWait is how long a request stands in line for its turn. Where the
	// line is longer, the next source is the better answer.
	maxQueueWait = 30 * time.Second
	// maxBlock caps what a server may ask for, and what a mark on the disk may
	// claim, unless the policy itself asks for more.
	maxBlock = time.Hour
)

// limiter keeps the pace of one server, together with other processes where it
// has a mark.
type limiter struct {
	stateFile *limitFile    // nil where nothing is kept
	slots     chan struct{} // nil where any number may be under way

	// lock guards state. It is no mutex, because its holder may wait for another
	// process: a test in a bubble of synctest would wait for ever.
	lock  chan struct{}
	state limitState
}

func newLimiter(dir string, p Policy) *limiter {
	l := &limiter{lock: make(chan struct{}, 1)}
	if p.InFlight > 0 {
		l.slots = make(chan struct{}, p.InFlight)
	}
	if dir != "" {
		l.stateFile = &limitFile{path: filepath.Join(dir, "limits", limitFileName(p.Shared))}
	}
	return l
}

// limitState is how far a server is booked out, in nanoseconds of Unix time.
type limitState struct {
	// booked is the virtual scheduling form of a token bucket: when the last
	// token taken will have been earned (ITU-T I.371, annex A).
	booked       int64
	blockedUntil int64 // nothing is asked before
}

// sanitize drops what no limiter with the policy would have written: a mark that is
// damaged, or from before the clock was set back, blocks nobody.
func (s limitState) sanitize(now time.Time, p Policy) limitState {
	every := interval(p)
	if s.booked > now.Add(maxQueueWait+time.Duration(p.Burst+1)*every).UnixNano() {
		s.booked = 0
	}
	if s.blockedUntil > now.Add(max(maxBlock, p.Breaker)).UnixNano() {
		s.blockedUntil = 0
	}
	return s
}

func (s limitState) merge(other limitState) limitState {
	return limitState{booked: max(s.booked, other.booked), blockedUntil: max(s.blockedUntil, other.blockedUntil)}
}

// reserve takes a token and says how long to wait for it, unless the server is shut
// or the line longer than atMost: then closed is how long that lasts and nothing
// is taken.
func (s limitState) reserve(now time.Time, p Policy, atMost time.Duration) (after limitState, wait, blockedFor time.Duration) {
	every := interval(p)
	booked := max(s.booked, now.UnixNano())
	wait = max(0, time.Duration(booked-now.UnixNano())-time.Duration(p.Burst-1)*every)
	if wait > atMost {
		return s, 0, wait
	}
	s.booked = booked + int64(every)
	return s, wait, 0
}

func interval(p Policy) time.Duration { return time.Duration(float64(time.Second) / p.Rate) }

// acquire waits for a turn. A server that is shut, or whose turn would come too
// late for ctx, is not waited for: closed says for how long.
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

func (l *limiter) reserve(ctx context.Context, p Policy, paced bool) (wait, blockedFor time.Duration) {
	atMost := maxQueueWait
	if deadline, ok := ctx.Deadline(); ok {
		atMost = min(atMost, time.Until(deadline))
	}
	l.update(p, func(now time.Time, s limitState) limitState {
		switch {
		case s.blockedUntil > now.UnixNano():
			blockedFor = time.Duration(s.blockedUntil - now.UnixNano())
		case paced:
			s, wait, blockedFor = s.reserve(now, p, atMost)
		}
		return s
	})
	return wait, blockedFor
}

// block keeps everybody from asking for d.
func (l *limiter) block(p Policy, d time.Duration) {
	l.update(p, func(now time.Time, s limitState) limitState {
		s.blockedUntil = max(s.blockedUntil, now.Add(d).UnixNano())
		return s
	})
}

func (l *limiter) update(p Policy, do func(time.Time, limitState) limitState) {
	l.lock <- struct{}{}
	defer func() { <-l.lock }()
	unlock := l.stateFile.lock()
	defer unlock()
	now := time.Now()
	l.state = do(now, l.state.merge(l.stateFile.read()).sanitize(now, p))
	l.stateFile.write(l.state)
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
