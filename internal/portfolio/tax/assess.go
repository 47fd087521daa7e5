package tax

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Book is what an assessment reads of a *replay.Book that was advanced to the day of
// the assessment.
type Book interface {
	Disposals() []portfolio.Disposal
	Departures() []portfolio.Departure
	Ordered() []portfolio.Transaction
}

// Options are what a book does not say.
type Options struct {
	// AsOf is the day of the assessment: what is dated later is not looked at, and a
	// loss whose days are not over by then is open. Zero is the day of the last
	// transaction.
	AsOf market.Date
	// Groups are symbols that count as substantially identical, by the name of their
	// group. Without it only the same symbol does: whether two funds of one index
	// are, the law does not say and a program cannot know.
	Groups map[market.Symbol]string
	// Households are owners whose purchases count for each other's sales, such as
	// spouses (Pub. 550), by the name of the household. An owner without one stands
	// alone.
	Households map[string]string
	// Exempt are symbols of what is neither stock nor security, such as coins.
	Exempt map[market.Symbol]bool
}

// Assessment is what a jurisdiction makes of a book. Amounts are in the currencies
// of the sales and are never converted.
type Assessment struct {
	// Sales are the disposals in their order, each divided where parts of it have a
	// basis of their own.
	Sales  []Sale  `json:"sales"`
	Washes []Wash  `json:"washes"`
	Open   []Open  `json:"open"` // losses that a purchase to come would still disallow
	Years  []Year  `json:"years"`
	Added  []Added `json:"added"` // to the cost of what is still held
	// ShortLosses are losses of closed short positions, which have a rule of their own.
	ShortLosses []ShortLoss `json:"short_losses"`
	// Left is what transfers took out of the book within the days of the rule after it
	// was bought, and none brought back. Where it is still the user's, it replaces what
	// is sold at a loss, and is not seen to.
	Left []portfolio.Departure `json:"left"`

	jurisdiction Jurisdiction
	book         *ledger
	left         map[shelfKey][]portfolio.Departure // Left, by the day of acquisition
}

// Added is a disallowed loss that became a part of the cost of a lot that is held.
// It stays with the symbol that was bought: a merger, a spin-off or capital paid back
// since then is not followed, and who sells afterwards has to add it by hand.
type Added struct {
	Lot      string          `json:"lot"`
	Symbol   market.Symbol   `json:"symbol"`
	Quantity decimal.Decimal `json:"quantity"` // of the lot, that the loss went to
	Amount   decimal.Decimal `json:"amount"`
	Currency string          `json:"currency"`
	HeldFrom market.Date     `json:"held_from,omitzero"` // zero is not known
}

// ledger is the state of an assessment.
type ledger struct {
	options  Options
	accounts map[string]portfolio.Account
	position map[string]int // of a transaction, by ID
	splits   splits
	lots     map[string]*holding
	shelves  map[shelfKey]*shelf
	ordered  []*holding
	leaving  []leaving // of the departures those that are to come, in their order
	sold     map[shelfKey][]sold
	opened   map[string]map[string]bool // by a purchase, the sales whose short positions it closed
}

// shelfKey tells what replaces what: whose, and which securities.
type shelfKey struct{ household, group string }

// Assess looks at all disposals of a book. Accounts are those of its ledger; one
// that is not among them counts as taxed and the user's own.
func (j Jurisdiction) Assess(book Book, accounts []portfolio.Account, o Options) *Assessment {
	a := &Assessment{jurisdiction: j}
	disposals, transactions := book.Disposals(), book.Ordered()
	if o.AsOf.IsZero() && len(transactions) > 0 {
		o.AsOf = transactions[len(transactions)-1].Date
	}
	a.book = newLedger(accounts, o)
	a.book.read(transactions, disposals)
	a.depart(transactions, book.Departures())
	a.Sales = make([]Sale, 0, len(disposals)+len(disposals)/4)
	for len(disposals) > 0 {
		n := 1
		for n < len(disposals) && disposals[n].Transaction == disposals[0].Transaction {
			n++
		}
		if !disposals[0].Date.After(o.AsOf) {
			a.book.leave(a.book.position[disposals[0].Transaction])
			a.transaction(disposals[:n])
		}
		disposals = disposals[n:]
	}
	a.book.leave(len(transactions))
	a.Years = years(a.Sales)
	a.Added = a.book.added()
	return a
}

// transaction assesses the disposals of one transaction. All of them leave the book
// before any loss is matched: shares that were sold together do not replace each
// other.
func (a *Assessment) transaction(disposals []portfolio.Disposal) {
	begin := len(a.Sales)
	for _, d := range disposals {
		account := a.book.accounts[d.Account]
		for _, s := range a.book.take(d) {
			s.Owner, s.Untaxed = account.Owner, account.Untaxed
			if s.Term = a.jurisdiction.Held(s.HeldFrom, s.Date); d.Quantity.IsNegative() {
				s.Term = a.jurisdiction.Term(d)
			}
			a.Sales = append(a.Sales, s)
		}
	}
	if a.jurisdiction.washDays == 0 {
		return
	}
	// Sold together, they are matched in the order of acquisition: 26 CFR
	// 1.1091-1(b).
	order := make([]*Sale, 0, len(disposals))
	for i := range a.Sales[begin:] {
		order = append(order, &a.Sales[begin+i])
	}
	slices.SortStableFunc(order, func(x, y *Sale) int { return x.Acquired.Compare(y.Acquired) })
	for _, s := range order {
		a.match(s)
	}
}

func newLedger(accounts []portfolio.Account, o Options) *ledger {
	b := &ledger{
		options: o, accounts: make(map[string]portfolio.Account, len(accounts)),
		splits: splits{}, lots: map[string]*holding{}, shelves: map[shelfKey]*shelf{},
		sold: map[shelfKey][]sold{}, opened: map[string]map[string]bool{},
	}
	for _, a := range accounts {
		b.accounts[a.Name] = a
	}
	return b
}

// read notes what was bought and split until the day of the assessment.
func (b *ledger) read(transactions []portfolio.Transaction, disposals []portfolio.Disposal) {
	covered := map[string]decimal.Decimal{}
	for _, d := range disposals {
		if d.Quantity.IsNegative() {
			covered[d.Transaction] = covered[d.Transaction].Sub(d.Quantity)
			if b.opened[d.Transaction] == nil {
				b.opened[d.Transaction] = map[string]bool{}
			}
			b.opened[d.Transaction][d.Lot] = true
		}
	}
	b.position = make(map[string]int, len(transactions))
	brought := false
	for i, t := range transactions {
		if t.Date.After(b.options.AsOf) {
			break
		}
		b.position[t.ID] = i
		switch t.Kind {
		case portfolio.KindSplit, portfolio.KindReverseSplit:
			b.splits.record(i, t)
		case portfolio.KindBuy, portfolio.KindReinvest:
			// What closed a short position was delivered and replaces nothing.
			if free := t.Quantity.Sub(covered[t.ID]); free.IsPositive() {
				b.bought(i, t, free)
			}
		case portfolio.KindSell:
			b.given(t)
		case portfolio.KindTransferIn:
			if !t.Acquired.IsZero() {
				b.bought(i, t, t.Quantity)
				brought = true
			}
		}
	}
	if brought {
		b.arrange()
	}
}

func (b *ledger) arrange() {
	for _, s := range b.shelves {
		s.arrange()
	}
}

func (b *ledger) bought(i int, t portfolio.Transaction, quantity decimal.Decimal) {
	account := b.accounts[t.Account]
	at := moment{t.Account, i}
	h := &holding{id: t.ID, date: t.Date, came: t.Date, symbol: t.Symbol, at: at, bought: at, untaxed: account.Untaxed, free: quantity}
	if t.Kind == portfolio.KindTransferIn {
		h.date, h.brought = t.Acquired, true
	}
	b.lots[t.ID] = h
	b.ordered = append(b.ordered, h)
	b.shelf(account.Owner, t.Symbol).add(h)
}

func (b *ledger) shelf(owner string, symbol market.Symbol) *shelf {
	k := b.key(owner, symbol)
	s, ok := b.shelves[k]
	if !ok {
		s = &shelf{}
		b.shelves[k] = s
	}
	return s
}

func (b *ledger) key(owner string, symbol market.Symbol) shelfKey {
	// A mark before each keeps a group's name apart from a symbol's.
	k := shelfKey{"owner " + owner, "symbol " + string(symbol)}
	if household := b.options.Households[owner]; household != "" {
		k.household = "household " + household
	}
	if group := b.options.Groups[symbol]; group != "" {
		k.group = "group " + group
	}
	return k
}

// take takes a disposal off what was bought.
func (b *ledger) take(d portfolio.Disposal) []Sale {
	h := purchase(b.lots, d.Lot)
	if h == nil || h.symbol != d.Symbol || d.Quantity.IsNegative() {
		return []Sale{{Disposal: d, HeldFrom: d.Acquired}}
	}
	h.restate(b.splits, moment{d.Account, b.position[d.Transaction]}, d.Date)
	return h.take(d)
}

func (b *ledger) added() []Added {
	var out []Added
	for _, h := range b.ordered {
		for _, p := range h.parcels {
			if p.added.IsPositive() {
				out = append(out, Added{h.id, h.symbol, p.quantity, p.added, p.currency, p.heldFrom})
			}
		}
	}
	return out
}
