package fundamental_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/analytics/fundamental"
	"github.com/nfa-cli/nfa/internal/market"
)

// without removes items from the newest year.
func without(s fundamental.Statements, items ...string) fundamental.Statements {
	s = with(s, nil)
	for _, name := range items {
		delete(s.Annual[0].Items, name)
	}
	return s
}

// 15421 / 4010302.2042 = 0.3845%.
func TestRatios_DividendsPaidServeWhereNoneAShareIsReported(t *testing.T) {
	got := ratiosByID(mustCompany(t, without(apple(), market.ItemDividendsPerShare), sharePrice("271.4", "2025-10-31")))
	if r := got["dividend_yield"]; rounded(r, "0.38") != "0.38" || r.Formula != "dividends_paid / market_cap" {
		t.Errorf("dividend_yield = %s by %s, %q; want 0.38 by dividends_paid / market_cap", r.Value.Decimal, r.Formula, r.Missing)
	}
	got = ratiosByID(mustCompany(t, without(apple(), market.ItemDividendsPerShare, market.ItemDividendsPaid), sharePrice("271.4", "2025-10-31")))
	if r := got["dividend_yield"]; r.Value.Valid || r.Missing != "neither dividends_per_share nor dividends_paid was found" {
		t.Errorf("dividend_yield = %s, %q; want none: not reported is not zero", r.Value.Decimal, r.Missing)
	}
}

func TestRatios_FreeCashFlowIsOfItsPartsOrAsGiven(t *testing.T) {
	whole := with(apple(), itemValues{market.ItemFreeCashFlow: "90000"})
	for _, row := range []struct {
		name          string
		s             fundamental.Statements
		want, formula string
	}{
		{"of its parts, whatever is given", whole, "98767000000", "operating_cash_flow - capital_expenditure"},
		{"as given", without(whole, market.ItemCapitalExpenditure), "90000000000", "free_cash_flow, as reported by the source"},
	} {
		r := ratiosByID(mustCompany(t, row.s, nil))["free_cash_flow"]
		if rounded(r, row.want) != row.want || r.Formula != row.formula {
			t.Errorf("%s: free_cash_flow = %s by %s; want %s by %s", row.name, r.Value.Decimal, r.Formula, row.want, row.formula)
		}
	}
	if r := ratiosByID(mustCompany(t, without(apple(), market.ItemCapitalExpenditure), nil))["free_cash_flow"]; r.Value.Valid || r.Missing != "capital_expenditure was not found" {
		t.Errorf("free_cash_flow = %s, %q; want none", r.Value.Decimal, r.Missing)
	}
}

// Minority interest is included in enterprise value and in capital. (98657 + 73733 + 1000 - 35934 - 18763 +
// 98408) / 2 = 108550.5, so 103.44%.
func TestRatios_MinorityInterestBelongsToTheFirm(t *testing.T) {
	got := ratiosByID(mustCompany(t, with(apple(), itemValues{market.ItemMinorityInterest: "1000"}), sharePrice("271.4", "2025-10-31")))
	for id, want := range map[string]string{"enterprise_value": "4055262204200", "return_on_invested_capital": "103.44"} {
		if r := got[id]; rounded(r, want) != want {
			t.Errorf("%s = %s, %q; want %s", id, r.Value.Decimal, r.Missing, want)
		}
	}
}

func TestRatios_ANetCashFirmHasNegativeNetDebt(t *testing.T) {
	got := ratiosByID(mustCompany(t, with(apple(), itemValues{market.ItemTotalDebt: "0", market.ItemInterestExpense: "300"}), sharePrice("3", "2025-10-31")))
	if r := got["net_debt"]; rounded(r, "-54697000000") != "-54697000000" {
		t.Errorf("net_debt = %s, want the cash below zero", r.Value.Decimal)
	}
	// 3 * 14776.353 = 44329, less than the cash, so enterprise value is negative.
	if r := got["ev_to_ebitda"]; r.Value.Valid || !strings.Contains(r.Missing, "not meaningful: enterprise_value is -") {
		t.Errorf("ev_to_ebitda = %s, %q; want none", r.Value.Decimal, r.Missing)
	}
	// 133050 / 300 = 443.5
	if r := got["interest_cover"]; rounded(r, "443.5") != "443.5" {
		t.Errorf("interest_cover = %s, %q; want 443.5", r.Value.Decimal, r.Missing)
	}
}

func TestRatios_FlagsOfInputsStayWithTheRatio(t *testing.T) {
	s := item(apple(), market.ItemRevenue, func(i *market.Item) { i.Flags = []market.Flag{market.FlagRestated} })
	s = item(s, market.ItemNetIncome, func(i *market.Item) { i.Flags = []market.Flag{market.FlagSuspect} })
	got := ratiosByID(mustCompany(t, s, nil))
	if r := got["net_margin"]; len(r.Flags) != 2 {
		t.Errorf("flags of net_margin = %v, want those of both inputs", r.Flags)
	}
	if r := got["return_on_assets"]; len(r.Flags) != 1 || r.Flags[0] != market.FlagSuspect {
		t.Errorf("flags of return_on_assets = %v, want suspect", r.Flags)
	}
	if r := got["current_ratio"]; len(r.Flags) != 0 {
		t.Errorf("flags of current_ratio = %v, want none", r.Flags)
	}
}

func TestRatios_APriceWithoutItsReasonOrCurrencyHasNoRatio(t *testing.T) {
	unpriced := mustCompany(t, apple(), nil)
	unpriced.NoPriceReason = "the source is down"
	nameless := sharePrice("271.4", "2025-10-31")
	nameless.Currency = ""
	for name, row := range map[string]struct {
		c    fundamental.Company
		want string
	}{
		"a reason is given":    {unpriced, "the source is down"},
		"without a currency":   {mustCompany(t, apple(), nameless), "the currency of the price or the statements is unknown"},
		"a price of nothing":   {mustCompany(t, apple(), sharePrice("0", "2025-10-31")), "no price"},
		"a price below nought": {mustCompany(t, apple(), sharePrice("-1", "2025-10-31")), "no price"},
	} {
		if r := ratiosByID(row.c)["market_cap"]; r.Value.Valid || r.Missing != row.want {
			t.Errorf("%s: market_cap = %s, %q; want none, since %s", name, r.Value.Decimal, r.Missing, row.want)
		}
	}
}

func TestPeriodName_OfPeriods(t *testing.T) {
	for _, row := range []struct {
		period string
		want   string
	}{{"FY", "FY2025"}, {"Q3", "Q3 2025"}, {"TTM", "TTM 2025-09-27"}, {"", "2025-09-27"}} {
		s := statement("2025-09-27", nil)
		s.FiscalPeriod = row.period
		if got := fundamental.PeriodName(s); got != row.want {
			t.Errorf("Name of %q = %q, want %q", row.period, got, row.want)
		}
	}
}
