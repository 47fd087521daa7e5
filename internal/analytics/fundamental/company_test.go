package fundamental_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/analytics/fundamental"
	"github.com/nfa-cli/nfa/internal/market"
)

// span returns a copy of a statement for another span.
func span(s market.Statement, of market.Span, period string) market.Statement {
	s.Span, s.FiscalPeriod = of, period
	return s
}

func TestNewCompany_TakesTheLaterOfYearAndFourQuarters(t *testing.T) {
	year := statement("2025-09-27", itemValues{market.ItemRevenue: "416161", market.ItemNetIncome: "112010"})
	full := itemValues{market.ItemRevenue: "430000", market.ItemNetIncome: "115000"}
	trailing := span(statement("2025-12-27", full), market.SpanTrailing, "TTM")
	elsewhere := trailing
	elsewhere.Provenance.Source = "another"
	for _, row := range []struct {
		name string
		s    fundamental.Statements
		span market.Span
		want string
	}{
		{"the four quarters are newer", fundamental.Statements{Annual: []market.Statement{year}, Trailing: []market.Statement{trailing}}, "", "TTM 2025-12-27"},
		{"they end with the year", fundamental.Statements{Annual: []market.Statement{year}, Trailing: []market.Statement{span(statement("2025-09-28", full), market.SpanTrailing, "TTM")}}, "", "FY2025"},
		{"they lack net income", fundamental.Statements{Annual: []market.Statement{year}, Trailing: []market.Statement{span(statement("2025-12-27", itemValues{market.ItemRevenue: "1"}), market.SpanTrailing, "TTM")}}, "", "FY2025"},
		{"they are of another source", fundamental.Statements{Annual: []market.Statement{year}, Trailing: []market.Statement{elsewhere}}, "", "FY2025"},
		{"the year is asked for", fundamental.Statements{Annual: []market.Statement{year}, Trailing: []market.Statement{trailing}}, market.SpanAnnual, "FY2025"},
		{"the quarters are asked for", fundamental.Statements{Annual: []market.Statement{year}, Trailing: []market.Statement{trailing}}, market.SpanTrailing, "TTM 2025-12-27"},
		{"only quarters are there", fundamental.Statements{Trailing: []market.Statement{trailing}}, "", "TTM 2025-12-27"},
		{"only years are there, quarters are asked for", fundamental.Statements{Annual: []market.Statement{year}}, market.SpanTrailing, ""},
		{"nothing is there", fundamental.Statements{}, "", ""},
	} {
		c, ok := fundamental.NewCompany(row.s, row.span)
		if ok != (row.want != "") || ok && fundamental.PeriodName(c.Period) != row.want {
			t.Errorf("%s: Gather(%q) = %s, %t; want %q", row.name, row.span, fundamental.PeriodName(c.Period), ok, row.want)
		}
	}
}

// The balance of a trailing period may be in the quarter only, and that of the year before may end a week
// earlier or later.
func TestNewCompany_JoinsTheBalancesOfOneDay(t *testing.T) {
	trailing := span(statement("2025-12-27", itemValues{market.ItemRevenue: "430000", market.ItemNetIncome: "115000"}), market.SpanTrailing, "TTM")
	now := span(statement("2025-12-27", itemValues{market.ItemEquity: "80000", market.ItemNetIncome: "40000", market.ItemSharesOutstanding: "14700"}), market.SpanQuarterly, "Q1")
	before := span(statement("2024-12-28", itemValues{market.ItemEquity: "60000"}), market.SpanQuarterly, "Q1")
	c := mustCompany(t, fundamental.Statements{Trailing: []market.Statement{trailing}, Quarterly: []market.Statement{now, before}}, nil)
	// 115000 / 70000 = 164.29%: the income of four quarters, not of one.
	if r := ratiosByID(c)["return_on_equity"]; rounded(r, "164.29") != "164.29" {
		t.Errorf("return_on_equity = %s, %q; want 164.29", r.Value.Decimal, r.Missing)
	}
	if got := c.ShareCount.Items[market.ItemSharesOutstanding].Value.String(); got != "14700000000" {
		t.Errorf("shares counted = %s, want those of the quarter", got)
	}
}

func TestNewCompany_NeverJoinsSourcesOrCurrencies(t *testing.T) {
	year := statement("2025-09-27", itemValues{market.ItemNetIncome: "112010"})
	year.Provenance.Source = "sample, 10-K of 2025"
	older := statement("2024-09-28", itemValues{market.ItemNetIncome: "93736"})
	older.Provenance.Source = "sample, 10-K of 2024"
	other := span(statement("2025-09-27", itemValues{market.ItemEquity: "73733"}), market.SpanQuarterly, "Q4")
	euros := span(statement("2025-09-27", itemValues{market.ItemEquity: "73733"}), market.SpanQuarterly, "Q4")
	euros.Provenance.Source, euros.Provenance.Currency = "sample", "EUR"
	c := mustCompany(t, fundamental.Statements{Annual: []market.Statement{year, older}, Quarterly: []market.Statement{other, euros}}, nil)
	got := ratiosByID(c)
	if r := got["return_on_equity"]; r.Missing != "shareholders_equity was not found" {
		t.Errorf("return_on_equity = %v, %q; want none of another source or currency", r.Value, r.Missing)
	}
	if r := got["net_income_growth_1y"]; rounded(r, "19.5") != "19.5" {
		t.Errorf("net_income_growth_1y = %v, %q; want 19.5 of one source's filings", r.Value, r.Missing)
	}
	if year.Items[market.ItemEquity].Unit != "" {
		t.Error("the statement of the caller was changed")
	}
}
