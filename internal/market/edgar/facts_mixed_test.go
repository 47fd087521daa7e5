package edgar_test

import (
	"slices"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/edgar"
)

// The text of a report says 0.4 billion where its table has 385 million. Nothing was restated, whichever of
// the two a document lists first.
func TestStatements_AFigureRoundedInItsOwnFilingIsNoRestatement(t *testing.T) {
	const exact = "NetIncomeLoss USD 2023-01-01 2023-12-31 385000000 10-K 2024-02-01 2023 FY\n"
	const rounded = "NetIncomeLoss USD 2023-01-01 2023-12-31 400000000 10-K 2024-02-01 2023 FY\n"
	const later = "NetIncomeLoss USD 2023-01-01 2023-12-31 385000000 10-K 2025-02-01 2024 FY\n"
	for name, lines := range map[string]string{"exact first": exact + rounded, "rounded first": rounded + exact, "repeated a year later": rounded + exact + later} {
		s := onlyStatement(t, annualView(), lines)
		checkItem(t, s, market.ItemNetIncome, "385000000")
		if i := s.Items[market.ItemNetIncome]; i.First.Valid || slices.Contains(i.Flags, market.FlagRestated) {
			t.Errorf("%s: net income = %+v, want no restatement", name, i)
		}
	}
}

// Revenue under two tags of one tier: the total, and a part of it.
const factsWholeAndPart = `
	RevenueFromContractWithCustomerExcludingAssessedTax USD 2023-01-01 2023-09-30 700 10-Q 2023-11-01 2023 Q3
	Revenues USD 2023-01-01 2023-09-30 60 10-Q 2023-11-01 2023 Q3
	RevenueFromContractWithCustomerExcludingAssessedTax USD 2023-01-01 2023-12-31 1000 10-K 2024-02-01 2023 FY
	Revenues USD 2023-01-01 2023-12-31 90 10-K 2024-02-01 2023 FY
	RevenueFromContractWithCustomerExcludingAssessedTax USD 2024-01-01 2024-09-30 800 10-Q 2024-11-01 2024 Q3
	Revenues USD 2024-01-01 2024-09-30 80 10-Q 2024-11-01 2024 Q3`

func TestStatements_DifferencesAreOfOneConcept(t *testing.T) {
	s := statementAt(t, parsedStatements(t, edgar.StatementView{Span: market.SpanQuarterly}, factsWholeAndPart), "2023 Q4")
	checkItem(t, s, market.ItemRevenue, "300")
	ttm := parsedStatements(t, edgar.StatementView{Span: market.SpanTrailing}, factsWholeAndPart)
	checkItem(t, ttm[0], market.ItemRevenue, "1100") // 1000 + 800 - 700
}

// Earnings per share of one quarter are under another concept than those of the other quarters, and the two
// concepts have different values for one quarter.
func TestStatements_TrailingEarningsAShareOfTwoConceptsAreSuspect(t *testing.T) {
	const lines = `
		EarningsPerShareBasic USD/shares 2023-01-01 2023-03-31 0.10 10-Q 2023-05-01 2023 Q1
		EarningsPerShareBasicAndDiluted USD/shares 2023-01-01 2023-03-31 0.08 10-Q 2023-05-01 2023 Q1
		EarningsPerShareBasic USD/shares 2023-04-01 2023-06-30 0.11 10-Q 2023-08-01 2023 Q2
		EarningsPerShareBasic USD/shares 2023-07-01 2023-09-30 0.12 10-Q 2023-11-01 2023 Q3
		EarningsPerShareBasic USD/shares 2023-10-01 2023-12-31 0.17 10-K 2024-02-01 2023 FY
		Revenues USD 2023-01-01 2023-03-31 10 10-Q 2023-05-01 2023 Q1
		Revenues USD 2023-01-01 2023-12-31 50 10-K 2024-02-01 2023 FY
		Revenues USD 2024-01-01 2024-03-31 14 10-Q 2024-05-01 2024 Q1
		`
	for concept, suspect := range map[string]bool{"EarningsPerShareBasic": false, "EarningsPerShareBasicAndDiluted": true} {
		s := parsedStatements(t, edgar.StatementView{Span: market.SpanTrailing}, lines+concept+" USD/shares 2024-01-01 2024-03-31 0.14 10-Q 2024-05-01 2024 Q1")[0]
		checkItem(t, s, market.ItemBasicEPS, "0.54") // 0.11 + 0.12 + 0.17 + 0.14
		if i := s.Items[market.ItemBasicEPS]; slices.Contains(i.Flags, market.FlagSuspect) != suspect {
			t.Errorf("with %s the year's earnings a share = %+v, want it suspect: %v", concept, i, suspect)
		}
	}
}

// The year's cash flow includes all operations, that of the nine months only continuing ones. Either the year
// has both concepts with different values, or the two cannot be compared.
func TestStatements_ADifferenceOfConceptsThatDifferIsSuspect(t *testing.T) {
	const switched = `
		NetCashProvidedByUsedInOperatingActivitiesContinuingOperations USD 2023-01-01 2023-09-30 70 10-Q 2023-11-01 2023 Q3
		NetIncomeLoss USD 2023-01-01 2023-09-30 30 10-Q 2023-11-01 2023 Q3
		NetCashProvidedByUsedInOperatingActivities USD 2023-01-01 2023-12-31 120 10-K 2024-02-01 2023 FY
		NetIncomeLoss USD 2023-01-01 2023-12-31 45 10-K 2024-02-01 2023 FY
		`
	const both = "NetCashProvidedByUsedInOperatingActivitiesContinuingOperations USD 2022-01-01 2022-12-31 80 10-K 2024-02-01 2023 FY\n" +
		"NetCashProvidedByUsedInOperatingActivities USD 2022-01-01 2022-12-31 "
	for name, row := range map[string]struct {
		lines   string
		suspect bool
	}{
		"another year says that they differ":  {switched + both + "90 10-K 2024-02-01 2023 FY", true},
		"another year says that they are one": {switched + both + "80 10-K 2024-02-01 2023 FY", false},
		"this year says that they are one, another that they differ": {switched + both + "90 10-K 2024-02-01 2023 FY\n" +
			"NetCashProvidedByUsedInOperatingActivities USD 2023-01-01 2023-06-30 44 10-Q 2023-08-01 2023 Q2\n" +
			"NetCashProvidedByUsedInOperatingActivitiesContinuingOperations USD 2023-01-01 2023-06-30 44 10-Q 2023-08-01 2023 Q2", false},
		"the company went over to the other one": {switched, false},
	} {
		s := statementAt(t, parsedStatements(t, edgar.StatementView{Span: market.SpanQuarterly}, row.lines), "2023 Q4")
		checkItem(t, s, market.ItemOperatingCashFlow, "50")
		if i := s.Items[market.ItemOperatingCashFlow]; slices.Contains(i.Flags, market.FlagSuspect) != row.suspect {
			t.Errorf("%s: cash flow = %+v, want it suspect: %v", name, i, row.suspect)
		}
		if i := s.Items[market.ItemNetIncome]; len(i.Flags) > 0 {
			t.Errorf("%s: net income = %+v, want no flag: it is of one concept", name, i)
		}
	}
}

// Apple, fiscal 2017, in millions: the nine months have only one concept, the year two. One of those was 8.2
// billion in a note before a later report used it for the year's figure.
func TestStatements_AQuarterIsTakenUnderTheConceptThatHasBothSpans(t *testing.T) {
	const lines = `
		NetIncomeLoss USD 2016-09-25 2017-09-30 48351000000 10-K 2017-11-03 2017 FY
		DepreciationAmortizationAndAccretionNet USD 2016-09-25 2017-07-01 7673000000 10-Q 2017-08-02 2017 Q3
		DepreciationDepletionAndAmortization USD 2016-09-25 2017-09-30 8200000000 10-K 2017-11-03 2017 FY
		DepreciationAmortizationAndAccretionNet USD 2016-09-25 2017-09-30 10157000000 10-K 2017-11-03 2017 FY
		DepreciationDepletionAndAmortization USD 2016-09-25 2017-09-30 10157000000 10-K 2019-10-31 2019 FY
		DepreciationDepletionAndAmortization USD 2017-10-01 2018-06-30 8149000000 10-Q 2018-08-01 2018 Q3
		NetIncomeLoss USD 2017-10-01 2018-06-30 45406000000 10-Q 2018-08-01 2018 Q3`
	s := statementAt(t, parsedStatements(t, edgar.StatementView{Span: market.SpanQuarterly}, lines), "2017 Q4")
	checkItem(t, s, market.ItemDepreciation, "2484000000")
	whole := statementAt(t, parsedStatements(t, annualView(), lines), "2017 FY")
	checkItem(t, whole, market.ItemDepreciation, "10157000000")
	if i := whole.Items[market.ItemDepreciation]; i.First.Valid || len(i.Flags) > 0 {
		t.Errorf("the year's depreciation = %+v, want it as it was first reported", i)
	}
	ttm := parsedStatements(t, edgar.StatementView{Span: market.SpanTrailing}, lines)
	checkItem(t, ttm[0], market.ItemDepreciation, "10633000000")
}

// Two concepts of one meaning with different values make a figure doubtful, and so is any sum that includes
// it.
func TestStatements_DoubtGoesIntoTheFourQuarters(t *testing.T) {
	ttm := parsedStatements(t, edgar.StatementView{Span: market.SpanTrailing}, `
		CostOfRevenue USD 2023-01-01 2023-09-30 70 10-Q 2023-11-01 2023 Q3
		NetIncomeLoss USD 2023-01-01 2023-09-30 30 10-Q 2023-11-01 2023 Q3
		CostOfRevenue USD 2023-01-01 2023-12-31 100 10-K 2024-02-01 2023 FY
		NetIncomeLoss USD 2023-01-01 2023-12-31 45 10-K 2024-02-01 2023 FY
		CostOfRevenue USD 2024-01-01 2024-09-30 81 10-Q 2024-11-01 2024 Q3
		CostOfGoodsSold USD 2024-01-01 2024-09-30 53 10-Q 2024-11-01 2024 Q3
		NetIncomeLoss USD 2024-01-01 2024-09-30 33 10-Q 2024-11-01 2024 Q3`)
	checkItem(t, ttm[0], market.ItemCostOfRevenue, "111")
	if i := ttm[0].Items[market.ItemCostOfRevenue]; !slices.Contains(i.Flags, market.FlagSuspect) {
		t.Errorf("cost = %+v, want it suspect", i)
	}
}

func TestStatements_TheWholeProfitIsDoubtedWhereOthersHaveAShare(t *testing.T) {
	const profit = "ProfitLoss USD 2023-01-01 2023-12-31 120 10-K 2024-02-01 2023 FY\n"
	const others = "MinorityInterest USD - 2023-12-31 40 10-K 2024-02-01 2023 FY\n"
	const owners = "NetIncomeLoss USD 2023-01-01 2023-12-31 100 10-K 2024-02-01 2023 FY\n"
	for name, row := range map[string]struct {
		lines, want string
		suspect     bool
	}{
		"nobody else has a share":        {profit, "120", false},
		"others have one":                {profit + others, "120", true},
		"and that of owners is reported": {profit + others + owners, "100", false},
	} {
		s := onlyStatement(t, annualView(), row.lines)
		checkItem(t, s, market.ItemNetIncome, row.want)
		if got := slices.Contains(s.Items[market.ItemNetIncome].Flags, market.FlagSuspect); got != row.suspect || (len(s.Warnings) > 0) != row.suspect {
			t.Errorf("%s: suspect %v, warnings %q; want %v", name, got, s.Warnings, row.suspect)
		}
	}
	quarters := parsedStatements(t, edgar.StatementView{Span: market.SpanQuarterly}, profit+others+`
		ProfitLoss USD 2023-01-01 2023-09-30 90 10-Q 2023-11-01 2023 Q3`)
	if i := statementAt(t, quarters, "2023 Q4").Items[market.ItemNetIncome]; !slices.Contains(i.Flags, market.FlagSuspect) {
		t.Errorf("the quarter that is left has %+v, want it suspect", i)
	}
}
