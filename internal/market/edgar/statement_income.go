package edgar

import "github.com/nfa-cli/nfa/internal/market"

func incomeLines() []statementLine {
	return []statementLine{
		{item: market.ItemRevenue, only: market.TemplateGeneral, largest: true, tiers: []string{
			"Revenues RevenueFromContractWithCustomerExcludingAssessedTax SalesRevenueNet SalesRevenueGoodsNet SalesRevenueServicesNet ifrs-full:Revenue",
			"RevenueFromContractWithCustomerIncludingAssessedTax ifrs-full:RevenueFromContractsWithCustomers RegulatedAndUnregulatedOperatingRevenue",
			"RealEstateRevenueNet", "HealthCareOrganizationRevenue", "OilAndGasRevenue", "OperatingLeasesIncomeStatementLeaseRevenue",
		}},
		{item: market.ItemRevenue, only: market.TemplateBank, tiers: []string{"RevenuesNetOfInterestExpense", "Revenues", "ifrs-full:Revenue"}},
		{item: market.ItemRevenue, only: market.TemplateInsurer, tiers: []string{"Revenues", "ifrs-full:InsuranceRevenue", "ifrs-full:Revenue"}},
		{item: market.ItemCostOfRevenue, tiers: []string{"CostOfRevenue CostOfGoodsAndServicesSold CostOfGoodsSold ifrs-full:CostOfSales", "CostOfServices"}},
		{item: market.ItemGrossProfit, tiers: []string{"GrossProfit ifrs-full:GrossProfit"}},
		{item: market.ItemResearch, tiers: []string{
			"ResearchAndDevelopmentExpense ifrs-full:ResearchAndDevelopmentExpense",
			"ResearchAndDevelopmentExpenseExcludingAcquiredInProcessCost ResearchAndDevelopmentExpenseSoftwareExcludingAcquiredInProcessCost",
		}},
		{item: market.ItemSellingGeneral, tiers: []string{"SellingGeneralAndAdministrativeExpense ifrs-full:SellingGeneralAndAdministrativeExpense"}},
		{item: partSelling, tiers: []string{"SellingAndMarketingExpense", "SellingExpense", "ifrs-full:SalesAndMarketingExpense", "ifrs-full:DistributionCosts"}},
		{item: partGeneral, tiers: []string{"GeneralAndAdministrativeExpense", "ifrs-full:GeneralAndAdministrativeExpense", "ifrs-full:AdministrativeExpense"}},
		{item: market.ItemOperatingExpenses, tiers: []string{"OperatingExpenses"}},
		{item: market.ItemOperatingIncome, tiers: []string{"OperatingIncomeLoss ifrs-full:ProfitLossFromOperatingActivities"}},
		{item: market.ItemInterestExpense, tiers: []string{
			"InterestExpense", "InterestExpenseNonoperating", "InterestExpenseDebt", "InterestExpenseOperating", "ifrs-full:InterestExpense", "ifrs-full:FinanceCosts"}},
		{item: market.ItemPretaxIncome, tiers: []string{
			"IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest ifrs-full:ProfitLossBeforeTax",
			"IncomeLossFromContinuingOperationsBeforeIncomeTaxesMinorityInterestAndIncomeLossFromEquityMethodInvestments",
		}},
		{item: market.ItemIncomeTax, tiers: []string{"IncomeTaxExpenseBenefit ifrs-full:IncomeTaxExpenseContinuingOperations"}},
		// Of the owners of the parent; the whole profit stands in where nobody else has a share.
		{item: market.ItemNetIncome, tiers: []string{
			"NetIncomeLoss ifrs-full:ProfitLossAttributableToOwnersOfParent", "NetIncomeLossAvailableToCommonStockholdersBasic", "ProfitLoss ifrs-full:ProfitLoss"}},
		{item: market.ItemBasicEPS, measure: measurePerShare, tiers: []string{"EarningsPerShareBasic ifrs-full:BasicEarningsLossPerShare", "EarningsPerShareBasicAndDiluted"}},
		{item: market.ItemDilutedEPS, measure: measurePerShare, tiers: []string{"EarningsPerShareDiluted ifrs-full:DilutedEarningsLossPerShare", "EarningsPerShareBasicAndDiluted"}},
		{item: market.ItemBasicShares, measure: measureShares, tiers: []string{
			"WeightedAverageNumberOfSharesOutstandingBasic ifrs-full:WeightedAverageShares", "WeightedAverageNumberOfShareOutstandingBasicAndDiluted"}},
		{item: market.ItemDilutedShares, measure: measureShares, tiers: []string{
			"WeightedAverageNumberOfDilutedSharesOutstanding ifrs-full:AdjustedWeightedAverageShares", "WeightedAverageNumberOfShareOutstandingBasicAndDiluted"}},
		{item: market.ItemDividendsPerShare, measure: measurePerShare, tiers: []string{
			"CommonStockDividendsPerShareDeclared", "CommonStockDividendsPerShareCashPaid", "ifrs-full:DividendsRecognisedAsDistributionsToOwnersPerShare"}},
	}
}

// financialLines are the lines of banks and insurers alone.
func financialLines() []statementLine {
	const bank, insurer = market.TemplateBank, market.TemplateInsurer
	return []statementLine{
		{item: market.ItemInterestIncome, only: bank, tiers: []string{"InterestAndDividendIncomeOperating", "InterestIncomeOperating", "ifrs-full:RevenueFromInterest"}},
		{item: market.ItemNetInterestIncome, only: bank, tiers: []string{"InterestIncomeExpenseNet ifrs-full:InterestRevenueExpense"}},
		{item: market.ItemNonInterestIncome, only: bank, tiers: []string{"NoninterestIncome"}},
		{item: market.ItemCreditLosses, only: bank, tiers: []string{
			"ProvisionForLoanLeaseAndOtherLosses", "ProvisionForLoanAndLeaseLosses", "ProvisionForLoanLossesExpensed",
			"FinancingReceivableExcludingAccruedInterestCreditLossExpenseReversal"}},
		{item: market.ItemDeposits, balance: true, only: bank, tiers: []string{"Deposits ifrs-full:DepositsFromCustomers"}},
		{item: market.ItemLoans, balance: true, only: bank, tiers: []string{
			"FinancingReceivableExcludingAccruedInterestAfterAllowanceForCreditLoss LoansAndLeasesReceivableNetReportedAmount",
			"NotesReceivableNet", "ifrs-full:LoansAndAdvancesToCustomers"}},
		{item: market.ItemPremiumsEarned, only: insurer, tiers: []string{"PremiumsEarnedNet", "PremiumsEarnedNetPropertyAndCasualty"}},
		{item: market.ItemPolicyBenefits, only: insurer, tiers: []string{
			"PolicyholderBenefitsAndClaimsIncurredNet", "PolicyholderBenefitsAndClaimsIncurredNetAndPolicyholderDividends", "LiabilityForUnpaidClaimsAndClaimsAdjustmentExpenseIncurredClaims1"}},
	}
}
