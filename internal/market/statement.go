package market

import (
	"context"

	"github.com/shopspring/decimal"
)

// Names of the figures in a Statement. Flows cover the period, balances are as of its end. Costs and outflows
// are positive numbers, as companies tag them.
const (
	ItemRevenue           = "revenue"
	ItemCostOfRevenue     = "cost_of_revenue"
	ItemGrossProfit       = "gross_profit"
	ItemResearch          = "research_and_development"
	ItemSellingGeneral    = "selling_general_administrative"
	ItemOperatingExpenses = "operating_expenses"
	ItemOperatingIncome   = "operating_income"
	ItemInterestExpense   = "interest_expense"
	ItemPretaxIncome      = "pretax_income"
	ItemIncomeTax         = "income_tax"
	ItemNetIncome         = "net_income"
	ItemBasicEPS          = "basic_eps"
	ItemDilutedEPS        = "diluted_eps"
	ItemBasicShares       = "basic_shares"
	ItemDilutedShares     = "diluted_shares"
	ItemDividendsPerShare = "dividends_per_share"

	// Of banks and insurers.
	ItemInterestIncome    = "interest_income"
	ItemNetInterestIncome = "net_interest_income"
	ItemNonInterestIncome = "noninterest_income"
	ItemCreditLosses      = "provision_for_credit_losses"
	ItemPremiumsEarned    = "premiums_earned"
	ItemPolicyBenefits    = "policy_benefits"
	ItemDeposits          = "deposits"
	ItemLoans             = "loans"

	ItemCash               = "cash"
	ItemShortInvestments   = "short_term_investments"
	ItemReceivables        = "receivables"
	ItemInventory          = "inventory"
	ItemCurrentAssets      = "current_assets"
	ItemProperty           = "property_plant_equipment"
	ItemGoodwill           = "goodwill"
	ItemIntangibles        = "intangible_assets"
	ItemTotalAssets        = "total_assets"
	ItemPayables           = "accounts_payable"
	ItemShortDebt          = "short_term_debt"
	ItemCurrentLiabilities = "current_liabilities"
	ItemLongDebt           = "long_term_debt"
	ItemTotalDebt          = "total_debt"
	ItemTotalLiabilities   = "total_liabilities"
	ItemRetainedEarnings   = "retained_earnings"
	ItemEquity             = "shareholders_equity"
	ItemMinorityInterest   = "minority_interest"
	ItemSharesOutstanding  = "shares_outstanding"

	ItemOperatingCashFlow  = "operating_cash_flow"
	ItemDepreciation       = "depreciation_amortization"
	ItemStockCompensation  = "stock_compensation"
	ItemCapitalExpenditure = "capital_expenditure"
	ItemAcquisitions       = "acquisitions"
	ItemInvestingCashFlow  = "investing_cash_flow"
	ItemDividendsPaid      = "dividends_paid"
	ItemSharesRepurchased  = "shares_repurchased"
	ItemFinancingCashFlow  = "financing_cash_flow"
	ItemFreeCashFlow       = "free_cash_flow"
)

// Template determines the lines of a company's statements: banks have no operating income, insurers
// no cost of revenue.
type Template string

// Templates of statements.
const (
	TemplateGeneral Template = "general"
	TemplateBank    Template = "bank"
	TemplateInsurer Template = "insurer"
)

// Span is the length of the period that a statement covers.
type Span string

// Spans of statements.
const (
	SpanAnnual    Span = "annual"
	SpanQuarterly Span = "quarterly"
	SpanTrailing  Span = "ttm" // the last four quarters
)

// Item is one figure of a statement.
type Item struct {
	Value decimal.Decimal `json:"value"`
	Unit  string          `json:"unit"`              // "USD", "USD/share", "shares"
	Tag   string          `json:"concept,omitempty"` // "us-gaap:Revenues"
	// Form, Accession and Filed describe the filing that Value comes from.
	Form      string `json:"form,omitempty"`
	Accession string `json:"accession,omitempty"`
	Filed     Date   `json:"filed,omitzero"`
	// First is the value as first reported, if a later filing changed it by more than rounding and
	// not for a split.
	First decimal.NullDecimal `json:"first_reported,omitzero"`
	// Formula and Inputs show how a figure was derived: "FY - 9M".
	Formula string   `json:"formula,omitempty"`
	Inputs  []string `json:"inputs,omitempty"`
	Flags   []Flag   `json:"flags,omitempty"`
}

// Statement holds a company's figures for one period: income, balance sheet and cash flows.
type Statement struct {
	Instrument
	Span         Span     `json:"span"`
	FiscalYear   int      `json:"fiscal_year"`   // the company's own label
	FiscalPeriod string   `json:"fiscal_period"` // "FY", "Q1" to "Q4", "TTM", "transition" between two fiscal years
	PeriodStart  Date     `json:"period_start,omitzero"`
	PeriodEnd    Date     `json:"period_end"`
	Form         string   `json:"form"` // "10-K"; of the filing that is the newest source of the flows
	Filed        Date     `json:"filed,omitzero"`
	Template     Template `json:"template"`
	// Items are figures by their name (ItemRevenue, ...), in units, not millions.
	// A figure the source lacks is absent, never zero.
	Items      map[string]Item `json:"items"`
	Warnings   []string        `json:"warnings,omitempty"`
	Provenance Provenance      `json:"provenance"`
}

// StatementQuery narrows a request to a StatementSource. The zero value requests all annual
// statements in their newest version.
type StatementQuery struct {
	Span  Span // default SpanAnnual
	Limit int  // maximum number, newest first; zero or less means no limit
	// KnownOn, if set, requests the figures as filed by the end of that day.
	KnownOn Date
}

// Filter returns the matching statements, newest first. A statement without a filing date counts as
// filed on the latest permitted day after its period.
func (q StatementQuery) Filter(statements []Statement) []Statement {
	wanted := q.Span
	if wanted == "" {
		wanted = SpanAnnual
	}
	var out []Statement
	for _, s := range statements {
		filed := s.Filed
		if filed.IsZero() {
			filed = s.PeriodEnd.AddDate(0, 0, maxFilingDelay)
		}
		if s.Span != wanted || !q.KnownOn.IsZero() && filed.After(q.KnownOn) {
			continue
		}
		if out = append(out, s); len(out) == q.Limit {
			break
		}
	}
	return out
}

// maxFilingDelay is the maximum number of days from the end of a period to the filing of its report.
// Companies outside the United States have four months in London and Paris; the SEC grants them half a month
// more.
const maxFilingDelay = 137

// StatementSource provides statements, newest first. An unlisted symbol yields
// ErrUnknownSymbol; a known one without statements yields ErrNoData.
type StatementSource interface {
	Statements(ctx context.Context, sym Symbol, q StatementQuery) ([]Statement, error)
}
