package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/figures"
)

// why shows the chain behind figures of the last answer: from what stands there
// to the figure, how it was computed, the call that gave it, and its source.
func (h *house) why(asked string) (string, error) {
	report, err := h.talk.Load().Why(asked)
	switch {
	case errors.Is(err, agent.ErrBusy):
		return "", errors.New("an answer is still coming; /why once it is done")
	case errors.Is(err, agent.ErrNoFigures):
		return "There is nothing to explain yet: " + err.Error() + ".\n", nil
	case err != nil:
		return "", err
	case report.Total == 0:
		return fmt.Sprintf("No answer here states the figure %s. /why alone lists those of the last one.\n", code(strings.TrimSpace(asked))), nil
	case strings.TrimSpace(asked) == "":
		return whyAll(report), nil
	}
	return whyThese(report), nil
}

// whyAll lists the notes of an answer, a line each, and what has none.
func whyAll(r agent.FiguresReport) string {
	var b strings.Builder
	for _, note := range r.Notes {
		fmt.Fprintf(&b, "%d. %s: %s (%s)\n", note.Number, strings.Join(statedBy(r, note.Number), ", "), whyValue(note), code(note.Call.Name))
	}
	fmt.Fprintf(&b, "\n%s. /why with a number shows all of one.\n", r.Summary())
	return b.String()
}

// statedBy are the texts in an answer that go back to a note.
func statedBy(r agent.FiguresReport, note int) []string {
	var out []string
	for _, n := range r.Numbers {
		if n.Note == note {
			out = append(out, code(n.Text))
		}
	}
	return out
}

// whyThese explains each number of a report in full.
func whyThese(r agent.FiguresReport) string {
	var b strings.Builder
	for _, n := range r.Numbers {
		if n.Note == 0 {
			fmt.Fprintf(&b, "%s goes back to no tool: it is the model's own.\n\n", code(n.Text))
		}
	}
	for _, note := range r.Notes {
		stated := strings.Join(statedBy(r, note.Number), ", ")
		says := "states"
		if contradicts(r, note.Number) {
			says = "is **not** what the tool gave:"
		}
		fmt.Fprintf(&b, "%s %s %s\n\n", stated, says, whyValue(note))
		for _, line := range chain(note) {
			b.WriteString("- " + line + "\n")
		}
		b.WriteString("\n")
	}
	return b.String()
}

func contradicts(r agent.FiguresReport, note int) bool {
	for _, n := range r.Numbers {
		if n.Note == note && n.Status == figures.Contradicted {
			return true
		}
	}
	return false
}

// whyValue is the name of a figure with its value as the tool gave it.
func whyValue(n agent.Note) string {
	return strings.TrimSpace(fmt.Sprintf("%s **%s**", plainText(n.Figure.Label), strings.TrimSpace(n.Figure.Value.String()+" "+plainText(n.Figure.Unit))))
}

// chain is what is known of a figure, from how it was computed to its date.
func chain(n agent.Note) []string {
	f := n.Figure
	var out []string
	add := func(name, text string) {
		if text != "" {
			out = append(out, name+": "+text)
		}
	}
	if f.Formula != "" {
		add("Formula", code(brief(f.Formula)))
	}
	add("From", plainText(brief(strings.Join(f.Inputs, "; "))))
	if n.Call.Name != "" {
		add("Call", code(brief(n.Call.Name+" "+n.Call.Arguments)))
	}
	add("Source", plainText(f.Source))
	if !f.AsOf.IsZero() {
		add("As of", whyTime(f.AsOf))
	}
	return out
}

// longestWhy is how many characters of one link of the chain are shown.
const longestWhy = 600

// brief is a text on one line, cut where it is very long.
func brief(s string) string {
	r := []rune(strings.Join(strings.Fields(s), " "))
	if len(r) > longestWhy {
		return string(r[:longestWhy]) + "…"
	}
	return string(r)
}

// whyTime is a date alone where the time of day is none.
func whyTime(t time.Time) string {
	if t.Equal(t.Truncate(24 * time.Hour)) {
		return t.Format(time.DateOnly)
	}
	return t.Format("2006-01-02 15:04 MST")
}

// markdownSigns keeps text from other places from being read as Markdown.
var markdownSigns = strings.NewReplacer("\\", "\\\\", "*", "\\*", "_", "\\_", "`", "'", "[", "\\[", "<", "\\<", "|", "\\|", "\n", " ")

// plainText is text that says in Markdown what it says without.
func plainText(s string) string { return markdownSigns.Replace(s) }
