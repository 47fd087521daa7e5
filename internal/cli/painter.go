package cli

import (
	"strings"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// Painter draws answers: on a terminal as the chat does, in a pipe as Markdown. Its zero value is for a
// pipe.
type Painter struct {
	Styles  *widget.Styles // nil in a pipe
	Columns int            // of the terminal
	// Chart draws a chart; nil draws none.
	Chart func(*chart.Spec) string
}

// margin is the first column, which the chat leaves empty too.
const margin = " "

// Terminal reports whether answers are drawn and not Markdown.
func (p Painter) Terminal() bool { return p.Styles != nil }

func (p Painter) measure() int { return widget.Measure(p.Columns) }

// lines returns rows with the margin, without blank lines at the ends.
func (p Painter) lines(rows []string) string {
	text := strings.Trim(strings.Join(rows, "\n"), "\n")
	if text == "" {
		return ""
	}
	return strings.ReplaceAll(margin+strings.ReplaceAll(text, "\n", "\n"+margin), "\n"+margin+"\n", "\n\n")
}

// Markdown returns Markdown ready to print, without a line break at its end.
func (p Painter) Markdown(text string) string {
	if !p.Terminal() {
		return strings.Trim(markdown.Unescape(markdown.Sanitize(text)), "\n")
	}
	return p.lines(markdown.Render(text, p.Styles.Markdown(p.measure())))
}

// Keys returns the key figures of a result; "" in a pipe, where the text has them.
func (p Painter) Keys(r tool.Result) string {
	if !p.Terminal() {
		return ""
	}
	return p.lines(p.Styles.KeyFigures(r.About, r.Keys, p.measure()))
}

// Warning returns a warning.
func (p Painter) Warning(text string) string {
	if !p.Terminal() {
		return "! " + markdown.Sanitize(text)
	}
	return p.lines(p.Styles.WarningLines(text, p.measure()))
}

// SourceLine returns the line below an answer.
func (p Painter) SourceLine(line string) string {
	if !p.Terminal() {
		return markdown.SanitizeLine(line)
	}
	return p.lines([]string{p.Styles.SourceLine(line, p.measure())})
}

// Notice returns a notice below the source.
func (p Painter) Notice(text string) string {
	if !p.Terminal() {
		return markdown.Sanitize(text)
	}
	return p.lines(p.Styles.NoticeLines(text, p.measure()))
}

// Result returns what people see of a result: key figures, warnings, tables and the source, without the
// notes. edit changes the Markdown before it is drawn; nil changes nothing.
func (p Painter) Result(r tool.Result, edit func(string) string) string {
	if edit == nil {
		edit = func(text string) string { return text }
	}
	body := r.ForUser
	if p.Terminal() {
		body = r.BodyText()
	}
	if body == "" && len(r.Keys) == 0 {
		body = r.ModelText()
	}
	parts := []string{p.Keys(r)}
	for _, warning := range tool.MergeWarnings(r.Notes) { // about the figures, so before a long table
		parts = append(parts, p.Warning(edit(warning)))
	}
	parts = append(parts, p.Markdown(edit(body)))
	around := agent.Attribution{Line: r.Source.Line(0, 0)}
	for _, notice := range tool.Notices(r.Notes) {
		around.Notices = append(around.Notices, edit(notice))
	}
	return joinParts(append(parts, p.attribution(around)...))
}

// attribution returns the warnings, the line with the source and the notices below an answer.
func (p Painter) attribution(around agent.Attribution) []string {
	var parts []string
	for _, text := range around.Warnings {
		parts = append(parts, p.Warning(text))
	}
	if around.Line != "" {
		parts = append(parts, p.SourceLine(around.Line))
	}
	for _, text := range around.Notices {
		parts = append(parts, p.Notice(text))
	}
	return parts
}

// joinParts joins parts of an answer with blank lines.
func joinParts(parts []string) string {
	var known []string
	for _, part := range parts {
		if part != "" {
			known = append(known, part)
		}
	}
	return strings.Join(known, "\n\n")
}
