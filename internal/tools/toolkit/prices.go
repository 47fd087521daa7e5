package toolkit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// Today returns the calendar day of now in its own time zone, at midnight UTC as sessions are dated.
func Today(now time.Time) market.Date {
	y, m, d := now.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// EndOfDay returns the first instant of the next calendar day.
func EndOfDay(now time.Time) time.Time {
	y, m, d := now.Date()
	return time.Date(y, m, d+1, 0, 0, 0, 0, now.Location())
}

// Prices returns prices known at Now, which may be set back to replay the past.
type Prices struct {
	Bars      market.BarSource
	Directory market.Directory
	Now       func() time.Time
	// Replay means that the clock was set back, so current data of the sources does not apply.
	Replay bool
}

// Known reports whether data as of a time was known at Now. A time at midnight UTC is the date of a
// session and is compared with the calendar day of Now. Data without a date does not count as known.
func (p Prices) Known(asOf time.Time) bool {
	today := Today(p.Now())
	if asOf.Equal(asOf.Truncate(24 * time.Hour)) {
		return !asOf.IsZero() && !asOf.After(today)
	}
	return asOf.Before(EndOfDay(p.Now()))
}

// History fetches the bars of a symbol or name in a period, none after Now, with warnings. The series
// has at least one bar. Errors are those of LookUp; a period without bars yields a market.ErrNoData
// that says where there are bars.
func (p Prices) History(ctx context.Context, text string, sp Period) (market.Series, []string, error) {
	series, err := LookUp(ctx, p.Directory, text, func(sym market.Symbol) (market.Series, error) {
		return p.fetchPeriod(ctx, sym, sp)
	})
	return cutToPeriod(series, text, sp, err)
}

// HistoryOfSymbol works like History for an exact symbol, without resolving names.
func (p Prices) HistoryOfSymbol(ctx context.Context, sym market.Symbol, sp Period) (market.Series, []string, error) {
	series, err := p.fetchPeriod(ctx, sym, sp)
	return cutToPeriod(series, string(sym), sp, err)
}

// Intraday fetches the bars of an interval shorter than a day, like History. Sources have only current
// bars, so with the clock set back there are none.
func (p Prices) Intraday(ctx context.Context, from market.IntradaySource, text string, i market.Interval, sp Period) (market.Series, []string, error) {
	today := Today(p.Now())
	switch {
	case p.Replay:
		return market.Series{}, nil, NoDataf("%s bars are not available as of %s; use interval daily", i, FormatDate(today))
	case from == nil:
		return market.Series{}, nil, NoDataf("no source has %s bars here; use interval daily, weekly or monthly", i)
	}
	r := market.Range{From: sp.baseDay(today), To: sp.To}
	if !r.From.IsZero() {
		r.From = r.From.AddDate(0, 0, -7) // for the close before the period, which counts back from the last session
	}
	series, err := LookUp(ctx, p.Directory, text, func(sym market.Symbol) (market.Series, error) { return from.Intraday(ctx, sym, i, r) })
	return cutToPeriod(series, text, sp, err)
}

func cutToPeriod(series market.Series, name string, sp Period, err error) (market.Series, []string, error) {
	if err != nil {
		return market.Series{}, nil, WithContext(err, "prices of %s", name)
	}
	series, warnings := sp.Cut(series)
	return series, warnings, nil
}

// fetchPeriod returns a series that covers the period and the lead before it.
func (p Prices) fetchPeriod(ctx context.Context, sym market.Symbol, sp Period) (market.Series, error) {
	requested := market.Range{From: sp.From, To: Today(p.Now())}
	if !sp.To.IsZero() && sp.To.Before(requested.To) {
		requested.To = sp.To
	}
	s, err := p.barsForPeriod(ctx, sym, sp, requested.To)
	if err == nil && len(s.Within(requested).Bars) == 0 {
		err = market.ErrNoData
	}
	if errors.Is(err, market.ErrNoData) {
		return s, p.noBarsError(ctx, sym, requested)
	}
	return s, err
}

// barsForPeriod fetches little more than the period needs: decades of bars are slow, and sources
// limit them. A range counts back from the last close, which is usually recent; if the data end
// long before, it fetches again from the start that the range has there.
func (p Prices) barsForPeriod(ctx context.Context, sym market.Symbol, sp Period, to market.Date) (market.Series, error) {
	fetched := market.Range{From: fetchStart(sp.baseDay(to)), To: to}
	s, err := p.barsWithin(ctx, sym, fetched)
	if sp.back == "" || fetched.From.IsZero() {
		return s, err
	}
	switch n := len(s.Bars); {
	case errors.Is(err, market.ErrNoData) || err == nil && n == 0:
		fetched.From = market.Date{}
	case err == nil && !fetched.From.After(sp.baseDay(s.Bars[n-1].Date).AddDate(0, -1, -7)):
		return s, nil // includes the close before the range, also for monthly series
	case err == nil:
		fetched.From = fetchStart(sp.baseDay(s.Bars[n-1].Date))
	default:
		return s, err
	}
	return p.barsWithin(ctx, sym, fetched)
}

// barsWithin fetches bars and keeps those in the range, and the actions up to its end, because a
// source may return later data. With the clock set back, prices are per share of that day, if the
// source reports the splits since.
func (p Prices) barsWithin(ctx context.Context, sym market.Symbol, r market.Range) (market.Series, error) {
	requested := r
	if p.Replay {
		requested.To = market.Date{}
	}
	s, err := p.Bars.Bars(ctx, sym, requested)
	if err == nil && p.Replay {
		if known, undoErr := s.OnShareBasis(Today(p.Now())); undoErr == nil {
			s = known
		}
	}
	isLater := func(a market.Action) bool { return a.Date.After(r.To) }
	if slices.ContainsFunc(s.Actions, isLater) {
		s.Actions = slices.DeleteFunc(slices.Clone(s.Actions), isLater)
	}
	n := len(s.Bars)
	later := n > 0 && s.Bars[n-1].Date.After(r.To)
	switch s = s.Within(r); {
	case p.Replay:
		s.Provenance = ReplayProvenance(s.Provenance, s.Kind)
	case later:
		s.Provenance = historicalProvenance(s.Provenance)
	}
	return s, err
}

// fetchStart returns the first day to fetch for a period that starts on first. Two months always
// include the previous monthly close.
func fetchStart(first market.Date) market.Date {
	if first.IsZero() {
		return first
	}
	return first.AddDate(0, -2, 0)
}

// noBarsError returns an error that says where there are bars.
func (p Prices) noBarsError(ctx context.Context, sym market.Symbol, requested market.Range) error {
	all, err := p.Bars.Bars(ctx, sym, market.Range{To: Today(p.Now())})
	if err != nil {
		return err
	}
	all = all.Within(market.Range{To: Today(p.Now())})
	if len(all.Bars) == 0 {
		return fmt.Errorf("%w: no prices on or before %s", market.ErrNoData, FormatDate(requested.To))
	}
	next := sort.Search(len(all.Bars), func(i int) bool { return all.Bars[i].Date.After(requested.To) })
	if next == 0 || next == len(all.Bars) {
		return fmt.Errorf("%w: prices are available from %s to %s", market.ErrNoData,
			FormatDate(all.Bars[0].Date), FormatDate(all.Bars[len(all.Bars)-1].Date))
	}
	before, after := all.Bars[next-1], all.Bars[next]
	return fmt.Errorf("%w: no close %s; the series is %s, and the nearest closes are %s on %s and %s on %s (%s); start from one of these dates",
		market.ErrNoData, rangeText(requested), all.Interval, before.Close, FormatDate(before.Date), after.Close, FormatDate(after.Date), UnitOf(all.Provenance))
}

func rangeText(r market.Range) string {
	if r.From.Equal(r.To) {
		return "on " + FormatDate(r.To)
	}
	return fmt.Sprintf("from %s to %s", FormatDate(r.From), FormatDate(r.To))
}
