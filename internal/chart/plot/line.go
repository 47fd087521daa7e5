package plot

import (
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"

	"github.com/nfa-cli/nfa/internal/chart"
)

// Style is the part that a piece of text plays; the screen gives it a colour.
// Everything that a style says can also be seen without it.
type Style uint8

const (
	// Blank is space between parts.
	Blank Style = iota
	// Label is text: titles, names, dates and figures.
	Label
	// Axis is the frame of a chart and the lines of reference in it.
	Axis
	// Up is a candle that closed no lower than it opened, and its volume.
	Up
	// Down is a candle that closed lower, its volume, a fall, and what is below zero.
	Down
	// Band is between the outermost percentiles of a fan, InnerBand those within.
	Band
	InnerBand
	// Series1 to Series6 are the series in their order.
	Series1
	Series2
	Series3
	Series4
	Series5
	Series6
)

// seriesStyle is the style of the i-th series.
func seriesStyle(i int) Style { return Series1 + Style(i%len(seriesLetters)) }

// Span is text in one style. It holds no line break, control character or escape.
type Span struct {
	Text  string
	Style Style
}

// Line is one line of a chart. It ends in no blank.
type Line []Span

// row puts a line together and keeps count of its cells.
type row struct {
	spans []Span
	width int
	room  int // cells that there are in all
	glyph *glyphs
}

// add appends clean text of the width given, as far as there is room.
func (r *row) add(text string, width int, style Style) {
	if left := r.room - r.width; width > left {
		text = r.glyph.cut(text, left)
		width = displaywidth.String(text)
	}
	if text == "" {
		return
	}
	r.width += width
	if last := len(r.spans) - 1; last >= 0 && r.spans[last].Style == style {
		r.spans[last].Text += text
		return
	}
	r.spans = append(r.spans, Span{text, style})
}

func (r *row) text(text string, style Style) { r.add(text, displaywidth.String(text), style) }

// pad appends blanks up to column n.
func (r *row) pad(n int) {
	if n = min(n, r.room) - r.width; n > 0 {
		r.add(strings.Repeat(" ", n), n, Blank)
	}
}

// done is the row without blanks at its end.
func (r *row) done() Line {
	for len(r.spans) > 0 {
		last := &r.spans[len(r.spans)-1]
		if last.Text = strings.TrimRight(last.Text, " "); last.Text != "" {
			break
		}
		r.spans = r.spans[:len(r.spans)-1]
	}
	return Line(r.spans)
}

// cut shortens text to at most width cells, and marks that it did.
func (g *glyphs) cut(text string, width int) string {
	if width <= 0 {
		return ""
	}
	if displaywidth.String(text) <= width {
		return text
	}
	return displaywidth.TruncateString(text, width, g.ellipsis)
}

// clean is outside text as it can be written in a line.
func (g *glyphs) clean(text string) string {
	text = chart.Clean(text)
	if !g.ascii || g.names {
		return text
	}
	return strings.Map(func(r rune) rune {
		if r >= utf8.RuneSelf {
			return '?'
		}
		return r
	}, text)
}
