package performance

import (
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// quantityStep is the quantity held from the close of a day until the next step.
type quantityStep struct {
	day      int
	quantity decimal.Decimal
}

// quantityAt returns the quantity on a day.
func quantityAt(steps []quantityStep, i int) decimal.Decimal {
	low, high := 0, len(steps)
	for low < high {
		if middle := (low + high) / 2; steps[middle].day <= i {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low == 0 {
		return decimal.Zero
	}
	return steps[low-1].quantity
}

// addStep adds a change of quantity. Changes must be added in order of day.
func addStep(steps []quantityStep, day int, change decimal.Decimal) []quantityStep {
	n := len(steps)
	if n == 0 {
		return append(steps, quantityStep{day, change})
	}
	if steps[n-1].day == day {
		steps[n-1].quantity = steps[n-1].quantity.Add(change)
		return steps
	}
	return append(steps, quantityStep{day, steps[n-1].quantity.Add(change)})
}

// currencyCash is the cash of all accounts in one currency.
type currencyCash struct {
	currency string
	steps    []quantityStep
}

// exchangeLine is the line of an entry for a currency exchange, which belongs to no security and no
// currency.
const exchangeLine = -2

// entry is an amount in the base currency that moved on a day.
type entry struct {
	day      int
	line     int // index of the security; none for cash or currency exchange
	cash     int // index of the currency whose cash moved; none for securities
	category portfolio.PostingCategory
	amount   decimal.Decimal
	known    bool
}

// unvaluedMove is a transfer of unknown value on a day.
type unvaluedMove struct {
	day    int
	flow   bool // into or out of the portfolio
	reason string
}

// transfer is a quantity of a security moved in or out other than by a trade.
type transfer struct {
	day      int
	symbol   market.Symbol
	source   market.Symbol // the original security of a spin-off or merger
	quantity decimal.Decimal
}

// post turns the postings in scope into changes of quantity and cash entries. Those that need a
// price are returned as transfers.
func (h *History) post() []transfer {
	w, postings := h.newPostingState(), h.engine.Postings()
	h.entries = make([]entry, 0, len(postings))
	for _, p := range postings {
		if !h.scope.includes(p.Account) || p.Date.After(w.last) {
			continue
		}
		if !p.Date.Equal(w.date) {
			w.date, w.day = p.Date, h.grid.index(p.Date)
		}
		if p.Quantity.IsZero() {
			h.postCash(w, p)
		} else {
			h.postSecurity(w, p)
		}
	}
	return w.transfers
}

// postingState is the state of post.
type postingState struct {
	last, date      market.Date
	day             int
	bySymbol        map[market.Symbol]int
	byCurrency      map[string]int
	reorganizations map[string]portfolio.Transaction // mergers and spin-offs, by ID
	leavesScope     map[string]bool                  // moves between an account in scope and one that is not
	transfers       []transfer
}

func (h *History) newPostingState() *postingState {
	w := &postingState{
		last: h.Last(), bySymbol: map[market.Symbol]int{}, byCurrency: map[string]int{},
		reorganizations: map[string]portfolio.Transaction{}, leavesScope: map[string]bool{},
	}
	for _, t := range h.specialTransactions {
		switch t.Kind {
		case portfolio.KindMerger, portfolio.KindSpinOff:
			w.reorganizations[t.ID] = t
		case portfolio.KindTransferOut:
			w.leavesScope[t.ID] = t.ToAccount != "" && h.scope.includes(t.Account) != h.scope.includes(t.ToAccount)
		}
	}
	return w
}

func (w *postingState) external(p portfolio.Posting) bool {
	return p.Category == portfolio.CategoryExternal || p.Category == portfolio.CategoryInternal && w.leavesScope[p.Transaction]
}

func (h *History) postCash(w *postingState, p portfolio.Posting) {
	i, ok := w.byCurrency[p.Currency]
	if !ok {
		i = len(h.cashBalances)
		w.byCurrency[p.Currency] = i
		h.cashBalances = append(h.cashBalances, &currencyCash{currency: p.Currency})
	}
	h.cashBalances[i].steps = addStep(h.cashBalances[i].steps, w.day, p.Amount)
	e := entry{day: w.day, line: noIndex, cash: i, category: p.Category}
	e.amount, e.known = h.rates.convert(p.Amount, p.Currency, w.day)
	switch {
	case w.external(p), p.Symbol != "" && h.scope.excluded[p.Symbol]:
		e.category = portfolio.CategoryExternal
	case p.Symbol != "":
		e.line = h.security(w, p.Symbol)
	case p.Category == portfolio.CategoryInternal && p.Kind == portfolio.KindExchange:
		e.line = exchangeLine
	}
	if !e.known {
		why := fmt.Sprintf("no exchange rate for %s on %s, when %s were booked", p.Currency, formatDate(p.Date), p.Amount)
		h.unvaluedMoves = append(h.unvaluedMoves, unvaluedMove{w.day, e.category == portfolio.CategoryExternal, why})
	}
	if e.category == portfolio.CategoryExternal {
		h.flows[w.day] = h.flows[w.day].Add(e.amount)
	}
	h.entries = append(h.entries, e)
}

func (h *History) postSecurity(w *postingState, p portfolio.Posting) {
	if t, ok := w.reorganizations[p.Transaction]; ok && p.Symbol == t.ToSymbol {
		w.transfers = append(w.transfers, transfer{day: w.day, symbol: p.Symbol, source: t.Symbol, quantity: p.Quantity})
	} else if w.external(p) && !h.scope.excluded[p.Symbol] {
		w.transfers = append(w.transfers, transfer{day: w.day, symbol: p.Symbol, quantity: p.Quantity})
	}
	if h.scope.excluded[p.Symbol] {
		return
	}
	s := h.securities[h.security(w, p.Symbol)]
	split := p.Kind == portfolio.KindSplit || p.Kind == portfolio.KindReverseSplit
	s.changes = append(s.changes, change{day: w.day, account: p.Account, quantity: p.Quantity, split: split})
}

// security returns the index of a symbol's line, which is added if missing.
func (h *History) security(w *postingState, symbol market.Symbol) int {
	i, ok := w.bySymbol[symbol]
	if !ok {
		i = len(h.securities)
		w.bySymbol[symbol] = i
		h.securities = append(h.securities, &security{symbol: symbol})
	}
	return i
}
