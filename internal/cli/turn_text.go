package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tool"
)

// textWriter prints the answer: on a terminal each paragraph once it is complete, in a pipe each step,
// because a retry may discard the text of an unfinished step. Text before tool calls is part of it.
type textWriter struct {
	tally
	out, err   io.Writer
	painter    *Painter
	paragraphs markdown.Paragraphs    // on a terminal
	pending    strings.Builder        // text of the current step, if the output is not a terminal
	results    map[string]tool.Result // by call
	keyed      int                    // results whose key figures were printed
	started    bool                   // something was printed
	builtIn    bool                   // the built-in assistant answers
	writeErr   error                  // the first failure to write
}

func (a *textWriter) Begin(b TurnStart) { a.builtIn = b.BuiltIn }

func (a *textWriter) Warning(text string) {
	fmt.Fprintln(a.err, "nfa: "+markdown.Sanitize(text))
}

func (a *textWriter) Decision(q tool.Approval, answer tool.Answer) {
	a.tally.Decision(q, answer)
	if !answer.Allowed {
		a.Warning(fmt.Sprintf("%s was refused: %s", q.Call.Name, answer.Reason))
	}
}

func (a *textWriter) Event(e agent.Event) {
	a.count(e)
	switch e := e.(type) {
	case agent.ToolFinished:
		a.result(e)
	case agent.TextDelta:
		a.text(e)
	case agent.StepDone:
		a.endText()
	case agent.SkillLoaded:
		for _, note := range e.Notes {
			a.Warning(e.Name + ": " + note)
		}
	case agent.Compacted:
		warnNoSummary(a, e)
	case agent.Retrying:
		a.warnRetry(e)
	}
}

// result prints the key figures and the chart of a result.
func (a *textWriter) result(e agent.ToolFinished) {
	r := e.Outcome.Result
	if a.results == nil {
		a.results = map[string]tool.Result{}
	}
	a.results[e.Outcome.Call.ID] = r
	if e.SampleNotice != "" && a.painter.Terminal() {
		a.part(a.painter.Warning(e.SampleNotice))
	}
	if r.Opened && r.Chart != nil && a.painter.Chart != nil {
		a.part(a.painter.Chart(r.Chart))
	}
	if keys := a.painter.Keys(r); keys != "" && !r.IsError && tool.StepName(e.Outcome.Call.ID) == "" && a.keyed < agent.MaxKeyResults {
		a.keyed++
		a.part(keys)
	}
}

// text prints text of the answer. On a terminal, text that repeats a result is drawn from the result.
func (a *textWriter) text(delta agent.TextDelta) {
	r, repeats := a.results[delta.Result]
	switch {
	case !a.painter.Terminal():
		a.pending.WriteString(delta.Text)
	case repeats && !r.IsError:
		a.endText()
		if !r.Opened || r.Chart == nil {
			a.part(a.painter.Markdown(r.BodyText()))
		}
		a.results[delta.Result] = tool.Result{} // draw it once, because its text arrives in pieces
	default:
		for _, paragraph := range a.paragraphs.Write(delta.Text) {
			a.part(a.painter.Markdown(paragraph))
		}
	}
}

func (a *textWriter) warnRetry(e agent.Retrying) {
	switch {
	case !e.Restarted:
		a.Warning(fmt.Sprintf("%v; retrying%s", e.Err, waitText(e.Wait)))
		return
	case a.painter.Terminal():
		a.endText()
	default:
		a.pending.Reset()
	}
	a.Warning(fmt.Sprintf("%v; retrying from the start", e.Err))
}

// waitText returns the length of a wait in seconds, or "" if it rounds to zero.
func waitText(d time.Duration) string {
	if d = d.Round(time.Second); d > 0 {
		return " in " + d.String()
	}
	return ""
}

func (a *textWriter) Finish(done agent.TurnDone, err error) error {
	a.endText()
	a.attribute(done.Attribution)
	if f := done.Figures; len(f.Untraced) > 0 {
		a.Warning(f.Summary())
	}
	if a.writeErr != nil {
		return fmt.Errorf("write the answer: %w", a.writeErr)
	}
	return a.turnError(done, err)
}

// attribute prints the warnings and the line with the source. In a pipe, it prints them to stderr after the
// answer of a language model, so that stdout has only the answer.
func (a *textWriter) attribute(around agent.Attribution) {
	if !a.started {
		return
	}
	if !a.painter.Terminal() && !a.builtIn {
		for _, line := range slices.Concat(around.Warnings, []string{around.Line}, around.Notices) {
			if line != "" {
				fmt.Fprintln(a.err, markdown.SanitizeLine(line))
			}
		}
		return
	}
	for _, part := range a.painter.attribution(around) {
		a.part(part)
	}
}

// endText prints the rest of the text of a step.
func (a *textWriter) endText() {
	for _, paragraph := range a.paragraphs.End() {
		a.part(a.painter.Markdown(paragraph))
	}
	text := a.pending.String()
	a.pending.Reset()
	a.part(a.painter.Markdown(text))
}

// part prints a part of the answer, after a blank line unless it is the first.
func (a *textWriter) part(text string) {
	if text == "" || a.writeErr != nil {
		return
	}
	if a.started {
		text = "\n" + text
	}
	a.started = true
	_, a.writeErr = io.WriteString(a.out, text+"\n")
}
