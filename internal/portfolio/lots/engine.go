package lots

import (
	"cmp"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/shopspring/decimal"
)

// Engine computes lots, gains, income and cash from a ledger up to a date. It starts with nothing
// applied; Advance applies transactions. It is not safe for concurrent use. Returned results do not
// change when the engine advances.
type Engine struct {
	accounts       []portfolio.Account // sorted by name
	accountsByName map[string]*portfolio.Account
	ordered        []*portfolio.Transaction
	next           int // index in ordered of the next transaction to apply

	positions       map[positionKey]*position
	positionList    []*position // the values of positions
	sorted          bool        // positionList is sorted by account and symbol
	balances        map[cashKey]*balance
	changedBalances []*balance // changed on the current day

	disposals       []portfolio.Disposal
	transferredLots []portfolio.TransferredLot
	incomes         []portfolio.Income
	posts           bool // record postings
	postings        []portfolio.Posting
	postedUpTo      int // index in ordered

	lotChanges int // total number of lots changed by actions and moves

	parts   []lot    // taken by the current transaction
	offsets []offset // cash of untracked accounts in the current transaction

	failure    error // error of Advance
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

// New returns an engine with nothing applied yet. It checks and orders the transactions, and
// returns the errors of Ledger.ResolvedTransactions. The engine reads the ledger's transactions in
// place, so they must not be changed while it is in use.
func New(l portfolio.Ledger) (*Engine, error) {
	ts, err := l.ResolvedTransactions()
	if err != nil {
		return nil, err
	}
	accounts := slices.Clone(l.Accounts)
	slices.SortFunc(accounts, func(a, b portfolio.Account) int { return strings.Compare(a.Name, b.Name) })
	return newEngine(accounts, applicationOrder(ts)), nil
}

func newEngine(accounts []portfolio.Account, ordered []*portfolio.Transaction) *Engine {
	e := &Engine{
		accounts: accounts, accountsByName: make(map[string]*portfolio.Account, len(accounts)),
		positions: map[positionKey]*position{}, balances: map[cashKey]*balance{}, ordered: ordered,
	}
	for i := range e.accounts {
		e.accountsByName[e.accounts[i].Name] = &e.accounts[i]
	}
	return e
}

// Check applies a whole ledger and returns the error of New or Advance.
func Check(l portfolio.Ledger) error {
	e, err := New(l)
	if err != nil {
		return err
	}
	return e.Advance(market.Date{})
}

// Advance applies all transactions dated up to and including to; a zero date means all of them. A
// date before the previous one changes nothing.
//
// If a transaction cannot be applied, the error names it and wraps ErrNotHeld or ErrInvalid, or
// ErrOverdrawn at the end of a day. The state is then that before the transaction, or after the
// last one of the overdrawn day. Later calls for that day or a later one return the same error.
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

// closeDay checks cash only at the end of the day, because the order of payments within a day is
// seldom known and brokers settle them together.
func (e *Engine) closeDay() error {
	var overdrawn *balance
	for _, m := range e.changedBalances {
		m.changed = false
		if m.policy != portfolio.CashTracked || !m.amount.IsNegative() {
			continue
		}
		if overdrawn == nil || cmp.Or(strings.Compare(m.account, overdrawn.account), strings.Compare(m.currency, overdrawn.currency)) < 0 {
			overdrawn = m
		}
	}
	e.changedBalances = e.changedBalances[:0]
	if overdrawn == nil {
		return nil
	}
	return &portfolio.OverdrawnError{Account: overdrawn.account, Currency: overdrawn.currency, Amount: overdrawn.amount, Date: e.ordered[e.next-1].Date}
}
