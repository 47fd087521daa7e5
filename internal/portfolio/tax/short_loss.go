package tax

import (
	"slices"

	"github.com/nfa-cli/nfa/internal/market"
)

// ShortLoss is a loss from a closed short position. 26 U.S.C. 1091(e) disallows it to the extent
// that the same security was sold, or sold short again, within the wash sale period. The disallowed
// part and its new basis are not computed: Gain counts the whole loss.
type ShortLoss struct {
	Sale
	// NearbySales are the first sales of the ledger in the period before and after the closing,
	// except those that opened the position. If it is empty, the ledger gives no reason to disallow
	// the loss.
	NearbySales []string `json:"again,omitempty"`
	// Until is the last date on which another sale would affect the loss.
	Until market.Date `json:"until"`
}

// maxNearbySales limits the sales listed for one loss; one is enough to investigate.
const maxNearbySales = 3

// saleRecord is a long or short sale.
type saleRecord struct {
	date market.Date
	id   string
}

// newShortLoss finds the sales around the closing of a short position with a loss.
func (a *Assessment) newShortLoss(s *Sale) ShortLoss {
	out := ShortLoss{Sale: *s, Until: s.Date.AddDate(0, 0, a.jurisdiction.washDays)}
	// A purchase may close thousands of lots, and all of them have the same nearby sales.
	if n := len(a.ShortLosses); n > 0 && a.ShortLosses[n-1].Transaction == s.Transaction {
		out.NearbySales = a.ShortLosses[n-1].NearbySales
		return out
	}
	all := a.state.sales[poolKey{s.Owner, s.Symbol}]
	first := s.Date.AddDate(0, 0, -a.jurisdiction.washDays)
	from, _ := slices.BinarySearchFunc(all, first, func(x saleRecord, d market.Date) int { return x.date.Compare(d) })
	for _, x := range all[from:] {
		if x.date.After(out.Until) || len(out.NearbySales) == maxNearbySales {
			break
		}
		if !a.state.closedShortSales[s.Transaction][x.id] {
			out.NearbySales = append(out.NearbySales, x.id)
		}
	}
	return out
}
