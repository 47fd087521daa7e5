package tax

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// sameSplitDays is how far apart two accounts may record one split: some brokers
// book it on the day before it takes effect, others when the shares arrive.
const sameSplitDays = 7

// moment is a place in the book: an account, and how many transactions came before.
type moment struct {
	account string
	index   int
}

// split is one of a symbol, with the places at which accounts recorded it.
type split struct {
	date     market.Date
	new, old decimal.Decimal
	first    int
	at       map[string]int
}

// before tells whether a moment is before the split: by the account's own record
// of it, or where it has none by the first of any account.
func (s split) before(m moment) bool {
	if own, ok := s.at[m.account]; ok {
		return m.index < own
	}
	return m.index < s.first
}

// splits are all of a book, by symbol, oldest first.
type splits map[market.Symbol][]split

func (all splits) record(index int, t portfolio.Transaction) {
	if !t.New.IsPositive() || !t.Old.IsPositive() {
		return
	}
	events := all[t.Symbol]
	for i := len(events) - 1; i >= 0 && daysBetween(events[i].date, t.Date) <= sameSplitDays; i-- {
		_, own := events[i].at[t.Account]
		if !own && events[i].new.Mul(t.Old).Equal(t.New.Mul(events[i].old)) {
			events[i].at[t.Account] = index
			return
		}
	}
	all[t.Symbol] = append(events, split{date: t.Date, new: t.New, old: t.Old, first: index, at: map[string]int{t.Account: index}})
}

// restate says a quantity as of one moment in the shares of another.
func (all splits) restate(symbol market.Symbol, quantity decimal.Decimal, from, to moment, days span) decimal.Decimal {
	events := all[symbol]
	if len(events) == 0 {
		return quantity
	}
	// Only what lies between matters: a book has few splits, a forged one many.
	begin, _ := slices.BinarySearchFunc(events, days.first.AddDate(0, 0, -sameSplitDays), func(s split, d market.Date) int { return s.date.Compare(d) })
	for _, s := range events[begin:] {
		if daysBetween(days.last, s.date) > sameSplitDays {
			break
		}
		switch was, is := s.before(from), s.before(to); {
		case was && !is:
			quantity = quantity.Mul(s.new).DivRound(s.old, places)
		case !was && is:
			quantity = quantity.Mul(s.old).DivRound(s.new, places)
		}
	}
	return quantity
}

// span is the days from one to another.
type span struct{ first, last market.Date }

func between(a, b market.Date) span {
	if b.Before(a) {
		return span{b, a}
	}
	return span{a, b}
}

// daysBetween is whole days from a to b; below zero where b is earlier.
func daysBetween(a, b market.Date) int { return int(b.Sub(a).Hours() / 24) }
