package toolstest

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// PortfolioSuite is a room that looks at the book.
type PortfolioSuite struct {
	// Tools are its tools for a user under the tax rules of that name.
	Tools func(d positions.Deps, rules string) []tool.Tool
	// Calls is each tool in each of its forms.
	Calls []SuiteCall
}

// SuiteCall is a tool with its arguments.
type SuiteCall struct {
	Tool string
	Args Args
}

func (r PortfolioSuite) tools(t testing.TB, w *PortfolioFixture) []tool.Tool {
	return r.Tools(w.Deps(t), w.Rules)
}

// Run holds a room to what every tool that looks at the book promises.
func (r PortfolioSuite) Run(t *testing.T) {
	for name, promise := range map[string]func(*testing.T){
		"every number of a model is a figure":     r.checkNumbersAreFigures,
		"hidden amounts reach no model":           r.checkHiddenAmounts,
		"hidden amounts are not in errors either": r.checkHiddenAmountsInErrors,
		"an empty book says how to begin":         r.checkEmptyLedger,
		"a clock set back shows nothing of later": r.checkReplay,
		"a clock that is behind is told of":       r.checkClockBehind,
		"a cancelled call is an error":            r.checkCancellation,
	} {
		t.Run(name, promise)
	}
}

// A number that an answer shows and that is no figure could not be traced.
func (r PortfolioSuite) checkNumbersAreFigures(t *testing.T) {
	tools := r.tools(t, EventfulFixture())
	for _, c := range r.Calls {
		res := Call(t, tools, c.Tool, c.Args)
		if res.IsError {
			t.Fatalf("%s %v = %s", c.Tool, c.Args, res.ErrorText())
		}
		known := map[string]bool{}
		for _, f := range res.Figures {
			known[f.Value.String()] = true
			if f.Source == "" || f.ID == "" || f.Label == "" || f.Unit == "" {
				t.Errorf("%s: a figure without source, id, label or unit: %+v", c.Tool, f)
			}
		}
		ids := map[string]bool{}
		for _, f := range res.Figures {
			if ids[f.ID] {
				t.Errorf("%s %v: two figures of ID %q", c.Tool, c.Args, f.ID)
			}
			ids[f.ID] = true
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
				if !known[decimal.NewFromFloat(v).String()] && !strings.HasSuffix(path, ".year") {
					t.Errorf("%s %v: %s = %v is no figure", c.Tool, c.Args, path, v)
				}
			case string:
				if d, err := decimal.NewFromString(v); err == nil && !known[d.String()] {
					t.Errorf("%s %v: %s = %s is no figure", c.Tool, c.Args, path, v)
				}
			}
		}
		walk("", any(Object(t, res.ModelText())))
	}
}

// digitsPattern are the sums and quantities of eventful, and of what follows from them: the
// canaries, and every number of the answer that has a name of an amount.
var digitsPattern = regexp.MustCompile(`777[0-9]|7\.77|17\.7|3771|277\.|2850|1,?010|525`)

func (r PortfolioSuite) checkHiddenAmounts(t *testing.T) {
	w := EventfulFixture()
	open := r.tools(t, w)
	w.Hide = true
	hidden := r.tools(t, w)
	for _, c := range r.Calls {
		before, after := Call(t, open, c.Tool, c.Args), Call(t, hidden, c.Tool, c.Args)
		if before.IsError || after.IsError {
			t.Fatalf("%s %v = %s%s", c.Tool, c.Args, before.ErrorText(), after.ErrorText())
		}
		text := after.ModelText() + after.Title + after.Summary
		if found := digitsPattern.FindString(text); found != "" {
			t.Errorf("%s %v tells the model %q:\n%s", c.Tool, c.Args, found, text)
		}
		if !strings.Contains(text, toolkit.AmountsHiddenNote) {
			t.Errorf("%s %v does not say that amounts are hidden", c.Tool, c.Args)
		}
		for _, name := range amountNames() {
			if strings.Contains(after.ModelText(), `"`+name+`":`) {
				t.Errorf("%s %v gives the model a %s:\n%s", c.Tool, c.Args, name, after.ModelText())
			}
		}
		if after.ForUser != before.ForUser {
			t.Errorf("%s %v: people see something else where amounts are hidden from models", c.Tool, c.Args)
		}
		if a, b := mustEncode(t, before.Value), mustEncode(t, after.Value); a != b {
			t.Errorf("%s %v: the value differs where amounts are hidden from models", c.Tool, c.Args)
		}
	}
}

// amountNames are the fields that are sums or quantities.
func amountNames() []string {
	return []string{
		"total", "quantity", "value", "value_base", "cost", "cost_base", "gain", "gain_base", "day_change_base", "amount", "start", "end", "net_flow",
		"gain_with_wash_sales_base", "proceeds", "proceeds_base", "disallowed", "loss", "ahead", "realised", "unrealised", "added_to_cost", "replacement_quantity",
	}
}

func mustEncode(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// A book that cannot be opened names quantities in its error.
func (r PortfolioSuite) checkHiddenAmountsInErrors(t *testing.T) {
	w := TwoCurrencyFixture()
	w.Transactions = append(w.Transactions, Sell("3", "us", "VTI", "77.77", "1", "USD", "2024-01-04"))
	w.Hide = true
	for _, c := range r.Calls {
		res := Call(t, r.tools(t, w), c.Tool, c.Args)
		if !res.IsError || strings.Contains(res.ModelText()+res.Summary+res.ErrorText(), "77.77") {
			t.Errorf("%s tells a model %s", c.Tool, res.ModelText())
		}
		if !strings.Contains(res.ForUser, "77.77") {
			t.Errorf("%s does not tell people what is wrong: %s", c.Tool, res.ForUser)
		}
	}
}

func (r PortfolioSuite) checkEmptyLedger(t *testing.T) {
	w := TwoCurrencyFixture()
	w.Transactions = nil
	for _, c := range r.Calls {
		WantError(t, Call(t, r.tools(t, w), c.Tool, c.Args), tool.CodeNoData, "nfa portfolio import FILE")
	}
}

// What was not known at the clock changes nothing: later trades, closes, splits and
// rates.
func (r PortfolioSuite) checkReplay(t *testing.T) {
	past, later := EventfulFixture(), EventfulFixture()
	past.Clock, later.Clock = "2024-01-08T23:00:00Z", "2024-01-08T23:00:00Z"
	later.Transactions = append(later.Transactions, Buy("99", "us", "VTI", "1", "88888.8", "USD", "2024-01-09"))
	for i := range later.Series {
		last := later.Series[i].Bars[len(later.Series[i].Bars)-1]
		last.Date, last.Close = MustDay("2024-01-09"), MustDecimal("88888.8")
		later.Series[i].Bars = append(later.Series[i].Bars, last)
	}
	for pair, s := range later.Rates {
		s.Rates = append(s.Rates, market.Rate{Date: MustDay("2024-01-09"), Value: MustDecimal("88888.8")})
		later.Rates[pair] = s
	}
	replay := func(w *PortfolioFixture, bars bool) []tool.Tool {
		d := w.Deps(t)
		d.Replay = true
		d.Rates = &markettest.FakeFeeds{FX: w.Rates, IgnoresQuery: true}
		if bars {
			d.Bars = UnrangedBars{BarSource: d.Bars}
		}
		return r.Tools(d, w.Rules)
	}
	for _, c := range r.Calls {
		before, after := Call(t, replay(past, false), c.Tool, c.Args), Call(t, replay(later, true), c.Tool, c.Args)
		text := after.ModelText() + after.ForUser + mustEncode(t, after.Value) + mustEncode(t, after.Figures)
		if after.IsError || strings.Contains(text, "88888") || strings.Contains(text, "2024-01-09\"") && !strings.Contains(text, "fetched_at\":\"2024-01-09") {
			t.Errorf("%s %v shows what came later:\n%s", c.Tool, c.Args, text)
		}
		if mustEncode(t, before.Figures) != mustEncode(t, after.Figures) {
			t.Errorf("%s %v: figures differ by what came later", c.Tool, c.Args)
		}
	}
}

// A book without its newest entries is another book: whoever did not ask for one has
// to learn it. Whoever set the clock back did ask.
func (r PortfolioSuite) checkClockBehind(t *testing.T) {
	w := EventfulFixture()
	w.Transactions = append(w.Transactions, Buy("99", "us", "VTI", "1", "88888.8", "USD", "2024-01-09"))
	behind := w.Deps(t)
	behind.Now = Clock(t, "2024-01-08T23:00:00Z")
	replay := behind
	replay.Replay = true
	for _, c := range r.Calls {
		const warning = "not shown: they are dated after 2024-01-08"
		res := Call(t, r.Tools(behind, w.Rules), c.Tool, c.Args)
		if res.IsError || !strings.Contains(res.ModelText(), warning) || !strings.Contains(res.ForUser, warning) || strings.Contains(res.ForUser, "88888") {
			t.Errorf("%s %v, the clock behind = %s%s; want %q", c.Tool, c.Args, res.ErrorText(), res.ForUser, warning)
		}
		if res := Call(t, r.Tools(replay, w.Rules), c.Tool, c.Args); strings.Contains(res.ForUser, warning) {
			t.Errorf("%s %v, the clock set back = %s; want no %q", c.Tool, c.Args, res.ForUser, warning)
		}
	}
}

func (r PortfolioSuite) checkCancellation(t *testing.T) {
	tools := Open(t, r.tools(t, TwoCurrencyFixture()))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range r.Calls {
		raw, _ := json.Marshal(c.Args)
		out, err := tools.Call(ctx, llm.ToolCall{ID: "1", Name: c.Tool, Arguments: string(raw)})
		if !errors.Is(err, context.Canceled) && out.Result.Code != tool.CodeCancelled {
			t.Errorf("%s = %v, code %q; want that it was cancelled", c.Tool, err, out.Result.Code)
		}
	}
}
