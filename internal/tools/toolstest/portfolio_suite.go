package toolstest

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// PortfolioSuite checks what every tool that reads the portfolio must do.
type PortfolioSuite struct {
	// Tools returns the tools for a user with the tax rules of a jurisdiction.
	Tools func(d positions.Deps, rules string) []tool.Tool
	// Calls has each tool in each of its forms.
	Calls []SuiteCall
}

// SuiteCall is a tool call.
type SuiteCall struct {
	Tool string
	Args Args
}

func (s PortfolioSuite) tools(t testing.TB, f *PortfolioFixture) []tool.Tool {
	return s.Tools(f.Deps(t), f.Rules)
}

// Run runs the checks as subtests.
func (s PortfolioSuite) Run(t *testing.T) {
	for name, promise := range map[string]func(*testing.T){
		"every number for a model is a figure":                   s.checkNumbersAreFigures,
		"hidden amounts reach no model":                          s.checkHiddenAmounts,
		"hidden amounts are not in errors either":                s.checkHiddenAmountsInErrors,
		"the error for an empty ledger names the import command": s.checkEmptyLedger,
		"a replay shows nothing later":                           s.checkReplay,
		"a clock that is behind causes a warning":                s.checkClockBehind,
		"a canceled call is an error":                            s.checkCancellation,
	} {
		t.Run(name, promise)
	}
}

// A number that is not a figure could not be traced.
func (s PortfolioSuite) checkNumbersAreFigures(t *testing.T) {
	tools := s.tools(t, EventfulFixture())
	for _, c := range s.Calls {
		res := Call(t, tools, c.Tool, c.Args)
		if res.IsError {
			t.Fatalf("%s %v = %s", c.Tool, c.Args, res.ErrorText())
		}
		for _, f := range res.Figures {
			if f.Source == "" || f.ID == "" || f.Label == "" || f.Unit == "" {
				t.Errorf("%s: a figure without source, id, label or unit: %+v", c.Tool, f)
			}
		}
		ids := map[string]bool{}
		for _, f := range res.Figures {
			if ids[f.ID] {
				t.Errorf("%s %v: two figures with ID %q", c.Tool, c.Args, f.ID)
			}
			ids[f.ID] = true
		}
		// A model reads fewer digits than a figure has.
		isFigure := func(d decimal.Decimal) bool {
			slack := d.Abs().Mul(MustDecimal("0.00001"))
			return slices.ContainsFunc(res.Figures, func(f tool.Figure) bool { return f.Value.Sub(d).Abs().LessThanOrEqual(slack) })
		}
		var walk func(path string, v any)
		walk = func(path string, v any) {
			switch v := v.(type) {
			case map[string]any:
				for k, part := range v {
					if k != "lot" && k != "transaction" && k != "sale" && k != "replacement" && k != "day" {
						walk(path+"."+k, part)
					}
				}
			case []any:
				for _, part := range v {
					walk(path, part)
				}
			case float64:
				if !isFigure(decimal.NewFromFloat(v)) && !strings.HasSuffix(path, ".year") {
					t.Errorf("%s %v: %s = %v is not a figure", c.Tool, c.Args, path, v)
				}
			case string:
				if d, err := decimal.NewFromString(v); err == nil && !isFigure(d) {
					t.Errorf("%s %v: %s = %s is not a figure", c.Tool, c.Args, path, v)
				}
			}
		}
		walk("", any(Object(t, res.ModelText())))
	}
}

// digitsPattern matches numbers that begin like the amounts and quantities of EventfulFixture and
// the amounts that are computed from them.
var digitsPattern = regexp.MustCompile(`(?:^|[^0-9.])(?:[0-9]*\.?777[0-9]|7\.77|17\.7|3771|277\.|2850|1,?010|525)`)

func (s PortfolioSuite) checkHiddenAmounts(t *testing.T) {
	f := EventfulFixture()
	tools := s.tools(t, f)
	for _, c := range s.Calls {
		before, after := Call(t, tools, c.Tool, c.Args), CallHidden(t, tools, c.Tool, c.Args)
		if before.IsError || after.IsError {
			t.Fatalf("%s %v = %s%s", c.Tool, c.Args, before.ErrorText(), after.ErrorText())
		}
		text := after.ModelText()
		if found := digitsPattern.FindString(text); found != "" {
			t.Errorf("%s %v shows the model %q:\n%s", c.Tool, c.Args, found, text)
		}
		if !strings.Contains(text, toolkit.AmountsHiddenNote) {
			t.Errorf("%s %v does not say that amounts are hidden", c.Tool, c.Args)
		}
		for _, name := range amountNames() {
			if strings.Contains(after.ModelText(), `"`+name+`":`) {
				t.Errorf("%s %v gives the model a %s:\n%s", c.Tool, c.Args, name, after.ModelText())
			}
		}
		if after.UserText() != before.UserText() {
			t.Errorf("%s %v: the user sees a different text if amounts are hidden from models", c.Tool, c.Args)
		}
		if a, b := JSON(t, before.Value), JSON(t, after.Value); a != b {
			t.Errorf("%s %v: the value differs if amounts are hidden from models", c.Tool, c.Args)
		}
	}
}

// amountNames returns the fields that are amounts or quantities.
func amountNames() []string {
	return []string{
		"total", "quantity", "value", "value_base", "cost", "cost_base", "gain", "gain_base", "day_change_base", "amount", "start", "end", "net_flow",
		"gain_with_wash_sales_base", "proceeds", "proceeds_base", "disallowed", "loss", "ahead", "realised", "unrealised", "added_to_cost", "replacement_quantity",
	}
}

// The error of an invalid ledger names quantities.
func (s PortfolioSuite) checkHiddenAmountsInErrors(t *testing.T) {
	f := TwoCurrencyFixture()
	f.Transactions = append(f.Transactions, Sell("3", "us", "VTI", "77.77", "1", "USD", "2024-01-04"))
	for _, c := range s.Calls {
		res := CallHidden(t, s.tools(t, f), c.Tool, c.Args)
		if !res.IsError || strings.Contains(res.ModelText(), "77.77") {
			t.Errorf("%s shows a model %s", c.Tool, res.ModelText())
		}
		if !strings.Contains(res.UserText(), "77.77") {
			t.Errorf("%s does not tell the user what is wrong: %s", c.Tool, res.UserText())
		}
	}
}

func (s PortfolioSuite) checkEmptyLedger(t *testing.T) {
	f := TwoCurrencyFixture()
	f.Transactions = nil
	for _, c := range s.Calls {
		WantError(t, Call(t, s.tools(t, f), c.Tool, c.Args), tool.CodeNoData, "nfa portfolio import FILE")
	}
}

// Trades, closes, splits and rates after the replay date must change nothing.
func (s PortfolioSuite) checkReplay(t *testing.T) {
	past, later := EventfulFixture(), EventfulFixture()
	past.Clock, later.Clock = "2024-01-08T23:00:00Z", "2024-01-08T23:00:00Z"
	later.Transactions = append(later.Transactions, Buy("99", "us", "VTI", "1", "88888.8", "USD", "2024-01-09"))
	for i := range later.Series {
		last := later.Series[i].Bars[len(later.Series[i].Bars)-1]
		last.Date, last.Close = MustDay("2024-01-09"), MustDecimal("88888.8")
		later.Series[i].Bars = append(later.Series[i].Bars, last)
	}
	for pair, series := range later.Rates {
		series.Rates = append(series.Rates, market.Rate{Date: MustDay("2024-01-09"), Value: MustDecimal("88888.8")})
		later.Rates[pair] = series
	}
	replay := func(f *PortfolioFixture, bars bool) []tool.Tool {
		d := f.Deps(t)
		d.Replay = true
		d.Rates = &markettest.FakeFeeds{FX: f.Rates, IgnoresQuery: true}
		if bars {
			d.Bars = UnrangedBars{BarSource: d.Bars}
		}
		return s.Tools(d, f.Rules)
	}
	for _, c := range s.Calls {
		before, after := Call(t, replay(past, false), c.Tool, c.Args), Call(t, replay(later, true), c.Tool, c.Args)
		text := after.ModelText() + after.UserText() + JSON(t, after.Value) + JSON(t, after.Figures)
		if after.IsError || strings.Contains(text, "88888") || strings.Contains(text, "2024-01-09\"") && !strings.Contains(text, "fetched_at\":\"2024-01-09") {
			t.Errorf("%s %v shows later data:\n%s", c.Tool, c.Args, text)
		}
		if JSON(t, before.Figures) != JSON(t, after.Figures) {
			t.Errorf("%s %v: figures change with later data", c.Tool, c.Args)
		}
	}
}

// Without its newest transactions the portfolio is different. A user whose clock is behind must be
// warned; a user who requested a replay already knows.
func (s PortfolioSuite) checkClockBehind(t *testing.T) {
	f := EventfulFixture()
	f.Transactions = append(f.Transactions, Buy("99", "us", "VTI", "1", "88888.8", "USD", "2024-01-09"))
	behind := f.Deps(t)
	behind.Now = Clock(t, "2024-01-08T23:00:00Z")
	replay := behind
	replay.Replay = true
	for _, c := range s.Calls {
		const warning = "not shown: they are dated after 2024-01-08"
		res := Call(t, s.Tools(behind, f.Rules), c.Tool, c.Args)
		if res.IsError || !strings.Contains(res.ModelText(), warning) || !strings.Contains(res.UserText(), warning) || strings.Contains(res.UserText(), "88888") {
			t.Errorf("%s %v with a clock that is behind = %s%s; want %q", c.Tool, c.Args, res.ErrorText(), res.UserText(), warning)
		}
		if res := Call(t, s.Tools(replay, f.Rules), c.Tool, c.Args); strings.Contains(res.UserText(), warning) {
			t.Errorf("%s %v, in a replay = %s; want no %q", c.Tool, c.Args, res.UserText(), warning)
		}
	}
}

func (s PortfolioSuite) checkCancellation(t *testing.T) {
	tools := Open(t, s.tools(t, TwoCurrencyFixture()))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range s.Calls {
		out, err := tools.Call(ctx, ToolCall(c.Tool, JSON(t, c.Args)))
		if !errors.Is(err, context.Canceled) && out.Result.Code != tool.CodeCancelled {
			t.Errorf("%s = %v, code %q; want a cancellation error", c.Tool, err, out.Result.Code)
		}
	}
}
