package prices_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// payer returns split-adjusted closes of 200 on weekdays from 2021-01-01 to 2024-06-28.
func payer(t *testing.T, actions ...market.Action) market.Series {
	t.Helper()
	s := markettest.Daily("KO", toolstest.MustDay("2021-01-01"), slices.Repeat([]string{"200"}, 911)...)
	s.Provenance.Adjustment, s.Actions = market.AdjustmentSplit, actions
	return s
}

func dividend(t *testing.T, day, amount string) market.Action {
	t.Helper()
	return market.Action{Kind: market.ActionDividend, Date: toolstest.MustDay(day), Amount: decimal.RequireFromString(amount)}
}

func split(t *testing.T, day string, fresh, old int64) market.Action {
	t.Helper()
	return market.Action{Kind: market.ActionSplit, Date: toolstest.MustDay(day), New: decimal.NewFromInt(fresh), Old: decimal.NewFromInt(old)}
}

// 0.5 + 0.5 + 0.6 = 1.6 in twelve months; 1.6 / 200 = 0.8%.
func TestDividendsSplits_SumsTwelveMonthsAndTheYield(t *testing.T) {
	d := depsOf(t, payer(t, dividend(t, "2022-03-15", "0.4"), split(t, "2023-01-10", 4, 1),
		dividend(t, "2023-06-28", "0.45"), dividend(t, "2023-06-29", "0.5"), dividend(t, "2024-03-14", "0.5"), dividend(t, "2024-06-14", "0.6")))
	res, got := group.CallOK(t, d, "dividends_splits", args{"symbol": "ko"})
	toolstest.WantFields(t, got, map[string]any{
		"symbol": "KO", "trailing_12m": "1.6", "yield_pct": "0.8", "payments_12m": 3.0, "last_close": "200", "last_close_date": "2024-06-28",
		"currency": "USD", "count": 6.0, "warnings": []any{},
	})
	newest := got["actions"].([]any)[0].(map[string]any)
	toolstest.WantFields(t, newest, map[string]any{"date": "2024-06-14", "kind": "dividend", "amount": "0.6"})
	toolstest.WantFields(t, got["actions"].([]any)[4].(map[string]any), map[string]any{"date": "2023-01-10", "kind": "split", "ratio": "4 for 1"})
	sum, yield := toolstest.Figure(t, res, "trailing_12m"), toolstest.Figure(t, res, "yield_pct")
	if diff := cmp.Diff([]string{"0.5 on 2023-06-29", "0.5 on 2024-03-14", "0.6 on 2024-06-14"}, sum.Inputs); diff != "" || sum.Unit != "USD" {
		t.Errorf("trailing_12m in %s of (-want +got):\n%s", sum.Unit, diff)
	}
	if diff := cmp.Diff([]string{"trailing_12m 1.6", "last_close 200 on 2024-06-28"}, yield.Inputs); diff != "" {
		t.Errorf("yield_pct of (-want +got):\n%s", diff)
	}
}

func TestDividendsSplits_OfAShortSpanStillSumAWholeYear(t *testing.T) {
	d := depsOf(t, payer(t, dividend(t, "2023-09-15", "0.5"), dividend(t, "2024-06-14", "0.6")))
	d.Now = toolstest.Clock(t, "2024-06-28T20:00:00Z")
	_, got := group.CallOK(t, d, "dividends_splits", args{"symbol": "KO", "from": "2024-06"})
	toolstest.WantFields(t, got, map[string]any{"from": "2024-06-01", "count": 1.0, "trailing_12m": "1.1", "payments_12m": 2.0})
}

func TestDividendsSplits_ZeroIsNotUnknown(t *testing.T) {
	s := payer(t)
	s.Actions = []market.Action{}
	_, got := group.CallOK(t, depsOf(t, s), "dividends_splits", args{"symbol": "KO"})
	toolstest.WantFields(t, got, map[string]any{"trailing_12m": "0", "yield_pct": "0", "count": 0.0, "actions": []any{}})

	res := group.Call(t, depsOf(t, payer(t)), "dividends_splits", args{"symbol": "KO"})
	toolstest.WantError(t, res, tool.CodeNoData, "markettest does not report dividends or splits for KO")
}

// An adjusted close that was never traded gives no yield.
func TestDividendsSplits_NoYieldOnAdjustedPrices(t *testing.T) {
	s := payer(t, dividend(t, "2024-06-14", "0.6"))
	s.Provenance.Adjustment = market.AdjustmentSplitDiv
	_, got := group.CallOK(t, depsOf(t, s), "dividends_splits", args{"symbol": "KO"})
	if got["yield_pct"] != nil || got["trailing_12m"] != "0.6" || !strings.Contains(got["warnings"].([]any)[0].(string), "split_div") {
		t.Errorf("of adjusted prices = %v, want the sum without a yield, and why", got)
	}
}

func TestDividendsSplits_AYearThatIsNotAllThereHasNoSum(t *testing.T) {
	s := markettest.Daily("NEW", toolstest.MustDay("2024-05-01"), slices.Repeat([]string{"20"}, 40)...)
	s.Provenance.Adjustment, s.Actions = market.AdjustmentRaw, []market.Action{dividend(t, "2024-05-15", "1")}
	_, got := group.CallOK(t, depsOf(t, s), "dividends_splits", args{"symbol": "NEW"})
	if got["trailing_12m"] != nil || got["yield_pct"] != nil || got["payments_12m"] != nil || len(got["warnings"].([]any)) != 1 || got["count"] != 1.0 {
		t.Errorf("of two months = %v, want the dividend, no sum and a warning", got)
	}
}

func TestDividendsSplits_ALongListIsCutAndSaysSo(t *testing.T) {
	s := payer(t)
	for i := range 70 {
		a := dividend(t, "2021-01-05", "0.01")
		a.Date = a.Date.AddDate(0, 0, 7*i)
		s.Actions = append(s.Actions, a)
	}
	res, got := group.CallOK(t, depsOf(t, s), "dividends_splits", args{"symbol": "KO"})
	if n := len(got["actions"].([]any)); n != 60 || got["count"] != 70.0 || got["more"] == nil || !strings.Contains(res.UserText(), "newest 60 of 70") {
		t.Errorf("%d of %v actions, more %v; want 60 of 70 and both told:\n%s", n, got["count"], got["more"], res.UserText())
	}
}

// If dividends are unknown, splits are listed without suggesting that there were no dividends.
func TestDividendsSplits_ListsSplitsWithoutDividendTotals(t *testing.T) {
	s := payer(t, split(t, "2023-01-10", 4, 1))
	s.DividendsUnknown = true
	res, got := group.CallOK(t, depsOf(t, s), "dividends_splits", args{"symbol": "KO"})
	if got["count"] != 1.0 || got["trailing_12m"] != nil || got["yield_pct"] != nil || got["payments_12m"] != nil {
		t.Errorf("with only splits = %v, want the split and no sum", got)
	}
	if w := got["warnings"].([]any); len(w) != 1 || !strings.Contains(w[0].(string), "does not report dividends for KO") || !strings.Contains(res.UserText(), "4 for 1") {
		t.Errorf("warnings %v; want a warning that dividends are unknown, and the split:\n%s", w, res.UserText())
	}
	if strings.Contains(res.UserText(), "no dividends") || strings.Contains(res.UserText(), "last 12 months") {
		t.Errorf("dividends are mentioned:\n%s", res.UserText())
	}
	s.Actions = []market.Action{}
	res, _ = group.CallOK(t, depsOf(t, s), "dividends_splits", args{"symbol": "KO"})
	if strings.Contains(res.UserText(), "no dividends") || !strings.Contains(res.UserText(), "had no splits from") {
		t.Errorf("without a split; want none told, and nothing of dividends:\n%s", res.UserText())
	}
}

// Before a ten-for-one split, dividends of 0.40 are 0.04 each for the shares after it.
func TestDividendsSplits_OfPricesAsTradedAmountsAreOfTheNewestShares(t *testing.T) {
	s := payer(t, dividend(t, "2023-12-05", "0.40"), dividend(t, "2024-03-05", "0.40"), split(t, "2024-06-10", 10, 1), dividend(t, "2024-06-11", "0.01"))
	s.Provenance.Adjustment = market.AdjustmentRaw
	_, got := group.CallOK(t, depsOf(t, s), "dividends_splits", args{"symbol": "KO"})
	if got["trailing_12m"] != "0.09" || got["yield_pct"] != "0.045" || got["payments_12m"] != 3.0 || got["adjustment"] != "raw" {
		t.Errorf("a year with a split = %v %v %v %v, want 0.04 + 0.04 + 0.01 = 0.09, 0.045%% of 200 as traded", got["trailing_12m"], got["yield_pct"], got["payments_12m"], got["adjustment"])
	}
}
