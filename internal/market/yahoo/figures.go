package yahoo

import "github.com/nfa-cli/nfa/internal/market"

// What a figure counts.
const (
	money    = "money"
	perShare = "per share"
	count    = "shares"
)

// figure is one of Yahoo's lines and what it is called here.
type figure struct {
	item string
	line string // without "annual", "quarterly" or "trailing"
	of   string // money, perShare or count
	// outflow marks lines that Yahoo writes below zero and companies tag above it.
	outflow bool
}

// figures are the lines that are asked for. Where two name the same item, the
// first that Yahoo has counts. The provision for credit losses is not among them:
// its sign there is not documented.
func figures() []figure {
	return append(flows(), balances()...)
}

func flows() []figure {
	return []figure{
		{item: market.ItemRevenue, line: "TotalRevenue", of: money},
		{item: market.ItemCostOfRevenue, line: "CostOfRevenue", of: money},
		{item: market.ItemGrossProfit, line: "GrossProfit", of: money},
		{item: market.ItemResearch, line: "ResearchAndDevelopment", of: money},
		{item: market.ItemSellingGeneral, line: "SellingGeneralAndAdministration", of: money},
		{item: market.ItemOperatingExpenses, line: "OperatingExpense", of: money},
		{item: market.ItemOperatingIncome, line: "OperatingIncome", of: money},
		{item: market.ItemInterestExpense, line: "InterestExpense", of: money},
		{item: market.ItemPretaxIncome, line: "PretaxIncome", of: money},
		{item: market.ItemIncomeTax, line: "TaxProvision", of: money},
		{item: market.ItemNetIncome, line: "NetIncome", of: money},
		{item: market.ItemBasicEPS, line: "BasicEPS", of: perShare},
		{item: market.ItemDilutedEPS, line: "DilutedEPS", of: perShare},
		{item: market.ItemBasicShares, line: "BasicAverageShares", of: count},
		{item: market.ItemDilutedShares, line: "DilutedAverageShares", of: count},
		{item: market.ItemDividendsPerShare, line: "DividendPerShare", of: perShare},
		{item: market.ItemInterestIncome, line: "InterestIncome", of: money},
		{item: market.ItemNetInterestIncome, line: "NetInterestIncome", of: money},
		{item: market.ItemNonInterestIncome, line: "NonInterestIncome", of: money},
		{item: market.ItemPremiumsEarned, line: "TotalPremiumsEarned", of: money},
		{item: market.ItemOperatingCashFlow, line: "OperatingCashFlow", of: money},
		{item: market.ItemDepreciation, line: "DepreciationAndAmortization", of: money},
		{item: market.ItemDepreciation, line: "DepreciationAmortizationDepletion", of: money},
		{item: market.ItemDepreciation, line: "ReconciledDepreciation", of: money},
		{item: market.ItemStockCompensation, line: "StockBasedCompensation", of: money},
		{item: market.ItemCapitalExpenditure, line: "CapitalExpenditure", of: money, outflow: true},
		{item: market.ItemAcquisitions, line: "PurchaseOfBusiness", of: money, outflow: true},
		{item: market.ItemInvestingCashFlow, line: "InvestingCashFlow", of: money},
		{item: market.ItemDividendsPaid, line: "CashDividendsPaid", of: money, outflow: true},
		{item: market.ItemSharesRepurchased, line: "RepurchaseOfCapitalStock", of: money, outflow: true},
		{item: market.ItemFinancingCashFlow, line: "FinancingCashFlow", of: money},
		{item: market.ItemFreeCashFlow, line: "FreeCashFlow", of: money},
	}
}

func balances() []figure {
	return []figure{
		{item: market.ItemCash, line: "CashAndCashEquivalents", of: money},
		{item: market.ItemShortInvestments, line: "OtherShortTermInvestments", of: money},
		{item: market.ItemReceivables, line: "AccountsReceivable", of: money},
		{item: market.ItemInventory, line: "Inventory", of: money},
		{item: market.ItemCurrentAssets, line: "CurrentAssets", of: money},
		{item: market.ItemProperty, line: "NetPPE", of: money},
		{item: market.ItemGoodwill, line: "Goodwill", of: money},
		{item: market.ItemIntangibles, line: "OtherIntangibleAssets", of: money},
		{item: market.ItemTotalAssets, line: "TotalAssets", of: money},
		{item: market.ItemPayables, line: "AccountsPayable", of: money},
		{item: market.ItemShortDebt, line: "CurrentDebt", of: money},
		{item: market.ItemCurrentLiabilities, line: "CurrentLiabilities", of: money},
		{item: market.ItemLongDebt, line: "LongTermDebt", of: money},
		{item: market.ItemTotalDebt, line: "TotalDebt", of: money},
		{item: market.ItemTotalLiabilities, line: "TotalLiabilitiesNetMinorityInterest", of: money},
		{item: market.ItemRetainedEarnings, line: "RetainedEarnings", of: money},
		{item: market.ItemEquity, line: "StockholdersEquity", of: money},
		{item: market.ItemMinorityInterest, line: "MinorityInterest", of: money},
		{item: market.ItemSharesOutstanding, line: "OrdinarySharesNumber", of: count},
		{item: market.ItemDeposits, line: "TotalDeposits", of: money},
		{item: market.ItemLoans, line: "NetLoan", of: money},
	}
}

// ofBanks are items that mean something else, or little, of other companies.
func ofBanks() []string {
	return []string{market.ItemInterestIncome, market.ItemNetInterestIncome, market.ItemNonInterestIncome}
}
