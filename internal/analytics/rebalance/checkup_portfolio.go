package rebalance

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Portfolio is what the rules look at. Weights are fractions of all that has a worth,
// with its cash; below zero where sold short or owed.
type Portfolio struct {
	Day  market.Date
	Base string // ISO 4217
	// Positions have one entry for each security that has a worth.
	Positions []CheckedPosition
	// Cash is the balance of each currency.
	Cash []CashWeight
	// Unpriced names what has no worth, with the reason. Rules of weights are not
	// judged then: they would be of a part.
	Unpriced []string
	// NoWeightsReason says why there are no weights, if there are none: the portfolio owes more
	// than it has.
	NoWeightsReason string
	// UntrackedCash are accounts whose cash is not tracked.
	UntrackedCash []string
	// Reserve is what has to be at hand within a year; invalid where it is not known.
	Reserve decimal.NullDecimal
	// Targets are those of the user; none where there are none.
	Targets []portfolio.Target
	// Pairs are the correlations that are known; Uncorrelated names the positions that have
	// none, with the reason.
	Pairs        []CorrelatedPair
	Uncorrelated []string
	// IncomeSources are what paid income in the twelve months up to Day; UnvaluedIncome names
	// income whose value is not known.
	IncomeSources  []IncomeSource
	UnvaluedIncome []string
}

// CheckedPosition is one security.
type CheckedPosition struct {
	Symbol   market.Symbol
	Weight   decimal.Decimal
	Form     AssetForm
	Class    portfolio.Class // empty is not known
	Region   string          // in the user's words; empty is not known
	Currency string          // of its price; empty is not known
	Fee      decimal.NullDecimal
	PricedOn market.Date
	// PriceWarning is why the price is not one of the market: "sample"; empty where it is.
	PriceWarning string
}

// AssetForm is what hangs on a holding.
type AssetForm string

// Forms.
const (
	FormUnknown AssetForm = ""
	FormSingle  AssetForm = "single" // one company, one issuer, one coin
	FormFund    AssetForm = "fund"   // spread over many
)

// CashWeight is a balance.
type CashWeight struct {
	Currency string
	Weight   decimal.Decimal
}

// CorrelatedPair are two holdings with the correlation of their weekly returns.
type CorrelatedPair struct {
	A, B        market.Symbol
	Correlation float64
	Weeks       int // returns that it is of
}

// IncomeSource is what paid income.
type IncomeSource struct {
	Name  string // a symbol, or "cash"
	Share decimal.Decimal
}

// cash is what is known to be cash, and what may be besides: securities whose class
// is not known. Owed money counts against it.
func (b Portfolio) cash() (known, possible decimal.Decimal, unknown []string) {
	for _, c := range b.Cash {
		known = known.Add(c.Weight)
	}
	for _, h := range b.Positions {
		switch h.Class {
		case portfolio.ClassCash:
			known = known.Add(h.Weight)
		case "", portfolio.ClassMixed:
			possible = possible.Add(decimal.Max(h.Weight, decimal.Zero))
			unknown = append(unknown, string(h.Symbol))
		}
	}
	return known, possible, unknown
}

// grossWeight is the sum of all holdings, short ones counted as long.
func (b Portfolio) grossWeight() decimal.Decimal {
	sum := decimal.Zero
	for _, h := range b.Positions {
		sum = sum.Add(h.Weight.Abs())
	}
	return sum
}
