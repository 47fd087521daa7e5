package tax

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// Outlook is the effect of the wash sale rule on a possible sale at a loss.
type Outlook struct {
	Day market.Date // of the sale
	// Purchases are the ones within the wash sale period that could replace the sold shares, oldest
	// first. A purchase that is itself sold replaces nothing: remove it with Except.
	Purchases []Purchase
	// SellFrom is the first date on which no purchase is within the period before a sale; Day
	// itself if Purchases is empty.
	SellFrom market.Date
	// BuyFrom is the first date after the sale on which the security may be bought again; Day
	// itself if the rule does not apply.
	BuyFrom market.Date

	days         int
	acquisitions map[string]*acquisition
}

// Purchase is a purchase that could replace sold shares.
type Purchase struct {
	Transaction string
	Account     string
	Date        market.Date
	Quantity    decimal.Decimal // still held, and not used for an earlier loss
}

// WashSaleOutlook returns the outlook of a sale of symbol from an account at a loss. Purchases are
// known up to the date of the assessment. Untaxed accounts have no wash sales, because their losses
// do not count.
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

// Except removes purchases that are themselves sold, including parts that were moved to other
// accounts.
func (o Outlook) Except(lots ...string) Outlook {
	sold := make([]*acquisition, 0, len(lots))
	for _, lot := range lots {
		if h := findAcquisition(o.acquisitions, lot); h != nil {
			sold = append(sold, h.original())
		}
	}
	remaining := make([]Purchase, 0, len(o.Purchases))
	for _, p := range o.Purchases {
		if !slices.Contains(sold, o.acquisitions[p.Transaction].original()) {
			remaining = append(remaining, p)
		}
	}
	o.Purchases = remaining
	return o.withSellFrom()
}

// HasReplacements reports whether any purchase would replace the sold shares.
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

// BuyFrom returns the first date on which an account may buy a symbol without disallowing an
// earlier loss; zero if it may buy now.
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
