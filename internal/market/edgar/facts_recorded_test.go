package edgar_test

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/edgar"
	"github.com/nfa-cli/nfa/internal/recordings"
)

// factsRecording returns a recorded companyfacts document, or skips the test if there is none.
func factsRecording(t testing.TB, name string) []byte {
	t.Helper()
	file, err := os.Open(recordings.Path(t, "market", "sec", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(unzipped)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

const (
	recordedApple  = "companyfacts-CIK0000320193-AAPL.json.gz"
	recordedNvidia = "companyfacts-CIK0001045810-NVDA.json.gz"
)

// Figures of the annual reports in millions of dollars, except earnings per share; zero means not tagged.
func TestRecorded_YearsAreAsReported(t *testing.T) {
	items := [...]string{market.ItemRevenue, market.ItemOperatingIncome, market.ItemNetIncome, market.ItemOperatingCashFlow, market.ItemCapitalExpenditure}
	for _, row := range []struct {
		file, label, end, filed string
		millions                [5]int64
		eps                     string
	}{
		{recordedApple, "2023 FY", "2023-09-30", "2023-11-03", [5]int64{383285, 114301, 96995, 110543, 10959}, "6.13"},
		{recordedApple, "2025 FY", "2025-09-27", "2025-10-31", [5]int64{416161, 133050, 112010, 111482, 12715}, "7.46"},
		{recordedApple, "2014 FY", "2014-09-27", "2015-10-28", [5]int64{182795, 52503, 39510, 59713, 9571}, "1.6125"}, // 6.45 before four for one

		{recordedNvidia, "2023 FY", "2023-01-29", "2025-02-26", [5]int64{26974, 4224, 4368, 5641, 1833}, "0.17"},
		{recordedNvidia, "2026 FY", "2026-01-25", "2026-02-25", [5]int64{215938, 130387, 120067, 102718, 6042}, "4.90"},
		// In this year its purchases of property have a tag of its own.
		{recordedNvidia, "2019 FY", "2019-01-27", "2021-02-26", [5]int64{11716, 3804, 4141, 3743, 0}, "0.16575"}, // 6.63 before four and ten for one

	} {
		s := statementAt(t, parsedFacts(t, row.file).Statements(edgar.StatementView{}), row.label)
		if !s.PeriodEnd.Equal(factsDate(row.end)) || !s.Filed.Equal(factsDate(row.filed)) || s.Form != "10-K" {
			t.Errorf("%s %s ends %v in the %s filed %v", row.file, row.label, s.PeriodEnd, s.Form, s.Filed)
		}
		for i, millions := range row.millions {
			want := ""
			if millions != 0 {
				want = decimal.New(millions, 6).String()
			}
			checkItem(t, s, items[i], want)
		}
		checkItem(t, s, market.ItemDilutedEPS, row.eps)
	}
}

func parsedFacts(t testing.TB, name string) *edgar.CompanyFacts {
	t.Helper()
	c, err := edgar.ParseFacts(factsRecording(t, name))
	if err != nil {
		t.Fatalf("Parse(%s) = %v", name, err)
	}
	return c
}

// recordedCompanies returns the names of all recorded companyfacts.
func recordedCompanies(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(recordings.Path(t, "market", "sec"), "companyfacts-*.json.gz"))
	if err != nil || len(paths) < 2 {
		t.Fatalf("%d recorded companies, %v; want at least two", len(paths), err)
	}
	for i := range paths {
		paths[i] = filepath.Base(paths[i])
	}
	return paths
}

// C15: the expected quarters are NVIDIA's first of fiscal 2025 (April 2024) and Apple's fourth of fiscal
// 2025, 102,466 in its announcement. The quarters of each year add up to it, or the fourth quarter has a
// warning.
func TestRecorded_QuartersAddUpToTheirYear(t *testing.T) {
	checkItem(t, statementAt(t, parsedFacts(t, recordedNvidia).Statements(quarterlyView()), "2025 Q1"), market.ItemRevenue, "26044000000")
	checkItem(t, statementAt(t, parsedFacts(t, recordedApple).Statements(quarterlyView()), "2025 Q4"), market.ItemRevenue, "102466000000")
	flows := []string{
		market.ItemRevenue, market.ItemCostOfRevenue, market.ItemGrossProfit, market.ItemResearch, market.ItemSellingGeneral, market.ItemOperatingExpenses,
		market.ItemOperatingIncome, market.ItemInterestExpense, market.ItemPretaxIncome, market.ItemIncomeTax, market.ItemNetIncome,
		market.ItemBasicEPS, market.ItemDilutedEPS, market.ItemDividendsPerShare,
		market.ItemOperatingCashFlow, market.ItemDepreciation, market.ItemStockCompensation, market.ItemCapitalExpenditure, market.ItemFreeCashFlow, market.ItemAcquisitions,
		market.ItemInvestingCashFlow, market.ItemDividendsPaid, market.ItemSharesRepurchased, market.ItemFinancingCashFlow,
	}
	for _, name := range recordedCompanies(t) {
		c := parsedFacts(t, name)
		quarters, checked := c.Statements(quarterlyView()), 0
		for _, year := range c.Statements(edgar.StatementView{}) {
			for _, item := range flows {
				if checkSum(t, year, quarters, item) {
					checked++
				}
			}
		}
		if checked < 200 {
			t.Errorf("%s: %d sums of quarters checked, want at least 200", name, checked)
		}
	}
}

// checkSum compares the quarters of a year with the year, to half of the unit that each is rounded
// to: millions, or cents per share. It reports whether the year has four quarters on its split basis.
func checkSum(t *testing.T, year market.Statement, all []market.Statement, item string) bool {
	t.Helper()
	whole, ok := year.Items[item]
	sum, n, warned := decimal.Decimal{}, 0, false
	for _, q := range all {
		if one, ok := q.Items[item]; ok && q.FiscalYear == year.FiscalYear && q.FiscalPeriod != "transition" {
			sum, n = sum.Add(one.Value), n+1
			warned = warned || strings.Contains(strings.Join(q.Warnings, "; "), "do not add up to FY") && strings.Contains(strings.Join(q.Warnings, "; "), item+" of ")
			if strings.Contains(strings.Join(q.Warnings, "; "), "split") && strings.Contains(one.Unit, "share") {
				return false
			}
		}
	}
	if n > 4 {
		t.Errorf("%s %d: %d quarters of %s", year.Name, year.FiscalYear, n, item)
	}
	if !ok || n != 4 {
		return false
	}
	unit := decimal.New(1, 6)
	if strings.Contains(whole.Unit, "share") {
		unit = decimal.New(1, -2)
	}
	if off := sum.Sub(whole.Value).Abs(); off.GreaterThan(unit.Mul(decimal.New(25, -1))) && !warned {
		t.Errorf("%s %d: the quarters of %s add up to %s, the year is %s, and no warning says so", year.Name, year.FiscalYear, item, sum, whole.Value)
	}
	return true
}

// C14: each trailing year of the last ten has all per-share figures. Apple's to 2025-12-27 are earnings of
// 2.84 + (7.46 - 5.62) + 1.57 + 1.65 = 7.90, and dividends of 0.26 + (1.02 - 0.76) + 0.26 + 0.25 = 1.03, as
// in its reports.
func TestRecorded_TrailingYearsHaveFiguresPerShare(t *testing.T) {
	for _, name := range recordedCompanies(t) {
		for _, s := range parsedFacts(t, name).Statements(trailingView())[:40] {
			for _, item := range []string{market.ItemDilutedEPS, market.ItemBasicEPS, market.ItemDividendsPerShare, market.ItemDilutedShares} {
				i, ok := s.Items[item]
				if _, paid := s.Items[market.ItemDividendsPaid]; !paid && item == market.ItemDividendsPerShare {
					continue
				}
				if !ok || i.Tag == "" && (i.Formula == "" || len(i.Inputs) < 4) {
					t.Errorf("%s to %s: %s = %+v, want it as filed or derived from four quarters", s.Name, s.PeriodEnd.Format("2006-01-02"), item, i)
				}
			}
		}
	}
	s := parsedFacts(t, recordedApple).Statements(trailingView())[0]
	checkItem(t, s, market.ItemDilutedEPS, "7.9")
	checkItem(t, s, market.ItemDividendsPerShare, "1.03")
}

// usualTags are the us-gaap tags that companies use for an item: those in the recorded companyfacts,
// read on 2026-11-23, and their synonyms. Parts of an item are not among them.
var usualTags = map[string]string{
	market.ItemRevenue:            "Revenues RevenueFromContractWithCustomerExcludingAssessedTax RevenueFromContractWithCustomerIncludingAssessedTax SalesRevenueNet SalesRevenueGoodsNet",
	market.ItemCostOfRevenue:      "CostOfRevenue CostOfGoodsAndServicesSold CostOfGoodsSold",
	market.ItemGrossProfit:        "GrossProfit",
	market.ItemResearch:           "ResearchAndDevelopmentExpense ResearchAndDevelopmentExpenseExcludingAcquiredInProcessCost",
	market.ItemSellingGeneral:     "SellingGeneralAndAdministrativeExpense",
	market.ItemOperatingExpenses:  "OperatingExpenses",
	market.ItemOperatingIncome:    "OperatingIncomeLoss",
	market.ItemInterestExpense:    "InterestExpense InterestExpenseNonoperating InterestExpenseDebt InterestExpenseOperating",
	market.ItemPretaxIncome:       "IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest IncomeLossFromContinuingOperationsBeforeIncomeTaxesMinorityInterestAndIncomeLossFromEquityMethodInvestments",
	market.ItemIncomeTax:          "IncomeTaxExpenseBenefit",
	market.ItemNetIncome:          "NetIncomeLoss ProfitLoss NetIncomeLossAvailableToCommonStockholdersBasic",
	market.ItemBasicEPS:           "EarningsPerShareBasic EarningsPerShareBasicAndDiluted",
	market.ItemDilutedEPS:         "EarningsPerShareDiluted EarningsPerShareBasicAndDiluted",
	market.ItemBasicShares:        "WeightedAverageNumberOfSharesOutstandingBasic",
	market.ItemDilutedShares:      "WeightedAverageNumberOfDilutedSharesOutstanding",
	market.ItemDividendsPerShare:  "CommonStockDividendsPerShareDeclared CommonStockDividendsPerShareCashPaid",
	market.ItemCash:               "CashAndCashEquivalentsAtCarryingValue Cash CashAndDueFromBanks",
	market.ItemShortInvestments:   "ShortTermInvestments MarketableSecuritiesCurrent AvailableForSaleSecuritiesCurrent AvailableForSaleSecuritiesDebtSecuritiesCurrent DebtSecuritiesCurrent",
	market.ItemReceivables:        "AccountsReceivableNetCurrent ReceivablesNetCurrent",
	market.ItemInventory:          "InventoryNet",
	market.ItemCurrentAssets:      "AssetsCurrent",
	market.ItemProperty:           "PropertyPlantAndEquipmentNet",
	market.ItemGoodwill:           "Goodwill",
	market.ItemIntangibles:        "IntangibleAssetsNetExcludingGoodwill FiniteLivedIntangibleAssetsNet",
	market.ItemTotalAssets:        "Assets",
	market.ItemPayables:           "AccountsPayableCurrent AccountsPayableTradeCurrent",
	market.ItemShortDebt:          "DebtCurrent LongTermDebtCurrent ShortTermBorrowings CommercialPaper ConvertibleDebtCurrent ConvertibleNotesPayableCurrent",
	market.ItemCurrentLiabilities: "LiabilitiesCurrent",
	market.ItemLongDebt:           "LongTermDebtNoncurrent LongTermDebtAndCapitalLeaseObligations ConvertibleDebtNoncurrent ConvertibleLongTermNotesPayable LongTermNotesPayable",
	market.ItemTotalDebt:          "DebtLongtermAndShorttermCombinedAmount",
	market.ItemTotalLiabilities:   "Liabilities",
	market.ItemRetainedEarnings:   "RetainedEarningsAccumulatedDeficit",
	market.ItemEquity:             "StockholdersEquity",
	market.ItemMinorityInterest:   "MinorityInterest",
	market.ItemSharesOutstanding:  "CommonStockSharesOutstanding",
	market.ItemOperatingCashFlow:  "NetCashProvidedByUsedInOperatingActivities",
	market.ItemDepreciation:       "DepreciationDepletionAndAmortization DepreciationAmortizationAndAccretionNet DepreciationAndAmortization Depreciation OtherDepreciationAndAmortization",
	market.ItemStockCompensation:  "ShareBasedCompensation AllocatedShareBasedCompensationExpense",
	market.ItemCapitalExpenditure: "PaymentsToAcquirePropertyPlantAndEquipment PaymentsToAcquireProductiveAssets PaymentsToAcquireOtherPropertyPlantAndEquipment",
	market.ItemAcquisitions:       "PaymentsToAcquireBusinessesNetOfCashAcquired",
	market.ItemInvestingCashFlow:  "NetCashProvidedByUsedInInvestingActivities",
	market.ItemDividendsPaid:      "PaymentsOfDividends PaymentsOfDividendsCommonStock PaymentsOfOrdinaryDividends",
	market.ItemSharesRepurchased:  "PaymentsForRepurchaseOfCommonStock PaymentsForRepurchaseOfEquity",
	market.ItemFinancingCashFlow:  "NetCashProvidedByUsedInFinancingActivities",
}

// C13: no item is missing in a year or quarter for which a report tags it under one of its usual tags.
func TestRecorded_NoUsualTagIsOverlooked(t *testing.T) {
	for _, name := range recordedCompanies(t) {
		body := factsRecording(t, name)
		var document struct {
			Facts map[string]map[string]struct {
				Units map[string][]struct{ Start, End, Form string }
			}
		}
		if err := json.Unmarshal(body, &document); err != nil {
			t.Fatal(err)
		}
		// tagged reports whether a report has a tag for a day, or for a period of least to most days that
		// ends on it.
		tagged := func(tag, end string, least, most int) bool {
			for _, figures := range document.Facts["us-gaap"][tag].Units {
				for _, f := range figures {
					days := 0
					if f.Start != "" {
						days = int(factsDate(f.End).Sub(factsDate(f.Start)).Hours()/24) + 1
					}
					if f.End == end && days >= least && days <= most && (strings.HasPrefix(f.Form, "10-K") || strings.HasPrefix(f.Form, "10-Q")) {
						return true
					}
				}
			}
			return false
		}
		c := parsedFacts(t, name)
		missing := 0
		for span, days := range map[market.Span][2]int{market.SpanAnnual: {350, 380}, market.SpanQuarterly: {80, 120}} {
			for _, s := range c.Statements(edgar.StatementView{Span: span}) {
				for item, tags := range usualTags {
					if _, ok := s.Items[item]; ok {
						continue
					}
					missing++
					for _, tag := range strings.Fields(tags) {
						if end := s.PeriodEnd.Format("2006-01-02"); tagged(tag, end, days[0], days[1]) || tagged(tag, end, 0, 0) {
							t.Errorf("%s, %s to %s: %s is missing, but %s is tagged", s.Name, span, end, item, tag)
						}
					}
				}
			}
		}
		if missing == 0 {
			t.Errorf("%s: no item is missing anywhere, so that the test checks nothing", name)
		}
	}
}

func TestRecorded_OnlyRestatementsAreRestated(t *testing.T) {
	for _, s := range parsedFacts(t, recordedNvidia).Statements(edgar.StatementView{}) {
		if i := s.Items[market.ItemDilutedEPS]; i.First.Valid {
			t.Errorf("NVDA %d: diluted earnings %s were first %s, want no restatement for a split", s.FiscalYear, i.Value, i.First.Decimal)
		}
	}
	i := statementAt(t, parsedFacts(t, recordedApple).Statements(edgar.StatementView{}), "2008 FY").Items[market.ItemDilutedEPS]
	if !i.First.Valid || i.First.Decimal.Mul(decimal.NewFromInt(28)).Round(6).String() != "5.36" || i.Value.Mul(decimal.NewFromInt(28)).Round(6).String() != "6.78" {
		t.Errorf("AAPL 2008 diluted earnings = %+v, want 6.78 / 28, first 5.36 / 28: seven and four for one since", i)
	}
	before := statementAt(t, parsedFacts(t, recordedNvidia).Statements(edgar.StatementView{KnownOn: factsDate("2024-01-01")}), "2023 FY")
	checkItem(t, before, market.ItemDilutedEPS, "1.74")
}

// Parsing a company's figures and building one view should take at most 150 ms.
func BenchmarkParseFacts(b *testing.B) {
	text := factsRecording(b, recordedNvidia)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := edgar.ParseFacts(text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkStatements(b *testing.B) {
	c := parsedFacts(b, recordedNvidia)
	for _, span := range []market.Span{market.SpanAnnual, market.SpanQuarterly, market.SpanTrailing} {
		b.Run(string(span), func(b *testing.B) {
			for b.Loop() {
				if len(c.Statements(edgar.StatementView{Span: span})) == 0 {
					b.Fatal("no statements")
				}
			}
		})
	}
}
