package holdings_test

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
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/holdings"
	"github.com/nfa-cli/nfa/internal/toolbox/toolboxtest"
)

func toolsOf(d holdings.Deps) []tool.Tool { return holdings.Tools(d) }

type asked struct {
	tool string
	in   args
}

// everyCall is each tool in each of its forms.
func everyCall() []asked {
	return []asked{
		{"portfolio_positions", args{}}, {"portfolio_allocation", args{}},
		{"portfolio_performance", args{"benchmark": "VTI"}}, {"portfolio_performance", args{"range": "1m", "benchmark": "VTI"}},
		{"tax_lots", args{}}, {"tax_lots", args{"kind": "closed"}}, {"tax_lots", args{"kind": "harvest"}}, {"tax_lots", args{"kind": "wash"}},
	}
}

// eventful is a world in which every list of every tool has something: lots at a loss,
// a wash sale, one that is waiting, a split that nobody booked, and a security without
// a price. Its sums and quantities hold a canary.
func eventful() *world {
	w := twoCurrencies()
	w.rules = "us"
	w.accounts = append(w.accounts, func() portfolio.Account {
		a := portfolio.NewAccount("old")
		a.Cash = portfolio.CashUntracked
		return a
	}())
	w.added = append(w.added,
		buy("10", "old", "LOSS", "17.7771", "3771.77", "USD", "2023-12-27"), sell("11", "old", "LOSS", "7.7772", "777.23", "USD", "2024-01-03"),
		buy("12", "old", "LOSS", "2.7773", "277.77", "USD", "2024-01-04"), buy("13", "old", "NONE", "1.7774", "17.77", "USD", "2024-01-04"),
		buy("14", "old", "FIT", "7.7775", "777.79", "USD", "2023-12-27"), sell("15", "old", "FIT", "1.7776", "17.79", "USD", "2024-01-05"),
	)
	loss := daily("LOSS", "USD", day("2023-12-20"), "200", "200", "200", "200", "200", "200", "200", "200", "200", "100", "100", "100", "100", "100")
	fit := daily("FIT", "USD", day("2023-12-20"), "100", "100", "100", "100", "100", "100", "100", "100", "100", "100", "100", "100", "99", "98")
	fit.Actions = []market.Action{split("2024-01-02", "3", "1")}
	w.series = append(w.series, loss, fit)
	w.targets = []portfolio.Target{{Symbol: "VTI", Weight: dec("0.6")}}
	return w
}

// A number that an answer shows and that is no figure could not be traced.
func TestAll_EveryNumberOfAModelIsAFigure(t *testing.T) {
	tools := eventful().tools(t)
	for _, c := range everyCall() {
		res := toolboxtest.Call(t, tools, c.tool, c.in)
		if res.IsError {
			t.Fatalf("%s %v = %s", c.tool, c.in, res.ErrorText())
		}
		known := map[string]bool{}
		for _, f := range res.Figures {
			known[f.Value.String()] = true
			if f.Source == "" || f.ID == "" || f.Label == "" || f.Unit == "" {
				t.Errorf("%s: a figure without source, id, label or unit: %+v", c.tool, f)
			}
		}
		ids := map[string]bool{}
		for _, f := range res.Figures {
			if ids[f.ID] {
				t.Errorf("%s %v: two figures of ID %q", c.tool, c.in, f.ID)
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
					t.Errorf("%s %v: %s = %v is no figure", c.tool, c.in, path, v)
				}
			case string:
				if d, err := decimal.NewFromString(v); err == nil && !known[d.String()] {
					t.Errorf("%s %v: %s = %s is no figure", c.tool, c.in, path, v)
				}
			}
		}
		walk("", any(toolboxtest.Object(t, res.ModelText())))
	}
}

// digits are the sums and quantities of eventful, and of what follows from them: the
// canaries, and every number of the answer that has a name of an amount.
var digits = regexp.MustCompile(`777[0-9]|7\.77|17\.7|3771|277\.|2850|1,?010|525`)

func TestAll_HiddenAmountsReachNoModel(t *testing.T) {
	w := eventful()
	open := w.tools(t)
	w.hide = true
	hidden := w.tools(t)
	for _, c := range everyCall() {
		before, after := toolboxtest.Call(t, open, c.tool, c.in), toolboxtest.Call(t, hidden, c.tool, c.in)
		if before.IsError || after.IsError {
			t.Fatalf("%s %v = %s%s", c.tool, c.in, before.ErrorText(), after.ErrorText())
		}
		said := after.ModelText() + after.Title + after.Summary
		if found := digits.FindString(said); found != "" {
			t.Errorf("%s %v tells the model %q:\n%s", c.tool, c.in, found, said)
		}
		if !strings.Contains(said, "amounts are hidden by the user's setting") {
			t.Errorf("%s %v does not say that amounts are hidden", c.tool, c.in)
		}
		for _, name := range amountNames() {
			if strings.Contains(after.ModelText(), `"`+name+`":`) {
				t.Errorf("%s %v gives the model a %s:\n%s", c.tool, c.in, name, after.ModelText())
			}
		}
		if after.ForUser != before.ForUser {
			t.Errorf("%s %v: people see something else where amounts are hidden from models", c.tool, c.in)
		}
		if a, b := encoded(t, before.Value), encoded(t, after.Value); a != b {
			t.Errorf("%s %v: the value differs where amounts are hidden from models", c.tool, c.in)
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

func encoded(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// A book that cannot be opened names quantities in its error.
func TestAll_HiddenAmountsAreNotInErrorsEither(t *testing.T) {
	w := twoCurrencies()
	w.added = append(w.added, sell("3", "us", "VTI", "77.77", "1", "USD", "2024-01-04"))
	w.hide = true
	for _, c := range everyCall() {
		res := toolboxtest.Call(t, w.tools(t), c.tool, c.in)
		if !res.IsError || strings.Contains(res.ModelText()+res.Summary+res.ErrorText(), "77.77") {
			t.Errorf("%s tells a model %s", c.tool, res.ModelText())
		}
		if !strings.Contains(res.ForUser, "77.77") {
			t.Errorf("%s does not tell people what is wrong: %s", c.tool, res.ForUser)
		}
	}
}

func TestAll_AnEmptyBookSaysHowToBegin(t *testing.T) {
	w := twoCurrencies()
	w.added = nil
	for _, c := range everyCall() {
		toolboxtest.WantError(t, toolboxtest.Call(t, w.tools(t), c.tool, c.in), tool.CodeNoData, "nfa portfolio import FILE")
	}
}

// What was not known at the clock changes nothing: later trades, closes, splits and
// rates.
func TestAll_AClockSetBackShowsNothingOfLater(t *testing.T) {
	past, later := eventful(), eventful()
	past.clock, later.clock = "2024-01-08T23:00:00Z", "2024-01-08T23:00:00Z"
	later.added = append(later.added, buy("99", "us", "VTI", "1", "88888.8", "USD", "2024-01-09"))
	for i := range later.series {
		last := later.series[i].Bars[len(later.series[i].Bars)-1]
		last.Date, last.Close = day("2024-01-09"), dec("88888.8")
		later.series[i].Bars = append(later.series[i].Bars, last)
	}
	for pair, s := range later.rates {
		s.Rates = append(s.Rates, market.Rate{Date: day("2024-01-09"), Value: dec("88888.8")})
		later.rates[pair] = s
	}
	replay := func(w *world, bars bool) []tool.Tool {
		d := w.deps(t)
		d.Replay = true
		d.Rates = &markettest.Feeds{FX: w.rates, Forgetful: true}
		if bars {
			d.Bars = toolboxtest.Forgetful{BarSource: d.Bars}
		}
		return toolsOf(d)
	}
	for _, c := range everyCall() {
		before, after := toolboxtest.Call(t, replay(past, false), c.tool, c.in), toolboxtest.Call(t, replay(later, true), c.tool, c.in)
		said := after.ModelText() + after.ForUser + encoded(t, after.Value) + encoded(t, after.Figures)
		if after.IsError || strings.Contains(said, "88888") || strings.Contains(said, "2024-01-09\"") && !strings.Contains(said, "fetched_at\":\"2024-01-09") {
			t.Errorf("%s %v shows what came later:\n%s", c.tool, c.in, said)
		}
		if encoded(t, before.Figures) != encoded(t, after.Figures) {
			t.Errorf("%s %v: figures differ by what came later", c.tool, c.in)
		}
	}
}

func TestAll_ACancelledCallIsAnError(t *testing.T) {
	tools := toolboxtest.Open(t, twoCurrencies().tools(t))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range everyCall() {
		raw, _ := json.Marshal(c.in)
		out, err := tools.Call(ctx, llm.ToolCall{ID: "1", Name: c.tool, Arguments: string(raw)})
		if !errors.Is(err, context.Canceled) && out.Result.Code != tool.CodeCancelled {
			t.Errorf("%s = %v, code %q; want that it was cancelled", c.tool, err, out.Result.Code)
		}
	}
}

// Reasons tell amounts, too: 900.77 USD were taken out, which a benchmark that fell to
// a tenth would not have had.
func TestPerformance_HiddenAmountsAreNotInReasons(t *testing.T) {
	w := twoCurrencies()
	w.hide = true
	w.added = append(w.added, portfolio.Transaction{ID: "out", Date: day("2024-01-05"), Kind: portfolio.KindWithdrawal, Account: "us", Amount: dec("900.77"), Currency: "USD"})
	w.series = append(w.series, daily("CRASH", "USD", day("2024-01-01"), "100", "100", "100", "1", "1", "1"))
	res, got := toolboxtest.Answered(t, w.tools(t), "portfolio_performance", args{"benchmark": "CRASH"})
	if why := object(t, got, "windows", "since inception", "benchmark")["why"].(string); !strings.Contains(why, "900.77") {
		t.Fatalf("why = %q; want the amount, for people", why)
	}
	why := object(t, any(toolboxtest.Object(t, res.ForModel)), "windows", "since inception", "benchmark")["why"].(string)
	if strings.Contains(why, "900") || !strings.Contains(why, "on 2024-01-05 more was taken out ((hidden) USD)") {
		t.Errorf("a model is told %q; want the day without the amount", why)
	}
	if strings.Contains(res.ForModel, "900.77") {
		t.Errorf("a model is told the amount:\n%s", res.ForModel)
	}
}
