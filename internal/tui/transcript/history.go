package transcript

import (
	"cmp"
	"slices"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tool"
)

// AddHistory adds a recorded conversation, drawn as it was when it happened. It returns the messages
// that the user typed, oldest first.
func (t *Transcript) AddHistory(entries []session.Entry) (typed []string) {
	r := historyReader{cards: map[string]*card{}}
	for _, e := range entries {
		r.entry(e)
	}
	r.markInterrupted()
	t.blocks = append(t.blocks, r.blocks...)
	return r.typed
}

type historyReader struct {
	blocks  []block
	typed   []string
	partial *answer          // text of an unfinished message, or nil
	cards   map[string]*card // calls without a result, by ID
}

func (r *historyReader) entry(e session.Entry) {
	d := agent.DisplayOf(e)
	switch e.Kind {
	case session.KindUser:
		r.markInterrupted()
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
		r.blocks = append(r.blocks, &notice{level: Info, text: CompactedText(agent.Compacted{Summarised: true, Outline: d.Outline})})
	}
}

func (r *historyReader) user(e session.Entry, d agent.Display) {
	text := d.Text
	if text == "" {
		text = e.Message.Content
	}
	r.typed = append(r.typed, text)
	r.blocks = append(r.blocks, &userMessage{text: text})
	if d.Skill != "" {
		r.blocks = append(r.blocks, &card{skill: d.Skill, state: cardDone})
	}
}

func (r *historyReader) assistant(e session.Entry, d agent.Display) {
	if r.partial != nil {
		// The message replaces the partial text that was stored before it.
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
	if text := StopText(d.Stop); text != "" {
		r.blocks = append(r.blocks, &notice{level: Warning, text: text})
	}
	if d.Error != "" {
		r.blocks = append(r.blocks, &notice{level: Error, text: d.Error})
	}
	if d.Report != nil && len(d.Report.Untraced) > 0 {
		r.blocks = append(r.blocks, figuresNotice(*d.Report))
	}
}

func (r *historyReader) result(e session.Entry, d agent.Display) {
	c := r.cards[e.Message.ToolCallID]
	if c == nil {
		c = &card{name: e.Message.ToolName, step: tool.StepName(e.Message.ToolCallID), arguments: d.Arguments}
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

func (r *historyReader) note(e session.Entry, d agent.Display) {
	if d.Command != "" {
		r.blocks = append(r.blocks, &commandLine{userMessage{text: d.Command}})
		if d.Output != "" || d.Chart != nil {
			r.blocks = append(r.blocks, &programOutput{text: d.Output, chart: d.Chart})
		}
	}
	switch {
	case d.Error != "":
		r.blocks = append(r.blocks, &notice{level: Error, text: d.Error})
	case d.Text != "":
		r.blocks = append(r.blocks, &notice{level: Info, text: d.Text})
	case e.Message.Content != "":
		r.blocks = append(r.blocks, &notice{level: Info, text: e.Message.Content})
	case StopText(d.Stop) != "":
		r.blocks = append(r.blocks, &notice{level: Warning, text: StopText(d.Stop)})
	}
}

// markInterrupted marks what was unfinished when the program was killed.
func (r *historyReader) markInterrupted() {
	if r.partial != nil || len(r.cards) > 0 {
		r.blocks = append(r.blocks, &notice{level: Warning, text: "Interrupted here. The partial answer is kept."})
	}
	r.partial = nil
	for id, c := range r.cards {
		c.state = cardInterrupted
		delete(r.cards, id)
	}
}
