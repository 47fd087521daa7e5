package performance

import (
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Formulas of gains by lot.
const (
	FormulaRealised   = "proceeds * rate of the day they came - cost * rate of the day it was paid"
	FormulaUnrealised = "quantity * price * rate of the day - cost * rate of the day of acquisition"
)

// Gains are by lot, each in the base currency at the rates of its own days. They are
// what was made on what was paid, whenever it was: not the gain of a window, which
// counts from the value at its start.
type Gains struct {
	Realised   GainSum // of what was given away in the window
	Unrealised GainSum // of what is held at its end, which is the end of the history
}

// GainSum adds up the gains that are known.
type GainSum struct {
	Formula string
	Lots    []LotGain
	// Sum is of the lots whose gain is known; Unknown is how many have none.
	Sum     decimal.Decimal
	Unknown int
}

// LotGain is what was made on a lot, or on a part of one.
type LotGain struct {
	Lot         string
	Account     string
	Symbol      market.Symbol
	Acquired    market.Date // zero where not known
	Date        market.Date // of the sale, or of the valuation
	Quantity    decimal.Decimal
	MarketValue decimal.NullDecimal // proceeds, or value, in the base
	Cost        decimal.NullDecimal // in the base
	Gain        decimal.NullDecimal
	Reason      string // Gain is absent
}

// Gains lists what was realised after the close of from, and what is not realised at
// the end of the history. A window that is none is ErrInvalidRequest.
func (h *History) Gains(from market.Date) (Gains, error) {
	if _, err := h.span(from, h.Last()); err != nil {
		return Gains{}, err
	}
	g := Gains{Realised: GainSum{Formula: FormulaRealised}, Unrealised: GainSum{Formula: FormulaUnrealised}}
	rates := newRateLookup(h.base, h.rateSeries)
	for _, d := range h.engine.Disposals() {
		if !h.scope.includesPosition(d.Account, d.Symbol) || !d.Date.After(from) {
			continue
		}
		g.Realised.addDisposal(d, rates)
	}
	for _, p := range h.openPositions() {
		if h.scope.includesPosition(p.Account, p.Symbol) {
			h.unrealised(&g.Unrealised, p, rates)
		}
	}
	return g, nil
}

// addDisposal takes in what was given away. Of a short position the proceeds came on
// the day it was opened, and the cost on the day it was closed.
func (g *GainSum) addDisposal(d portfolio.Disposal, rates rateLookup) {
	currency, received, paid := d.CostCurrency, d.Date, d.Acquired
	if currency == "" {
		currency = d.Currency
	}
	if d.Quantity.IsNegative() {
		received, paid = paid, received
	}
	l := LotGain{Lot: d.Lot, Account: d.Account, Symbol: d.Symbol, Acquired: d.Acquired, Date: d.Date, Quantity: d.Quantity}
	l.MarketValue, l.Reason = rates.convert(decimal.NewNullDecimal(d.Proceeds), d.Currency, received)
	g.add(l, rates, d.Cost, currency, paid)
}

func (h *History) unrealised(g *GainSum, p portfolio.Position, rates rateLookup) {
	price, why := h.priceAt(p.Symbol, h.grid.days-1)
	for _, lot := range p.Lots {
		l := LotGain{Lot: lot.ID, Account: p.Account, Symbol: p.Symbol, Acquired: lot.Acquired, Date: h.Last(), Quantity: lot.Quantity, Reason: why}
		l.MarketValue = multiplyKnown(decimal.NewNullDecimal(lot.Quantity), price)
		cost := lot.Cost
		if lot.Quantity.IsNegative() {
			// The cost of a short lot is what was received for it.
			cost.Decimal = cost.Decimal.Neg()
		}
		g.add(l, rates, cost, lot.Currency, lot.Acquired)
	}
}

func (s scope) includesPosition(account string, symbol market.Symbol) bool {
	return s.includes(account) && !s.excluded[symbol]
}

// priceAt is the price of a security in the base.
func (h *History) priceAt(symbol market.Symbol, i int) (decimal.NullDecimal, string) {
	for _, s := range h.securities {
		if s.symbol != symbol || s.prices == nil {
			continue
		}
		if price, _, ok := s.prices.valueOn(i); ok {
			if price, ok = h.rates.convert(price, s.currency, i); ok {
				return decimal.NewNullDecimal(price), ""
			}
			return decimal.NullDecimal{}, "there is no rate of " + s.currency + " on the day"
		}
	}
	return decimal.NullDecimal{}, "there is no price on the day"
}

// add takes a lot in, with its cost in the base where that can be known.
func (g *GainSum) add(l LotGain, rates rateLookup, cost decimal.NullDecimal, currency string, paid market.Date) {
	switch {
	case l.Reason != "":
	case !cost.Valid:
		l.Reason = "its cost is not known"
	case paid.IsZero() && currency != rates.base:
		l.Reason = "the day of its acquisition is not known, and with it the rate"
	default:
		l.Cost, l.Reason = rates.convert(cost, currency, paid)
	}
	if l.Reason == "" {
		l.Gain = decimal.NewNullDecimal(l.MarketValue.Decimal.Sub(l.Cost.Decimal))
		g.Sum = g.Sum.Add(l.Gain.Decimal)
	} else {
		g.Unknown++
	}
	g.Lots = append(g.Lots, l)
}

// rateLookup finds rates of days that may lie before the history.
type rateLookup struct {
	base   string
	series map[market.Pair]market.RateSeries
}

func newRateLookup(base string, all []market.RateSeries) rateLookup {
	l := rateLookup{base: base, series: make(map[market.Pair]market.RateSeries, len(all))}
	for _, s := range all {
		l.series[s.Pair] = s
	}
	return l
}

func (l rateLookup) convert(amount decimal.NullDecimal, currency string, d market.Date) (decimal.NullDecimal, string) {
	if currency == l.base || amount.Valid && amount.Decimal.IsZero() {
		return amount, ""
	}
	pair := market.Pair{Base: currency, Quote: l.base}
	if s, ok := l.series[pair]; ok {
		rate, err := s.On(d)
		if err != nil {
			return decimal.NullDecimal{}, err.Error()
		}
		return multiplyKnown(amount, decimal.NewNullDecimal(rate.Value)), ""
	}
	s, ok := l.series[pair.Inverse()]
	if !ok {
		return decimal.NullDecimal{}, fmt.Sprintf("there is no rate of %s", pair)
	}
	rate, err := s.On(d)
	if err != nil {
		return decimal.NullDecimal{}, err.Error()
	}
	turned := decimal.NewFromInt(1).DivRound(rate.Value, InversePlaces)
	return multiplyKnown(amount, decimal.NewNullDecimal(turned)), ""
}
