package tax

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// WashSale is a loss, or a part of one, that is not deductible because the security was bought
// again within the wash sale period (26 U.S.C. 1091, 26 CFR 1.1091-1).
//
// Losses are matched in the order of the sales, and purchases in the order in which they were made;
// a bought share replaces at most one sold share. Purchases and reinvested dividends count, in any
// account of the same owner. Moves between the owner's accounts do not. Options and contracts to
// buy, which the law also counts, are unknown. Of the purchases before the sale, only shares still
// held after it count, and never shares from the purchase that was sold: selling part of one
// purchase reduces a position and replaces nothing (Rev. Rul. 56-602).
//
// A transfer from outside is not a purchase, but its shares were bought once. It counts on their
// date of acquisition, if known, as bought by the same owner. Gifts and inherited shares would
// replace nothing (the law says "acquired by purchase or by an exchange"), but the ledger does not
// distinguish them: Transferred marks such a replacement. Shares that a transfer moved out of the
// ledger count as no longer held, see Assessment.TransferredOut. Shares that became another
// security count as held.
type WashSale struct {
	Sale    string        `json:"sale"` // its transaction ID
	Lot     string        `json:"lot"`  // the lot that was sold
	Account string        `json:"account"`
	Symbol  market.Symbol `json:"symbol"`
	Date    market.Date   `json:"date"`

	Replacement        string        `json:"replacement"` // transaction ID of the purchase
	ReplacementAccount string        `json:"replacement_account"`
	ReplacementSymbol  market.Symbol `json:"replacement_symbol"`
	ReplacementDate    market.Date   `json:"replacement_date"`
	// Transferred marks a replacement that came by a transfer and was acquired on ReplacementDate.
	Transferred bool `json:"brought,omitempty"`
	Days        int  `json:"days"` // from the sale to the purchase; negative if the purchase came first

	Quantity decimal.Decimal `json:"quantity"` // in shares sold
	// ReplacementQuantity is the quantity in shares of the later of the two dates, which differ if
	// there was a split between them.
	ReplacementQuantity decimal.Decimal `json:"replacement_quantity"`
	// Disallowed is the loss times Quantity divided by the quantity sold. It is added to the cost
	// of the replacement, unless Permanent.
	Disallowed decimal.Decimal `json:"disallowed"`
	Currency   string          `json:"currency"`
	// Permanent marks a purchase in an untaxed account, whose basis does not take the loss (Rev.
	// Rul. 2008-5).
	Permanent bool `json:"permanent,omitempty"`
	// HeldFrom is the start of the holding period of the replacement: its purchase date less the
	// number of days that the sold shares were held (26 U.S.C. 1223(3)). Zero if unknown or if the
	// loss is permanent.
	HeldFrom market.Date `json:"held_from,omitzero"`
}

// OpenLoss is a loss that is deductible now, but not if the security is bought again on or before
// Until.
type OpenLoss struct {
	Sale     string          `json:"sale"`
	Lot      string          `json:"lot"`
	Account  string          `json:"account"`
	Symbol   market.Symbol   `json:"symbol"`
	Date     market.Date     `json:"date"`
	Quantity decimal.Decimal `json:"quantity"` // not replaced yet
	Loss     decimal.Decimal `json:"loss"`     // of that quantity, as a positive number
	Currency string          `json:"currency"`
	Until    market.Date     `json:"until"`
}

// matchReplacements finds the purchases that replace the shares of a sale.
func (a *Assessment) matchReplacements(s *Sale) {
	loss, lost := s.loss()
	switch {
	case !lost || s.Untaxed || a.state.options.Exempt[s.Symbol]:
		return
	case !s.Quantity.IsPositive():
		if s.Quantity.IsNegative() {
			a.ShortLosses = append(a.ShortLosses, a.newShortLoss(s))
		}
		return
	}
	left := OpenLoss{
		Sale: s.Transaction, Lot: s.Lot, Account: s.Account, Symbol: s.Symbol, Date: s.Date,
		Quantity: s.Quantity, Loss: loss, Currency: s.Currency, Until: s.Date.AddDate(0, 0, a.jurisdiction.washDays),
	}
	original := findAcquisition(a.state.acquisitions, s.Lot).original()
	pool := a.state.pool(s.Owner, s.Symbol)
	first := s.Date.AddDate(0, 0, -a.jurisdiction.washDays)
	for i := pool.nextUsable(pool.firstOnOrAfter(first)); i < len(pool.acquisitions) && left.Quantity.IsPositive(); i = pool.nextUsable(i + 1) {
		h := pool.acquisitions[i]
		if h.date.After(left.Until) {
			break
		}
		if h.free.IsPositive() && h.original() != original {
			a.replace(s, &left, h)
		}
	}
	if left.Quantity.IsPositive() && !left.Until.Before(a.state.options.AsOf) {
		a.OpenLosses = append(a.OpenLosses, left)
	}
}

// replace matches the remaining loss with the free shares of one purchase.
func (a *Assessment) replace(s *Sale, left *OpenLoss, h *acquisition) {
	if sale := a.state.transactionIndex[s.Transaction]; h.at.index < sale {
		h.restate(a.state.splits, ledgerPoint{h.at.account, sale}, s.Date)
	}
	sold, bought := a.state.overlap(s, left.Quantity, h)
	disallowed := prorate(left.Loss, sold, left.Quantity)
	w := WashSale{
		Sale: s.Transaction, Lot: s.Lot, Account: s.Account, Symbol: s.Symbol, Date: s.Date,
		Replacement: h.id, ReplacementAccount: h.purchasedAt.account, ReplacementSymbol: h.symbol, ReplacementDate: h.date, Days: daysBetween(s.Date, h.date), Transferred: h.transferred,
		Quantity: sold, ReplacementQuantity: bought, Disallowed: disallowed, Currency: s.Currency, Permanent: h.untaxed,
	}
	used := replacementShares{quantity: bought, heldFrom: h.date}
	if !h.untaxed {
		if w.HeldFrom = (market.Date{}); !s.HeldFrom.IsZero() {
			w.HeldFrom = h.date.AddDate(0, 0, -daysBetween(s.HeldFrom, s.Date))
		}
		used.added, used.currency, used.heldFrom = disallowed, s.Currency, w.HeldFrom
	} else {
		s.PermanentLoss = s.PermanentLoss.Add(disallowed)
	}
	h.replacements = append(h.replacements, used)
	if h.free = h.free.Sub(bought); h.free.LessThan(dust()) {
		h.free = decimal.Zero
	}
	s.Disallowed = s.Disallowed.Add(disallowed)
	left.Quantity, left.Loss = left.Quantity.Sub(sold), left.Loss.Sub(disallowed)
	if left.Quantity.LessThan(dust()) {
		left.Quantity = decimal.Zero
	}
	a.WashSales = append(a.WashSales, w)
}

// overlap returns how many shares of a sale a purchase can replace, in shares of the sale and of
// the purchase, which differ if there was a split between them.
func (b *state) overlap(s *Sale, quantity decimal.Decimal, h *acquisition) (sold, bought decimal.Decimal) {
	at, days := ledgerPoint{s.Account, b.transactionIndex[s.Transaction]}, h.splitRange(s.Date)
	need := b.splits.restate(s.Symbol, quantity, at, h.at, days)
	if !h.free.LessThan(need) {
		return quantity, need
	}
	return decimal.Min(quantity, b.splits.restate(s.Symbol, h.free, h.at, at, days)), h.free
}
