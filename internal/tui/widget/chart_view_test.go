package widget_test

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// seriesPair returns a rising and a falling series.
func seriesPair() chart.Spec {
	up, down := chart.Series{Name: "上昇 up"}, chart.Series{Name: "down"}
	for i := range 60 {
		day := time.Date(2024, time.January, 1+i, 0, 0, 0, 0, time.UTC)
		up.Times, down.Times = append(up.Times, day), append(down.Times, day)
		up.Values, down.Values = append(up.Values, float64(100+i)), append(down.Values, float64(100-i))
	}
	return chart.Spec{Kind: chart.KindCompare, Title: "Two", Series: []chart.Series{up, down}}
}

func TestChart_GivesEachLineTheColorOfTheTheme(t *testing.T) {
	for name, theme := range map[string]markdown.Theme{"dark": markdown.DarkTheme(), "light": markdown.LightTheme()} {
		text := strings.Join(widget.NewStyles(theme).RenderChart(seriesPair(), 60, 12), "\n")
		for _, style := range []markdown.Style{theme.Accent, theme.Series[0], theme.Dim} {
			if !strings.Contains(text, "\x1b["+string(style)+"m") {
				t.Errorf("%s: style %s is not in the chart:\n%q", name, style, text)
			}
		}
		if strings.Contains(ansi.Strip(text), "* ") {
			t.Errorf("%s: lines have both letters and colors", name)
		}
	}
}

func TestChart_WithoutColorLinesHaveLetters(t *testing.T) {
	rows := widget.NewStyles(markdown.PlainTheme()).RenderChart(seriesPair(), 60, 12)
	text := strings.Join(rows, "\n")
	if strings.Contains(text, "\x1b") {
		t.Errorf("an escape in a chart without color: %q", text)
	}
	if legend := rows[len(rows)-1]; !strings.Contains(legend, "* ") || !strings.Contains(legend, "o down") {
		t.Errorf("legend = %q, want the letters of both", legend)
	}
}

// The lines of a chart must have different colors; otherwise a legend is useless.
func TestTheme_LinesOfAChartDiffer(t *testing.T) {
	for name, theme := range map[string]markdown.Theme{"dark": markdown.DarkTheme(), "light": markdown.LightTheme()} {
		seen := map[markdown.Style]bool{}
		for _, style := range append(theme.Series[:], theme.Accent) {
			if style == "" || seen[style] {
				t.Errorf("%s: line style %q is empty or not the only one", name, style)
			}
			seen[style] = true
		}
	}
}

func TestChart_NamesKeepTheirLettersInASCIIWhereTheTerminalHasThem(t *testing.T) {
	st := widget.NewStyles(markdown.PlainTheme())
	st.Charts = chart.CharsetASCII
	if text := strings.Join(st.RenderChart(seriesPair(), 60, 12), "\n"); !strings.Contains(text, "?? up") {
		t.Errorf("a chart of nothing but ASCII:\n%s", text)
	}
	st.Names = true
	for width := range 210 {
		for _, row := range st.RenderChart(seriesPair(), width, 12) {
			if got := ansi.StringWidth(row); got > max(width, 1) {
				t.Fatalf("%q takes %d columns of %d", row, got, width)
			}
			if strings.ContainsFunc(row, func(r rune) bool { return r > '~' && !strings.ContainsRune("上昇", r) }) {
				t.Fatalf("%q is drawn with more than ASCII", row)
			}
		}
	}
	if text := strings.Join(st.RenderChart(seriesPair(), 60, 12), "\n"); !strings.Contains(text, "上昇 up") {
		t.Errorf("the name of the first line is not legible:\n%s", text)
	}
}

func TestChart_FitsItsSizeInEveryCharset(t *testing.T) {
	for _, charset := range []chart.Charset{chart.CharsetBraille, chart.CharsetBlock, chart.CharsetASCII} {
		st := widget.NewStyles(markdown.DarkTheme())
		st.Charts = charset
		for width := range 210 {
			st.SetScreenHeight(width)
			height := st.ChartHeight(seriesPair())
			rows := st.RenderChart(seriesPair(), width, height)
			if len(rows) > height {
				t.Fatalf("%d lines, want at most %d", len(rows), height)
			}
			for _, row := range rows {
				if got := ansi.StringWidth(row); got > max(width, 1) {
					t.Fatalf("charset %d: %q takes %d columns of %d", charset, row, got, width)
				}
				if charset == chart.CharsetASCII && strings.ContainsFunc(row, func(r rune) bool { return r > '~' }) {
					t.Fatalf("%q is not ASCII", row)
				}
			}
		}
	}
}
