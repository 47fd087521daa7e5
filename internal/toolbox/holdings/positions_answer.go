package holdings

import (
	"context"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

type positionsAnswer struct {
	Day          string           `json:"day"`
	Currency     string           `json:"currency"` // of total and of all that ends in _base
	Accounts     []string         `json:"accounts"`
	Warnings     []string         `json:"warnings"`
	Total        *decimal.Decimal `json:"total,omitempty"`
	Whole        bool             `json:"whole"`
	OldestPrice  string           `json:"oldest_price,omitempty"`
	Cost         *decimal.Decimal `json:"cost_base,omitempty"` // of all securities
	Gain         *decimal.Decimal `json:"gain_base,omitempty"`
	GainPct      *decimal.Decimal `json:"gain_base_pct,omitempty"`
	DayChange    *decimal.Decimal `json:"day_change_base,omitempty"`
	DayChangePct *decimal.Decimal `json:"day_change_pct,omitempty"`
	Positions    []positionLine   `json:"positions"`
	Cash         []cashLine       `json:"cash"`
	Rates        []book.RateLine  `json:"rates"`
	Unvalued     []book.Lack      `json:"unvalued"`
	Notes        []string         `json:"notes"`

	// Outside is told to models: names are those of the files that they came from.
	Outside string `json:"outside,omitempty"`

	day    market.Date
	spared []string // words with digits that are no amounts
}

type positionLine struct {
	Symbol          market.Symbol    `json:"symbol"`
	Name            string           `json:"name,omitempty"`
	Accounts        []string         `json:"accounts"`
	Quantity        *decimal.Decimal `json:"quantity,omitempty"`
	Price           *decimal.Decimal `json:"price,omitempty"`
	Value           *decimal.Decimal `json:"value,omitempty"`
	ValueBase       *decimal.Decimal `json:"value_base,omitempty"`
	WeightPct       *decimal.Decimal `json:"weight_pct,omitempty"`
	Cost            *decimal.Decimal `json:"cost,omitempty"`
	CostCurrency    string           `json:"cost_currency,omitempty"`
	Gain            *decimal.Decimal `json:"gain,omitempty"`
	GainPct         *decimal.Decimal `json:"gain_pct,omitempty"`
	CostBase        *decimal.Decimal `json:"cost_base,omitempty"`
	GainBase        *decimal.Decimal `json:"gain_base,omitempty"`
	GainBasePct     *decimal.Decimal `json:"gain_base_pct,omitempty"`
	GainWhy         string           `json:"gain_absent,omitempty"`
	DayChangePct    *decimal.Decimal `json:"day_change_pct,omitempty"`
	DayChange       *decimal.Decimal `json:"day_change_base,omitempty"`
	PreviousAsOf    string           `json:"previous_as_of,omitempty"`
	*present.Origin                  // nil where there is no price

	line     book.Line
	costBase decimal.NullDecimal
	moved    decimal.NullDecimal // by how much the day changed the worth in the base
	spark    string
}

type cashLine struct {
	Account   string           `json:"account"`
	Currency  string           `json:"currency"`
	Amount    *decimal.Decimal `json:"amount,omitempty"`
	ValueBase *decimal.Decimal `json:"value_base,omitempty"`
	WeightPct *decimal.Decimal `json:"weight_pct,omitempty"`

	cash book.Cash
}

func (d Deps) positionsOf(ctx context.Context, o book.Opened, v book.Valuation) positionsAnswer {
	a := positionsAnswer{
		Day: present.Dated(v.Day), day: v.Day, Currency: v.Base, Accounts: v.Accounts, Whole: v.Whole, Unvalued: v.Lacks(),
		Positions: []positionLine{}, Cash: []cashLine{}, Rates: v.RateLines(), Notes: untracked(o, v.Accounts), spared: v.Spared(o),
	}
	var lots []portfolio.Lot
	for _, l := range v.Lines {
		lots = append(lots, l.Lots...)
	}
	costs := d.NewCosting(ctx, v.Base, lots)
	for _, l := range v.Lines {
		a.Positions = append(a.Positions, positionOf(ctx, l, v.Base, costs))
	}
	for _, c := range v.Cash {
		a.Cash = append(a.Cash, cashLine{
			Account: c.Account, Currency: c.Currency, Amount: book.Money(decimal.NewNullDecimal(c.Amount), c.Currency),
			ValueBase: book.Money(c.Base, v.Base), WeightPct: present.InPercent(c.Weight), cash: c,
		})
	}
	a.sum(v)
	a.Warnings = d.positionWarnings(o, v, &a)
	if d.Replay {
		a.Notes = append(a.Notes, "the book of "+a.Day+", at closes of then as they were paid: what happened later is not in it")
	}
	return a
}

func positionOf(ctx context.Context, l book.Line, base string, costs book.Costing) positionLine {
	currency := l.Price.Provenance.Currency
	p := positionLine{
		Symbol: l.Symbol, Name: l.Name, Accounts: l.Accounts, Quantity: &l.Quantity, line: l, spark: sparkline(recent(l.Price)),
		Value: book.Money(l.Value, currency), ValueBase: book.Money(l.Base, base), WeightPct: present.InPercent(l.Weight),
		Cost: book.Money(l.Cost, l.CostCurrency), Gain: book.Money(l.Gain(), currency), GainPct: present.GainPct(l.Gain(), l.Cost),
	}
	if p.Cost != nil {
		p.CostCurrency = l.CostCurrency
	}
	p.costBase, p.GainWhy = costs.All(ctx, l.Lots)
	gain := book.Less(l.Base, p.costBase)
	p.CostBase, p.GainBase, p.GainBasePct = book.Money(p.costBase, base), book.Money(gain, base), present.GainPct(gain, p.costBase)
	if !l.Value.Valid {
		return p
	}
	origin := present.OriginOf(l.Price.Provenance)
	p.Price, p.Origin = &l.Price.Value, &origin
	if before := l.Price.Previous; before.Valid && before.Decimal.IsPositive() && ofSession(l.Price) {
		fraction := l.Price.Value.Sub(before.Decimal).DivRound(before.Decimal, fractionPlaces)
		p.DayChangePct, p.PreviousAsOf = present.InPercent(decimal.NewNullDecimal(fraction)), present.Dated(l.Price.PreviousAsOf)
		if l.Base.Valid {
			p.moved = decimal.NewNullDecimal(l.Price.Value.Sub(before.Decimal).Mul(l.Quantity).Mul(l.Rate.Value))
			p.DayChange = book.Money(p.moved, base)
		}
	}
	return p
}

// ofSession reports whether the price before is of the session before, as far as its
// day is known: that of a monthly series is no change of a day.
func ofSession(p book.Price) bool {
	return p.PreviousAsOf.IsZero() || p.Provenance.AsOf.Sub(p.PreviousAsOf) <= book.OldPrice
}

// fractionPlaces are the digits of a fraction that is shown in per cent.
const fractionPlaces = 8

// sparkMonths is how far back the line of closes goes.
const sparkMonths = 3

// recent are the closes of the last months, on one scale.
func recent(p book.Price) []decimal.Decimal {
	var closes []decimal.Decimal
	since := p.Provenance.AsOf.AddDate(0, -sparkMonths, 0)
	if one, err := p.Series.SplitAdjusted(); err == nil {
		p.Series = one
	}
	for _, bar := range p.Series.Bars {
		if p.Series.Interval == market.Daily && !bar.Date.Before(since) {
			closes = append(closes, bar.Close)
		}
	}
	return closes
}

// sum adds up cost, gain and the change of the day, each over the securities of which
// it is known; where that of one is not, there is no sum.
func (a *positionsAnswer) sum(v book.Valuation) {
	worth, cost, moved := decimal.Zero, decimal.NewNullDecimal(decimal.Zero), decimal.NewNullDecimal(decimal.Zero)
	known := false
	for _, p := range a.Positions {
		known = known || p.line.Base.Valid
		worth = worth.Add(p.line.Base.Decimal)
		cost = book.Plus(cost, p.costBase)
		moved = book.Plus(moved, p.moved)
	}
	for _, c := range a.Cash {
		known = known || c.cash.Base.Valid
	}
	if !known {
		return
	}
	a.Total, a.OldestPrice = book.Money(decimal.NewNullDecimal(v.Total), v.Base), present.Dated(v.AsOf.Truncate(24*time.Hour))
	if len(a.Positions) == 0 {
		return
	}
	if a.Whole {
		gain := book.Less(decimal.NewNullDecimal(worth), cost)
		a.Cost, a.Gain, a.GainPct = book.Money(cost, v.Base), book.Money(gain, v.Base), present.GainPct(gain, cost)
	}
	a.DayChange = book.Money(moved, v.Base)
	a.DayChangePct = present.ShareOf(moved, book.Less(decimal.NewNullDecimal(v.Total), moved))
}
