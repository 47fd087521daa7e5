package rebalance

import (
	"errors"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/tax"
)

// Errors of a plan.
var (
	// ErrInvalidRequest means that no plan is possible; the message gives the reason.
	ErrInvalidRequest = errors.New("invalid input")
	// ErrNotEnoughCash means that an account owes more cash than it may raise by selling.
	ErrNotEnoughCash = errors.New("not enough to sell")
)

// Request is the input of a plan. Amounts are in the base currency.
type Request struct {
	Day      market.Date // trade date, which determines the terms of lots
	Accounts []Account
	// Prices are prices per unit in the base currency, of all positions and targets.
	Prices map[market.Symbol]decimal.Decimal
	// Targets are fractions of the total; the remainder is for cash. Positions that must not be
	// traded are in Excluded. Every other position needs a target, zero to sell all of it.
	Targets []portfolio.Target
	// Excluded are symbols that are neither traded nor counted.
	Excluded map[market.Symbol]bool

	Band Band
	Aim  Aim
	// OnlyBuy forbids sales, even of positions outside their band.
	OnlyBuy bool
	// Steps are the smallest tradable quantities by symbol (default 1): 0.0001 for fractional shares, 100
	// for round lots. A fraction of a step is sold only together with the rest of the position.
	Steps map[market.Symbol]decimal.Decimal
	// MinTrade is the smallest value of a trade, except to raise cash that an account owes.
	MinTrade decimal.Decimal
	Fee      TradeFee
	Rates    TaxRates
	// Jurisdiction determines short and long term.
	Jurisdiction tax.Jurisdiction
	// KeepLosses are symbols that taxed accounts must not sell at a loss, because the loss would
	// not be deductible; a lot of unknown cost counts as a loss.
	KeepLosses map[market.Symbol]bool
	// BuyFrom is the first date on which a symbol may be bought again; an earlier purchase would
	// cause a wash sale.
	BuyFrom map[market.Symbol]market.Date
}

// Account is the input for one account.
type Account struct {
	Name    string
	Untaxed bool
	// Method is the account's cost basis method. If it is empty or specific, lots are chosen for
	// the least tax; the user must name them to the broker.
	Method portfolio.Method
	Cash   decimal.Decimal
	// Flow is new cash, or a withdrawal if negative.
	Flow      decimal.Decimal
	Positions []Position
}

// Position is an account's position in a symbol, once per symbol.
type Position struct {
	Symbol   market.Symbol
	Quantity decimal.Decimal
	// Lots add up to Quantity; empty if unknown.
	Lots []Lot
}

// Lot is a part of a position with its cost in the base currency.
type Lot struct {
	ID       string
	Acquired market.Date // zero if unknown
	Quantity decimal.Decimal
	Cost     decimal.NullDecimal // of all of Quantity
}

// Band is how far a weight may be from its target before it is traded. If both are set, the smaller
// applies; if none, the band is zero.
type Band struct {
	Absolute decimal.NullDecimal // in points, as a fraction: 0.05
	Relative decimal.NullDecimal // of the target: 0.25 is a quarter
}

// Aim is how far sales go.
type Aim string

// Aims.
const (
	AimTarget Aim = "target" // to the targets; also the empty Aim
	AimEdge   Aim = "edge"   // no further than the edges of the bands
)

// TradeFee is the cost of a trade.
type TradeFee struct {
	Fixed decimal.Decimal
	Rate  decimal.Decimal // of its value, a fraction
}

// of returns the fee of a trade with a value.
func (f TradeFee) of(value decimal.Decimal) decimal.Decimal { return f.Fixed.Add(value.Mul(f.Rate)) }

// TaxRates are rates of tax on gains, as fractions; without them no tax is computed. If a
// jurisdiction has no terms, Short applies to everything.
type TaxRates struct {
	Short, Long decimal.NullDecimal
}

// of returns the rate of a term. An unknown term has a rate only if both rates are equal.
func (r TaxRates) of(t tax.Term) decimal.NullDecimal {
	switch t {
	case tax.TermShort, tax.TermNone:
		return r.Short
	case tax.TermLong:
		return r.Long
	}
	if r.Short.Valid && r.Long.Valid && r.Short.Decimal.Equal(r.Long.Decimal) {
		return r.Short
	}
	return decimal.NullDecimal{}
}
