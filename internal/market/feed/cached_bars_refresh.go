package feed

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// Number of sessions fetched again at each refresh, and how many of them must be stored to verify that
// history has not changed.
const (
	overlapSessions    = 10
	minOverlapSessions = 5
)

// recheckAfter is the minimum time between two full fetches of a doubtful history. While its exchange is
// open, it is refreshed many times a day.
const recheckAfter = 24 * time.Hour

// refresh updates the stored bars or fetches all of them. superseded means that the source has
// changed its history.
func (s *CachedBars) refresh(ctx context.Context, sym market.Symbol, r market.Range, cached market.StoredBars, ok bool) (rec market.StoredBars, superseded bool, err error) {
	if ok && cached.Covers(r) {
		rec, check, err := s.extend(ctx, sym)
		if check == historyContinues || err != nil {
			return rec, false, err
		}
		superseded = check == historyDiffers
	}
	from := r.From
	if ok && (cached.From.IsZero() || cached.From.Before(from)) {
		from = cached.From
	}
	series, err := s.upstream.Bars(ctx, sym, market.Range{From: from})
	if err != nil {
		return market.StoredBars{}, superseded, err
	}
	rec = newRecord(series, from)
	rec.FullFetchAt = series.Provenance.FetchedAt
	stale := series.Provenance.Cache == market.CacheStale
	if stale && superseded {
		return market.StoredBars{}, superseded, staleError(series)
	}
	if !stale && !rec.Last.IsZero() {
		s.save(ctx, sym, rec, market.Date{})
	}
	return rec, superseded, nil
}

// historyCheck is the result of comparing the source's history with the stored one.
type historyCheck int

const (
	historyUnknown   historyCheck = iota // too few common sessions to tell
	historyContinues                     // the same history, possibly with new bars
	historyDiffers
)

// extend fetches the bars since the last fetch and some sessions before it, and checks that those match the
// stored ones. A history with too few sessions cannot be checked. A suspect history stays suspect as a whole
// and is extended for at most one day. Then all of it is fetched again, because a source can clear the flag
// only in a response with the whole history. If the new part is suspect for the first time, the next refresh
// fetches everything.
func (s *CachedBars) extend(ctx context.Context, sym market.Symbol) (market.StoredBars, historyCheck, error) {
	cached, ok := s.load(ctx, sym, market.Range{})
	final := len(cached.Series.Bars)
	if cached.Series.Provenance.Has(market.FlagProvisional) {
		final--
	}
	if !ok || final < overlapSessions || isDoubtful(cached.Series) && !s.withinRecheck(cached.FullFetchAt) {
		return market.StoredBars{}, historyUnknown, nil
	}
	cached.Series.Bars = cached.Series.Bars[:final]
	since := cached.Series.Bars[final-overlapSessions].Date
	latest, err := s.upstream.Bars(ctx, sym, market.Range{From: since})
	if errors.Is(err, market.ErrNoData) {
		return market.StoredBars{}, historyDiffers, nil // it had some of these days before
	}
	if err != nil {
		return market.StoredBars{}, historyUnknown, err
	}
	if latest.Provenance.Cache == market.CacheStale {
		return market.StoredBars{}, historyUnknown, staleError(latest)
	}
	if !continuesHistory(cached.Series, latest) {
		s.o.Log.Info().Str("symbol", string(sym)).Msg("the source changed its history; fetching all of it again")
		return market.StoredBars{}, historyDiffers, nil
	}
	rec := newRecord(joinSeries(cached.Series, latest, since), cached.From)
	rec.Revision, rec.FullFetchAt = cached.Revision, cached.FullFetchAt
	if !isDoubtful(cached.Series) && isDoubtful(latest) {
		// The doubt may concern the provisional bar of the current session, which a full fetch would replace.
		rec.FullFetchAt = time.Time{}
	}
	s.save(ctx, sym, rec, since)
	return rec, historyContinues, nil
}

// isDoubtful reports whether the source may still correct the series.
func isDoubtful(s market.Series) bool {
	return s.Provenance.Has(market.FlagSuspect) || s.Provenance.Has(market.FlagRepaired)
}

// withinRecheck reports whether a time is known to be less than recheckAfter ago.
func (s *CachedBars) withinRecheck(at time.Time) bool {
	age := s.o.Now().Sub(at)
	return !at.IsZero() && age >= 0 && age < recheckAfter
}

// staleError returns the error for a source that returned only its own stored bars, which are no newer than
// those stored here.
func staleError(s market.Series) error {
	return &market.SourceError{
		Source: s.Provenance.Source, Op: "bars of " + string(s.Symbol), Err: market.ErrUnavailable, Detail: "only older bars",
	}
}

func newRecord(s market.Series, from market.Date) market.StoredBars {
	rec := market.StoredBars{Series: s, From: from}
	if n := len(s.Bars); n > 0 {
		rec.Last = s.Bars[n-1].Date
	}
	return rec
}

// continuesHistory reports whether latest continues cached: same source, currency and adjustment,
// and equal closes on common days. Dividends may be known only for the latest part.
func continuesHistory(cached, latest market.Series) bool {
	a, b := cached.Provenance, latest.Provenance
	if a.Source != b.Source || a.Currency != b.Currency || a.QuotedCurrency != b.QuotedCurrency || a.Unit != b.Unit ||
		a.Adjustment != b.Adjustment || cached.Interval != latest.Interval || cached.Symbol != latest.Symbol ||
		!actionsComparable(cached, latest) || len(latest.Bars) == 0 {
		return false
	}
	common, moved, slack := 0, 0, tolerance(a.Adjustment)
	old := cached.Within(market.Range{From: latest.Bars[0].Date}).Bars
	for _, bar := range latest.Bars {
		for len(old) > 0 && old[0].Date.Before(bar.Date) {
			old = old[1:]
		}
		if len(old) == 0 || !old[0].Date.Equal(bar.Date) {
			continue
		}
		common++
		diff, previous := bar.Close.Sub(old[0].Close).Abs(), old[0].Close.Abs()
		if diff.GreaterThan(previous.Mul(slack)) {
			return false
		}
		if diff.GreaterThan(previous.Mul(roundingTolerance())) {
			moved++
		}
	}
	// Corrections affect only some days. If all closes differ, there was a small split.
	return common >= minOverlapSessions && moved < common
}

// actionsComparable reports whether both parts report actions the same way, or nothing happened that only one
// of them would report. If the dividends of cached are unknown, those of latest do not matter, because they
// remain unknown for the joined series.
func actionsComparable(cached, latest market.Series) bool {
	if cached.Actions == nil {
		return len(latest.Actions) == 0
	}
	return latest.Actions != nil && (cached.DividendsUnknown || !latest.DividendsUnknown)
}

// tolerance returns the fraction by which a close may differ from the stored one. Late corrections stay
// within 0.5%, most splits do not. With dividend adjustment, each dividend changes all history by its yield,
// which is often less than that, so only rounding is tolerated.
func tolerance(a market.Adjustment) decimal.Decimal {
	if a == market.AdjustmentSplitDiv {
		return roundingTolerance()
	}
	return decimal.New(5, -3)
}

// roundingTolerance returns the fraction by which the same close may differ because the source rounds.
func roundingTolerance() decimal.Decimal { return decimal.New(2, -4) }

// joinSeries returns old up to the day before since, followed by latest. Flags of old remain, because the
// doubt may concern days that latest does not cover. If the actions or dividends of old are unknown, so are
// those of the result.
func joinSeries(old, latest market.Series, since market.Date) market.Series {
	joined := latest
	before := old.Within(market.Range{To: latest.Bars[0].Date.AddDate(0, 0, -1)})
	joined.Bars = slices.Concat(before.Bars, latest.Bars)
	joined.Actions, joined.DividendsUnknown = nil, false
	if old.Actions != nil && latest.Actions != nil {
		joined.Actions, joined.DividendsUnknown = joinActions(old.Actions, latest.Actions, since), old.DividendsUnknown || latest.DividendsUnknown
	}
	if joined.DividendsUnknown {
		joined.Actions = slices.DeleteFunc(joined.Actions, func(a market.Action) bool { return a.Kind == market.ActionDividend })
	}
	unknown := old.Actions == nil && latest.Actions != nil || old.DividendsUnknown && !latest.DividendsUnknown
	doubtful := isDoubtful(old)
	for _, flag := range []market.Flag{market.FlagSuspect, market.FlagRepaired} {
		if old.Provenance.Has(flag) {
			joined.Provenance = joined.Provenance.With(flag)
		}
	}
	if doubtful || unknown {
		joined.Provenance.Note = joinNotes(old.Provenance.Note, latest.Provenance.Note) // may explain the flags
	}
	return joined
}

// joinNotes joins two notes unless the first already contains the second.
func joinNotes(note, added string) string {
	if strings.Contains(note, added) {
		return note
	}
	return strings.TrimSpace(note + " " + added)
}

// joinActions returns the actions of old before since and those of latest from then on. On since
// itself, old wins if it has any: a source checks a dividend against the previous close, which
// latest lacks on its first day.
func joinActions(old, latest []market.Action, since market.Date) []market.Action {
	onDay := func(a market.Action) bool { return a.Date.Equal(since) }
	checked := slices.ContainsFunc(old, onDay)
	joined := slices.DeleteFunc(slices.Clone(old), func(a market.Action) bool { return a.Date.After(since) || !checked && onDay(a) })
	for _, a := range latest {
		if a.Date.After(since) || !checked && onDay(a) {
			joined = append(joined, a)
		}
	}
	return joined
}
