package cached

import (
	"context"
	"errors"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// Sessions that are fetched again at each refresh, and how many of them have to
// be there to tell that history is still the same.
const (
	overlap      = 10
	leastOverlap = 5
)

// doubted is how long a history that is doubtful is not fetched whole again: while its
// exchange trades it is refreshed many times a day.
const doubted = 24 * time.Hour

// renew brings what is kept up to date, or fetches it whole. It reports
// superseded where the source was seen to tell another history than the kept one.
func (s *Source) renew(ctx context.Context, sym market.Symbol, r market.Range, kept market.StoredBars, ok bool) (is market.StoredBars, superseded bool, err error) {
	if ok && kept.Covers(r) {
		is, said, err := s.extend(ctx, sym)
		if said == continues || err != nil {
			return is, false, err
		}
		superseded = said == differs
	}
	from := r.From
	if ok && (kept.From.IsZero() || kept.From.Before(from)) {
		from = kept.From
	}
	whole, err := s.from.Bars(ctx, sym, market.Range{From: from})
	if err != nil {
		return market.StoredBars{}, superseded, err
	}
	is = record(whole, from)
	is.Whole = whole.Provenance.FetchedAt
	old := whole.Provenance.Cache == market.CacheStale
	if old && superseded {
		return market.StoredBars{}, superseded, older(whole)
	}
	if !old && !is.Last.IsZero() {
		s.save(ctx, sym, is, market.Date{})
	}
	return is, superseded, nil
}

// verdict is what a source says of the history that is kept of it.
type verdict int

const (
	unasked   verdict = iota // its newest sessions would not tell
	continues                // the same, and maybe more
	differs
)

// extend fetches what has come since, and some sessions before it, to see whether
// those are what is kept. Of a short history that cannot be told. A doubtful one keeps
// its doubt, which is of the whole, and is not extended for longer than a day: then
// the whole is asked for, of which alone its source may say that it is mended. Where the
// doubt is new it is asked for the next time.
func (s *Source) extend(ctx context.Context, sym market.Symbol) (market.StoredBars, verdict, error) {
	kept, ok := s.load(ctx, sym, market.Range{})
	final := len(kept.Series.Bars)
	if kept.Series.Provenance.Has(market.FlagProvisional) {
		final--
	}
	if !ok || final < overlap || kept.Series.Provenance.Has(market.FlagSuspect) && !s.lately(kept.Whole) {
		return market.StoredBars{}, unasked, nil
	}
	kept.Series.Bars = kept.Series.Bars[:final]
	since := kept.Series.Bars[final-overlap].Date
	news, err := s.from.Bars(ctx, sym, market.Range{From: since})
	if errors.Is(err, market.ErrNoData) {
		return market.StoredBars{}, differs, nil // it had some of these days before
	}
	if err != nil {
		return market.StoredBars{}, unasked, err
	}
	if news.Provenance.Cache == market.CacheStale {
		return market.StoredBars{}, unasked, older(news)
	}
	if !fits(kept.Series, news) {
		s.o.Log.Info().Str("symbol", string(sym)).Msg("history was changed by its source: all of it is fetched again")
		return market.StoredBars{}, differs, nil
	}
	is := record(join(kept.Series, news, since), kept.From)
	is.Revision, is.Whole = kept.Revision, kept.Whole
	if !kept.Series.Provenance.Has(market.FlagSuspect) && news.Provenance.Has(market.FlagSuspect) {
		// It may be of the bar of a session that goes on, which is replaced: no whole
		// that was fetched before says whether it stays.
		is.Whole = time.Time{}
	}
	s.save(ctx, sym, is, since)
	return is, continues, nil
}

// lately reports whether a moment is known to lie in the last day.
func (s *Source) lately(at time.Time) bool {
	age := s.o.Now().Sub(at)
	return !at.IsZero() && age >= 0 && age < doubted
}

// older is the error of a source that does not answer but from a store of its
// own: that is no newer than what is kept here.
func older(s market.Series) error {
	return &market.SourceError{
		Source: s.Provenance.Source, Doing: "bars of " + string(s.Symbol), Err: market.ErrUnavailable, Detail: "only older bars",
	}
}

func record(s market.Series, from market.Date) market.StoredBars {
	is := market.StoredBars{Series: s, From: from}
	if n := len(s.Bars); n > 0 {
		is.Last = s.Bars[n-1].Date
	}
	return is
}

// fits reports whether news continues kept: the same source's prices, in the same
// currency and at the same level, and the same closes where both have one. The dividends
// of a part may be known where those of the whole are not.
func fits(kept, news market.Series) bool {
	a, b := kept.Provenance, news.Provenance
	if a.Source != b.Source || a.Currency != b.Currency || a.QuotedCurrency != b.QuotedCurrency || a.Unit != b.Unit ||
		a.Adjustment != b.Adjustment || kept.Interval != news.Interval || kept.Symbol != news.Symbol ||
		!tellsOn(kept, news) || len(news.Bars) == 0 {
		return false
	}
	common, moved, slack := 0, 0, tolerance(a.Adjustment)
	old := kept.Within(market.Range{From: news.Bars[0].Date}).Bars
	for _, bar := range news.Bars {
		for len(old) > 0 && old[0].Date.Before(bar.Date) {
			old = old[1:]
		}
		if len(old) == 0 || !old[0].Date.Equal(bar.Date) {
			continue
		}
		common++
		by, whole := bar.Close.Sub(old[0].Close).Abs(), old[0].Close.Abs()
		if by.GreaterThan(whole.Mul(slack)) {
			return false
		}
		if by.GreaterThan(whole.Mul(rounding())) {
			moved++
		}
	}
	// Corrections are of some days. What moves all of them is a small split.
	return common >= leastOverlap && moved < common
}

// tellsOn reports whether what happened to the shares is known of news as it is of
// kept, or nothing did that would be known of the one and not of the other. Where no
// dividend of kept is known, those of news do not matter: of the whole they would be
// as unknown again.
func tellsOn(kept, news market.Series) bool {
	if kept.Actions == nil {
		return len(news.Actions) == 0
	}
	return news.Actions != nil && (kept.DividendsUnknown || !news.DividendsUnknown)
}

// tolerance is how far a close may differ from the kept one, as a part of it.
// Late corrections are within half a per cent, splits are mostly not. Where prices
// are adjusted for dividends each dividend moves all of history by its yield, which
// is often less: there only the rounding of sources is let pass.
func tolerance(a market.Adjustment) decimal.Decimal {
	if a == market.AdjustmentSplitDiv {
		return rounding()
	}
	return decimal.New(5, -3)
}

// rounding is how far the same close may differ by the digits that sources give.
func rounding() decimal.Decimal { return decimal.New(2, -4) }
