package repl

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui/transcript"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// turnPrinter prints a turn: each paragraph once it is complete, each tool call once it has ended.
type turnPrinter struct {
	out     *lineWriter
	answer  markdown.Paragraphs
	running []finishedCall // in the order of their starts
	keyed   []keyedResult  // whose key figures are not printed yet
	skills  map[string]bool
}

// keyedResult is a result with key figures.
type keyedResult struct{ call, headline string }

func newTurnPrinter(out *lineWriter) *turnPrinter {
	return &turnPrinter{out: out, skills: map[string]bool{}}
}

// activity describes the running task.
func (a *turnPrinter) activity() string {
	if len(a.running) == 0 {
		return "waiting for the answer"
	}
	names := make([]string, len(a.running))
	for i, c := range a.running {
		names[i] = c.displayName()
	}
	return "running " + strings.Join(names, ", ")
}

func (a *turnPrinter) handle(e agent.Event) {
	switch e := e.(type) {
	case agent.TextDelta:
		a.printHeadlines(e.Result)
		a.printParagraphs(a.answer.Write(e.Text))
	case agent.ToolStarted:
		a.finishAnswer()
		a.running = append(a.running, finishedCall{call: e.Call, label: e.Label})
	case agent.ToolFinished:
		a.toolFinished(e)
	case agent.SkillLoaded:
		a.skill(e.Name)
		for _, note := range e.Notes {
			a.out.say(labelNotice, widget.OneLine(e.Name+": "+note))
		}
	case agent.Retrying:
		a.finishAnswer()
		if e.Restarted {
			a.out.say(labelNotice, transcript.RestartText)
		}
		a.out.say(labelNotice, widget.OneLine(transcript.RetryText(e)))
	case agent.Compacted:
		a.finishAnswer()
		a.out.say(labelNotice, transcript.CompactedText(e))
	case agent.StepDone:
		a.finishAnswer()
	}
}

func (a *turnPrinter) printParagraphs(settled []string) {
	for _, text := range settled {
		a.out.continueText(labelAssistant, text)
	}
}

// finishAnswer prints the rest of the answer.
func (a *turnPrinter) finishAnswer() { a.printParagraphs(a.answer.End()) }

func (a *turnPrinter) toolFinished(e agent.ToolFinished) {
	o := e.Outcome
	a.finishAnswer()
	a.running = slices.DeleteFunc(a.running, func(c finishedCall) bool { return c.call.ID == o.Call.ID })
	if s := o.Result.Skill; s != "" && !o.Result.IsError {
		a.skill(s)
		return
	}
	c := finishedCall{call: o.Call, label: e.Label, title: o.Result.Title, summary: o.Result.Summary, took: o.Duration}
	if o.Result.IsError {
		c.failure = cmp.Or(o.Result.ErrorText(), "no reason given")
	}
	a.out.say(labelTool, c.text())
	a.chart(o.Result.Chart)
	a.addKeyed(o.Call.ID, len(o.Result.Keys), o.Result.Headline)
	if e.SampleNotice != "" {
		a.out.say(labelNotice, e.SampleNotice)
	}
}

// addKeyed keeps the headline of a result with key figures for printHeadlines.
func (a *turnPrinter) addKeyed(call string, keys int, headline string) {
	if keys > 0 && headline != "" && tool.StepName(call) == "" {
		a.keyed = append(a.keyed, keyedResult{call, headline})
	}
}

// printHeadlines prints the headlines of results with key figures before the answer, as the screen draws
// the figures. It omits the result that the answer repeats.
func (a *turnPrinter) printHeadlines(repeated string) {
	for _, r := range a.keyed {
		if r.call != repeated && len(a.keyed) <= agent.MaxKeyResults {
			a.out.say(labelProgram, widget.OneLine(r.headline))
		}
	}
	a.keyed = nil
}

// chart prints a description of a chart.
func (a *turnPrinter) chart(s *chart.Spec) {
	if s == nil {
		return
	}
	if text := widget.OneLine(chart.Describe(*s)); text != "" {
		a.out.say(labelChart, text)
	}
}

func (a *turnPrinter) skill(name string) {
	if !a.skills[name] {
		a.skills[name] = true
		a.out.say(labelTool, "skill loaded, "+widget.OneLine(name))
	}
}

// printEnd prints how the turn ended.
func (a *turnPrinter) printEnd(done agent.TurnDone, failure string) {
	a.finishAnswer()
	for _, c := range a.running {
		a.out.say(labelTool, c.name()+" … interrupted")
	}
	if text := transcript.StopText(done.Reason); text != "" {
		a.out.say(labelNotice, text)
	}
	if failure != "" {
		a.out.say(labelError, failure)
	}
	printAttribution(a.out, done.Attribution)
	if len(done.Figures.Untraced) > 0 {
		a.out.say(labelNotTraced, widget.OneLine(done.Figures.NotTraced()+" (/why)"))
	}
}

// printAttribution prints warnings and the source.
func printAttribution(out *lineWriter, around agent.Attribution) {
	for _, text := range around.Warnings {
		out.say(labelNotice, text)
	}
	if around.Line != "" {
		out.say(labelSource, around.Line)
	}
	for _, text := range around.Notices {
		out.say(labelNotice, text)
	}
}

// finishedCall is a tool call that has ended.
type finishedCall struct {
	call                    llm.ToolCall
	label                   string // of the tool
	title, summary, failure string
	took                    time.Duration
}

// displayName returns the label of the tool.
func (c finishedCall) displayName() string {
	return widget.OneLine(cmp.Or(c.label, tool.LabelOf(c.call.Name)))
}

// name returns the tool with the title of its result, or else its arguments.
func (c finishedCall) name() string {
	parts := []string{c.displayName()}
	if step := tool.StepName(c.call.ID); step != "" {
		parts = append([]string{"step " + widget.OneLine(step) + ","}, parts...)
	}
	return strings.TrimSpace(strings.Join(append(parts, cmp.Or(widget.OneLine(c.title), widget.FormatArguments(c.call.Arguments))), " "))
}

func (c finishedCall) text() string {
	if c.failure != "" {
		return c.name() + " … failed: " + widget.OneLine(c.failure)
	}
	text := c.name() + " … done"
	if summary := widget.OneLine(c.summary); summary != "" {
		text += ", " + summary
	}
	if c.took >= time.Second {
		text += ", in " + widget.FormatDuration(c.took)
	}
	return text
}

// printHistory prints the end of a recorded conversation: its last question and what followed.
func (c *chat) printHistory(history []session.Entry) {
	last := 0
	for i, e := range history {
		if e.Kind == session.KindUser {
			last = i
		}
	}
	c.out.say(labelNotice, "Continuing session "+c.SessionID()+". The last question follows; to read the whole session, run: nfa sessions show "+c.SessionID())
	printer := newTurnPrinter(c.out)
	calls := map[string]llm.ToolCall{}
	for _, e := range history[last:] {
		printer.printEntry(e, calls)
	}
}

// printEntry prints a recorded entry as it was printed during the turn.
func (a *turnPrinter) printEntry(e session.Entry, calls map[string]llm.ToolCall) {
	d := agent.DisplayOf(e)
	switch e.Kind {
	case session.KindUser:
		a.out.say(labelYou, cmp.Or(d.Text, e.Message.Content))
	case session.KindAssistant:
		for _, call := range e.Message.ToolCalls {
			calls[call.ID] = call
		}
		if e.Message.Content != "" {
			a.printHeadlines(strings.Join(d.Shows, ""))
		}
		a.printParagraphs(a.answer.Write(e.Message.Content))
		a.printEnd(d.TurnDone(e.Message.Content), d.Error)
	case session.KindTool:
		call, ok := calls[e.Message.ToolCallID]
		if !ok {
			call = llm.ToolCall{ID: e.Message.ToolCallID, Name: e.Message.ToolName, Arguments: d.Arguments}
		}
		finished := finishedCall{call: call, label: d.Label, title: d.Title, summary: d.Summary}
		if e.Message.IsError {
			finished.failure = cmp.Or(d.Error, d.ForUser, e.Message.Content, "no reason given")
		}
		a.out.say(labelTool, finished.text())
		a.chart(d.Chart)
		a.addKeyed(call.ID, len(d.Keys), d.Headline)
	case session.KindNote:
		a.note(e, d)
	}
}

func (a *turnPrinter) note(e session.Entry, d agent.Display) {
	switch text := cmp.Or(d.Text, e.Message.Content, transcript.StopText(d.Stop)); {
	case d.Error != "":
		a.out.say(labelError, d.Error)
	case text != "":
		a.out.say(labelNotice, text)
	}
}
