package edgar

import "github.com/nfa-cli/nfa/internal/market"

func balanceLines() []statementLine {
	all := []statementLine{
		{item: market.ItemCash, tiers: []string{
			"CashAndCashEquivalentsAtCarryingValue ifrs-full:CashAndCashEquivalents", "CashAndDueFromBanks", "Cash",
			"CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents"}},
		{item: market.ItemShortInvestments, tiers: []string{
			"ShortTermInvestments", "MarketableSecuritiesCurrent", "AvailableForSaleSecuritiesDebtSecuritiesCurrent AvailableForSaleSecuritiesCurrent"}},
		{item: market.ItemReceivables, tiers: []string{
			"AccountsReceivableNetCurrent", "ReceivablesNetCurrent", "ifrs-full:TradeAndOtherCurrentReceivables", "ifrs-full:CurrentTradeReceivables"}},
		{item: market.ItemInventory, tiers: []string{"InventoryNet ifrs-full:Inventories"}},
		{item: market.ItemCurrentAssets, tiers: []string{"AssetsCurrent ifrs-full:CurrentAssets"}},
		{item: market.ItemProperty, tiers: []string{
			"PropertyPlantAndEquipmentNet ifrs-full:PropertyPlantAndEquipment",
			"PropertyPlantAndEquipmentAndFinanceLeaseRightOfUseAssetAfterAccumulatedDepreciationAndAmortization"}},
		{item: market.ItemGoodwill, tiers: []string{"Goodwill ifrs-full:Goodwill"}},
		{item: market.ItemIntangibles, tiers: []string{
			"IntangibleAssetsNetExcludingGoodwill ifrs-full:IntangibleAssetsOtherThanGoodwill", "FiniteLivedIntangibleAssetsNet"}},
		{item: market.ItemTotalAssets, tiers: []string{"Assets ifrs-full:Assets"}},
		{item: market.ItemPayables, tiers: []string{"AccountsPayableCurrent", "AccountsPayableTradeCurrent", "ifrs-full:TradeAndOtherCurrentPayables"}},
		{item: market.ItemCurrentLiabilities, tiers: []string{"LiabilitiesCurrent ifrs-full:CurrentLiabilities"}},
		{item: market.ItemTotalLiabilities, tiers: []string{"Liabilities ifrs-full:Liabilities"}},
		{item: market.ItemRetainedEarnings, tiers: []string{"RetainedEarningsAccumulatedDeficit ifrs-full:RetainedEarnings"}},
		{item: market.ItemEquity, tiers: []string{"StockholdersEquity ifrs-full:EquityAttributableToOwnersOfParent", "PartnersCapital MembersEquity"}},
		{item: market.ItemMinorityInterest, tiers: []string{"MinorityInterest ifrs-full:NoncontrollingInterests"}},
		{item: market.ItemLongDebt, tiers: []string{
			"LongTermDebtNoncurrent ifrs-full:NoncurrentPortionOfNoncurrentBorrowings ifrs-full:LongtermBorrowings",
			"LongTermDebtAndCapitalLeaseObligations", "ConvertibleDebtNoncurrent ConvertibleLongTermNotesPayable", "LongTermNotesPayable SeniorLongTermNotes"}},
		{item: partTotalEquity, tiers: []string{"StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest ifrs-full:Equity"}},
		{item: partTemporary, tiers: []string{"TemporaryEquityCarryingAmountIncludingPortionAttributableToNoncontrollingInterests", "TemporaryEquityCarryingAmountAttributableToParent", "RedeemableNoncontrollingInterestEquityCarryingAmount"}},
		{item: partEquityAndDebts, tiers: []string{"LiabilitiesAndStockholdersEquity ifrs-full:EquityAndLiabilities"}},
		{item: partDebtCurrent, tiers: []string{"DebtCurrent"}},
		{item: partLongCurrent, tiers: []string{
			"LongTermDebtCurrent ifrs-full:CurrentPortionOfNoncurrentBorrowings ifrs-full:CurrentPortionOfLongtermBorrowings", "LongTermDebtAndCapitalLeaseObligationsCurrent",
			"ConvertibleDebtCurrent ConvertibleNotesPayableCurrent", "NotesPayableCurrent SeniorNotesCurrent"}},
		{item: partLongWhole, tiers: []string{"LongTermDebt"}},
		{item: partBorrowed, tiers: []string{"ShortTermBorrowings", "ifrs-full:ShorttermBorrowings", "OtherShortTermBorrowings"}},
		{item: partPaper, tiers: []string{"CommercialPaper"}},
		{item: partBorrowings, tiers: []string{"DebtLongtermAndShorttermCombinedAmount ifrs-full:Borrowings"}},
		{item: market.ItemSharesOutstanding, measure: measureShares, tiers: []string{"CommonStockSharesOutstanding", "ifrs-full:NumberOfSharesOutstanding"}},
	}
	for i := range all {
		all[i].balance = true
	}
	return all
}

func cashFlowLines() []statementLine {
	return []statementLine{
		{item: market.ItemOperatingCashFlow, tiers: []string{
			"NetCashProvidedByUsedInOperatingActivities ifrs-full:CashFlowsFromUsedInOperatingActivities", "NetCashProvidedByUsedInOperatingActivitiesContinuingOperations"}},
		{item: market.ItemDepreciation, tiers: []string{
			"DepreciationDepletionAndAmortization DepreciationAmortizationAndAccretionNet ifrs-full:AdjustmentsForDepreciationAndAmortisationExpense",
			"DepreciationAndAmortization", "ifrs-full:DepreciationAndAmortisationExpense"}},
		{item: market.ItemStockCompensation, tiers: []string{"ShareBasedCompensation ifrs-full:AdjustmentsForSharebasedPayments", "AllocatedShareBasedCompensationExpense"}},
		{item: market.ItemCapitalExpenditure, tiers: []string{
			"PaymentsToAcquirePropertyPlantAndEquipment PaymentsToAcquireProductiveAssets ifrs-full:PurchaseOfPropertyPlantAndEquipmentClassifiedAsInvestingActivities",
			"PaymentsToAcquireOtherPropertyPlantAndEquipment"}},
		{item: market.ItemAcquisitions, tiers: []string{
			"PaymentsToAcquireBusinessesNetOfCashAcquired", "ifrs-full:CashFlowsUsedInObtainingControlOfSubsidiariesOrOtherBusinessesClassifiedAsInvestingActivities"}},
		{item: market.ItemInvestingCashFlow, tiers: []string{
			"NetCashProvidedByUsedInInvestingActivities ifrs-full:CashFlowsFromUsedInInvestingActivities", "NetCashProvidedByUsedInInvestingActivitiesContinuingOperations"}},
		{item: market.ItemDividendsPaid, tiers: []string{
			"PaymentsOfDividends ifrs-full:DividendsPaidClassifiedAsFinancingActivities", "PaymentsOfDividendsCommonStock", "PaymentsOfOrdinaryDividends"}},
		{item: market.ItemSharesRepurchased, tiers: []string{"PaymentsForRepurchaseOfCommonStock ifrs-full:PaymentsToAcquireOrRedeemEntitysShares", "PaymentsForRepurchaseOfEquity"}},
		{item: market.ItemFinancingCashFlow, tiers: []string{
			"NetCashProvidedByUsedInFinancingActivities ifrs-full:CashFlowsFromUsedInFinancingActivities", "NetCashProvidedByUsedInFinancingActivitiesContinuingOperations"}},
	}
}
