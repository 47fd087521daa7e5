package tax

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// Outlook is what the rule on wash sales would make of a sale at a loss.
type Outlook struct {
	Day market.Date // of the sale
	// Purchases are those within the days of the rule that could replace what is
	// sold, oldest first. One that is itself sold replaces nothing: Except leaves it
	// out.
	Purchases []Purchase
	// SellFrom is the first day on which none of Purchases is within the days
	// before a sale; Day itself where there are none.
	SellFrom market.Date
	// BuyFrom is the first day after the sale on which the security may be bought
	// again; Day itself where the rule does not apply.
	BuyFrom market.Date

	days         int
	acquisitions map[string]*acquisition
}

// Purchase could replace what is sold.
type Purchase struct {
	Transaction string
	Account     string
	Date        market.Date
	Quantity    decimal.Decimal // held, and not used for an earlier loss
}

// WashSaleOutlook looks at a sale of symbol from an account on a day, were it at a loss.
// Purchases are known up to the day of the assessment. In accounts that are not
// taxed no loss counts and nothing is washed.
func (a *Assessment) WashSaleOutlook(symbol market.Symbol, account string, day market.Date) Outlook {
	o := Outlook{Day: day, SellFrom: day, BuyFrom: day, days: a.jurisdiction.washDays, acquisitions: a.state.acquisitions}
	from := a.state.accounts[account]
	if o.days == 0 || from.Untaxed || a.state.options.Exempt[symbol] {
		return o
	}
	o.BuyFrom = a.jurisdiction.RepurchaseFrom(day)
	pool, known := a.state.pools[poolKey{from.Owner, symbol}]
	if !known {
		return o
	}
	for i := pool.nextUsable(pool.firstOnOrAfter(day.AddDate(0, 0, -o.days))); i < len(pool.acquisitions); i = pool.nextUsable(i + 1) {
		h := pool.acquisitions[i]
		if !h.date.Before(o.BuyFrom) {
			break
		}
		today := ledgerPoint{h.at.account, len(a.state.transactionIndex)}
		quantity := a.state.splits.restate(h.symbol, h.free, h.at, today, h.splitRange(a.state.options.AsOf))
		o.Purchases = append(o.Purchases, Purchase{h.id, h.purchasedAt.account, h.date, quantity})
	}
	return o.withSellFrom()
}

// Except leaves out purchases that are themselves sold, wherever parts of them are
// held now.
func (o Outlook) Except(lots ...string) Outlook {
	sold := make([]*acquisition, 0, len(lots))
	for _, lot := range lots {
		if h := findAcquisition(o.acquisitions, lot); h != nil {
			sold = append(sold, h.original())
		}
	}
	kept := make([]Purchase, 0, len(o.Purchases))
	for _, p := range o.Purchases {
		if !slices.Contains(sold, o.acquisitions[p.Transaction].original()) {
			kept = append(kept, p)
		}
	}
	o.Purchases = kept
	return o.withSellFrom()
}

// HasReplacements tells whether anything would replace what is sold.
func (o Outlook) HasReplacements() bool { return len(o.Purchases) > 0 }

func (o Outlook) withSellFrom() Outlook {
	o.SellFrom = o.Day
	if n := len(o.Purchases); n > 0 {
		if free := o.Purchases[n-1].Date.AddDate(0, 0, o.days+1); free.After(o.Day) {
			o.SellFrom = free
		}
	}
	return o
}

// BuyFrom is the first day on which an account may buy a symbol without disallowing
// a loss that was taken before; zero where it may now.
func (a *Assessment) BuyFrom(symbol market.Symbol, account string) market.Date {
	owner := a.state.accounts[account].Owner
	var from market.Date
	for _, o := range a.OpenLosses {
		if o.Symbol != symbol || a.state.accounts[o.Account].Owner != owner {
			continue
		}
		if free := o.Until.AddDate(0, 0, 1); free.After(from) {
			from = free
		}
	}
	return from
}
