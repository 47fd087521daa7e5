package positions_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// american returns twoCurrencies under the rules of the United States, with FALL at 80.
func american(more ...portfolio.Transaction) *toolstest.PortfolioFixture {
	w := toolstest.TwoCurrencyFixture()
	w.Rules = "us"
	ira := portfolio.NewAccount("ira")
	ira.Untaxed, ira.Cash = true, portfolio.CashUntracked
	w.Accounts = append(w.Accounts, ira)
	w.Transactions = append(w.Transactions, more...)
	w.Series = append(w.Series, toolstest.Daily("FALL", "EUR", toolstest.MustDay("2024-01-01"), "100", "70", "70", "70", "70", "80"), toolstest.Daily("DROP", "USD", toolstest.MustDay("2024-01-01"), "100", "70", "70", "70", "70", "80"))
	return w
}

// The lot of SAP: 4 x 150 EUR - 500 EUR = 100 EUR; in dollars 660 - 500 x 1.05 = 135.
// Held five days; long from the day after the same day of the next year.
func TestTaxLots_OfOpenLotsHaveTermAndGainInBothCurrencies(t *testing.T) {
	res, got := toolstest.CallOK(t, taxLotToolsOf(t, american()), "tax_lots", toolstest.Args{})
	toolstest.WantFields(t, rounded(toolstest.ObjectAt(t, got, "lots", "SAP")), map[string]any{
		"acquired": "2024-01-03", "days_held": 5.0, "quantity": "4", "cost": "500", "cost_currency": "EUR", "gain": "100", "gain_pct": "20",
		"cost_base": "525", "gain_base": "135", "gain_base_pct": "25.71", "term": "short", "long_from": "2025-01-04",
	})
	if f := toolstest.Figure(t, res, "lots.1.gain_base"); f.Value.String() != "135" || f.Unit != "USD" || len(f.Inputs) != 2 {
		t.Errorf("figure = %+v; want 135 USD with value and cost", f)
	}
}

func TestTaxLots_ALotOfMoreThanAYearIsLong(t *testing.T) {
	w := american(portfolio.Transaction{
		ID: "in", Date: toolstest.MustDay("2024-01-03"), Kind: portfolio.KindTransferIn, Account: "us", Symbol: "VTI", Quantity: toolstest.MustDecimal("3"), Amount: toolstest.MustDecimal("240"), Currency: "USD", Acquired: toolstest.MustDay("2023-01-06"),
	}, portfolio.Transaction{
		ID: "unknown", Date: toolstest.MustDay("2024-01-03"), Kind: portfolio.KindTransferIn, Account: "ira", Symbol: "VTI", Quantity: toolstest.MustDecimal("1"), CostUnknown: true, Currency: "USD",
	})
	_, got := toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", toolstest.Args{"symbol": "vti"})
	toolstest.WantFields(t, toolstest.ObjectAt(t, got, "lots", "in"), map[string]any{"term": "long", "long_from": "2024-01-07", "gain": "120", "days_held": 367.0})
	unknown := toolstest.ObjectAt(t, got, "lots", "unknown")
	toolstest.WantFields(t, unknown, map[string]any{"term": "unknown", "untaxed": true, "gain_absent": "the cost basis is unknown"})
	for _, field := range []string{"gain", "gain_base", "cost", "days_held", "acquired"} {
		if v, ok := unknown[field]; ok {
			t.Errorf("%s = %v of a lot of which nothing is known", field, v)
		}
	}
}

// Two SAP with a cost of 250 EUR were sold for 300 EUR: 50 EUR; in dollars 300 x 1.10 - 250 x 1.05 = 67.50.
func TestTaxLots_OfSalesCountEachDayAtItsRate(t *testing.T) {
	w := american(toolstest.Sell("3", "de", "SAP", "2", "300", "EUR", "2024-01-08"))
	_, got := toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", toolstest.Args{"kind": "closed"})
	toolstest.WantFields(t, toolstest.ObjectAt(t, got, "sales", "SAP"), map[string]any{
		"sold": "2024-01-08", "quantity": "2", "proceeds": "300", "cost": "250", "gain": "50", "gain_pct": "20", "term": "short",
		"proceeds_base": "330", "cost_base": "262.5", "gain_base": "67.5",
	})
	toolstest.WantFields(t, got["years"].([]any)[0].(map[string]any), map[string]any{"year": 2024.0, "term": "short", "currency": "EUR", "gain": "50", "sales": 1.0})
	toolstest.WantFields(t, got["years_base"].([]any)[0].(map[string]any), map[string]any{"year": 2024.0, "term": "short", "gain_base": "67.5"})

	_, none := toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", toolstest.Args{"kind": "closed", "year": 2023})
	if none["sales"] != nil || none["years"] != nil {
		t.Errorf("2023 = %v; want nothing", none)
	}
	_, one := toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", toolstest.Args{"kind": "closed", "symbol": "SAP"})
	if one["years"] != nil || !strings.Contains(strings.Join(toolstest.Strings(t, one["notes"]), " "), "cover all sales") {
		t.Errorf("years of one symbol = %v; want none, and why", one["years"])
	}
}

// Ten DROP of June for 1000 are worth 800. Five of December 20 are 19 days old: until January 20, a loss of
// the others would be disallowed because of them. They do not block their own loss, 400 - 450.
func TestTaxLots_AHarvestSaysWhatBlocksIt(t *testing.T) {
	w := american(toolstest.Buy("june", "de", "DROP", "10", "1000", "USD", "2023-06-01"), toolstest.Buy("december", "de", "DROP", "5", "450", "USD", "2023-12-20"),
		toolstest.Buy("untaxed", "ira", "FALL", "5", "900", "EUR", "2023-12-20"))
	res, got := toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", toolstest.Args{"kind": "harvest"})
	lots := got["lots"].([]any)
	if len(lots) != 2 {
		t.Fatalf("%d lots: %v; want those of DROP, for the other is not taxed", len(lots), lots)
	}
	june := toolstest.ObjectAt(t, got, "lots", "june")
	toolstest.WantFields(t, june, map[string]any{"gain": "-200", "gain_base": "-200"})
	toolstest.WantFields(t, toolstest.ObjectAt(t, june, "harvest"), map[string]any{"status": "blocked", "sell_from": "2024-01-20", "buy_from": "2024-02-08"})
	toolstest.WantFields(t, toolstest.ObjectAt(t, june, "harvest")["blocked_by"].([]any)[0].(map[string]any), map[string]any{"transaction": "december", "date": "2023-12-20", "quantity": "5"})
	own := toolstest.ObjectAt(t, got, "lots", "december", "harvest")
	toolstest.WantFields(t, own, map[string]any{"status": "clear in the ledger", "sell_from": "2024-01-08", "buy_from": "2024-02-08"})
	if !strings.Contains(res.UserText(), "5 of 2023-12-20 in de") || !strings.Contains(res.UserText(), "not tax advice") {
		t.Errorf("people are not shown what blocks:\n%s", res.UserText())
	}
}

// Ten DROP for 1000 were sold for 700, and four bought two days later for 280: 4/10 of the loss of 300 is
// disallowed and added to their cost, so that 320 - 280 - 120 is a loss. The other 180 may still be
// disallowed until the 30th day, February 2.
func TestTaxLots_AWashSaleIsShownWithWhatItWasAddedTo(t *testing.T) {
	w := american(toolstest.Buy("old", "de", "DROP", "10", "1000", "USD", "2023-12-01"), toolstest.Sell("sold", "de", "DROP", "10", "700", "USD", "2024-01-03"),
		toolstest.Buy("again", "de", "DROP", "4", "280", "USD", "2024-01-05"))
	tools := taxLotToolsOf(t, w)
	_, got := toolstest.CallOK(t, tools, "tax_lots", toolstest.Args{"kind": "wash"})
	toolstest.WantFields(t, got["wash_sales"].([]any)[0].(map[string]any), map[string]any{"sale": "sold", "replacement": "again", "days": 2.0, "disallowed": "120", "quantity": "4"})
	toolstest.WantFields(t, got["losses_still_open"].([]any)[0].(map[string]any), map[string]any{"loss": "180", "quantity": "6", "buy_from": "2024-02-03"})

	_, got = toolstest.CallOK(t, tools, "tax_lots", toolstest.Args{"symbol": "DROP", "kind": "harvest"})
	lot := toolstest.ObjectAt(t, got, "lots", "again")
	toolstest.WantFields(t, lot, map[string]any{"gain_base": "40", "gain_with_wash_sales_base": "-80"})
	toolstest.WantFields(t, lot["added_by_wash_sales"].([]any)[0].(map[string]any), map[string]any{"amount": "120", "held_from": "2023-12-03"})

	_, got = toolstest.CallOK(t, tools, "tax_lots", toolstest.Args{"kind": "closed"})
	toolstest.WantFields(t, toolstest.ObjectAt(t, got, "sales", "DROP"), map[string]any{"gain": "-180", "disallowed": "120", "gain_base": "-300"})
}

func TestTaxLots_WithoutAJurisdictionThereAreNoTerms(t *testing.T) {
	w := american(toolstest.Buy("june", "de", "DROP", "10", "1000", "USD", "2023-06-01"))
	w.Rules = ""
	_, got := toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", toolstest.Args{"kind": "harvest"})
	lot := toolstest.ObjectAt(t, got, "lots", "june")
	if lot["term"] != nil || lot["long_from"] != nil || toolstest.ObjectAt(t, lot, "harvest")["status"] != "no rule known" {
		t.Errorf("lot = %v; want no term and no rule", lot)
	}
	if notes := strings.Join(toolstest.Strings(t, got["notes"]), " "); !strings.Contains(notes, "No tax jurisdiction is set") {
		t.Errorf("notes = %q; want that none is known", notes)
	}
	_, got = toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", toolstest.Args{"jurisdiction": "US"})
	toolstest.WantFields(t, got, map[string]any{"jurisdiction": "us"})
	d := positions.TaxLotDeps{Deps: w.Deps(t)}
	d.Jurisdiction = func(context.Context) (string, error) { return "atlantis", nil }
	_, got = toolstest.CallOK(t, positions.TaxLotTools(d), "tax_lots", toolstest.Args{})
	if notes := strings.Join(toolstest.Strings(t, got["notes"]), " "); !strings.Contains(notes, "does not know the tax rules") {
		t.Errorf("notes = %q; want that the rules of there are not known", notes)
	}
}

func TestTaxLots_CoinsHaveNoWashSales(t *testing.T) {
	w := american(toolstest.Buy("june", "de", "DROP", "10", "1000", "USD", "2023-06-01"), toolstest.Buy("december", "de", "DROP", "5", "450", "USD", "2023-12-20"))
	w.Securities = []portfolio.Security{{Symbol: "DROP", Class: portfolio.ClassCrypto}}
	_, got := toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", toolstest.Args{"kind": "harvest"})
	if harvest := toolstest.ObjectAt(t, got, "lots", "june", "harvest"); harvest["blocked_by"] != nil {
		t.Errorf("harvest of a coin = %v; want nothing that blocks", harvest)
	}
}

func TestTaxLots_WhatCannotBeAskedSaysWhatCan(t *testing.T) {
	tools := taxLotToolsOf(t, american())
	for _, c := range []struct {
		name, code string
		in         toolstest.Args
		part       string
	}{
		{"a kind that is none", tool.CodeValidation, toolstest.Args{"kind": "all"}, "open, closed, harvest, wash"},
		{"a year of open lots", tool.CodeValidation, toolstest.Args{"year": 2024}, "only to kind closed and wash"},
		{"a year that is none", tool.CodeValidation, toolstest.Args{"kind": "closed", "year": 24}, "four digits"},
		{"rules that nobody knows", tool.CodeValidation, toolstest.Args{"jurisdiction": "atlantis"}, "known: us, none"},
		{"an account that is not there", tool.CodeValidation, toolstest.Args{"account": "uk"}, "choose from us, de, ira"},
		{"a symbol that is not held", tool.CodeNoData, toolstest.Args{"symbol": "AAPL"}, "no positions in AAPL"},
	} {
		t.Run(c.name, func(t *testing.T) {
			toolstest.WantError(t, toolstest.Call(t, tools, "tax_lots", c.in), c.code, c.part)
		})
	}
}

func TestTaxLots_AStatusThatCannotBeReadIsNoAnswer(t *testing.T) {
	d := positions.TaxLotDeps{Deps: american().Deps(t)}
	d.Jurisdiction = func(context.Context) (string, error) { return "", errors.New("disk gone") }
	if res := toolstest.Call(t, positions.TaxLotTools(d), "tax_lots", toolstest.Args{}); !res.IsError || !strings.Contains(res.ErrorText(), "disk gone") {
		t.Errorf("result = %s; want the error", res.ModelText())
	}
}

// Half of a lot with an added wash sale loss was transferred. Which half has the loss is unknown,
// so neither has a gain that includes it.
func TestTaxLots_AddedLossesOfADividedLotAreNotCountedTwice(t *testing.T) {
	w := american(toolstest.Buy("old", "de", "DROP", "10", "1000", "USD", "2023-12-01"), toolstest.Sell("sold", "de", "DROP", "10", "700", "USD", "2024-01-03"),
		toolstest.Buy("again", "de", "DROP", "4", "280", "USD", "2024-01-05"),
		portfolio.Transaction{ID: "moved", Date: toolstest.MustDay("2024-01-06"), Kind: portfolio.KindTransferOut, Account: "de", ToAccount: "us", Symbol: "DROP", Quantity: toolstest.MustDecimal("2")})
	_, got := toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", toolstest.Args{"symbol": "DROP"})
	for _, l := range got["lots"].([]any) {
		if lot := l.(map[string]any); lot["gain_base"] != "20" || lot["gain_with_wash_sales_base"] != nil || lot["added_by_wash_sales"] == nil {
			t.Errorf("lot = %v; want a gain of 20, the loss that was added, and no sum of both", lot)
		}
	}
}

// 10 XYZ sold short for 1000 cost 1200 to buy back: a loss of 200.
func TestTaxLots_AShortLotLosesWhereThePriceRises(t *testing.T) {
	short := toolstest.Sell("3", "us", "XYZ", "10", "1000", "USD", "2024-01-03")
	short.Short = true
	w := american(short)
	w.Series = append(w.Series, toolstest.Daily("XYZ", "USD", toolstest.MustDay("2024-01-01"), "100", "100", "100", "110", "115", "120"))
	_, lots := toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", toolstest.Args{"symbol": "XYZ"})
	toolstest.WantFields(t, toolstest.ObjectAt(t, lots, "lots", "XYZ"), map[string]any{"gain": "-200", "gain_base": "-200"})
}

func TestTaxLots_PeopleReadTotalsThenTables(t *testing.T) {
	want := `**tax lots · closed · 2024-01-08 · United States, federal**

| measure | value |
| --- | ---: |
| realized gain before wash sales | -1,032.84 USD |
| sales | 2 |

**Tax years**

| year | sales | proceeds (USD) | cost basis (USD) | disallowed (USD) | gain (USD) |
| --- | ---: | ---: | ---: | ---: | ---: |
| 2024 short | 2 | 795.02 | 1,827.86 | 311.71 | -721.13 |

**Sales in USD**

| sold, acquired | symbol, account | units | proceeds | cost basis | gain | in % | term |
| --- | --- | ---: | ---: | ---: | ---: | ---: | --- |
| 2024-01-05 2023-12-27 | FIT old | 1.7776 | 17.79 | 177.77 | -159.98 | -90.0% | short |
| 2024-01-03 2023-12-27 | LOSS old | 7.7772 | 777.23 | 1,650.09 | -561.15 | -34.0% | short |

**Wash sales in these gains**

| sold | symbol | held from | added to the cost | disallowed |
| --- | --- | --- | ---: | ---: |
| 2024-01-03 | LOSS | 2023-12-27 | n/a | 311.71 USD |

- This is arithmetic, not tax advice: tax rates, allowances and losses carried forward are not included.
`
	tools := taxLotToolsOf(t, toolstest.EventfulFixture())
	if diff := cmp.Diff(want, toolstest.Call(t, tools, "tax_lots", toolstest.Args{"kind": "closed"}).UserText()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	for kind, want := range map[string][2]string{
		"open":    {"6 open lots, unrealized gain -808.76 USD, 1 with unknown gain.", "持有 6 个批次，未实现盈亏 -808.76 USD，其中 1 个盈亏未知。"},
		"closed":  {"2 sales, realized gain before wash sales -1,032.84 USD.", "2 笔卖出，已实现盈亏（洗售调整前）-1,032.84 USD。"},
		"harvest": {"3 lots at a loss, unrealized gain -1,445.47 USD.", "3 个亏损批次，未实现盈亏 -1,445.47 USD。"},
		"wash":    {"1 wash sale; a purchase can still disallow 2 more.", "1 笔洗售；另有 2 笔亏损在规定日期前买回会成为洗售。"},
	} {
		if res := toolstest.Call(t, tools, "tax_lots", toolstest.Args{"kind": kind}); res.Headline != want[0] || res.HeadlineZH != want[1] {
			t.Errorf("%s: headlines = %q, %q, want %q", kind, res.Headline, res.HeadlineZH, want)
		}
	}
}
