package positions_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// newTestDeps returns a portfolio of 10 VTI and 4 SAP in two accounts on a Friday: VTI is at
// 120 USD, SAP at 150 EUR and the euro at 1.10 USD.
func newTestDeps(t *testing.T, more ...portfolio.Transaction) positions.Deps {
	t.Helper()
	series := toolstest.WeekSeries()
	// A four-for-one split on the last day: earlier traded prices were four times as high.
	series[0].Provenance.Adjustment, series[0].Actions = market.AdjustmentSplit, []market.Action{toolstest.Split("2024-06-28", "4", "1")}
	pair := market.Pair{Base: "EUR", Quote: "USD"}
	f := toolstest.PortfolioFixture{
		Accounts: []portfolio.Account{toolstest.UntrackedAccount("us"), toolstest.UntrackedAccount("de")},
		Transactions: append([]portfolio.Transaction{
			toolstest.Buy("1", "us", "VTI", "10", "1000", "USD", "2024-06-24"),
			toolstest.Buy("2", "de", "SAP", "4", "500", "EUR", "2024-06-25"),
		}, more...),
		Series: series, Base: "USD", Clock: "2024-06-28T20:00:00Z",
		Rates: map[market.Pair]market.RateSeries{pair: markettest.DailyRates(pair, toolstest.MustDay("2024-06-24"), "1.05", "1.06", "1.07", "1.10")},
	}
	return f.Deps(t)
}

func valued(t *testing.T, d positions.Deps, base string, accounts ...string) positions.Valuation {
	t.Helper()
	o, err := d.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	v, err := d.Value(t.Context(), o, accounts, base)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// 10 x 120 USD = 1200; 4 x 150 EUR = 600 EUR, at the rate of the day before, 1.10, 660 USD.
func TestValue_AddsUpInOneCurrencyAtTheNewestRate(t *testing.T) {
	v := valued(t, newTestDeps(t), "")
	if v.Total.String() != "1860" || !v.Complete || v.Base != "USD" {
		t.Errorf("total = %s %s, whole %v; want 1860 USD, all of it", v.Total, v.Base, v.Complete)
	}
	var got []string
	for _, l := range v.Lines {
		got = append(got, strings.Join([]string{string(l.Symbol), l.Value.Decimal.String(), l.Base.Decimal.String(), l.Weight.Decimal.Round(6).String(), l.Gain().Decimal.String(), l.Rate.Rate.Date.Format("01-02")}, " "))
	}
	want := []string{"VTI 1200 1200 0.645161 200 06-28", "SAP 600 660 0.354839 100 06-27"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

func TestValue_OfOneAccountIsOfThatAlone(t *testing.T) {
	v := valued(t, newTestDeps(t), "EUR", "de")
	if v.Total.String() != "600" || len(v.Lines) != 1 || v.Lines[0].Weight.Decimal.String() != "1" {
		t.Errorf("account de = %s %s, %d lines; want 600 EUR of SAP alone", v.Total, v.Base, len(v.Lines))
	}
}

func TestValue_WhatHasNoPriceIsNamedAndTheTotalIsOfAPart(t *testing.T) {
	v := valued(t, newTestDeps(t, toolstest.Buy("3", "us", "US0000000000", "1", "5", "USD", "2024-06-26")), "")
	if v.Complete || v.Total.String() != "1860" {
		t.Errorf("total = %s, whole %v; want 1860 of a part", v.Total, v.Complete)
	}
	if got := v.Unvalued(); len(got) != 1 || !strings.HasPrefix(got[0], "US0000000000: ") {
		t.Errorf("unvalued = %q; want US0000000000 with its reason", got)
	}
}

func TestValue_WithoutARateTheTotalIsOfAPart(t *testing.T) {
	d := newTestDeps(t)
	d.Rates = nil
	v := valued(t, d, "")
	if v.Complete || v.Total.String() != "1200" || !v.Lines[1].Value.Valid || v.Lines[1].Base.Valid {
		t.Errorf("total = %s, whole %v, SAP %+v; want 1200 and SAP in euros alone", v.Total, v.Complete, v.Lines[1].Base)
	}
}

// C34: a portfolio in several currencies is shown in that of most transactions, and the answer says so.
func TestValue_SeveralCurrenciesWithoutASetting(t *testing.T) {
	d := newTestDeps(t)
	d.Base = ""
	_, got := toolstest.CallOK(t, positions.OverviewTools(d), "portfolio_positions", toolstest.Args{})
	if notes := strings.Join(toolstest.Strings(t, got["notes"]), " "); got["currency"] != "EUR" || !strings.Contains(notes, "Totals are in EUR, the currency of most transactions.") {
		t.Errorf("currency %v, notes %s; want euros and why", got["currency"], notes)
	}
	if v := valued(t, d, "", "de"); v.Base != "EUR" {
		t.Errorf("base of an account in euros = %s", v.Base)
	}
}

func TestLoad_AClockSetBackShowsTheBookOfThen(t *testing.T) {
	d := newTestDeps(t)
	d.Now, d.Replay = toolstest.Clock(t, "2024-06-24T20:00:00Z"), true
	v := valued(t, d, "")
	if len(v.Lines) != 1 || v.Total.String() != "4000" {
		t.Errorf("on the first day = %s of %d lines, unvalued %q; want 10 VTI at the 400 that were paid before a split of later", v.Total, len(v.Lines), v.Unvalued())
	}
	d.Now = toolstest.Clock(t, "2024-06-20T20:00:00Z")
	if _, err := d.Load(t.Context()); !errors.Is(err, positions.ErrEmptyLedger) || !strings.Contains(err.Error(), "later") {
		t.Errorf("before the first = %v; want ErrEmpty that says so", err)
	}
}

func TestLoad_AnEmptyBookSaysHowToBegin(t *testing.T) {
	d := newTestDeps(t)
	d.Store = &portfoliotest.Store{}
	if _, err := d.Load(t.Context()); !errors.Is(err, positions.ErrEmptyLedger) || !strings.Contains(err.Error(), "nfa portfolio import FILE") {
		t.Errorf("Load = %v; want how to begin", err)
	}
}

func TestValue_AnUnknownAccountOffersThoseThatThereAre(t *testing.T) {
	d := newTestDeps(t)
	o, err := d.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Value(t.Context(), o, []string{"uk"}, ""); !errors.Is(err, portfolio.ErrUnknownAccount) || !strings.Contains(err.Error(), "de") {
		t.Errorf("Value of uk = %v; want the accounts that there are", err)
	}
}

func TestValue_ACancelledCallIsAnError(t *testing.T) {
	d := newTestDeps(t)
	o, err := d.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := d.Value(ctx, o, nil, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("Value = %v; want that it was cancelled", err)
	}
}
