// Package minutes writes a conversation down for people to read and keep: what
// was asked, what was answered, which tools gave which figures, and which
// figures no tool gave, or gave otherwise. It is Markdown, and holds nothing that
// a terminal would act on.
package minutes

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tool"
)

// Options tune Write. The zero value writes everything.
type Options struct {
	Latest int // only so many turns, the last ones; 0 means all
}

// Write gives a session as Markdown.
func Write(s session.Session, entries []session.Entry, o Options) string {
	w := &writer{}
	w.cover(s)
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

// minute is how times are written: a document is read elsewhere and later.
const minute = "2006-01-02 15:04 UTC"

type writer struct {
	out     strings.Builder
	turn    int // of the entry at hand, from 1
	skipped int
	calls   []llm.ToolCall  // without a result yet
	partial strings.Builder // of a message that was cut
	inCards bool            // the last that was written is a card
}

// block writes what stands by itself.
func (w *writer) block(format string, args ...any) {
	w.inCards = false
	fmt.Fprintf(&w.out, "\n"+format+"\n", args...)
}

func (w *writer) cover(s session.Session) {
	title := s.Title
	if title == "" {
		title = "Conversation"
	}
	fmt.Fprintf(&w.out, "# %s\n\n", line(title))
	facts := []string{"Session " + s.ID, "begun " + s.CreatedAt.UTC().Format(minute), "last used " + s.UpdatedAt.UTC().Format(minute)}
	if s.Model != "" {
		facts = append(facts, "model "+line(s.Model))
	}
	if s.Agent != "" {
		facts = append(facts, "agent "+line(s.Agent))
	}
	fmt.Fprintf(&w.out, "%s. Written by nfa: not financial advice.\n", strings.Join(facts, " · "))
}

// skip leaves out the turns before the latest.
func (w *writer) skip(entries []session.Entry, latest int) {
	turns := 0
	for _, e := range entries {
		if e.Kind == session.KindUser {
			turns++
		}
	}
	if latest > 0 && turns > latest {
		w.skipped = turns - latest
		w.block("*The first %d questions are left out here.*", w.skipped)
	}
}

func (w *writer) entry(e session.Entry) {
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
		w.note(firstOf(d.Error, d.Text, e.Message.Content, stopped(d.Stop)))
	case session.KindSummary:
		w.note("What was said before this was summarised for the model; it stands above in full.")
	}
}

func (w *writer) question(e session.Entry, d agent.Display) {
	text := strings.TrimSpace(firstOf(d.Text, e.Message.Content))
	when := ""
	if !e.At.IsZero() {
		when = " · " + e.At.UTC().Format(minute)
	}
	w.block("---\n\n**Question %d**%s\n\n> %s", w.turn, when, strings.ReplaceAll(text, "\n", "\n> "))
	if d.Skill != "" {
		w.block("- Skill **%s** was loaded.", line(d.Skill))
		w.inCards = true
	}
}

// endPartial writes what came of a message that was never finished.
func (w *writer) endPartial() {
	if text := strings.TrimSpace(w.partial.String()); text != "" {
		w.block("%s", closed(text))
		w.note("interrupted here; what came was kept")
	}
	w.partial.Reset()
}

// endTurn writes what a turn that was cut left open.
func (w *writer) endTurn() {
	w.endPartial()
	for _, call := range w.calls {
		w.line(call.Name, call.Arguments, "! interrupted before it returned a result")
	}
	w.calls = nil
}

func (w *writer) answer(e session.Entry, d agent.Display) {
	if text := strings.TrimSpace(e.Message.Content); text != "" {
		if d.Report != nil {
			text = marked(text, e.Message.Content, d.Report)
		}
		w.block("%s", closed(text))
	}
	w.calls = append(w.calls, e.Message.ToolCalls...)
	if reason := firstOf(d.Error, stopped(d.Stop)); reason != "" {
		w.note(reason)
	}
	if r := d.Report; r != nil && r.Total > 0 {
		w.block("*%s.*", line(counted(r)))
	}
}

// card writes a call with what it gave.
func (w *writer) card(e session.Entry, d agent.Display) {
	name, asked := e.Message.ToolName, d.Title
	if step := tool.StepOf(e.Message.ToolCallID); step != "" {
		name = step + " · " + name
	}
	if i := slices.IndexFunc(w.calls, func(c llm.ToolCall) bool { return c.ID == e.Message.ToolCallID }); i >= 0 {
		asked = firstOf(asked, w.calls[i].Arguments)
		w.calls = slices.Delete(w.calls, i, i+1)
	}
	switch {
	case e.Message.IsError:
		w.line(name, asked, "! "+firstOf(d.Summary, d.ForUser, e.Message.Content))
	case len(d.Figures) > 0:
		w.line(name, asked, given(d.Figures))
	default:
		w.line(name, asked, d.Summary)
	}
}

// line writes a card: what was called, for what, and what came of it.
func (w *writer) line(name, asked, gave string) {
	if !w.inCards {
		w.out.WriteString("\n")
	}
	w.inCards = true
	fmt.Fprintf(&w.out, "- **%s**", line(name))
	if asked != "" && asked != "{}" {
		fmt.Fprintf(&w.out, " %s", line(asked))
	}
	if gave != "" {
		fmt.Fprintf(&w.out, ": %s", line(gave))
	}
	w.out.WriteString("\n")
}

func (w *writer) note(text string) {
	if text != "" {
		w.block("*~ %s*", line(text))
	}
}

// stopped says why an answer ended early.
func stopped(reason agent.StopReason) string {
	switch reason {
	case "", agent.StopAnswered:
		return ""
	case agent.StopCancelled:
		return "stopped by the user; what came was kept"
	default:
		return "stopped early: " + strings.ReplaceAll(string(reason), "_", " ")
	}
}

// given is what a result gave, then where it came from and when it was true.
func given(all []tool.Figure) string {
	const most = 12
	var shown, sources []string
	for i, f := range all {
		if i < most {
			shown = append(shown, line(strings.TrimSpace(fmt.Sprintf("%s %s %s", f.Label, f.Value, f.Unit))))
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
	source := line(f.Source)
	if f.AsOf.IsZero() {
		return source
	}
	return strings.TrimPrefix(source+", as of "+f.AsOf.UTC().Format(time.DateOnly), ", ")
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// closed ends a code block that a text opens and leaves open: what follows in the
// document is no code.
func closed(text string) string {
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

// line is outside text in one line.
func line(text string) string { return strings.TrimSpace(markdown.SanitizeLine(text)) }
