package tax

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// History is the part of a *lots.Engine that an assessment reads. The engine must be advanced to
// the date of the assessment.
type History interface {
	Disposals() []portfolio.Disposal
	TransferredLots() []portfolio.TransferredLot
	OrderedTransactions() []*portfolio.Transaction
}

// Options are facts that the ledger does not have.
type Options struct {
	// AsOf is the date of the assessment. Later transactions are ignored, and a loss whose wash
	// sale period ends later is open. Zero means the date of the last transaction.
	AsOf market.Date
	// Exempt lists symbols that wash sale rules do not cover, such as coins.
	Exempt map[market.Symbol]bool
}

// Assessment is the tax treatment of a portfolio's disposals. Amounts are in the currencies of the
// sales and are never converted.
type Assessment struct {
	// Sales are the disposals in order, divided into parts that have a separate basis.
	Sales      []Sale       `json:"sales"`
	WashSales  []WashSale   `json:"washes"`
	OpenLosses []OpenLoss   `json:"open"` // losses that a later purchase could still disallow
	Years      []Year       `json:"years"`
	AddedBasis []AddedBasis `json:"added"` // to the cost of shares still held
	// ShortLosses are losses from closed short positions, which have their own rule.
	ShortLosses []ShortLoss `json:"short_losses"`
	// TransferredOut lists shares that a transfer moved out of the ledger within the wash sale
	// period after their purchase and that did not come back. If the user still owns them, they can
	// replace shares sold at a loss, which the assessment does not detect.
	TransferredOut []portfolio.TransferredLot `json:"left"`

	jurisdiction   Jurisdiction
	state          *state
	transferredOut map[poolKey][]portfolio.TransferredLot // TransferredOut, by date of acquisition
}

// AddedBasis is a disallowed loss that became part of the cost of an open lot. It stays with the
// symbol that was bought: later mergers, spin-offs and returns of capital are not followed, so the
// user must add it by hand in a later sale.
type AddedBasis struct {
	Lot      string          `json:"lot"`
	Symbol   market.Symbol   `json:"symbol"`
	Quantity decimal.Decimal `json:"quantity"` // of the lot that took the loss
	Amount   decimal.Decimal `json:"amount"`
	Currency string          `json:"currency"`
	HeldFrom market.Date     `json:"held_from,omitzero"` // zero if unknown
}

// state is the state of an assessment.
type state struct {
	options          Options
	accounts         map[string]portfolio.Account
	transactionIndex map[string]int // of transactions, by ID
	splits           splitHistory
	acquisitions     map[string]*acquisition
	pools            map[poolKey]*replacementPool
	ordered          []*acquisition
	outgoing         []outgoingShares // departures still to come, in order
	sales            map[poolKey][]saleRecord
	closedShortSales map[string]map[string]bool // by purchase: the sales whose short positions it closed
}

// poolKey identifies shares that can replace each other. Only the same symbol does: the law does
// not define whether two funds of one index are substantially identical.
type poolKey struct {
	owner  string
	symbol market.Symbol
}

// Assess assesses all disposals of a portfolio. accounts are those of its ledger; an account not
// listed counts as taxed and owned by the user.
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

// assessTransaction assesses the disposals of one transaction. It removes all of them from the
// acquisitions before it matches losses, because shares that were sold together do not replace each
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
	// Shares sold together are matched in the order of acquisition: 26 CFR 1.1091-1(b).
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

// read collects purchases and splits up to the date of the assessment.
func (b *state) read(transactions []*portfolio.Transaction, disposals []portfolio.Disposal) {
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
			// Shares that closed a short position were delivered and replace nothing.
			if free := t.Quantity.Sub(covered[t.ID]); free.IsPositive() {
				b.recordPurchase(i, t, free)
			}
		case portfolio.KindSell:
			k := poolKey{b.accounts[t.Account].Owner, t.Symbol}
			b.sales[k] = append(b.sales[k], saleRecord{t.Date, t.ID})
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

// sortPools sorts transferred shares among the purchases by date.
func (b *state) sortPools() {
	for _, s := range b.pools {
		slices.SortStableFunc(s.acquisitions, func(a, b *acquisition) int { return a.date.Compare(b.date) })
	}
}

func (b *state) recordPurchase(i int, t *portfolio.Transaction, quantity decimal.Decimal) {
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

// take removes a disposal from the acquisitions.
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
