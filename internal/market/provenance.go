package market

import (
	"slices"
	"strings"
	"time"
)

// Adjustment is how prices are adjusted for splits and dividends.
type Adjustment string

// Levels of adjustment.
const (
	AdjustmentUnknown  Adjustment = "unknown"
	AdjustmentRaw      Adjustment = "raw"       // as traded
	AdjustmentSplit    Adjustment = "split"     // for splits only
	AdjustmentSplitDiv Adjustment = "split_div" // for splits and dividends: total return
)

// Flag is a warning about a figure.
type Flag string

// Flags in use.
const (
	FlagSample      Flag = "sample"      // built-in historical sample data, not the live market
	FlagStale       Flag = "stale"       // older than the last completed session
	FlagDelayed     Flag = "delayed"     // delayed by the source's rules
	FlagProvisional Flag = "provisional" // from a session that is not settled yet
	FlagSuspect     Flag = "suspect"     // unlike neighboring values; left unchanged
	FlagRepaired    Flag = "repaired"    // corrected an error of the source; the note says how
	FlagThin        Flag = "thin"        // little or nothing traded
	FlagConverted   Flag = "converted"   // quoted in a minor unit (pence), given in the major one
	FlagRestated    Flag = "restated"    // changed by a later filing
)

// CacheState says whether an answer came from the source or the cache.
type CacheState string

// States of the cache.
const (
	CacheMiss  CacheState = ""      // just fetched
	CacheHit   CacheState = "hit"   // cached and fresh
	CacheStale CacheState = "stale" // cached and outdated: the source did not respond
)

// Phase is the trading phase of an exchange.
type Phase string

// Phases of a trading day.
const (
	PhaseUnknown Phase = ""
	PhasePre     Phase = "pre"
	PhaseRegular Phase = "regular"
	PhaseBreak   Phase = "break" // the midday pause of some exchanges
	PhasePost    Phase = "post"
	PhaseClosed  Phase = "closed"
)

// Attempt is a source that was tried and did not deliver.
type Attempt struct {
	Source string `json:"source"`
	Reason string `json:"reason"`
}

// Provenance is the origin of figures: source, date, currency, unit and flags. Every result of a
// source has one.
type Provenance struct {
	Source    string     `json:"source"`             // "vega-datasets 3.2.1 sp500-2000.csv"
	Endpoint  string     `json:"endpoint,omitempty"` // the service of the source: "v8 chart"
	License   string     `json:"licence,omitempty"`
	AsOf      time.Time  `json:"as_of"`      // the time the newest figure is for
	FetchedAt time.Time  `json:"fetched_at"` // when it was fetched from the source
	Cache     CacheState `json:"cache,omitempty"`
	Currency  string     `json:"currency"` // ISO 4217, or "" for a pure index
	// QuotedCurrency is the currency as the source wrote it, if different from Currency: "GBp" for
	// prices in pence that are converted to pounds here.
	QuotedCurrency string     `json:"quoted_currency,omitempty"`
	Unit           string     `json:"unit,omitempty"` // "price", "index points"
	Adjustment     Adjustment `json:"adjustment"`
	// ShareBasis, if set, is the day whose shares split-adjusted prices refer to: later splits are undone. If
	// it is zero, prices refer to the shares of the day they were fetched.
	ShareBasis   time.Time `json:"share_basis,omitzero"`
	DelayMinutes int       `json:"delay_min,omitempty"` // delayed by the source's rules
	Phase        Phase     `json:"session,omitempty"`   // of the exchange when it was fetched
	Flags        []Flag    `json:"flags,omitempty"`
	Tried        []Attempt `json:"tried,omitempty"` // sources that were tried before this one
	Note         string    `json:"note,omitempty"`  // one sentence a reader must know
}

// With returns p with the flags added, each at most once. The flags of p are not changed, because results may
// be shared.
func (p Provenance) With(flags ...Flag) Provenance {
	p.Flags = slices.Clone(p.Flags)
	for _, f := range flags {
		if !p.Has(f) {
			p.Flags = append(p.Flags, f)
		}
	}
	return p
}

// Without returns p without a flag. The flags of p are not changed.
func (p Provenance) Without(gone Flag) Provenance {
	var left []Flag
	for _, f := range p.Flags {
		if f != gone {
			left = append(left, f)
		}
	}
	p.Flags = left
	return p
}

// WithNote returns p with another sentence in its note; an empty one changes nothing.
func (p Provenance) WithNote(sentence string) Provenance {
	p.Note = strings.TrimSpace(p.Note + " " + sentence)
	return p
}

// Has reports whether f is among the flags.
func (p Provenance) Has(f Flag) bool {
	return slices.Contains(p.Flags, f)
}
