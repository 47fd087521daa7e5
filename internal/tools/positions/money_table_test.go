package positions_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// maybe parses a number; an empty text is an unknown one.
func maybe(text string) decimal.NullDecimal {
	if text == "" {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(toolstest.MustDecimal(text))
}

func TestSubtractKnown_WhatIsUnknownStaysUnknown(t *testing.T) {
	for _, tc := range []struct{ a, b, less, plus string }{{"5", "3", "2", "8"}, {"3", "5", "-2", "8"}, {"", "5", "", ""}, {"5", "", "", ""}, {"", "", "", ""}} {
		less, plus := positions.SubtractKnown(maybe(tc.a), maybe(tc.b)), positions.AddKnown(maybe(tc.a), maybe(tc.b))
		if diff := cmp.Diff([]decimal.NullDecimal{maybe(tc.less), maybe(tc.plus)}, []decimal.NullDecimal{less, plus}); diff != "" {
			t.Errorf("%q less and plus %q (-want +got):\n%s", tc.a, tc.b, diff)
		}
	}
}

// The key of a transaction has everything about the event, and nothing about who recorded it.
func TestTransactionKey_OfAnotherEventIsAnother(t *testing.T) {
	base := func() portfolio.Transaction {
		x := toolstest.Buy("1", "us", "VTI", "10", "1000", "USD", "2024-06-24")
		x.ToSymbol, x.ToCurrency, x.ToAccount = "NEW", "EUR", "de"
		return x
	}
	like := func(change func(*portfolio.Transaction)) bool {
		x := base()
		change(&x)
		return positions.NewTransactionKey(x, nil) == positions.NewTransactionKey(base(), nil)
	}
	for name, change := range map[string]func(*portfolio.Transaction){
		"account": func(x *portfolio.Transaction) { x.Account = "de" }, "day": func(x *portfolio.Transaction) { x.Date = x.Date.AddDate(0, 0, 1) },
		"kind": func(x *portfolio.Transaction) { x.Kind = portfolio.KindSell }, "symbol": func(x *portfolio.Transaction) { x.Symbol = "VTV" },
		"quantity": func(x *portfolio.Transaction) { x.Quantity = toolstest.MustDecimal("10.0001") }, "amount": func(x *portfolio.Transaction) { x.Amount = toolstest.MustDecimal("1000.01") },
		"currency": func(x *portfolio.Transaction) { x.Currency = "EUR" }, "to symbol": func(x *portfolio.Transaction) { x.ToSymbol = "OLD" },
		"to currency": func(x *portfolio.Transaction) { x.ToCurrency = "CHF" }, "to account": func(x *portfolio.Transaction) { x.ToAccount = "uk" },
	} {
		if like(change) {
			t.Errorf("with another %s it is taken for the same event", name)
		}
	}
	for name, change := range map[string]func(*portfolio.Transaction){
		"ID": func(x *portfolio.Transaction) { x.ID = "2" }, "note": func(x *portfolio.Transaction) { x.Note = "again" }, "name": func(x *portfolio.Transaction) { x.Name = "Vanguard" },
		"source": func(x *portfolio.Transaction) { x.Source, x.SourceID = "schwab", "7" }, "fee": func(x *portfolio.Transaction) { x.Fee = toolstest.MustDecimal("1") },
		"digits": func(x *portfolio.Transaction) {
			x.Quantity, x.Amount = toolstest.MustDecimal("10.00"), toolstest.MustDecimal("1e3")
		},
	} {
		if !like(change) {
			t.Errorf("with another %s it is taken for another event", name)
		}
	}
}

func TestResolveAlias_FollowsAChainToItsEnd(t *testing.T) {
	aliases := map[market.Symbol]market.Symbol{"A": "B", "B": "C", "C": "D", "X": "Y"}
	for from, want := range map[market.Symbol]market.Symbol{"A": "D", "C": "D", "D": "D", "X": "Y", "Z": "Z", "": ""} {
		if got := positions.ResolveAlias(aliases, from); got != want {
			t.Errorf("Ending(%s) = %s; want %s", from, got, want)
		}
	}
}

func TestBaseCurrency_IsTheOneThatIsAskedForElseTheUsersElseTheOnlyOne(t *testing.T) {
	for _, tc := range []struct {
		name, asked, set string
		used             []string
		want             string // "" for ErrBase
	}{
		{"asked for", "eur", "USD", []string{"CHF"}, "EUR"},
		{"the setting", "", "USD", []string{"CHF"}, "USD"},
		{"the only one", "", "", []string{"CHF", "CHF"}, "CHF"},
		{"two", "", "", []string{"USD", "EUR", "USD"}, ""},
		{"none", "", "", nil, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := positions.Deps{Base: tc.set}.BaseCurrency(tc.asked, tc.used)
			if got != tc.want || errors.Is(err, positions.ErrNoBaseCurrency) != (tc.want == "") {
				t.Errorf("BaseFor(%q, %q) = %q, %v; want %q", tc.asked, tc.used, got, err, tc.want)
			}
		})
	}
	if _, err := (positions.Deps{}).BaseCurrency("gold", nil); err == nil || errors.Is(err, positions.ErrNoBaseCurrency) {
		t.Errorf("BaseFor(gold) = %v; want that it is no currency", err)
	}
}

// 10 VTI for 1000 in one account, and 2 sold short for 250 in another: 8 for 750, with a market value of 8
// x 120.
func TestValue_ALineIsAllOfOneSecurity(t *testing.T) {
	short := sale("3", "de", "2", "250", "2024-06-26")
	short.Short = true
	v := valued(t, newTestDeps(t, short), "")
	i := slices.IndexFunc(v.Lines, func(l positions.ValuedPosition) bool { return l.Symbol == "VTI" })
	l := v.Lines[i]
	if l.Quantity.String() != "8" || l.Cost.Decimal.String() != "750" || l.Value.Decimal.String() != "960" || l.Gain().Decimal.String() != "210" || len(l.Lots) != 2 {
		t.Errorf("VTI = %s for %s, worth %s, gain %s, %d lots; want 8 for 1000 - 250, worth 960, gain 210, two lots", l.Quantity, l.Cost.Decimal, l.Value.Decimal, l.Gain().Decimal, len(l.Lots))
	}
	slices.Sort(l.Accounts)
	if diff := cmp.Diff([]string{"de", "us"}, l.Accounts); diff != "" {
		t.Errorf("accounts (-want +got):\n%s", diff)
	}
}

func TestGain_IsAbsentWhereCostOrCurrencyIs(t *testing.T) {
	in := func(currency string) positions.Price {
		return positions.Price{Provenance: market.Provenance{Currency: currency}}
	}
	for _, tc := range []struct {
		name string
		line positions.ValuedPosition
		want string
	}{
		{"known", positions.ValuedPosition{Value: maybe("120"), Cost: maybe("100"), CostCurrency: "USD", Price: in("USD")}, "20"},
		{"a loss", positions.ValuedPosition{Value: maybe("90"), Cost: maybe("100"), CostCurrency: "USD", Price: in("USD")}, "-10"},
		{"no value", positions.ValuedPosition{Cost: maybe("100"), CostCurrency: "USD", Price: in("USD")}, ""},
		{"no cost", positions.ValuedPosition{Value: maybe("120"), CostCurrency: "USD", Price: in("USD")}, ""},
		{"in two currencies", positions.ValuedPosition{Value: maybe("120"), Cost: maybe("100"), CostCurrency: "EUR", Price: in("USD")}, ""},
	} {
		if diff := cmp.Diff(maybe(tc.want), tc.line.Gain()); diff != "" {
			t.Errorf("%s: Gain (-want +got):\n%s", tc.name, diff)
		}
	}
	bought := toolstest.Buy("3", "de", "VTI", "1", "100", "EUR", "2024-06-26")
	if v := valued(t, newTestDeps(t, bought), ""); v.Lines[0].Symbol != "VTI" || v.Lines[0].Cost.Valid || v.Lines[0].Gain().Valid {
		t.Errorf("cost of what was bought in two currencies = %v, gain %v; want neither", v.Lines[0].Cost, v.Lines[0].Gain())
	}
}

// A debt of 2000 USD next to 1860 is below zero, so there are no weights.
func TestValue_ATotalThatIsNotAboveZeroHasNoWeights(t *testing.T) {
	d := newTestDeps(t)
	err := d.Store.Update(t.Context(), func(portfolio.Ledger) (portfolio.Change, error) {
		owing := portfolio.NewAccount("margin")
		owing.Cash = portfolio.CashMargin
		return portfolio.Change{Accounts: []portfolio.Account{owing}, Add: []portfolio.Transaction{
			{ID: "9", Date: portfoliotest.Day("2024-06-26"), Kind: portfolio.KindWithdrawal, Account: "margin", Amount: toolstest.MustDecimal("2000"), Currency: "USD"},
		}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	v := valued(t, d, "")
	if v.Total.String() != "-140" || !v.Complete || v.Lines[0].Weight.Valid || v.Cash[0].Weight.Valid {
		t.Errorf("total = %s, weights %v and %v; want -140 without weights", v.Total, v.Lines[0].Weight, v.Cash[0].Weight)
	}
}

func TestCheckAccounts_NoneNamedAreAll(t *testing.T) {
	o := loaded(t, newTestDeps(t))
	for _, tc := range []struct{ asked, want []string }{{nil, []string{"us", "de"}}, {[]string{"de"}, []string{"de"}}} {
		if got, err := o.CheckAccounts(tc.asked); err != nil || !slices.Equal(got, tc.want) {
			t.Errorf("Accounts(%q) = %q, %v; want %q", tc.asked, got, err, tc.want)
		}
	}
	long := strings.Repeat("x", 5000)
	if _, err := o.CheckAccounts([]string{"us", long}); !errors.Is(err, portfolio.ErrUnknownAccount) || len(err.Error()) > 300 {
		t.Errorf("Accounts of a name of 5000 letters = %v; want ErrUnknownAccount in a line", err)
	}
}

func TestDescribeSecurity_AreWhatTheUserSaidOrTheSymbolAlone(t *testing.T) {
	d := newTestDeps(t)
	said := portfolio.Security{Symbol: "VTI", Class: portfolio.ClassEquity, Region: "US"}
	if err := d.Store.Update(t.Context(), func(portfolio.Ledger) (portfolio.Change, error) {
		return portfolio.Change{Securities: []portfolio.Security{said}}, nil
	}); err != nil {
		t.Fatal(err)
	}
	o := loaded(t, d)
	if diff := cmp.Diff(said, o.SecurityFacts("VTI")); diff != "" {
		t.Errorf("Facts(VTI) (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(portfolio.Security{Symbol: "SAP"}, o.SecurityFacts("SAP")); diff != "" {
		t.Errorf("Facts(SAP) (-want +got):\n%s", diff)
	}
}
