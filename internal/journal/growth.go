package journal

import (
	"errors"
	"fmt"
	"sort"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// ErrNoPrice means that a series has no close near the day that is asked for.
var ErrNoPrice = errors.New("no price near the day")

// Growth is what an asset did between two days, from one series for both ends: a
// price noted at the time may lie off a series that was adjusted since.
type Growth struct {
	Symbol   market.Symbol `json:"symbol"`
	From     market.Date   `json:"from"` // of the closes
	To       market.Date   `json:"to"`
	Return   float64       `json:"return"` // last / first - 1
	Total    bool          `json:"total"`  // dividends are in it, as if reinvested
	Currency string        `json:"currency,omitempty"`
	Source   string        `json:"source"`
}

// longestGap is how old a close may be to stand for a day: longer than the holidays
// of any exchange, shorter than a month, so that monthly bars do not pass for days.
const longestGap = 14 * 24 * time.Hour

// GrowthOf measures a series between the last closes on or before two days; a zero
// end is the last close of all. Dividends are reinvested where the source tells
// them, and otherwise Total is false. The error is ErrNoPrice where there is no
// close, or none of the two weeks up to a day.
func GrowthOf(s market.Series, from, to market.Date) (Growth, error) {
	adjusted, err := s.TotalReturn()
	total := err == nil
	switch {
	case errors.Is(err, market.ErrActionsUnknown):
		adjusted = s
	case err != nil:
		return Growth{}, fmt.Errorf("growth of %s: %w", s.Symbol, err)
	}
	first, err := closeBy(adjusted.Bars, from)
	if err != nil {
		return Growth{}, fmt.Errorf("growth of %s: %w", s.Symbol, err)
	}
	last, err := closeBy(adjusted.Bars, to)
	if err != nil {
		return Growth{}, fmt.Errorf("growth of %s: %w", s.Symbol, err)
	}
	if !first.Close.IsPositive() || last.Date.Before(first.Date) {
		return Growth{}, fmt.Errorf("growth of %s: %w %s", s.Symbol, ErrNoPrice, from.Format(time.DateOnly))
	}
	a, b := first.Close.InexactFloat64(), last.Close.InexactFloat64()
	return Growth{Symbol: s.Symbol, From: first.Date, To: last.Date, Return: b/a - 1, Total: total,
		Currency: s.Provenance.Currency, Source: s.Provenance.Source}, nil
}

// closeBy is the last bar on or before a day.
func closeBy(bars []market.Bar, day market.Date) (market.Bar, error) {
	after := len(bars)
	if !day.IsZero() {
		after = sort.Search(len(bars), func(i int) bool { return bars[i].Date.After(day) })
	}
	switch {
	case after == 0 && day.IsZero():
		return market.Bar{}, ErrNoPrice
	case after == 0 || !day.IsZero() && day.Sub(bars[after-1].Date) > longestGap:
		return market.Bar{}, fmt.Errorf("%w %s", ErrNoPrice, day.Format(time.DateOnly))
	}
	return bars[after-1], nil
}
