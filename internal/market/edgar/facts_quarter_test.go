package edgar_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/edgar"
)

// C15: Alphabet's second quarter of 2023, in its companyfacts of 2026: the cash flow statement has
// 11,058 million for six months and 5,284 for three; a note says "$5.4 billion". 11,058 - 5,284 = 5,774.
func TestStatements_AQuarterOfTheStatementBeatsARoundedNote(t *testing.T) {
	const lines = `
		NetIncomeLoss USD 2023-04-01 2023-06-30 18368000000 10-Q 2023-07-26 2023 Q2
		ShareBasedCompensation USD 2023-01-01 2023-03-31 5284000000 10-Q 2023-04-26 2023 Q1
		ShareBasedCompensation USD 2023-01-01 2023-06-30 11058000000 10-Q 2023-07-26 2023 Q2
		`
	const note = "AllocatedShareBasedCompensationExpense USD 2023-04-01 2023-06-30 5400000000 10-Q 2023-07-26 2023 Q2\n"
	for name, row := range map[string]struct{ lines, want, formula string }{
		"note under another concept": {lines + note, "5774000000", "H1 - Q"},
		"quarter in a table":         {lines + "ShareBasedCompensation USD 2023-04-01 2023-06-30 5775000000 10-Q 2023-07-26 2023 Q2", "5775000000", ""},
		"note only":                  {"NetIncomeLoss USD 2023-04-01 2023-06-30 18368000000 10-Q 2023-07-26 2023 Q2\n" + note, "5400000000", ""},
	} {
		s := parsedStatements(t, quarterlyView(), row.lines)[0]
		checkItem(t, s, market.ItemStockCompensation, row.want)
		if i := s.Items[market.ItemStockCompensation]; i.Formula != row.formula {
			t.Errorf("%s: formula %q, want %q", name, i.Formula, row.formula)
		}
	}
}

// C15: Alphabet's third quarter of 2015 as of 2017-06-30, in millions: nine months of 19,609 were restated as
// 19,963 in 2016, and only the restated six months are on file, 13,818. The quarter is 19,963 - 13,818 =
// 6,145, not 5,791.
func TestStatements_AnOriginalNeverGoesWithARestatement(t *testing.T) {
	const lines = `
		NetCashProvidedByUsedInOperatingActivities USD 2015-01-01 2015-12-31 26024000000 10-K 2016-02-11 2015 FY
		NetCashProvidedByUsedInOperatingActivities USD 2015-01-01 2015-09-30 19609000000 10-Q 2015-10-29 2015 Q3
		NetCashProvidedByUsedInOperatingActivities USD 2015-01-01 2015-06-30 13818000000 10-Q 2016-08-04 2016 Q2
		NetCashProvidedByUsedInOperatingActivities USD 2015-01-01 2015-09-30 19963000000 10-Q 2016-11-03 2016 Q3`
	s := statementAt(t, parsedStatements(t, edgar.StatementView{Span: market.SpanQuarterly, KnownOn: factsDate("2017-06-30")}, lines), "2015 Q3")
	checkItem(t, s, market.ItemOperatingCashFlow, "6145000000")
	if i := s.Items[market.ItemOperatingCashFlow]; i.Formula != "9M - H1" {
		t.Errorf("formula %q, want 9M - H1 of the newest figures", i.Formula)
	}
}

// C15: Apple's third quarter of fiscal 2017, in millions: the 10-Q of August 2017 counts dividends
// differently from that of May, whose figure a report restates a year later. The report after it repeats the
// nine months, so both are on the same basis: 9,499 - 6,134 = 3,365.
func TestStatements_AFigureRepeatedAfterARestatementIsOfItsKind(t *testing.T) {
	s := statementAt(t, parsedStatements(t, quarterlyView(), `
		NetIncomeLoss USD 2017-04-02 2017-07-01 8717000000 10-Q 2017-08-02 2017 Q3
		PaymentsOfDividends USD 2016-09-25 2017-04-01 6030000000 10-Q 2017-05-03 2017 Q2
		PaymentsOfDividends USD 2016-09-25 2017-07-01 9499000000 10-Q 2017-08-02 2017 Q3
		PaymentsOfDividends USD 2016-09-25 2017-04-01 6134000000 10-Q 2018-05-02 2018 Q2
		PaymentsOfDividends USD 2016-09-25 2017-07-01 9499000000 10-Q 2018-08-01 2018 Q3`), "2017 Q3")
	checkItem(t, s, market.ItemDividendsPaid, "3365000000")
}

// C15: a later report restated a year but not its quarters.
func TestStatements_AYearThatIsNotTheSumOfItsQuartersIsReported(t *testing.T) {
	const quarters = `
		NetIncomeLoss USD 2023-01-01 2023-03-31 10000000 10-Q 2023-05-01 2023 Q1
		NetIncomeLoss USD 2023-04-01 2023-06-30 11000000 10-Q 2023-08-01 2023 Q2
		NetIncomeLoss USD 2023-07-01 2023-09-30 12000000 10-Q 2023-11-01 2023 Q3
		NetIncomeLoss USD 2023-01-01 2023-09-30 33000000 10-Q 2023-11-01 2023 Q3
		NetIncomeLoss USD 2023-01-01 2023-12-31 50000000 10-K 2024-02-01 2023 FY
		`
	for name, row := range map[string]struct{ more, want string }{
		"they add up":       {"", ""},
		"rounding":          {"NetIncomeLoss USD 2023-10-01 2023-12-31 19000000 10-K 2024-02-01 2023 FY", ""},
		"the year restated": {"NetIncomeLoss USD 2023-01-01 2023-12-31 40000000 10-K 2025-02-01 2024 FY", "the four quarters do not add up to FY2023: net_income of 50000000 instead of 40000000 USD"},
	} {
		got := strings.Join(statementAt(t, parsedStatements(t, quarterlyView(), quarters+row.more), "2023 Q4").Warnings, "; ")
		if !strings.Contains(got, row.want) || row.want == "" && strings.Contains(got, "add up") {
			t.Errorf("%s: warnings %q, want %q", name, got, row.want)
		}
	}
}

// C14: earnings and dividends per share of a company that splits ten for one in June 2024. The last four
// quarters are on the split basis of the newest report: 0.40 + 0.30 + 5.00/10 + 2.00/10.
const factsAcrossASplit = `
	NetIncomeLoss USD 2023-10-30 2024-01-28 1 10-K 2024-02-21 2024 FY
	NetIncomeLoss USD 2024-04-29 2024-07-28 1 10-Q 2024-08-28 2025 Q2
	EarningsPerShareDiluted USD/shares 2023-01-30 2023-10-29 7.00 10-Q 2023-11-21 2024 Q3
	EarningsPerShareDiluted USD/shares 2023-01-30 2024-01-28 12.00 10-K 2024-02-21 2024 FY
	EarningsPerShareDiluted USD/shares 2023-07-31 2023-10-29 2.00 10-Q 2023-11-21 2024 Q3
	EarningsPerShareDiluted USD/shares 2024-01-29 2024-04-28 0.30 10-Q 2024-08-28 2025 Q2
	EarningsPerShareDiluted USD/shares 2024-04-29 2024-07-28 0.40 10-Q 2024-08-28 2025 Q2
	WeightedAverageNumberOfDilutedSharesOutstanding shares 2023-01-30 2023-10-29 99000000 10-Q 2023-11-21 2024 Q3
	WeightedAverageNumberOfDilutedSharesOutstanding shares 2023-01-30 2024-01-28 100000000 10-K 2024-02-21 2024 FY
	WeightedAverageNumberOfDilutedSharesOutstanding shares 2023-07-31 2023-10-29 99000000 10-Q 2023-11-21 2024 Q3
	WeightedAverageNumberOfDilutedSharesOutstanding shares 2024-01-29 2024-04-28 100000000 10-Q 2024-05-29 2025 Q1
	WeightedAverageNumberOfDilutedSharesOutstanding shares 2024-01-29 2024-04-28 1000000000 10-Q 2024-08-28 2025 Q2
	WeightedAverageNumberOfDilutedSharesOutstanding shares 2024-04-29 2024-07-28 1010000000 10-Q 2024-08-28 2025 Q2`

func TestStatements_FourQuartersAreOnOneSplitBasis(t *testing.T) {
	s := parsedStatements(t, trailingView(), factsAcrossASplit)[0]
	checkItem(t, s, market.ItemDilutedEPS, "1.4")
	checkItem(t, s, market.ItemDilutedShares, "1007500000") // of 1,010, 1,000, 1,030 and 990 million
	for _, item := range []string{market.ItemDilutedEPS, market.ItemDilutedShares} {
		if i := s.Items[item]; i.Formula == "" || len(i.Inputs) != 5 || !i.Filed.Equal(factsDate("2024-08-28")) || slices.Contains(i.Flags, market.FlagSuspect) {
			t.Errorf("%s = %+v, want a formula of five inputs, known with the last report", item, i)
		}
	}
	// The same holds for the quarter before the split, in reports before it.
	last := statementAt(t, parsedStatements(t, quarterlyView(), factsAcrossASplit), "2024 Q4")
	checkItem(t, last, market.ItemDilutedEPS, "0.5")
	checkItem(t, last, market.ItemDilutedShares, "1030000000")
}

// C13: fiscal 2025 of Alphabet and fiscal 2026 of Marvell, in millions, whose cash flow statements
// have no total of depreciation and amortization.
func TestStatements_DepreciationOfTwoLinesIsDerived(t *testing.T) {
	const year = " USD 2025-01-01 2025-12-31 "
	const filed = " 10-K 2026-02-05 2025 FY\n"
	const income = "NetIncomeLoss" + year + "1" + filed
	for name, row := range map[string]struct{ lines, want, formula, warning string }{
		"one line":         {"Depreciation" + year + "21136" + filed, "21136", "depreciation", "no figure for amortization"},
		"two lines":        {"OtherDepreciationAndAmortization" + year + "348.6" + filed + "AmortizationOfIntangibleAssets" + year + "942.0" + filed, "1290.6", "depreciation + amortization of intangible assets", ""},
		"a total and both": {"Depreciation" + year + "8" + filed + "AmortizationOfIntangibleAssets" + year + "3" + filed + "DepreciationDepletionAndAmortization" + year + "12" + filed, "12", "", ""},
		"amortization":     {"AmortizationOfIntangibleAssets" + year + "3" + filed, "", "", ""},
	} {
		s := onlyStatement(t, annualView(), income+row.lines)
		checkItem(t, s, market.ItemDepreciation, row.want)
		warned := strings.Join(s.Warnings, "; ")
		if i := s.Items[market.ItemDepreciation]; i.Formula != row.formula || !strings.Contains(warned, row.warning) || row.warning == "" && warned != "" {
			t.Errorf("%s: by %q with warnings %q, want %q and %q", name, i.Formula, warned, row.formula, row.warning)
		}
	}
}

// C13: a statement without a tag for pretax income, as in Marvell's 10-Qs.
func TestStatements_PretaxIncomeIsNetIncomeAndTax(t *testing.T) {
	const period = " USD 2023-01-01 2023-12-31 "
	const filed = " 10-K 2024-02-01 2023 FY\n"
	const net, tax = "NetIncomeLoss" + period + "80" + filed, "IncomeTaxExpenseBenefit" + period + "15" + filed
	const others = "MinorityInterest USD - 2023-12-31 40" + filed
	for name, row := range map[string]struct{ lines, want string }{
		"net income and tax":      {net + tax, "95"},
		"other owners":            {net + tax + others, ""},
		"profit of all owners":    {net + tax + others + "ProfitLoss" + period + "88" + filed, "103"},
		"discontinued operations": {net + tax + "IncomeLossFromDiscontinuedOperationsNetOfTax" + period + "7" + filed, "88"},
		"no tax":                  {net, ""},
	} {
		s := onlyStatement(t, annualView(), row.lines)
		if checkItem(t, s, market.ItemPretaxIncome, row.want); row.want != "" && s.Items[market.ItemPretaxIncome].Formula == "" {
			t.Errorf("%s: pretax income is not marked as derived", name)
		}
	}
}

// C13: for fiscal 2008, NVIDIA tags net income of 797,645 thousand and tax of 103,696, but no
// pretax income.
func TestRecorded_PretaxIncomeOfNvidia(t *testing.T) {
	checkItem(t, statementAt(t, parsedFacts(t, recordedNvidia).Statements(annualView()), "2008 FY"), market.ItemPretaxIncome, "901341000")
}

// C15: only the annual report restates a year. The trailing year ends a quarter later and uses figures as
// first reported: 100 + 25 - 20.
func TestStatements_ATrailingYearMixesNoVintages(t *testing.T) {
	all := parsedStatements(t, trailingView(), `
		NetIncomeLoss USD 2023-01-01 2023-03-31 20000000 10-Q 2023-05-01 2023 Q1
		NetIncomeLoss USD 2023-01-01 2023-12-31 100000000 10-K 2024-02-01 2023 FY
		NetIncomeLoss USD 2023-01-01 2023-03-31 20000000 10-Q 2024-05-01 2024 Q1
		NetIncomeLoss USD 2024-01-01 2024-03-31 25000000 10-Q 2024-05-01 2024 Q1
		NetIncomeLoss USD 2023-01-01 2023-12-31 90000000 10-K 2025-02-01 2024 FY
		NetIncomeLoss USD 2024-01-01 2024-12-31 110000000 10-K 2025-02-01 2024 FY`)
	for _, s := range all {
		if s.PeriodEnd.Equal(factsDate("2024-03-31")) {
			checkItem(t, s, market.ItemNetIncome, "105000000")
			return
		}
	}
	t.Error("no trailing year ends on 2024-03-31")
}
