package edgar_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/edgar"
)

// 2008 as Apple filed and later restated it: 5.36 per share, then 6.78.
const factsRestatedYear = `
	NetIncomeLoss USD 2007-09-30 2008-09-27 4834 10-K 2009-10-27 2009 FY
	NetIncomeLoss USD 2007-09-30 2008-09-27 6119 10-K/A 2010-01-25 2009 FY
	EarningsPerShareDiluted USD/shares 2007-09-30 2008-09-27 5.36 10-K 2009-10-27 2009 FY
	EarningsPerShareDiluted USD/shares 2007-09-30 2008-09-27 6.78 10-K/A 2010-01-25 2009 FY
	WeightedAverageNumberOfDilutedSharesOutstanding shares 2007-09-30 2008-09-27 902139000 10-K 2009-10-27 2009 FY
	WeightedAverageNumberOfDilutedSharesOutstanding shares 2007-09-30 2008-09-27 902139000 10-K/A 2010-01-25 2009 FY
	NetIncomeLoss USD 2008-09-28 2009-09-26 5704 10-K 2009-10-27 2009 FY
	NetIncomeLoss USD 2008-09-28 2009-09-26 8235 10-K/A 2010-01-25 2009 FY`

func TestStatements_ARestatementKeepsTheOriginal(t *testing.T) {
	s := statementAt(t, parsedStatements(t, annualView(), factsRestatedYear), "2008 FY")
	for item, want := range map[string][2]string{market.ItemNetIncome: {"6119", "4834"}, market.ItemDilutedEPS: {"6.78", "5.36"}} {
		i := s.Items[item]
		if !i.Value.Equal(decimal.RequireFromString(want[0])) || !i.First.Valid || !i.First.Decimal.Equal(decimal.RequireFromString(want[1])) {
			t.Errorf("%s = %s, first %v, want %s, first %s", item, i.Value, i.First, want[0], want[1])
		}
		if !slices.Contains(i.Flags, market.FlagRestated) || i.Form != "10-K/A" {
			t.Errorf("%s is of the %s and flagged %v, want restated by the 10-K/A", item, i.Form, i.Flags)
		}
	}
	if i := s.Items[market.ItemDilutedShares]; i.First.Valid || i.Form != "10-K" {
		t.Errorf("shares = %+v, want them unchanged since the 10-K", i)
	}
}

func TestStatements_KnownOnADayIsWhatWasFiledByIt(t *testing.T) {
	for name, row := range map[string]struct{ day, want string }{
		"day of the amendment": {"2010-01-25", "6119"},
		"day before":           {"2010-01-24", "4834"},
		"day of the report":    {"2009-10-27", "4834"},
	} {
		s := statementAt(t, parsedStatements(t, edgar.StatementView{KnownOn: factsDate(row.day)}, factsRestatedYear), "2008 FY")
		checkItem(t, s, market.ItemNetIncome, row.want)
		if s.Filed.After(factsDate(row.day)) || s.Items[market.ItemNetIncome].First.Valid != (row.want == "6119") {
			t.Errorf("%s: filed %v, net income %+v", name, s.Filed, s.Items[market.ItemNetIncome])
		}
	}
	if all := parsedStatements(t, edgar.StatementView{KnownOn: factsDate("2009-10-26")}, factsRestatedYear); len(all) != 0 {
		t.Errorf("before the first report there are %d statements, want none", len(all))
	}
}

// NVIDIA's fiscal 2023, before and after ten for one in June 2024.
const factsSplitYear = `
	NetIncomeLoss USD 2022-01-31 2023-01-29 4368000000 10-K 2023-02-24 2023 FY
	EarningsPerShareDiluted USD/shares 2022-01-31 2023-01-29 1.74 10-K 2023-02-24 2023 FY
	EarningsPerShareDiluted USD/shares 2022-01-31 2023-01-29 0.17 10-K 2025-02-26 2025 FY
	WeightedAverageNumberOfDilutedSharesOutstanding shares 2022-01-31 2023-01-29 2507000000 10-K 2023-02-24 2023 FY
	WeightedAverageNumberOfDilutedSharesOutstanding shares 2022-01-31 2023-01-29 25070000000 10-K 2025-02-26 2025 FY
	dei:EntityCommonStockSharesOutstanding shares - 2023-02-17 2470000000 10-K 2023-02-24 2023 FY
	NetIncomeLoss USD 2021-02-01 2022-01-30 9752000000 10-K 2023-02-24 2023 FY
	EarningsPerShareDiluted USD/shares 2021-02-01 2022-01-30 3.85 10-K 2023-02-24 2023 FY
	NetIncomeLoss USD 2024-01-29 2025-01-26 72880000000 10-K 2025-02-26 2025 FY`

func TestStatements_ASplitIsNoRestatement(t *testing.T) {
	s := statementAt(t, parsedStatements(t, annualView(), factsSplitYear), "2023 FY")
	checkItem(t, s, market.ItemDilutedEPS, "0.17")
	for _, item := range []string{market.ItemDilutedEPS, market.ItemDilutedShares} {
		if i := s.Items[item]; i.First.Valid || len(i.Flags) > 0 {
			t.Errorf("%s = %+v, want no restatement", item, i)
		}
	}
}

// C11. 2,470 million shares and 3.85 a share, ten for one.
func TestStatements_FiguresBeforeASplitAreAdjusted(t *testing.T) {
	all := parsedStatements(t, annualView(), factsSplitYear)
	for label, want := range map[string][2]string{"2023 FY": {market.ItemSharesOutstanding, "24700000000"}, "2022 FY": {market.ItemDilutedEPS, "0.385"}} {
		s := statementAt(t, all, label)
		checkItem(t, s, want[0], want[1])
		i := s.Items[want[0]]
		if !strings.Contains(i.Formula, "splits of 10 for 1") || len(i.Inputs) == 0 || !i.Filed.Equal(factsDate("2025-02-26")) || i.First.Valid || len(s.Warnings) != 0 {
			t.Errorf("%s %s = %+v, warnings %q; want it adjusted for the split, with its formula", label, want[0], i, s.Warnings)
		}
	}
	// Before the split, nothing is known about it.
	before := parsedStatements(t, edgar.StatementView{KnownOn: factsDate("2023-03-01")}, factsSplitYear)
	checkItem(t, statementAt(t, before, "2023 FY"), market.ItemDilutedEPS, "1.74")
	if got := statementAt(t, before, "2023 FY").Warnings; len(got) != 0 {
		t.Errorf("known on 2023-03-01, 2023 FY warns %q, want nothing", got)
	}
}

func TestStatements_RoundingIsNoRestatement(t *testing.T) {
	for name, row := range map[string]struct {
		first, last string
		restated    bool
	}{
		"to millions":             {"562536000", "563000000", false},
		"a small one to millions": {"10443000", "10000000", false},
		"no rounding gives it":    {"10543000", "10000000", true},
		"hundreds of millions":    {"149000000", "100000000", true},
		"half a per cent":         {"1000000000", "1005000000", false},
		"more than that":          {"1000000000", "1006000000", true},
		"loss to profit":          {"-100", "100", true},
	} {
		s := onlyStatement(t, annualView(), `
			NetIncomeLoss USD 2012-01-30 2013-01-27 `+row.first+` 10-K 2013-03-12 2013 FY
			NetIncomeLoss USD 2012-01-30 2013-01-27 `+row.last+` 10-K 2015-03-12 2013 FY`)
		if i := s.Items[market.ItemNetIncome]; i.First.Valid != row.restated || i.Value.String() != row.last {
			t.Errorf("%s: net income = %+v, want %s, restated: %t", name, i, row.last, row.restated)
		}
	}
}

// The text of a report says 383.3 billion where its table has the exact millions.
func TestStatements_OfOneFilingTheExactFigureCounts(t *testing.T) {
	s := onlyStatement(t, annualView(), `
		NetIncomeLoss USD 2023-01-01 2023-12-31 96995 10-K 2024-02-01 2023 FY
		NetIncomeLoss USD 2023-01-01 2023-12-31 97000 10-K 2024-02-01 2023 FY`)
	checkItem(t, s, market.ItemNetIncome, "96995")
}

func TestStatements_SharesInThousandsAreSuspect(t *testing.T) {
	s := onlyStatement(t, annualView(), `
		NetIncomeLoss USD 2007-01-29 2008-01-27 797645000 10-K 2010-03-18 2008 FY
		EarningsPerShareDiluted USD/shares 2007-01-29 2008-01-27 1.31 10-K 2010-03-18 2008 FY
		WeightedAverageNumberOfDilutedSharesOutstanding shares 2007-01-29 2008-01-27 606732 10-K 2010-03-18 2008 FY`)
	if i := s.Items[market.ItemDilutedShares]; !slices.Contains(i.Flags, market.FlagSuspect) || !i.Value.Equal(decimal.NewFromInt(606732)) {
		t.Errorf("diluted shares = %+v, want them as filed and suspect", i)
	}
	if len(s.Warnings) != 1 {
		t.Errorf("warnings = %q, want one", s.Warnings)
	}
}
