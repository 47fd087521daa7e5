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
	Total Sum       `json:"total"`
}

// TermSum is the sum of one term.
type TermSum struct {
	Term Term `json:"term,omitempty"`
	Sum
}

// Sum is of the sales whose gain is known; the others are counted beside it, with
// what was received for them.
type Sum struct {
	Sales         int             `json:"sales"`
	Proceeds      decimal.Decimal `json:"proceeds"`
	Cost          decimal.Decimal `json:"cost"` // with what wash sales added
	Disallowed    decimal.Decimal `json:"disallowed"`
	PermanentLoss decimal.Decimal `json:"lost"` // of Disallowed
	Gain          decimal.Decimal `json:"gain"` // Proceeds - Cost + Disallowed

	Unknown         int             `json:"unknown,omitempty"`
	UnknownProceeds decimal.Decimal `json:"unknown_proceeds,omitzero"`
}

func (s *Sum) add(sale *Sale) {
	if !sale.gainKnown() {
		s.Unknown++
		s.UnknownProceeds = s.UnknownProceeds.Add(sale.Proceeds)
		return
	}
	s.Sales++
	s.Proceeds = s.Proceeds.Add(sale.Proceeds)
	s.Cost = s.Cost.Add(sale.Cost.Decimal)
	// Most sales are not washed, and adding nothing costs as much as adding.
	if !sale.AddedBasis.IsZero() {
		s.Cost = s.Cost.Add(sale.AddedBasis)
	}
	if !sale.Disallowed.IsZero() {
		s.Disallowed = s.Disallowed.Add(sale.Disallowed)
		s.PermanentLoss = s.PermanentLoss.Add(sale.PermanentLoss)
	}
}

// merge adds another sum, and settles what both gained.
func (s *Sum) merge(with Sum) {
	s.Sales, s.Unknown = s.Sales+with.Sales, s.Unknown+with.Unknown
	s.Proceeds, s.Cost = s.Proceeds.Add(with.Proceeds), s.Cost.Add(with.Cost)
	s.Disallowed, s.PermanentLoss = s.Disallowed.Add(with.Disallowed), s.PermanentLoss.Add(with.PermanentLoss)
	s.UnknownProceeds = s.UnknownProceeds.Add(with.UnknownProceeds)
	s.computeGain()
}

func (s *Sum) computeGain() { s.Gain = s.Proceeds.Sub(s.Cost).Add(s.Disallowed) }

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
		for j := range out[i].Terms {
			out[i].Terms[j].computeGain()
			out[i].Total.merge(out[i].Terms[j].Sum)
		}
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

// ForTerm is the sum of a term, empty where nothing of it was sold.
func (y Year) ForTerm(t Term) Sum {
	for _, s := range y.Terms {
		if s.Term == t {
			return s.Sum
		}
	}
	return Sum{}
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
