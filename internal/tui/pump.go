package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/agent"
)

// frame is how often a running turn may change the screen: 30 times a second
// reads as continuous, and whatever came in between is drawn once.
const frame = time.Second / 30

// pump carries the events of one turn from the goroutine that runs it to
// Update: goroutine ▶ channel ▶ tea.Cmd.
type pump struct {
	cancel    context.CancelFunc
	queue     chan happening
	abandoned chan struct{} // closed when nobody will read the queue any more
	last      time.Time     // when the latest batch was handed over; next alone uses it
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
	p := &pump{cancel: cancel, queue: make(chan happening, 64), abandoned: make(chan struct{})}
	go p.run(ctx, c, in)
	return p
}

func (p *pump) run(ctx context.Context, c Conversation, in agent.Input) {
	defer close(p.queue)
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

// put never holds up a turn whose reader has gone: it has a transcript to keep.
func (p *pump) put(h happening) {
	select {
	case p.queue <- h:
	case <-p.abandoned:
	}
}

// next is the tea.Cmd that waits for something to happen and hands over all of
// it that falls into one frame.
func (p *pump) next() tea.Msg {
	first, ok := <-p.queue
	if !ok {
		return turnMsg{from: p, ended: true}
	}
	msg := turnMsg{from: p, batch: []happening{first}}
	timer := time.NewTimer(time.Until(p.last.Add(frame)))
	defer timer.Stop()
	for {
		select {
		case h, ok := <-p.queue:
			if !ok {
				msg.ended = true
				return msg
			}
			msg.batch = append(msg.batch, h)
		case <-timer.C:
			p.last = time.Now()
			return msg
		}
	}
}

// settle cancels the turn and waits until it has kept its transcript, but not
// for ever.
func (p *pump) settle(limit time.Duration) {
	p.cancel()
	close(p.abandoned)
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		select {
		case _, ok := <-p.queue:
			if !ok {
				return
			}
		case <-timer.C:
			return
		}
	}
}
