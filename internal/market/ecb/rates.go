package ecb

import (
	"context"
	"fmt"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch"
	"github.com/nfa-cli/nfa/internal/market/wire"
)

const (
	// ninetyDays is what the short history surely holds of its ninety.
	ninetyDays = 85 * 24 * time.Hour
	// longestGap is how far apart two days of rates lie at most: Easter takes five.
	longestGap = 7 * 24 * time.Hour
)

// publication is a file of reference rates and what it is called in results.
type publication struct {
	path, endpoint string
	kind           fetch.Kind
}

func daily() publication {
	return publication{"/stats/eurofxref/eurofxref-daily.xml", "eurofxref daily", fetch.XML}
}

func quarter() publication {
	return publication{"/stats/eurofxref/eurofxref-hist-90d.xml", "eurofxref 90 days", fetch.XML}
}

func history() publication {
	return publication{"/stats/eurofxref/eurofxref-hist.zip", "eurofxref history", fetch.Any}
}

// Rates returns the reference rates of pair in r, or with an open begin the last
// one on or before its end, however long ago. Pairs without the euro are crossed
// through it, on the days that have both legs. A currency that the ECB never
// quoted yields ErrUnknownSymbol, one that it does not quote in r ErrNoData.
func (s *Source) Rates(ctx context.Context, pair market.Pair, r market.Range) (market.RateSeries, error) {
	doing := "rate of " + pair.String()
	if err := ctx.Err(); err != nil {
		return market.RateSeries{}, err
	}
	if pair.Base == pair.Quote {
		return market.RateSeries{}, s.tap.Failed(doing, market.ErrUnknownSymbol, "a currency in itself has no rate")
	}
	if !r.To.IsZero() && r.To.Before(r.From) {
		return market.RateSeries{}, s.tap.Failed(doing, market.ErrNoData, "the range ends before it begins")
	}
	begin := s.begin(r)
	for _, p := range s.publications(r, begin) {
		all, answer, err := get(ctx, s, question{
			doing: doing, url: s.at(hostRates, p.path), kind: p.kind, fresh: freshNow, missing: market.ErrUnavailable,
		}, sheetParser(pair))
		if err != nil {
			return market.RateSeries{}, err
		}
		whole := p == history()
		if code := all.lacks(pair); code != "" {
			if whole {
				return market.RateSeries{}, s.tap.Failed(doing, market.ErrUnknownSymbol, fmt.Sprintf("the ECB does not quote %.10q", code))
			}
			continue // it may have been quoted once
		}
		out := all.cross(pair, r)
		if !whole && (len(out.Rates) == 0 || p == quarter() && all.days[0].date.After(begin)) {
			continue // the file does not reach back as far
		}
		if len(out.Rates) == 0 {
			return market.RateSeries{}, s.tap.Failed(doing, market.ErrNoData, all.span(pair))
		}
		return described(out, all, r, p, answer), nil
	}
	return market.RateSeries{}, s.tap.Failed(doing, market.ErrNoData, "")
}

// begin is the first day that is needed to answer r. Where only the last rate is
// asked for, the days before it may be holidays.
func (s *Source) begin(r market.Range) market.Date {
	today := s.today()
	switch {
	case !r.From.IsZero():
		return r.From
	case !r.To.IsZero() && r.To.Before(today):
		return r.To.Add(-longestGap)
	}
	return today.Add(-longestGap)
}

// publications are the files that may answer r, the smallest first.
func (s *Source) publications(r market.Range, begin market.Date) []publication {
	today := s.today()
	switch {
	case r.From.IsZero() && (r.To.IsZero() || !r.To.Before(today)):
		return []publication{daily(), history()}
	case today.Sub(begin) <= ninetyDays:
		return []publication{quarter(), history()}
	}
	return []publication{history()}
}

// lacks is the currency of the pair that has no column, "" where both have.
func (s sheet) lacks(pair market.Pair) string {
	for _, code := range []string{pair.Base, pair.Quote} {
		if code != wire.Euro && !s.currencies[code] {
			return code
		}
	}
	return ""
}

// cross is the pair on the days of r that have both legs; the last of them alone
// where r has no begin.
func (s sheet) cross(pair market.Pair, r market.Range) market.RateSeries {
	out := market.RateSeries{Pair: pair}
	for _, d := range s.days {
		if value, ok := wire.Crossed(pair, d.rates); ok && r.Contains(d.date) {
			out.Rates = append(out.Rates, market.Rate{Date: d.date, Value: value})
		}
	}
	if n := len(out.Rates); n > 0 && r.From.IsZero() {
		out.Rates = out.Rates[n-1:]
	}
	return out
}

// span says when a pair has rates at all.
func (s sheet) span(pair market.Pair) string {
	all := s.cross(pair, market.Range{From: s.days[0].date}).Rates
	if len(all) == 0 {
		return "its currencies were never quoted on the same day"
	}
	return fmt.Sprintf("rates run from %s to %s", all[0].Date.Format(time.DateOnly), all[len(all)-1].Date.Format(time.DateOnly))
}

// described is the series with what a reader must know of it.
func described(out market.RateSeries, from sheet, r market.Range, p publication, answer fetch.Response) market.RateSeries {
	last := out.Rates[len(out.Rates)-1].Date
	origin := provenance(p.endpoint, answer)
	origin.AsOf, origin.Currency, origin.Unit = last, out.Quote, "rate"
	origin.Note = wire.CrossedNote(out.Pair)
	end := from.days[len(from.days)-1].date
	if !r.To.IsZero() && r.To.Before(end) {
		end = r.To
	}
	if end.Sub(last) > longestGap {
		origin.Note += fmt.Sprintf(" There is none after %s.", last.Format(time.DateOnly))
	}
	out.Provenance = origin
	return out
}
