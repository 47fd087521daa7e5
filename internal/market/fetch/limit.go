package fetch

import (
	"context"
	"path/filepath"
	"time"
)

// Bounds of waiting.
const (
	// longestQueue is how long a request stands in line for its turn. Where the
	// line is longer, the next source is the better answer.
	longestQueue = 30 * time.Second
	// longestShut caps what a server may ask for, and what a mark on the disk may
	// claim, unless the policy itself asks for more.
	longestShut = time.Hour
)

// limiter keeps the pace of one server, together with other processes where it
// has a mark.
type limiter struct {
	mark  *mark         // nil where nothing is kept
	slots chan struct{} // nil where any number may be under way

	// held guards state. It is no mutex, because its holder may wait for another
	// process: a test in a bubble of synctest would wait for ever.
	held  chan struct{}
	state pace
}

func newLimiter(dir string, p Policy) *limiter {
	l := &limiter{held: make(chan struct{}, 1)}
	if p.InFlight > 0 {
		l.slots = make(chan struct{}, p.InFlight)
	}
	if dir != "" {
		l.mark = &mark{path: filepath.Join(dir, "limits", fileName(p.Shared))}
	}
	return l
}

// pace is how far a server is booked out, in nanoseconds of Unix time.
type pace struct {
	// booked is the virtual scheduling form of a token bucket: when the last
	// token taken will have been earned (ITU-T I.371, annex A).
	booked int64
	shut   int64 // nothing is asked before
}

// sane drops what no limiter with the policy would have written: a mark that is
// damaged, or from before the clock was set back, blocks nobody.
func (s pace) sane(now time.Time, p Policy) pace {
	every := interval(p)
	if s.booked > now.Add(longestQueue+time.Duration(p.Burst+1)*every).UnixNano() {
		s.booked = 0
	}
	if s.shut > now.Add(max(longestShut, p.Breaker)).UnixNano() {
		s.shut = 0
	}
	return s
}

func (s pace) with(other pace) pace {
	return pace{booked: max(s.booked, other.booked), shut: max(s.shut, other.shut)}
}

// book takes a token and says how long to wait for it, unless the server is shut
// or the line longer than atMost: then closed is how long that lasts and nothing
// is taken.
func (s pace) book(now time.Time, p Policy, atMost time.Duration) (after pace, wait, closed time.Duration) {
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

// enter waits for a turn. A server that is shut, or whose turn would come too
// late for ctx, is not waited for: closed says for how long.
func (l *limiter) enter(ctx context.Context, p Policy, paced bool) (leave func(), closed time.Duration, err error) {
	leave = func() {}
	if l.slots != nil {
		select {
		case l.slots <- struct{}{}:
			leave = func() { <-l.slots }
		case <-ctx.Done():
			return nil, 0, ctx.Err()
		}
	}
	wait, closed := l.turn(ctx, p, paced)
	if closed == 0 {
		err = pause(ctx, wait)
	}
	if closed > 0 || err != nil {
		leave()
		return nil, closed, err
	}
	return leave, 0, nil
}

func (l *limiter) turn(ctx context.Context, p Policy, paced bool) (wait, closed time.Duration) {
	atMost := longestQueue
	if deadline, ok := ctx.Deadline(); ok {
		atMost = min(atMost, time.Until(deadline))
	}
	l.change(p, func(now time.Time, s pace) pace {
		switch {
		case s.shut > now.UnixNano():
			closed = time.Duration(s.shut - now.UnixNano())
		case paced:
			s, wait, closed = s.book(now, p, atMost)
		}
		return s
	})
	return wait, closed
}

// shut keeps everybody from asking for d.
func (l *limiter) shut(p Policy, d time.Duration) {
	l.change(p, func(now time.Time, s pace) pace {
		s.shut = max(s.shut, now.Add(d).UnixNano())
		return s
	})
}

func (l *limiter) change(p Policy, do func(time.Time, pace) pace) {
	l.held <- struct{}{}
	defer func() { <-l.held }()
	unlock := l.mark.lock()
	defer unlock()
	now := time.Now()
	l.state = do(now, l.state.with(l.mark.read()).sane(now, p))
	l.mark.write(l.state)
}

// tooLate reports whether ctx ends before the wait does.
func tooLate(ctx context.Context, wait time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return ok && wait > 0 && time.Until(deadline) < wait
}

func pause(ctx context.Context, d time.Duration) error {
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
