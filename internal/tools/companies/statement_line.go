package companies

import (
	"slices"

	"github.com/nfa-cli/nfa/internal/market"
)

// Values of the argument "statement".
const (
	incomeStatement = "income"
	balanceSheet    = "balance"
	cashFlow        = "cash_flow"
	perShareData    = "per_share"
	allStatements   = "all"
)

// statementLine is a line of a statement.
type statementLine struct {
	item, label, statement string
	only                   []market.Template // empty means all
}

// statementLines returns the lines of a statement in the order for this kind of company.
func statementLines(statement string, t market.Template) []statementLine {
	if t == "" {
		t = market.TemplateGeneral
	}
	general, bank, insurer := []market.Template{market.TemplateGeneral}, []market.Template{market.TemplateBank}, []market.Template{market.TemplateInsurer}
	generalAndInsurer := slices.Concat(general, insurer)
	all := []statementLine{
		{market.ItemInterestIncome, "interest income", incomeStatement, bank},
		{market.ItemInterestExpense, "interest expense", incomeStatement, bank},
		{market.ItemNetInterestIncome, "net interest income", incomeStatement, bank},
		{market.ItemNonInterestIncome, "income other than interest", incomeStatement, bank},
		{market.ItemPremiumsEarned, "premiums earned", incomeStatement, insurer},
		{market.ItemRevenue, "revenue", incomeStatement, nil},
		{market.ItemCreditLosses, "provision for credit losses", incomeStatement, bank},
		{market.ItemPolicyBenefits, "benefits and claims", incomeStatement, insurer},
		{market.ItemCostOfRevenue, "cost of revenue", incomeStatement, general},
		{market.ItemGrossProfit, "gross profit", incomeStatement, general},
		{market.ItemResearch, "research and development", incomeStatement, general},
		{market.ItemSellingGeneral, "selling, general and administrative", incomeStatement, general},
		{market.ItemOperatingExpenses, "operating expenses", incomeStatement, nil},
		{market.ItemOperatingIncome, "operating income", incomeStatement, general},
		{market.ItemInterestExpense, "interest expense", incomeStatement, generalAndInsurer},
		{market.ItemPretaxIncome, "income before tax", incomeStatement, nil},
		{market.ItemIncomeTax, "income tax", incomeStatement, nil},
		{market.ItemNetIncome, "net income", incomeStatement, nil},
		{market.ItemCash, "cash and equivalents", balanceSheet, nil},
		{market.ItemShortInvestments, "short-term investments", balanceSheet, nil},
		{market.ItemLoans, "loans", balanceSheet, bank},
		{market.ItemReceivables, "receivables", balanceSheet, nil},
		{market.ItemInventory, "inventory", balanceSheet, general},
		{market.ItemCurrentAssets, "current assets", balanceSheet, general},
		{market.ItemProperty, "property, plant and equipment", balanceSheet, nil},
		{market.ItemGoodwill, "goodwill", balanceSheet, nil},
		{market.ItemIntangibles, "other intangible assets", balanceSheet, nil},
		{market.ItemTotalAssets, "total assets", balanceSheet, nil},
		{market.ItemDeposits, "deposits", balanceSheet, bank},
		{market.ItemPayables, "accounts payable", balanceSheet, general},
		{market.ItemShortDebt, "short-term debt", balanceSheet, nil},
		{market.ItemCurrentLiabilities, "current liabilities", balanceSheet, general},
		{market.ItemLongDebt, "long-term debt", balanceSheet, nil},
		{market.ItemTotalDebt, "total debt", balanceSheet, nil},
		{market.ItemTotalLiabilities, "total liabilities", balanceSheet, nil},
		{market.ItemRetainedEarnings, "retained earnings", balanceSheet, nil},
		{market.ItemEquity, "shareholders' equity", balanceSheet, nil},
		{market.ItemMinorityInterest, "minority interest", balanceSheet, nil},
		{market.ItemOperatingCashFlow, "operating cash flow", cashFlow, nil},
		{market.ItemDepreciation, "depreciation and amortization", cashFlow, nil},
		{market.ItemStockCompensation, "stock compensation", cashFlow, nil},
		{market.ItemCapitalExpenditure, "capital expenditure", cashFlow, nil},
		{market.ItemFreeCashFlow, "free cash flow", cashFlow, nil},
		{market.ItemAcquisitions, "acquisitions", cashFlow, nil},
		{market.ItemInvestingCashFlow, "investing cash flow", cashFlow, nil},
		{market.ItemDividendsPaid, "dividends paid", cashFlow, nil},
		{market.ItemSharesRepurchased, "shares repurchased", cashFlow, nil},
		{market.ItemFinancingCashFlow, "financing cash flow", cashFlow, nil},
		{market.ItemBasicEPS, "earnings per share, basic", perShareData, nil},
		{market.ItemDilutedEPS, "earnings per share, diluted", perShareData, nil},
		{market.ItemDividendsPerShare, "dividends per share", perShareData, nil},
		{market.ItemBasicShares, "average shares, basic", perShareData, nil},
		{market.ItemDilutedShares, "average shares, diluted", perShareData, nil},
		{market.ItemSharesOutstanding, "shares outstanding", perShareData, nil},
	}
	return slices.DeleteFunc(all, func(l statementLine) bool {
		return statement != allStatements && l.statement != statement || len(l.only) > 0 && !slices.Contains(l.only, t)
	})
}
