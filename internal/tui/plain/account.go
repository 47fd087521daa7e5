package plain

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui/draw"
	"github.com/nfa-cli/nfa/internal/tui/transcript"
)

// account is a turn as it is told: each paragraph once it has settled, each call
// once it has ended.
type account struct {
	out     *sheet
	answer  paragraphs
	running []llm.ToolCall // in the order in which they were begun
	skills  map[string]bool
	done    agent.TurnDone
	fault   error
}

func newAccount(out *sheet) *account { return &account{out: out, skills: map[string]bool{}} }

// doing is what goes on, for somebody who has heard nothing for a while.
func (a *account) doing() string {
	if len(a.running) == 0 {
		return "waiting for the answer"
	}
	names := make([]string, len(a.running))
	for i, call := range a.running {
		names[i] = call.Name
	}
	return "running " + strings.Join(names, ", ")
}

func (a *account) take(e agent.Event) {
	switch e := e.(type) {
	case agent.TextDelta:
		a.paragraphs(a.answer.write(e.Text))
	case agent.ToolStarted:
		a.finish()
		a.running = append(a.running, e.Call)
	case agent.ToolFinished:
		a.finished(e.Outcome)
	case agent.SkillLoaded:
		a.skill(e.Name)
	case agent.Retrying:
		a.finish()
		if e.Afresh {
			a.out.say(labelNotice, transcript.AfreshWords)
		}
		a.out.say(labelNotice, draw.OneLine(transcript.RetryWords(e)))
	case agent.Compacted:
		a.finish()
		a.out.say(labelNotice, transcript.CompactedWords(e))
	case agent.StepDone:
		a.finish()
	case agent.TurnDone:
		a.done = e
	}
}

func (a *account) paragraphs(settled []string) {
	for _, text := range settled {
		a.out.goOn(labelAssistant, text)
	}
}

// finish says what of the answer has not been said.
func (a *account) finish() { a.paragraphs(a.answer.end()) }

func (a *account) finished(o tool.Outcome) {
	a.finish()
	a.running = slices.DeleteFunc(a.running, func(call llm.ToolCall) bool { return call.ID == o.Call.ID })
	if s := o.Result.Skill; s != "" && !o.Result.IsError {
		a.skill(s)
		return
	}
	c := called{call: o.Call, title: o.Result.Title, summary: o.Result.Summary, took: o.Duration}
	if o.Result.IsError {
		c.failure = cmp.Or(o.Result.ErrorText(), "no reason was given")
	}
	a.out.say(labelTool, c.text())
	a.chart(o.Result.Chart)
}

// chart says in words what the screen draws.
func (a *account) chart(s *chart.Spec) {
	if s == nil {
		return
	}
	if text := draw.OneLine(chart.Describe(*s)); text != "" {
		a.out.say(labelChart, text)
	}
}

func (a *account) skill(name string) {
	if !a.skills[name] {
		a.skills[name] = true
		a.out.say(labelTool, "skill loaded, "+draw.OneLine(name))
	}
}

// end says how the turn ended.
func (a *account) end(failure string) {
	a.finish()
	for _, call := range a.running {
		a.out.say(labelTool, called{call: call}.name()+" … interrupted")
	}
	if text := transcript.StopWords(a.done.Reason); text != "" {
		a.out.say(labelNotice, text)
	}
	if failure != "" {
		a.out.say(labelError, failure)
	}
	a.figures(a.done.Figures)
}

func (a *account) figures(r agent.FiguresReport) {
	if r.Total > 0 {
		_, text := transcript.FiguresWords(r)
		a.out.say(labelFigures, draw.OneLine(text))
	}
}

// called is a call that has ended.
type called struct {
	call                    llm.ToolCall
	title, summary, failure string
	took                    time.Duration
}

// name is the call in a few words: what it did, or else what it was given.
func (c called) name() string {
	words := []string{draw.OneLine(c.call.Name)}
	if step := tool.StepOf(c.call.ID); step != "" {
		words = append([]string{"step " + draw.OneLine(step) + ","}, words...)
	}
	return strings.TrimSpace(strings.Join(append(words, cmp.Or(draw.OneLine(c.title), draw.Arguments(c.call.Arguments))), " "))
}

func (c called) text() string {
	if c.failure != "" {
		return c.name() + " … failed: " + draw.OneLine(c.failure)
	}
	text := c.name() + " … done"
	if summary := draw.OneLine(c.summary); summary != "" {
		text += ", " + summary
	}
	if c.took >= time.Second {
		text += ", in " + draw.Duration(c.took)
	}
	return text
}

// recall tells where a recorded conversation was left: its last question, and what
// came of it.
func (c *chat) recall(history []session.Entry) {
	asked := func(e session.Entry) bool { return e.Kind == session.KindUser }
	last := 0
	for i, e := range history {
		if asked(e) {
			last = i
		}
	}
	c.out.say(labelNotice, "going on with a conversation; nfa sessions show "+c.conversation.ID()+" reads all of it, its last question follows")
	told := newAccount(c.out)
	calls := map[string]llm.ToolCall{}
	for _, e := range history[last:] {
		told.entry(e, calls)
	}
}

// entry tells what was recorded as it is told when it happens.
func (a *account) entry(e session.Entry, calls map[string]llm.ToolCall) {
	d := agent.DisplayOf(e)
	switch e.Kind {
	case session.KindUser:
		a.out.say(labelYou, cmp.Or(d.Text, e.Message.Content))
	case session.KindAssistant:
		for _, call := range e.Message.ToolCalls {
			calls[call.ID] = call
		}
		a.paragraphs(a.answer.write(e.Message.Content))
		a.done.Reason = d.Stop
		if d.Report != nil {
			a.done.Figures = *d.Report
		}
		a.end(d.Error)
		a.done = agent.TurnDone{}
	case session.KindTool:
		call, ok := calls[e.Message.ToolCallID]
		if !ok {
			call = llm.ToolCall{ID: e.Message.ToolCallID, Name: e.Message.ToolName, Arguments: d.Arguments}
		}
		made := called{call: call, title: d.Title, summary: d.Summary}
		if e.Message.IsError {
			made.failure = cmp.Or(d.Error, d.ForUser, e.Message.Content, "no reason was given")
		}
		a.out.say(labelTool, made.text())
		a.chart(d.Chart)
	case session.KindNote:
		a.note(e, d)
	}
}

func (a *account) note(e session.Entry, d agent.Display) {
	switch text := cmp.Or(d.Text, e.Message.Content, transcript.StopWords(d.Stop)); {
	case d.Error != "":
		a.out.say(labelError, d.Error)
	case text != "":
		a.out.say(labelNotice, text)
	}
}
