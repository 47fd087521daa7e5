package widget

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tool"
)

const keyGap = 4 // columns between key figures

// KeyFigures draws the key figures of a result: bold, gains and losses in color, labels dim below. A
// figure without a label, such as a price, follows the subject.
func (st *Styles) KeyFigures(about tool.KeyAbout, keys []tool.KeyFigure, width int) []string {
	if len(keys) == 0 {
		return nil
	}
	if slices.ContainsFunc(keys, func(k tool.KeyFigure) bool { return k.Label != "" }) {
		return st.labeledKeys(about, keys, width)
	}
	line := st.Strong.Apply(OneLine(about.Subject))
	for _, k := range keys {
		line += "  " + st.keyText(k)
	}
	var details []string
	if about.Detail != "" {
		details = append(details, st.Dim.Apply(OneLine(about.Detail)))
	}
	if about.Dated != "" {
		details = append(details, st.dated(about))
	}
	detail := strings.Join(details, st.Dim.Apply(" · "))
	if detail == "" || ansi.StringWidth(line)+3+ansi.StringWidth(detail) <= width {
		return []string{FitLine(strings.TrimRight(line+"   "+detail, " "), width)}
	}
	return []string{FitLine(line, width), FitLine(detail, width)}
}

// dated draws the date of key figures: in amber if it is older than the last session.
func (st *Styles) dated(about tool.KeyAbout) string {
	if about.Old {
		return st.Warn.Apply(OneLine(about.Dated))
	}
	return st.Dim.Apply(OneLine(about.Dated))
}

// keyText draws a key figure.
func (st *Styles) keyText(k tool.KeyFigure) string {
	style := st.Strong
	switch {
	case k.Sign > 0:
		style = style.With(st.Good)
	case k.Sign < 0:
		style = style.With(st.Bad)
	}
	return style.Apply(OneLine(k.Text))
}

// labeledKeys draws figures in columns with their labels below. The subject is in the first column, or
// above them if the screen is narrow; on a very narrow one each figure has its own line.
func (st *Styles) labeledKeys(about tool.KeyAbout, keys []tool.KeyFigure, width int) []string {
	subject := FitLine(OneLine(about.Subject), width)
	column, widest := 0, 0
	for _, k := range keys {
		text := ansi.StringWidth(OneLine(k.Text))
		widest = max(widest, text)
		column = max(column, text, ansi.StringWidth(OneLine(k.Label)))
	}
	var rows []string
	indent := 0
	if subject != "" {
		indent = ansi.StringWidth(subject) + keyGap
	}
	for gap := keyGap; ; gap-- {
		total := len(keys)*(column+gap) - gap
		if indent+total <= width {
			return append(rows, st.keyColumns(subject, indent, keys, column+gap)...)
		}
		if gap > 2 {
			continue
		}
		if indent > 0 { // the subject above the figures
			rows, subject, indent, gap = []string{st.Strong.Apply(subject)}, "", 0, keyGap+1
			continue
		}
		for _, k := range keys {
			rows = append(rows, FitLine(PadRight(st.keyText(k), widest)+"  "+st.Dim.Apply(OneLine(k.Label)), width))
		}
		return rows
	}
}

func (st *Styles) keyColumns(subject string, indent int, keys []tool.KeyFigure, column int) []string {
	figures, labels := PadRight(st.Strong.Apply(subject), indent), strings.Repeat(" ", indent)
	for _, k := range keys {
		figures += PadRight(st.keyText(k), column)
		labels += PadRight(st.Dim.Apply(OneLine(k.Label)), column)
	}
	return []string{strings.TrimRight(figures, " "), strings.TrimRight(labels, " ")}
}

// PadRight adds spaces to a line, which may contain styles.
func PadRight(line string, width int) string {
	return line + strings.Repeat(" ", max(width-ansi.StringWidth(line), 0))
}

// PadLeft adds spaces before a text without styles.
func PadLeft(text string, width int) string {
	return strings.Repeat(" ", max(width-ansi.StringWidth(text), 0)) + text
}

// SourceLine draws the line below an answer in one row: dim, with the word SAMPLE in amber.
func (st *Styles) SourceLine(line string, width int) string {
	line = OneLine(line)
	const sample = "SAMPLE"
	if rest, ok := strings.CutPrefix(line, sample); ok {
		return FitLine(st.Warn.Apply(sample)+st.Dim.Apply(rest), width)
	}
	return FitLine(st.Dim.Apply(line), width)
}

// NoticeLines draws a notice below an answer: dim, and never cut.
func (st *Styles) NoticeLines(text string, width int) []string {
	rows := WrapProse(markdown.Sanitize(text), width)
	for i, row := range rows {
		rows[i] = st.Dim.Apply(row)
	}
	return rows
}

// WarningLines draws a warning in amber.
func (st *Styles) WarningLines(text string, width int) []string {
	rows := WrapProse(markdown.Sanitize(text), width-2)
	for i, row := range rows {
		mark := "  "
		if i == 0 {
			mark = "! "
		}
		rows[i] = st.Warn.Apply(mark + row)
	}
	return rows
}
