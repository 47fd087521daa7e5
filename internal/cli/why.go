package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/trace"
)

// Why explains figures of an answer: where they appear, how they were computed, which call returned
// them, and their source. figure is a footnote or a number in the report; "" lists all footnotes.
func Why(r agent.FiguresReport, figure string) string {
	figure = strings.TrimSpace(figure)
	switch {
	case r.Total == 0:
		return fmt.Sprintf("No answer contains the figure %s. /why lists the figures of the last answer.\n", markdown.QuoteCode(figure))
	case figure == "":
		return whyAll(r)
	}
	return whyDetailed(r)
}

// whyAll lists the footnotes of an answer, one per line, and the untraced figures.
func whyAll(r agent.FiguresReport) string {
	var b strings.Builder
	for _, note := range r.Notes {
		fmt.Fprintf(&b, "%d. %s: %s (%s)\n", note.Number, strings.Join(figureTexts(r, note.Number), ", "), whyValue(note), markdown.QuoteCode(note.Call.Name))
	}
	fmt.Fprintf(&b, "\n%s. /why NUMBER shows the details of one.\n", r.Summary())
	return b.String()
}

// figureTexts returns the texts in an answer that a footnote traces.
func figureTexts(r agent.FiguresReport, note int) []string {
	var out []string
	for _, n := range r.Numbers {
		if n.Note == note {
			out = append(out, markdown.QuoteCode(n.Text))
		}
	}
	return out
}

// whyDetailed explains each figure of a report in full.
func whyDetailed(r agent.FiguresReport) string {
	var b strings.Builder
	for _, n := range r.Numbers {
		if n.Note == 0 {
			fmt.Fprintf(&b, "No tool returned %s. The model wrote it.\n\n", markdown.QuoteCode(n.Text))
		}
	}
	for _, note := range r.Notes {
		stated := strings.Join(figureTexts(r, note.Number), ", ")
		says := "states"
		if contradicts(r, note.Number) {
			says = "contradicts the tool:"
		}
		fmt.Fprintf(&b, "%s %s %s\n\n", stated, says, whyValue(note))
		for _, line := range traceChain(note) {
			b.WriteString("- " + line + "\n")
		}
		b.WriteString("\n")
	}
	return b.String()
}

func contradicts(r agent.FiguresReport, note int) bool {
	for _, n := range r.Numbers {
		if n.Note == note && n.Status == trace.Contradicted {
			return true
		}
	}
	return false
}

// whyDecimals is the number of decimals in /why.
const whyDecimals = 6

// whyValue formats a figure with its label.
func whyValue(n agent.Note) string {
	value := n.Figure.Value
	if -value.Exponent() > whyDecimals && !value.Round(whyDecimals).IsZero() {
		value = value.Round(whyDecimals)
	}
	text := value.String() + " " + markdown.Escape(n.Figure.Unit)
	if n.Figure.Unit == "%" {
		text = value.String() + "%"
	}
	return strings.TrimSpace(fmt.Sprintf("%s **%s**", markdown.Escape(n.Figure.Label), strings.TrimSpace(text)))
}

// traceChain lists the trace of a figure: how it was computed, its source and its date.
func traceChain(n agent.Note) []string {
	f := n.Figure
	var out []string
	add := func(name, text string) {
		if text != "" {
			out = append(out, name+": "+text)
		}
	}
	if f.Formula != "" {
		add("Formula", markdown.QuoteCode(shorten(f.Formula)))
	}
	add("From", markdown.Escape(shorten(strings.Join(f.Inputs, "; "))))
	if n.Call.Name != "" {
		add("Call", markdown.QuoteCode(shorten(n.Call.Name+" "+n.Call.Arguments)))
	}
	add("Source", markdown.Escape(f.Source))
	if !f.AsOf.IsZero() {
		add("As of", whyTime(f.AsOf))
	}
	return out
}

// maxWhyText is the maximum length of one link of the chain, in characters.
const maxWhyText = 600

// shorten returns text on one line, truncated if it is too long.
func shorten(s string) string {
	r := []rune(strings.Join(strings.Fields(s), " "))
	if len(r) > maxWhyText {
		return string(r[:maxWhyText]) + "…"
	}
	return string(r)
}

// whyTime formats a time, without the time of day if it is midnight.
func whyTime(t time.Time) string {
	if t.Equal(t.Truncate(24 * time.Hour)) {
		return t.Format(time.DateOnly)
	}
	return t.Format("2006-01-02 15:04 MST")
}
