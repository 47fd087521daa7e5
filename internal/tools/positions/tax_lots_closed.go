package positions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio/tax"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// closedLot is a sale, or the part of a sale that closes one lot.
type closedLot struct {
	Name         string           `json:"-" label:"sale"`
	Transaction  string           `json:"transaction"`
	Lot          string           `json:"lot"`
	Account      string           `json:"account"`
	Untaxed      bool             `json:"untaxed,omitempty"`
	Symbol       market.Symbol    `json:"symbol"`
	Acquired     string           `json:"acquired,omitempty"`
	HeldFrom     string           `json:"held_from,omitempty"` // if it differs from Acquired
	Sold         string           `json:"sold"`
	Quantity     *decimal.Decimal `json:"quantity,omitempty" label:"quantity sold" as:"exact" unit:"units" sensitive:"amount"`
	Proceeds     *decimal.Decimal `json:"proceeds,omitempty" label:"proceeds" as:"money" formula:"after fees of the sale, before tax withheld" sensitive:"amount"`
	Withheld     *decimal.Decimal `json:"tax_withheld,omitempty" label:"tax withheld" as:"money" sensitive:"amount"`
	Currency     string           `json:"currency"`
	Cost         *decimal.Decimal `json:"cost,omitempty" label:"cost basis" as:"money" currency:"CostIn" formula:"amount paid, fees included" sensitive:"amount"`
	CostCurrency string           `json:"cost_currency,omitempty"` // if it is not Currency
	CostIn       string           `json:"-"`
	Added        *decimal.Decimal `json:"added_to_cost,omitempty" label:"disallowed losses added to the cost basis" as:"money" currency:"AddedIn" sensitive:"amount"` // by earlier wash sales
	AddedIn      string           `json:"-"`
	Disallowed   *decimal.Decimal `json:"disallowed,omitempty" label:"disallowed loss" as:"money" formula:"loss * quantity replaced / quantity sold" sensitive:"amount"`
	Gain         *decimal.Decimal `json:"gain,omitempty" label:"realized gain" as:"gain" formula:"proceeds - cost basis - added to the cost + disallowed" sensitive:"amount"` // after wash sales
	GainPct      *decimal.Decimal `json:"gain_pct,omitempty" label:"realized gain" as:"change" in:"percent" formula:"gain / cost basis"`
	Term         tax.Term         `json:"term,omitempty"`
	// In the base currency, before wash sales.
	ProceedsBase *decimal.Decimal `json:"proceeds_base,omitempty" label:"proceeds" as:"money" currency:"/currency" formula:"proceeds * rate of the sale date" sensitive:"amount"`
	CostBase     *decimal.Decimal `json:"cost_base,omitempty" label:"cost basis" as:"money" currency:"/currency" formula:"cost * rate of the acquisition date" sensitive:"amount"`
	GainBase     *decimal.Decimal `json:"gain_base,omitempty" label:"realized gain before wash sales" as:"gain" currency:"/currency" formula:"proceeds - cost basis" sensitive:"amount"`
	GainWhy      string           `json:"gain_base_absent,omitempty"`

	sale     tax.Sale
	gainBase decimal.NullDecimal
}

// Explain implements [toolkit.Explainer].
func (c closedLot) Explain(field string) toolkit.Explanation {
	if field != "gain" && field != "gain_pct" {
		return toolkit.Explanation{}
	}
	e := toolkit.Explanation{Inputs: []string{"proceeds " + toolkit.Format(c.Proceeds, toolkit.Money, c.Currency), "cost basis " + toolkit.Format(c.Cost, toolkit.Money, c.CostIn)}}
	if c.Added != nil {
		e.Inputs = append(e.Inputs, "added to the cost "+toolkit.Format(c.Added, toolkit.Money, c.AddedIn))
	}
	if c.Disallowed != nil {
		e.Inputs = append(e.Inputs, "disallowed "+toolkit.Format(c.Disallowed, toolkit.Money, c.Currency))
	}
	return e
}

// yearLine is the total of a year for one term and one currency.
type yearLine struct {
	Name       string           `json:"-" label:"year"`
	Year       int              `json:"year"`
	Owner      string           `json:"owner,omitempty"`
	Untaxed    bool             `json:"untaxed,omitempty"`
	Term       tax.Term         `json:"term,omitempty"`
	Currency   string           `json:"currency"`
	Sales      int              `json:"sales" label:"sales" unit:"sales"`
	Proceeds   *decimal.Decimal `json:"proceeds,omitempty" label:"proceeds" as:"money" formula:"sum of the sales" sensitive:"amount"`
	Cost       *decimal.Decimal `json:"cost,omitempty" label:"cost basis" as:"money" formula:"sum of the sales, with wash sales" sensitive:"amount"`
	Disallowed *decimal.Decimal `json:"disallowed,omitempty" label:"disallowed" as:"money" formula:"sum of wash sales" sensitive:"amount"`
	Gain       *decimal.Decimal `json:"gain,omitempty" label:"gain" as:"gain" formula:"proceeds - cost basis + disallowed" sensitive:"amount"`
	Withheld   *decimal.Decimal `json:"tax_withheld,omitempty" label:"tax withheld" as:"money" formula:"sum of the sales" sensitive:"amount" sparse:"true"`
	Unknown    int              `json:"unknown,omitempty" label:"unknown" unit:"sales"` // excluded from the totals
}

// baseYear is the total of the listed sales in the base currency.
type baseYear struct {
	Name    string           `json:"-" label:"year"`
	Year    int              `json:"year"`
	Untaxed bool             `json:"untaxed,omitempty"`
	Term    tax.Term         `json:"term,omitempty"`
	Gain    *decimal.Decimal `json:"gain_base,omitempty" label:"gain" as:"gain" currency:"/currency" formula:"sum of proceeds * rate of the sale date - cost * rate of the acquisition date" sensitive:"amount"`
	Sales   int              `json:"sales" label:"sales" unit:"sales"`
	Unknown int              `json:"unknown,omitempty" label:"unknown" unit:"sales"`
}

// addClosedLots adds sales or wash sales. Without a base currency, the figures in it are omitted.
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
		a.Notes.Add("no_base_currency", "%s", err)
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
		a.Notes.Add("no_sales", "No sales match.")
	}
	return nil
}

// newSalesConverter fetches the rates for all dates of the sales.
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
		Name: saleName(s.Symbol, s.Date), CostIn: spentIn, AddedIn: cmp.Or(s.AddedBasisCurrency, s.Currency),
		Transaction: s.Transaction, Lot: s.Lot, Account: s.Account, Untaxed: s.Untaxed, Symbol: s.Symbol, Acquired: toolkit.FormatDate(s.Acquired),
		Sold: toolkit.FormatDate(s.Date), Quantity: &s.Quantity, Proceeds: &s.Proceeds, Currency: s.Currency,
		Cost: toolkit.Known(s.Cost), Gain: toolkit.Known(s.Gain()), GainPct: gainInPercent(s.Gain(), s.Cost), Term: s.Term, sale: s,
	}
	if s.Cost.Valid && spentIn != s.Currency {
		out.CostCurrency = spentIn
	}
	if !s.HeldFrom.Equal(s.Acquired) {
		out.HeldFrom = toolkit.FormatDate(s.HeldFrom)
	}
	if !s.AddedBasis.IsZero() {
		out.Added = &s.AddedBasis
	}
	if !s.Withheld.IsZero() {
		out.Withheld = &s.Withheld
	}
	if !s.Disallowed.IsZero() {
		out.Disallowed = &s.Disallowed
	}
	if costs.Base == "" {
		return out
	}
	received, paid := s.Date, s.Acquired
	if s.Quantity.IsNegative() { // a short position is bought back after the sale
		received, paid = paid, received
	}
	proceeds, why := costs.Convert(ctx, decimal.NewNullDecimal(s.Proceeds), s.Currency, received)
	cost, whyCost := costs.Convert(ctx, s.Cost, spentIn, paid)
	out.gainBase, out.GainWhy = SubtractKnown(proceeds, cost), cmp.Or(why, whyCost)
	out.ProceedsBase, out.CostBase, out.GainBase = toolkit.Known(proceeds), toolkit.Known(cost), toolkit.Known(out.gainBase)
	return out
}

// saleName names a sale.
func saleName(sym market.Symbol, day market.Date) string {
	return string(sym) + " sold " + toolkit.FormatDate(day)
}

// addYears adds the totals of tax years. They cover all sales, because totals for one symbol or
// account do not occur on a tax form.
func (a *lotsAnswer) addYears() {
	if a.filter.symbol != "" || a.filter.account != "" {
		a.Notes.Add("no_year_sums", "Totals by tax year cover all sales: omit symbol and account to see them.")
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
	slices.SortStableFunc(a.BaseYears, func(x, y baseYear) int {
		return cmp.Or(cmp.Compare(y.Year, x.Year), cmp.Compare(x.Term, y.Term))
	})
}

func (a *lotsAnswer) addBase(c closedLot) {
	year := c.sale.Date.Year()
	i := slices.IndexFunc(a.BaseYears, func(b baseYear) bool { return b.Year == year && b.Term == c.Term && b.Untaxed == c.Untaxed })
	if i < 0 {
		i = len(a.BaseYears)
		a.BaseYears = append(a.BaseYears, baseYear{Name: yearName(year, "", c.Untaxed, c.Term), Year: year, Term: c.Term, Untaxed: c.Untaxed, Gain: &decimal.Decimal{}})
	}
	b := &a.BaseYears[i]
	b.Sales++
	if !c.gainBase.Valid {
		b.Unknown++
		return
	}
	b.Gain = new(b.Gain.Add(c.gainBase.Decimal))
}

func yearLines(y tax.Year) []yearLine {
	var out []yearLine
	for _, t := range y.Terms {
		line := yearLine{
			Name: yearName(y.Year, y.Owner, y.Untaxed, t.Term), Year: y.Year, Owner: y.Owner, Untaxed: y.Untaxed, Term: t.Term, Currency: y.Currency, Sales: t.Sales,
			Proceeds: &t.Proceeds, Cost: &t.Cost, Disallowed: &t.Disallowed, Gain: &t.Gain, Unknown: t.Unknown,
		}
		if !t.Withheld.IsZero() {
			line.Withheld = &t.Withheld
		}
		out = append(out, line)
	}
	return out
}

// yearName labels the totals of a year.
func yearName(year int, owner string, untaxed bool, term tax.Term) string {
	return strings.Join(strings.Fields(fmt.Sprintf("%d %s %s%s", year, owner, term, untaxedMark(untaxed))), " ")
}

// washLine is a disallowed loss.
type washLine struct {
	Name string `json:"-" label:"sale"`
	tax.WashSale
	Days       int              `json:"days" label:"days to the replacement" unit:"days"`
	Disallowed *decimal.Decimal `json:"disallowed,omitempty" label:"disallowed loss" as:"money" formula:"loss * quantity replaced / quantity sold" sensitive:"amount"`
	Quantity   *decimal.Decimal `json:"quantity,omitempty" label:"quantity sold and replaced" as:"exact" unit:"units" sensitive:"amount"`
	Replaced   *decimal.Decimal `json:"replacement_quantity,omitempty" label:"quantity of the replacement" as:"exact" unit:"units" sensitive:"amount"`
}

// waitLine is a loss that a future purchase can still disallow.
type waitLine struct {
	Name     string           `json:"-" label:"sale"`
	Sale     string           `json:"sale"`
	Lot      string           `json:"lot"`
	Account  string           `json:"account" label:"account"`
	Symbol   market.Symbol    `json:"symbol"`
	Sold     string           `json:"sold"`
	Loss     *decimal.Decimal `json:"loss,omitempty" label:"loss" as:"money" formula:"cost - proceeds of the quantity" sensitive:"amount"`
	Quantity *decimal.Decimal `json:"quantity,omitempty" label:"not replaced" as:"exact" unit:"units" sensitive:"amount"`
	Currency string           `json:"currency"`
	BuyFrom  string           `json:"buy_from" label:"do not buy before"` // the first day on which it may be bought again
}

func (a *lotsAnswer) addWashSales() {
	for _, w := range slices.Backward(a.assessed.WashSales) {
		if a.filter.matchesSale(w.Account, w.Symbol, w.Date) {
			a.Washes = append(a.Washes, washLine{saleName(w.Symbol, w.Date), w, w.Days, &w.Disallowed, &w.Quantity, &w.ReplacementQuantity})
		}
	}
	for _, l := range a.assessed.OpenLosses {
		if a.filter.matchesSale(l.Account, l.Symbol, l.Date) {
			a.Waiting = append(a.Waiting, waitLine{
				Name: saleName(l.Symbol, l.Date), Sale: l.Sale, Lot: l.Lot, Account: l.Account, Symbol: l.Symbol, Sold: toolkit.FormatDate(l.Date), Currency: l.Currency,
				Loss: &l.Loss, Quantity: &l.Quantity, BuyFrom: toolkit.FormatDate(l.Until.AddDate(0, 0, 1)),
			})
		}
	}
	if len(a.Washes) == 0 {
		a.Notes.Add("no_wash_sales", "No matching wash sales.")
	}
}
