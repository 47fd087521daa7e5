package companies_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// ratios returns the values of an answer, and the reasons for absent ones.
func ratios(got map[string]any) (values, reasons map[string]string) {
	values, reasons = map[string]string{}, map[string]string{}
	for _, r := range got["ratios"].([]any) {
		r := r.(map[string]any)
		values[r["id"].(string)] = r["value"].(string)
	}
	for _, r := range got["absent"].([]any) {
		r := r.(map[string]any)
		reasons[r["id"].(string)] = r["reason"].(string)
	}
	return values, reasons
}

// wantRatios compares ratios, rounded to the digits of want.
func wantRatios(t testing.TB, values, want map[string]string) {
	t.Helper()
	picked := map[string]string{}
	for id := range want {
		if v, ok := values[id]; ok {
			picked[id] = toolstest.MustDecimal(v).Round(-toolstest.MustDecimal(want[id]).Exponent()).String()
		}
	}
	if diff := cmp.Diff(want, picked); diff != "" {
		t.Errorf("ratios (-want +got):\n%s", diff)
	}
}

// By hand: 133050 / 416161 = 31.97%, 112010 / 416161 = 26.92%, (111482 - 12715) / 416161 = 23.73%,
// 7.46 / 6.08 - 1 = 22.70%, (416161 / 274515)^(1/5) - 1 = 8.68%. The sample prices end three years
// before these statements.
func TestKeyRatios_OfTheSample(t *testing.T) {
	res, got := fundamentals.CallOK(t, newSampleDeps(t), "key_ratios", args{"symbol": "apple"})
	toolstest.WantFields(t, got, map[string]any{"symbol": "AAPL", "span": "annual", "balances_from": "2024-09-28", "flags": []any{"sample"}})
	values, reasons := ratios(got)
	wantRatios(t, values, map[string]string{
		"operating_margin": "31.97", "net_margin": "26.92", "free_cash_flow": "98767000000", "free_cash_flow_margin": "23.73",
		"diluted_eps_growth_1y": "22.7", "revenue_growth_5y": "8.68", "earnings_per_share": "7.46",
	})
	if r := reasons["price_to_earnings"]; !strings.Contains(r, "the price is from 2022-06-28, before the period ends on 2025-09-27") {
		t.Errorf("price_to_earnings is absent since %q, want since the price is older", r)
	}
	margin := toolstest.Figure(t, res, "operating_margin")
	if diff := cmp.Diff([]string{"operating_income.FY2025 133050000000 USD", "revenue.FY2025 416161000000 USD"}, margin.Inputs); diff != "" {
		t.Errorf("operating_margin of (-want +got):\n%s", diff)
	}
	wantDatedFigures(t, res)
}

// By hand: 268.56 / 7.46 = 36.00; 268.56 * 14776.353 = 3968337.36 million; that over 73733
// is 53.82; with net debt of 98657 - 35934, EV is 4031060.36; over 133050 + 11698 that is 27.849;
// 98767 / 3968337.36 = 2.49%.
func TestKeyRatios_SetThePriceAgainstTheStatements(t *testing.T) {
	res, got := fundamentals.CallOK(t, appleAt(t, "2025-11-18", "267.44", "268.56").deps(t), "key_ratios", args{"symbol": "AAPL", "groups": []string{"Valuation"}})
	values, _ := ratios(got)
	wantRatios(t, values, map[string]string{
		"market_cap": "3968337361680", "price_to_earnings": "36", "price_to_book": "53.8204", "enterprise_value": "4031060361680", "ev_to_ebitda": "27.8488", "free_cash_flow_yield": "2.49",
	})
	if _, ok := values["net_margin"]; ok {
		t.Error("net_margin is included, but its group was not requested")
	}
	toolstest.WantFields(t, got["price"].(map[string]any), map[string]any{"value": "268.56", "as_of": "2025-11-19", "currency": "USD", "source": "prices of the test"})
	value := toolstest.Figure(t, res, "ev_to_ebitda")
	if diff := cmp.Diff([]string{"enterprise_value 4031060361680 USD", "ebitda 144748000000 USD"}, value.Inputs); diff != "" || !strings.Contains(value.Source, "prices of the test") {
		t.Errorf("ev_to_ebitda of %s (-want +got):\n%s", value.Source, diff)
	}
	// Its inputs are included, although they are in another group.
	if f := toolstest.Figure(t, res, "ebitda"); f.Formula == "" {
		t.Errorf("figure %+v", f)
	}
	price, count := toolstest.Figure(t, res, "price.value"), toolstest.Figure(t, res, "shares_outstanding.2025-09-27")
	if price.Source != "prices of the test" || !price.AsOf.Equal(toolstest.MustDay("2025-11-19")) || !strings.Contains(count.Source, "10-K 0000320193-25-000079") {
		t.Errorf("figures %+v and %+v", price, count)
	}
	wantDatedFigures(t, res)
	for _, part := range []string{"| price | 268.56 USD |", "prices of the test · 2025-09-27 to 2025-11-19", "| price to earnings (P/E) | 36.00 x | price / diluted EPS |", "| market capitalization | 3,968,337 million USD |"} {
		if !strings.Contains(res.UserText(), part) {
			t.Errorf("the card lacks %q:\n%s", part, res.UserText())
		}
	}
}

func TestKeyRatios_ASplitSinceTheFiling(t *testing.T) {
	_, got := fundamentals.CallOK(t, splitApple(t).deps(t), "key_ratios", args{"symbol": "AAPL"})
	values, _ := ratios(got)
	// 67.14 * 4 = 268.56, as in TestKeyRatios_SetThePriceAgainstTheStatements.
	wantRatios(t, values, map[string]string{"market_cap": "3968337361680", "price_to_earnings": "36", "ev_to_ebitda": "27.8488"})
	_, got = fundamentals.CallOK(t, warnedApple(t).deps(t), "key_ratios", args{"symbol": "AAPL"})
	values, reasons := ratios(got)
	for _, id := range []string{"market_cap", "price_to_earnings", "price_to_book", "ev_to_ebitda", "free_cash_flow_yield", "book_value_per_share"} {
		if v, ok := values[id]; ok || !strings.Contains(reasons[id], "split") {
			t.Errorf("a split that the statement warns of: %s = %q, %q; want none", id, v, reasons[id])
		}
	}
	wantRatios(t, values, map[string]string{"net_margin": "26.92"})
}

// C10: the price of a preferred share is not combined with the company's common shares.
func TestKeyRatios_OfAPreferredShare(t *testing.T) {
	s := markettest.Daily("BAC-PL", toolstest.MustDay("2025-11-18"), "1200", "1205")
	s.Actions = []market.Action{}
	w := &companyFixture{Source: markettest.NewSource(s)}
	all := apple(t)
	for i := range all {
		all[i].Symbol, all[i].Class = "BAC-PL", market.ClassPreferred
	}
	w.AddStatements(all...)
	_, got := fundamentals.CallOK(t, w.deps(t), "key_ratios", args{"symbol": "BAC-PL"})
	values, reasons := ratios(got)
	for _, id := range []string{"market_cap", "price_to_earnings", "earnings_per_share", "enterprise_value"} {
		if want := "BAC-PL is a preferred share, so figures per common share do not apply"; reasons[id] != want || values[id] != "" {
			t.Errorf("%s = %q, absent since %q; want since %q", id, values[id], reasons[id], want)
		}
	}
	wantRatios(t, values, map[string]string{"net_margin": "26.92"})
}

func splitApple(t testing.TB) *companyFixture {
	t.Helper()
	s := markettest.Daily("AAPL", toolstest.MustDay("2025-11-18"), "268.56", "67.14")
	s.Actions = []market.Action{{Kind: market.ActionSplit, Date: toolstest.MustDay("2025-11-19"), New: decimal.NewFromInt(4), Old: decimal.NewFromInt(1)}}
	w := &companyFixture{Source: markettest.NewSource(s)}
	w.AddStatements(apple(t)...)
	return w
}

func warnedApple(t testing.TB) *companyFixture {
	t.Helper()
	s := markettest.Daily("AAPL", toolstest.MustDay("2025-11-18"), "268.56")
	s.Actions = []market.Action{}
	all := apple(t)
	all[0].Warnings = []string{"filed before a split of 4 for 1 that reports show from 2025-11-19, and not adjusted for it: diluted_eps, shares_outstanding"}
	w := &companyFixture{Source: markettest.NewSource(s)}
	w.AddStatements(all...)
	return w
}

// In November 2025 a share cost 268.56. After a four-for-one split in 2026, sources report 67.14 for
// that day, but the share count filed then is the old one.
func TestKeyRatios_OfAClockSetBackUndoLaterSplits(t *testing.T) {
	later := func(adjustment market.Adjustment, actions []market.Action) *companyFixture {
		s := markettest.Daily("AAPL", toolstest.MustDay("2025-11-18"), "67.14", "67.14", "67.14", "68", "69", "70")
		s.Provenance.Adjustment, s.Actions = adjustment, actions
		w := &companyFixture{Source: markettest.NewSource(s)}
		w.AddStatements(apple(t)...)
		return w
	}
	split := []market.Action{
		{Kind: market.ActionDividend, Date: toolstest.MustDay("2025-11-24"), Amount: decimal.New(26, -2)},
		{Kind: market.ActionSplit, Date: toolstest.MustDay("2025-11-25"), New: decimal.NewFromInt(4), Old: decimal.NewFromInt(1)},
	}
	for _, row := range []struct {
		name   string
		w      *companyFixture
		clock  string
		want   string
		reason string
	}{
		{"undone", later(market.AdjustmentSplit, split), companyNow, "268.56", ""},
		{"of raw prices nothing is undone", later(market.AdjustmentRaw, split), companyNow, "67.14", ""},
		{"nothing came later", later(market.AdjustmentSplit, nil), "2025-11-25T23:00:00Z", "70", ""},
		{"dividends cannot be undone", later(market.AdjustmentSplitDiv, split), companyNow, "", "adjusted for later events"},
		{"splits are unknown", later(market.AdjustmentSplit, nil), companyNow, "", "adjusted for later events"},
	} {
		d := row.w.deps(t)
		d.Now, d.Replay = toolstest.Clock(t, row.clock), true
		_, got := fundamentals.CallOK(t, d, "key_ratios", args{"symbol": "AAPL"})
		_, reasons := ratios(got)
		if row.want == "" {
			if got["price"] != nil || !strings.Contains(reasons["market_cap"], row.reason) {
				t.Errorf("%s: price %v, market_cap absent since %q; want none since %s", row.name, got["price"], reasons["market_cap"], row.reason)
			}
			continue
		}
		if p := got["price"].(map[string]any); p["value"] != row.want {
			t.Errorf("%s: price %v, want %s", row.name, p, row.want)
		}
	}
}

// Yahoo has only the latest version of statements: after a later split, their earnings per share do
// not match the price of that day.
func TestKeyRatios_OfAClockSetBackNeedStatementsAsTheyWereFiled(t *testing.T) {
	w := appleAt(t, "2025-11-19", "268.56")
	unfiled := apple(t)[:1]
	unfiled[0].Filed = market.Date{}
	for _, replay := range []bool{true, false} {
		d := w.deps(t)
		d.Statements, d.Replay = newStatementsFixture(unfiled...), replay
		d.Now = toolstest.Clock(t, "2026-02-20T15:00:00Z")
		_, got := fundamentals.CallOK(t, d, "key_ratios", args{"symbol": "AAPL"})
		values, reasons := ratios(got)
		if _, ok := values["price_to_earnings"]; ok == replay || replay && !strings.Contains(reasons["price_to_earnings"], "later restatements") {
			t.Errorf("replay %t: price_to_earnings = %q, %q", replay, values["price_to_earnings"], reasons["price_to_earnings"])
		}
	}
}

// failingBars is an unreachable source of bars.
type failingBars struct{}

func (failingBars) Bars(context.Context, market.Symbol, market.Range) (market.Series, error) {
	return market.Series{}, fmt.Errorf("bars: %w", market.ErrUnavailable)
}

func TestKeyRatios_OthersNeedNoPrice(t *testing.T) {
	w := appleAt(t, "2025-11-19", "268.56")
	d := w.deps(t)
	d.Bars, d.Quotes = failingBars{}, nil
	_, got := fundamentals.CallOK(t, d, "key_ratios", args{"symbol": "AAPL"})
	values, reasons := ratios(got)
	wantRatios(t, values, map[string]string{"net_margin": "26.92"})
	if !strings.Contains(reasons["market_cap"], "source unavailable") {
		t.Errorf("market_cap is absent since %q, want since the source is unavailable", reasons["market_cap"])
	}
	// A quote is enough, with a warning about splits.
	d.Quotes = w
	_, got = fundamentals.CallOK(t, d, "key_ratios", args{"symbol": "AAPL"})
	values, _ = ratios(got)
	wantRatios(t, values, map[string]string{"price_to_earnings": "36"})
	if warned := strings.Join(toolstest.Strings(t, got["warnings"]), "; "); !strings.Contains(warned, "does not report splits") {
		t.Errorf("warnings %q, want that of splits", warned)
	}
}

// Bars that end long before the quote do not show later splits, which may still have happened.
func TestKeyRatios_BarsThatEndEarlyShowNoSplits(t *testing.T) {
	for last, warned := range map[string]bool{"2025-11-18": false, "2025-11-03": true} {
		d := appleAt(t, last, "270").deps(t)
		d.Quotes = appleAt(t, "2025-11-19", "268.56")
		_, got := fundamentals.CallOK(t, d, "key_ratios", args{"symbol": "AAPL"})
		if w := strings.Join(toolstest.Strings(t, got["warnings"]), "; "); strings.Contains(w, "does not report splits") != warned {
			t.Errorf("bars to %s: warnings %q, want one of splits: %t", last, w, warned)
		}
	}
}

func TestKeyRatios_TakeFourQuartersWhereTheyAreNewer(t *testing.T) {
	w := appleAt(t, "2025-11-19", "268.56")
	trailing := year(t, 2025, "2025-11-01", "2025-11-15", map[string]string{market.ItemRevenue: "420000000000", market.ItemNetIncome: "126000000000"})
	trailing.Span, trailing.FiscalPeriod = market.SpanTrailing, "TTM"
	quarter := year(t, 2025, "2025-11-01", "2025-11-15", map[string]string{market.ItemEquity: "75000000000", market.ItemSharesOutstanding: "14000000000"})
	quarter.Span, quarter.FiscalPeriod = market.SpanQuarterly, "Q1"
	w.AddStatements(trailing, quarter)
	_, got := fundamentals.CallOK(t, w.deps(t), "key_ratios", args{"symbol": "AAPL"})
	values, _ := ratios(got)
	// 268.56 * 14000 / 126000 = 29.84, with the newer share count.
	wantRatios(t, values, map[string]string{"net_margin": "30", "price_to_earnings": "29.84", "revenue_growth_1y": "6.43"})
	if p := got["period"].(map[string]any); p["period"] != "TTM 2025-11-01" {
		t.Errorf("period %v, want the four quarters", p)
	}
	_, got = fundamentals.CallOK(t, w.deps(t), "key_ratios", args{"symbol": "AAPL", "span": "annual"})
	values, _ = ratios(got)
	wantRatios(t, values, map[string]string{"net_margin": "26.92", "price_to_earnings": "36"})
}

func TestKeyRatios_WhatIsNoChoiceIsRefused(t *testing.T) {
	d := newSampleDeps(t)
	toolstest.WantError(t, fundamentals.Call(t, d, "key_ratios", args{"symbol": "AAPL", "span": "quarterly"}), tool.CodeValidation, "annual or ttm")
	toolstest.WantError(t, fundamentals.Call(t, d, "key_ratios", args{"symbol": "AAPL", "groups": []string{"vibes"}}), tool.CodeValidation, "profitability")
	toolstest.WantError(t, fundamentals.Call(t, d, "key_ratios", args{"symbol": "AAPL", "span": "ttm"}), tool.CodeNoData, "omit span")
	d = newStatementsFixture(year(t, 2025, "2025-09-27", "2025-10-31", map[string]string{market.ItemGoodwill: "1"})).deps(t)
	d.Bars = nil
	toolstest.WantError(t, fundamentals.Call(t, d, "key_ratios", args{"symbol": "AAPL"}), tool.CodeNoData, "net_income was not found")
}

func TestKeyRatios_ASourceOutOfReachIsAnError(t *testing.T) {
	w := appleAt(t, "2025-11-19", "268.56")
	d := w.deps(t)
	d.Statements = &companyFixture{Source: &markettest.Source{Err: market.ErrUnavailable}}
	res := fundamentals.Call(t, d, "key_ratios", args{"symbol": "AAPL"})
	if !res.IsError || res.Code == tool.CodeNoData || !strings.Contains(res.ErrorText(), "source unavailable") {
		t.Errorf("result %q, code %q; want an error that is no missing data", res.ErrorText(), res.Code)
	}
}

// annualOnly returns only annual statements; quarters are unreachable.
type annualOnly struct{ *companyFixture }

func (y annualOnly) Statements(ctx context.Context, sym market.Symbol, q market.StatementQuery) ([]market.Statement, error) {
	if q.Span != market.SpanAnnual {
		return nil, fmt.Errorf("statements: %w", market.ErrRateLimited)
	}
	return y.companyFixture.Statements(ctx, sym, q)
}

func TestKeyRatios_YearsAreEnoughAndTheRestIsSaidToBeMissing(t *testing.T) {
	w := appleAt(t, "2025-11-19", "268.56")
	d := w.deps(t)
	d.Statements = annualOnly{w}
	_, got := fundamentals.CallOK(t, d, "key_ratios", args{"symbol": "AAPL"})
	values, _ := ratios(got)
	wantRatios(t, values, map[string]string{"net_margin": "26.92"})
	if warned := toolstest.Strings(t, got["warnings"]); len(warned) != 1 || !strings.Contains(warned[0], "no quarterly or ttm statements") || !strings.Contains(warned[0], "rate limited") {
		t.Errorf("warnings %q, want that quarters are unavailable", warned)
	}
}

func TestRecorded_RatiosOfAppleFitIntoAnAnswer(t *testing.T) {
	d := appleAt(t, "2025-08-19", "230.56", "226.01").deps(t)
	d.Statements, d.Replay, d.Now = recordedApple(t), true, toolstest.Clock(t, "2025-08-20T20:00:00Z")
	res, got := fundamentals.CallOK(t, d, "key_ratios", args{"symbol": "AAPL"})
	values, _ := ratios(got)
	// C14: 226.01 / (1.57 + 1.65 + 2.40 + (6.08 - 5.11)) = 34.296, for the four quarters to 2025-06-28,
	// with every ratio per share: dividends of 0.26 + 0.25 + 0.25 + (0.98 - 0.73) = 1.01.
	wantRatios(t, values, map[string]string{"price_to_earnings": "34.296", "earnings_per_share": "6.59", "dividends_per_share": "1.01"})
	for _, id := range []string{"revenue_per_share", "free_cash_flow_per_share", "book_value_per_share"} {
		if _, ok := values[id]; !ok {
			t.Errorf("%s is missing", id)
		}
	}
	if r := toolstest.Find(t, got, "ratios", "id", "earnings_per_share"); r["formula"] != "diluted_eps, derived: sum of four quarters" {
		t.Errorf("formula %v, want it marked as derived", r["formula"])
	}
	derived := false
	for _, note := range got["derived"].([]any) {
		n := note.(map[string]any)
		derived = derived || n["formula"] == "sum of four quarters" && slices.Contains(toolstest.Strings(t, n["items"]), market.ItemDilutedEPS)
	}
	if !derived || !strings.Contains(res.UserText(), "| 6.59 USD d |") || !strings.Contains(res.UserText(), "d: uses derived figures") {
		t.Errorf("derived %v, want diluted_eps; and marked in the table:\n%s", got["derived"], res.UserText())
	}
	if n := len(res.ModelText()); n > toolkit.MaxEncodedBytes || len(values) < 50 {
		t.Errorf("%d ratios in %d bytes, want at least 50 in %d", len(values), n, toolkit.MaxEncodedBytes)
	}
	wantDatedFigures(t, res)
}
