package positions_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// inception measures a portfolio since its first transaction.
func inception(t *testing.T, w *toolstest.PortfolioFixture, in toolstest.Args) (tool.Result, map[string]any, map[string]any) {
	t.Helper()
	res, got := toolstest.CallOK(t, performanceToolsOf(t, w), performanceOf, in)
	return res, got, toolstest.ObjectAt(t, got, "windows", "since inception")
}

// effectsOf returns the effects of a window that are not zero, as "name amount".
func effectsOf(t *testing.T, window map[string]any) []string {
	t.Helper()
	return nonZero(t, toolstest.ObjectAt(t, window, "attribution")["effects"], "name", "amount")
}

// partsOf returns the contributions that are not zero, as "of gain".
func partsOf(t *testing.T, window map[string]any) []string {
	t.Helper()
	return nonZero(t, window["contributions"], "of", "gain")
}

func nonZero(t *testing.T, list any, name, amount string) []string {
	t.Helper()
	var out []string
	all, ok := list.([]any)
	if !ok {
		t.Fatalf("%v is no list", list)
	}
	for _, one := range all {
		o := one.(map[string]any)
		if sum, _ := o[amount].(string); sum != "0" {
			out = append(out, o[name].(string)+" "+sum)
		}
	}
	return out
}

// onlyDollars returns the part of TwoCurrencies in account us: 2,000 USD, of which 1,000 and a fee of 10 bought
// 10 VTI at 100, worth 120 at the end.
func onlyDollars(more ...portfolio.Transaction) *toolstest.PortfolioFixture {
	w := toolstest.TwoCurrencyFixture()
	w.Transactions = append(w.Transactions[:2:2], more...)
	return w
}

func booked(id string, kind portfolio.Kind, symbol, amount, tax, on string) portfolio.Transaction {
	t := cash(id, kind, amount, on)
	t.Symbol, t.Tax = market.Symbol(symbol), toolstest.MustDecimal(tax)
	return t
}

// Each effect has its own source: 10 x (120 - 100) of price; a dividend of 20 and 5 of interest; fees of 10
// and 2, of which 1 was refunded; taxes of 3 and 4. The dividend, its tax and the fee of buying belong to
// VTI, everything else to cash.
func TestPerformance_WhatIsPaidBesideTradesHasItsOwnPlace(t *testing.T) {
	_, _, w := inception(t, onlyDollars(
		booked("d", portfolio.KindDividend, "VTI", "20", "3", "2024-01-04"), booked("i", portfolio.KindInterest, "", "5", "0", "2024-01-04"),
		booked("f", portfolio.KindFee, "", "2", "0", "2024-01-05"), booked("r", portfolio.KindFeeRefund, "", "1", "0", "2024-01-05"), booked("t", portfolio.KindTax, "", "4", "0", "2024-01-05"),
	), toolstest.Args{})
	if diff := cmp.Diff([]string{"price 200", "income 25", "fees -11", "taxes -7", "gain 207"}, effectsOf(t, w)); diff != "" {
		t.Errorf("effects (-want +got):\n%s", diff)
	}
	// VTI 200 + 20 - 3 - 10, cash 5 - 2 + 1 - 4 = 0.
	if diff := cmp.Diff([]string{"VTI 207"}, partsOf(t, w)); diff != "" {
		t.Errorf("contributions (-want +got):\n%s", diff)
	}
	toolstest.WantFields(t, w, map[string]any{"net_flow": "2000", "end": "2207"})
}

// On Wednesday 525 USD became 490 EUR, worth 514.50 at 1.05: the exchange cost 10.50. On Monday the euro is
// at 1.10, which adds 24.50 to the rest.
func TestPerformance_AnExchangeOfCurrencyCostsAndItsCashMoves(t *testing.T) {
	into := cash("x", portfolio.KindExchange, "525", "2024-01-03")
	into.ToCurrency, into.ToAmount = "EUR", toolstest.MustDecimal("490")
	_, _, w := inception(t, onlyDollars(into), toolstest.Args{})
	if diff := cmp.Diff([]string{"VTI 190", "cash in EUR 24.5", "currency exchanges -10.5"}, partsOf(t, w)); diff != "" {
		t.Errorf("contributions (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"price 200", "currency 14", "fees -10", "gain 204"}, effectsOf(t, w)); diff != "" {
		t.Errorf("effects (-want +got):\n%s", diff)
	}
	// 1,200 of VTI, 2,000 - 1,010 - 525 of dollars, 539 of euros.
	toolstest.WantFields(t, w, map[string]any{"end": "2204", "net_flow": "2000"})
}

// Four SAP were transferred in on the first day of the portfolio. They had been bought for 400 EUR when the
// euro was at 1.00: 4 x 150 x 1.10 - 400 = 260, at rates from before the portfolio, plus 1,200 - 1,010 of
// VTI. Their value on the day of the transfer is a flow: 4 x 125 x 1.05.
func TestPerformance_ALotOlderThanTheBookHasTheRateOfItsDay(t *testing.T) {
	w := onlyDollars(portfolio.Transaction{
		ID: "in", Date: toolstest.MustDay("2024-01-02"), Kind: portfolio.KindTransferIn, Account: "de", Symbol: "SAP",
		Quantity: toolstest.MustDecimal("4"), Amount: toolstest.MustDecimal("400"), Currency: "EUR", Acquired: toolstest.MustDay("2023-12-21"),
	})
	pair := market.Pair{Base: "EUR", Quote: "USD"}
	values := append(repeated("1.00", 12), append(repeated("1.05", 12), repeated("1.10", 3)...)...) // from December 13
	w.Rates[pair] = markettest.DailyRates(pair, toolstest.MustDay("2023-12-13"), values...)
	_, _, all := inception(t, w, toolstest.Args{})
	toolstest.WantFields(t, toolstest.ObjectAt(t, all, "unrealised"), map[string]any{"amount": "450", "lots": 2.0})
	toolstest.WantFields(t, all, map[string]any{"net_flow": "2525"})
}

func repeated(value string, times int) []string {
	out := make([]string, times)
	for i := range out {
		out[i] = value
	}
	return out
}

// In euros the portfolio is worth what its dollars buy: 2,850 / 1.10. The dollar fell against the euro over
// the weekend, and so did everything in dollars.
func TestPerformance_TheBaseCurrencyIsTheCallers(t *testing.T) {
	w := toolstest.TwoCurrencyFixture()
	turned := market.Pair{Base: "USD", Quote: "EUR"}
	w.Rates[turned] = markettest.DailyRates(turned, toolstest.MustDay("2023-12-20"), append(repeated("0.95", 17), repeated("0.90", 3)...)...)
	_, got, in := inception(t, w, toolstest.Args{"currency": "eur"})
	// 10 x 120 x 0.90 + 990 x 0.90 + 4 x 150; 2,000 x 0.95 + 500 were paid in.
	toolstest.WantFields(t, in, map[string]any{"end": "2571", "net_flow": "2400"})
	if got["currency"] != "EUR" {
		t.Errorf("currency = %v, want EUR", got["currency"])
	}
	// Over the weekend each of 990 dollars and of 10 x 115 lost 0.05 EUR.
	if diff := cmp.Diff([]string{"price 287.5", "currency -107", "fees -9.5", "gain 171"}, effectsOf(t, in)); diff != "" {
		t.Errorf("effects (-want +got):\n%s", diff)
	}
}

func TestPerformance_WithoutABaseItIsInTheCurrencyOfMostTransactions(t *testing.T) {
	w := toolstest.TwoCurrencyFixture()
	w.Base = ""
	res, got := toolstest.CallOK(t, performanceToolsOf(t, w), performanceOf, toolstest.Args{})
	if got["currency"] != "USD" || !strings.Contains(res.UserText(), "Totals are in USD, the currency of most transactions.") {
		t.Errorf("currency = %v, want USD and why:\n%s", got["currency"], res.UserText())
	}
	// One account has one currency, which is then the base.
	_, got = toolstest.CallOK(t, performanceToolsOf(t, w), performanceOf, toolstest.Args{"account": "us"})
	if got["currency"] != "USD" {
		t.Errorf("currency of an account in dollars = %v, want USD", got["currency"])
	}
}

// Positions without a rate to the base have no value: they are not counted as dollars, and the gap names
// the rate, the days and the currency.
func TestPerformance_ACurrencyWithoutARateLeavesTheWholeAbsent(t *testing.T) {
	w := toolstest.TwoCurrencyFixture()
	w.Rates = nil
	res, got, in := inception(t, w, toolstest.Args{})
	if in["end"] != nil || toolstest.ObjectAt(t, in, "returns", "time_weighted")["pct"] != nil || in["value_why"] == nil {
		t.Errorf("end %v, value_why %v; want no value, and why", in["end"], in["value_why"])
	}
	toolstest.WantFields(t, toolstest.ObjectAt(t, got, "gaps", "rate of EUR"), map[string]any{"from": "2024-01-03", "to": "2024-01-08"})
	if warnings := toolstest.Warnings(t, got); !strings.Contains(warnings, "No exchange rate from EUR to USD") {
		t.Errorf("warnings = %q, want the currency without a rate", warnings)
	}
	if !strings.Contains(res.UserText(), "| rate of EUR | 2024-01-03 | 2024-01-08 |") {
		t.Errorf("people are not told of the gap:\n%s", res.UserText())
	}
	// The dollar positions need no rate.
	toolstest.WantFields(t, func() map[string]any { _, _, us := inception(t, w, toolstest.Args{"account": "us"}); return us }(), map[string]any{"end": "2190"})
}

// A transfer between two accounts of the portfolio is internal: 300 USD are a flow only for one
// account alone.
func TestPerformance_AMoveIsAFlowOnlyOfWhoIsLookedAtAlone(t *testing.T) {
	w := onlyDollars()
	w.Accounts = append(w.Accounts, portfolio.NewAccount("spare"))
	move := cash("m", portfolio.KindTransferOut, "300", "2024-01-04")
	move.ToAccount = "spare"
	w.Transactions = append(w.Transactions, move)
	for _, tc := range []struct {
		accounts       []string
		netFlow, end   string
		days           float64
		timeWeightedPc string
	}{
		{nil, "2000", "2190", 1, "9.5"},                     // 2190/2000
		{[]string{"us", "spare"}, "2000", "2190", 1, "9.5"}, // the same
		{[]string{"us"}, "1700", "1890", 2, "10.34"},        // 2090/2000 until the move, 1890/1790 after it
		{[]string{"spare"}, "300", "300", 1, "0"},           // cash alone
	} {
		_, _, in := inception(t, w, toolstest.Args{"accounts": tc.accounts})
		toolstest.WantFields(t, in, map[string]any{"net_flow": tc.netFlow, "end": tc.end, "flow_days": tc.days})
		if got := pct(t, in, "time_weighted", "pct"); got != tc.timeWeightedPc {
			t.Errorf("%v: time-weighted %s %%, want %s", tc.accounts, got, tc.timeWeightedPc)
		}
	}
}
