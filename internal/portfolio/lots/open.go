package lots

import (
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

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
	b.ordered, b.days = applicationOrder(ts)
	b.reserve()
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

// reserve allocates the slices for what the transactions will leave, because growing in steps
// would copy it all several times.
func (e *Engine) reserve() {
	postings, disposals := 0, 0
	for i := range e.ordered {
		t := e.ordered[i]
		postings += 2 // a security and its price, or cash and where it came from
		if !t.Fee.IsZero() {
			postings++
		}
		if !t.Tax.IsZero() {
			postings++
		}
		if t.Kind == portfolio.KindSell {
			disposals++
		}
	}
	e.postings, e.disposals = make([]portfolio.Posting, 0, postings), make([]portfolio.Disposal, 0, disposals)
}
