package tax

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// sameSplitDays is the maximum number of days between the records of one split in two accounts:
// some brokers record it on the day before it takes effect, others when the shares arrive.
const sameSplitDays = 7

// ledgerPoint is a point in the ledger: an account, and the number of transactions before it.
type ledgerPoint struct {
	account string
	index   int
}

// splitEvent is a split of a symbol, with the points at which accounts recorded it.
type splitEvent struct {
	date           market.Date
	new, old       decimal.Decimal
	firstIndex     int
	indexByAccount map[string]int
}

// appliesAfter reports whether m is before the split: by the account's own record, or by the first
// record of any account.
func (s splitEvent) appliesAfter(m ledgerPoint) bool {
	if ownIndex, ok := s.indexByAccount[m.account]; ok {
		return m.index < ownIndex
	}
	return m.index < s.firstIndex
}

// splitHistory holds all splits of a ledger by symbol, oldest first.
type splitHistory map[market.Symbol][]splitEvent

func (all splitHistory) record(index int, t *portfolio.Transaction) {
	if !t.New.IsPositive() || !t.Old.IsPositive() {
		return
	}
	events := all[t.Symbol]
	for i := len(events) - 1; i >= 0 && daysBetween(events[i].date, t.Date) <= sameSplitDays; i-- {
		_, recorded := events[i].indexByAccount[t.Account]
		if !recorded && events[i].new.Mul(t.Old).Equal(t.New.Mul(events[i].old)) {
			events[i].indexByAccount[t.Account] = index
			return
		}
	}
	all[t.Symbol] = append(events, splitEvent{date: t.Date, new: t.New, old: t.Old, firstIndex: index, indexByAccount: map[string]int{t.Account: index}})
}

// restate converts a quantity as of one point into shares as of another.
func (all splitHistory) restate(symbol market.Symbol, quantity decimal.Decimal, from, to ledgerPoint, days dateRange) decimal.Decimal {
	events := all[symbol]
	if len(events) == 0 {
		return quantity
	}
	// Only splits between the two dates matter. Real ledgers have few splits, but forged ones may
	// have many.
	begin, _ := slices.BinarySearchFunc(events, days.first.AddDate(0, 0, -sameSplitDays), func(s splitEvent, d market.Date) int { return s.date.Compare(d) })
	for _, s := range events[begin:] {
		if daysBetween(days.last, s.date) > sameSplitDays {
			break
		}
		switch beforeFrom, beforeTo := s.appliesAfter(from), s.appliesAfter(to); {
		case beforeFrom && !beforeTo:
			quantity = quantity.Mul(s.new).DivRound(s.old, costPlaces)
		case !beforeFrom && beforeTo:
			quantity = quantity.Mul(s.old).DivRound(s.new, costPlaces)
		}
	}
	return quantity
}

// dateRange is an inclusive range of dates.
type dateRange struct{ first, last market.Date }

func newDateRange(a, b market.Date) dateRange {
	if b.Before(a) {
		return dateRange{b, a}
	}
	return dateRange{a, b}
}

// daysBetween returns the number of days from a to b, negative if b is earlier.
func daysBetween(a, b market.Date) int { return int(b.Sub(a).Hours() / 24) }
