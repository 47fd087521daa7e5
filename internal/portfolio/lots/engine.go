package lots

import (
	"math"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Engine computes what follows from a ledger up to a day: lots, gains, income and cash. It
// begins empty, and Advance moves it on. It is not safe for concurrent use. What it has
// returned does not change when it advances.
type Engine struct {
	accounts       []portfolio.Account // by name
	accountsByName map[string]*portfolio.Account
	ordered        []*portfolio.Transaction
	days           []int32 // of ordered
	next           int     // the first of ordered that is not applied

	positions       map[positionKey]*position
	positionList    []*position // of holdings
	sorted          bool        // listed is by account and symbol
	balances        map[cashKey]*balance
	lastBalance     *balance   // asked for last
	changedBalances []*balance // changed on the day that is being applied

	disposals       []portfolio.Disposal
	transferredLots []portfolio.TransferredLot
	incomes         []portfolio.Income
	postings        []portfolio.Posting

	lotChanges int // lots that actions and moves changed, all together

	parts   []lot    // taken by the transaction that is being applied
	offsets []offset // cash of untracked accounts in that transaction

	failure    error // what Advance could not apply
	failureDay int32
}

// positionKey identifies a position, cashKey a cash balance.
type positionKey struct {
	account string
	symbol  market.Symbol
}

type cashKey struct{ account, currency string }

type balance struct {
	cashKey
	policy  portfolio.CashPolicy
	amount  runningSum
	changed bool // listed in Engine.changedBalances
}

// Advance applies all transactions dated up to and including to; a zero date means all of them.
// An earlier date than before changes nothing.
//
// A transaction that cannot be applied is an error that names it: ErrNotHeld, ErrInvalid, or
// ErrOverdrawn at the end of a day. The engine then stays as it was before that transaction, or
// after the last one of the overdrawn day. Each later call for that day or a later one returns
// the same error.
func (e *Engine) Advance(to market.Date) error {
	last := int32(math.MaxInt32)
	if !to.IsZero() {
		last = dayOf(to)
	}
	if e.failure != nil && e.failureDay <= last {
		return e.failure
	}
	for e.failure == nil && e.next < len(e.ordered) {
		day := e.days[e.next]
		if day > last {
			return nil
		}
		if err := e.applyDay(day); err != nil {
			e.failure, e.failureDay = err, day
			return err
		}
	}
	return nil
}

func (e *Engine) applyDay(day int32) error {
	for e.next < len(e.ordered) && e.days[e.next] == day {
		t := e.ordered[e.next]
		if err := e.apply(t); err != nil {
			return &portfolio.TransactionError{Transaction: *t, Err: err}
		}
		e.postOffsets(t)
		e.updateName(t)
		e.next++
	}
	return e.closeDay()
}

// closeDay looks at cash at the end of the day only: which of a day's payments was
// first is seldom known, and brokers settle them together.
func (e *Engine) closeDay() error {
	var overdrawn *balance
	for _, m := range e.changedBalances {
		m.changed = false
		if m.policy != portfolio.CashTracked || !m.amount.isNegative() {
			continue
		}
		if overdrawn == nil || m.sortsBefore(overdrawn) {
			overdrawn = m
		}
	}
	e.changedBalances = e.changedBalances[:0]
	if overdrawn == nil {
		return nil
	}
	return overdrawnError(overdrawn, e.ordered[e.next-1].Date)
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
