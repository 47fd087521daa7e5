package edgar_test

import (
	"compress/gzip"
	"io"
	"os"
	"slices"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/edgar"
	"github.com/nfa-cli/nfa/internal/recordings"
)

// factsRecording is a document as the SEC gave it, where the recordings are at hand.
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

// Figures of the annual reports, in millions of dollars but for earnings a share;
// zero is a figure that is not tagged.
func TestRecorded_YearsAreAsReported(t *testing.T) {
	items := [...]string{market.ItemRevenue, market.ItemOperatingIncome, market.ItemNetIncome, market.ItemOperatingCashFlow, market.ItemCapitalExpenditure}
	for _, row := range []struct {
		file, label, end, filed string
		millions                [5]int64
		eps                     string
	}{
		{recordedApple, "2023 FY", "2023-09-30", "2023-11-03", [5]int64{383285, 114301, 96995, 110543, 10959}, "6.13"},
		{recordedApple, "2025 FY", "2025-09-27", "2025-10-31", [5]int64{416161, 133050, 112010, 111482, 12715}, "7.46"},
		{recordedApple, "2014 FY", "2014-09-27", "2015-10-28", [5]int64{182795, 52503, 39510, 59713, 9571}, "6.45"},
		{recordedNvidia, "2023 FY", "2023-01-29", "2025-02-26", [5]int64{26974, 4224, 4368, 5641, 1833}, "0.17"},
		{recordedNvidia, "2026 FY", "2026-01-25", "2026-02-25", [5]int64{215938, 130387, 120067, 102718, 6042}, "4.90"},
		// Its purchases of property stand under a tag of its own in this year.
		{recordedNvidia, "2019 FY", "2019-01-27", "2021-02-26", [5]int64{11716, 3804, 4141, 3743, 0}, "6.63"},
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

// Reports of quarters: NVIDIA's first of fiscal 2025, of April 2024, and Apple's
// fourth of fiscal 2025, which its announcement gave as 102,466.
func TestRecorded_QuartersAddUpToTheirYear(t *testing.T) {
	checkItem(t, statementAt(t, parsedFacts(t, recordedNvidia).Statements(quarterlyView()), "2025 Q1"), market.ItemRevenue, "26044000000")
	checkItem(t, statementAt(t, parsedFacts(t, recordedApple).Statements(quarterlyView()), "2025 Q4"), market.ItemRevenue, "102466000000")
	for _, name := range []string{recordedApple, recordedNvidia} {
		c := parsedFacts(t, name)
		byQuarter := c.Statements(quarterlyView())
		for _, year := range c.Statements(edgar.StatementView{}) {
			for _, item := range []string{
				market.ItemRevenue, market.ItemCostOfRevenue, market.ItemGrossProfit, market.ItemOperatingIncome, market.ItemPretaxIncome, market.ItemNetIncome,
				market.ItemOperatingCashFlow, market.ItemDepreciation, market.ItemStockCompensation, market.ItemCapitalExpenditure,
				market.ItemInvestingCashFlow, market.ItemFinancingCashFlow, market.ItemFreeCashFlow,
			} {
				checkSum(t, year, byQuarter, item)
			}
		}
	}
}

// checkSum compares the quarters of a year with the year. What was restated since may
// differ, and so may a rounding to millions.
func checkSum(t *testing.T, year market.Statement, all []market.Statement, item string) {
	t.Helper()
	whole, sum, n := year.Items[item], decimal.Decimal{}, 0
	for _, q := range all {
		if one, ok := q.Items[item]; ok && q.FiscalYear == year.FiscalYear {
			sum, n = sum.Add(one.Value), n+1
		}
	}
	slack := decimal.Max(whole.Value.Abs().Mul(decimal.New(5, -3)), decimal.New(2, 6))
	if year.FiscalYear > 2010 && !slices.Contains(whole.Flags, market.FlagRestated) && (n > 4 || n == 4 && sum.Sub(whole.Value).Abs().GreaterThan(slack)) {
		t.Errorf("%s %d: %d quarters of %s add up to %s, the year's is %s", year.Name, year.FiscalYear, n, item, sum, whole.Value)
	}
}

func TestRecorded_OnlyRestatementsAreRestated(t *testing.T) {
	for _, s := range parsedFacts(t, recordedNvidia).Statements(edgar.StatementView{}) {
		if i := s.Items[market.ItemDilutedEPS]; i.First.Valid {
			t.Errorf("NVDA %d: diluted earnings %s were first %s, want no restatement for a split", s.FiscalYear, i.Value, i.First.Decimal)
		}
	}
	i := statementAt(t, parsedFacts(t, recordedApple).Statements(edgar.StatementView{}), "2008 FY").Items[market.ItemDilutedEPS]
	if !i.First.Valid || i.First.Decimal.String() != "5.36" || i.Value.String() != "6.78" || i.Form != "10-K/A" {
		t.Errorf("AAPL 2008 diluted earnings = %+v, want 6.78 by the 10-K/A, first 5.36", i)
	}
	before := statementAt(t, parsedFacts(t, recordedNvidia).Statements(edgar.StatementView{KnownOn: factsDate("2024-01-01")}), "2023 FY")
	checkItem(t, before, market.ItemDilutedEPS, "1.74")
}

// A company's figures are read within 150 ms: parsing and one view of it.
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
