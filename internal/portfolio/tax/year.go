package tax

import (
	"cmp"
	"slices"

	"github.com/shopspring/decimal"
)

// Year is what the disposals of a calendar year add up to, for one owner and in one
// currency. What was sold in accounts whose gains are not taxed stands in years of
// its own.
type Year struct {
	Year     int    `json:"year"`
	Owner    string `json:"owner,omitempty"`
	Untaxed  bool   `json:"untaxed,omitempty"`
	Currency string `json:"currency"`
	// Terms are those that occur: short, long, unknown; one without a name where the
	// jurisdiction has none.
	Terms []TermSum `json:"terms"`
}

// TermSum is the sum of one term.
type TermSum struct {
	Term Term `json:"term,omitempty"`
	Sum
}

// Sum is of the sales whose gain is known; the others are counted beside it.
type Sum struct {
	Sales      int             `json:"sales"`
	Proceeds   decimal.Decimal `json:"proceeds"`
	Cost       decimal.Decimal `json:"cost"` // with what wash sales added
	Disallowed decimal.Decimal `json:"disallowed"`
	Gain       decimal.Decimal `json:"gain"` // Proceeds - Cost + Disallowed

	Unknown int `json:"unknown,omitempty"`
}

func (s *Sum) add(sale *Sale) {
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

// summarizeYears sums sales up, the oldest year first, taxed before untaxed.
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

// term finds the sum of a term, or begins it.
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
