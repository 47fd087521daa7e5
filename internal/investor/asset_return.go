package investor

import (
	"errors"
	"fmt"
	"sort"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// Why a series gives no growth.
var (
	// ErrNoPrice means that it has no close near the day that is asked for.
	ErrNoPrice = errors.New("no price near the day")
	// ErrSplitsUnknown means that a split may hide among its prices, which would look
	// like a fall.
	ErrSplitsUnknown = errors.New("its return is not known")
)

// AssetReturn is what an asset did between two days, from one series for both ends: a
// price noted at the time may lie off a series that was adjusted since.
type AssetReturn struct {
	Symbol   market.Symbol `json:"symbol"`
	From     market.Date   `json:"from"` // of the closes
	To       market.Date   `json:"to"`
	Return   float64       `json:"return"` // last / first - 1
	Total    bool          `json:"total"`  // dividends are in it as if reinvested, or it pays none
	Currency string        `json:"currency,omitempty"`
	Source   string        `json:"source"`
}

// maxCloseAge is how old a close may be to stand for a day: longer than the holidays
// of any exchange, shorter than a month, so that monthly bars do not pass for days.
const maxCloseAge = 14 * 24 * time.Hour

// Kinds of instrument of which more is known than their source tells.
const (
	kindIndex  = "index"  // of prices: the dividends of its members are not in it
	kindCrypto = "crypto" // pays no dividends
)

// ReinvestDividends is a series ready for ReturnBetween: with its dividends reinvested where the
// source tells them, else of prices alone, whose splits are undone. Who measures one
// series often makes it ready once. Prices among which a split may hide are
// ErrSplitsUnknown.
func ReinvestDividends(s market.Series) (market.Series, error) {
	ready, err := s.TotalReturn()
	if errors.Is(err, market.ErrActionsUnknown) {
		ready, err = s.SplitAdjusted()
	}
	switch {
	case err == nil:
		return ready, nil
	case !errors.Is(err, market.ErrActionsUnknown):
		return market.Series{}, fmt.Errorf("growth of %s: %w", s.Symbol, err)
	case s.Provenance.Adjustment == market.AdjustmentRaw:
		return market.Series{}, fmt.Errorf("%s: its prices are not adjusted for splits, and %s tells none: %w", s.Symbol, s.Provenance.Source, ErrSplitsUnknown)
	}
	return market.Series{}, fmt.Errorf("%s: whether %s adjusts its prices for splits is not known: %w", s.Symbol, s.Provenance.Source, ErrSplitsUnknown)
}

// includesDividends reports whether nothing that a series pays is missing in its prices.
func includesDividends(s market.Series) bool {
	switch s.Kind {
	case kindIndex:
		return false
	case kindCrypto:
		return true
	}
	return s.Provenance.Adjustment == market.AdjustmentSplitDiv
}

// ReturnBetween measures a series between the last closes on or before two days; a zero
// end is the last close of all. Dividends are reinvested where the source tells
// them, and otherwise Total is false, as it is of an index of prices. The error is
// ErrNoPrice where there is no close, or none of the two weeks up to a day, and
// ErrSplitsUnknown where the prices may not be of the same shares.
func ReturnBetween(s market.Series, from, to market.Date) (AssetReturn, error) {
	s, err := ReinvestDividends(s)
	if err != nil {
		return AssetReturn{}, err
	}
	first, err := barOnOrBefore(s.Bars, from)
	if err != nil {
		return AssetReturn{}, fmt.Errorf("growth of %s: %w", s.Symbol, err)
	}
	last, err := barOnOrBefore(s.Bars, to)
	if err != nil {
		return AssetReturn{}, fmt.Errorf("growth of %s: %w", s.Symbol, err)
	}
	if !first.Close.IsPositive() || last.Date.Before(first.Date) {
		return AssetReturn{}, fmt.Errorf("growth of %s: %w %s", s.Symbol, ErrNoPrice, from.Format(time.DateOnly))
	}
	a, b := first.Close.InexactFloat64(), last.Close.InexactFloat64()
	return AssetReturn{Symbol: s.Symbol, From: first.Date, To: last.Date, Return: b/a - 1, Total: includesDividends(s),
		Currency: s.Provenance.Currency, Source: s.Provenance.Source}, nil
}

// barOnOrBefore is the last bar on or before a day.
func barOnOrBefore(bars []market.Bar, day market.Date) (market.Bar, error) {
	after := len(bars)
	if !day.IsZero() {
		after = sort.Search(len(bars), func(i int) bool { return bars[i].Date.After(day) })
	}
	switch {
	case after == 0 && day.IsZero():
		return market.Bar{}, ErrNoPrice
	case after == 0 || !day.IsZero() && day.Sub(bars[after-1].Date) > maxCloseAge:
		return market.Bar{}, fmt.Errorf("%w %s", ErrNoPrice, day.Format(time.DateOnly))
	}
	return bars[after-1], nil
}
