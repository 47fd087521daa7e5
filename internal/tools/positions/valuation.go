package positions

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Valuation is the market value of a portfolio in one currency.
type Valuation struct {
	Base     string
	Day      market.Date
	Accounts []string
	Lines    []ValuedPosition // by value, largest first; unknown values last
	Cash     []ValuedCash     // by account and currency
	// Total is the sum of everything that has a value in Base. If Complete is false, Total and the
	// weights cover only a part of the portfolio.
	Total    decimal.Decimal
	Complete bool
	AsOf     market.Date // of the oldest price

	baseChosen string // why Base was chosen, if neither the call nor the settings name it
}

// ValuedPosition is one security in the requested accounts, all lots together.
type ValuedPosition struct {
	Symbol       market.Symbol
	Name, ISIN   string
	Holder       string // who holds it, if the portfolio is shown by holder
	Accounts     []string
	Quantity     decimal.Decimal
	Cost         decimal.NullDecimal // of all lots, in CostCurrency; negative for the proceeds of a short position; invalid if unknown
	CostCurrency string
	Lots         []portfolio.Lot
	Facts        portfolio.Security

	Price Price               // zero if Missing is set
	Value decimal.NullDecimal // Quantity times Price, in its currency
	Rate  Rate
	Base  decimal.NullDecimal // Value in the base currency
	// Weight is Base as a fraction of the total, invalid if the total is not positive.
	Weight   decimal.NullDecimal
	Missing  string // why Value or Base is unknown
	Unlisted bool   // no source has a price of the symbol
}

// ValuedCash is a cash balance and its value.
type ValuedCash struct {
	portfolio.Balance
	Rate    Rate
	Base    decimal.NullDecimal
	Weight  decimal.NullDecimal
	Missing string
}

// Gain returns value minus cost, in their currency; invalid if either is unknown or their
// currencies differ.
func (l ValuedPosition) Gain() decimal.NullDecimal {
	if !l.Value.Valid || !l.Cost.Valid || l.CostCurrency != l.Price.Provenance.Currency {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(l.Value.Decimal.Sub(l.Cost.Decimal))
}

// Unvalued lists positions and cash without a value in the base currency, with the reason.
func (v Valuation) Unvalued() []string {
	var out []string
	for _, l := range v.Lines {
		if !l.Base.Valid {
			out = append(out, fmt.Sprintf("%s: %s", l.Symbol, l.Missing))
		}
	}
	for _, c := range v.Cash {
		if !c.Base.Valid {
			out = append(out, fmt.Sprintf("cash in %s: %s", c.Currency, c.Missing))
		}
	}
	return out
}

// Lots returns the lots of all positions.
func (v Valuation) Lots() []portfolio.Lot {
	var out []portfolio.Lot
	for _, l := range v.Lines {
		out = append(out, l.Lots...)
	}
	return out
}

// Value values the requested accounts on the portfolio's day. A position without a price is
// included, with the reason.
func (d Deps) Value(ctx context.Context, o Portfolio, accounts []string, base string) (Valuation, error) {
	accounts, err := o.CheckAccounts(accounts)
	if err != nil {
		return Valuation{}, err
	}
	v := Valuation{Day: o.Day, Accounts: accounts, Complete: true, AsOf: o.Day}
	given := setOf(accounts)
	v.Lines = o.groupPositions(given)
	var symbols []market.Symbol
	for _, l := range v.Lines {
		symbols = append(symbols, l.Symbol)
	}
	prices, err := d.FetchPrices(ctx, symbols, o.pricesSince(v.Lines))
	if err != nil {
		return Valuation{}, err
	}
	for sym, p := range prices.Prices {
		if err := d.checkQuote(ctx, o.Ledger, sym, p.Provenance.Currency); err != nil {
			delete(prices.Prices, sym)
			prices.Missing[sym] = err
		}
	}
	used := v.applyPrices(prices)
	for _, b := range o.Engine.Balances() {
		if given[b.Account] && !b.Amount.IsZero() {
			v.Cash = append(v.Cash, ValuedCash{Balance: b})
			used = append(used, b.Currency)
		}
	}
	if len(used) == 0 { // without prices, use the currencies of the transactions
		used = o.transactionCurrencies()
	}
	if v.Base, v.baseChosen, err = d.baseOf(o, base, used); err != nil {
		return Valuation{}, err
	}
	if err := d.convert(ctx, &v); err != nil {
		return Valuation{}, err
	}
	v.computeWeights()
	return v, nil
}

// transactionCurrencies returns the currencies of the transactions, each once.
func (o Portfolio) transactionCurrencies() []string {
	var used []string
	for i := range o.Transactions {
		for _, currency := range []string{o.Transactions[i].Currency, o.Transactions[i].ToCurrency} {
			if currency != "" && !slices.Contains(used, currency) {
				used = append(used, currency)
			}
		}
	}
	return used
}

// groupPositions groups the open positions by security, and also by holder if the portfolio is shown by
// holder.
func (o Portfolio) groupPositions(accounts map[string]bool) []ValuedPosition {
	type key struct {
		symbol market.Symbol
		holder string
	}
	at := map[key]int{}
	var lines []ValuedPosition
	for _, p := range o.Engine.Positions() {
		if !accounts[p.Account] {
			continue
		}
		k := key{symbol: p.Symbol}
		if o.byHolder {
			account, _ := o.Account(p.Account)
			k.holder = account.Holder
		}
		i, ok := at[k]
		if !ok {
			i = len(lines)
			at[k] = i
			lines = append(lines, ValuedPosition{Symbol: p.Symbol, Holder: k.holder, Name: p.Name, ISIN: p.ISIN, Facts: o.SecurityFacts(p.Symbol), CostCurrency: p.Currency, Cost: decimal.NewNullDecimal(decimal.Zero)})
		}
		lines[i].add(p)
	}
	return lines
}

func (l *ValuedPosition) add(p portfolio.Position) {
	l.Accounts = append(l.Accounts, p.Account)
	l.Quantity = l.Quantity.Add(p.Quantity)
	l.Lots = append(l.Lots, p.Lots...)
	if l.Name == "" {
		l.Name = p.Name
	}
	if l.ISIN == "" {
		l.ISIN = p.ISIN
	}
	if !l.Cost.Valid || !p.Cost.Valid || p.Currency != l.CostCurrency {
		l.Cost = decimal.NullDecimal{}
		return
	}
	cost := p.Cost.Decimal
	if p.Quantity.IsNegative() {
		cost = cost.Neg()
	}
	l.Cost.Decimal = l.Cost.Decimal.Add(cost)
}

// minHistoryMonths is the minimum number of months of closes to fetch, for the sparkline.
const minHistoryMonths = 3

// pricesSince returns the date from which prices are needed: that of the oldest lot, because later splits
// affect the portfolio.
func (o Portfolio) pricesSince(lines []ValuedPosition) market.Date {
	first := o.Day.AddDate(0, -minHistoryMonths, 0)
	for _, l := range lines {
		for _, lot := range l.Lots {
			if !lot.Acquired.IsZero() && lot.Acquired.Before(first) {
				first = lot.Acquired
			}
		}
	}
	return first
}

// applyPrices sets the prices of the positions and returns their currencies.
func (v *Valuation) applyPrices(prices PriceSet) (used []string) {
	for i := range v.Lines {
		l := &v.Lines[i]
		p, ok := prices.Prices[l.Symbol]
		if !ok {
			err := prices.Missing[l.Symbol]
			l.Missing = strings.TrimSpace(fmt.Sprint(err))
			l.Unlisted = errors.Is(err, market.ErrUnknownSymbol) || errors.Is(err, market.ErrNoData)
			continue
		}
		l.Price, l.Value = p, decimal.NewNullDecimal(p.Value.Mul(l.Quantity))
		used = append(used, p.Provenance.Currency)
		if asOf := p.Provenance.AsOf; asOf.Before(v.AsOf) {
			v.AsOf = market.Date(asOf)
		}
		if l.Name == "" {
			l.Name = p.Instrument.Name
		}
	}
	return used
}

// convert converts the values to the base currency at the latest rates.
func (d Deps) convert(ctx context.Context, v *Valuation) error {
	rates := d.NewRateCache()
	into := func(amount decimal.Decimal, currency string) (rate Rate, value decimal.NullDecimal, missing string) {
		rate, err := rates.On(ctx, currency, v.Base, v.Day)
		if err != nil {
			return Rate{}, value, err.Error()
		}
		return rate, decimal.NewNullDecimal(amount.Mul(rate.Value)), ""
	}
	for i := range v.Lines {
		if l := &v.Lines[i]; l.Value.Valid {
			l.Rate, l.Base, l.Missing = into(l.Value.Decimal, l.Price.Provenance.Currency)
		}
	}
	for i := range v.Cash {
		c := &v.Cash[i]
		c.Rate, c.Base, c.Missing = into(c.Amount, c.Currency)
	}
	if ctx.Err() != nil {
		return fmt.Errorf("convert to the base currency: %w", ctx.Err())
	}
	return nil
}

// computeWeights computes the total and the weights.
func (v *Valuation) computeWeights() {
	sum := func(value decimal.NullDecimal) {
		v.Total = v.Total.Add(value.Decimal) // zero if it is invalid
		v.Complete = v.Complete && value.Valid
	}
	for _, l := range v.Lines {
		sum(l.Base)
	}
	for _, c := range v.Cash {
		sum(c.Base)
	}
	for i := range v.Lines {
		v.Lines[i].Weight = v.weightOf(v.Lines[i].Base)
	}
	for i := range v.Cash {
		v.Cash[i].Weight = v.weightOf(v.Cash[i].Base)
	}
	slices.SortStableFunc(v.Lines, func(a, b ValuedPosition) int {
		if a.Base.Valid != b.Base.Valid {
			if a.Base.Valid {
				return -1
			}
			return 1
		}
		if c := b.Base.Decimal.Cmp(a.Base.Decimal); c != 0 {
			return c
		}
		return strings.Compare(string(a.Symbol), string(b.Symbol))
	})
}

func (v *Valuation) weightOf(value decimal.NullDecimal) decimal.NullDecimal {
	if !value.Valid || !v.Total.IsPositive() {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(value.Decimal.DivRound(v.Total, quotientPlaces))
}
