// Package market is the ground floor of the finance wing: what a price, a bar
// and a statement are, where each number comes from, and the small interfaces
// that sources of them fulfil. Providers live in packages of their own below.
package market

import (
	"context"
	"errors"
	"time"

	"github.com/shopspring/decimal"
)

// What the errors of a source mean.
var (
	ErrUnknownSymbol = errors.New("unknown symbol")
	ErrRateLimited   = errors.New("rate limited")
	ErrUnavailable   = errors.New("source unavailable")
	ErrNotConfigured = errors.New("source not configured")
	// ErrNoData means that the symbol is known but nothing lies in the range.
	ErrNoData = errors.New("no data in range")
)

// Symbol is a ticker in nfa's own spelling: upper case, indices with a caret
// ("AAPL", "^GSPC").
type Symbol string

// Date is a calendar day of a session in the exchange's own time zone, at
// midnight UTC. Bars are keyed by it, never by an instant.
type Date = time.Time

// Adjustment says what was done to a price series.
type Adjustment string

// Levels of adjustment.
const (
	AdjustmentUnknown  Adjustment = "unknown"
	AdjustmentRaw      Adjustment = "raw"       // as traded
	AdjustmentSplit    Adjustment = "split"     // for splits only
	AdjustmentSplitDiv Adjustment = "split_div" // for splits and dividends: total return
)

// Flag marks what a reader must know of a number before trusting it.
type Flag string

// Flags in use.
const (
	FlagSample  Flag = "sample"  // embedded historical sample, not the market
	FlagStale   Flag = "stale"   // older than the last session
	FlagDelayed Flag = "delayed" // behind the market by rule
)

// Provenance says where numbers come from and what they are. Every result of a
// source carries one.
type Provenance struct {
	Source     string     `json:"source"` // "vega-datasets 3.2.1 sp500-2000.csv"
	Licence    string     `json:"licence,omitempty"`
	AsOf       time.Time  `json:"as_of"`          // when the newest number was true
	FetchedAt  time.Time  `json:"fetched_at"`     // when it was taken from the source
	Currency   string     `json:"currency"`       // ISO 4217, or "" for a pure index
	Unit       string     `json:"unit,omitempty"` // "price", "index points"
	Adjustment Adjustment `json:"adjustment"`
	Flags      []Flag     `json:"flags,omitempty"`
	Note       string     `json:"note,omitempty"` // one sentence a reader must know
}

// Has reports whether f is among the flags.
func (p Provenance) Has(f Flag) bool {
	for _, have := range p.Flags {
		if have == f {
			return true
		}
	}
	return false
}

// Instrument names what a symbol stands for.
type Instrument struct {
	Symbol Symbol `json:"symbol"`
	Name   string `json:"name"`
	Kind   string `json:"kind"` // "equity", "index", "fund"
	// Aliases are other names people use for it. A Directory gives them;
	// quotes, series and statements leave them out.
	Aliases []string `json:"aliases,omitempty"`
}

// Quote is the newest known price of an instrument.
type Quote struct {
	Instrument
	Price decimal.Decimal `json:"price"`
	// Previous is the price one interval earlier, zero-valued and invalid when
	// the source has none.
	Previous decimal.NullDecimal `json:"previous"`
	// PreviousAsOf dates Previous; for monthly data that is a month earlier.
	PreviousAsOf time.Time  `json:"previous_as_of,omitzero"`
	Provenance   Provenance `json:"provenance"`
}

// Interval is the spacing of bars.
type Interval string

// Intervals in use.
const (
	Daily   Interval = "daily"
	Monthly Interval = "monthly"
)

// PeriodsPerYear is the number of bars by which statistics are annualised.
func (i Interval) PeriodsPerYear() float64 {
	if i == Monthly {
		return 12
	}
	return 252
}

// Bar is one session's (or month's) trading. Close is always set; the other
// prices are invalid where the source has closes only.
type Bar struct {
	Date   Date                `json:"date"`
	Open   decimal.NullDecimal `json:"open"`
	High   decimal.NullDecimal `json:"high"`
	Low    decimal.NullDecimal `json:"low"`
	Close  decimal.Decimal     `json:"close"`
	Volume decimal.NullDecimal `json:"volume"`
}

// Series is a run of bars of one instrument from one source, oldest first. It
// never mixes sources.
type Series struct {
	Instrument
	Interval   Interval   `json:"interval"`
	Bars       []Bar      `json:"bars"`
	Provenance Provenance `json:"provenance"`
}

// Range is a span of sessions, both ends included. A zero end is open.
type Range struct {
	From, To Date
}

// Names of the figures in a Statement.
const (
	ItemRevenue            = "revenue"
	ItemOperatingIncome    = "operating_income"
	ItemNetIncome          = "net_income"
	ItemDilutedEPS         = "diluted_eps"
	ItemOperatingCashFlow  = "operating_cash_flow"
	ItemCapitalExpenditure = "capital_expenditure"
)

// Statement is one annual or quarterly statement of a company, as filed.
type Statement struct {
	Instrument
	FiscalYear int       `json:"fiscal_year"`
	PeriodEnd  time.Time `json:"period_end"`
	Form       string    `json:"form"` // "10-K"
	// Items are figures by their name (ItemRevenue, ...), in the currency of
	// Provenance, in units. A figure the source lacks is absent, never zero.
	Items      map[string]decimal.Decimal `json:"items"`
	Provenance Provenance                 `json:"provenance"`
}

// QuoteSource gives the newest price. An unlisted symbol yields ErrUnknownSymbol.
type QuoteSource interface {
	Quote(ctx context.Context, sym Symbol) (Quote, error)
}

// BarSource gives price history. An unlisted symbol yields ErrUnknownSymbol; a
// known one without bars in r yields ErrNoData. The bars may be shared with the
// source: read them, do not change them.
type BarSource interface {
	Bars(ctx context.Context, sym Symbol, r Range) (Series, error)
}

// StatementSource gives annual statements, newest first. An unlisted symbol
// yields ErrUnknownSymbol; a known one without statements yields ErrNoData.
type StatementSource interface {
	Statements(ctx context.Context, sym Symbol) ([]Statement, error)
}

// Directory lists what a source knows, for search and for offering near misses.
type Directory interface {
	Instruments(ctx context.Context) ([]Instrument, error)
}
