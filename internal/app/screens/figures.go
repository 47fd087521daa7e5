package screens

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/trace"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// Figures is the screen of the figures of an answer with their sources.
type Figures struct{ App *app.App }

// Command returns the screen for /why, and its content as Markdown for a chat without one.
func (s Figures) Command(query string) (tui.CommandOutput, error) {
	e, err := s.App.Conversation().Why(query)
	switch {
	case errors.Is(err, agent.ErrBusy):
		return tui.CommandOutput{}, errors.New("wait for the answer to finish, then run /why")
	case errors.Is(err, agent.ErrNoFigures):
		return tui.CommandOutput{Markdown: "Nothing to explain yet: " + err.Error() + ".\n"}, nil
	case err != nil:
		return tui.CommandOutput{}, err
	case e.Selected < 0:
		return tui.CommandOutput{Markdown: fmt.Sprintf("No answer contains the figure %s. /why lists the figures of the last answer.\n", markdown.QuoteCode(query))}, nil
	}
	v := figuresView{e}
	text := v.markdown()
	if query != "" && !strings.HasPrefix(query, "last") {
		text = v.markdownOf(e.Selected)
	}
	return tui.CommandOutput{Screen: v.screen(), Markdown: text}, nil
}

// Turn returns the screen for the answer of a turn, counted from 1. It is an error if the answer has no
// figures.
func (s Figures) Turn(turn int) (*tui.ListScreen, error) {
	e, err := s.App.Conversation().WhyTurn(turn)
	switch {
	case errors.Is(err, agent.ErrBusy):
		return nil, errors.New("wait for the answer to finish")
	case errors.Is(err, agent.ErrNoFigures):
		return nil, errors.New("this answer has no figures")
	case err != nil:
		return nil, err
	}
	return figuresView{e}.screen(), nil
}

// figuresView draws an explanation.
type figuresView struct{ agent.Explanation }

func (v figuresView) title() string {
	switch v.Back {
	case 0:
		return "Figures · last answer"
	case 1:
		return "Figures · previous answer"
	}
	return fmt.Sprintf("Figures · %d answers back", v.Back)
}

// counts returns how many figures have a source: "5 traced · 0 not traced · 1 note".
func (v figuresView) counts() string {
	parts := []string{fmt.Sprintf("%d traced", v.Count(trace.Traced)), fmt.Sprintf("%d not traced", v.Count(trace.Untraced, trace.Contradicted))}
	if len(v.Notes) > 0 {
		parts = append(parts, humanize.Count(len(v.Notes), "note", "notes"))
	}
	return strings.Join(parts, " · ")
}

func (v figuresView) screen() *tui.ListScreen {
	figure := func(name string) agent.ExplainedFigure { i, _ := strconv.Atoi(name); return v.Figures[i-1] }
	return &tui.ListScreen{
		Title: v.title(), LetterKeys: true, Selected: strconv.Itoa(v.Selected + 1), Empty: "No figures.",
		Items: v.items,
		Read:  func(name string) (string, error) { i, _ := strconv.Atoi(name); return v.markdownOf(i - 1), nil },
		Frame: func(_ *widget.Styles, width int, current string) widget.BrowserFrame {
			f := widget.BrowserFrame{Right: v.counts(), Numeric: []bool{true, true}}
			if current != "" {
				f.End = v.details(figure(current), width)
			}
			return f
		},
		Actions: []tui.ListAction{
			{Action: "screen-enter", Name: "open the tool result", AppliesTo: func(i tui.ListItem) bool { f := figure(i.Name); return f.Source != nil && f.Source.Call.ID != "" }, Run: func(name string) (tui.ActionResult, error) {
				return tui.ActionResult{OpenCard: figure(name).Source.Call.ID}, nil
			}},
			{Action: "figure-copy", Name: "copy", Shown: true, Run: func(name string) (tui.ActionResult, error) {
				return tui.ActionResult{Copy: figure(name).Text}, nil
			}},
		},
	}
}

// The widths of the columns of figures: all fit into a screen of 100 columns.
const (
	maxMeasureWidth = 28
	maxFromWidth    = 36
)

func (v figuresView) items() []tui.ListItem {
	items := make([]tui.ListItem, len(v.Figures))
	for i, f := range v.Figures {
		measure, from, tool := columnsOf(f)
		items[i] = tui.ListItem{Name: strconv.Itoa(i + 1), Columns: []string{f.Text, widget.FitLine(measure, maxMeasureWidth), widget.FitLine(from, maxFromWidth), tool}}
	}
	return items
}

// columnsOf returns what a figure measures, what it is from, and the tool that returned it.
func columnsOf(f agent.ExplainedFigure) (measure, from, tool string) {
	switch f.Status {
	case agent.StatusYours:
		return "yours", "you typed it", ""
	case trace.Untraced:
		return "not traced", "written by the model; not in any tool result", ""
	}
	source := f.Source
	from = strings.ReplaceAll(widget.FormatArguments(source.Call.Arguments), "  ", " ")
	if f.Status == trace.Contradicted {
		return "differs from its source", strings.TrimSpace(source.Figure.Label + " " + valueOf(source)), source.Call.Name
	}
	return source.Figure.Label, from, source.Call.Name
}

// maxValueDecimals is the number of decimals of a value in full.
const maxValueDecimals = 6

// valueOf returns the value that the tool returned, or "" if it is not known.
func valueOf(n *agent.Note) string {
	if n.Figure.ID == "" {
		return ""
	}
	value := n.Figure.Value
	if -value.Exponent() > maxValueDecimals && !value.Round(maxValueDecimals).IsZero() {
		value = value.Round(maxValueDecimals)
	}
	text := toolkit.Format(value, toolkit.Exact, "")
	if n.Figure.Unit == "%" {
		return text + "%"
	}
	return strings.TrimSpace(text + " " + n.Figure.Unit)
}

// chain returns how a figure was computed and where it is from: a label and a text each. The first has
// no label.
func chain(f agent.ExplainedFigure) (rows [][2]string) {
	add := func(label, text string) {
		if text != "" {
			rows = append(rows, [2]string{label, text})
		}
	}
	switch f.Status {
	case agent.StatusYours:
		return [][2]string{{"", f.Text + " is a number from your question"}}
	case trace.Untraced:
		return [][2]string{{"", f.Text + ": written by the model; not in any tool result"}}
	}
	n := f.Source
	value := cmp.Or(valueOf(n), f.Text)
	if f.Status == trace.Contradicted {
		value = f.Text + " differs from its source: " + n.Figure.Label + " " + value
	}
	if n.Figure.Formula != "" {
		value += " = " + n.Figure.Formula
	}
	add("", value)
	add("from", strings.Join(n.Figure.Inputs, "; "))
	add("call", strings.TrimSpace(n.Call.Name+"  "+widget.FormatArguments(n.Call.Arguments)))
	source := n.Figure.Source
	if f.Sample {
		source = strings.TrimSuffix("SAMPLE DATA: "+source, ": ")
	}
	if at := n.Figure.AsOf; !at.IsZero() {
		source = strings.TrimPrefix(source+", as of "+asOf(at), ", ")
	}
	add("source", source)
	return rows
}

// asOf formats a time, without the time of day if it is midnight.
func asOf(t time.Time) string {
	if t.Equal(t.Truncate(24 * time.Hour)) {
		return t.Format(time.DateOnly)
	}
	return t.Format("2006-01-02 15:04 MST")
}

// details returns the lines below the list: the chain of a figure, and all notes.
func (v figuresView) details(f agent.ExplainedFigure, width int) []string {
	rows := chain(f)
	for _, n := range v.Notes {
		rows = append(rows, [2]string{"note", n.Text})
	}
	const indent = 12
	lines := []string{""}
	for _, row := range rows {
		label, space := fmt.Sprintf("  %-*s", indent-2, row[0]), width-indent
		if row[0] == "" {
			label, space = "  ", width-2
		}
		for _, line := range widget.WrapProse(widget.OneLine(row[1]), max(space, 8)) {
			lines = append(lines, label+line)
			label = strings.Repeat(" ", len(label))
		}
	}
	return lines
}

// markdown lists all figures and notes.
func (v figuresView) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s** · %s\n\n| figure | measure | from | tool |\n|---:|---|---|---|\n", v.title(), v.counts())
	for _, f := range v.Figures {
		measure, from, tool := columnsOf(f)
		row := []string{f.Text, measure, from, tool}
		for i, text := range row {
			row[i] = markdown.Escape(widget.OneLine(text))
		}
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
	}
	v.writeNotes(&b)
	b.WriteString("\nFor details of a figure: /why NUMBER.\n")
	return b.String()
}

// markdownOf shows the chain of a figure and all notes.
func (v figuresView) markdownOf(i int) string {
	var b strings.Builder
	measure, _, _ := columnsOf(v.Figures[i])
	fmt.Fprintf(&b, "**%s** %s\n\n", markdown.Escape(v.Figures[i].Text), markdown.Escape(measure))
	for _, row := range chain(v.Figures[i]) {
		fmt.Fprintf(&b, "- %s\n", strings.TrimPrefix(row[0]+": "+markdown.Escape(widget.OneLine(row[1])), ": "))
	}
	v.writeNotes(&b)
	return b.String()
}

func (v figuresView) writeNotes(b *strings.Builder) {
	for _, n := range v.Notes {
		fmt.Fprintf(b, "- note: %s\n", markdown.Escape(n.Text))
	}
}
