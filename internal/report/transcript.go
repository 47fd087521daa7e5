package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/trace"
)

// TranscriptOptions configures WriteTranscript. The zero value includes everything.
type TranscriptOptions struct {
	Latest int // only the last turns; 0 means all
}

// WriteTranscript returns a session as Markdown.
func WriteTranscript(s session.Session, entries []session.Entry, o TranscriptOptions) string {
	w := &transcriptWriter{}
	w.header(s)
	w.skip(entries, o.Latest)
	for _, e := range entries {
		if e.Kind == session.KindUser {
			w.endTurn()
			w.turn++
		}
		if w.turn > w.skipped {
			w.entry(e)
		}
	}
	w.endTurn()
	return markdown.Sanitize(w.out.String())
}

// minuteLayout includes the date and zone, because a document is read elsewhere and later.
const minuteLayout = "2006-01-02 15:04 UTC"

type transcriptWriter struct {
	out     strings.Builder
	turn    int // current turn, from 1
	skipped int
	calls   []llm.ToolCall  // without a result yet
	partial strings.Builder // of an interrupted message
	inCards bool            // the last block is a card
}

// block writes a separate block.
func (w *transcriptWriter) block(format string, args ...any) {
	w.inCards = false
	fmt.Fprintf(&w.out, "\n"+format+"\n", args...)
}

func (w *transcriptWriter) header(s session.Session) {
	fmt.Fprintf(&w.out, "# %s\n\n", singleLine(cmp.Or(s.Title, "Conversation")))
	facts := []string{"Session " + s.ID, "started " + s.CreatedAt.UTC().Format(minuteLayout), "last used " + s.UpdatedAt.UTC().Format(minuteLayout)}
	if s.Model != "" {
		facts = append(facts, "model "+singleLine(s.Model))
	}
	if s.Agent != "" {
		facts = append(facts, "agent "+singleLine(s.Agent))
	}
	fmt.Fprintf(&w.out, "%s. Written by nfa: not financial advice.\n", strings.Join(facts, " · "))
}

// skip omits the turns before the latest.
func (w *transcriptWriter) skip(entries []session.Entry, latest int) {
	turns := 0
	for _, e := range entries {
		if e.Kind == session.KindUser {
			turns++
		}
	}
	if latest > 0 && turns > latest {
		w.skipped = turns - latest
		w.block("*%s not shown here.*", humanize.Count(w.skipped, "earlier question is", "earlier questions are"))
	}
}

func (w *transcriptWriter) entry(e session.Entry) {
	if e.Kind != session.KindDelta {
		w.endPartial()
	}
	d := agent.DisplayOf(e)
	switch e.Kind {
	case session.KindUser:
		w.question(e, d)
	case session.KindDelta:
		w.partial.WriteString(e.Message.Content)
	case session.KindAssistant:
		w.answer(e, d)
	case session.KindTool:
		w.card(e, d)
	case session.KindNote:
		w.command(d)
		w.note(cmp.Or(d.Error, d.Text, e.Message.Content, stopText(d.Stop)))
	case session.KindSummary:
		w.note("Everything above was summarized for the model at this point; this document has the full text.")
	}
}

func (w *transcriptWriter) question(e session.Entry, d agent.Display) {
	text := strings.TrimSpace(cmp.Or(d.Text, e.Message.Content))
	when := ""
	if !e.At.IsZero() {
		when = " · " + e.At.UTC().Format(minuteLayout)
	}
	w.block("---\n\n**Question %d**%s\n\n> %s", w.turn, when, strings.ReplaceAll(text, "\n", "\n> "))
	if d.Skill != "" {
		w.block("- Skill **%s** was loaded.", singleLine(d.Skill))
		w.inCards = true
	}
}

// endPartial writes a message that was never completed.
func (w *transcriptWriter) endPartial() {
	if text := strings.TrimSpace(w.partial.String()); text != "" {
		w.block("%s", closeCodeBlock(text))
		w.note("interrupted here; the partial answer was kept")
	}
	w.partial.Reset()
}

// endTurn writes the open calls of an interrupted turn.
func (w *transcriptWriter) endTurn() {
	w.endPartial()
	for _, call := range w.calls {
		w.cardLine(call.Name, call.Arguments, "! interrupted before it returned a result")
	}
	w.calls = nil
}

func (w *transcriptWriter) answer(e session.Entry, d agent.Display) {
	if text := strings.TrimSpace(e.Message.Content); text != "" {
		if d.Report != nil {
			text = strings.TrimSpace(trace.Annotate(e.Message.Content, d.Report.Numbers, statusMark))
		}
		w.block("%s", closeCodeBlock(text))
	}
	w.calls = append(w.calls, e.Message.ToolCalls...)
	if reason := cmp.Or(d.Error, stopText(d.Stop)); reason != "" {
		w.note(reason)
	}
	if r := d.Report; r != nil && r.Total > 0 {
		w.block("*%s.*", singleLine(countLine(r)))
	}
}

// card writes a tool call with its result.
func (w *transcriptWriter) card(e session.Entry, d agent.Display) {
	name, args := e.Message.ToolName, d.Title
	if step := tool.StepName(e.Message.ToolCallID); step != "" {
		name = step + " · " + name
	}
	if i := slices.IndexFunc(w.calls, func(c llm.ToolCall) bool { return c.ID == e.Message.ToolCallID }); i >= 0 {
		args = cmp.Or(args, w.calls[i].Arguments)
		w.calls = slices.Delete(w.calls, i, i+1)
	}
	switch {
	case e.Message.IsError:
		w.cardLine(name, args, "! "+cmp.Or(d.Summary, d.ForUser, e.Message.Content))
	case len(d.Figures) > 0:
		w.cardLine(name, args, figuresText(d.Figures))
	default:
		w.cardLine(name, args, d.Summary)
	}
}

// cardLine writes a card: tool, arguments and result.
func (w *transcriptWriter) cardLine(name, args, result string) {
	if !w.inCards {
		w.out.WriteString("\n")
	}
	w.inCards = true
	fmt.Fprintf(&w.out, "- **%s**", singleLine(name))
	if args != "" && args != "{}" {
		fmt.Fprintf(&w.out, " %s", singleLine(args))
	}
	if result != "" {
		fmt.Fprintf(&w.out, ": %s", singleLine(result))
	}
	w.out.WriteString("\n")
}

// command writes a slash command with its output.
func (w *transcriptWriter) command(d agent.Display) {
	if d.Command == "" {
		return
	}
	w.block("> %s", strings.ReplaceAll(strings.TrimSpace(d.Command), "\n", "\n> "))
	if text := strings.TrimSpace(d.Output); text != "" {
		w.block("%s", closeCodeBlock(text))
	}
}

func (w *transcriptWriter) note(text string) {
	if text != "" {
		w.block("*~ %s*", singleLine(text))
	}
}

// stopText returns why an answer ended early.
func stopText(reason agent.StopReason) string {
	switch reason {
	case "", agent.StopAnswered:
		return ""
	case agent.StopCancelled:
		return "stopped by the user; the partial answer was kept"
	default:
		return "stopped early: " + strings.ReplaceAll(string(reason), "_", " ")
	}
}

// figuresText lists the figures of a result, then their source and date.
func figuresText(all []tool.Figure) string {
	const most = 12
	var shown, sources []string
	for i, f := range all {
		if i < most {
			shown = append(shown, singleLine(strings.TrimSpace(fmt.Sprintf("%s %s %s", f.Label, f.Value, f.Unit))))
		}
		if source := origin(f); source != "" && !slices.Contains(sources, source) {
			sources = append(sources, source)
		}
	}
	if len(all) > most {
		shown = append(shown, fmt.Sprintf("and %d more", len(all)-most))
	}
	text := strings.Join(shown, ", ")
	if len(sources) > 0 {
		text += " (" + strings.Join(sources, "; ") + ")"
	}
	return text
}

func origin(f tool.Figure) string {
	source := singleLine(f.Source)
	if f.AsOf.IsZero() {
		return source
	}
	return strings.TrimPrefix(source+", as of "+f.AsOf.UTC().Format(time.DateOnly), ", ")
}

// closeCodeBlock closes a code block that a text leaves open, so that the rest of the document is
// not code.
func closeCodeBlock(text string) string {
	fence := ""
	for l := range strings.Lines(text) {
		l = strings.TrimSpace(l)
		switch {
		case fence != "" && l == fence:
			fence = ""
		case fence == "" && (strings.HasPrefix(l, "```") || strings.HasPrefix(l, "~~~")):
			fence = l[:3]
		}
	}
	if fence == "" {
		return text
	}
	return text + "\n" + fence
}

// singleLine returns outside text on one line.
func singleLine(text string) string { return strings.TrimSpace(markdown.SanitizeLine(text)) }

// statusMark returns the mark of an untraced or contradicted figure.
func statusMark(m trace.MatchedNumber) string {
	switch m.Status {
	case trace.Untraced:
		return " " + untracedMark
	case trace.Contradicted:
		return " " + contradictedMark
	}
	return ""
}

// countLine returns the line below an answer.
func countLine(r *agent.FiguresReport) string {
	text := fmt.Sprintf("%d of %d figures traced", r.Traced, r.Total)
	if r.Contradicted > 0 {
		text += fmt.Sprintf("; %d contradicted by a tool", r.Contradicted)
	}
	return text
}
