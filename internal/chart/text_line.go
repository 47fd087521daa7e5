package chart

import (
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// Style is the role of a piece of text; the screen gives it a color. The text is complete without
// styles.
type Style uint8

const (
	// StyleBlank is space between parts.
	StyleBlank Style = iota
	// StyleLabel is text: titles, names, dates and figures.
	StyleLabel
	// StyleAxis is the frame of a chart and the lines of reference in it.
	StyleAxis
	// StyleUp is a candle that closed no lower than it opened, and its volume.
	StyleUp
	// StyleDown is a candle that closed lower, its volume, a loss, or a negative value.
	StyleDown
	// StyleBand is between the outermost percentiles of a fan, StyleInnerBand those within.
	StyleBand
	StyleInnerBand
	// StyleSeries1 to StyleSeries6 are the series in their order.
	StyleSeries1
	StyleSeries2
	StyleSeries3
	StyleSeries4
	StyleSeries5
	StyleSeries6
)

// seriesStyle returns the style of the i-th series.
func seriesStyle(i int) Style { return StyleSeries1 + Style(i%len(seriesLetters)) }

// Span is text in one style. It holds no line break, control character or escape.
type Span struct {
	Text  string
	Style Style
}

// TextLine is one line of a chart. It has no trailing blanks.
type TextLine []Span

// lineBuilder builds a line and counts its cells.
type lineBuilder struct {
	spans    []Span
	width    int
	maxWidth int // total cells
	glyph    *glyphs
}

// add appends clean text of that width, as much of it as fits.
func (r *lineBuilder) add(text string, width int, style Style) {
	if left := r.maxWidth - r.width; width > left {
		text = r.glyph.truncate(text, left)
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

func (r *lineBuilder) addText(text string, style Style) {
	r.add(text, displaywidth.String(text), style)
}

// pad appends blanks up to column n.
func (r *lineBuilder) pad(n int) {
	if n = min(n, r.maxWidth) - r.width; n > 0 {
		r.add(strings.Repeat(" ", n), n, StyleBlank)
	}
}

// finish returns the line without trailing blanks.
func (r *lineBuilder) finish() TextLine {
	for len(r.spans) > 0 {
		last := &r.spans[len(r.spans)-1]
		if last.Text = strings.TrimRight(last.Text, " "); last.Text != "" {
			break
		}
		r.spans = r.spans[:len(r.spans)-1]
	}
	return TextLine(r.spans)
}

// truncate shortens text to at most width cells, and marks that it did.
func (g *glyphs) truncate(text string, width int) string {
	if width <= 0 {
		return ""
	}
	if displaywidth.String(text) <= width {
		return text
	}
	return displaywidth.TruncateString(text, width, g.ellipsis)
}

// clean returns outside text with only characters that the charset can write.
func (g *glyphs) clean(text string) string {
	text = cleanText(text)
	if !g.ascii || g.unicodeNames {
		return text
	}
	return strings.Map(func(r rune) rune {
		if r >= utf8.RuneSelf {
			return '?'
		}
		return r
	}, text)
}
