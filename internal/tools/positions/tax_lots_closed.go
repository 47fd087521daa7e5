package positions

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio/tax"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// closedLot is a sale, or the part of one that was of one lot.
type closedLot struct {
	Transaction  string           `json:"transaction"`
	Lot          string           `json:"lot"`
	Account      string           `json:"account"`
	Untaxed      bool             `json:"untaxed,omitempty"`
	Symbol       market.Symbol    `json:"symbol"`
	Acquired     string           `json:"acquired,omitempty"`
	HeldFrom     string           `json:"held_from,omitempty"` // where it is not acquired
	Sold         string           `json:"sold"`
	Quantity     *decimal.Decimal `json:"quantity,omitempty"`
	Proceeds     *decimal.Decimal `json:"proceeds,omitempty"`
	Currency     string           `json:"currency"`
	Cost         *decimal.Decimal `json:"cost,omitempty"`
	CostCurrency string           `json:"cost_currency,omitempty"`
	Added        *decimal.Decimal `json:"added_to_cost,omitempty"` // by wash sales before it
	Disallowed   *decimal.Decimal `json:"disallowed,omitempty"`
	Gain         *decimal.Decimal `json:"gain,omitempty"` // that counts, with what is added and disallowed
	GainPct      *decimal.Decimal `json:"gain_pct,omitempty"`
	Term         tax.Term         `json:"term,omitempty"`
	// In the base currency, before wash sales.
	ProceedsBase *decimal.Decimal `json:"proceeds_base,omitempty"`
	CostBase     *decimal.Decimal `json:"cost_base,omitempty"`
	GainBase     *decimal.Decimal `json:"gain_base,omitempty"`
	GainWhy      string           `json:"gain_base_absent,omitempty"`

	sale     tax.Sale
	gainBase decimal.NullDecimal
}

// yearLine is what a year adds up to, for one term and one currency.
type yearLine struct {
	Year       int              `json:"year"`
	Owner      string           `json:"owner,omitempty"`
	Untaxed    bool             `json:"untaxed,omitempty"`
	Term       tax.Term         `json:"term,omitempty"`
	Currency   string           `json:"currency"`
	Sales      int              `json:"sales"`
	Proceeds   *decimal.Decimal `json:"proceeds,omitempty"`
	Cost       *decimal.Decimal `json:"cost,omitempty"`
	Disallowed *decimal.Decimal `json:"disallowed,omitempty"`
	Gain       *decimal.Decimal `json:"gain,omitempty"`
	Unknown    int              `json:"unknown,omitempty"` // sales whose gain is not known, which the sums leave out
}

// baseYear is what the sales that are shown add up to in the base currency.
type baseYear struct {
	Year    int              `json:"year"`
	Untaxed bool             `json:"untaxed,omitempty"`
	Term    tax.Term         `json:"term,omitempty"`
	Gain    *decimal.Decimal `json:"gain_base,omitempty"`
	Sales   int              `json:"sales"`
	Unknown int              `json:"unknown,omitempty"`

	sum decimal.Decimal
}

// addClosedLots shows sales, or wash sales. The base currency is for the figures in it
// alone: where there is none, they are left out.
func (d TaxLotDeps) addClosedLots(ctx context.Context, a *lotsAnswer, currency string) error {
	var sales []tax.Sale
	var used []string
	for _, s := range a.assessed.Sales {
		if a.filter.matchesSale(s.Account, s.Symbol, s.Date) {
			sales = append(sales, s)
			used = append(used, s.Currency)
		}
	}
	base, err := d.BaseCurrency(currency, used)
	switch {
	case errors.Is(err, ErrNoBaseCurrency) && len(sales) > 0:
		a.Notes = append(a.Notes, err.Error())
	case err == nil:
		a.Currency = base
	}
	defer a.addSaleNotes(sales)
	if a.Kind == kindWash {
		a.addWashSales()
		return nil
	}
	costs := d.newSalesConverter(ctx, a.Currency, sales)
	for _, s := range slices.Backward(sales) {
		a.Closed = append(a.Closed, newClosedLot(ctx, s, costs))
	}
	a.addYears()
	if len(sales) == 0 {
		a.Notes = append(a.Notes, "nothing was sold that fits the question")
	}
	return nil
}

// newSalesConverter asks for the rates of all days of sales.
func (d TaxLotDeps) newSalesConverter(ctx context.Context, base string, sales []tax.Sale) CostConverter {
	if base == "" {
		return CostConverter{}
	}
	oldest := map[string]market.Date{}
	for _, s := range sales {
		for _, currency := range []string{s.Currency, s.CostCurrency} {
			for _, day := range []market.Date{s.Acquired, s.Date} {
				if first, ok := oldest[currency]; !day.IsZero() && (!ok || day.Before(first)) {
					oldest[currency] = day
				}
			}
		}
	}
	return d.NewCostConverterSince(ctx, base, oldest)
}

func newClosedLot(ctx context.Context, s tax.Sale, costs CostConverter) closedLot {
	spentIn := cmp.Or(s.CostCurrency, s.Currency)
	out := closedLot{
		Transaction: s.Transaction, Lot: s.Lot, Account: s.Account, Untaxed: s.Untaxed, Symbol: s.Symbol, Acquired: toolkit.FormatDate(s.Acquired),
		Sold: toolkit.FormatDate(s.Date), Quantity: &s.Quantity, Proceeds: RoundMoney(decimal.NewNullDecimal(s.Proceeds), s.Currency), Currency: s.Currency,
		Cost: RoundMoney(s.Cost, spentIn), Gain: RoundMoney(s.Gain(), s.Currency), GainPct: toolkit.GainPct(s.Gain(), s.Cost), Term: s.Term, sale: s,
	}
	if s.Cost.Valid && spentIn != s.Currency {
		out.CostCurrency = spentIn
	}
	if !s.HeldFrom.Equal(s.Acquired) {
		out.HeldFrom = toolkit.FormatDate(s.HeldFrom)
	}
	if !s.AddedBasis.IsZero() {
		out.Added = RoundMoney(decimal.NewNullDecimal(s.AddedBasis), cmp.Or(s.AddedBasisCurrency, s.Currency))
	}
	if !s.Disallowed.IsZero() {
		out.Disallowed = RoundMoney(decimal.NewNullDecimal(s.Disallowed), s.Currency)
	}
	if costs.Base == "" {
		return out
	}
	received, paid := s.Date, s.Acquired
	if s.Quantity.IsNegative() { // a short position was paid for last
		received, paid = paid, received
	}
	proceeds, why := costs.Convert(ctx, decimal.NewNullDecimal(s.Proceeds), s.Currency, received)
	cost, whyCost := costs.Convert(ctx, s.Cost, spentIn, paid)
	out.gainBase, out.GainWhy = SubtractKnown(proceeds, cost), cmp.Or(why, whyCost)
	out.ProceedsBase, out.CostBase, out.GainBase = RoundMoney(proceeds, costs.Base), RoundMoney(cost, costs.Base), RoundMoney(out.gainBase, costs.Base)
	return out
}

// addYears are the sums of tax years. They are of all sales: narrowed to a symbol or an
// account they would be nothing that a tax form knows.
func (a *lotsAnswer) addYears() {
	if a.filter.symbol != "" || a.filter.account != "" {
		a.Notes = append(a.Notes, "sums for the tax form are of all sales: leave symbol and account out to see them")
	} else {
		for _, y := range a.assessed.Years {
			if a.filter.year == 0 || a.filter.year == y.Year {
				a.Years = append(a.Years, yearLines(y)...)
			}
		}
	}
	if a.Currency == "" {
		return
	}
	for _, c := range a.Closed {
		a.addBase(c)
	}
	for i := range a.BaseYears {
		a.BaseYears[i].Gain = RoundMoney(decimal.NewNullDecimal(a.BaseYears[i].sum), a.Currency)
	}
	slices.SortStableFunc(a.BaseYears, func(x, y baseYear) int {
		return cmp.Or(cmp.Compare(y.Year, x.Year), cmp.Compare(x.Term, y.Term))
	})
}

func (a *lotsAnswer) addBase(c closedLot) {
	year := c.sale.Date.Year()
	i := slices.IndexFunc(a.BaseYears, func(b baseYear) bool { return b.Year == year && b.Term == c.Term && b.Untaxed == c.Untaxed })
	if i < 0 {
		i = len(a.BaseYears)
		a.BaseYears = append(a.BaseYears, baseYear{Year: year, Term: c.Term, Untaxed: c.Untaxed})
	}
	b := &a.BaseYears[i]
	b.Sales++
	if !c.gainBase.Valid {
		b.Unknown++
		return
	}
	b.sum = b.sum.Add(c.gainBase.Decimal)
}

func yearLines(y tax.Year) []yearLine {
	var out []yearLine
	sum := func(d decimal.Decimal) *decimal.Decimal { return RoundMoney(decimal.NewNullDecimal(d), y.Currency) }
	for _, t := range y.Terms {
		out = append(out, yearLine{
			Year: y.Year, Owner: y.Owner, Untaxed: y.Untaxed, Term: t.Term, Currency: y.Currency, Sales: t.Sales,
			Proceeds: sum(t.Proceeds), Cost: sum(t.Cost), Disallowed: sum(t.Disallowed), Gain: sum(t.Gain), Unknown: t.Unknown,
		})
	}
	return out
}

// washLine is a loss that is disallowed.
type washLine struct {
	tax.WashSale
	Disallowed *decimal.Decimal `json:"disallowed,omitempty"`
	Quantity   *decimal.Decimal `json:"quantity,omitempty"`
	Replaced   *decimal.Decimal `json:"replacement_quantity,omitempty"`
}

// waitLine is a loss that a purchase to come would still disallow.
type waitLine struct {
	Sale     string           `json:"sale"`
	Lot      string           `json:"lot"`
	Account  string           `json:"account"`
	Symbol   market.Symbol    `json:"symbol"`
	Sold     string           `json:"sold"`
	Loss     *decimal.Decimal `json:"loss,omitempty"`
	Quantity *decimal.Decimal `json:"quantity,omitempty"`
	Currency string           `json:"currency"`
	BuyFrom  string           `json:"buy_from"` // the first day on which it may be bought again

	day market.Date
}

func (a *lotsAnswer) addWashSales() {
	for _, w := range slices.Backward(a.assessed.WashSales) {
		if a.filter.matchesSale(w.Account, w.Symbol, w.Date) {
			a.Washes = append(a.Washes, washLine{w, RoundMoney(decimal.NewNullDecimal(w.Disallowed), w.Currency), &w.Quantity, &w.ReplacementQuantity})
		}
	}
	for _, l := range a.assessed.OpenLosses {
		if a.filter.matchesSale(l.Account, l.Symbol, l.Date) {
			a.Waiting = append(a.Waiting, waitLine{
				Sale: l.Sale, Lot: l.Lot, Account: l.Account, Symbol: l.Symbol, Sold: toolkit.FormatDate(l.Date), Currency: l.Currency,
				Loss: RoundMoney(decimal.NewNullDecimal(l.Loss), l.Currency), Quantity: &l.Quantity, BuyFrom: toolkit.FormatDate(l.Until.AddDate(0, 0, 1)), day: l.Date,
			})
		}
	}
	if len(a.Washes) == 0 {
		a.Notes = append(a.Notes, "no wash sale is among them")
	}
}
