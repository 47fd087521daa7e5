package edgar

import (
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
)

// lineMeasure is the unit of a line's figures.
type lineMeasure int

const (
	measureMoney lineMeasure = iota
	measurePerShare
	measureShares
)

// statementLine is one line of a statement and the concepts that may hold its figure. Tiers are
// ordered from the best to fallbacks; concepts within a tier are equivalent. Concepts without a
// prefix are from us-gaap.
type statementLine struct {
	item    string
	measure lineMeasure
	balance bool // as of a date, not for a period
	tiers   []string
	only    market.Template // the only template with this line; empty for all
	// largest selects the largest value of a tier, because companies may tag both a total and its parts with
	// its concepts.
	largest bool
}

// splitConcepts splits "A B" into concepts with their prefixes.
func splitConcepts(text string) []string {
	tags := strings.Fields(text)
	for i, tag := range tags {
		if !strings.Contains(tag, ":") {
			tags[i] = "us-gaap:" + tag
		}
	}
	return tags
}

// Names of lines that are not shown but used to derive others.
const (
	partProfit          = "profit including noncontrolling interests"
	partNetIncome       = "net income"
	partDiscontinued    = "income from discontinued operations"
	partSelling         = "selling and marketing"
	partGeneral         = "general and administrative"
	partDepreciation    = "depreciation"
	partAmortization    = "amortization of intangible assets"
	partDebtSecurities  = "debt securities, current"
	partShareSecurities = "equity securities"
	partTotalEquity     = "equity including noncontrolling interests"
	partTemporary       = "temporary equity"
	partEquityAndDebts  = "liabilities and equity"
	partDebtCurrent     = "all current debt"
	partLongCurrent     = "long-term debt, current portion"
	partLongWhole       = "long-term debt including its current portion"
	partPaper           = "commercial paper"
	partBorrowed        = "short-term borrowings"
	partBorrowings      = "all borrowings"
)

// coverSharesConcept is dated after the end of the period, so its facts are found by filing.
const coverSharesConcept = "dei:EntityCommonStockSharesOutstanding"

// coreConcepts returns concepts that are in every periodic report and show which periods a company reports
// on.
func coreConcepts() []string {
	return splitConcepts(`NetIncomeLoss ProfitLoss Revenues RevenueFromContractWithCustomerExcludingAssessedTax SalesRevenueNet
		EarningsPerShareDiluted EarningsPerShareBasic NetCashProvidedByUsedInOperatingActivities OperatingIncomeLoss
		ifrs-full:ProfitLoss ifrs-full:Revenue ifrs-full:ProfitLossAttributableToOwnersOfParent ifrs-full:CashFlowsFromUsedInOperatingActivities`)
}

// allConcepts returns all concepts used in statements.
func allConcepts() map[string]bool {
	all := map[string]bool{coverSharesConcept: true}
	for _, tag := range coreConcepts() {
		all[tag] = true
	}
	for _, table := range [...][]statementLine{incomeLines(), financialLines(), balanceLines(), cashFlowLines()} {
		for _, l := range table {
			for _, t := range l.tiers {
				for _, tag := range splitConcepts(t) {
					all[tag] = true
				}
			}
		}
	}
	return all
}

// linesOf returns the lines of a template.
func linesOf(t market.Template) []statementLine {
	var out []statementLine
	for _, table := range [...][]statementLine{incomeLines(), financialLines(), balanceLines(), cashFlowLines()} {
		for _, l := range table {
			if l.only == "" || l.only == t {
				out = append(out, l)
			}
		}
	}
	return out
}

// TemplateOf returns the template of a company by its four-digit SIC code. Depository and credit
// institutions, brokers and bank holding companies have the lines of a bank, insurance carriers those of an
// insurer. Insurance agents, real estate and other holding companies have the general lines, because they
// report operating income.
func TemplateOf(sic string) market.Template {
	if len(sic) != 4 {
		return market.TemplateGeneral
	}
	switch sic[:2] {
	case "60", "61", "62":
		return market.TemplateBank
	case "63":
		return market.TemplateInsurer
	}
	if sic == "6712" {
		return market.TemplateBank
	}
	return market.TemplateGeneral
}

// The tables below list the concepts of each item. The following filings need other concepts than the first
// one of an item, according to the recorded companyfacts of 2026-11-23 of Apple (CIK 320193, FY2007 to the
// 10-Q of 2025-12-27) and NVIDIA (CIK 1045810, FY2008 to the 10-Q of 2026-04-26):
//
//	revenue                 SalesRevenueNet: Apple to FY2016. RevenueFromContractWithCustomerExcludingAssessedTax:
//	                        Apple from FY2019, NVIDIA FY2019 and FY2020
//	cost of revenue         CostOfGoodsAndServicesSold: Apple, all; NVIDIA FY2019 and FY2020
//	interest expense        InterestExpenseNonoperating: NVIDIA from FY2025
//	pretax income           ...MinorityInterestAndIncomeLossFromEquityMethodInvestments: Apple to FY2012, NVIDIA to FY2021.
//	                        Net income and tax: NVIDIA FY2008 to the 10-Q of 2009-04-26
//	dividends per share     CommonStockDividendsPerShareCashPaid: NVIDIA FY2017 to FY2021
//	short-term investments  MarketableSecuritiesCurrent: Apple from FY2018, NVIDIA to 2025-10-26.
//	                        AvailableForSaleSecuritiesCurrent: Apple to FY2018. DebtSecuritiesCurrent and
//	                        EquitySecuritiesFvNi: NVIDIA from 2026-01-25, whose current assets are the sum of both and the rest
//	long-term debt          ConvertibleDebtNoncurrent: NVIDIA FY2015 and FY2016
//	short-term debt         DebtCurrent: NVIDIA from FY2020. CommercialPaper: Apple from FY2013, NVIDIA FY2020 to FY2023
//	liabilities             assets less equity: NVIDIA to FY2014
//	shares outstanding      dei:EntityCommonStockSharesOutstanding: all; CommonStockSharesOutstanding: before FY2010
//	operating, investing and financing cash flow
//	                        ...ContinuingOperations: Apple FY2014 to 2015-12-26
//	depreciation            DepreciationAmortizationAndAccretionNet: Apple to 2016-12-31. DepreciationAndAmortization: NVIDIA to FY2021
//	capital expenditure     PaymentsToAcquireProductiveAssets: Apple to 2012-12-29, NVIDIA from FY2022. NVIDIA has
//	                        no tag of the taxonomy for FY2013 to FY2021
//
// Two lines of depreciation are for Alphabet (10-K of FY2024 and FY2025: Depreciation) and Marvell (10-K of
// FY2024 to FY2026: OtherDepreciationAndAmortization and AmortizationOfIntangibleAssets); net income and tax
// also for Marvell's 10-Qs. No responses for these two companies are recorded. The remaining concepts are
// synonyms that other companies use.

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
		{item: partProfit, tiers: []string{"ProfitLoss ifrs-full:ProfitLoss"}},
		{item: partNetIncome, tiers: []string{"NetIncomeLoss"}},
		{item: partDiscontinued, tiers: []string{
			"IncomeLossFromDiscontinuedOperationsNetOfTax ifrs-full:ProfitLossFromDiscontinuedOperations",
			"IncomeLossFromDiscontinuedOperationsNetOfTaxAttributableToReportingEntity"}},
		{item: market.ItemIncomeTax, tiers: []string{"IncomeTaxExpenseBenefit ifrs-full:IncomeTaxExpenseContinuingOperations"}},
		// Profit of the parent's owners; total profit is the fallback if there are no noncontrolling
		// interests.
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

// financialLines returns the lines that only banks and insurers have.
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

func balanceLines() []statementLine {
	all := []statementLine{
		{item: market.ItemCash, tiers: []string{
			"CashAndCashEquivalentsAtCarryingValue ifrs-full:CashAndCashEquivalents", "CashAndDueFromBanks", "Cash",
			"CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents"}},
		{item: market.ItemShortInvestments, tiers: []string{
			"ShortTermInvestments", "MarketableSecuritiesCurrent", "AvailableForSaleSecuritiesDebtSecuritiesCurrent AvailableForSaleSecuritiesCurrent"}},
		{item: partDebtSecurities, tiers: []string{"DebtSecuritiesCurrent"}},
		{item: partShareSecurities, tiers: []string{"EquitySecuritiesFvNi"}},
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
		{item: partDepreciation, largest: true, tiers: []string{"Depreciation OtherDepreciationAndAmortization"}},
		{item: partAmortization, tiers: []string{"AmortizationOfIntangibleAssets", "FiniteLivedIntangibleAssetsAmortizationExpense"}},
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
