package lots

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// OpenPosition is the quantity of a security in an account, negative for a short position.
type OpenPosition struct {
	Account  string
	Symbol   market.Symbol
	Quantity decimal.Decimal
}

// OpenPositions iterates over the open positions by account and symbol, without their lots. It is
// cheap enough to call for many days.
func (e *Engine) OpenPositions() iter.Seq[OpenPosition] {
	return func(yield func(OpenPosition) bool) {
		for _, h := range e.sortedPositions() {
			if h.quantity.IsPositive() && !yield(OpenPosition{Account: h.account.Name, Symbol: h.symbol, Quantity: h.signed()}) {
				return
			}
		}
	}
}

// Positions returns the open positions with their lots, by account and symbol; lots are sorted
// oldest first.
func (e *Engine) Positions() []portfolio.Position {
	positions := make([]portfolio.Position, 0, len(e.positionList))
	for _, h := range e.sortedPositions() {
		if h.quantity.IsPositive() {
			positions = append(positions, h.snapshot())
		}
	}
	return positions
}

// Balances returns the cash balances by account and currency, including those that are zero now.
// Accounts with untracked cash have none.
func (e *Engine) Balances() []portfolio.Balance {
	balances := make([]portfolio.Balance, 0, len(e.balances))
	for _, p := range e.balances {
		if p.policy == portfolio.CashUntracked {
			continue
		}
		balances = append(balances, portfolio.Balance{Account: p.account, Currency: p.currency, Amount: p.amount})
	}
	slices.SortFunc(balances, func(a, e portfolio.Balance) int {
		return cmp.Or(strings.Compare(a.Account, e.Account), strings.Compare(a.Currency, e.Currency))
	})
	return balances
}

// Disposals returns the disposals so far, oldest first. The slice belongs to the engine: do not
// change it.
func (e *Engine) Disposals() []portfolio.Disposal { return slices.Clip(e.disposals) }

// TransferredLots returns the parts of lots that transfers took out of the ledger so far,
// oldest first. The slice belongs to the engine: do not change it.
func (e *Engine) TransferredLots() []portfolio.TransferredLot { return slices.Clip(e.transferredLots) }

// Incomes returns income and expenses so far, oldest first. The slice belongs to the engine: do not
// change it.
func (e *Engine) Incomes() []portfolio.Income { return slices.Clip(e.incomes) }

// Postings returns the postings so far, oldest first. The slice belongs to the engine: do not change it.
// Postings take a lot of memory, so they are computed only on request.
func (e *Engine) Postings() []portfolio.Posting {
	if e.postedUpTo == e.next {
		return e.postings
	}
	again := newEngine(e.accounts, e.ordered[:e.next])
	again.posts = true
	_ = again.Advance(market.Date{}) // e has applied these transactions without an error, or has reported it
	e.postings, e.postedUpTo = slices.Clip(again.postings), e.next
	return e.postings
}

// OrderedTransactions returns all transactions in the order of application, with aliases resolved,
// including those not applied yet. They belong to the engine: do not change them.
func (e *Engine) OrderedTransactions() []*portfolio.Transaction { return slices.Clip(e.ordered) }

// sortedPositions sorts only after a new security was added, because most days add none.
func (e *Engine) sortedPositions() []*position {
	if !e.sorted {
		slices.SortFunc(e.positionList, func(a, e *position) int {
			return cmp.Or(strings.Compare(a.account.Name, e.account.Name), cmp.Compare(a.symbol, e.symbol))
		})
		e.sorted = true
	}
	return e.positionList
}

func (h *position) snapshot() portfolio.Position {
	p := portfolio.Position{Account: h.account.Name, Symbol: h.symbol, Name: h.name, ISIN: h.isin, Quantity: h.signed()}
	h.writeAverageCosts()
	lots := h.lotsOldestFirst()
	p.Lots = make([]portfolio.Lot, len(lots))
	p.Cost, p.Currency = decimal.NewNullDecimal(decimal.Zero), lots[0].currency
	for i, l := range lots {
		p.Lots[i] = l.snapshot(h)
		if l.currency != p.Currency {
			p.Cost, p.Currency = decimal.NullDecimal{}, ""
		}
		p.Cost = addNull(p.Cost, l.cost)
	}
	return p
}

func (l *lot) snapshot(h *position) portfolio.Lot {
	quantity := l.quantity
	if h.short {
		quantity = quantity.Neg()
	}
	return portfolio.Lot{ID: l.id, Account: h.account.Name, Symbol: h.symbol, Acquired: l.acquired, Quantity: quantity, Cost: l.cost, Currency: l.currency}
}
