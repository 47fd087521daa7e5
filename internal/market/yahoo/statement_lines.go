package yahoo

import "github.com/nfa-cli/nfa/internal/market"

// The units of figures.
const (
	unitMoney    = "money"
	unitPerShare = "per share"
	unitShares   = "shares"
)

// statementLine is one of Yahoo's lines with nfa's name for it.
type statementLine struct {
	item string
	line string // without "annual", "quarterly" or "trailing"
	unit string // unitMoney, unitPerShare or unitShares
	// outflow marks lines that are negative at Yahoo and positive as companies tag them.
	outflow bool
}

// statementLines returns the requested lines. If two have the same item, the first one that Yahoo has is
// used. The provision for credit losses is not included, because its sign is not documented.
func statementLines() []statementLine {
	return append(flowLines(), balanceLines()...)
}

func flowLines() []statementLine {
	return []statementLine{
		{item: market.ItemRevenue, line: "TotalRevenue", unit: unitMoney},
		{item: market.ItemCostOfRevenue, line: "CostOfRevenue", unit: unitMoney},
		{item: market.ItemGrossProfit, line: "GrossProfit", unit: unitMoney},
		{item: market.ItemResearch, line: "ResearchAndDevelopment", unit: unitMoney},
		{item: market.ItemSellingGeneral, line: "SellingGeneralAndAdministration", unit: unitMoney},
		{item: market.ItemOperatingExpenses, line: "OperatingExpense", unit: unitMoney},
		{item: market.ItemOperatingIncome, line: "OperatingIncome", unit: unitMoney},
		{item: market.ItemInterestExpense, line: "InterestExpense", unit: unitMoney},
		{item: market.ItemPretaxIncome, line: "PretaxIncome", unit: unitMoney},
		{item: market.ItemIncomeTax, line: "TaxProvision", unit: unitMoney},
		{item: market.ItemNetIncome, line: "NetIncome", unit: unitMoney},
		{item: market.ItemBasicEPS, line: "BasicEPS", unit: unitPerShare},
		{item: market.ItemDilutedEPS, line: "DilutedEPS", unit: unitPerShare},
		{item: market.ItemBasicShares, line: "BasicAverageShares", unit: unitShares},
		{item: market.ItemDilutedShares, line: "DilutedAverageShares", unit: unitShares},
		{item: market.ItemDividendsPerShare, line: "DividendPerShare", unit: unitPerShare},
		{item: market.ItemInterestIncome, line: "InterestIncome", unit: unitMoney},
		{item: market.ItemNetInterestIncome, line: "NetInterestIncome", unit: unitMoney},
		{item: market.ItemNonInterestIncome, line: "NonInterestIncome", unit: unitMoney},
		{item: market.ItemPremiumsEarned, line: "TotalPremiumsEarned", unit: unitMoney},
		{item: market.ItemOperatingCashFlow, line: "OperatingCashFlow", unit: unitMoney},
		{item: market.ItemDepreciation, line: "DepreciationAndAmortization", unit: unitMoney},
		{item: market.ItemDepreciation, line: "DepreciationAmortizationDepletion", unit: unitMoney},
		{item: market.ItemDepreciation, line: "ReconciledDepreciation", unit: unitMoney},
		{item: market.ItemStockCompensation, line: "StockBasedCompensation", unit: unitMoney},
		{item: market.ItemCapitalExpenditure, line: "CapitalExpenditure", unit: unitMoney, outflow: true},
		{item: market.ItemAcquisitions, line: "PurchaseOfBusiness", unit: unitMoney, outflow: true},
		{item: market.ItemInvestingCashFlow, line: "InvestingCashFlow", unit: unitMoney},
		{item: market.ItemDividendsPaid, line: "CashDividendsPaid", unit: unitMoney, outflow: true},
		{item: market.ItemSharesRepurchased, line: "RepurchaseOfCapitalStock", unit: unitMoney, outflow: true},
		{item: market.ItemFinancingCashFlow, line: "FinancingCashFlow", unit: unitMoney},
		{item: market.ItemFreeCashFlow, line: "FreeCashFlow", unit: unitMoney},
	}
}

func balanceLines() []statementLine {
	return []statementLine{
		{item: market.ItemCash, line: "CashAndCashEquivalents", unit: unitMoney},
		{item: market.ItemShortInvestments, line: "OtherShortTermInvestments", unit: unitMoney},
		{item: market.ItemReceivables, line: "AccountsReceivable", unit: unitMoney},
		{item: market.ItemInventory, line: "Inventory", unit: unitMoney},
		{item: market.ItemCurrentAssets, line: "CurrentAssets", unit: unitMoney},
		{item: market.ItemProperty, line: "NetPPE", unit: unitMoney},
		{item: market.ItemGoodwill, line: "Goodwill", unit: unitMoney},
		{item: market.ItemIntangibles, line: "OtherIntangibleAssets", unit: unitMoney},
		{item: market.ItemTotalAssets, line: "TotalAssets", unit: unitMoney},
		{item: market.ItemPayables, line: "AccountsPayable", unit: unitMoney},
		{item: market.ItemShortDebt, line: "CurrentDebt", unit: unitMoney},
		{item: market.ItemCurrentLiabilities, line: "CurrentLiabilities", unit: unitMoney},
		{item: market.ItemLongDebt, line: "LongTermDebt", unit: unitMoney},
		{item: market.ItemTotalDebt, line: "TotalDebt", unit: unitMoney},
		{item: market.ItemTotalLiabilities, line: "TotalLiabilitiesNetMinorityInterest", unit: unitMoney},
		{item: market.ItemRetainedEarnings, line: "RetainedEarnings", unit: unitMoney},
		{item: market.ItemEquity, line: "StockholdersEquity", unit: unitMoney},
		{item: market.ItemMinorityInterest, line: "MinorityInterest", unit: unitMoney},
		{item: market.ItemSharesOutstanding, line: "OrdinarySharesNumber", unit: unitShares},
		{item: market.ItemDeposits, line: "TotalDeposits", unit: unitMoney},
		{item: market.ItemLoans, line: "NetLoan", unit: unitMoney},
	}
}

// bankItems returns items that have another meaning, or little meaning, for companies other than banks.
func bankItems() []string {
	return []string{market.ItemInterestIncome, market.ItemNetInterestIncome, market.ItemNonInterestIncome}
}
