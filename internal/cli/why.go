package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/trace"
)

// Why explains figures of an answer: where they appear, how they were computed, which call returned
// them, and their source. query is what was asked for; "" lists all figures.
func Why(r agent.FiguresReport, query string) string {
	query = strings.TrimSpace(query)
	switch {
	case r.Total == 0:
		return fmt.Sprintf("No answer contains the figure %s. /why lists the figures of the last answer.\n", markdown.QuoteCode(query))
	case query == "" || strings.HasPrefix(query, "last ") && strings.Count(query, " ") == 1:
		return whyAll(r, query)
	}
	return whyDetailed(r)
}

// notInAnyTool is said of a figure that is not traced.
const notInAnyTool = "the model wrote it; no tool result has it"

// whyAll lists the figures of an answer, one per line. Those that are not traced come first.
func whyAll(r agent.FiguresReport, query string) string {
	var b strings.Builder
	which := "last answer with figures"
	if query != "" {
		which = "answer " + strings.TrimPrefix(query, "last ") + " from the end"
	}
	fmt.Fprintf(&b, "**Figures · %s** · %d traced · %d not traced\n\n", which, r.Traced, r.Total-r.Traced)
	b.WriteString("| | figure | measure | from | tool |\n|---:|---:|---|---|---|\n")
	for i, n := range r.Rows() {
		row := []string{strconv.Itoa(i + 1), n.Text, notInAnyTool, "", ""}
		if note, ok := noteOf(r, n); ok {
			row[2], row[3], row[4] = note.Figure.Label, strings.Join(note.Figure.Inputs, "; "), note.Call.Name
			if n.Status == trace.Contradicted {
				row[2] = "differs from its source: " + note.Figure.Label + " " + shortValue(note)
			}
		}
		for j := range row {
			row[j] = markdown.Escape(truncate(row[j], 60))
		}
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
	}
	b.WriteString("\n/why NUMBER shows the details of one.\n")
	return b.String()
}

// noteOf returns the note that a figure refers to.
func noteOf(r agent.FiguresReport, n trace.MatchedNumber) (agent.Note, bool) {
	i := slices.IndexFunc(r.Notes, func(note agent.Note) bool { return note.Number == n.Note })
	if n.Note == 0 || i < 0 {
		return agent.Note{}, false
	}
	return r.Notes[i], true
}

// truncate returns at most so many characters of a text on one line.
func truncate(s string, most int) string {
	r := []rune(strings.Join(strings.Fields(s), " "))
	if len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return string(r)
}

// whyDetailed explains each figure of a report in full.
func whyDetailed(r agent.FiguresReport) string {
	var b strings.Builder
	for _, n := range r.Rows() {
		note, ok := noteOf(r, n)
		if !ok {
			fmt.Fprintf(&b, "No tool returned %s. The model wrote it.\n\n", markdown.QuoteCode(n.Text))
			continue
		}
		says := "states"
		switch {
		case n.Status == trace.Contradicted:
			says = "contradicts the tool:"
		case n.Computed != nil:
			says = "is"
		}
		fmt.Fprintf(&b, "%s %s %s\n\n", markdown.QuoteCode(n.Text), says, whyValue(note))
		for _, line := range traceChain(note) {
			b.WriteString("- " + line + "\n")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// shortValue formats a figure to two decimals.
func shortValue(n agent.Note) string {
	unit := " " + n.Figure.Unit
	if n.Figure.Unit == "%" {
		unit = "%"
	}
	return strings.TrimSpace(n.Figure.Value.Round(2).String() + unit)
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
		add("Formula", markdown.QuoteCode(truncate(f.Formula, maxWhyText)))
	}
	add("From", markdown.Escape(truncate(strings.Join(f.Inputs, "; "), maxWhyText)))
	if n.Call.Name != "" {
		add("Call", markdown.QuoteCode(truncate(n.Call.Name+" "+n.Call.Arguments, maxWhyText)))
	}
	add("Source", markdown.Escape(f.Source))
	if !f.AsOf.IsZero() {
		add("As of", whyTime(f.AsOf))
	}
	return out
}

// maxWhyText is the maximum length of one link of the chain, in characters.
const maxWhyText = 600

// whyTime formats a time, without the time of day if it is midnight.
func whyTime(t time.Time) string {
	if t.Equal(t.Truncate(24 * time.Hour)) {
		return t.Format(time.DateOnly)
	}
	return t.Format("2006-01-02 15:04 MST")
}
