package question

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

// Today is the calendar day of now in its own zone, as sessions are dated.
func Today(now time.Time) market.Date {
	y, m, d := now.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// Prices are those that were known at Now: a clock set back replays the past.
type Prices struct {
	Bars      market.BarSource
	Directory market.Directory
	Now       func() time.Time
}

// History fetches the bars of the instrument that text names within a span, none
// of them after Now, and the warnings that belong to them. It has at least one
// bar. Its errors are those of LookUp; a span without bars yields a
// market.ErrNoData that says where there are some.
func (p Prices) History(ctx context.Context, text string, sp Span) (market.Series, []string, error) {
	asked := market.Range{From: sp.From, To: Today(p.Now())}
	if !sp.To.IsZero() && sp.To.Before(asked.To) {
		asked.To = sp.To
	}
	fetched := asked
	if !asked.From.IsZero() {
		// Two months reach the monthly close before the first day, whatever
		// sessions the months end with.
		fetched.From = asked.From.AddDate(0, -2, 0)
	}
	series, err := LookUp(ctx, p.Directory, text, func(sym market.Symbol) (market.Series, error) {
		s, err := p.Bars.Bars(ctx, sym, fetched)
		// A source that knows no clamp must not show the future either.
		if s = s.Within(fetched); err == nil && len(s.Within(asked).Bars) == 0 {
			err = market.ErrNoData
		}
		if errors.Is(err, market.ErrNoData) {
			return s, p.noBars(ctx, sym, asked)
		}
		return s, err
	})
	if err != nil {
		return market.Series{}, nil, fmt.Errorf("bars of %s: %w", text, err)
	}
	cut, warnings := sp.Cut(series)
	return cut, warnings, nil
}

// noBars says what range would have had bars.
func (p Prices) noBars(ctx context.Context, sym market.Symbol, asked market.Range) error {
	all, err := p.Bars.Bars(ctx, sym, market.Range{To: Today(p.Now())})
	if err != nil {
		return err
	}
	all = all.Within(market.Range{To: Today(p.Now())})
	if len(all.Bars) == 0 {
		return fmt.Errorf("%w: none until %s", market.ErrNoData, present.Dated(asked.To))
	}
	next := sort.Search(len(all.Bars), func(i int) bool { return all.Bars[i].Date.After(asked.To) })
	if next == 0 || next == len(all.Bars) {
		return fmt.Errorf("%w: there are bars from %s to %s", market.ErrNoData,
			present.Dated(all.Bars[0].Date), present.Dated(all.Bars[len(all.Bars)-1].Date))
	}
	before, after := all.Bars[next-1], all.Bars[next]
	return fmt.Errorf("%w: no close %s; the series is %s, the closes around it are %s on %s and %s on %s (%s); ask from one of these days",
		market.ErrNoData, onOrBetween(asked), all.Interval, before.Close, present.Dated(before.Date), after.Close, present.Dated(after.Date), present.UnitOf(all.Provenance))
}

func onOrBetween(r market.Range) string {
	if r.From.Equal(r.To) {
		return "on " + present.Dated(r.To)
	}
	return fmt.Sprintf("from %s to %s", present.Dated(r.From), present.Dated(r.To))
}
