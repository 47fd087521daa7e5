package tax

import (
	"slices"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// ShortLoss is a loss of a closed short position. 26 U.S.C. 1091(e) disallows it as far
// as the same security was sold within the days of the rule, or sold short again. How
// much of it that is, and what takes the loss over, is not worked out: it is counted
// whole.
type ShortLoss struct {
	Sale
	// NearbySales are the first sales of the ledger within the days before the closing and
	// after it, without those that had opened the position. There are none if the ledger has no
	// reason to disallow the loss.
	NearbySales []string `json:"again,omitempty"`
	// Until is the last day on which selling it again would reach the loss.
	Until market.Date `json:"until"`
}

// maxNearbySales is how many sales are listed for one loss: one is enough to look at it.
const maxNearbySales = 3

// saleRecord is a sale, of whatever kind.
type saleRecord struct {
	date market.Date
	id   string
}

// recordSale notes what was sold, in order of date.
func (b *state) recordSale(t portfolio.Transaction) {
	k := poolKey{b.accounts[t.Account].Owner, t.Symbol}
	b.sales[k] = append(b.sales[k], saleRecord{t.Date, t.ID})
}

// newShortLoss holds a loss of a short position against the sales around its closing.
func (a *Assessment) newShortLoss(s *Sale) ShortLoss {
	out := ShortLoss{Sale: *s, Until: s.Date.AddDate(0, 0, a.jurisdiction.washDays)}
	// A purchase may close thousands of lots, and around all of them the same was sold.
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
