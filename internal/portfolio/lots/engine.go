package lots

import (
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/shopspring/decimal"
)

// Engine computes what follows from a ledger up to a day: lots, gains, income and cash. It
// begins empty, and Advance moves it on. It is not safe for concurrent use. What it has
// returned does not change when it advances.
type Engine struct {
	accounts       []portfolio.Account // by name
	accountsByName map[string]*portfolio.Account
	ordered        []*portfolio.Transaction
	next           int // the first of ordered that is not applied

	positions       map[positionKey]*position
	positionList    []*position // of holdings
	sorted          bool        // listed is by account and symbol
	balances        map[cashKey]*balance
	changedBalances []*balance // changed on the day that is being applied

	disposals       []portfolio.Disposal
	transferredLots []portfolio.TransferredLot
	incomes         []portfolio.Income
	postings        []portfolio.Posting

	lotChanges int // lots that actions and moves changed, all together

	parts   []lot    // taken by the transaction that is being applied
	offsets []offset // cash of untracked accounts in that transaction

	failure    error // what Advance could not apply
	failureDay market.Date
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
	amount  decimal.Decimal
	changed bool // listed in Engine.changedBalances
}

// New returns the engine of a ledger with nothing applied yet: its transactions are checked and
// put in order. Its errors are those of Ledger.ResolvedTransactions. The engine reads the
// ledger's transactions in place, so they must not be changed while it is in use.
func New(l portfolio.Ledger) (*Engine, error) {
	ts, err := l.ResolvedTransactions()
	if err != nil {
		return nil, err
	}
	b := &Engine{
		accounts: slices.Clone(l.Accounts), accountsByName: make(map[string]*portfolio.Account, len(l.Accounts)),
		positions: map[positionKey]*position{}, balances: map[cashKey]*balance{},
	}
	slices.SortFunc(b.accounts, func(a, b portfolio.Account) int { return strings.Compare(a.Name, b.Name) })
	for i := range b.accounts {
		b.accountsByName[b.accounts[i].Name] = &b.accounts[i]
	}
	b.ordered = applicationOrder(ts)
	return b, nil
}

// Check applies a whole ledger and returns the error of New or Advance.
func Check(l portfolio.Ledger) error {
	b, err := New(l)
	if err != nil {
		return err
	}
	return b.Advance(market.Date{})
}

// Advance applies all transactions dated up to and including to; a zero date means all of them.
// An earlier date than before changes nothing.
//
// A transaction that cannot be applied is an error that names it: ErrNotHeld, ErrInvalid, or
// ErrOverdrawn at the end of a day. The engine then stays as it was before that transaction, or
// after the last one of the overdrawn day. Each later call for that day or a later one returns
// the same error.
func (e *Engine) Advance(to market.Date) error {
	later := func(day market.Date) bool { return !to.IsZero() && day.After(to) }
	if e.failure != nil && !later(e.failureDay) {
		return e.failure
	}
	for e.failure == nil && e.next < len(e.ordered) {
		day := e.ordered[e.next].Date
		if later(day) {
			return nil
		}
		if err := e.applyDay(day); err != nil {
			e.failure, e.failureDay = err, day
			return err
		}
	}
	return nil
}

func (e *Engine) applyDay(day market.Date) error {
	for e.next < len(e.ordered) && e.ordered[e.next].Date.Equal(day) {
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
		if m.policy != portfolio.CashTracked || !m.amount.IsNegative() {
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
