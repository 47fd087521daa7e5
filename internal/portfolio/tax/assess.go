package tax

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// History is what an assessment reads of a *lots.Engine that was advanced to the day of the
// assessment.
type History interface {
	Disposals() []portfolio.Disposal
	TransferredLots() []portfolio.TransferredLot
	OrderedTransactions() []portfolio.Transaction
}

// Options are what a ledger does not say.
type Options struct {
	// AsOf is the day of the assessment: what is dated later is not looked at, and a
	// loss whose days are not over by then is open. Zero is the day of the last
	// transaction.
	AsOf market.Date
	// Exempt are symbols of what is neither stock nor security, such as coins.
	Exempt map[market.Symbol]bool
}

// Assessment is what a jurisdiction makes of a portfolio's disposals. Amounts are in the
// currencies of the sales and are never converted.
type Assessment struct {
	// Sales are the disposals in their order, each divided where parts of it have a
	// basis of their own.
	Sales      []Sale       `json:"sales"`
	WashSales  []WashSale   `json:"washes"`
	OpenLosses []OpenLoss   `json:"open"` // losses that a purchase to come would still disallow
	Years      []Year       `json:"years"`
	AddedBasis []AddedBasis `json:"added"` // to the cost of what is still held
	// ShortLosses are losses of closed short positions, which have a rule of their own.
	ShortLosses []ShortLoss `json:"short_losses"`
	// TransferredOut lists the shares that transfers took out of the ledger within the days of
	// the rule after they were bought, and that none brought back. If the user still owns them
	// they replace what is sold at a loss, and the assessment does not see that.
	TransferredOut []portfolio.TransferredLot `json:"left"`

	jurisdiction   Jurisdiction
	state          *state
	transferredOut map[poolKey][]portfolio.TransferredLot // TransferredOut, by the day of acquisition
}

// AddedBasis is a disallowed loss that became a part of the cost of a lot that is held.
// It stays with the symbol that was bought: a merger, a spin-off or capital paid back
// since then is not followed, and who sells afterwards has to add it by hand.
type AddedBasis struct {
	Lot      string          `json:"lot"`
	Symbol   market.Symbol   `json:"symbol"`
	Quantity decimal.Decimal `json:"quantity"` // of the lot, that the loss went to
	Amount   decimal.Decimal `json:"amount"`
	Currency string          `json:"currency"`
	HeldFrom market.Date     `json:"held_from,omitzero"` // zero is not known
}

// state is the state of an assessment.
type state struct {
	options          Options
	accounts         map[string]portfolio.Account
	transactionIndex map[string]int // of a transaction, by ID
	splits           splitHistory
	acquisitions     map[string]*acquisition
	pools            map[poolKey]*replacementPool
	ordered          []*acquisition
	outgoing         []outgoingShares // of the departures those that are to come, in their order
	sales            map[poolKey][]saleRecord
	closedShortSales map[string]map[string]bool // by a purchase, the sales whose short positions it closed
}

// poolKey tells what replaces what. Only the same symbol does: whether two funds of one index
// are substantially identical, the law does not say and a program cannot know.
type poolKey struct {
	owner  string
	symbol market.Symbol
}

// Assess assesses all disposals of a portfolio. accounts are those of its ledger; one that is
// not among them counts as taxed and the user's own.
func (j Jurisdiction) Assess(history History, accounts []portfolio.Account, o Options) *Assessment {
	a := &Assessment{jurisdiction: j}
	disposals, transactions := history.Disposals(), history.OrderedTransactions()
	if o.AsOf.IsZero() && len(transactions) > 0 {
		o.AsOf = transactions[len(transactions)-1].Date
	}
	a.state = newState(accounts, o)
	a.state.read(transactions, disposals)
	a.matchTransfers(transactions, history.TransferredLots())
	a.Sales = make([]Sale, 0, len(disposals)+len(disposals)/4)
	for len(disposals) > 0 {
		n := 1
		for n < len(disposals) && disposals[n].Transaction == disposals[0].Transaction {
			n++
		}
		if !disposals[0].Date.After(o.AsOf) {
			a.state.applyTransfers(a.state.transactionIndex[disposals[0].Transaction])
			a.assessTransaction(disposals[:n])
		}
		disposals = disposals[n:]
	}
	a.state.applyTransfers(len(transactions))
	a.Years = summarizeYears(a.Sales)
	a.AddedBasis = a.state.addedBasis()
	return a
}

// assessTransaction assesses the disposals of one transaction. All of them are taken off the
// acquisitions before any loss is matched: shares that were sold together do not replace each
// other.
func (a *Assessment) assessTransaction(disposals []portfolio.Disposal) {
	begin := len(a.Sales)
	for _, d := range disposals {
		account := a.state.accounts[d.Account]
		for _, s := range a.state.take(d) {
			s.Owner, s.Untaxed = account.Owner, account.Untaxed
			if s.Term = a.jurisdiction.HoldingTerm(s.HeldFrom, s.Date); d.Quantity.IsNegative() {
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
		a.matchReplacements(s)
	}
}

func newState(accounts []portfolio.Account, o Options) *state {
	b := &state{
		options: o, accounts: make(map[string]portfolio.Account, len(accounts)),
		splits: splitHistory{}, acquisitions: map[string]*acquisition{}, pools: map[poolKey]*replacementPool{},
		sales: map[poolKey][]saleRecord{}, closedShortSales: map[string]map[string]bool{},
	}
	for _, a := range accounts {
		b.accounts[a.Name] = a
	}
	return b
}

// read notes what was bought and split until the day of the assessment.
func (b *state) read(transactions []portfolio.Transaction, disposals []portfolio.Disposal) {
	covered := map[string]decimal.Decimal{}
	for _, d := range disposals {
		if d.Quantity.IsNegative() {
			covered[d.Transaction] = covered[d.Transaction].Sub(d.Quantity)
			if b.closedShortSales[d.Transaction] == nil {
				b.closedShortSales[d.Transaction] = map[string]bool{}
			}
			b.closedShortSales[d.Transaction][d.Lot] = true
		}
	}
	b.transactionIndex = make(map[string]int, len(transactions))
	transferred := false
	for i, t := range transactions {
		if t.Date.After(b.options.AsOf) {
			break
		}
		b.transactionIndex[t.ID] = i
		switch t.Kind {
		case portfolio.KindSplit, portfolio.KindReverseSplit:
			b.splits.record(i, t)
		case portfolio.KindBuy, portfolio.KindReinvest:
			// What closed a short position was delivered and replaces nothing.
			if free := t.Quantity.Sub(covered[t.ID]); free.IsPositive() {
				b.recordPurchase(i, t, free)
			}
		case portfolio.KindSell:
			b.recordSale(t)
		case portfolio.KindTransferIn:
			if !t.Acquired.IsZero() {
				b.recordPurchase(i, t, t.Quantity)
				transferred = true
			}
		}
	}
	if transferred {
		b.sortPools()
	}
}

func (b *state) sortPools() {
	for _, s := range b.pools {
		s.sortByDate()
	}
}

func (b *state) recordPurchase(i int, t portfolio.Transaction, quantity decimal.Decimal) {
	account := b.accounts[t.Account]
	at := ledgerPoint{t.Account, i}
	h := &acquisition{id: t.ID, date: t.Date, entered: t.Date, symbol: t.Symbol, at: at, purchasedAt: at, untaxed: account.Untaxed, free: quantity}
	if t.Kind == portfolio.KindTransferIn {
		h.date, h.transferred = t.Acquired, true
	}
	b.acquisitions[t.ID] = h
	b.ordered = append(b.ordered, h)
	b.pool(account.Owner, t.Symbol).add(h)
}

func (b *state) pool(owner string, symbol market.Symbol) *replacementPool {
	k := poolKey{owner, symbol}
	s, ok := b.pools[k]
	if !ok {
		s = &replacementPool{}
		b.pools[k] = s
	}
	return s
}

// take takes a disposal off what was bought.
func (b *state) take(d portfolio.Disposal) []Sale {
	h := findAcquisition(b.acquisitions, d.Lot)
	if h == nil || h.symbol != d.Symbol || d.Quantity.IsNegative() {
		return []Sale{{Disposal: d, HeldFrom: d.Acquired}}
	}
	h.restate(b.splits, ledgerPoint{d.Account, b.transactionIndex[d.Transaction]}, d.Date)
	return h.take(d)
}

func (b *state) addedBasis() []AddedBasis {
	var out []AddedBasis
	for _, h := range b.ordered {
		for _, p := range h.replacements {
			if p.added.IsPositive() {
				out = append(out, AddedBasis{h.id, h.symbol, p.quantity, p.added, p.currency, p.heldFrom})
			}
		}
	}
	return out
}
