package answer

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tool"
)

// textAnswer prints the answer alone: as it comes where somebody looks on, and
// else step by step, so that a script never reads text that was begun again. Text
// of steps that end in tool calls is part of it: it was meant to be read.
type textAnswer struct {
	refusals
	out, err  io.Writer
	live      bool
	held      strings.Builder // of the step, where nobody looks on
	sanitizer markdown.Sanitizer
	midLine   bool
	failed    error // the first failure to write
}

func (a *textAnswer) Begin(Beginning) {}

func (a *textAnswer) Warning(text string) {
	fmt.Fprintln(a.err, "nfa: "+markdown.Sanitize(text))
}

func (a *textAnswer) Decided(q tool.Approval, answer tool.Answer) {
	a.refusals.Decided(q, answer)
	if !answer.Allowed {
		a.Warning(fmt.Sprintf("%s was refused: %s", q.Call.Name, answer.Reason))
	}
}

func (a *textAnswer) Event(e agent.Event) {
	switch e := e.(type) {
	case agent.TextDelta:
		a.text(e.Text)
	case agent.StepDone:
		a.endLine()
	case agent.Compacted:
		warnOfOutline(a, e)
	case agent.Retrying:
		a.retrying(e)
	}
}

func (a *textAnswer) text(text string) {
	if a.live {
		a.print(a.sanitizer.Clean(text))
		return
	}
	a.held.WriteString(text)
}

func (a *textAnswer) retrying(e agent.Retrying) {
	switch {
	case !e.Afresh:
		a.Warning(fmt.Sprintf("%v; asking again%s", e.Err, waitText(e.Wait)))
		return
	case a.live:
		a.endLine()
	default:
		a.held.Reset()
	}
	a.Warning(fmt.Sprintf("%v; asking again, from the start", e.Err))
}

// waitText says how long a wait is, where it is long enough to be noticed.
func waitText(d time.Duration) string {
	if d = d.Round(time.Second); d > 0 {
		return " in " + d.String()
	}
	return ""
}

func (a *textAnswer) Finish(done agent.TurnDone, err error) error {
	a.endLine()
	if f := done.Figures; len(f.Untraced) > 0 {
		a.Warning(f.Summary())
	}
	if a.failed != nil {
		return fmt.Errorf("writing the answer: %w", a.failed)
	}
	return a.ended(done, err)
}

func (a *textAnswer) print(text string) {
	if text == "" || a.failed != nil {
		return
	}
	_, a.failed = io.WriteString(a.out, text)
	a.midLine = text[len(text)-1] != '\n'
}

func (a *textAnswer) endLine() {
	a.print(a.sanitizer.Clean(a.held.String()))
	a.held.Reset()
	a.print(a.sanitizer.Close())
	if a.midLine {
		a.print("\n")
	}
}
