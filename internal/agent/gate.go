package agent

import (
	"context"
	"sync"
)

// gate is a lock that allows one operation on a conversation at a time. Its zero value is unlocked.
type gate struct {
	mu       sync.Mutex
	released chan struct{} // closed on leave; nil while the gate is free
	turn     bool          // a turn holds the gate
}

// enter takes the gate until leave is called. It returns ErrBusy if the gate is taken.
func (g *gate) enter() (leave func(), err error) {
	leave, busy, _ := g.tryEnter(false)
	if busy != nil {
		return nil, ErrBusy
	}
	return leave, nil
}

// enterTurn takes the gate for a turn. It returns ErrBusy if another turn holds it, but waits for anything
// else, such as a compaction, because a message sent meanwhile must be answered.
func (g *gate) enterTurn(ctx context.Context) (leave func(), err error) {
	for {
		leave, busy, isTurn := g.tryEnter(true)
		switch {
		case busy == nil:
			return leave, nil
		case isTurn:
			return nil, ErrBusy
		}
		select {
		case <-busy:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// tryEnter takes the gate. If it is taken, busy is closed when it becomes free, and isTurn reports whether
// a turn holds it.
func (g *gate) tryEnter(turn bool) (leave func(), busy <-chan struct{}, isTurn bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.released != nil {
		return nil, g.released, g.turn
	}
	g.released, g.turn = make(chan struct{}), turn
	return g.leave, nil, false
}

func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	close(g.released)
	g.released = nil
}
