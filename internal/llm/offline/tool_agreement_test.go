package offline_test

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/advice"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// noInvestor is a user of whom nothing is known.
type noInvestor struct{}

func (noInvestor) Profile(context.Context) (investor.Profile, bool, error) {
	return investor.Profile{}, false, nil
}

func (noInvestor) SaveProfile(context.Context, investor.Profile) error { return nil }

// portfolioTools are the tools that read a portfolio, as in the program.
func portfolioTools(d positions.Deps, rules string) []tool.Tool {
	return slices.Concat(
		positions.OverviewTools(d), positions.PerformanceTools(positions.PerformanceDeps{Deps: d}),
		positions.TaxLotTools(positions.TaxLotDeps{Deps: d, Jurisdiction: func(context.Context) (string, error) { return rules, nil }}),
		advice.SuitabilityTools(advice.SuitabilityDeps{Deps: d, Profiles: noInvestor{}}),
	)
}

// askPortfolio asks a question about the portfolio and runs, with the program's own tool, the one
// call that the assistant makes. It returns the tool's result and the assistant's answer.
func askPortfolio(t *testing.T, w *toolstest.PortfolioFixture, question string) (res tool.Result, output string) {
	t.Helper()
	return askPortfolioBy(t, w, toolstest.Call, question)
}

// askPortfolioBy is askPortfolio with a function that calls a tool.
func askPortfolioBy(t *testing.T, w *toolstest.PortfolioFixture, call func(testing.TB, []tool.Tool, string, toolstest.Args) tool.Result, question string) (res tool.Result, output string) {
	t.Helper()
	c := newUserDataChat(t)
	calls := c.ask(question).ToolCalls
	if len(calls) != 1 {
		t.Fatalf("%q calls %v; want one tool", question, shown(calls))
	}
	in := toolstest.Args{}
	if err := json.Unmarshal([]byte(calls[0].Arguments), &in); err != nil {
		t.Fatalf("%q calls %v: %v", question, shown(calls), err)
	}
	res = call(t, portfolioTools(w.Deps(t), w.Rules), calls[0].Name, in)
	if res.IsError {
		t.Fatalf("%q calls %v, which says %s", question, shown(calls), res.ErrorText())
	}
	m := c.give(res.ModelText())
	if len(m.ToolCalls) > 0 {
		t.Fatalf("after the result of %q it calls again: %v", question, shown(m.ToolCalls))
	}
	return res, m.Content
}

var (
	// noFigure matches what is not a figure: a day, a name with digits in it, and code.
	noFigure = regexp.MustCompile("`[^`]*`|\\d{4}-\\d{2}-\\d{2}(T[0-9:Z]+)?|[A-Za-z_]+\\d[\\w.]*")
	aNumber  = regexp.MustCompile(`\d[\d,]*(\.\d+)?`)
)

// numbersIn are the numbers of a text, without their signs.
func numbersIn(text string) []decimal.Decimal {
	var out []decimal.Decimal
	for _, word := range aNumber.FindAllString(noFigure.ReplaceAllString(text, " "), -1) {
		if d, err := decimal.NewFromString(strings.ReplaceAll(strings.TrimRight(word, ","), ",", "")); err == nil {
			out = append(out, d)
		}
	}
	return out
}

// numbersStated returns the numbers of a JSON result, also those in its sentences, and each also to
// two decimals and in percent, as the assistant writes them.
func numbersStated(t *testing.T, text string) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	add := func(d decimal.Decimal) {
		out[d.Abs().String()], out[d.Abs().Shift(2).Round(2).String()], out[d.Abs().Round(2).String()] = true, true, true
	}
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, part := range v {
				walk(part)
			}
		case []any:
			add(decimal.NewFromInt(int64(len(v))))
			for _, part := range v {
				walk(part)
			}
		case json.Number:
			add(decimal.RequireFromString(v.String()))
		case string:
			if d, err := decimal.NewFromString(v); err == nil {
				add(d)
				return
			}
			for _, d := range numbersIn(v) {
				add(d)
			}
		}
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var answer any
	if err := d.Decode(&answer); err != nil {
		t.Fatal(err)
	}
	walk(answer)
	return out
}

// tradingFixture is a portfolio whose targets require trades, with losses and a sale.
func tradingFixture() *toolstest.PortfolioFixture {
	w := toolstest.TwoCurrencyFixture()
	w.Rules = "us"
	w.Targets = []portfolio.Target{{Symbol: "VTI", Weight: toolstest.MustDecimal("0.2")}, {Symbol: "SAP", Weight: toolstest.MustDecimal("0.3")}}
	w.Transactions = append(w.Transactions, toolstest.Sell("3", "us", "VTI", "2", "220", "USD", "2024-01-04"))
	return w
}

func portfolioQuestions() map[string]string {
	return map[string]string{
		"show my portfolio": "portfolio_positions", "what is my portfolio worth?": "portfolio_positions", "my allocation": "portfolio_allocation",
		"how has my portfolio done?": "portfolio_performance", "how has my portfolio done against VTI": "portfolio_performance",
		"show my lots": "tax_lots", "which lots are at a loss": "tax_lots", "my capital gains in 2024": "tax_lots", "my wash sales": "tax_lots",
		"check my portfolio": "portfolio_checkup",
	}
}

// Whatever the assistant says of a portfolio, it invents no number: each one is in the tool's
// result.
func TestOwnAnswer_EveryNumberIsOneThatTheToolReturned(t *testing.T) {
	for name, newFixture := range map[string]func() *toolstest.PortfolioFixture{"two currencies": toolstest.TwoCurrencyFixture, "eventful": toolstest.EventfulFixture, "trading": tradingFixture} {
		questions := portfolioQuestions()
		if name == "trading" {
			questions["rebalance my portfolio"] = "rebalance_plan"
		}
		for question := range questions {
			t.Run(name+" "+question, func(t *testing.T) {
				res, output := askPortfolio(t, newFixture(), question)
				returned, found := numbersStated(t, res.ModelText()), numbersIn(output)
				for _, n := range found {
					if !returned[n.String()] {
						t.Errorf("it says %s, which the tool did not:\n%s\nthe tool returned\n%s", n, output, res.ModelText())
					}
				}
				if len(found) == 0 && strings.Contains(output, "|") {
					t.Errorf("no number is found in\n%s", output)
				}
			})
		}
	}
}

// What counts most is said in the tool's own digits: the sums of the worked example, as
// the tool's answer has them.
func TestOwnAnswer_TheSumsAreThoseOfTheTool(t *testing.T) {
	field := func(res tool.Result, path ...string) string {
		t.Helper()
		last := len(path) - 1
		at := toolstest.ObjectAt(t, any(toolstest.Object(t, res.ModelText())), path[:last]...)
		text, ok := at[path[last]].(string)
		if !ok {
			t.Fatalf("%v is %v; want a number", path, at[path[last]])
		}
		return text
	}
	for _, tc := range []struct {
		question string
		paths    [][]string
	}{
		{"show my portfolio", [][]string{{"total"}, {"gain_base"}, {"gain_base_pct"}, {"positions", "VTI", "value_base"}, {"positions", "SAP", "weight_pct"}, {"positions", "SAP", "gain_base"}, {"cash", "us", "amount"}}},
		{"my allocation", [][]string{{"dimensions", "symbol", "parts", "VTI", "weight_pct"}, {"dimensions", "currency", "parts", "EUR", "value"}, {"drift", "VTI", "target_pct"}, {"drift", "VTI", "drift_pp"}}},
		{"how has my portfolio done against VTI", [][]string{
			{"windows", "since inception", "end"}, {"windows", "since inception", "net_flow"}, {"windows", "since inception", "returns", "time_weighted", "pct"},
			{"windows", "since inception", "returns", "money_weighted", "pct"}, {"windows", "since inception", "benchmark", "end"}, {"windows", "since inception", "benchmark", "ahead"},
		}},
		{"show my lots", [][]string{{"lots", "VTI", "cost_base"}, {"lots", "VTI", "value_base"}, {"lots", "SAP", "gain_base"}, {"lots", "SAP", "gain_base_pct"}}},
		{"my capital gains in 2024", [][]string{{"sales", "VTI", "proceeds"}, {"sales", "VTI", "cost"}, {"sales", "VTI", "gain"}}},
	} {
		t.Run(tc.question, func(t *testing.T) {
			res, output := askPortfolio(t, tradingFixture(), tc.question)
			found := map[string]bool{}
			for _, n := range numbersIn(output) {
				found[n.String()] = true
			}
			for _, path := range tc.paths {
				if want := toolstest.MustDecimal(field(res, path...)).Abs().Round(2).String(); !found[want] {
					t.Errorf("%v is %s, which is not said:\n%s", path, want, output)
				}
			}
		})
	}
}

// Where a number is below zero, it is said so.
func TestOwnAnswer_ALossHasItsSign(t *testing.T) {
	w := toolstest.TwoCurrencyFixture()
	w.Transactions = append(w.Transactions, toolstest.Buy("3", "de", "DOWN", "1", "500", "USD", "2024-01-03"))
	w.Series = append(w.Series, toolstest.Daily("DOWN", "USD", toolstest.MustDay("2024-01-01"), "500", "500", "500", "400", "300", "123"))
	for question, want := range map[string]string{"show my portfolio": "-377 USD (-75.4%)", "show my lots": "-377 USD (-75.4%)"} {
		if _, output := askPortfolio(t, w, question); !strings.Contains(output, want) {
			t.Errorf("%q: a loss of 377 of 500 is not said as %q:\n%s", question, want, output)
		}
	}
}

// A user who keeps amounts from models hears none of the assistant, in any answer.
func TestOwnAnswer_HiddenAmountsAreInNoAnswer(t *testing.T) {
	for question := range portfolioQuestions() {
		w := toolstest.EventfulFixture()
		_, output := askPortfolioBy(t, w, toolstest.CallHidden, question)
		for _, canary := range []string{"777", "7.77", "17.7", "3771", "3,771", "277.", "2,850", "1,010"} {
			if strings.Contains(output, canary) {
				t.Errorf("%q: the answer tells %q:\n%s", question, canary, output)
			}
		}
		// The checkup has only weights and counts, so that it hides nothing.
		if question != "check my portfolio" && !strings.Contains(output, "share_amounts") {
			t.Errorf("%q: it is not said that amounts are hidden:\n%s", question, output)
		}
	}
}
