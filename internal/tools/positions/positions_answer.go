package positions

import (
	"context"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
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
	Rates        []RateLine       `json:"rates"`
	Unvalued     []MissingValue   `json:"unvalued"`
	Notes        []string         `json:"notes"`

	// Outside tells models that names are those of the files that they came from.
	Outside string `json:"outside,omitempty"`

	day        market.Date
	maskExempt []string // words with digits that are no amounts
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
	*toolkit.Origin                  // nil where there is no price

	line      ValuedPosition
	costBase  decimal.NullDecimal
	dayChange decimal.NullDecimal // by how much the day changed the worth in the base
	spark     string
}

type cashLine struct {
	Account   string           `json:"account"`
	Currency  string           `json:"currency"`
	Amount    *decimal.Decimal `json:"amount,omitempty"`
	ValueBase *decimal.Decimal `json:"value_base,omitempty"`
	WeightPct *decimal.Decimal `json:"weight_pct,omitempty"`

	cash ValuedCash
}

func (d OverviewDeps) newPositionsAnswer(ctx context.Context, o Portfolio, v Valuation) positionsAnswer {
	a := positionsAnswer{
		Day: toolkit.FormatDate(v.Day), day: v.Day, Currency: v.Base, Accounts: v.Accounts, Whole: v.Complete, Unvalued: v.MissingValues(),
		Positions: []positionLine{}, Cash: []cashLine{}, Rates: v.RateLines(), Notes: untrackedCashNotes(o, v.Accounts), maskExempt: v.MaskExemptions(o),
	}
	var lots []portfolio.Lot
	for _, l := range v.Lines {
		lots = append(lots, l.Lots...)
	}
	costs := d.NewCostConverter(ctx, v.Base, lots)
	for _, l := range v.Lines {
		a.Positions = append(a.Positions, newPositionLine(ctx, l, v.Base, costs))
	}
	for _, c := range v.Cash {
		a.Cash = append(a.Cash, cashLine{
			Account: c.Account, Currency: c.Currency, Amount: RoundMoney(decimal.NewNullDecimal(c.Amount), c.Currency),
			ValueBase: RoundMoney(c.Base, v.Base), WeightPct: toolkit.ToPercent(c.Weight), cash: c,
		})
	}
	a.sumTotals(v)
	a.Warnings = d.positionWarnings(o, v, &a)
	if d.Replay {
		a.Notes = append(a.Notes, "the book of "+a.Day+", at closes of then as they were paid: what happened later is not in it")
	}
	return a
}

func newPositionLine(ctx context.Context, l ValuedPosition, base string, costs CostConverter) positionLine {
	currency := l.Price.Provenance.Currency
	p := positionLine{
		Symbol: l.Symbol, Name: l.Name, Accounts: l.Accounts, Quantity: &l.Quantity, line: l, spark: sparkline(recentCloses(l.Price)),
		Value: RoundMoney(l.Value, currency), ValueBase: RoundMoney(l.Base, base), WeightPct: toolkit.ToPercent(l.Weight),
		Cost: RoundMoney(l.Cost, l.CostCurrency), Gain: RoundMoney(l.Gain(), currency), GainPct: toolkit.GainPct(l.Gain(), l.Cost),
	}
	if p.Cost != nil {
		p.CostCurrency = l.CostCurrency
	}
	p.costBase, p.GainWhy = costs.ConvertLots(ctx, l.Lots)
	gain := SubtractKnown(l.Base, p.costBase)
	p.CostBase, p.GainBase, p.GainBasePct = RoundMoney(p.costBase, base), RoundMoney(gain, base), toolkit.GainPct(gain, p.costBase)
	if !l.Value.Valid {
		return p
	}
	origin := toolkit.OriginOf(l.Price.Provenance)
	p.Price, p.Origin = &l.Price.Value, &origin
	if before := l.Price.Previous; before.Valid && before.Decimal.IsPositive() && previousIsLastSession(l.Price) {
		fraction := l.Price.Value.Sub(before.Decimal).DivRound(before.Decimal, fractionPlaces)
		p.DayChangePct, p.PreviousAsOf = toolkit.ToPercent(decimal.NewNullDecimal(fraction)), toolkit.FormatDate(l.Price.PreviousAsOf)
		if l.Base.Valid {
			p.dayChange = decimal.NewNullDecimal(l.Price.Value.Sub(before.Decimal).Mul(l.Quantity).Mul(l.Rate.Value))
			p.DayChange = RoundMoney(p.dayChange, base)
		}
	}
	return p
}

// previousIsLastSession reports whether the price before is of the session before, as far as its
// day is known: that of a monthly series is no change of a day.
func previousIsLastSession(p Price) bool {
	return p.PreviousAsOf.IsZero() || p.Provenance.AsOf.Sub(p.PreviousAsOf) <= StalePriceAge
}

// fractionPlaces are the digits of a fraction that is shown in per cent.
const fractionPlaces = 8

// sparklineMonths is how far back the line of closes goes.
const sparklineMonths = 3

// recentCloses are the closes of the last months, on one scale.
func recentCloses(p Price) []decimal.Decimal {
	var closes []decimal.Decimal
	since := p.Provenance.AsOf.AddDate(0, -sparklineMonths, 0)
	if adjusted, err := p.Series.SplitAdjusted(); err == nil {
		p.Series = adjusted
	}
	for _, bar := range p.Series.Bars {
		if p.Series.Interval == market.Daily && !bar.Date.Before(since) {
			closes = append(closes, bar.Close)
		}
	}
	return closes
}

// sumTotals adds up cost, gain and the change of the day, each over the securities of which
// it is known; where that of one is not, there is no sum.
func (a *positionsAnswer) sumTotals(v Valuation) {
	worth, cost, moved := decimal.Zero, decimal.NewNullDecimal(decimal.Zero), decimal.NewNullDecimal(decimal.Zero)
	known := false
	for _, p := range a.Positions {
		known = known || p.line.Base.Valid
		worth = worth.Add(p.line.Base.Decimal)
		cost = AddKnown(cost, p.costBase)
		moved = AddKnown(moved, p.dayChange)
	}
	for _, c := range a.Cash {
		known = known || c.cash.Base.Valid
	}
	if !known {
		return
	}
	a.Total, a.OldestPrice = RoundMoney(decimal.NewNullDecimal(v.Total), v.Base), toolkit.FormatDate(v.AsOf.Truncate(24*time.Hour))
	if len(a.Positions) == 0 {
		return
	}
	if a.Whole {
		gain := SubtractKnown(decimal.NewNullDecimal(worth), cost)
		a.Cost, a.Gain, a.GainPct = RoundMoney(cost, v.Base), RoundMoney(gain, v.Base), toolkit.GainPct(gain, cost)
	}
	a.DayChange = RoundMoney(moved, v.Base)
	a.DayChangePct = toolkit.SharePct(moved, SubtractKnown(decimal.NewNullDecimal(v.Total), moved))
}
