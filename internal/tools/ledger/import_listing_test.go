package ledger_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

const trading212Header = "Action,Time,ISIN,Ticker,Name,No. of shares,Price / share,Currency (Price / share),Exchange rate,Total,Currency (Total)\n"

// C30: the ticker exists in London and on Nasdaq; the file says pence.
func TestListing_AShareInPenceIsTheOneOfLondon(t *testing.T) {
	w := newFixture(t)
	w.Files["t.csv"] = []byte(trading212Header + "Market buy,2024-01-03 10:00:00,GB00BH4HKS39,VOD,Vodafone Group,1000,70.00,GBX,100,700.00,GBP\n")
	w.MustCall("import_transactions", args{"path": "t.csv"})
	l := w.Ledger()
	if got := w.HeldQuantity("trading212", "VOD.L"); got != "1000" || l.Aliases["GB00BH4HKS39"] != "VOD.L" {
		t.Errorf("trading212 holds %s VOD.L, aliases %v; want 1000 and the ISIN", got, l.Aliases)
	}
	if len(l.Securities) != 1 || l.Securities[0].Currency != "GBP" || l.Securities[0].Exchange != "XLON" {
		t.Errorf("securities = %+v, want London in pounds", l.Securities)
	}
}

// C30: a mapping by ISIN, or by the ticker of the file, is for one instrument. The American share in
// another account stays.
func TestListing_AMappingBelongsToAnInstrument(t *testing.T) {
	for _, from := range []string{"GB00BH4HKS39", "VOD"} {
		w := newFixture(t)
		w.Record(portfolio.Change{Accounts: []portfolio.Account{untracked("us")}, Add: []portfolio.Transaction{entry("1", "2024-01-03", portfolio.KindBuy, "us", "VOD", "5", "50")}})
		w.Files["t.csv"] = []byte(trading212Header + "Market buy,2024-01-03 10:00:00,GB00BH4HKS39,VOD,Vodafone Group,1000,70.00,GBX,100,700.00,GBP\n")
		w.MustCall("import_transactions", args{"path": "t.csv", "account": "uk", "symbols": args{from: "VOD.XC"}})
		if uk, us := w.HeldQuantity("uk", "VOD.XC"), w.HeldQuantity("us", "VOD"); uk != "1000" || us != "5" {
			t.Errorf("%s: uk holds %s VOD.XC, us holds %s VOD; want 1000 and 5", from, uk, us)
		}
	}
}

// C30: lines that an earlier version recorded under the bare ticker get their listing when the file
// is imported again.
func TestListing_AnEarlierImportIsCorrectedByItsISIN(t *testing.T) {
	w := newFixture(t)
	old := entry("1", "2024-01-03", portfolio.KindBuy, "us", "VOD", "1000", "700")
	old.ISIN, old.Currency = "GB00BH4HKS39", "GBP"
	w.Record(portfolio.Change{Accounts: []portfolio.Account{untracked("us")}, Add: []portfolio.Transaction{old}})
	w.MustCall("portfolio_settings", args{"aliases": args{"GB00BH4HKS39": "VOD.L"}})
	if got := w.HeldQuantity("us", "VOD.L"); got != "1000" {
		t.Errorf("us holds %s VOD.L, want 1000", got)
	}
}

// C30: a ticker in euros without an ISIN may be listed anywhere, so the user is asked, with the
// currencies; one listing with the ticker and currency of the file is used.
func TestListing_WhatStaysAmbiguousIsAQuestion(t *testing.T) {
	w := newFixture(t)
	w.Searches = &markettest.FakeFeeds{Listed: []market.Instrument{
		{Symbol: "KER.PA", Name: "Kering"}, {Symbol: "KER.MI", Name: "Kering"}, {Symbol: "VWRL.L", Name: "World IE00B3RBWM25"}, {Symbol: "VWRL.AS", Name: "World IE00B3RBWM25"},
	}}
	w.Files["r.csv"] = []byte("Date,Ticker,Type,Quantity,Price per share,Total Amount,Currency,FX Rate\n2023-09-22T13:30:10.514Z,KER,BUY - MARKET,2,EUR 50.00,EUR 100.00,EUR,1\n")
	res := w.MustCall("import_transactions", args{"path": "r.csv"})
	if text := res.UserText(); !strings.Contains(text, "KER.PA") || !strings.Contains(text, "KER.MI") || !strings.Contains(text, "EUR") || w.HeldQuantity("revolut", "KER.EUR") != "2" {
		t.Errorf("answer\n%s\nwant a question with both listings and their currency", text)
	}
	w.MustCall("import_transactions", args{"path": "r.csv", "symbols": args{"KER": "KER.PA"}})
	if got := w.HeldQuantity("revolut", "KER.PA"); got != "2" {
		t.Errorf("revolut holds %s KER.PA after the answer, want 2", got)
	}
}

// C30: a purchase by hand in another currency than the quotes of its symbol is confirmed with that
// currency.
func TestListing_APurchaseInAnotherCurrencyConfirmsTheListing(t *testing.T) {
	w := newFixture(t)
	w.MustCall("add_transaction", args{"kind": "buy", "date": "2024-01-02", "symbol": "VTI", "quantity": 1, "price": 200, "currency": "EUR"})
	l := w.Ledger()
	if !strings.Contains(w.Plan(), "VTI is quoted in USD, but this purchase is in EUR") || len(l.Securities) != 1 || l.Securities[0].Currency != "USD" {
		t.Errorf("plan\n%s\nsecurities %+v; want that VTI is quoted in USD", w.Plan(), l.Securities)
	}
}

// In a table of unknown origin BTC may be the crypto asset or the fund with that ticker: the user is asked.
// At a broker of securities it is the fund.
func TestListing_ACodeOfACoinIsAQuestion(t *testing.T) {
	for currency, want := range map[string]string{"USD": "BTC.USD", "EUR": "BTC.EUR"} {
		w := newFixture(t)
		w.Files["t.csv"] = []byte("Date,Type,Symbol,Quantity,Price,Amount,Currency\n2024-01-03,Buy,BTC,0.5,40000.00,20000.00," + currency + "\n2024-01-04,Deposit,,,,20000.00," + currency + "\n")
		res := w.MustCall("import_transactions", args{"path": "t.csv", "account": "a"})
		if got := w.HeldQuantity("a", market.Symbol(want)); got != "0.5" || !strings.Contains(res.UserText(), want+"=BTC-USD") {
			t.Errorf("%s: a holds %s %s, and people read\n%s\nwant a question with the coin first", currency, got, want, res.UserText())
		}
		w.MustCall("import_transactions", args{"path": "t.csv", "account": "a", "symbols": args{want: "BTC-USD"}})
		if got := w.HeldQuantity("a", "BTC-USD"); got != "0.5" {
			t.Errorf("%s: a holds %s BTC-USD once it is named, want 0.5", currency, got)
		}
	}
}
