package tax

import (
	"cmp"
	"slices"

	"github.com/shopspring/decimal"
)

// Year is the total of the disposals of a calendar year, for one owner and currency. Sales in
// untaxed accounts have separate years.
type Year struct {
	Year     int    `json:"year"`
	Owner    string `json:"owner,omitempty"`
	Untaxed  bool   `json:"untaxed,omitempty"`
	Currency string `json:"currency"`
	// Terms lists the terms that occur: short, long, unknown; or one without a name if the
	// jurisdiction has no terms.
	Terms []TermSum `json:"terms"`
}

// TermSum is the total of one term.
type TermSum struct {
	Term Term `json:"term,omitempty"`
	Sum
}

// Sum is the total of sales with a known gain; the others are only counted.
type Sum struct {
	Sales      int             `json:"sales"`
	Proceeds   decimal.Decimal `json:"proceeds"`
	Cost       decimal.Decimal `json:"cost"` // including basis added by wash sales
	Disallowed decimal.Decimal `json:"disallowed"`
	Gain       decimal.Decimal `json:"gain"` // Proceeds - Cost + Disallowed
	// Withheld is the tax withheld on all sales, also on those with an unknown gain.
	Withheld decimal.Decimal `json:"tax_withheld,omitzero"`

	Unknown int `json:"unknown,omitempty"`
}

func (s *Sum) add(sale *Sale) {
	s.Withheld = s.Withheld.Add(sale.Withheld)
	if !sale.gainKnown() {
		s.Unknown++
		return
	}
	s.Sales++
	s.Proceeds = s.Proceeds.Add(sale.Proceeds)
	s.Cost = s.Cost.Add(sale.Cost.Decimal).Add(sale.AddedBasis)
	s.Disallowed = s.Disallowed.Add(sale.Disallowed)
	s.Gain = s.Proceeds.Sub(s.Cost).Add(s.Disallowed)
}

// summarizeYears returns the totals by year, oldest first, taxed before untaxed.
func summarizeYears(sales []Sale) []Year {
	type key struct {
		year            int
		owner, currency string
		untaxed         bool
	}
	at := map[key]int{}
	var out []Year
	for n := range sales {
		s := &sales[n]
		k := key{s.Date.Year(), s.Owner, s.Currency, s.Untaxed}
		i, ok := at[k]
		if !ok {
			i = len(out)
			at[k] = i
			out = append(out, Year{Year: k.year, Owner: k.owner, Untaxed: k.untaxed, Currency: k.currency})
		}
		out[i].term(s.Term).add(s)
	}
	slices.SortFunc(out, func(a, b Year) int {
		return cmp.Or(cmp.Compare(a.Year, b.Year), cmp.Compare(a.Owner, b.Owner), compareBools(a.Untaxed, b.Untaxed), cmp.Compare(a.Currency, b.Currency))
	})
	for i := range out {
		slices.SortFunc(out[i].Terms, func(a, b TermSum) int { return cmp.Compare(a.Term.rank(), b.Term.rank()) })
	}
	return out
}

// term returns the sum of a term, which is created if missing.
func (y *Year) term(t Term) *Sum {
	for i := range y.Terms {
		if y.Terms[i].Term == t {
			return &y.Terms[i].Sum
		}
	}
	y.Terms = append(y.Terms, TermSum{Term: t})
	return &y.Terms[len(y.Terms)-1].Sum
}

func (t Term) rank() int { return slices.Index([]Term{TermNone, TermShort, TermLong, TermUnknown}, t) }

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
