package tui

import (
	"context"
	"iter"
	"sync"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/crash"
)

// Conversation runs the turns of a session, one at a time.
type Conversation interface {
	ID() string
	// Run runs a turn; agent.TurnDone is its last event.
	Run(ctx context.Context, in agent.Input) iter.Seq2[agent.Event, error]
	// RecordCommand saves a slash command with its result and reports whether it did.
	RecordCommand(ctx context.Context, r agent.CommandRecord) (recorded bool, err error)
}

// batchInterval is the time between two batches of events. 30 batches a second look continuous.
const batchInterval = time.Second / 30

// EventStream runs one turn and buffers its events without limit, because the turn must continue
// while the chat does not read them, for example while the user's editor has the terminal.
type EventStream struct {
	background
	last time.Time // of the latest batch; used only by Next

	mu      sync.Mutex
	backlog []StreamEvent
	ready   chan struct{} // holds one while there is a backlog
}

// StreamEvent is an event with its error, or the panic that ended the turn.
type StreamEvent struct {
	Event agent.Event
	Err   error
	Crash *crash.Site
}

// EventBatch holds the events of a turn since the previous batch.
type EventBatch struct {
	Events []StreamEvent
	Ended  bool // the turn is over; nothing more will come
}

// TurnFunc runs a turn and yields its events.
type TurnFunc func(ctx context.Context) iter.Seq2[agent.Event, error]

// StartStream runs a turn in its own goroutine. The turn must return when ctx ends.
func StartStream(ctx context.Context, turn TurnFunc) *EventStream {
	p := &EventStream{background: newBackground(ctx), ready: make(chan struct{}, 1)}
	go p.run(turn)
	return p
}

func (p *EventStream) run(turn TurnFunc) {
	defer close(p.ended)
	defer p.cancel()
	defer func() {
		if r := recover(); r != nil {
			p.push(StreamEvent{Crash: crash.NewSite(r)})
		}
	}()
	for event, err := range turn(p.ctx) {
		p.push(StreamEvent{Event: event, Err: err})
	}
}

func (p *EventStream) push(h StreamEvent) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.backlog = append(p.backlog, h)
	select {
	case p.ready <- struct{}{}:
	default:
	}
}

// drain returns the events since the last call.
func (p *EventStream) drain() []StreamEvent {
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

// Next waits for an event and returns all events since the last call, at most one batch per
// batchInterval. Call it again until a batch has Ended.
func (p *EventStream) Next() EventBatch {
	select {
	case <-p.ready:
	case <-p.ended:
	}
	timer := time.NewTimer(time.Until(p.last.Add(batchInterval)))
	defer timer.Stop()
	select {
	case <-p.ended:
		return EventBatch{Events: p.drain(), Ended: true}
	case <-timer.C:
		p.last = time.Now()
		return EventBatch{Events: p.drain()}
	}
}
