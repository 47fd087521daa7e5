package transcript

import (
	"cmp"
	"slices"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tool"
)

// Replay adds a recorded conversation, drawn as it was when it happened, and
// gives what the user had typed in it, oldest first.
func (t *Transcript) Replay(entries []session.Entry) (typed []string) {
	r := replayer{cards: map[string]*card{}}
	for _, e := range entries {
		r.entry(e)
	}
	r.cut()
	t.blocks = append(t.blocks, r.blocks...)
	return r.typed
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
		r.partial.written.WriteString(e.Message.Content)
	case session.KindAssistant:
		r.assistant(e, d)
	case session.KindTool:
		r.result(e, d)
	case session.KindNote:
		r.note(e, d)
	case session.KindSummary:
		r.blocks = append(r.blocks, &notice{mark: Info, text: CompactedWords(agent.Compacted{Summarised: true, Outline: d.Outline})})
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
		t.written.WriteString(e.Message.Reasoning)
		r.blocks = append(r.blocks, t)
	}
	if e.Message.Content != "" {
		b := newAnswer(e.Message.Content)
		if d.Report != nil {
			b.mark(e.Message.Content, *d.Report)
		}
		r.blocks = append(r.blocks, b)
	}
	for _, call := range e.Message.ToolCalls {
		c := &card{name: call.Name, arguments: call.Arguments}
		r.cards[call.ID] = c
		r.blocks = append(r.blocks, c)
	}
	if text := StopWords(d.Stop); text != "" {
		r.blocks = append(r.blocks, &notice{mark: Warning, text: text})
	}
	if d.Error != "" {
		r.blocks = append(r.blocks, &notice{mark: Error, text: d.Error})
	}
	if d.Report != nil && d.Report.Total > 0 {
		r.blocks = append(r.blocks, figuresNotice(*d.Report))
	}
}

func (r *replayer) result(e session.Entry, d agent.Display) {
	c := r.cards[e.Message.ToolCallID]
	if c == nil {
		c = &card{name: e.Message.ToolName, step: tool.StepOf(e.Message.ToolCallID), arguments: d.Arguments}
		r.blocks = append(r.blocks, c)
	}
	delete(r.cards, e.Message.ToolCallID)
	c.title, c.summary, c.forUser, c.skill = d.Title, d.Summary, d.ForUser, d.Skill
	c.chart, c.open = d.Chart, c.open || d.Opened
	c.took = time.Duration(d.DurationMS * float64(time.Millisecond))
	c.state = cardDone
	if e.Message.IsError {
		c.state, c.failure = cardFailed, cmp.Or(d.Error, d.ForUser, e.Message.Content)
	}
}

func (r *replayer) note(e session.Entry, d agent.Display) {
	switch {
	case d.Error != "":
		r.blocks = append(r.blocks, &notice{mark: Error, text: d.Error})
	case d.Text != "":
		r.blocks = append(r.blocks, &notice{mark: Info, text: d.Text})
	case e.Message.Content != "":
		r.blocks = append(r.blocks, &notice{mark: Info, text: e.Message.Content})
	case StopWords(d.Stop) != "":
		r.blocks = append(r.blocks, &notice{mark: Warning, text: StopWords(d.Stop)})
	}
}

// cut marks what a death of the program left unfinished.
func (r *replayer) cut() {
	if r.partial != nil || len(r.cards) > 0 {
		r.blocks = append(r.blocks, &notice{mark: Warning, text: "interrupted here; what came was kept"})
	}
	r.partial = nil
	for id, c := range r.cards {
		c.state = cardInterrupted
		delete(r.cards, id)
	}
}
