package edgar_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/edgar"
)

// factsDocument makes companyfacts of lines such as
//
//	NetIncomeLoss USD 2023-01-01 2023-12-31 100 10-K 2024-02-01 2023 FY
//
// with "-" for the start of an instant. Filings of one form and day are one.
func factsDocument(t *testing.T, lines string) []byte {
	t.Helper()
	taxonomies := map[string]map[string]map[string]map[string][]map[string]any{}
	for line := range strings.Lines(lines) {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		if len(f) != 9 {
			t.Fatalf("line %q has %d fields, want 9", line, len(f))
		}
		taxonomy, concept, ok := strings.Cut(f[0], ":")
		if !ok {
			taxonomy, concept = "us-gaap", f[0]
		}
		figure := map[string]any{
			"end": f[3], "val": json.Number(f[4]), "form": strings.ReplaceAll(f[5], "_", " "), "filed": f[6], "fy": json.Number(f[7]), "fp": f[8],
			"accn": accessionFor(f[5], f[6]),
		}
		if f[2] != "-" {
			figure["start"] = f[2]
		}
		if f[7] == "0" {
			figure["fy"], figure["fp"] = nil, nil
		}
		if taxonomies[taxonomy] == nil {
			taxonomies[taxonomy] = map[string]map[string]map[string][]map[string]any{}
		}
		if taxonomies[taxonomy][concept] == nil {
			taxonomies[taxonomy][concept] = map[string]map[string][]map[string]any{"units": {}}
		}
		units := taxonomies[taxonomy][concept]["units"]
		units[f[1]] = append(units[f[1]], figure)
	}
	out, err := json.Marshal(map[string]any{"cik": 1234, "entityName": "Example Corp", "facts": taxonomies})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func accessionFor(form, filed string) string {
	return fmt.Sprintf("0000001234-%s-%s%02d", filed[2:4], filed[5:7]+filed[8:10], len(form))
}

func parsedStatements(t *testing.T, v edgar.StatementView, lines string) []market.Statement {
	t.Helper()
	c, err := edgar.ParseFacts(factsDocument(t, lines))
	if err != nil {
		t.Fatalf("Parse = %v", err)
	}
	return c.Statements(v)
}

// onlyStatement returns the only statement that the lines produce.
func onlyStatement(t *testing.T, v edgar.StatementView, lines string) market.Statement {
	t.Helper()
	all := parsedStatements(t, v, lines)
	if len(all) != 1 {
		t.Fatalf("Statements = %d, want 1: %+v", len(all), all)
	}
	return all[0]
}

// statementAt returns the statement of a fiscal period such as "2023 Q4".
func statementAt(t *testing.T, all []market.Statement, label string) market.Statement {
	t.Helper()
	var have []string
	for _, s := range all {
		name := fmt.Sprintf("%d %s", s.FiscalYear, s.FiscalPeriod)
		if name == label {
			return s
		}
		have = append(have, name)
	}
	t.Fatalf("no statement of %s among %q", label, have)
	return market.Statement{}
}

// checkItem compares an item with a number; "" means that the item must be absent.
func checkItem(t *testing.T, s market.Statement, item, want string) {
	t.Helper()
	got, ok := s.Items[item]
	switch {
	case want == "" && ok:
		t.Errorf("%d %s %s = %s, want it absent", s.FiscalYear, s.FiscalPeriod, item, got.Value)
	case want != "" && !ok:
		t.Errorf("%d %s %s is absent, want %s", s.FiscalYear, s.FiscalPeriod, item, want)
	case want != "" && !got.Value.Equal(decimal.RequireFromString(want)):
		t.Errorf("%d %s %s = %s, want %s", s.FiscalYear, s.FiscalPeriod, item, got.Value, want)
	}
}

func factsDate(text string) market.Date {
	d, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return d
}

func quarterlyView() edgar.StatementView { return edgar.StatementView{Span: market.SpanQuarterly} }

func trailingView() edgar.StatementView { return edgar.StatementView{Span: market.SpanTrailing} }

func annualView() edgar.StatementView { return edgar.StatementView{} }

func TestStatements_AFigureSaysWhereItIsFrom(t *testing.T) {
	s := onlyStatement(t, annualView(), `
		Revenues USD 2023-01-01 2023-12-31 1000 10-K 2024-02-01 2023 FY
		NetIncomeLoss USD 2023-01-01 2023-12-31 100 10-K 2024-02-01 2023 FY
		Assets USD - 2023-12-31 5000 10-K 2024-02-01 2023 FY`)
	if s.Name != "Example Corp" || s.CIK != "0000001234" || s.Span != market.SpanAnnual || s.FiscalYear != 2023 || s.FiscalPeriod != "FY" {
		t.Errorf("statement is of %+v %s %d %s", s.Instrument, s.Span, s.FiscalYear, s.FiscalPeriod)
	}
	if !s.PeriodStart.Equal(factsDate("2023-01-01")) || !s.PeriodEnd.Equal(factsDate("2023-12-31")) || s.Form != "10-K" || !s.Filed.Equal(factsDate("2024-02-01")) {
		t.Errorf("statement of %v to %v in the %s filed %v", s.PeriodStart, s.PeriodEnd, s.Form, s.Filed)
	}
	if s.Provenance.Currency != "USD" || !s.Provenance.AsOf.Equal(s.PeriodEnd) {
		t.Errorf("provenance %+v", s.Provenance)
	}
	i := s.Items[market.ItemRevenue]
	if i.Unit != "USD" || i.Tag != "us-gaap:Revenues" || i.Form != "10-K" || i.Accession != accessionFor("10-K", "2024-02-01") || i.First.Valid || i.Flags != nil {
		t.Errorf("revenue = %+v", i)
	}
	checkItem(t, s, market.ItemTotalAssets, "5000")
	checkItem(t, s, market.ItemDilutedEPS, "")
}

// A proxy statement, the newest filing, repeats net income in its compensation table.
func TestStatements_ProxyStatementsAndOfferingsAreNoReports(t *testing.T) {
	s := onlyStatement(t, annualView(), `
		NetIncomeLoss USD 2023-01-01 2023-12-31 100 10-K 2024-02-01 2023 FY
		NetIncomeLoss USD 2023-01-01 2023-12-31 101 8-K/A 2024-02-20 2023 FY
		NetIncomeLoss USD 2023-01-01 2023-12-31 999 DEF_14A 2024-05-01 0 -
		NetIncomeLoss USD 2023-01-01 2023-12-31 999 424B5 2024-06-01 0 -`)
	checkItem(t, s, market.ItemNetIncome, "101")
}

func TestStatements_ComparativesKeepTheYearTheyAreOf(t *testing.T) {
	all := parsedStatements(t, annualView(), `
		NetIncomeLoss USD 2021-02-01 2022-01-30 80 10-K 2024-03-01 2024 FY
		NetIncomeLoss USD 2022-01-31 2023-01-29 90 10-K 2024-03-01 2024 FY
		NetIncomeLoss USD 2023-01-30 2024-01-28 100 10-K 2024-03-01 2024 FY
		NetIncomeLoss USD 2024-01-29 2025-01-26 110 10-K 2025-03-01 2025 FY`)
	for label, want := range map[string]string{"2025 FY": "110", "2024 FY": "100", "2023 FY": "90", "2022 FY": "80"} {
		checkItem(t, statementAt(t, all, label), market.ItemNetIncome, want)
	}
	if !all[0].PeriodEnd.After(all[3].PeriodEnd) {
		t.Errorf("statements run from %v to %v, want the newest first", all[0].PeriodEnd, all[3].PeriodEnd)
	}
	// A figure repeated for comparison still comes from the report of its own year.
	if got := statementAt(t, all, "2024 FY"); !got.Filed.Equal(factsDate("2024-03-01")) {
		t.Errorf("2024 FY filed %v, want 2024-03-01", got.Filed)
	}
}

// In NVIDIA's first tagged reports, a year has the label of the one before.
func TestStatements_AMistakeInAYearsNameDoesNotSpread(t *testing.T) {
	all := parsedStatements(t, annualView(), `
		NetIncomeLoss USD 2012-01-30 2013-01-27 1 10-K 2013-03-12 2013 FY
		NetIncomeLoss USD 2013-01-28 2014-01-26 2 10-K 2014-03-13 2013 FY
		NetIncomeLoss USD 2014-01-27 2015-01-25 3 10-K 2015-03-12 2015 FY
		NetIncomeLoss USD 2015-01-26 2016-01-31 4 10-K 2016-03-17 2016 FY`)
	checkItem(t, statementAt(t, all, "2014 FY"), market.ItemNetIncome, "2")
	checkItem(t, statementAt(t, all, "2013 FY"), market.ItemNetIncome, "1")
}

const facts2023 = `
	Revenues USD 2023-01-01 2023-03-31 10 10-Q 2023-05-01 2023 Q1
	Revenues USD 2023-04-01 2023-06-30 11 10-Q 2023-08-01 2023 Q2
	Revenues USD 2023-01-01 2023-06-30 21 10-Q 2023-08-01 2023 Q2
	Revenues USD 2023-07-01 2023-09-30 12 10-Q 2023-11-01 2023 Q3
	Revenues USD 2023-01-01 2023-09-30 33 10-Q 2023-11-01 2023 Q3
	Revenues USD 2023-01-01 2023-12-31 50 10-K 2024-02-01 2023 FY
	NetCashProvidedByUsedInOperatingActivities USD 2023-01-01 2023-03-31 1 10-Q 2023-05-01 2023 Q1
	NetCashProvidedByUsedInOperatingActivities USD 2023-01-01 2023-06-30 3 10-Q 2023-08-01 2023 Q2
	NetCashProvidedByUsedInOperatingActivities USD 2023-01-01 2023-09-30 6 10-Q 2023-11-01 2023 Q3
	NetCashProvidedByUsedInOperatingActivities USD 2023-01-01 2023-12-31 10 10-K 2024-02-01 2023 FY
	EarningsPerShareDiluted USD/shares 2023-01-01 2023-03-31 0.10 10-Q 2023-05-01 2023 Q1
	EarningsPerShareDiluted USD/shares 2023-04-01 2023-06-30 0.11 10-Q 2023-08-01 2023 Q2
	EarningsPerShareDiluted USD/shares 2023-07-01 2023-09-30 0.12 10-Q 2023-11-01 2023 Q3
	EarningsPerShareDiluted USD/shares 2023-01-01 2023-09-30 0.33 10-Q 2023-11-01 2023 Q3
	EarningsPerShareDiluted USD/shares 2023-01-01 2023-12-31 0.50 10-K 2024-02-01 2023 FY
	WeightedAverageNumberOfDilutedSharesOutstanding shares 2023-01-01 2023-09-30 100 10-Q 2023-11-01 2023 Q3
	WeightedAverageNumberOfDilutedSharesOutstanding shares 2023-01-01 2023-12-31 101 10-K 2024-02-01 2023 FY
`

func TestStatements_QuartersAreDifferencesOfTheYearSoFar(t *testing.T) {
	all := parsedStatements(t, quarterlyView(), facts2023)
	for label, want := range map[string][2]string{"2023 Q1": {"10", "1"}, "2023 Q2": {"11", "2"}, "2023 Q3": {"12", "3"}, "2023 Q4": {"17", "4"}} {
		checkItem(t, statementAt(t, all, label), market.ItemRevenue, want[0])
		checkItem(t, statementAt(t, all, label), market.ItemOperatingCashFlow, want[1])
	}
	last := statementAt(t, all, "2023 Q4")
	if i := last.Items[market.ItemRevenue]; i.Formula != "FY - 9M" || len(i.Inputs) != 2 || i.Form != "10-K" || !i.Filed.Equal(factsDate("2024-02-01")) {
		t.Errorf("fourth quarter's revenue = %+v, want FY - 9M of two inputs, known with the 10-K", i)
	}
	if !last.PeriodStart.Equal(factsDate("2023-10-01")) {
		t.Errorf("the fourth quarter starts %v, want 2023-10-01", last.PeriodStart)
	}
	if f := statementAt(t, all, "2023 Q3").Items[market.ItemOperatingCashFlow].Formula; f != "9M - H1" {
		t.Errorf("third quarter's cash flow = %q, want 9M - H1", f)
	}
}

// C14: the fourth quarter is the year less nine months, marked as derived; average share counts are
// weighted by days: (101 * 365 - 100 * 273) / 92.
func TestStatements_FourthQuarterPerShareIsDerived(t *testing.T) {
	last := statementAt(t, parsedStatements(t, quarterlyView(), facts2023), "2023 Q4")
	checkItem(t, last, market.ItemDilutedEPS, "0.17")
	checkItem(t, last, market.ItemDilutedShares, "104")
	for item, want := range map[string][2]string{market.ItemDilutedEPS: {"FY - 9M", "USD/share"}, market.ItemDilutedShares: {"FY - 9M, weighted by days", "shares"}} {
		if i := last.Items[item]; i.Formula != want[0] || i.Unit != want[1] || len(i.Inputs) != 2 {
			t.Errorf("%s = %+v, want %q in %s of two inputs", item, i, want[0], want[1])
		}
	}
	if len(last.Warnings) != 0 {
		t.Errorf("warnings = %q, want none", last.Warnings)
	}
}

// A sold business is removed from the year when the next report repeats it, while the nine months remain
// unchanged, or the other way round. An error that an amendment corrects before the year is reported is
// corrected in both.
func TestStatements_AQuarterIsOfOneFooting(t *testing.T) {
	for name, row := range map[string]struct{ more, want, formula string }{
		"neither":             {"", "17", "FY - 9M"},
		"the year later":      {"Revenues USD 2023-01-01 2023-12-31 40 10-K 2025-02-01 2024 FY", "17", "FY - 9M, as first reported"},
		"nine months later":   {"Revenues USD 2023-01-01 2023-09-30 20 10-Q 2024-11-01 2024 Q3", "17", "FY - 9M, as first reported"},
		"nine months amended": {"Revenues USD 2023-01-01 2023-09-30 29 10-Q/A 2023-12-01 2023 Q3", "21", "FY - 9M"},
		"both":                {"Revenues USD 2023-01-01 2023-12-31 40 10-K 2025-02-01 2024 FY\nRevenues USD 2023-01-01 2023-09-30 27 10-Q 2024-11-01 2024 Q3", "13", "FY - 9M"},
	} {
		i := statementAt(t, parsedStatements(t, quarterlyView(), facts2023+row.more), "2023 Q4").Items[market.ItemRevenue]
		if !i.Value.Equal(decimal.RequireFromString(row.want)) || i.Formula != row.formula {
			t.Errorf("%s restated: fourth quarter's revenue = %s by %q, want %s by %q", name, i.Value, i.Formula, row.want, row.formula)
		}
	}
}

func TestStatements_TrailingYearMovesByTheMonthsSince(t *testing.T) {
	all := parsedStatements(t, trailingView(), facts2023+`
		Revenues USD 2024-01-01 2024-03-31 14 10-Q 2024-05-01 2024 Q1
		Revenues USD 2024-04-01 2024-06-30 15 10-Q 2024-08-01 2024 Q2
		Revenues USD 2024-01-01 2024-06-30 29 10-Q 2024-08-01 2024 Q2
		EarningsPerShareDiluted USD/shares 2024-01-01 2024-03-31 0.14 10-Q 2024-05-01 2024 Q1`)
	for i, want := range []string{"58", "54", "50"} {
		checkItem(t, all[i], market.ItemRevenue, want) // 50+29-21, 50+14-10, 50
	}
	if !all[0].PeriodStart.Equal(factsDate("2023-07-01")) || all[0].FiscalPeriod != "TTM" || all[0].Items[market.ItemRevenue].Formula == "" {
		t.Errorf("trailing year from %v %s by %q", all[0].PeriodStart, all[0].FiscalPeriod, all[0].Items[market.ItemRevenue].Formula)
	}
	checkItem(t, all[0], market.ItemDilutedEPS, "")     // its quarters were not all filed
	checkItem(t, all[2], market.ItemDilutedEPS, "0.50") // the fiscal year itself
}

func TestStatements_TrailingEarningsAShareAddFiledQuarters(t *testing.T) {
	all := parsedStatements(t, trailingView(), facts2023+`
		EarningsPerShareDiluted USD/shares 2023-10-01 2023-12-31 0.17 10-K 2024-02-01 2023 FY
		Revenues USD 2024-01-01 2024-03-31 14 10-Q 2024-05-01 2024 Q1
		EarningsPerShareDiluted USD/shares 2024-01-01 2024-03-31 0.14 10-Q 2024-05-01 2024 Q1`)
	checkItem(t, all[0], market.ItemDilutedEPS, "0.54") // 0.11 + 0.12 + 0.17 + 0.14
}

// Twelve weeks, and sixteen at the end: the quarters of Costco.
func TestStatements_QuartersOfWeeksAreQuarters(t *testing.T) {
	all := parsedStatements(t, quarterlyView(), `
		Revenues USD 2022-08-29 2022-11-20 54 10-Q 2022-12-14 2023 Q1
		Revenues USD 2022-11-21 2023-02-12 55 10-Q 2023-03-08 2023 Q2
		Revenues USD 2023-02-13 2023-05-07 53 10-Q 2023-06-01 2023 Q3
		Revenues USD 2022-08-29 2023-05-07 162 10-Q 2023-06-01 2023 Q3
		Revenues USD 2022-08-29 2023-09-03 242 10-K 2023-10-11 2023 FY`)
	for label, want := range map[string]string{"2023 Q1": "54", "2023 Q2": "55", "2023 Q3": "53", "2023 Q4": "80"} {
		checkItem(t, statementAt(t, all, label), market.ItemRevenue, want)
	}
}

func TestStatements_AYearUnderWayIsNamedFromTheLastReport(t *testing.T) {
	all := parsedStatements(t, quarterlyView(), facts2023+`
		Revenues USD 2024-01-01 2024-03-31 14 10-Q 2024-05-01 2024 Q1`)
	checkItem(t, statementAt(t, all, "2024 Q1"), market.ItemRevenue, "14")
	young := parsedStatements(t, quarterlyView(), `Revenues USD 2024-01-01 2024-03-31 14 10-Q 2024-05-01 2024 Q1`)
	checkItem(t, statementAt(t, young, "2024 Q1"), market.ItemRevenue, "14")
}
