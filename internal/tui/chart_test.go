package tui_test

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/golden"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui"
)

// waves returns two invented lines, the same in every run.
func waves() []chart.Series {
	a, b := chart.Series{Name: "VTI"}, chart.Series{Name: "日経 225"}
	for i := range 500 {
		day := time.Date(2018, time.December, 3+i, 0, 0, 0, 0, time.UTC)
		a.Times, b.Times = append(a.Times, day), append(b.Times, day)
		a.Values = append(a.Values, 130+float64(i)/20+8*math.Sin(float64(i)/31))
		b.Values = append(b.Values, 21_000+900*math.Cos(float64(i)/47)-float64(i))
	}
	return []chart.Series{a, b}
}

// charts returns the results whose expanded cards are checked.
func charts() map[string]tool.Result {
	line := waves()[0]
	for i := 200; i < 230; i++ {
		line.Values[i] = math.NaN()
	}
	return map[string]tool.Result{
		"line": {
			Title: "VTI · 2018-12-03 to 2020-04-15 · daily", Summary: "500 bars", ForUser: "500 closes of VTI, in USD.",
			Chart: &chart.Spec{Kind: chart.KindLine, Title: "VTI daily closes", Unit: "USD", Series: []chart.Series{line}},
		},
		"compare": {
			Title: "VTI, ^N225", Summary: "2 assets", ForUser: "Each is 100 at the start.",
			Chart: &chart.Spec{Kind: chart.KindCompare, Title: "daily closes", Series: waves()},
		},
	}
}

func opened(res tool.Result, charset chart.Charset) func() tui.Config {
	return func() tui.Config {
		cfg := talk(calls("Done.", outcome("c1", "price_history", `{"symbol":"VTI"}`, res, 12*time.Millisecond)))()
		cfg.Charts = charset
		return cfg
	}
}

func openTheCard(s *screen) {
	s.ask("Draw VTI")
	s.press("ctrl+o")
}

func TestScreen_AnOpenedCardDrawsItsChart(t *testing.T) {
	charsets := map[string]chart.Charset{"braille": chart.CharsetBraille, "block": chart.CharsetBlock, "ascii": chart.CharsetASCII}
	for name, res := range charts() {
		for charset, set := range charsets {
			for _, size := range [][2]int{{100, 30}, {60, 20}} {
				frame := fmt.Sprintf("chart-%s-%s.%dx%d", name, charset, size[0], size[1])
				t.Run(frame, func(t *testing.T) {
					var got string
					onScreen(t, opened(res, set), size[0], size[1], func(s *screen) {
						openTheCard(s)
						got = s.view() + "\n"
					})
					if !strings.Contains(got, "2019") {
						t.Errorf("no dates of a chart on the screen:\n%s", got)
					}
					for line := range strings.SplitSeq(got, "\n") {
						if ansi.StringWidth(line) > size[0] {
							t.Errorf("%q is wider than %d columns", line, size[0])
						}
					}
					golden.CheckFile(t, filepath.Join("testdata", "frames", frame+".txt"), got, *update)
				})
			}
		}
	}
}

// TestScreen_ACommandDraws checks that a command can show a chart above its text.
func TestScreen_ACommandDraws(t *testing.T) {
	commands := []tui.Command{{
		Name: "chart", Hint: "symbol", About: "prices as a chart",
		Run: drawCommand(func(args string) (*chart.Spec, string, error) {
			return charts()["line"].Chart, "what " + args + " did", nil
		}),
	}}
	onScreen(t, func() tui.Config { return tui.Config{Commands: commands} }, 80, 30, func(s *screen) {
		s.ask("/chart VTI")
		s.wait(time.Second)
		for _, part := range []string{"VTI daily closes, USD", "┤", "what VTI did"} {
			if !strings.Contains(s.view(), part) {
				t.Errorf("no %q on the screen:\n%s", part, s.view())
			}
		}
	})
}

// The colors of a chart are those of the theme.
func TestScreen_AChartHasTheColorsOfTheTheme(t *testing.T) {
	cfg := opened(charts()["compare"], chart.CharsetBraille)
	var dark, light string
	for theme, into := range map[tui.Theme]*string{tui.ThemeDark: &dark, tui.ThemeLight: &light} {
		onScreen(t, func() tui.Config { c := cfg(); c.Theme = theme; return c }, 80, 24, func(s *screen) {
			openTheCard(s)
			*into = s.model.View().Content
		})
	}
	if !slices.Equal(strings.Fields(ansi.Strip(dark)), strings.Fields(ansi.Strip(light))) {
		t.Error("the themes draw different charts")
	}
	if dark == light || !strings.Contains(dark, "\x1b[38;5;215m") || !strings.Contains(light, "\x1b[38;5;130m") {
		t.Error("the second line has not the color of its theme")
	}
}

// charting returns a chat whose /chart draws a line and shows its arguments.
func charting() tui.Config {
	return tui.Config{Commands: []tui.Command{{Name: "chart", Run: func(_ context.Context, args string) (tui.CommandOutput, error) {
		spec := charts()["line"].Chart
		return tui.CommandOutput{Chart: spec, View: &agent.CommandView{
			Keys: []tool.KeyFigure{{Text: "151.92 USD"}, {Text: "+16.8%", Sign: 1}}, About: tool.KeyAbout{Subject: "VTI", Dated: "2018-12-03 to 2020-04-15"},
			Attribution: agent.Attribution{Line: "Yahoo Finance · 2020-04-15 close · called with " + args},
		}}, nil
	}}}}
}

func drawnAndChosen(s *screen) {
	s.ask("/chart VTI 2y")
	s.wait(time.Second)
	s.press("tab")
}

// Chat, section 8: a selected chart is drawn again with another period or kind, and v shows it on the whole
// screen.
func TestChart_KeysChangeThePeriodAndTheKind(t *testing.T) {
	for key, want := range map[string]string{"5": "VTI 5y", "m": "VTI max", "c": "VTI 2y candles", "d": "VTI 2y drawdown", "h": "VTI 2y histogram", "l": "VTI 2y line"} {
		onScreen(t, charting, 100, 40, func(s *screen) {
			drawnAndChosen(s)
			s.press(key)
			s.wait(time.Second)
			s.shows("> /chart "+want, "called with "+want)
		})
	}
	onScreen(t, charting, 100, 40, func(s *screen) {
		drawnAndChosen(s)
		s.press("v")
		s.shows("VTI daily closes, USD", "1 1y", "Esc close")
		if strings.Contains(s.view(), "> /chart") {
			t.Errorf("the chart does not have the whole screen:\n%s", s.view())
		}
		s.press("d")
		s.wait(time.Second)
		s.shows("> /chart VTI 2y drawdown")
	})
}

// Chat, section 6: v shows a card on the whole screen, and Esc returns to it.
func TestCard_IsShownOnTheWholeScreen(t *testing.T) {
	long := priceHistory()
	long.Result.ForUser = strings.Repeat("a line of the result\n\n", 60)
	onScreen(t, talk(calls("Done.", long)), 60, 20, func(s *screen) {
		s.ask("go")
		s.press("tab", "tab", "v")
		s.shows("Price · ^GSPC", "lines 1 to 15", "Esc close")
		s.press("end")
		s.shows("price_history  ^GSPC") // the call is its last line
		s.press("esc")
		s.shows("> go")
	})
}
