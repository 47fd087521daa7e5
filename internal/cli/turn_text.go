package cli

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tool"
)

// textWriter prints the answer alone: as it comes where somebody looks on, and
// else step by step, so that a script never reads text that was begun again. Text
// of steps that end in tool calls is part of it: it was meant to be read.
type textWriter struct {
	tally
	out, err  io.Writer
	live      bool
	render    func(string) string
	chart     func(*chart.Spec) string
	pending   strings.Builder // of the step, where nobody looks on
	sources   []string        // of the charts that were drawn
	sanitizer markdown.Sanitizer
	midLine   bool
	writeErr  error // the first failure to write
}

// Begin prepares for the answer. That of the built-in assistant is laid out as a whole.
func (a *textWriter) Begin(b TurnStart) {
	if b.BuiltIn && a.render != nil {
		a.live = false
	} else {
		a.render = nil
	}
}

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
		if r := e.Outcome.Result; r.Opened && r.Chart != nil && a.chart != nil {
			a.endLine()
			a.print(a.chart(r.Chart) + "\n\n")
			a.sources = append(a.sources, strings.TrimSpace(strings.TrimPrefix(ResultText(r), r.Headline)))
		}
	case agent.TextDelta:
		a.writeText(e.Text)
	case agent.StepDone:
		a.endLine()
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

func (a *textWriter) writeText(text string) {
	if a.live {
		a.print(a.sanitizer.Clean(text))
		return
	}
	a.pending.WriteString(text)
}

func (a *textWriter) warnRetry(e agent.Retrying) {
	switch {
	case !e.Restarted:
		a.Warning(fmt.Sprintf("%v; retrying%s", e.Err, waitText(e.Wait)))
		return
	case a.live:
		a.endLine()
	default:
		a.pending.Reset()
	}
	a.Warning(fmt.Sprintf("%v; retrying from the start", e.Err))
}

// waitText says how long a wait is, where it is long enough to be noticed.
func waitText(d time.Duration) string {
	if d = d.Round(time.Second); d > 0 {
		return " in " + d.String()
	}
	return ""
}

func (a *textWriter) Finish(done agent.TurnDone, err error) error {
	a.endLine()
	for _, source := range a.sources {
		if source != "" {
			a.print("\n")
			a.writeText(source)
			a.endLine()
		}
	}
	if f := done.Figures; len(f.Untraced) > 0 {
		a.Warning(f.Summary())
	}
	if a.writeErr != nil {
		return fmt.Errorf("write the answer: %w", a.writeErr)
	}
	return a.turnError(done, err)
}

func (a *textWriter) print(text string) {
	if text == "" || a.writeErr != nil {
		return
	}
	_, a.writeErr = io.WriteString(a.out, text)
	a.midLine = text[len(text)-1] != '\n'
}

func (a *textWriter) endLine() {
	text := a.sanitizer.Clean(a.pending.String())
	if a.render != nil && text != "" {
		text = strings.Trim(a.render(text), "\n")
	}
	a.print(text)
	a.pending.Reset()
	a.print(a.sanitizer.Close())
	if a.midLine {
		a.print("\n")
	}
}
