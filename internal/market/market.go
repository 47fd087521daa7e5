package market

import (
	"time"

	"github.com/shopspring/decimal"
)

// Symbol is a ticker in nfa's own spelling: upper case, indices with a caret
// ("AAPL", "^GSPC").
type Symbol string

// Date is a calendar day of a session in the exchange's own time zone, at
// midnight UTC. Bars are keyed by it, never by an instant.
type Date = time.Time

// Listing distinguishes instruments with the same ticker: where they trade and their identifiers, if known.
type Listing struct {
	MIC      string `json:"mic,omitempty"`      // ISO 10383 of the exchange: "XNAS"
	Exchange string `json:"exchange,omitempty"` // as people call it: "Nasdaq"
	CIK      string `json:"cik,omitempty"`      // ten digits, from the SEC
	ISIN     string `json:"isin,omitempty"`
	FIGI     string `json:"figi,omitempty"`
	// TradingCurrency is the ISO 4217 code of the currency the exchange usually quotes in, the major
	// unit even if prices are in pence. The currency of a price is that of its Provenance.
	TradingCurrency string `json:"trading_currency,omitempty"`
}

// Instrument describes a security. Prices, statements, the portfolio and imports all use it.
type Instrument struct {
	Symbol Symbol `json:"symbol"`
	Name   string `json:"name"`
	Kind   string `json:"kind"` // "equity", "index", "fund", "currency", "crypto"
	// Class is the legal form of an equity or a fund. ShareClass is the letter of one of several
	// classes of common shares ("B"). reference.Describe and reference.Classify set both.
	Class      SecurityClass `json:"class,omitempty"`
	ShareClass string        `json:"share_class,omitempty"`
	// Aliases are other names people use for it. Only a Directory sets them.
	Aliases []string `json:"aliases,omitempty"`
	Listing
}

// Quote is the newest known price of an instrument.
type Quote struct {
	Instrument
	Price decimal.Decimal `json:"price"`
	// Previous is the price one interval earlier; invalid if the source has none.
	Previous decimal.NullDecimal `json:"previous"`
	// PreviousAsOf is the date of Previous, a month earlier for monthly data.
	PreviousAsOf time.Time  `json:"previous_as_of,omitzero"`
	Provenance   Provenance `json:"provenance"`
}

// Interval is the spacing of bars.
type Interval string

// Intervals in use.
const (
	FiveMinutes Interval = "5m"
	Hourly      Interval = "1h"
	Daily       Interval = "daily"
	Weekly      Interval = "weekly"
	Monthly     Interval = "monthly"
)

// Intraday returns the length of an interval shorter than a day, else 0.
func (i Interval) Intraday() time.Duration {
	switch i {
	case FiveMinutes:
		return 5 * time.Minute
	case Hourly:
		return time.Hour
	}
	return 0
}

// PeriodsPerYear returns the number of bars per year, used to annualize statistics. It is only for bars of a
// day or longer.
func (i Interval) PeriodsPerYear() float64 {
	switch i {
	case Monthly:
		return 12
	case Weekly:
		return 52
	}
	return 252
}

// Bar is the trading of one session, week or month. Close is always set; the other prices are invalid if the
// source has only closes. In an intraday series, Date is the time at which the bar starts, in the exchange's
// time zone.
type Bar struct {
	Date   Date                `json:"date"`
	Open   decimal.NullDecimal `json:"open"`
	High   decimal.NullDecimal `json:"high"`
	Low    decimal.NullDecimal `json:"low"`
	Close  decimal.Decimal     `json:"close"`
	Volume decimal.NullDecimal `json:"volume"`
}

// Series holds bars of one instrument from one source, oldest first. It never mixes sources.
type Series struct {
	Instrument
	Interval Interval `json:"interval"`
	Bars     []Bar    `json:"bars"`
	// Actions are dividends, splits and similar events during the bars, oldest first. Nil means
	// that the source does not report them; an empty slice means that there were none.
	Actions []Action `json:"actions,omitempty"`
	// DividendsUnknown means that Actions has all splits but no dividends, because the dividends
	// are unknown.
	DividendsUnknown bool `json:"dividends_unknown,omitempty"`

	Provenance Provenance `json:"provenance"`
}

// Range is a range of sessions, both ends included. A zero end is open.
type Range struct {
	From, To Date
}
