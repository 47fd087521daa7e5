package lineup

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

const (
	fetchedAtOnce = 4
	// lead is in days before the span: it begins with the last close that all have
	// on or before its first day, which is a month back where one of them is
	// monthly.
	lead = 92
	// enoughLead is how far apart the begins of two spans may be while that lead
	// still reaches the earlier one.
	enoughLead = lead - 2*31
)

// History fetches closes for returns: with dividends reinvested where the source
// tells them, else with splits undone where it tells those, else as they are, with a
// warning; what a return counts is then said of them. It is else as question.Prices has
// it.
func History(ctx context.Context, p question.Prices, text string, sp question.Span) (market.Series, []string, error) {
	series, warnings, err := p.History(ctx, text, sp)
	if err != nil {
		return series, warnings, err
	}
	if total, err := series.TotalReturn(); err == nil {
		return total, warnings, nil
	}
	if one, err := series.SplitAdjusted(); err == nil {
		series = one
	}
	if text := Untold(series); text != "" {
		warnings = append(warnings, text)
	}
	return series, warnings, nil
}

// Fetch fetches what is asked, one series for each text and in order, as History
// does and all at once. They reach from before the span until its end, for Align to
// cut: a range is counted back from the last close that all have, which may lie
// years before that of a series which goes on.
func Fetch(ctx context.Context, p question.Prices, asked []string, sp question.Span) ([]market.Series, error) {
	fetched, err := histories(ctx, p, asked, sp.Led(lead))
	if errors.Is(err, market.ErrNoData) && !sp.From.IsZero() && len(asked) > 1 {
		// Which window they do have in common can be said of whole series alone.
		fetched, err = histories(ctx, p, asked, question.Span{To: sp.To})
	}
	if err != nil {
		return nil, err
	}
	return reachingBack(ctx, p, asked, fetched, sp)
}

// reachingBack fetches those series once more that begin too late for a range that
// counts back from the common end.
func reachingBack(ctx context.Context, p question.Prices, asked []string, fetched []market.Series, sp question.Span) ([]market.Series, error) {
	if len(fetched) == 0 {
		return nil, nil
	}
	first := sp.Ending(lastOf(endingFirst(fetched))).From
	var late []int
	var again []string
	for i, s := range fetched {
		if sp.Ending(lastOf(s)).From.Sub(first) > enoughLead*24*time.Hour {
			late, again = append(late, i), append(again, asked[i])
		}
	}
	found, err := histories(ctx, p, again, question.Span{From: first, To: sp.To}.Led(lead))
	if err != nil {
		return nil, err
	}
	for n, i := range late {
		fetched[i] = found[n]
	}
	return fetched, nil
}

// histories fetches a span of several series at once.
func histories(ctx context.Context, p question.Prices, asked []string, sp question.Span) ([]market.Series, error) {
	fetched, causes := make([]market.Series, len(asked)), make([]error, len(asked))
	var group crash.Group
	group.SetLimit(fetchedAtOnce)
	for i, text := range asked {
		group.Go(func() error {
			// What warns of the ends of one series is said by Align of all of them.
			fetched[i], _, causes[i] = History(ctx, p, text, sp)
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("prices of %s: %w", strings.Join(asked, ", "), err)
	}
	return fetched, errors.Join(causes...)
}

// Beside puts a benchmark beside what is asked, unless it is among it, and tells
// which of all it is.
func Beside(asked []string, benchmark string) (all []string, at int) {
	benchmark = strings.TrimSpace(benchmark)
	at = slices.IndexFunc(asked, func(have string) bool { return strings.EqualFold(have, benchmark) })
	if at >= 0 {
		return asked, at
	}
	return append(slices.Clone(asked), benchmark), len(asked)
}

// Distinct are series with each symbol once, the first of it.
func Distinct(series []market.Series) []market.Series {
	var out []market.Series
	for _, s := range series {
		if !slices.ContainsFunc(out, func(have market.Series) bool { return have.Symbol == s.Symbol }) {
			out = append(out, s)
		}
	}
	return out
}

// Twice is why two of the texts that were asked for are one instrument, nil where
// all differ. series has one for each text, and may have more.
func Twice(asked []string, series []market.Series) error {
	named := map[market.Symbol]string{}
	for i, text := range asked {
		sym := series[i].Symbol
		if other, twice := named[sym]; twice {
			return fmt.Errorf("%s and %s are one instrument, %s; name it once", other, text, sym)
		}
		named[sym] = text
	}
	return nil
}
