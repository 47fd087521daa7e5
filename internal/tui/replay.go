package tui

import (
	"slices"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/session"
)

// replay draws a recorded conversation as it was when it happened. It gives the
// blocks and what the user had typed, oldest first.
func replay(entries []session.Entry) (blocks []block, typed []string) {
	r := replayer{cards: map[string]*card{}}
	for _, e := range entries {
		r.entry(e)
	}
	r.cut()
	return r.blocks, r.typed
}

type replayer struct {
	blocks  []block
	typed   []string
	partial *answer          // text of a message that never finished
	cards   map[string]*card // calls without a result yet
}

func (r *replayer) entry(e session.Entry) {
	d := agent.DisplayOf(e)
	switch e.Kind {
	case session.KindUser:
		r.cut()
		r.user(e, d)
	case session.KindDelta:
		if r.partial == nil {
			r.partial = newAnswer("")
			r.blocks = append(r.blocks, r.partial)
		}
		r.partial.source.WriteString(e.Message.Content)
	case session.KindAssistant:
		r.assistant(e, d)
	case session.KindTool:
		r.result(e, d)
	case session.KindNote:
		r.note(e, d)
	}
}

func (r *replayer) user(e session.Entry, d agent.Display) {
	text := d.Text
	if text == "" {
		text = e.Message.Content
	}
	r.typed = append(r.typed, text)
	r.blocks = append(r.blocks, &said{text: text})
	if d.Skill != "" {
		r.blocks = append(r.blocks, &card{skill: d.Skill, state: cardDone})
	}
}

func (r *replayer) assistant(e session.Entry, d agent.Display) {
	if r.partial != nil {
		// The message stands in for the pieces of it that were kept before.
		r.blocks = slices.DeleteFunc(r.blocks, func(b block) bool { return b == block(r.partial) })
		r.partial = nil
	}
	if e.Message.Reasoning != "" {
		t := &thought{done: true}
		t.source.WriteString(e.Message.Reasoning)
		r.blocks = append(r.blocks, t)
	}
	if e.Message.Content != "" {
		r.blocks = append(r.blocks, newAnswer(e.Message.Content))
	}
	for _, call := range e.Message.ToolCalls {
		c := &card{name: call.Name, arguments: call.Arguments}
		r.cards[call.ID] = c
		r.blocks = append(r.blocks, c)
	}
	if text := stopNotice(d.Stop); text != "" {
		r.blocks = append(r.blocks, &notice{mark: markWarning, text: text})
	}
	if d.Error != "" {
		r.blocks = append(r.blocks, &notice{mark: markError, text: d.Error})
	}
}

func (r *replayer) result(e session.Entry, d agent.Display) {
	c := r.cards[e.Message.ToolCallID]
	if c == nil {
		c = &card{name: e.Message.ToolName}
		r.blocks = append(r.blocks, c)
	}
	delete(r.cards, e.Message.ToolCallID)
	c.title, c.summary, c.forUser, c.skill = d.Title, d.Summary, d.ForUser, d.Skill
	c.took = time.Duration(d.DurationMS * float64(time.Millisecond))
	c.state = cardDone
	if e.Message.IsError {
		c.state, c.failure = cardFailed, d.ForUser
		if c.failure == "" {
			c.failure = e.Message.Content
		}
	}
}

func (r *replayer) note(e session.Entry, d agent.Display) {
	switch {
	case d.Error != "":
		r.blocks = append(r.blocks, &notice{mark: markError, text: d.Error})
	case d.Text != "":
		r.blocks = append(r.blocks, &notice{mark: markInfo, text: d.Text})
	case e.Message.Content != "":
		r.blocks = append(r.blocks, &notice{mark: markInfo, text: e.Message.Content})
	case stopNotice(d.Stop) != "":
		r.blocks = append(r.blocks, &notice{mark: markWarning, text: stopNotice(d.Stop)})
	}
}

// cut marks what a death of the program left unfinished.
func (r *replayer) cut() {
	if r.partial != nil || len(r.cards) > 0 {
		r.blocks = append(r.blocks, &notice{mark: markWarning, text: "interrupted here; what came was kept"})
	}
	r.partial = nil
	for id, c := range r.cards {
		c.state = cardInterrupted
		delete(r.cards, id)
	}
}

// stopNotice says why a turn ended where it did not simply end.
func stopNotice(reason agent.StopReason) string {
	switch reason {
	case agent.StopCancelled:
		return "cancelled; what came was kept"
	case agent.StopStepLimit:
		return "stopped at the step limit; say \"go on\" to continue"
	case agent.StopRepeatedCall:
		return "stopped: the model made the same call again and again"
	default:
		return ""
	}
}
