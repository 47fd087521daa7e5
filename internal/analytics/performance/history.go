package performance

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/lots"
)

// Errors of a measurement.
var (
	// ErrNoTransactions means that the accounts have no transactions up to the day.
	ErrNoTransactions = errors.New("no transactions")
	// ErrInvalidRequest means an invalid request: a period that ends before it starts, or an
	// unknown account.
	ErrInvalidRequest = errors.New("invalid request")
)

// Market holds prices and exchange rates.
type Market struct {
	// Series are daily bars by the symbol in the ledger, starting a week before the first transaction. A
	// series that is adjusted for splits must list its Actions up to the day on which it was fetched;
	// otherwise older prices are on a different scale.
	Series map[market.Symbol]market.Series
	// Rates are exchange rates between other currencies and the base currency, in either direction; if both
	// are given, the one that needs no inverse is used. Each pair appears once. They start a week before
	// the first transaction or, for gains by lot, before the oldest lot.
	Rates []market.RateSeries
}

// Request describes what to measure.
type Request struct {
	Base     string      // ISO 4217 currency of all figures
	To       market.Date // the last day; later transactions are ignored
	Accounts []string    // default all
	// ExcludedSymbols are excluded securities: payments for them count as withdrawals, and their
	// proceeds as deposits.
	ExcludedSymbols []market.Symbol
}

// History holds the value of a portfolio day by day, from the day before its first transaction. It is
// immutable and safe for concurrent use.
type History struct {
	grid   grid
	base   string
	engine *lots.Engine
	scope  scope
	// openPositions is evaluated only once, because an engine is not safe for concurrent use.
	openPositions       func() []portfolio.Position
	rates               rates
	rateSeries          []market.RateSeries
	specialTransactions []portfolio.Transaction // transactions of rare kinds, sorted, aliases resolved

	securities      []*security
	cashBalances    []*currencyCash
	entries         []entry // cash entries, by day
	securityEntries []entry // security entries, by day

	values        []decimal.NullDecimal // total, by day
	flows         []decimal.Decimal     // net, by day
	unvaluedMoves []unvaluedMove        // days with a transfer of unknown value
	gaps          []Gap
	disagreements []Disagreement
	notes         []string
}

// NewHistory opens the ledger and values it on every day up to q.To. Errors are those of the
// ledger, ErrInvalidRequest, ErrNoTransactions, or market.ErrMalformed for invalid series. Missing
// prices and rates are not errors.
func NewHistory(l portfolio.Ledger, m Market, q Request) (*History, error) {
	h, transfers, err := openHistory(l, m, q)
	if err != nil {
		return nil, err
	}
	h.valueTransfers(transfers, m.Series)
	h.valueDays()
	return h, nil
}

// FindDisagreements returns the splits on which prices and ledger disagree, as History.Disagreements does,
// but without valuing each day.
func FindDisagreements(l portfolio.Ledger, m Market, q Request) ([]Disagreement, error) {
	h, _, err := openHistory(l, m, q)
	if err != nil {
		return nil, err
	}
	return h.disagreements, nil
}

// openHistory posts the ledger and prices its securities. It returns the transfers that still need a value.
func openHistory(l portfolio.Ledger, m Market, q Request) (*History, []transfer, error) {
	s, err := newScope(l, q)
	if err != nil {
		return nil, nil, err
	}
	engine, err := lots.New(l)
	if err != nil {
		return nil, nil, fmt.Errorf("open the ledger: %w", err)
	}
	if err := engine.Advance(q.To); err != nil {
		return nil, nil, fmt.Errorf("apply the ledger up to %s: %w", formatDate(q.To), err)
	}
	h := &History{base: q.Base, engine: engine, scope: s, openPositions: sync.OnceValue(engine.Positions), rateSeries: m.Rates, specialTransactions: specialTransactionsOf(l, engine)}
	if h.grid, err = s.grid(engine, q.To); err != nil {
		return nil, nil, err
	}
	if h.rates, err = newRates(h.grid, q.Base, m.Rates); err != nil {
		return nil, nil, err
	}
	h.flows = make([]decimal.Decimal, h.grid.days)
	transfers := h.post()
	return h, transfers, h.priceSecurities(m.Series)
}

// specialTransactionsOf returns the transactions whose postings lack information that is needed: splits,
// spin-offs, mergers and transfers out.
func specialTransactionsOf(l portfolio.Ledger, engine *lots.Engine) []portfolio.Transaction {
	rare := func(t portfolio.Transaction) bool {
		switch t.Kind {
		case portfolio.KindMerger, portfolio.KindSpinOff, portfolio.KindSplit, portfolio.KindReverseSplit, portfolio.KindTransferOut:
			return true
		}
		return false
	}
	if !slices.ContainsFunc(l.Transactions, rare) {
		return nil
	}
	var out []portfolio.Transaction
	for _, t := range engine.OrderedTransactions() {
		if rare(*t) {
			out = append(out, *t)
		}
	}
	return out
}

// First returns the day before the first transaction: nothing is held at its close.
func (h *History) First() market.Date { return h.grid.first }

// Last returns the last day of the history.
func (h *History) Last() market.Date { return h.grid.date(h.grid.days - 1) }

// Gaps returns the periods in which a position has no price or rate.
func (h *History) Gaps() []Gap { return slices.Clone(h.gaps) }

// Disagreements returns the splits on which prices and ledger disagree.
func (h *History) Disagreements() []Disagreement { return slices.Clone(h.disagreements) }

// Notes returns further notes, as sentences.
func (h *History) Notes() []string { return slices.Clone(h.notes) }

// Day is the portfolio at the close of a day.
type Day struct {
	Date  market.Date
	Value decimal.NullDecimal // invalid if a price or rate is missing
}

// Days returns the days of a period, both ends included. Days outside the history are omitted.
func (h *History) Days(from, to market.Date) []Day {
	var days []Day
	for i := max(h.grid.index(from), 0); i <= min(h.grid.index(to), h.grid.days-1); i++ {
		days = append(days, Day{Date: h.grid.date(i), Value: h.values[i]})
	}
	return days
}

// scope is the set of accounts and securities that count.
type scope struct {
	accounts map[string]bool // nil for all
	excluded map[market.Symbol]bool
}

func newScope(l portfolio.Ledger, q Request) (scope, error) {
	s := scope{excluded: map[market.Symbol]bool{}}
	if len(q.Base) != 3 {
		return scope{}, fmt.Errorf("%w: invalid base currency %q; use three letters", ErrInvalidRequest, q.Base)
	}
	if q.To.IsZero() {
		return scope{}, fmt.Errorf("%w: the end date is missing", ErrInvalidRequest)
	}
	for _, name := range q.Accounts {
		if _, ok := l.Account(name); !ok {
			return scope{}, fmt.Errorf("%w: %w %q", ErrInvalidRequest, portfolio.ErrUnknownAccount, name)
		}
		if s.accounts == nil {
			s.accounts = map[string]bool{}
		}
		s.accounts[name] = true
	}
	for _, symbol := range q.ExcludedSymbols {
		s.excluded[symbol] = true
	}
	return s, nil
}

func (s scope) includes(account string) bool { return s.accounts == nil || s.accounts[account] }

// grid returns the grid, which starts on the day before the first posting in scope.
func (s scope) grid(engine *lots.Engine, to market.Date) (grid, error) {
	for _, p := range engine.Postings() {
		if !s.includes(p.Account) || p.Date.After(to) {
			continue
		}
		g := grid{first: p.Date.AddDate(0, 0, -1)}
		if g.days = g.index(to) + 1; g.days > maxDays {
			return grid{}, fmt.Errorf("%w: the first transaction is from %s; check its date", ErrInvalidRequest, formatDate(p.Date))
		}
		return g, nil
	}
	return grid{}, fmt.Errorf("%w up to %s", ErrNoTransactions, formatDate(to))
}

// grid numbers the days of a history. Day 0 is the day before the first transaction.
type grid struct {
	first market.Date
	days  int
}

const dayDuration = 24 * time.Hour

// maxDays limits the cost of a mistyped date: two hundred years.
const maxDays = 200 * 366

func (g grid) index(d market.Date) int { return int(d.Sub(g.first) / dayDuration) }

func (g grid) date(i int) market.Date { return g.first.AddDate(0, 0, i) }
