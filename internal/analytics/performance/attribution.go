package performance

import (
	"cmp"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Effects divide a gain in the base currency. They add up to Gain exactly.
type Effects struct {
	// Price is the effect of price changes and trades at the rates of their days, and everything
	// not in another source, including the joint effect of a price and a rate change on the same
	// day.
	Price decimal.Decimal
	// Income is dividends and interest before tax.
	Income decimal.Decimal
	// Currency is the sum over days of quantity * price of the day before * change of the rate, the same
	// for cash, and the gain or loss of currency exchanges against the rate of their day.
	Currency decimal.Decimal
	// Fees are negative if more was paid than refunded, and include interest paid. Taxes are signed in the
	// same way: withheld taxes, transaction taxes, and refunds, which count on their own day.
	Fees  decimal.Decimal
	Taxes decimal.Decimal
	Gain  decimal.Decimal
}

func (e Effects) plus(o Effects) Effects {
	return Effects{
		Price: e.Price.Add(o.Price), Income: e.Income.Add(o.Income), Currency: e.Currency.Add(o.Currency),
		Fees: e.Fees.Add(o.Fees), Taxes: e.Taxes.Add(o.Taxes), Gain: e.Gain.Add(o.Gain),
	}
}

// Contribution is the effect of one part of the portfolio in the period: a security, even if sold, the cash
// of a currency, or currency exchanges.
type Contribution struct {
	Symbol market.Symbol // empty for cash and exchanges
	Cash   string        // the currency of cash; empty for securities and exchanges
	Start  decimal.Decimal
	End    decimal.Decimal
	Effects
	// Return is the gain divided by the average capital of the portfolio. The returns of all lines add up
	// to its Modified Dietz return. Nil if that is missing.
	Return *float64
}

// Attribution divides the gain of a period by source. If it is missing, Reason says why, and Total and
// Lines are empty.
type Attribution struct {
	Total  Effects
	Lines  []Contribution // by symbol, then cash by currency, then exchanges
	Reason string
}

// attribution needs a value at both ends and the value of all transfers in between.
func (h *History) attribution(s Span) Attribution {
	var a Attribution
	if _, _, a.Reason = h.valueSeries(h.values).Ends(s); a.Reason != "" {
		return a
	}
	for _, b := range h.unvaluedMoves {
		if b.day > s.From && b.day <= s.To {
			a.Reason = b.reason
			return a
		}
	}
	t := h.totalEntries(s)
	for i, sec := range h.securities {
		a.add(h.securityLine(sec, &t.securities[i], s))
	}
	for i, p := range h.cashBalances {
		a.add(h.cashLine(p, &t.cash[i], s))
	}
	slices.SortFunc(a.Lines, func(a, b Contribution) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Symbol, b.Symbol), strings.Compare(a.Cash, b.Cash))
	})
	a.add(Contribution{Effects: Effects{Currency: t.exchanged, Gain: t.exchanged}})
	return a
}

// rank puts securities before cash.
func rank(c Contribution) int {
	if c.Symbol != "" {
		return 0
	}
	return 1
}

// add adds a line and its total. It skips lines without a value and without activity.
func (a *Attribution) add(c Contribution) {
	if c.Start.IsZero() && c.End.IsZero() && c.Price.IsZero() && c.Income.IsZero() && c.Currency.IsZero() && c.Fees.IsZero() && c.Taxes.IsZero() {
		return
	}
	a.Lines = append(a.Lines, c)
	a.Total = a.Total.plus(c.Effects)
}

// lineTotals sums the entries of a line in a period.
type lineTotals struct {
	income, fees, taxes decimal.Decimal
	other               decimal.Decimal // trades and actions
	external            decimal.Decimal // securities from outside
	cash                decimal.Decimal // all changes of the cash of a currency
}

type entryTotals struct {
	securities, cash []lineTotals
	exchanged        decimal.Decimal
}

func (h *History) totalEntries(s Span) entryTotals {
	t := entryTotals{securities: make([]lineTotals, len(h.securities)), cash: make([]lineTotals, len(h.cashBalances))}
	for _, list := range [][]entry{h.entries, h.securityEntries} {
		for i := range list {
			if e := &list[i]; e.day > s.From && e.day <= s.To {
				t.add(e)
			}
		}
	}
	return t
}

func (t *entryTotals) add(e *entry) {
	if e.cash >= 0 {
		p := &t.cash[e.cash]
		p.cash = p.cash.Add(e.amount)
	}
	var to *lineTotals
	switch {
	case e.line >= 0:
		to = &t.securities[e.line]
	case e.line == exchangeLine:
		t.exchanged = t.exchanged.Add(e.amount)
		return
	default:
		to = &t.cash[e.cash]
	}
	switch e.category {
	case portfolio.CategoryIncome:
		to.income = to.income.Add(e.amount)
	case portfolio.CategoryFee:
		to.fees = to.fees.Add(e.amount)
	case portfolio.CategoryTax:
		to.taxes = to.taxes.Add(e.amount)
	case portfolio.CategoryExternal:
		if e.cash < 0 {
			to.external = to.external.Add(e.amount)
		}
	default:
		to.other = to.other.Add(e.amount)
	}
}

// securityLine returns the line of a security: its gain is the change in value plus income and proceeds,
// less purchases.
func (h *History) securityLine(sec *security, m *lineTotals, s Span) Contribution {
	c := Contribution{Symbol: sec.symbol, Start: h.securityValue(sec, s.From), End: h.securityValue(sec, s.To)}
	c.Income, c.Fees, c.Taxes, c.Currency = m.income, m.fees, m.taxes, h.currencyEffect(sec, s)
	c.Gain = c.End.Sub(c.Start).Sub(m.external).Add(m.other).Add(m.income).Add(m.fees).Add(m.taxes)
	c.Price = c.Gain.Sub(m.income).Sub(m.fees).Sub(m.taxes).Sub(c.Currency)
	return c
}

// cashLine returns the line of a currency: income and costs without a security, plus the effect of exchange
// rates.
func (h *History) cashLine(p *currencyCash, m *lineTotals, s Span) Contribution {
	c := Contribution{Cash: p.currency, Start: h.cashValue(p, s.From), End: h.cashValue(p, s.To)}
	c.Income, c.Fees, c.Taxes = m.income, m.fees, m.taxes
	c.Currency = c.End.Sub(c.Start).Sub(m.cash).Add(m.other)
	c.Gain = c.Currency.Add(m.income).Add(m.fees).Add(m.taxes)
	return c
}

// securityValue returns zero without a position. The portfolio has a value at both ends of the period, so
// every position has a price and a rate.
func (h *History) securityValue(sec *security, i int) decimal.Decimal {
	quantity := quantityAt(sec.steps, i)
	if quantity.IsZero() || sec.prices == nil {
		return decimal.Zero
	}
	price, _ := sec.prices.valueOn(i)
	worth, _ := h.rates.convert(quantity.Mul(price), sec.currency, i)
	return worth
}

func (h *History) cashValue(p *currencyCash, i int) decimal.Decimal {
	worth, _ := h.rates.convert(quantityAt(p.steps, i), p.currency, i)
	return worth
}

// currencyEffect returns the sum over days of quantity * price of the day before * change of the rate. Days
// on which one of them is unknown add nothing: their effect is part of Price.
func (h *History) currencyEffect(sec *security, s Span) decimal.Decimal {
	rates := h.rates.columns[sec.currency]
	if sec.currency == h.base || rates == nil || sec.prices == nil {
		return decimal.Zero
	}
	var sum decimal.Decimal
	for n, st := range sec.steps {
		if st.quantity.IsZero() {
			continue
		}
		for i := max(st.day, s.From); i < min(h.until(sec.steps, n), s.To); i++ {
			// The position at the close of i is affected by the rate change to i + 1.
			if rates.at[i] == rates.at[i+1] {
				continue
			}
			before, known := rates.valueOn(i)
			after, known2 := rates.valueOn(i + 1)
			if price, priced := sec.prices.valueOn(i); known && known2 && priced {
				sum = sum.Add(st.quantity.Mul(price).Mul(after.Sub(before)))
			}
		}
	}
	return sum
}
