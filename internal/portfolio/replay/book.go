package replay

import (
	"math"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Book is what follows from a ledger up to a day: lots, gains, income and cash. It
// begins empty and is moved on by Advance. It is not safe for concurrent use; what
// it returns stays as it is when the book moves on.
type Book struct {
	accounts []portfolio.Account // by name
	named    map[string]*portfolio.Account
	ordered  []*portfolio.Transaction
	days     []int32 // of ordered
	next     int     // the first of ordered that is not applied

	holdings map[place]*holding
	listed   []*holding // of holdings
	sorted   bool       // listed is by account and symbol
	balances map[purse]*balance
	last     *balance   // asked for last
	moved    []*balance // changed on the day that is being applied

	disposals  []portfolio.Disposal
	departures []portfolio.Departure
	incomes    []portfolio.Income
	postings   []portfolio.Posting

	restated int // lots that actions and moves changed, all together

	parts   []lot    // taken by the transaction that is being applied
	offsets []offset // cash of untracked accounts in that transaction

	stopped   error // what Advance could not apply
	stoppedOn int32
}

// place is where a holding is kept, purse where cash is.
type place struct {
	account string
	symbol  market.Symbol
}

type purse struct{ account, currency string }

type balance struct {
	purse
	policy portfolio.CashPolicy
	amount tally
	marked bool // in Book.moved
}

// Advance applies all that is dated up to and with to; a zero date means
// everything. Days that are applied already stay so, an earlier date changes
// nothing.
//
// What cannot be applied is an error that names the transaction: ErrNotHeld,
// ErrInvalid, and ErrOverdrawn at the end of a day. The book then stands as it was
// before that transaction, or after the last one of the overdrawn day, and goes no
// further: each later call for that day or a later one returns the same error.
func (b *Book) Advance(to market.Date) error {
	last := int32(math.MaxInt32)
	if !to.IsZero() {
		last = dayOf(to)
	}
	if b.stopped != nil && b.stoppedOn <= last {
		return b.stopped
	}
	for b.stopped == nil && b.next < len(b.ordered) {
		day := b.days[b.next]
		if day > last {
			return nil
		}
		if err := b.applyDay(day); err != nil {
			b.stopped, b.stoppedOn = err, day
			return err
		}
	}
	return nil
}

func (b *Book) applyDay(day int32) error {
	for b.next < len(b.ordered) && b.days[b.next] == day {
		t := b.ordered[b.next]
		if err := b.apply(t); err != nil {
			return &portfolio.TransactionError{Transaction: *t, Err: err}
		}
		b.offset(t)
		b.label(t)
		b.next++
	}
	return b.closeDay()
}

// closeDay looks at cash at the end of the day only: which of a day's payments was
// first is seldom known, and brokers settle them together.
func (b *Book) closeDay() error {
	var overdrawn *balance
	for _, m := range b.moved {
		m.marked = false
		if m.policy != portfolio.CashTracked || !m.amount.isNegative() {
			continue
		}
		if overdrawn == nil || m.before(overdrawn) {
			overdrawn = m
		}
	}
	b.moved = b.moved[:0]
	if overdrawn == nil {
		return nil
	}
	return overdrawnError(overdrawn, b.ordered[b.next-1].Date)
}

// dayOf counts days from 1970, for comparisons that are done often.
func dayOf(d market.Date) int32 {
	const seconds = 24 * 60 * 60
	s := d.Unix()
	day := s / seconds
	if s%seconds < 0 {
		day--
	}
	return int32(min(max(day, math.MinInt32), math.MaxInt32))
}
