package positions_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

func dividend(on, amount, paid string) market.Action {
	a := market.Action{Kind: market.ActionDividend, Date: toolstest.MustDay(on), Amount: toolstest.MustDecimal(amount)}
	if paid != "" {
		a.Paid = toolstest.MustDay(paid)
	}
	return a
}

func received(id string, kind portfolio.Kind, symbol market.Symbol, amount, tax, on string) portfolio.Transaction {
	t := portfolio.Transaction{ID: id, Date: toolstest.MustDay(on), Kind: kind, Account: "de", Symbol: symbol, Amount: toolstest.MustDecimal(amount), Currency: "EUR"}
	if tax != "" {
		t.Tax = toolstest.MustDecimal(tax)
	}
	return t
}

// payers returns twoCurrencies since 2022: 10 VTI in account us, which its source knows to pay 1 USD twice a year
// and has announced 1.20 for March, 4 SAP in account de, whose dividend is only recorded, and 100 of BUND, a
// bond with 3.20 EUR of interest each half year.
func payers() *toolstest.PortfolioFixture {
	w := toolstest.TwoCurrencyFixture()
	for i := range w.Transactions {
		w.Transactions[i].Date = toolstest.MustDay("2022-01-03")
	}
	w.Transactions = append(w.Transactions,
		toolstest.Buy("3", "de", "BUND", "100", "9900", "EUR", "2022-01-03"),
		received("4", portfolio.KindDividend, "SAP", "8", "2", "2022-05-16"), received("5", portfolio.KindDividend, "SAP", "8.20", "", "2023-05-15"),
		portfolio.Transaction{ID: "6", Date: toolstest.MustDay("2023-05-15"), Kind: portfolio.KindTax, Account: "de", Symbol: "SAP", Amount: toolstest.MustDecimal("2.05"), Currency: "EUR"},
		received("7", portfolio.KindInterest, "BUND", "160", "", "2023-01-10"), received("8", portfolio.KindInterest, "BUND", "160", "", "2023-07-10"),
	)
	w.Series[0].Actions = []market.Action{
		dividend("2022-03-10", "1", ""), dividend("2022-09-09", "1", ""), dividend("2023-03-10", "1", ""), dividend("2023-09-08", "1", "2023-09-18"), dividend("2024-03-08", "1.20", "2024-03-18"),
	}
	w.Series[1].Actions = nil // its source does not report dividends
	return w
}

func incomeTools(t testing.TB, w *toolstest.PortfolioFixture, rate decimal.NullDecimal) []tool.Tool {
	return positions.IncomeTools(positions.IncomeDeps{Deps: w.Deps(t), TaxRate: func(context.Context) (decimal.NullDecimal, error) { return rate, nil }})
}

// Declared is the announced dividend of VTI: 10 x 1.20. SAP withheld 4.05 of 16.20, a quarter. The euro is
// at 1.10 USD: 12 + 12 + (8.20 + 160 + 160) x 1.10 = 385.02... with the interest of January 10 and July 10.
func TestIncome_DeclaredAndEstimatedAreApart(t *testing.T) {
	res, got := toolstest.CallOK(t, incomeTools(t, payers(), decimal.NullDecimal{}), "income_calendar", toolstest.Args{})
	want := []string{
		"2024-01-10 BUND interest 160 EUR false", "2024-03-18 VTI dividend 12 USD true", "2024-05-15 SAP dividend 8.2 EUR false",
		"2024-07-10 BUND interest 160 EUR false", "2024-09-18 VTI dividend 12 USD false",
	}
	if diff := cmp.Diff(want, toolstest.Rows(t, got, "payments", "date", "symbol", "kind", "amount", "currency", "declared")); diff != "" {
		t.Errorf("payments (-want +got):\n%s", diff)
	}
	toolstest.WantFields(t, got, map[string]any{"from": "2024-01-09", "to": "2025-01-08", "currency": "USD", "total": "385.02", "declared": "12", "count": 5.0})
	if notes := fmt.Sprint(res.Notes); !strings.Contains(notes, "no source reports coupon rates and dates") {
		t.Errorf("notes %s do not say where coupons are from", notes)
	}
	if net, ok := got["net"]; ok {
		t.Errorf("net = %v, although the withholding rate of VTI is unknown", net)
	}
	sap := toolstest.Find(t, got, "payments", "symbol", "SAP")
	toolstest.WantFields(t, sap, map[string]any{"withheld_pct": "25", "net": "6.15", "withheld_by": "the tax recorded with past payments", "rule": "last payment, on the dates of the previous year (your records)"})
	months := toolstest.Rows(t, got, "months", "month", "account", "currency", "declared", "estimated")
	if diff := cmp.Diff([]string{"2024-01 de EUR 0 160", "2024-03 us USD 12 0", "2024-05 de EUR 0 8.2", "2024-07 de EUR 0 160", "2024-09 us USD 0 12"}, months); diff != "" {
		t.Errorf("months (-want +got):\n%s", diff)
	}
}

// The rate of the profile counts only without recorded payments, and not for an untaxed account.
func TestIncome_WithholdingIsRecordedOrOfTheProfile(t *testing.T) {
	w := payers()
	rate := decimal.NewNullDecimal(toolstest.MustDecimal("0.15"))
	_, got := toolstest.CallOK(t, incomeTools(t, w, rate), "income_calendar", toolstest.Args{})
	toolstest.WantFields(t, toolstest.Find(t, got, "payments", "symbol", "VTI"), map[string]any{"withheld_pct": "15", "net": "10.2", "withheld_by": "your rate on dividends and interest (profile)"})
	toolstest.WantFields(t, toolstest.Find(t, got, "payments", "symbol", "SAP"), map[string]any{"withheld_pct": "25"})
	w.Accounts[0].Untaxed = true
	_, got = toolstest.CallOK(t, incomeTools(t, w, rate), "income_calendar", toolstest.Args{"accounts": []string{"us"}})
	if vti := toolstest.Find(t, got, "payments", "symbol", "VTI"); vti["net"] != nil {
		t.Errorf("net = %v in an untaxed account", vti["net"])
	}
}

func TestIncome_WithoutAnEstimateThereIsAReason(t *testing.T) {
	w := toolstest.TwoCurrencyFixture()
	w.Series[1].Actions = nil
	res, got := toolstest.CallOK(t, incomeTools(t, w, decimal.NullDecimal{}), "income_calendar", toolstest.Args{})
	want := []string{"SAP de no source reports its dividends or coupons, and none are recorded", "VTI us no dividends in the last two years"}
	if diff := cmp.Diff(want, toolstest.Rows(t, got, "without", "symbol", "account", "reason")); diff != "" {
		t.Errorf("without (-want +got):\n%s", diff)
	}
	if !strings.HasPrefix(res.Headline, "No dividends or coupons are expected from 2024-01-09 to 2025-01-08") {
		t.Errorf("headline = %q", res.Headline)
	}
}

// announcing is a source of announced dividend dates.
type announcing struct{ next market.Earnings }

func (a announcing) Earnings(_ context.Context, sym market.Symbol) (market.Earnings, error) {
	if sym != "VTI" {
		return market.Earnings{}, market.ErrNoData
	}
	return a.next, nil
}

// Yahoo Finance announces the dates of the next dividend without its amount.
func TestIncome_AnAnnouncedDateMovesTheEstimate(t *testing.T) {
	w := payers()
	w.Series[0].Actions = w.Series[0].Actions[:4]
	d := positions.IncomeDeps{Deps: w.Deps(t), Earnings: announcing{market.Earnings{ExDividend: toolstest.MustDay("2024-03-14"), DividendPaid: toolstest.MustDay("2024-03-28")}}}
	_, got := toolstest.CallOK(t, positions.IncomeTools(d), "income_calendar", toolstest.Args{"accounts": []string{"us"}})
	toolstest.WantFields(t, toolstest.Find(t, got, "payments", "date", "2024-03-28"), map[string]any{
		"ex_date": "2024-03-14", "declared": false, "amount": "10", "rule": "last payment, on the dates of the previous year, on the announced date",
	})
}
