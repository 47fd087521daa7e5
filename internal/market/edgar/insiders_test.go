package edgar_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/edgar"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

func known(text string) decimal.NullDecimal {
	return decimal.NewNullDecimal(decimal.RequireFromString(text))
}

func TestInsiderTrades_AreTheLinesOfTheForms(t *testing.T) {
	got, err := source(t, newScript(t)).InsiderTrades(t.Context(), "EXM", market.Range{To: date("2024-05-10")}, 0)
	if err != nil {
		t.Fatal(err)
	}
	const form = "http://127.0.0.1/Archives/edgar/data/1234/000095017024000008/xslF345X05/form4.xml"
	base := market.InsiderTrade{
		Symbol: "EXM", Owner: "Doe Jane; Doe Family Trust", Role: "director, officer: Chief Financial Officer, 10% owner",
		Date: date("2024-05-06"), Filed: date("2024-05-10"), Form: "4", Accession: "0000950170-24-000008", Planned: true, URL: form,
		Provenance: market.Provenance{
			Source: "sec-edgar", Endpoint: "Archives", License: "US government work, public domain",
			AsOf: date("2024-05-10"), FetchedAt: now(), Currency: "USD", Adjustment: market.AdjustmentUnknown,
		},
	}
	sale, grant, option := base, base, base
	sale.Security, sale.Code, sale.Shares, sale.Price, sale.After, sale.Indirect = "Common Stock", "S", decimal.RequireFromString("1500.5"), known("101.25"), known("8500"), true
	grant.Security, grant.Code, grant.Shares, grant.Acquired = "Common Stock", "A", decimal.NewFromInt(200), true
	option.Security, option.Code, option.Shares, option.Price, option.Derivative = "Stock Option", "M", decimal.NewFromInt(300), known("0"), true
	if diff := cmp.Diff([]market.InsiderTrade{sale, grant, option}, got); diff != "" {
		t.Errorf("InsiderTrades (-want +got):\n%s", diff)
	}
	if !got[0].OpenMarket() || got[1].OpenMarket() {
		t.Errorf("the sale is of the market, the grant is not; have %t and %t", got[0].OpenMarket(), got[1].OpenMarket())
	}
}

func TestInsiderTrades_AnAmendedFormIsFlagged(t *testing.T) {
	got, err := source(t, newScript(t)).InsiderTrades(t.Context(), "EXM", market.Range{}, 0)
	if err != nil || len(got) != 5 {
		t.Fatalf("InsiderTrades = %d, %v, want two of the amendment and three of the original", len(got), err)
	}
	for i, trade := range got {
		if original := i >= 2; trade.Provenance.Has(market.FlagRestated) != original || original && trade.Provenance.Note != "amended by 0000950170-24-000009" {
			t.Errorf("trade %d of the %s filed %v: %+v", i, trade.Form, trade.Filed, trade.Provenance)
		}
	}
	if got[0].Form != "4/A" || got[0].Shares.String() != "1600" {
		t.Errorf("newest trade = %s %s, want 1600 of the 4/A", got[0].Form, got[0].Shares)
	}
}

func TestInsiderTrades_NoMoreIsOpenedThanNeeded(t *testing.T) {
	script := newScript(t)
	got, err := source(t, script).InsiderTrades(t.Context(), "EXM", market.Range{}, 1)
	if err != nil || len(got) != 1 || requestCount(script, formPath) != 0 {
		t.Errorf("InsiderTrades(1) = %d, %v with %d requests for the second form", len(got), err, requestCount(script, formPath))
	}
	if _, err := source(t, script).InsiderTrades(t.Context(), "EXM", market.Range{To: date("2003-01-01")}, 1); !errors.Is(err, market.ErrNoData) {
		t.Errorf("InsiderTrades to 2003 = %v, want ErrNoData", err)
	}
}

func TestInsiderTrades_OfAnotherIssuerAreNotTheCompanys(t *testing.T) {
	other := strings.ReplaceAll(string(testdata(t, "form4.xml")), "<issuerCik>0000001234", "<issuerCik>0000005678")
	script := newScript(t).Respond(formPath, markettest.JSONResponse(other))
	if got, err := source(t, script).InsiderTrades(t.Context(), "EXM", market.Range{To: date("2024-05-10")}, 0); !errors.Is(err, market.ErrNoData) {
		t.Errorf("InsiderTrades = %v, %v, want ErrNoData", got, err)
	}
}

func TestInsiderTrades_OneFormThatCannotBeReadIsNamed(t *testing.T) {
	for name, answer := range map[string]markettest.Response{
		"no numbers": markettest.JSONResponse(strings.ReplaceAll(string(testdata(t, "amended.xml")), "1600", "many")),
		"half":       {Body: testdata(t, "amended.xml")[:900]},
		"a page":     markettest.HTMLResponse(200, "Form 4"),
		"not there":  {Status: 403, Body: []byte("<Error><Code>AccessDenied</Code></Error>")},
	} {
		got, err := source(t, newScript(t).Respond(amendedPath, answer)).InsiderTrades(t.Context(), "EXM", market.Range{}, 0)
		if err != nil || len(got) != 3 || !strings.Contains(got[0].Provenance.Note, "0000950170-24-000009 could not be read") {
			t.Errorf("%s: InsiderTrades = %+v, %v, want the other form's with a note", name, got, err)
		}
	}
}

// Before 2023, only a footnote of the sale mentions a plan.
func TestInsiderTrades_APlanMayStandInAFootnote(t *testing.T) {
	for note, want := range map[string]bool{
		"Effected under a Rule 10b5-1 trading plan adopted in May.": true,
		"These sales were not made under a Rule 10b5-1 plan.":       false,
		"Sold to cover taxes.": false,
	} {
		form := strings.NewReplacer(
			"<aff10b5One>1</aff10b5One>", "",
			"<transactionCode>S</transactionCode>", `<transactionCode>S</transactionCode><footnoteId id="F1"/>`,
			"Granted for no price.", note,
		).Replace(string(testdata(t, "form4.xml")))
		got, err := edgar.TradesOf([]byte(form))
		if err != nil || len(got) != 3 || got[0].Planned != want || got[1].Planned {
			t.Errorf("%q: trades %+v, %v, want the sale planned: %t", note, got, err, want)
		}
	}
}

// A form 4 of Snowflake, December 2022: an exercise, five sales whose footnote mentions no plan, and the use
// of the options.
func TestRecorded_OwnershipForms(t *testing.T) {
	got, err := edgar.TradesOf(recording(t, "form4-snow.xml"))
	if err != nil {
		t.Fatal(err)
	}
	sold, planned, derivatives := decimal.Decimal{}, 0, 0
	for _, trade := range got {
		if trade.Owner != "Scarpelli Michael" || trade.Role != "officer: Chief Financial Officer" || !trade.Date.Equal(date("2022-12-13")) {
			t.Errorf("trade of %q (%s) on %v", trade.Owner, trade.Role, trade.Date)
		}
		if trade.Code == "S" {
			sold = sold.Add(trade.Shares)
		}
		if trade.Planned {
			planned++
		}
		if trade.Derivative {
			derivatives++
		}
	}
	if !sold.Equal(decimal.NewFromInt(200000)) || len(got)-derivatives != 6 || derivatives == 0 || planned != 0 {
		t.Errorf("%d trades, %d of derivatives, %d planned, %s sold; want 6 of shares, none planned, 200000 sold", len(got), derivatives, planned, sold)
	}
	if trades, err := edgar.TradesOf(recording(t, "form3-snow.xml")); err != nil || len(trades) != 0 {
		t.Errorf("form 3 has trades %v, %v, want none: it says what is held", trades, err)
	}
}
