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

// OpenPosition is how much of a security an account has; below zero for a short
// position.
type OpenPosition struct {
	Account  string
	Symbol   market.Symbol
	Quantity decimal.Decimal
}

// OpenPositions goes through the open positions by account and symbol, without their
// lots: cheap enough for each of many days.
func (e *Engine) OpenPositions() iter.Seq[OpenPosition] {
	return func(yield func(OpenPosition) bool) {
		for _, h := range e.sortedPositions() {
			if h.quantity.IsPositive() && !yield(OpenPosition{Account: h.account.Name, Symbol: h.symbol, Quantity: h.signed()}) {
				return
			}
		}
	}
}

// Positions are the open ones with their lots, by account and symbol; lots are
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

// Balances returns the cash of accounts whose cash is in the ledger, by account and currency:
// each currency that the account ever had, zero if none is left. Accounts whose cash is
// untracked have none.
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

// Incomes returns what was received and paid so far, oldest first. The slice belongs to the
// engine: do not change it.
func (e *Engine) Incomes() []portfolio.Income { return slices.Clip(e.incomes) }

// Postings returns the changes so far, oldest first. The slice belongs to the engine: do not
// change it.
func (e *Engine) Postings() []portfolio.Posting { return slices.Clip(e.postings) }

// OrderedTransactions are all transactions in the order in which they are applied, aliases
// resolved, also those that are not applied yet. It makes a copy.
func (e *Engine) OrderedTransactions() []portfolio.Transaction {
	ts := make([]portfolio.Transaction, len(e.ordered))
	for i, t := range e.ordered {
		ts[i] = *t
	}
	return ts
}

// sortedPositions sorts only after new securities came in: most days have none.
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
