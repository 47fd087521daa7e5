package checkup

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Book is what the rules look at. Weights are fractions of all that has a worth,
// with its cash; below zero where sold short or owed.
type Book struct {
	Day  market.Date
	Base string // ISO 4217
	// Holdings have one entry for each security that has a worth.
	Holdings []Holding
	// Cash is the balance of each currency.
	Cash []Cash
	// Unpriced names what has no worth, with the reason. Rules of weights are not
	// judged then: they would be of a part.
	Unpriced []string
	// Weightless says why there are no weights, where there are none: a book that
	// owes more than it has.
	Weightless string
	// CashElsewhere are accounts whose cash is not in the book.
	CashElsewhere []string
	// Reserve is what has to be at hand within a year; invalid where it is not known.
	Reserve decimal.NullDecimal
	// Targets are those of the user; none where there are none.
	Targets []portfolio.Target
	// Pairs are the correlations that are known; Unpaired names the holdings that
	// have none, with the reason.
	Pairs    []Pair
	Unpaired []string
	// Payers are what paid income in the twelve months up to Day; Unpaid names the
	// income whose worth is not known.
	Payers []Payer
	Unpaid []string
}

// Holding is one security.
type Holding struct {
	Symbol   market.Symbol
	Weight   decimal.Decimal
	Form     Form
	Class    portfolio.Class // empty is not known
	Region   string          // in the user's words; empty is not known
	Currency string          // of its price; empty is not known
	Fee      decimal.NullDecimal
	PricedOn market.Date
	// Doubt is why the price is not one of the market: "sample"; empty where it is.
	Doubt string
}

// Form is what hangs on a holding.
type Form string

// Forms.
const (
	FormUnknown Form = ""
	FormSingle  Form = "single" // one company, one issuer, one coin
	FormFund    Form = "fund"   // spread over many
)

// Cash is a balance.
type Cash struct {
	Currency string
	Weight   decimal.Decimal
}

// Pair are two holdings with the correlation of their weekly returns.
type Pair struct {
	A, B        market.Symbol
	Correlation float64
	Weeks       int // returns that it is of
}

// Payer is what paid income.
type Payer struct {
	Name string // a symbol, or "cash"
	Part decimal.Decimal
}

// cash is what is known to be cash, and what may be besides: securities whose class
// is not known. Owed money counts against it.
func (b Book) cash() (known, possible decimal.Decimal, unknown []string) {
	for _, c := range b.Cash {
		known = known.Add(c.Weight)
	}
	for _, h := range b.Holdings {
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

// securities is the sum of all holdings, short ones counted as long.
func (b Book) securities() decimal.Decimal {
	sum := decimal.Zero
	for _, h := range b.Holdings {
		sum = sum.Add(h.Weight.Abs())
	}
	return sum
}
