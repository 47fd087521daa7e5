package fundamental_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/fundamental"
	"github.com/nfa-cli/nfa/internal/market"
)

func date(text string) time.Time {
	d, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return d
}

// itemValues has the values of a statement by item; sums are in millions of dollars.
type itemValues map[string]string

// statement returns a fiscal year that ends on a day and was filed a month later.
func statement(end string, with itemValues) market.Statement {
	s := market.Statement{
		Span: market.SpanAnnual, FiscalYear: date(end).Year(), FiscalPeriod: "FY", PeriodEnd: date(end), Form: "10-K", Filed: date(end).AddDate(0, 1, 4),
		Template: market.TemplateGeneral, Items: map[string]market.Item{}, Provenance: market.Provenance{Source: "test", Currency: "USD"},
	}
	for name, text := range with {
		item := market.Item{Value: decimal.RequireFromString(text), Unit: "USD", Form: "10-K", Accession: "0000320193-25-000079", Filed: s.Filed}
		switch name {
		case market.ItemBasicEPS, market.ItemDilutedEPS, market.ItemDividendsPerShare:
			item.Unit = "USD/share"
		case market.ItemDilutedShares, market.ItemSharesOutstanding:
			item.Unit, item.Value = "shares", item.Value.Shift(6)
		default:
			item.Value = item.Value.Shift(6)
		}
		s.Items[name] = item
	}
	return s
}

// apple returns fiscal 2025 as in its 10-K of 2025-10-31, with the figures of 2024 in it.
func apple() fundamental.Statements {
	latest := statement("2025-09-27", itemValues{
		market.ItemRevenue: "416161", market.ItemCostOfRevenue: "220960", market.ItemGrossProfit: "195201", market.ItemOperatingIncome: "133050",
		market.ItemPretaxIncome: "132729", market.ItemIncomeTax: "20719", market.ItemNetIncome: "112010", market.ItemDilutedEPS: "7.46", market.ItemDilutedShares: "15004.697",
		market.ItemCash: "35934", market.ItemShortInvestments: "18763", market.ItemReceivables: "39777", market.ItemInventory: "5718", market.ItemCurrentAssets: "147957",
		market.ItemTotalAssets: "359241", market.ItemPayables: "69860", market.ItemCurrentLiabilities: "165631", market.ItemTotalDebt: "98657", market.ItemEquity: "73733",
		market.ItemOperatingCashFlow: "111482", market.ItemCapitalExpenditure: "12715", market.ItemDepreciation: "11698",
		market.ItemDividendsPaid: "15421", market.ItemSharesRepurchased: "90711", market.ItemDividendsPerShare: "1.02", market.ItemSharesOutstanding: "14776.353",
	})
	count := latest.Items[market.ItemSharesOutstanding]
	count.Inputs = []string{"dei:EntityCommonStockSharesOutstanding on 2025-10-17"}
	latest.Items[market.ItemSharesOutstanding] = count
	before := statement("2024-09-28", itemValues{
		market.ItemRevenue: "391035", market.ItemOperatingIncome: "123216", market.ItemNetIncome: "93736", market.ItemDilutedEPS: "6.08", market.ItemOperatingCashFlow: "118254",
		market.ItemCapitalExpenditure: "9447", market.ItemTotalAssets: "364980", market.ItemEquity: "56950", market.ItemReceivables: "33410", market.ItemInventory: "7286",
		market.ItemPayables: "68960", market.ItemCash: "29943", market.ItemShortInvestments: "35228", market.ItemTotalDebt: "106629",
	})
	return fundamental.Statements{Annual: []market.Statement{latest, before,
		statement("2023-09-30", itemValues{market.ItemRevenue: "383285", market.ItemNetIncome: "96995", market.ItemDilutedEPS: "6.13"}),
		statement("2022-09-24", itemValues{market.ItemRevenue: "394328", market.ItemNetIncome: "99803", market.ItemDilutedEPS: "6.11"}),
		statement("2021-09-25", itemValues{market.ItemRevenue: "365817"}),
		statement("2020-09-26", itemValues{market.ItemRevenue: "274515", market.ItemNetIncome: "57411"}),
	}}
}

func mustCompany(t *testing.T, s fundamental.Statements, price *fundamental.SharePrice) fundamental.Company {
	t.Helper()
	c, ok := fundamental.NewCompany(s, "")
	if !ok {
		t.Fatal("Gather = false, want a company")
	}
	c.Price = price
	return c
}

func sharePrice(value, on string) *fundamental.SharePrice {
	return &fundamental.SharePrice{Value: decimal.RequireFromString(value), Currency: "USD", AsOf: date(on), Actions: []market.Action{}}
}

// rounded returns the value of a ratio with as many decimals as want has.
func rounded(r fundamental.Ratio, want string) string {
	return r.Value.Decimal.Round(-decimal.RequireFromString(want).Exponent()).String()
}

func ratiosByID(c fundamental.Company) map[string]fundamental.Ratio {
	out := map[string]fundamental.Ratio{}
	for _, r := range fundamental.Ratios(c) {
		out[r.ID] = r
	}
	return out
}

// By hand, in millions: 195201 / 416161 = 46.905%; 112010 / ((73733 + 56950) / 2) =
// 112010 / 65341.5 = 171.42%; NOPAT = 133050 * (1 - 20719/132729) = 112280.89, capital =
// 98657 + 73733 - 35934 - 18763 = 117693 and 106629 + 56950 - 29943 - 35228 = 98408,
// mean 108050.5, so 103.92%; 36593.5 / 416161 * 365 = 32.095 days; (416161 / 394328)^(1/3)
// - 1 = 1.813%; price 271.4: 271.4 / 7.46 = 36.3807; cap = 271.4 * 14776.353 = 4010302.2042;
// firm = cap + 98657 - 35934 - 18763 = 4054262.2042, / (133050 + 11698) = 28.0091.
func TestRatios_AppleByHand(t *testing.T) {
	got := ratiosByID(mustCompany(t, apple(), sharePrice("271.4", "2025-10-31")))
	for id, want := range map[string]string{
		"gross_margin": "46.91", "operating_margin": "31.97", "net_margin": "26.92", "ebitda": "144748000000", "ebitda_margin": "34.78",
		"free_cash_flow": "98767000000", "free_cash_flow_margin": "23.73", "cash_conversion": "0.9953", "effective_tax_rate": "15.61",
		"return_on_equity": "171.42", "return_on_assets": "30.93", "return_on_invested_capital": "103.92",
		"debt_to_equity": "1.338", "debt_to_assets": "27.46", "net_debt": "43960000000", "net_debt_to_ebitda": "0.3037", "equity_to_assets": "20.52",
		"current_ratio": "0.8933", "quick_ratio": "0.5704", "cash_ratio": "0.3302",
		"asset_turnover": "1.1493", "receivable_days": "32.1", "inventory_days": "10.7", "payable_days": "114.7", "cash_cycle_days": "-71.8",
		"revenue_growth_1y": "6.43", "revenue_growth_3y": "1.81", "revenue_growth_5y": "8.68", "net_income_growth_1y": "19.5", "net_income_growth_5y": "14.3",
		"diluted_eps_growth_1y": "22.7", "diluted_eps_growth_3y": "6.88", "free_cash_flow_growth_1y": "-9.23",
		"earnings_per_share": "7.46", "book_value_per_share": "4.9899", "dividends_per_share": "1.02", "revenue_per_share": "27.7354", "free_cash_flow_per_share": "6.5824",
		"market_cap": "4010302204200", "enterprise_value": "4054262204200", "price_to_earnings": "36.3807", "price_to_book": "54.3895", "price_to_sales": "9.6364",
		"price_to_free_cash_flow": "40.6037", "free_cash_flow_yield": "2.46", "ev_to_ebitda": "28.0091", "ev_to_operating_income": "30.4717", "ev_to_sales": "9.7421",
		"dividend_yield": "0.38", "payout_ratio": "13.77", "buyback_yield": "2.26",
	} {
		if r := got[id]; r.Missing != "" || rounded(r, want) != want {
			t.Errorf("%s = %s %s (%s), want %s", id, r.Value.Decimal, r.Unit, r.Missing, want)
		}
	}
	if r := got["interest_cover"]; r.Missing != "interest_expense was not found" || r.Value.Valid {
		t.Errorf("interest_cover = %v, %q; want none, since its input is not reported", r.Value, r.Missing)
	}
}

func TestRatios_SaysFormulaInputsAndDays(t *testing.T) {
	got := ratiosByID(mustCompany(t, apple(), sharePrice("271.4", "2025-10-31")))
	roe := got["return_on_equity"]
	var inputs []string
	for _, in := range roe.Inputs {
		inputs = append(inputs, in.ID+" "+in.Value.String()+" "+in.From)
	}
	want := []string{
		"net_income.FY2025 112010000000 10-K 0000320193-25-000079 filed 2025-10-31",
		"shareholders_equity.2025-09-27 73733000000 10-K 0000320193-25-000079 filed 2025-10-31",
		"shareholders_equity.2024-09-28 56950000000 10-K 0000320193-25-000079 filed 2024-11-01",
	}
	if diff := cmp.Diff(want, inputs); diff != "" || roe.Formula != "net_income / average shareholders_equity" || !roe.AsOf.Equal(date("2025-09-27")) {
		t.Errorf("return_on_equity = %s as of %s of (-want +got):\n%s", roe.Formula, roe.AsOf, diff)
	}
	value := got["market_cap"]
	if in := value.Inputs; len(in) != 2 || in[0].ID != "price" || !in[1].AsOf.Equal(date("2025-10-17")) || !value.AsOf.Equal(date("2025-10-31")) {
		t.Errorf("market_cap of %+v as of %s, want the price of its day and the shares of the cover's", in, value.AsOf)
	}
}

func TestRatios_WithoutTheYearBeforeTheEndStandsForTheAverage(t *testing.T) {
	s := apple()
	s.Annual = s.Annual[:1]
	got := ratiosByID(mustCompany(t, s, nil))
	// 112010 / 73733 = 151.91%
	if r := got["return_on_equity"]; rounded(r, "151.91") != "151.91" || !strings.Contains(r.Formula, "of the previous year is unknown") {
		t.Errorf("return_on_equity = %s by %q, want 151.91 of the end, and said so", r.Value.Decimal, r.Formula)
	}
	if r := got["revenue_growth_3y"]; r.Missing != "the fiscal year 3 years before FY2025 is missing" {
		t.Errorf("revenue_growth_3y = %v, %q", r.Value, r.Missing)
	}
}

// with changes items of the newest year.
func with(s fundamental.Statements, changed itemValues) fundamental.Statements {
	s.Annual = slices.Clone(s.Annual)
	s.Annual[0].Items = maps.Clone(s.Annual[0].Items)
	maps.Copy(s.Annual[0].Items, statement("2025-09-27", changed).Items)
	return s
}

func TestRatios_WhatMeansNothingHasNoValue(t *testing.T) {
	got := ratiosByID(mustCompany(t, with(apple(), itemValues{
		market.ItemNetIncome: "-5000", market.ItemDilutedEPS: "-0.33", market.ItemEquity: "-60000", market.ItemPretaxIncome: "-4000", market.ItemOperatingIncome: "-20000",
		market.ItemOperatingCashFlow: "1000",
	}), sharePrice("271.4", "2025-10-31")))
	for _, id := range []string{
		"price_to_earnings", "return_on_equity", "debt_to_equity", "price_to_book", "effective_tax_rate", "after_tax_operating_income", "return_on_invested_capital",
		"payout_ratio", "cash_conversion", "net_debt_to_ebitda", "ev_to_ebitda", "ev_to_operating_income", "net_income_growth_3y", "price_to_free_cash_flow",
	} {
		if r := got[id]; r.Value.Valid || !strings.Contains(r.Missing, "not meaningful") {
			t.Errorf("%s = %s, %q; want no value since it means nothing", id, r.Value.Decimal, r.Missing)
		}
	}
	for id, want := range map[string]string{"net_margin": "-1.2", "operating_margin": "-4.81", "free_cash_flow_yield": "-0.29", "net_income_growth_1y": "-105.33"} {
		if r := got[id]; rounded(r, want) != want {
			t.Errorf("%s = %s, %q; want %s", id, r.Value.Decimal, r.Missing, want)
		}
	}
}

func TestRatios_BanksAndInsurersHaveOtherRatios(t *testing.T) {
	s := with(apple(), itemValues{
		market.ItemNetInterestIncome: "40000", market.ItemNonInterestIncome: "20000", market.ItemCreditLosses: "1000", market.ItemLoans: "200000", market.ItemDeposits: "250000",
		market.ItemPremiumsEarned: "50000", market.ItemPolicyBenefits: "40000",
	})
	for template, want := range map[market.Template]map[string]string{
		market.TemplateBank:    {"net_interest_to_assets": "11.05", "loans_to_deposits": "80", "credit_losses_to_loans": "0.5", "return_on_equity": "171.42", "price_to_book": "54.3895"},
		market.TemplateInsurer: {"loss_ratio": "80", "return_on_equity": "171.42"},
	} {
		for i := range s.Annual {
			s.Annual[i].Template = template
		}
		c := mustCompany(t, s, sharePrice("271.4", "2025-10-31"))
		got := ratiosByID(c)
		for id, value := range want {
			if r := got[id]; rounded(r, value) != value {
				t.Errorf("%s: %s = %s, %q; want %s", template, id, r.Value.Decimal, r.Missing, value)
			}
		}
		for _, id := range []string{"operating_margin", "current_ratio", "enterprise_value", "ev_to_ebitda", "interest_cover", "free_cash_flow_yield", "inventory_days", "operating_income_growth_1y"} {
			if _, ok := got[id]; ok {
				t.Errorf("%s has %s, which means nothing for it", template, id)
			}
		}
		if w := c.Warnings(); len(w) != 1 || !strings.Contains(w[0], string(template)) {
			t.Errorf("%s: warnings %q, want one of the ratios that are left out", template, w)
		}
	}
}

func TestRatios_EveryRatioHasOneNameAFormulaAndAReasonOrAValue(t *testing.T) {
	seen := map[string]bool{}
	order := map[fundamental.Group]int{}
	for i, g := range fundamental.Groups() {
		order[g] = i
	}
	last := 0
	for _, r := range fundamental.Ratios(mustCompany(t, apple(), nil)) {
		if seen[r.ID] || r.Label == "" || r.Formula == "" || r.Unit == "" || r.Value.Valid == (r.Missing != "") {
			t.Errorf("%+v, want a name of its own, a formula, a unit, and a value or else a reason", r)
		}
		if seen[r.ID] = true; order[r.Group] < last {
			t.Errorf("%s of %s comes after a later group", r.ID, r.Group)
		}
		last = order[r.Group]
	}
}
