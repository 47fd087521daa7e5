package tui_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/trace"
	"github.com/nfa-cli/nfa/internal/tui"
)

// lookup is a call with its label.
type lookup struct {
	tool.Outcome
	label, sample string
}

// answered returns a turn that calls tools and answers. A text that repeats the results is from the built-in
// assistant.
func answered(text string, around agent.Attribution, lookups ...lookup) turnFunc {
	return func(_ context.Context, _ agent.Input, say emit) (agent.TurnDone, error) {
		for _, l := range lookups {
			say(agent.ToolStarted{Call: l.Call, Label: l.label})
		}
		for _, l := range lookups {
			say(agent.ToolFinished{Outcome: l.Outcome, Label: l.label, SampleNotice: l.sample})
		}
		say(agent.StepDone{})
		if text == "" {
			for _, l := range lookups {
				say(agent.TextDelta{Text: l.Result.Headline + "\n\n" + l.Result.Body, Result: l.Call.ID})
			}
		} else {
			say(agent.TextDelta{Text: text})
		}
		return agent.TurnDone{Reason: agent.StopAnswered, Answer: text, Attribution: around}, nil
	}
}

func price(old bool) lookup {
	about, line := tool.KeyAbout{Subject: "AAPL", Detail: "Apple Inc.", Dated: "2026-11-20 close"}, "2026-11-20 close"
	keys := []tool.KeyFigure{{Text: "271.49 USD"}, {Text: "+1.27 (+0.47%)", Sign: 1}}
	if old {
		about.Dated, about.Old, line = "as of 2022-06-28", true, "2022-06-28 close"
		keys = []tool.KeyFigure{{Text: "137.44 USD"}, {Text: "-11.18 (-7.52%) since 2022-05-31", Sign: -1}}
	}
	return lookup{Outcome: outcome("q1", "quote", `{"symbols":["AAPL"]}`, tool.Result{
		Headline: "AAPL " + keys[0].Text + ".", Keys: keys, About: about, Title: "AAPL", Summary: keys[0].Text + " · " + line,
		ForUser: "| symbol | price |\n| --- | ---: |\n| AAPL | " + keys[0].Text + " |\n",
	}, 7*time.Millisecond), label: "Price"}
}

func indexReturns() lookup {
	return lookup{Outcome: outcome("r1", "returns_stats", `{"symbol":"^GSPC"}`, tool.Result{
		Headline: "The index rose.", Title: "S&P 500 (^GSPC)", Summary: "+98.6%, drawdown -53.3%", About: tool.KeyAbout{Subject: "S&P 500 (^GSPC)"},
		Keys: []tool.KeyFigure{{Label: "total return", Text: "+98.6%", Sign: 1}, {Label: "annual return", Text: "+5.7%", Sign: 1}, {Label: "volatility", Text: "21.2%"}, {Label: "max drawdown", Text: "-53.3%", Sign: -1}},
	}, 7*time.Millisecond), label: "Returns"}
}

const indexProse = "The index almost doubled, but not in a straight line: by 2009-03-09 it had lost more than half, and it recovered on 2012-09-13."

func comparison() lookup {
	return lookup{Outcome: outcome("c1", "compare_assets", `{"symbols":["AAPL","MSFT"]}`, tool.Result{
		Title: "AAPL, MSFT · 2017-05-31 to 2022-06-28", Summary: "AAPL +281.7%, MSFT -4.3%",
		ForUser: "**AAPL, MSFT · 2017-05-31 to 2022-06-28**\n\n| measure | AAPL | MSFT |\n| --- | ---: | ---: |\n| total return | +281.7% | -4.3% |\n| volatility | 30.2% | 19.9% |\n| max drawdown | -30.2% | -23.4% |\n",
	}, 9*time.Millisecond), label: "Compare"}
}

func failedLookup(id, label, title, cause, sentence string) lookup {
	res := tool.Failed(tool.CodeNoData, sentence)
	res.Title, res.Summary = title, cause
	return lookup{Outcome: outcome(id, strings.ToLower(label), `{"symbol":"`+title+`"}`, res, 3*time.Millisecond), label: label}
}

func sevenLookups() []lookup {
	var all []lookup
	for i, symbol := range []string{"AAPL", "MSFT", "IBM", "XRX", "ADBE", "DELL", "ZZZZ"} {
		l := price(false)
		l.Call.ID, l.Call.Arguments = symbol, `{"symbols":["`+symbol+`"]}`
		l.Result.About.Subject, l.Result.Title = symbol, symbol
		l.Duration = time.Duration(200*(i+1)) * time.Millisecond
		all = append(all, l)
	}
	all[6] = failedLookup("ZZZZ", "Price", "ZZZZ", "no such symbol", "No symbol \"ZZZZ\".")
	return all
}

// manyClaims has 18 figures, 16 of them distinct.
const manyClaims = "VTI by year, with 7.1% a year on average and 16.4% volatility:\n\n| year | return | dividend |\n| --- | ---: | ---: |\n" +
	"| 2018 | -5.2% | 2.61 USD |\n| 2019 | 30.8% | 2.91 USD |\n| 2020 | 20.9% | 2.77 USD |\n| 2021 | 25.7% | 2.94 USD |\n| 2022 | -19.5% | 3.18 USD |\n| 2023 | 26.1% | 3.41 USD |\n| 2024 | 23.8% | 3.66 USD |\n\n" +
	"That is 7.1% a year, with 16.4% volatility.\n"

// claimed returns an answer with figures. If lookedUp, a P/E ratio of 28.4 was looked up, otherwise none was.
func claimed(text string, lookedUp bool) turnFunc {
	ratio := tool.Figure{ID: "pe", Label: "AAPL P/E ratio", Value: decimal.RequireFromString("28.4"), Unit: "x", Source: "SEC EDGAR"}
	found := trace.Match(text, []trace.KnownFigure{{ID: ratio.ID, Label: ratio.Label, Value: ratio.Value, Unit: ratio.Unit, Index: 1}}, "")
	report := agent.FiguresReport{Total: found.Total, Traced: found.Traced, Contradicted: found.Contradicted, Numbers: found.Numbers, NoData: !lookedUp, Notes: []agent.Note{{Number: 1, Figure: ratio, Call: agent.NotedCall{Name: "key_ratios"}}}}
	for _, n := range found.Numbers {
		report.Untraced = append(report.Untraced, n.Text)
	}
	return func(_ context.Context, _ agent.Input, say emit) (agent.TurnDone, error) {
		say(agent.TextDelta{Text: text})
		return agent.TurnDone{Reason: agent.StopAnswered, Answer: text, Figures: report}, nil
	}
}

const sampleNotice = "SAMPLE DATA to 2020-04-17: old prices built into nfa, not today's market. Live data: /setup"

// answerFrames returns answers and the cards of their calls.
func answerFrames() []frame {
	askPrice := func(s *screen) { s.ask("price of AAPL") }
	askReturn := func(s *screen) { s.ask("What did VTI return, and what is the P/E of Apple?") }
	live := agent.Attribution{Line: "Yahoo Finance · 2026-11-20 close · delayed 15 min · 3 figures traced"}
	old := agent.Attribution{Line: "SAMPLE · vega-datasets · 2020-04-17 close · price only, no dividends · 5 figures traced · 1 note", Warnings: []string{"AAPL and MSFT: monthly prices, so drawdowns within a month are not visible."}}
	sampled := indexReturns()
	sampled.sample = sampleNotice
	return []frame{
		{"answer-price", talk(answered("", live, price(false))), askPrice},
		{"answer-sample-first", talk(answered(indexProse, old, sampled)), func(s *screen) { s.ask(question) }},
		{"answer-sample-second", talk(answered(indexProse, old, sampled), answered("", agent.Attribution{Line: "SAMPLE · matplotlib · 2022-06-28 close · 3 figures traced · 1 note"}, price(true))), func(s *screen) {
			s.ask(question)
			askPrice(s)
		}},
		{"answer-compare", talk(answered("", agent.Attribution{Line: "Yahoo Finance · 2022-06-28 close · dividends reinvested"}, comparison())), func(s *screen) { s.ask("compare AAPL and MSFT") }},
		{"cards-running", talk(func(ctx context.Context, _ agent.Input, say emit) (agent.TurnDone, error) {
			for _, l := range sevenLookups()[:3] {
				say(agent.ToolStarted{Call: l.Call, Label: l.label})
				say(agent.ToolRunning{CallID: l.Call.ID})
			}
			say(agent.ToolRunning{CallID: "AAPL", Doing: "asking Yahoo Finance"})
			say(agent.ToolFinished{Outcome: outcome("MSFT", "quote", `{"symbols":["MSFT"]}`, tool.Result{Title: "MSFT", Summary: "472.12 USD · 2026-11-20 close"}, 40*time.Millisecond), Label: "Price"})
			<-ctx.Done()
			return agent.TurnDone{Reason: agent.StopCancelled}, nil
		}), func(s *screen) {
			s.ask("What do AAPL, MSFT and IBM cost?")
			s.wait(2 * time.Second)
		}},
		{"figures-untraced", talk(claimed("VTI returned 12.4% a year, and 31.2% in its best year.", true)), askReturn},
		{"figures-many", talk(claimed(manyClaims, true)), askReturn},
		{"figures-none", talk(claimed(manyClaims, false)), askReturn},
		{"figures-contradicted", talk(claimed("The P/E ratio of AAPL is 31.2.", true)), askReturn},
		{"chart", charting, drawnAndChosen},
		{"chart-full", charting, func(s *screen) {
			drawnAndChosen(s)
			s.press("v")
		}},
		{"cards-done", talk(calls("Done.", priceHistory(), returnsStats())), func(s *screen) { s.ask(question) }},
		{"cards-folded", talk(answered("Apple is the largest of the six.", live, sevenLookups()...)), func(s *screen) { s.ask("How large are they?") }},
		{"cards-open", talk(answered("Apple is the largest of the six.", live, sevenLookups()...)), func(s *screen) {
			s.ask("How large are they?")
			s.press("tab", "tab", "enter")
		}},
	}
}

// The answer to a question with one figure is short: the question stays visible, even on a small screen.
func TestAnswer_OneFigureNeedsSixRows(t *testing.T) {
	live := agent.Attribution{Line: "Yahoo Finance · 2026-11-20 close · delayed 15 min · 3 figures traced"}
	onScreen(t, talk(answered("", live, price(false))), 60, 20, func(s *screen) {
		s.ask("price of AAPL")
		rows := strings.Split(s.view(), "\n")
		question, last := -1, -1
		for i, row := range rows {
			if strings.Contains(row, "> price of AAPL") {
				question = i
			}
			if question >= 0 && strings.HasPrefix(strings.TrimSpace(row), "──") {
				break // the composer
			}
			if strings.TrimSpace(row) != "" {
				last = i
			}
		}
		if n := last - question; question < 0 || n > 6 {
			t.Errorf("the answer has %d rows, want at most 6:\n%s", n, s.view())
		}
		if n := strings.Count(s.view(), "271.49"); n != 1 {
			t.Errorf("the price is on the screen %d times, want once:\n%s", n, s.view())
		}
	})
}

// In a session that uses one sample, the amber line appears once, and each source has one row.
func TestAnswer_TheSampleLineIsShownOnce(t *testing.T) {
	sampled := indexReturns()
	sampled.sample = sampleNotice
	line := agent.Attribution{Line: "SAMPLE · vega-datasets · 2020-04-17 close"}
	turns := []turnFunc{answered(indexProse, line, sampled)}
	for range 4 {
		turns = append(turns, answered("", line, price(true)))
	}
	onScreen(t, talk(turns...), 100, 60, func(s *screen) {
		for range turns {
			s.ask("and now?")
		}
		if n := strings.Count(s.view(), "! SAMPLE DATA"); n != 1 {
			t.Errorf("the notice on sample data is shown %d times:\n%s", n, s.view())
		}
		if n := strings.Count(s.view(), "SAMPLE · vega-datasets"); n != 5 {
			t.Errorf("%d source lines, want 5:\n%s", n, s.view())
		}
	})
}

// Gains and losses are colored, and signed without color. Themes differ only in their escape codes.
func TestAnswer_GainsAndLossesAreColored(t *testing.T) {
	dark := markdown.DarkTheme()
	texts := map[tui.Theme]string{}
	for _, name := range []tui.Theme{tui.ThemeDark, tui.ThemeLight, tui.ThemePlain, tui.ThemeNoColor} {
		theme := func() tui.Config {
			cfg := talk(answered("", agent.Attribution{}, comparison()), answered("", agent.Attribution{}, indexReturns()))()
			cfg.Theme = name
			return cfg
		}
		onScreen(t, theme, 100, 30, func(s *screen) {
			s.ask("compare AAPL and MSFT")
			s.ask(question)
			content := s.model.View().Content
			texts[name] = ansi.Strip(content)
			if name == tui.ThemeNoColor && (!strings.Contains(content, "\x1b[1m+98.6%") || strings.Contains(content, "38;5;")) {
				t.Errorf("without color, key figures are not bold, or something has a color: %q", content)
			}
			if name != tui.ThemeDark {
				return
			}
			for text, style := range map[string]markdown.Style{"+281.7%": dark.Gain, "-4.3%": dark.Loss, "-30.2%": dark.Loss, "+98.6%": dark.Strong.With(dark.Gain), "-53.3%": dark.Strong.With(dark.Loss)} {
				if !strings.Contains(content, style.Apply(text)) {
					t.Errorf("%s is not drawn in %q", text, style)
				}
			}
		})
	}
	for name, text := range texts {
		if text != texts[tui.ThemeDark] {
			t.Errorf("the themes differ in more than escape codes:\n%s\n%d:\n%s", texts[tui.ThemeDark], name, text)
		}
	}
}

// Parallel calls keep their rows, whichever is done first.
func TestCards_ParallelCallsKeepTheirOrder(t *testing.T) {
	turn := func(ctx context.Context, _ agent.Input, say emit) (agent.TurnDone, error) {
		all := sevenLookups()[:3]
		for _, l := range all {
			l.Result.Keys = nil
			say(agent.ToolStarted{Call: l.Call, Label: l.label})
		}
		for _, i := range []int{2, 0, 1} {
			time.Sleep(time.Second)
			all[i].Result.Keys = nil
			say(agent.ToolFinished{Outcome: all[i].Outcome, Label: all[i].label})
		}
		<-ctx.Done()
		return agent.TurnDone{Reason: agent.StopCancelled}, nil
	}
	onScreen(t, talk(turn), 100, 30, func(s *screen) {
		s.ask("prices")
		rows := func() string {
			var order []string
			for row := range strings.Lines(s.view()) {
				for _, symbol := range []string{"AAPL", "MSFT", "IBM"} {
					if strings.Contains(row, "Price      "+symbol) {
						order = append(order, symbol)
					}
				}
			}
			return strings.Join(order, " ")
		}
		for range 5 {
			if got := rows(); got != "AAPL MSFT IBM" {
				t.Errorf("rows %q:\n%s", got, s.view())
			}
			s.wait(time.Second)
		}
	})
}
