package tui

import (
	"context"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/agent"
)

// frame is how often a running turn may change the screen: 30 times a second
// reads as continuous, and whatever came in between is drawn once.
const frame = time.Second / 30

// pump carries the events of one turn from the goroutine that runs it to
// Update: goroutine ▶ backlog ▶ tea.Cmd. It never holds the turn up: while the
// user's editor has the terminal nobody takes anything, and a turn has a
// transcript to keep and a server that waits for no reader.
type pump struct {
	cancel context.CancelFunc
	ended  chan struct{} // closed when the goroutine is done
	last   time.Time     // when the latest batch was handed over; next alone uses it

	mu      sync.Mutex
	backlog []happening
	ready   chan struct{} // holds one while there is a backlog
}

type happening struct {
	event agent.Event
	err   error
	crash *Crash
}

// turnMsg is what happened in a turn since the last frame.
type turnMsg struct {
	from  *pump
	batch []happening
	ended bool // the goroutine is done; nothing more will come
}

func startPump(ctx context.Context, c Conversation, in agent.Input) *pump {
	ctx, cancel := context.WithCancel(ctx)
	p := &pump{cancel: cancel, ended: make(chan struct{}), ready: make(chan struct{}, 1)}
	go p.run(ctx, c, in)
	return p
}

func (p *pump) run(ctx context.Context, c Conversation, in agent.Input) {
	defer close(p.ended)
	defer p.cancel()
	defer func() {
		if r := recover(); r != nil {
			p.put(happening{crash: newCrash(r)})
		}
	}()
	for event, err := range c.Run(ctx, in) {
		p.put(happening{event: event, err: err})
	}
}

func (p *pump) put(h happening) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.backlog = append(p.backlog, h)
	select {
	case p.ready <- struct{}{}:
	default:
	}
}

// take gives what has come since the last time.
func (p *pump) take() []happening {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.ready:
	default:
	}
	batch := p.backlog
	p.backlog = nil
	return batch
}

// next is the tea.Cmd that waits for something to happen and hands over all of
// it that falls into one frame.
func (p *pump) next() tea.Msg {
	select {
	case <-p.ready:
	case <-p.ended:
	}
	timer := time.NewTimer(time.Until(p.last.Add(frame)))
	defer timer.Stop()
	select {
	case <-p.ended:
		return turnMsg{from: p, batch: p.take(), ended: true}
	case <-timer.C:
		p.last = time.Now()
		return turnMsg{from: p, batch: p.take()}
	}
}

// settle cancels the turn and waits until it has kept its transcript, but not
// for ever.
func (p *pump) settle(limit time.Duration) {
	p.cancel()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-p.ended:
	case <-timer.C:
	}
}
