package agent

import (
	"context"
	"sync"
)

// gate lets one at a time into a conversation. Its zero value is ready.
type gate struct {
	mu       sync.Mutex
	released chan struct{} // closed when who is in leaves; nil where nobody is in
	turn     bool          // who is in is a turn
}

// enter lets the caller in until it calls leave, or reports ErrBusy where somebody
// is in.
func (g *gate) enter() (leave func(), err error) {
	leave, busy, _ := g.tryEnter(false)
	if busy != nil {
		return nil, ErrBusy
	}
	return leave, nil
}

// enterTurn is enter for a turn. It waits, as long as ctx lets it, for what is no
// turn, such as a summary being written: what the user sent meanwhile is to be
// answered and not refused.
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

// tryEnter lets the caller in, or gives what is closed once who is in leaves, and
// whether that is a turn.
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
