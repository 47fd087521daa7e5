package ledger_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

func TestPortfolioSettings_ShowingAsksNobody(t *testing.T) {
	w := newFixture(t)
	res := w.MustCall("portfolio_settings", nil)
	if len(w.Approvals) != 0 || !strings.Contains(res.UserText(), "The portfolio has 0 accounts and 0 targets.") {
		t.Errorf("asked %d times; the user sees\n%s", len(w.Approvals), res.UserText())
	}
}

func TestPortfolioSettings_AChangeIsShownAndMade(t *testing.T) {
	w := newFixture(t)
	res := w.MustCall("portfolio_settings", args{
		"account":    args{"name": "ira", "new": true, "cost_basis": "highest_cost", "cash": "untracked", "untaxed": true},
		"aliases":    args{"US9229087690": "vti"},
		"securities": []args{{"symbol": "US9229087690", "class": "equity", "region": "US", "fee": 0.0003}},
		"targets":    []args{{"symbol": "VTI", "weight": 0.6}, {"symbol": "BND", "weight": 0.35}},
	})
	for _, want := range []string{`account "ira": cost basis highest_cost, cash untracked, tax-deferred`, "alias US9229087690 -> VTI", "VTI: class equity, region US, expense ratio 0.03%", "target VTI: 60%", "target cash: 5%"} {
		if !strings.Contains(w.Plan(), want) {
			t.Errorf("the user was shown\n%s\nwant %q", w.Plan(), want)
		}
	}
	l := w.Ledger()
	want := portfolio.Account{Name: "ira", Method: portfolio.MethodHighestCost, Cash: portfolio.CashUntracked, Untaxed: true}
	if len(l.Accounts) != 1 || l.Accounts[0] != want || l.Aliases["US9229087690"] != "VTI" || len(l.Targets) != 2 || len(l.Securities) != 1 {
		t.Fatalf("ledger = %+v", l)
	}
	if s := l.Securities[0]; s.Symbol != "VTI" || s.Fee.Decimal.String() != "0.0003" || s.RecordedOn.Format("2006-01-02") != "2024-06-28" {
		t.Errorf("security = %+v, want VTI as said on the day of the clock", s)
	}
	if got := toolstest.Figure(t, res, "left_for_cash"); got.Value.String() != "5" || got.Formula == "" {
		t.Errorf("figure left_for_cash = %+v", got)
	}
	w.MustCall("portfolio_settings", args{"account": args{"name": "ira", "cash": "margin"}, "securities": []args{{"symbol": "VTI", "sector": "all"}}, "no_targets": true, "aliases": args{"US9229087690": ""}})
	l = w.Ledger()
	if a := l.Accounts[0]; a.Cash != portfolio.CashMargin || a.Method != portfolio.MethodHighestCost || !a.Untaxed || len(l.Targets) != 0 || len(l.Aliases) != 0 {
		t.Errorf("ledger = %+v, want what was not named as it was", l)
	}
	if s := l.Securities[0]; s.Class != portfolio.ClassEquity || s.Sector != "all" {
		t.Errorf("security = %+v, want both facts", s)
	}
}

func TestPortfolioSettings_WhatCannotBeIsRefused(t *testing.T) {
	for _, tc := range []struct {
		name  string
		in    args
		parts []string
	}{
		{"an account that there is not", args{"account": args{"name": "x", "cash": "margin"}}, []string{"unknown account", "schwab", "new true"}},
		{"one that there is", args{"account": args{"name": "schwab", "new": true}}, []string{"already"}},
		{"a cost basis that there is not", args{"account": args{"name": "schwab", "cost_basis": "best"}}, []string{"fifo"}},
		{"lots that a sale did not name", args{"account": args{"name": "schwab", "cost_basis": "specific"}}, []string{"make the ledger invalid", "t1"}},
		{"a class that there is not", args{"securities": []args{{"symbol": "VTI", "class": "stonks"}}}, []string{"stonks"}},
		{"more than everything", args{"targets": []args{{"symbol": "VTI", "weight": 0.7}, {"symbol": "BND", "weight": 0.4}}}, []string{"110%", "more than 100%"}},
		{"per cents for fractions", args{"targets": []args{{"symbol": "VTI", "weight": 60}}}, []string{"are fractions"}},
		{"one twice", args{"targets": []args{{"symbol": "VTI", "weight": 0.1}, {"symbol": "vti", "weight": 0.1}}}, []string{"once"}},
		{"a security twice", args{"securities": []args{{"symbol": "VTI", "class": "equity"}, {"symbol": "vti", "region": "US"}}}, []string{"VTI appears twice"}},
		{"an alias twice", args{"aliases": args{"vtx": "A", "VTX": "B"}}, []string{"VTX appears twice"}},
		{"both", args{"targets": []args{{"symbol": "VTI", "weight": 0.1}}, "no_targets": true}, []string{"not both"}},
		{"an alias of itself", args{"aliases": args{"A": "B", "B": "A"}}, []string{"itself"}},
		{"a name that is none", args{"aliases": args{"a:b": "B"}}, []string{"aliases"}},
	} {
		t.Run(tc.name, func(t *testing.T) { newImportedFixture(t).WantRefused("portfolio_settings", tc.in, tc.parts...) })
	}
	newFixture(t).WantRefused("portfolio_settings", args{"account": args{"name": "x", "cash": "margin"}}, "there are no accounts yet", "new true")
}
