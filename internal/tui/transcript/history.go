package transcript

import (
	"cmp"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tool"
)

// AddHistory adds a recorded conversation, drawn as it was when it happened. It returns the messages
// that the user typed, oldest first.
func (t *Transcript) AddHistory(entries []session.Entry) (typed []string) {
	r := historyReader{transcript: t, turn: newTurn(t)}
	for _, e := range entries {
		r.entry(e)
	}
	r.endTurn()
	t.pinned = nil
	return r.typed
}

type historyReader struct {
	transcript *Transcript
	turn       *Turn
	typed      []string
	partial    string // text of an unfinished message
}

func (r *historyReader) entry(e session.Entry) {
	d := agent.DisplayOf(e)
	switch e.Kind {
	case session.KindUser:
		r.endTurn()
		text := cmp.Or(d.Text, e.Message.Content)
		r.typed = append(r.typed, text)
		r.transcript.add(&userMessage{text: text})
		r.turn = newTurn(r.transcript)
		if d.Skill != "" {
			r.turn.skillLoaded(d.Skill)
		}
	case session.KindDelta:
		r.partial += e.Message.Content
	case session.KindAssistant:
		r.assistant(e, d)
	case session.KindTool:
		r.result(e, d)
	case session.KindNote:
		r.note(e, d)
	case session.KindSummary:
		r.transcript.Say(Info, CompactedText(agent.Compacted{Summarised: true, Outline: d.Outline}))
	}
}

func (r *historyReader) assistant(e session.Entry, d agent.Display) {
	r.partial = "" // the message replaces the partial text that was stored before it
	if e.Message.Reasoning != "" {
		t := &thought{done: true}
		t.written.WriteString(e.Message.Reasoning)
		r.transcript.add(t)
	}
	text := e.Message.Content
	if len(d.Shows) > 0 {
		text = d.Own
	}
	if text != "" {
		r.turn.text(text)
	}
	r.turn.finishText()
	for _, id := range d.Shows {
		if c := r.turn.cards[id]; c != nil {
			r.turn.showBody(c)
		}
	}
	for _, call := range e.Message.ToolCalls {
		r.turn.card(call, "")
	}
	if len(e.Message.ToolCalls) > 0 {
		return
	}
	r.turn.showEnd(d.TurnDone(e.Message.Content), d.Error)
}

func (r *historyReader) result(e session.Entry, d agent.Display) {
	call := llm.ToolCall{ID: e.Message.ToolCallID, Name: e.Message.ToolName, Arguments: d.Arguments}
	r.turn.toolFinished(agent.ToolFinished{
		Outcome: tool.Outcome{Call: call, Result: recordedResult(e, d), Duration: time.Duration(d.DurationMS * float64(time.Millisecond))},
		Label:   d.Label, SampleNotice: d.SampleNotice,
	})
}

// recordedResult returns what people saw of a result.
func recordedResult(e session.Entry, d agent.Display) tool.Result {
	res := tool.Result{
		Title: d.Title, Summary: d.Summary, ForUser: d.ForUser, Body: d.Body, Keys: d.Keys, Chart: d.Chart, Opened: d.Opened,
		Skill: d.Skill, IsError: e.Message.IsError,
	}
	if d.About != nil {
		res.About = *d.About
	} else {
		res.Keys = nil // recorded before key figures were drawn
	}
	if d.Source != nil {
		res.Source, res.Notes = *d.Source, d.Notes
	}
	if res.IsError {
		res.Value = map[string]any{"error": cmp.Or(d.Error, d.ForUser, e.Message.Content)}
	}
	return res
}

func (r *historyReader) note(e session.Entry, d agent.Display) {
	if d.Command != "" {
		r.transcript.add(&commandLine{userMessage{text: d.Command}})
		switch view := d.View(); {
		case view != nil:
			r.transcript.addView(d.Chart, d.Output, *view)
		case d.Output != "" || d.Chart != nil:
			r.transcript.add(&programOutput{text: d.Output, chart: d.Chart, command: d.Command})
		}
	}
	switch {
	case d.Error != "":
		r.transcript.Say(Error, d.Error)
	case d.Text != "":
		r.transcript.Say(Info, d.Text)
	case e.Message.Content != "":
		r.transcript.Say(Info, e.Message.Content)
	case StopText(d.Stop) != "":
		r.transcript.Say(Warning, StopText(d.Stop))
	}
}

// endTurn marks what was unfinished when the program was killed.
func (r *historyReader) endTurn() {
	r.turn.finishText()
	if r.partial != "" {
		r.transcript.add(newAnswer(r.partial))
	}
	if r.turn.interrupt() || r.partial != "" {
		r.transcript.Say(Warning, "Interrupted here. The partial answer is kept.")
	}
	r.partial = ""
}
