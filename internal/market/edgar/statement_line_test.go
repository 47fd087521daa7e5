package edgar_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/edgar"
)

func TestStatements_TheTagIsChosenForEachPeriod(t *testing.T) {
	all := parsedStatements(t, annualView(), `
		SalesRevenueNet USD 2017-01-01 2017-12-31 90 10-K 2018-02-01 2017 FY
		Revenues USD 2018-01-01 2018-12-31 100 10-K 2019-02-01 2018 FY
		RevenueFromContractWithCustomerExcludingAssessedTax USD 2018-01-01 2018-12-31 95 10-K 2019-02-01 2018 FY
		RevenueFromContractWithCustomerExcludingAssessedTax USD 2019-01-01 2019-12-31 110 10-K 2020-02-01 2019 FY
		PaymentsToAcquirePropertyPlantAndEquipment USD 2017-01-01 2017-12-31 7 10-K 2018-02-01 2017 FY
		PaymentsToAcquireProductiveAssets USD 2018-01-01 2018-12-31 8 10-K 2019-02-01 2018 FY
		PaymentsToAcquirePropertyPlantAndEquipment USD 2019-01-01 2019-12-31 9 10-K 2020-02-01 2019 FY
		PaymentsToAcquireProductiveAssets USD 2019-01-01 2019-12-31 12 10-K 2020-02-01 2019 FY`)
	for label, want := range map[string][2]string{"2017 FY": {"90", "7"}, "2018 FY": {"100", "8"}, "2019 FY": {"110", "9"}} {
		checkItem(t, statementAt(t, all, label), market.ItemRevenue, want[0]) // the total, even if a part is tagged too
		checkItem(t, statementAt(t, all, label), market.ItemCapitalExpenditure, want[1])
	}
	if flags := statementAt(t, all, "2019 FY").Items[market.ItemCapitalExpenditure].Flags; !slices.Equal(flags, []market.Flag{market.FlagSuspect}) {
		t.Errorf("capital expenditure of two tags that differ is flagged %v, want suspect", flags)
	}
}

// Apple's depreciation of 2015 is 9.2 billion in a note and 11,257 million in the
// table of its cash flows.
func TestStatements_OfTwoTagsThatDifferTheExacterIsTaken(t *testing.T) {
	s := onlyStatement(t, annualView(), `
		NetIncomeLoss USD 2014-09-28 2015-09-26 53394000000 10-K 2015-10-28 2015 FY
		DepreciationDepletionAndAmortization USD 2014-09-28 2015-09-26 9200000000 10-K 2015-10-28 2015 FY
		DepreciationAmortizationAndAccretionNet USD 2014-09-28 2015-09-26 11257000000 10-K 2015-10-28 2015 FY`)
	checkItem(t, s, market.ItemDepreciation, "11257000000")
	if flags := s.Items[market.ItemDepreciation].Flags; !slices.Contains(flags, market.FlagSuspect) {
		t.Errorf("depreciation is flagged %v, want suspect", flags)
	}
}

// balanceSheet returns a year with balance-sheet items given as "Concept value".
func balanceSheet(t *testing.T, v edgar.StatementView, items ...string) market.Statement {
	t.Helper()
	lines := "NetIncomeLoss USD 2023-01-01 2023-12-31 1 10-K 2024-02-01 2023 FY\n"
	for _, item := range items {
		concept, value, _ := strings.Cut(item, " ")
		lines += fmt.Sprintf("%s USD - 2023-12-31 %s 10-K 2024-02-01 2023 FY\n", concept, value)
	}
	return onlyStatement(t, v, lines)
}

func TestStatements_DebtIsCountedOnce(t *testing.T) {
	for name, row := range map[string]struct {
		items              []string
		long, short, total string
	}{
		// Apple, fiscal 2025, in millions: 78,328 + 12,350 + 7,979.
		"parts and paper":                  {items: []string{"LongTermDebtNoncurrent 78328", "LongTermDebtCurrent 12350", "CommercialPaper 7979", "LongTermDebt 90678"}, long: "78328", short: "20329", total: "98657"},
		"all current debt holds its parts": {items: []string{"LongTermDebtNoncurrent 70", "DebtCurrent 30", "LongTermDebtCurrent 20", "CommercialPaper 10"}, long: "70", short: "30", total: "100"},
		"borrowings hold paper":            {items: []string{"LongTermDebtNoncurrent 70", "LongTermDebtCurrent 20", "ShortTermBorrowings 10", "CommercialPaper 10"}, long: "70", short: "30", total: "100"},
		"whole and current part":           {items: []string{"LongTermDebt 90", "LongTermDebtCurrent 20"}, long: "70", short: "20", total: "90"},
		"whole alone":                      {items: []string{"LongTermDebt 90"}, total: "90"},
		"long alone":                       {items: []string{"LongTermDebtNoncurrent 70"}, long: "70", total: "70"},
		"nothing long, the rest unknown":   {items: []string{"LongTermDebtNoncurrent 0"}, long: "0"},
		"none named":                       {items: []string{"Assets 500"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := balanceSheet(t, annualView(), row.items...)
			checkItem(t, s, market.ItemLongDebt, row.long)
			checkItem(t, s, market.ItemShortDebt, row.short)
			checkItem(t, s, market.ItemTotalDebt, row.total)
		})
	}
}

func TestStatements_LiabilitiesAreWhatEquityLeaves(t *testing.T) {
	for name, row := range map[string]struct {
		items []string
		want  string
		made  bool
	}{
		"tagged":              {[]string{"Assets 100", "Liabilities 61", "StockholdersEquity 40"}, "61", false},
		"of total equity":     {[]string{"Assets 100", "StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest 45", "StockholdersEquity 40"}, "55", true},
		"of owners' equity":   {[]string{"Assets 100", "StockholdersEquity 40", "MinorityInterest 5"}, "55", true},
		"of both sides' sum":  {[]string{"LiabilitiesAndStockholdersEquity 100", "StockholdersEquity 40"}, "60", true},
		"less temporary":      {[]string{"Assets 100", "StockholdersEquity 40", "RedeemableNoncontrollingInterestEquityCarryingAmount 3"}, "57", true},
		"equity is not known": {[]string{"Assets 100"}, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			s := balanceSheet(t, annualView(), row.items...)
			checkItem(t, s, market.ItemTotalLiabilities, row.want)
			if i := s.Items[market.ItemTotalLiabilities]; (i.Formula != "") != row.made || row.made && len(i.Inputs) < 2 {
				t.Errorf("liabilities by %q of %q, want a formula: %t", i.Formula, i.Inputs, row.made)
			}
		})
	}
}

func TestStatements_PartsAreNotItems(t *testing.T) {
	s := balanceSheet(t, annualView(), "LongTermDebt 90", "LongTermDebtCurrent 20", "LiabilitiesAndStockholdersEquity 100", "StockholdersEquity 40")
	for item := range s.Items {
		if strings.Contains(item, " ") {
			t.Errorf("the statement shows %q, which is a part only", item)
		}
	}
}

func TestStatements_FreeCashFlowNeedsBothSides(t *testing.T) {
	const cash = "NetCashProvidedByUsedInOperatingActivities USD 2023-01-01 2023-12-31 100 10-K 2024-02-01 2023 FY\n"
	checkItem(t, onlyStatement(t, annualView(), cash), market.ItemFreeCashFlow, "")
	with := onlyStatement(t, annualView(), cash+"PaymentsToAcquirePropertyPlantAndEquipment USD 2023-01-01 2023-12-31 30 10-K 2024-02-01 2023 FY")
	checkItem(t, with, market.ItemFreeCashFlow, "70")
}

func TestStatements_BanksHaveLinesOfTheirOwn(t *testing.T) {
	const lines = `
		NetIncomeLoss USD 2023-01-01 2023-12-31 9 10-K 2024-02-01 2023 FY
		InterestIncomeExpenseNet USD 2023-01-01 2023-12-31 60 10-K 2024-02-01 2023 FY
		NoninterestIncome USD 2023-01-01 2023-12-31 40 10-K 2024-02-01 2023 FY
		Deposits USD - 2023-12-31 900 10-K 2024-02-01 2023 FY
		PremiumsEarnedNet USD 2023-01-01 2023-12-31 5 10-K 2024-02-01 2023 FY`
	bank := onlyStatement(t, edgar.StatementView{Template: market.TemplateBank}, lines)
	checkItem(t, bank, market.ItemRevenue, "100")
	checkItem(t, bank, market.ItemNetInterestIncome, "60")
	checkItem(t, bank, market.ItemDeposits, "900")
	checkItem(t, bank, market.ItemPremiumsEarned, "")
	checkItem(t, bank, market.ItemGrossProfit, "")
	insurer := onlyStatement(t, edgar.StatementView{Template: market.TemplateInsurer}, lines)
	checkItem(t, insurer, market.ItemPremiumsEarned, "5")
	checkItem(t, insurer, market.ItemDeposits, "")
	checkItem(t, onlyStatement(t, annualView(), lines), market.ItemDeposits, "")
	made := onlyStatement(t, edgar.StatementView{Template: market.TemplateBank}, `
		InterestAndDividendIncomeOperating USD 2023-01-01 2023-12-31 90 10-K 2024-02-01 2023 FY
		InterestExpense USD 2023-01-01 2023-12-31 35 10-K 2024-02-01 2023 FY
		ProfitLoss USD 2023-01-01 2023-12-31 9 10-K 2024-02-01 2023 FY`)
	checkItem(t, made, market.ItemNetInterestIncome, "55")
	checkItem(t, made, market.ItemRevenue, "") // non-interest income is unknown
}

func TestTemplateOf_ByIndustry(t *testing.T) {
	for sic, want := range map[string]market.Template{
		"3571": market.TemplateGeneral, "6021": market.TemplateBank, "6199": market.TemplateBank, "6211": market.TemplateBank,
		"6331": market.TemplateInsurer, "6411": market.TemplateGeneral, "6798": market.TemplateGeneral, "6712": market.TemplateBank,
		"": market.TemplateGeneral, "60": market.TemplateGeneral,
	} {
		if got := edgar.TemplateOf(sic); got != want {
			t.Errorf("TemplateOf(%q) = %s, want %s", sic, got, want)
		}
	}
}

// A foreign company tags in IFRS and its own currency, and translates one year.
func TestStatements_ForeignFilersKeepTheirCurrency(t *testing.T) {
	s := statementAt(t, parsedStatements(t, annualView(), `
		ifrs-full:Revenue TWD 2022-01-01 2022-12-31 2263 20-F 2023-04-20 2022 FY
		ifrs-full:Revenue TWD 2023-01-01 2023-12-31 2161 20-F 2024-04-18 2023 FY
		ifrs-full:Revenue USD 2023-01-01 2023-12-31 70 20-F 2024-04-18 2023 FY
		ifrs-full:ProfitLossAttributableToOwnersOfParent TWD 2023-01-01 2023-12-31 838 20-F 2024-04-18 2023 FY
		ifrs-full:ProfitLoss TWD 2023-01-01 2023-12-31 837 20-F 2024-04-18 2023 FY
		ifrs-full:DilutedEarningsLossPerShare TWD/shares 2023-01-01 2023-12-31 32.34 20-F 2024-04-18 2023 FY
		ifrs-full:Assets TWD - 2023-12-31 5532 20-F 2024-04-18 2023 FY`), "2023 FY")
	checkItem(t, s, market.ItemRevenue, "2161")
	checkItem(t, s, market.ItemNetIncome, "838")
	checkItem(t, s, market.ItemDilutedEPS, "32.34")
	checkItem(t, s, market.ItemTotalAssets, "5532")
	if s.Provenance.Currency != "TWD" || s.Items[market.ItemDilutedEPS].Unit != "TWD/share" || s.Form != "20-F" {
		t.Errorf("statement in %s, earnings in %s, of the %s", s.Provenance.Currency, s.Items[market.ItemDilutedEPS].Unit, s.Form)
	}
}

func TestStatements_SharesAreThoseOfTheReportsCover(t *testing.T) {
	const year = "NetIncomeLoss USD 2023-01-01 2023-12-31 9 10-K 2024-02-01 2023 FY\nCommonStockSharesOutstanding shares - 2023-12-31 490 10-K 2024-02-01 2023 FY\n"
	checkItem(t, onlyStatement(t, annualView(), year), market.ItemSharesOutstanding, "490")
	one := onlyStatement(t, annualView(), year+"dei:EntityCommonStockSharesOutstanding shares - 2024-01-25 480 10-K 2024-02-01 2023 FY")
	checkItem(t, one, market.ItemSharesOutstanding, "480")
	// The cover of another report is dated differently.
	other := onlyStatement(t, annualView(), year+"dei:EntityCommonStockSharesOutstanding shares - 2024-04-25 470 10-Q 2024-05-01 2024 Q1")
	checkItem(t, other, market.ItemSharesOutstanding, "490")
	two := onlyStatement(t, annualView(), year+`
		dei:EntityCommonStockSharesOutstanding shares - 2024-01-25 480 10-K 2024-02-01 2023 FY
		dei:EntityCommonStockSharesOutstanding shares - 2024-01-25 20 10-K 2024-02-01 2023 FY`)
	checkItem(t, two, market.ItemSharesOutstanding, "500")
	if i := two.Items[market.ItemSharesOutstanding]; i.Formula == "" || len(i.Flags) == 0 || len(two.Warnings) == 0 {
		t.Errorf("shares of two classes = %+v with warnings %q, want them said and flagged", i, two.Warnings)
	}
}
