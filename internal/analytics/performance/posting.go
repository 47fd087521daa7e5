package performance

import (
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// step is what is held from the close of a day on.
type step struct {
	day  int
	held decimal.Decimal
}

// held is what the steps say of a day.
func held(steps []step, i int) decimal.Decimal {
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
	return steps[low-1].held
}

// stepped adds a change to what is held; changes come in order of day.
func stepped(steps []step, day int, change decimal.Decimal) []step {
	n := len(steps)
	if n == 0 {
		return append(steps, step{day, change})
	}
	if steps[n-1].day == day {
		steps[n-1].held = steps[n-1].held.Add(change)
		return steps
	}
	return append(steps, step{day, steps[n-1].held.Add(change)})
}

// purse is the cash of all accounts in one currency.
type purse struct {
	currency string
	steps    []step
}

// exchange is the line of an entry that belongs to no security and no currency.
const exchange = -2

// entry is an amount in the base currency that moved on a day.
type entry struct {
	day    int
	line   int // index of the security; none for cash alone, or exchange
	purse  int // index of the purse whose cash it is; none for securities
	part   portfolio.Part
	amount decimal.Decimal
	known  bool
}

// blank is something that moved on a day and whose worth is not known.
type blank struct {
	day  int
	flow bool // from outside, or to it
	why  string
}

// crossing is a number of securities that came or went other than by a trade.
type crossing struct {
	day      int
	symbol   market.Symbol
	giver    market.Symbol // what they came of, in a spin-off or merger
	quantity decimal.Decimal
}

// post turns the postings of the scope into changes of what is held, and into
// entries for the cash. What needs a price is left for crossings.
func (h *History) post() []crossing {
	w, postings := h.newWork(), h.book.Postings()
	h.entries = make([]entry, 0, len(postings))
	for _, p := range postings {
		if !h.scope.has(p.Account) || p.Date.After(w.last) {
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
	return w.crossings
}

// work is what post has in hand.
type work struct {
	last, date market.Date
	day        int
	bySymbol   map[market.Symbol]int
	byCurrency map[string]int
	given      map[string]portfolio.Transaction // mergers and spin-offs, by ID
	leaving    map[string]bool                  // moves between an account of the scope and one that is not
	crossings  []crossing
}

func (h *History) newWork() *work {
	w := &work{
		last: h.Last(), bySymbol: map[market.Symbol]int{}, byCurrency: map[string]int{},
		given: map[string]portfolio.Transaction{}, leaving: map[string]bool{},
	}
	for _, t := range h.rare {
		switch t.Kind {
		case portfolio.KindMerger, portfolio.KindSpinOff:
			w.given[t.ID] = t
		case portfolio.KindTransferOut:
			w.leaving[t.ID] = t.ToAccount != "" && h.scope.has(t.Account) != h.scope.has(t.ToAccount)
		}
	}
	return w
}

func (w *work) external(p portfolio.Posting) bool {
	return p.Part == portfolio.PartExternal || p.Part == portfolio.PartInternal && w.leaving[p.Transaction]
}

func (h *History) postCash(w *work, p portfolio.Posting) {
	i, ok := w.byCurrency[p.Currency]
	if !ok {
		i = len(h.purses)
		w.byCurrency[p.Currency] = i
		h.purses = append(h.purses, &purse{currency: p.Currency})
	}
	h.purses[i].steps = stepped(h.purses[i].steps, w.day, p.Amount)
	e := entry{day: w.day, line: none, purse: i, part: p.Part}
	e.amount, e.known = h.rates.convert(p.Amount, p.Currency, w.day)
	switch {
	case w.external(p), p.Symbol != "" && h.scope.without[p.Symbol]:
		e.part = portfolio.PartExternal
	case p.Symbol != "":
		e.line = h.security(w, p.Symbol)
	case p.Part == portfolio.PartInternal && p.Kind == portfolio.KindExchange:
		e.line = exchange
	}
	if !e.known {
		why := fmt.Sprintf("no rate of %s on %s, when %s were booked", p.Currency, text(p.Date), p.Amount)
		h.unpriced = append(h.unpriced, blank{w.day, e.part == portfolio.PartExternal, why})
	}
	if e.part == portfolio.PartExternal {
		h.flows[w.day] = h.flows[w.day].Add(e.amount)
	}
	h.entries = append(h.entries, e)
}

func (h *History) postSecurity(w *work, p portfolio.Posting) {
	if t, ok := w.given[p.Transaction]; ok && p.Symbol == t.ToSymbol {
		w.crossings = append(w.crossings, crossing{day: w.day, symbol: p.Symbol, giver: t.Symbol, quantity: p.Quantity})
	} else if w.external(p) && !h.scope.without[p.Symbol] {
		w.crossings = append(w.crossings, crossing{day: w.day, symbol: p.Symbol, quantity: p.Quantity})
	}
	if h.scope.without[p.Symbol] {
		return
	}
	s := h.securities[h.security(w, p.Symbol)]
	split := p.Kind == portfolio.KindSplit || p.Kind == portfolio.KindReverseSplit
	s.changes = append(s.changes, change{day: w.day, account: p.Account, quantity: p.Quantity, split: split})
}

// security is the index of a symbol's line, which is made where it is new.
func (h *History) security(w *work, symbol market.Symbol) int {
	i, ok := w.bySymbol[symbol]
	if !ok {
		i = len(h.securities)
		w.bySymbol[symbol] = i
		h.securities = append(h.securities, &security{symbol: symbol})
	}
	return i
}
