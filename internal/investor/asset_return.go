package investor

import (
	"errors"
	"fmt"
	"sort"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// Reasons why a series has no return.
var (
	// ErrNoPrice means that there is no close near a date.
	ErrNoPrice = errors.New("no price near the date")
	// ErrSplitsUnknown means that prices may contain an unadjusted split, which would look like a
	// loss.
	ErrSplitsUnknown = errors.New("return unknown")
)

// AssetReturn is the return of an asset between two dates. Both prices come from one series,
// because a recorded price may not match a series adjusted later.
type AssetReturn struct {
	Symbol   market.Symbol `json:"symbol"`
	From     market.Date   `json:"from"` // date of the first close
	To       market.Date   `json:"to"`
	Return   float64       `json:"return"` // last / first - 1
	Total    bool          `json:"total"`  // dividends are reinvested, or the asset pays none
	Currency string        `json:"currency,omitempty"`
	Source   string        `json:"source"`
}

// maxCloseAge is the maximum age of a close for a date: longer than any exchange's holidays, and
// shorter than a month, so that monthly bars do not count as daily.
const maxCloseAge = 14 * 24 * time.Hour

// Instrument kinds with known dividends.
const (
	kindIndex  = "index"  // price index, without dividends
	kindCrypto = "crypto" // pays no dividends
)

// ReinvestDividends prepares a series for ReturnBetween: with dividends reinvested if the source
// provides them, otherwise as a price series adjusted for splits. Call it once to measure a series
// often. If prices may contain an unadjusted split, the error is ErrSplitsUnknown.
func ReinvestDividends(s market.Series) (market.Series, error) {
	ready, err := s.TotalReturn()
	if errors.Is(err, market.ErrActionsUnknown) {
		ready, err = s.SplitAdjusted()
	}
	switch {
	case err == nil:
		return ready, nil
	case !errors.Is(err, market.ErrActionsUnknown):
		return market.Series{}, fmt.Errorf("return of %s: %w", s.Symbol, err)
	case s.Provenance.Adjustment == market.AdjustmentRaw:
		return market.Series{}, fmt.Errorf("%s: prices are not adjusted for splits, and %s does not report splits: %w", s.Symbol, s.Provenance.Source, ErrSplitsUnknown)
	}
	return market.Series{}, fmt.Errorf("%s: unknown whether %s adjusts prices for splits: %w", s.Symbol, s.Provenance.Source, ErrSplitsUnknown)
}

// includesDividends reports whether the prices include everything that the asset pays.
func includesDividends(s market.Series) bool {
	switch s.Kind {
	case kindIndex:
		return false
	case kindCrypto:
		return true
	}
	return s.Provenance.Adjustment == market.AdjustmentSplitDiv
}

// ReturnBetween returns the return between the last closes on or before two dates; a zero end means
// the last close. Dividends are reinvested if the source provides them; otherwise Total is false,
// as for price indexes. The error is ErrNoPrice if there is no close within two weeks before a
// date, and ErrSplitsUnknown if prices may contain an unadjusted split.
func ReturnBetween(s market.Series, from, to market.Date) (AssetReturn, error) {
	s, err := ReinvestDividends(s)
	if err != nil {
		return AssetReturn{}, err
	}
	first, err := barOnOrBefore(s.Bars, from)
	if err != nil {
		return AssetReturn{}, fmt.Errorf("return of %s: %w", s.Symbol, err)
	}
	last, err := barOnOrBefore(s.Bars, to)
	if err != nil {
		return AssetReturn{}, fmt.Errorf("return of %s: %w", s.Symbol, err)
	}
	if !first.Close.IsPositive() || last.Date.Before(first.Date) {
		return AssetReturn{}, fmt.Errorf("return of %s: %w %s", s.Symbol, ErrNoPrice, from.Format(time.DateOnly))
	}
	a, b := first.Close.InexactFloat64(), last.Close.InexactFloat64()
	return AssetReturn{Symbol: s.Symbol, From: first.Date, To: last.Date, Return: b/a - 1, Total: includesDividends(s),
		Currency: s.Provenance.Currency, Source: s.Provenance.Source}, nil
}

// barOnOrBefore returns the last bar on or before a date.
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
