package edgar_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
)

// A year's earnings per share and shares, as first filed and as filed later.
func TestStatements_SplitsOfAllRatiosDifferFromRestatements(t *testing.T) {
	for name, row := range map[string]struct {
		eps, epsAfter, shares, sharesAfter string
		split                              string // as in a formula; empty for a restatement
	}{
		"ten for one":         {"1.74", "0.17", "2507000000", "25070000000", "10 for 1"},
		"three for two":       {"3.00", "2.00", "1000000", "1500000", "3 for 2"},
		"one for eight":       {"0.25", "2.00", "8000000", "1000000", "1 for 8"},
		"twenty for one":      {"112.20", "5.61", "678000000", "13553000000", "20 for 1"},
		"restated after all":  {"1.74", "0.12", "2507000000", "25070000000", "10 for 1"},
		"no split of shares":  {"3.00", "2.00", "1000000", "1000000", ""},
		"more shares counted": {"3.00", "2.70", "1000000", "1110000", ""},
	} {
		all := parsedStatements(t, annualView(), `
			NetIncomeLoss USD 2022-01-01 2022-12-31 3000000 10-K 2023-02-01 2022 FY
			EarningsPerShareDiluted USD/shares 2022-01-01 2022-12-31 `+row.eps+` 10-K 2023-02-01 2022 FY
			EarningsPerShareDiluted USD/shares 2022-01-01 2022-12-31 `+row.epsAfter+` 10-K 2024-02-01 2023 FY
			WeightedAverageNumberOfDilutedSharesOutstanding shares 2022-01-01 2022-12-31 `+row.shares+` 10-K 2023-02-01 2022 FY
			WeightedAverageNumberOfDilutedSharesOutstanding shares 2022-01-01 2022-12-31 `+row.sharesAfter+` 10-K 2024-02-01 2023 FY
			NetIncomeLoss USD 2023-01-01 2023-12-31 3000000 10-K 2024-02-01 2023 FY
			NetIncomeLoss USD 2021-01-01 2021-12-31 3000000 10-K 2022-02-01 2021 FY
			EarningsPerShareDiluted USD/shares 2021-01-01 2021-12-31 1 10-K 2022-02-01 2021 FY`)
		s := statementAt(t, all, "2022 FY")
		checkItem(t, s, market.ItemDilutedEPS, row.epsAfter)
		restated := row.split == "" || strings.Contains(name, "restated")
		if got := s.Items[market.ItemDilutedEPS].First.Valid; got != restated {
			t.Errorf("%s: earnings a share restated: %t, want %t", name, got, restated)
		}
		if formula := statementAt(t, all, "2021 FY").Items[market.ItemDilutedEPS].Formula; !strings.HasSuffix(formula, row.split) || row.split == "" && formula != "" {
			t.Errorf("%s: the year before is %q, want it adjusted for the split of %s", name, formula, row.split)
		}
	}
}

// C11: a company with several share classes that tags no overall average. Alphabet's figures: 20 for 1 in
// July 2022, earnings of 112.20 and 58.61 that became 5.61 and 2.93, and 662,121 thousand shares that became
// 13,242 million.
func TestStatements_SplitsWithoutAverageShares(t *testing.T) {
	const earnings = `
		EarningsPerShareDiluted USD/shares 2021-01-01 2021-12-31 112.20 10-K 2022-02-02 2021 FY
		EarningsPerShareDiluted USD/shares 2021-01-01 2021-12-31 5.61 10-K 2023-02-03 2022 FY
		EarningsPerShareDiluted USD/shares 2020-01-01 2020-12-31 58.61 10-K 2022-02-02 2021 FY
		EarningsPerShareDiluted USD/shares 2020-01-01 2020-12-31 2.93 10-K 2023-02-03 2022 FY`
	const count = `
		CommonStockSharesOutstanding shares - 2021-12-31 662121000 10-K 2022-02-02 2021 FY
		CommonStockSharesOutstanding shares - 2021-12-31 13242000000 10-K 2023-02-03 2022 FY`
	for name, row := range map[string]struct {
		witness, eps string
	}{
		"by earnings of two years":      {earnings, "2.458"},
		"by the count on one day":       {count, "2.458"},
		"by both":                       {earnings + count, "2.458"},
		"one year's earnings could err": {strings.Join(strings.SplitAfter(earnings, "\n")[:3], ""), "49.16"},
		"a count that shrank besides":   {strings.Replace(count, "13242", "13150", 1), "49.16"},
		"shares that did not change": {earnings + `
			WeightedAverageNumberOfDilutedSharesOutstanding shares 2021-01-01 2021-12-31 678000000 10-K 2022-02-02 2021 FY
			WeightedAverageNumberOfDilutedSharesOutstanding shares 2021-01-01 2021-12-31 678000000 10-K 2023-02-03 2022 FY`, "49.16"},
	} {
		all := parsedStatements(t, annualView(), `
			NetIncomeLoss USD 2022-01-01 2022-12-31 59972000000 10-K 2023-02-03 2022 FY
			NetIncomeLoss USD 2019-01-01 2019-12-31 34343000000 10-K 2020-02-04 2019 FY
			NetIncomeLoss USD 2021-01-01 2021-12-31 76033000000 10-K 2022-02-02 2021 FY
			NetIncomeLoss USD 2020-01-01 2020-12-31 40269000000 10-K 2022-02-02 2021 FY
			EarningsPerShareDiluted USD/shares 2022-01-01 2022-12-31 4.56 10-K 2023-02-03 2022 FY
			EarningsPerShareDiluted USD/shares 2019-01-01 2019-12-31 49.16 10-K 2020-02-04 2019 FY`+row.witness)
		i := statementAt(t, all, "2019 FY").Items[market.ItemDilutedEPS]
		if i.Value.String() != row.eps {
			t.Errorf("%s: earnings a share of 2019 = %s, want %s", name, i.Value, row.eps)
		}
		if restated := statementAt(t, all, "2021 FY").Items[market.ItemDilutedEPS].First.Valid; restated && row.eps != "49.16" {
			t.Errorf("%s: a split ratio is called restated", name)
		}
	}
}

// Apple's dividends of fiscal 2013: 11.40, and 1.64 after seven for one, a sum of quarters rounded to the
// cent.
func TestStatements_RoundedQuartersAreNoRestatement(t *testing.T) {
	s := onlyStatement(t, annualView(), `
		NetIncomeLoss USD 2012-09-30 2013-09-28 37037000000 10-K 2013-10-30 2013 FY
		CommonStockDividendsPerShareDeclared USD/shares 2012-09-30 2013-09-28 11.4 10-K 2013-10-30 2013 FY
		CommonStockDividendsPerShareDeclared USD/shares 2012-09-30 2013-09-28 1.64 10-K 2014-10-27 2014 FY
		WeightedAverageNumberOfDilutedSharesOutstanding shares 2012-09-30 2013-09-28 931662000 10-K 2013-10-30 2013 FY
		WeightedAverageNumberOfDilutedSharesOutstanding shares 2012-09-30 2013-09-28 6521634000 10-K 2014-10-27 2014 FY`)
	checkItem(t, s, market.ItemDividendsPerShare, "1.64")
	if i := s.Items[market.ItemDividendsPerShare]; i.First.Valid {
		t.Errorf("dividends = %+v, want no restatement", i)
	}
}

func TestStatements_WhatIsLeftToTheReaderIsDerived(t *testing.T) {
	const year = " USD 2023-01-01 2023-12-31 "
	const filed = " 10-K 2024-02-01 2023 FY\n"
	for name, row := range map[string]struct {
		lines, item, want, formula string
	}{
		"gross profit":        {"Revenues" + year + "100" + filed + "CostOfRevenue" + year + "60" + filed, market.ItemGrossProfit, "40", "revenue - cost_of_revenue"},
		"cost of revenue":     {"Revenues" + year + "100" + filed + "GrossProfit" + year + "40" + filed, market.ItemCostOfRevenue, "60", "revenue - gross_profit"},
		"selling and general": {"Revenues" + year + "100" + filed + "SellingAndMarketingExpense" + year + "7" + filed + "GeneralAndAdministrativeExpense" + year + "5" + filed, market.ItemSellingGeneral, "12", "selling and marketing + general and administrative"},
		"half of the latter":  {"Revenues" + year + "100" + filed + "GeneralAndAdministrativeExpense" + year + "5" + filed, market.ItemSellingGeneral, "", ""},
		"filed as it is":      {"Revenues" + year + "100" + filed + "CostOfRevenue" + year + "60" + filed + "GrossProfit" + year + "39" + filed, market.ItemGrossProfit, "39", ""},
	} {
		s := onlyStatement(t, annualView(), row.lines)
		checkItem(t, s, row.item, row.want)
		if got := s.Items[row.item].Formula; got != row.formula {
			t.Errorf("%s: formula %q, want %q", name, got, row.formula)
		}
	}
}

// A fiscal year that moves from June to December, with a report for the months in between.
func TestStatements_AFiscalYearMayMove(t *testing.T) {
	all := parsedStatements(t, annualView(), `
		NetIncomeLoss USD 2019-07-01 2020-06-30 1 10-K 2020-08-20 2020 FY
		NetIncomeLoss USD 2020-07-01 2021-06-30 2 10-K 2021-08-20 2021 FY
		NetIncomeLoss USD 2021-07-01 2021-12-31 9 10-KT 2022-02-20 2021 FY
		NetIncomeLoss USD 2022-01-01 2022-12-31 3 10-K 2023-02-20 2022 FY
		NetIncomeLoss USD 2023-01-01 2023-12-31 4 10-K 2024-02-20 2023 FY
		NetIncomeLoss USD 2024-01-01 2024-12-31 5 10-K 2025-02-20 2024 FY`)
	var got []string
	for _, s := range all {
		got = append(got, s.Items[market.ItemNetIncome].Value.String())
	}
	if strings.Join(got, " ") != "5 4 3 2 1" {
		t.Errorf("years have %q, want five whole ones and no half", got)
	}
	checkItem(t, statementAt(t, all, "2022 FY"), market.ItemNetIncome, "3")
	checkItem(t, statementAt(t, all, "2021 FY"), market.ItemNetIncome, "2")
}
