package fundamental_test

import (
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/fundamental"
	"github.com/nfa-cli/nfa/internal/market"
)

// item changes one item of the newest year.
func item(s fundamental.Statements, name string, change func(*market.Item)) fundamental.Statements {
	s = with(s, nil)
	it := s.Annual[0].Items[name]
	change(&it)
	s.Annual[0].Items[name] = it
	return s
}

func TestRatios_APriceThatIsOfSomethingElseIsNotCombined(t *testing.T) {
	warned := apple()
	warned.Annual[0].Warnings = []string{"filed before a split of 4 for 1 that reports show from 2025-11-20, and not adjusted for it: diluted_eps, shares_outstanding"}
	foreign := apple()
	foreign.Annual[0].Form = "20-F"
	spinOff := sharePrice("259.85", "2025-12-01")
	spinOff.Actions = []market.Action{{Kind: market.ActionSpinOff, Date: date("2025-11-20"), New: decimal.NewFromInt(1046), Old: decimal.NewFromInt(1000)}}
	yen := sharePrice("40000", "2025-12-01")
	yen.Currency = "JPY"
	for _, row := range []struct {
		name  string
		s     fundamental.Statements
		price *fundamental.SharePrice
		want  string
	}{
		{"none", apple(), nil, "no price"},
		{"a split that the statement warns of", warned, sharePrice("271.4", "2025-12-01"), "split of 4 for 1"},
		{"a spin-off since", apple(), spinOff, "a spin-off on 2025-11-20 (price ratio 1046 to 1000) came after the statement"},
		{"another currency", apple(), yen, "in JPY but the statements are in USD"},
		{"depositary receipts", foreign, sharePrice("271.4", "2025-12-01"), "depositary receipts"},
		{"older than the period", apple(), sharePrice("150", "2022-06-28"), "before the period ends"},
		{"long after the period", apple(), sharePrice("271.4", "2028-01-01"), "long before the date of the price"},
		{"several classes of shares", with(apple(), itemValues{market.ItemSharesOutstanding: "1300000"}), sharePrice("271.4", "2025-12-01"), "do not match"},
		{"thousands for shares", with(apple(), itemValues{market.ItemSharesOutstanding: "14.776"}), sharePrice("271.4", "2025-12-01"), "do not match"},
	} {
		got := ratiosByID(mustCompany(t, row.s, row.price))
		for _, id := range []string{"market_cap", "price_to_earnings", "price_to_book", "enterprise_value", "ev_to_ebitda", "free_cash_flow_yield", "buyback_yield"} {
			if r := got[id]; r.Value.Valid || !strings.Contains(r.Missing, row.want) {
				t.Errorf("%s: %s = %s, %q; want none, since %s", row.name, id, r.Value.Decimal, r.Missing, row.want)
			}
		}
		if r := got["net_margin"]; !r.Value.Valid {
			t.Errorf("%s: net_margin has no value: %s", row.name, r.Missing)
		}
	}
}

// A split before the filing is already in the figures, and one after the date of the price is not in the
// price.
func TestRatios_SplitsOfOtherTimesDoNotMatter(t *testing.T) {
	p := sharePrice("271.4", "2025-12-01")
	for _, day := range []string{"2025-10-15", "2025-12-02"} {
		p.Actions = append(p.Actions, market.Action{Kind: market.ActionSplit, Date: date(day), New: decimal.NewFromInt(4), Old: decimal.NewFromInt(1)})
	}
	p.Actions = append(p.Actions, market.Action{Kind: market.ActionDividend, Date: date("2025-11-10"), Amount: decimal.New(26, -2)})
	got := ratiosByID(mustCompany(t, apple(), p))
	if r := got["price_to_earnings"]; rounded(r, "36.3807") != "36.3807" {
		t.Errorf("price_to_earnings = %s, %q; want 36.3807", r.Value.Decimal, r.Missing)
	}
}

// C11: 67.85 * 4 = 271.40 a share before four for one, so every ratio is the same as without the split:
// 271.4 / 7.46 = 36.3807.
func TestRatios_ASplitSinceTheFilingIsAppliedToItsShares(t *testing.T) {
	split := sharePrice("67.85", "2025-12-01")
	split.Actions = []market.Action{{Kind: market.ActionSplit, Date: date("2025-11-20"), New: decimal.NewFromInt(4), Old: decimal.NewFromInt(1)}}
	before := ratiosByID(mustCompany(t, apple(), sharePrice("271.4", "2025-12-01")))
	after := ratiosByID(mustCompany(t, apple(), split))
	if r := after["price_to_earnings"]; rounded(r, "36.3807") != "36.3807" {
		t.Errorf("price_to_earnings = %s, %q; want 36.3807", r.Value.Decimal, r.Missing)
	}
	for id, r := range before {
		if !r.Value.Valid || r.Group == fundamental.PerShare {
			continue
		}
		if got := after[id]; !got.Value.Decimal.Sub(r.Value.Decimal).Abs().LessThan(decimal.New(1, -6)) {
			t.Errorf("%s = %s after the split, %s before (%s)", id, got.Value.Decimal, r.Value.Decimal, got.Missing)
		}
	}
	if r := after["earnings_per_share"]; rounded(r, "1.865") != "1.865" || !strings.Contains(r.Formula, "split of 4 for 1") {
		t.Errorf("earnings_per_share = %s by %s, want 7.46 / 4 = 1.865", r.Value.Decimal, r.Formula)
	}
}

// C10: figures per common share are for the common share only.
func TestRatios_OtherSecuritiesOfACompanyHaveNoFiguresPerShare(t *testing.T) {
	for _, row := range []struct {
		security market.Instrument
		want     string // why figures per share are missing; "" if they are not
		pe       string
	}{
		{market.Instrument{Symbol: "BAC", Class: market.ClassCommon}, "", "36.3807"},
		{market.Instrument{Symbol: "SOMETHING"}, "", "36.3807"},
		{market.Instrument{Symbol: "BAC-PL", Class: market.ClassPreferred}, "BAC-PL is a preferred share, so figures per common share do not apply", ""},
		{market.Instrument{Symbol: "OXY-WT", Class: market.ClassWarrant}, "OXY-WT is a warrant, so figures per common share do not apply", ""},
		{market.Instrument{Symbol: "TBB", Class: market.ClassOther}, "TBB is a security of unknown class, so figures per common share do not apply", ""},
		{market.Instrument{Symbol: "EADSY", Class: market.ClassADR}, "the number of common shares it represents is unknown", ""},
		// One class A share earns 7.46 and 1,500 class B shares cost 1,500 * 0.180933 = 271.40.
		{market.Instrument{Symbol: "BRK.B", Class: market.ClassCommon, ShareClass: "B"}, "", "36.3807"},
	} {
		price := sharePrice("271.4", "2025-12-01")
		if row.security.Symbol == "BRK.B" {
			price.Value = price.Value.Div(decimal.NewFromInt(1500))
		}
		c := mustCompany(t, apple(), price)
		c.Security = row.security
		got := ratiosByID(c)
		if r := got["price_to_earnings"]; row.pe != "" && rounded(r, row.pe) != row.pe {
			t.Errorf("%s: price_to_earnings = %s, %q; want %s", row.security.Symbol, r.Value.Decimal, r.Missing, row.pe)
		}
		for _, id := range []string{"market_cap", "price_to_earnings", "price_to_book", "dividend_yield", "earnings_per_share", "book_value_per_share", "revenue_per_share", "enterprise_value"} {
			if r := got[id]; r.Value.Valid != (row.want == "") || !strings.Contains(r.Missing, row.want) {
				t.Errorf("%s: %s = %v, %q; want missing since %q", row.security.Symbol, id, r.Value, r.Missing, row.want)
			}
		}
		if cap := got["market_cap"]; row.want == "" && rounded(cap, "4010302204200") != "4010302204200" {
			t.Errorf("%s: market_cap = %s, want that of the whole company", row.security.Symbol, cap.Value.Decimal)
		}
	}
}

// A newer share count is used even if earnings per share are from before a split: 67.85 * 59105.412 /
// 112010 = 35.8031.
func TestRatios_ANewerCountOfSharesServesWhereEarningsAShareDoNot(t *testing.T) {
	s := apple()
	s.Annual[0].Warnings = []string{"filed before a split of 4 for 1 that reports show from 2026-01-30, and not adjusted for it: diluted_eps, shares_outstanding"}
	quarter := statement("2025-12-27", itemValues{market.ItemSharesOutstanding: "59105.412", market.ItemNetIncome: "40000"})
	quarter.Span, quarter.FiscalPeriod = market.SpanQuarterly, "Q1"
	s.Quarterly = []market.Statement{quarter}
	p := sharePrice("67.85", "2026-02-02")
	p.Actions = []market.Action{{Kind: market.ActionSplit, Date: date("2026-01-20"), New: decimal.NewFromInt(4), Old: decimal.NewFromInt(1)}}
	r := ratiosByID(mustCompany(t, s, p))["price_to_earnings"]
	if rounded(r, "35.8031") != "35.8031" || r.Formula != "market_cap / net_income" {
		t.Errorf("price_to_earnings = %s by %s, %q; want 35.8031 by market_cap / net_income", r.Value.Decimal, r.Formula, r.Missing)
	}
}

func TestRatios_ADoubtfulCountNeedsSomethingToCheckItAgainst(t *testing.T) {
	doubted := func(i *market.Item) { i.Flags = []market.Flag{market.FlagSuspect} }
	fits := ratiosByID(mustCompany(t, item(apple(), market.ItemSharesOutstanding, doubted), sharePrice("271.4", "2025-10-31")))["market_cap"]
	if !fits.Value.Valid || len(fits.Flags) != 1 || fits.Flags[0] != market.FlagSuspect {
		t.Errorf("market_cap of a count that fits = %s, flags %v, %q; want it, flagged", fits.Value.Decimal, fits.Flags, fits.Missing)
	}
	s := item(apple(), market.ItemSharesOutstanding, doubted)
	for i := range s.Annual {
		delete(s.Annual[i].Items, market.ItemDilutedEPS)
	}
	if r := ratiosByID(mustCompany(t, s, sharePrice("271.4", "2025-10-31")))["market_cap"]; r.Value.Valid || !strings.Contains(r.Missing, "doubtful") {
		t.Errorf("market_cap of a count that nothing checks = %s, %q; want none", r.Value.Decimal, r.Missing)
	}
}

func TestRatios_AnOldCountOfSharesIsNotTodays(t *testing.T) {
	s := apple()
	delete(s.Annual[0].Items, market.ItemSharesOutstanding)
	s.Annual[1].Items[market.ItemSharesOutstanding] = statement("2024-09-28", itemValues{market.ItemSharesOutstanding: "15115.823"}).Items[market.ItemSharesOutstanding]
	if r := ratiosByID(mustCompany(t, s, sharePrice("271.4", "2025-10-31")))["market_cap"]; r.Missing != "the latest share count is from 2024-09-28" {
		t.Errorf("market_cap = %s, %q; want none of a year-old count", r.Value.Decimal, r.Missing)
	}
}

func TestRatios_FiguresOfAnotherCurrencyAreNotCombined(t *testing.T) {
	s := apple()
	for _, name := range []string{market.ItemRevenue, market.ItemDilutedEPS} {
		s = item(s, name, func(i *market.Item) { i.Unit = strings.Replace(i.Unit, "USD", "EUR", 1) })
	}
	got := ratiosByID(mustCompany(t, s, sharePrice("271.4", "2025-10-31")))
	for id, want := range map[string]string{"net_margin": "revenue is in EUR, not in USD", "price_to_earnings": "diluted_eps is in EUR, not in USD"} {
		if r := got[id]; r.Missing != want {
			t.Errorf("%s = %s, %q; want none since %s", id, r.Value.Decimal, r.Missing, want)
		}
	}
}

func TestRatios_EarningsAShareGrowOnlyOnOneFooting(t *testing.T) {
	const about = "filed before a split of 4 for 1 that reports show from 2021-08-20, and not adjusted for it: "
	for warning, want := range map[string]bool{about + "diluted_eps, diluted_shares": false, about + "revenue": true, "shares were split": false, "revenue was restated": true} {
		s := apple()
		s.Annual[3].Warnings = []string{warning}
		got := ratiosByID(mustCompany(t, s, nil))
		if r := got["diluted_eps_growth_3y"]; r.Value.Valid != want {
			t.Errorf("%q: diluted_eps_growth_3y = %v, %q; want a value: %t", warning, r.Value, r.Missing, want)
		}
		if r := got["net_income_growth_3y"]; !r.Value.Valid {
			t.Errorf("%q: net_income_growth_3y: %s", warning, r.Missing)
		}
	}
}

func TestWarnings_OfWhatThePriceDoesNotTell(t *testing.T) {
	s := apple()
	s.Annual[0].Form = ""
	p := sharePrice("271.4", "2025-10-31")
	p.Actions = nil
	if w := mustCompany(t, s, p).Warnings(); len(w) != 2 || !strings.Contains(w[0], "split") || !strings.Contains(w[1], "depositary") {
		t.Errorf("warnings %q, want those of splits and of depositary receipts", w)
	}
	if w := mustCompany(t, apple(), sharePrice("271.4", "2025-10-31")).Warnings(); len(w) != 0 {
		t.Errorf("warnings %q, want none", w)
	}
}
