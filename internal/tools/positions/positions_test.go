package positions_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// VTI: 10 x 120 = 1200, cost 1000 + 10, gain 190 (18.81%), since Friday 10 x 5 = 50.
// SAP: 4 x 150 = 600 EUR x 1.10 = 660 USD; cost 500 EUR x 1.05 of January 3 = 525 USD,
// gain 135 (25.71%), in euros 100 (20%); since Friday 4 x 10 EUR x 1.10 = 44.
// Total 1200 + 660 + 990 of cash = 2850; 94 of 2850 - 94 is 3.41%.
func TestPositions_ValuesTwoCurrenciesByHand(t *testing.T) {
	res, got := toolstest.CallOK(t, overviewToolsOf(t, toolstest.TwoCurrencyFixture()), "portfolio_positions", toolstest.Args{})
	toolstest.WantFields(t, got, map[string]any{
		"total": "2850", "currency": "USD", "whole": true, "cost_base": "1535", "gain_base": "325", "gain_base_pct": "21.17263843648208469055",
		"day_change_base": "94", "day_change_pct": "3.41074020319303338171", "oldest_price": "2024-01-08",
	})
	toolstest.WantFields(t, toolstest.ObjectAt(t, got, "positions", "VTI"), map[string]any{
		"quantity": "10", "price": "120", "value": "1200", "weight_pct": "42.105263157894736842", "gain": "190", "gain_pct": "18.81188118811881188119", "day_change_pct": "4.34782608695652173913", "previous_as_of": "2024-01-05",
	})
	toolstest.WantFields(t, toolstest.ObjectAt(t, got, "positions", "SAP"), map[string]any{
		"value": "600", "currency": "EUR", "value_base": "660", "weight_pct": "23.157894736842105263", "gain": "100", "gain_pct": "20",
		"cost_base": "525", "gain_base": "135", "gain_base_pct": "25.71428571428571428571", "day_change_base": "44",
	})
	toolstest.WantFields(t, toolstest.ObjectAt(t, got, "cash", "us"), map[string]any{"amount": "990", "weight_pct": "34.736842105263157895"})
	want := `**positions · 2024-01-08**

| measure | value | basis |
| --- | ---: | --- |
| market value | 2,850.00 USD | sum of all values |
| unrealized gain | +325.00 USD | value - cost |
| gain on the cost basis | +21.2% | gain / cost |
| day change | +3.41% | change / (total - change) |
| cost basis | 1,535.00 USD | cost of each lot * rate of its day |
| day change, amount | +94.00 USD | (price - previous price) * quantity * rate |
| accounts | us, de |  |

| symbol | quantity | price | value USD | weight | gain | day | 3 mo |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |
| VTI | 10 | 120.00 | 1,200.00 | 42.1% ███ | +18.8% | +4.35% | ▁▁▃▅█ |
| SAP | 4 | 150.00 EUR | 660.00 | 23.2% █▋░ | +25.7% | +7.14% | ▁▁▁▂█ |
| cash us |  |  | 990.00 | 34.7% ██▌ |  |  |  |

| exchange rate | rate | as of |
| --- | ---: | --- |
| EUR/USD | 1.1 | 2024-01-08 |

markettest · 2024-01-08

- Cash in de is not tracked, so it is not in the total.
`
	if diff := cmp.Diff(want, res.UserText()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	if want := "As of 2024-01-08, your positions and cash are valued at 2,850.00 USD, unrealized gain +325.00 USD (+21.2%)."; res.Headline != want || res.HeadlineZH != "截至 2024-01-08，您的持仓和现金市值为 2,850.00 USD，未实现收益 +325.00 USD (+21.2%)。" {
		t.Errorf("headlines = %q, %q", res.Headline, res.HeadlineZH)
	}
	if f := toolstest.Figure(t, res, "positions.1.gain_base"); f.Value.String() != "135" || f.Formula == "" || f.Label != "SAP gain in base currency" || len(f.Inputs) != 2 || f.Source != "portfolio ledger; markettest" {
		t.Errorf("figure of the gain = %+v; want 135 with its formula, inputs and both sources", f)
	}
	if f, want := toolstest.Figure(t, res, "positions.1.value_base"), []string{"quantity 4", "price 150.00 EUR", "EUR/USD 1.1 of 2024-01-08"}; !slices.Equal(f.Inputs, want) {
		t.Errorf("inputs of the value = %q, want %q", f.Inputs, want)
	}
}

func TestPositions_OfAPastDayAreWhatWasHeldAtThePricesOfThen(t *testing.T) {
	w := toolstest.TwoCurrencyFixture()
	w.Transactions = append(w.Transactions, toolstest.Buy("9", "us", "VTI", "1", "118", "USD", "2024-01-08"))
	// 10 x 115 + 4 x 140 x 1.05 + 990
	_, got := toolstest.CallOK(t, overviewToolsOf(t, w), "portfolio_positions", toolstest.Args{"at": "2024-01-05"})
	toolstest.WantFields(t, got, map[string]any{"day": "2024-01-05", "total": "2728"})
	toolstest.WantFields(t, toolstest.ObjectAt(t, got, "positions", "VTI"), map[string]any{"quantity": "10", "price": "115"})
	if notes := strings.Join(toolstest.Strings(t, got["notes"]), " "); !strings.Contains(notes, "that day's closing prices") {
		t.Errorf("notes = %q; want that the closes are of then", notes)
	}

	w.Clock = "2024-01-05T23:00:00Z"
	d := w.Deps(t)
	d.Replay = true
	_, replayed := toolstest.CallOK(t, positions.OverviewTools(d), "portfolio_positions", toolstest.Args{})
	if diff := cmp.Diff(got["positions"], replayed["positions"]); diff != "" {
		t.Errorf("the clock set back and at differ:\n%s", diff)
	}
}

// A source adjusts closes for a later split: 115 on January 5 was 460 before four for one on the 8th.
func TestPositions_OfAPastDayUndoASplitOfLater(t *testing.T) {
	w := toolstest.TwoCurrencyFixture()
	w.Series[0].Actions = []market.Action{toolstest.Split("2024-01-08", "4", "1")}
	_, got := toolstest.CallOK(t, overviewToolsOf(t, w), "portfolio_positions", toolstest.Args{"at": "2024-01-05"})
	toolstest.WantFields(t, toolstest.ObjectAt(t, got, "positions", "VTI"), map[string]any{"price": "460", "value": "4600", "day_change_pct": "4.54545454545454545455"})
	if warnings := toolstest.Strings(t, got["warnings"]); len(warnings) > 0 {
		t.Errorf("warnings = %q; a split of later concerns nobody then", warnings)
	}
}

// The sparkline of VTI is the same if its source has closes as traded.
func TestPositions_TheLineOfClosesIsOfTheNewestShares(t *testing.T) {
	w := toolstest.TwoCurrencyFixture()
	vti := &w.Series[0]
	vti.Actions, vti.Provenance.Adjustment = []market.Action{toolstest.Split("2024-01-05", "4", "1")}, market.AdjustmentRaw
	for i, bar := range vti.Bars {
		if bar.Date.Before(vti.Actions[0].Date) {
			vti.Bars[i].Close = bar.Close.Mul(toolstest.MustDecimal("4"))
		}
	}
	res, _ := toolstest.CallOK(t, overviewToolsOf(t, w), "portfolio_positions", toolstest.Args{})
	toolstest.WantParts(t, "text", res.UserText(), "▁▁▃▅█")
}

func TestPositions_ASplitThatTheBookLacksIsLoudAndSaysHowToMendIt(t *testing.T) {
	w := toolstest.TwoCurrencyFixture()
	w.Series[0].Actions = []market.Action{toolstest.Split("2024-01-05", "4", "1")}
	res, got := toolstest.CallOK(t, overviewToolsOf(t, w), "portfolio_positions", toolstest.Args{})
	warnings := toolstest.Strings(t, got["warnings"])
	if len(warnings) != 1 || !strings.Contains(warnings[0], "factor 4:1") || !strings.Contains(res.UserText(), "- ! The prices of VTI show a split of 4:1") {
		t.Fatalf("warnings = %q; want one of the split 4:1", warnings)
	}
	_, rest, _ := strings.Cut(warnings[0], "add_transaction ")
	raw, verb, _ := strings.Cut(rest, " (")
	if want := "nfa portfolio add split VTI --new 4 --old 1 --date 2024-01-05 --account us"; !strings.HasPrefix(verb, want) || !strings.Contains(res.UserText(), "To fix it: "+want+"; ignore") {
		t.Errorf("the verb is %q and people read %s, want %q in both", verb, res.UserText(), want)
	}
	want := map[string]any{"kind": "split", "symbol": "VTI", "account": "us", "date": "2024-01-05", "new": 4.0, "old": 1.0}
	if diff := cmp.Diff(want, toolstest.Object(t, raw)); diff != "" {
		t.Errorf("the call that mends it (-want +got):\n%s", diff)
	}

	w.Transactions = append(w.Transactions, portfolio.Transaction{ID: "3", Date: toolstest.MustDay("2024-01-05"), Kind: portfolio.KindSplit, Account: "us", Symbol: "VTI", New: toolstest.MustDecimal("4"), Old: toolstest.MustDecimal("1")})
	_, mended := toolstest.CallOK(t, overviewToolsOf(t, w), "portfolio_positions", toolstest.Args{})
	if warnings := toolstest.Strings(t, mended["warnings"]); len(warnings) > 0 {
		t.Errorf("warnings = %q after it was recorded; want none", warnings)
	}
}

func TestPositions_ASplitThatThePricesLackIsLoud(t *testing.T) {
	w := toolstest.TwoCurrencyFixture()
	w.Transactions = append(w.Transactions, portfolio.Transaction{ID: "wrong", Date: toolstest.MustDay("2024-01-04"), Kind: portfolio.KindReverseSplit, Account: "us", Symbol: "VTI", New: toolstest.MustDecimal("1"), Old: toolstest.MustDecimal("2")})
	_, got := toolstest.CallOK(t, overviewToolsOf(t, w), "portfolio_positions", toolstest.Args{})
	warnings := toolstest.Warnings(t, got)
	if !strings.Contains(warnings, `remove_transaction {"id":"wrong"}`) {
		t.Errorf("warnings = %q; want the transaction to remove", warnings)
	}
}

func TestPositions_SplitsThatNoSourceTellsAreSaidToBeUnchecked(t *testing.T) {
	w := toolstest.TwoCurrencyFixture()
	w.Series[1].Actions = nil
	_, got := toolstest.CallOK(t, overviewToolsOf(t, w), "portfolio_positions", toolstest.Args{})
	if notes := strings.Join(toolstest.Strings(t, got["notes"]), "\n"); !strings.Contains(notes, "could not be checked") || !strings.Contains(notes, "SAP") {
		t.Errorf("notes = %q; want that the splits of SAP were not checked", notes)
	}
}

func TestPositions_WhatHasNoPriceStandsApartWithWhatToDo(t *testing.T) {
	w := toolstest.TwoCurrencyFixture()
	w.Transactions = append(w.Transactions, toolstest.Buy("3", "de", "US0000000000", "1", "50", "EUR", "2024-01-04"))
	_, got := toolstest.CallOK(t, overviewToolsOf(t, w), "portfolio_positions", toolstest.Args{})
	toolstest.WantFields(t, got, map[string]any{"whole": false, "total": "2850"})
	if _, ok := got["gain_base"]; ok {
		t.Errorf("gain of all = %v though one has no value; want none", got["gain_base"])
	}
	apart := toolstest.ObjectAt(t, got, "unvalued", "US0000000000")
	if apart["reason"] == "" || !strings.Contains(apart["do"].(string), "nfa portfolio map US0000000000 SYMBOL") || !strings.Contains(apart["do"].(string), `{"aliases":{"US0000000000":"SYMBOL"}}`) {
		t.Errorf("unvalued = %v; want a reason and the call that names it", apart)
	}
	if _, ok := toolstest.ObjectAt(t, got, "positions", "US0000000000")["price"]; ok {
		t.Error("a price was made up")
	}
}

func TestPositions_SampleAndOldPricesAreLoud(t *testing.T) {
	w := toolstest.TwoCurrencyFixture()
	w.Series[0].Provenance = w.Series[0].Provenance.With(market.FlagSample)
	w.Clock = "2024-02-20T20:00:00Z"
	res := toolstest.Call(t, overviewToolsOf(t, w), "portfolio_positions", toolstest.Args{})
	for _, part := range []string{"SAMPLE: the newest price of VTI is as of 2024-01-08", "The newest price of SAP is as of 2024-01-08"} {
		if !strings.Contains(res.UserText(), part) || !strings.Contains(res.ModelText(), part) {
			t.Errorf("%q is not said:\n%s", part, res.UserText())
		}
	}
	if !strings.Contains(res.Summary, "SAMPLE") {
		t.Errorf("summary = %q; want the flag in it", res.Summary)
	}
}

// 10 XYZ sold short for 1000 cost 1200 to buy back: a loss of 200.
func TestPositions_AShortPositionLosesWhereThePriceRises(t *testing.T) {
	w := toolstest.TwoCurrencyFixture()
	short := toolstest.Sell("3", "us", "XYZ", "10", "1000", "USD", "2024-01-03")
	short.Short = true
	w.Transactions = append(w.Transactions, short)
	w.Series = append(w.Series, toolstest.Daily("XYZ", "USD", toolstest.MustDay("2024-01-01"), "100", "100", "100", "110", "115", "120"))
	_, got := toolstest.CallOK(t, overviewToolsOf(t, w), "portfolio_positions", toolstest.Args{})
	toolstest.WantFields(t, toolstest.ObjectAt(t, got, "positions", "XYZ"), map[string]any{"value": "-1200", "gain": "-200", "gain_pct": "-20", "gain_base": "-200", "day_change_base": "-50"})
}

func TestPositions_AllOfThemFitOrAreSaidToBeLeftOut(t *testing.T) {
	w := toolstest.TwoCurrencyFixture()
	for i := range 150 {
		sym := "S" + strings.Repeat("X", i/26) + string(rune('A'+i%26))
		w.Transactions = append(w.Transactions, toolstest.Buy("s"+sym, "de", sym, "1", "10", "EUR", "2024-01-04"))
		w.Series = append(w.Series, toolstest.Daily(sym, "EUR", toolstest.MustDay("2024-01-01"), "10", "10", "10", "10", "10", "11"))
	}
	res, got := toolstest.CallOK(t, overviewToolsOf(t, w), "portfolio_positions", toolstest.Args{})
	if n := len(got["positions"].([]any)); n != 152 {
		t.Fatalf("%d positions; want 152", n)
	}
	if len(res.ForModel) > 32<<10 || !strings.Contains(res.ForModel, `"positions_omitted":`) || !json.Valid([]byte(res.ForModel)) {
		t.Errorf("the model is given %d bytes; want fewer, whole, and that some are left out", len(res.ForModel))
	}
	toolstest.WantFields(t, toolstest.Object(t, res.ForModel), map[string]any{"total": got["total"]})
}

// A family office has hundreds of accounts. People and models read some of their names, scripts all.
func TestPositions_ManyAccountsLeaveRoomForTheFigures(t *testing.T) {
	w := toolstest.TwoCurrencyFixture()
	for i := range 3000 {
		name := fmt.Sprint("account number ", i)
		w.Accounts = append(w.Accounts, toolstest.UntrackedAccount(name))
		w.Transactions = append(w.Transactions, toolstest.Buy(fmt.Sprint("b", i), name, "VTI", "1", "100", "USD", "2024-01-04"))
	}
	res, got := toolstest.CallOK(t, overviewToolsOf(t, w), "portfolio_positions", toolstest.Args{})
	if n := len(got["accounts"].([]any)); n != 3002 {
		t.Fatalf("%d accounts; want 3002", n)
	}
	for name, text := range map[string]string{"model": res.ForModel, "user": res.ForUser} {
		if len(text) > 10<<10 || !strings.Contains(text, "VTI") || strings.Contains(text, "account number 2999") {
			t.Errorf("the %s is given %d bytes", name, len(text))
		}
	}
	if !strings.Contains(res.ForModel, `"accounts_note":"20 of 3,002 accounts`) {
		t.Errorf("the model is not told of the other accounts: %.600s", res.ForModel)
	}
}

func TestPositions_WhatCannotBeAskedSaysWhatCan(t *testing.T) {
	tools := overviewToolsOf(t, toolstest.TwoCurrencyFixture())
	for _, c := range []struct {
		name string
		in   toolstest.Args
		part string
	}{
		{"an account that is not there", toolstest.Args{"account": "uk"}, "choose from us, de"},
		{"a currency that is none", toolstest.Args{"currency": "dollars"}, "ISO 4217"},
		{"a day that is none", toolstest.Args{"at": "yesterday"}, "YYYY-MM-DD"},
		{"a day of the future", toolstest.Args{"at": "2024-01-09"}, "after today"},
	} {
		t.Run(c.name, func(t *testing.T) {
			toolstest.WantError(t, toolstest.Call(t, tools, "portfolio_positions", c.in), tool.CodeValidation, c.part)
		})
	}
	w := toolstest.TwoCurrencyFixture()
	w.Transactions = []portfolio.Transaction{toolstest.Buy("1", "de", "SAP", "1", "10", "EUR", "2024-01-02"), toolstest.Sell("2", "de", "SAP", "1", "10", "EUR", "2024-01-03")}
	toolstest.WantError(t, toolstest.Call(t, overviewToolsOf(t, w), "portfolio_positions", toolstest.Args{}), tool.CodeNoData, "kind closed")
}

// bareQuote is a source of quotes without the previous price.
type bareQuote struct {
	price string
	at    string
}

func (b bareQuote) Quote(_ context.Context, sym market.Symbol) (market.Quote, error) {
	at, err := time.Parse(time.RFC3339, b.at)
	return market.Quote{
		Instrument: market.Instrument{Symbol: sym, Kind: "equity"}, Price: toolstest.MustDecimal(b.price),
		Provenance: market.Provenance{Source: "bare", Currency: "USD", AsOf: at, FetchedAt: at, Adjustment: market.AdjustmentRaw},
	}, err
}

// On Monday afternoon VTI is at 126, and the source does not report the previous close. Friday's
// close was 115; Monday's close is not the previous one.
func TestPositions_TheDayCountsFromTheCloseOfTheDayBefore(t *testing.T) {
	d := toolstest.TwoCurrencyFixture().Deps(t)
	d.Quotes = bareQuote{"126", "2024-01-08T19:00:00Z"}
	_, got := toolstest.CallOK(t, positions.OverviewTools(d), "portfolio_positions", toolstest.Args{"account": "us"})
	toolstest.WantFields(t, toolstest.ObjectAt(t, got, "positions", "VTI"), map[string]any{"price": "126", "previous_as_of": "2024-01-05", "day_change_base": "110", "day_change_pct": "9.56521739130434782609"})
}

func TestPositions_AMonthIsNoDay(t *testing.T) {
	w := toolstest.TwoCurrencyFixture()
	w.Series[0].Interval = market.Monthly
	w.Series[0].Bars = []market.Bar{{Date: toolstest.MustDay("2023-11-30"), Close: toolstest.MustDecimal("100")}, {Date: toolstest.MustDay("2023-12-29"), Close: toolstest.MustDecimal("110")}}
	_, got := toolstest.CallOK(t, overviewToolsOf(t, w), "portfolio_positions", toolstest.Args{"account": "us"})
	vti := toolstest.ObjectAt(t, got, "positions", "VTI")
	if vti["price"] != "110" || vti["day_change_pct"] != nil {
		t.Errorf("VTI = %v; want a price of 110, and no change of a day", vti)
	}
}

// The width is that of a terminal of 80 columns minus the margins of the transcript: cells, and two columns
// between them.
func TestPositions_TheTableOfAUsualBookFitsIntoATerminal(t *testing.T) {
	w := toolstest.TwoCurrencyFixture()
	w.Transactions = append(w.Transactions, toolstest.Buy("3", "de", "BRK.B", "1234.5678", "234567.89", "USD", "2024-01-03"))
	w.Series = append(w.Series, toolstest.Daily("BRK.B", "USD", toolstest.MustDay("2024-01-01"), "390", "390", "390", "390", "400", "412.35"))
	res := toolstest.Call(t, overviewToolsOf(t, w), "portfolio_positions", toolstest.Args{})
	var widths []int
	for line := range strings.Lines(res.UserText()) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) < 8 || strings.HasPrefix(line, "| ---") {
			continue
		}
		for i, cell := range cells {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(strings.TrimSpace(cell)))
		}
	}
	sum := 2 * (len(widths) - 1)
	for _, n := range widths {
		sum += n
	}
	if len(widths) != 8 || sum > 78 {
		t.Errorf("columns of %v characters are %d wide; want 8 in at most 78:\n%s", widths, sum, res.UserText())
	}
}

func TestPositions_ASymbolThatIsANumberHasItsNameBelow(t *testing.T) {
	w := toolstest.TwoCurrencyFixture()
	w.Transactions = append(w.Transactions, toolstest.Buy("3", "de", "IE00B4L5Y983", "1", "80", "EUR", "2024-01-03"))
	named := toolstest.Daily("IE00B4L5Y983", "EUR", toolstest.MustDay("2024-01-01"), "80", "80", "80", "81", "82", "83")
	named.Name = "World | Fund"
	w.Series[1].Name = "SAP SE"
	w.Series = append(w.Series, named)
	res := toolstest.Call(t, overviewToolsOf(t, w), "portfolio_positions", toolstest.Args{})
	if !strings.Contains(res.UserText(), "\n- IE00B4L5Y983: World \\| Fund\n") || strings.Contains(res.UserText(), "SAP SE") {
		t.Errorf("names = %s; want that of the number alone", res.UserText())
	}
}

// 100 EUR in the only requested account are also shown in euros; dollars are shown once.
func TestPositions_CashIsToldInItsOwnCurrencyWhereThatIsAnother(t *testing.T) {
	w := toolstest.TwoCurrencyFixture()
	w.Transactions = append(w.Transactions, portfolio.Transaction{ID: "e", Date: toolstest.MustDay("2024-01-04"), Kind: portfolio.KindDeposit, Account: "us", Amount: toolstest.MustDecimal("100"), Currency: "EUR"})
	res := toolstest.Call(t, overviewToolsOf(t, w), "portfolio_positions", toolstest.Args{"account": "us"})
	for _, row := range []string{"| cash | 100.00 EUR |  | 110.00 |", "| cash |  |  | 990.00 |"} {
		if !strings.Contains(res.UserText(), row) {
			t.Errorf("no row %q:\n%s", row, res.UserText())
		}
	}
}

// C34: a portfolio whose positions have no price shows quantities and costs, in the currency of its
// transactions. Every tool that reads it works.
func TestPositions_APortfolioWithoutPricesIsShown(t *testing.T) {
	w := toolstest.TwoCurrencyFixture()
	w.Base, w.Series = "", nil
	w.Transactions = []portfolio.Transaction{toolstest.Buy("1", "de", "SAP", "4", "500", "EUR", "2024-01-03")}
	res, got := toolstest.CallOK(t, overviewToolsOf(t, w), "portfolio_positions", toolstest.Args{})
	if got["currency"] != "EUR" {
		t.Errorf("currency %v, want EUR of the purchase", got["currency"])
	}
	for _, want := range []string{"| SAP | 4 | 500.00 EUR | no price |", "cost basis"} {
		if !strings.Contains(res.UserText(), want) {
			t.Errorf("no %q in\n%s", want, res.UserText())
		}
	}
	toolstest.CallOK(t, overviewToolsOf(t, w), "portfolio_allocation", toolstest.Args{})
}

// The overview has the returns of portfolio_performance next to those of the benchmark, on one screen.
func TestPositions_ReturnsAreThoseOfPerformance(t *testing.T) {
	d := toolstest.TwoCurrencyFixture().Deps(t)
	d.Benchmark = "VTI"
	_, measured := toolstest.CallOK(t, positions.PerformanceTools(d), performanceOf, toolstest.Args{})
	res, got := toolstest.CallOK(t, positions.OverviewTools(d), "portfolio_positions", toolstest.Args{"returns": true})
	shown, _ := got["returns"].([]any)
	if len(shown) == 0 {
		t.Fatalf("no returns in %v", got)
	}
	for _, each := range shown {
		r := each.(map[string]any)
		window := toolstest.ObjectAt(t, measured, "windows", r["period"].(string))
		if want := toolstest.ObjectAt(t, window, "returns", "time_weighted")["pct"]; r["pct"] != want || r["benchmark"] != "VTI" || r["benchmark_pct"] == nil {
			t.Errorf("%v: %v, want %v and the return of VTI", r["period"], r, want)
		}
	}
	if text := res.UserText(); !strings.Contains(text, "| time-weighted |") || !strings.Contains(text, "| benchmark VTI |") || strings.Count(text, "\n") > 30 {
		t.Errorf("the overview lacks the returns, or is longer than a screen:\n%s", text)
	}
	if _, plain := toolstest.CallOK(t, positions.OverviewTools(d), "portfolio_positions", nil); plain["returns"] != nil {
		t.Error("a model that did not ask for returns gets them")
	}
}
