package ecb

import (
	"context"
	"fmt"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	// ninetyDayReach is how far back the 90-day history certainly goes.
	ninetyDayReach = 85 * 24 * time.Hour
	// maxRateGap is the longest time between two days with rates: five days at Easter, and some margin.
	maxRateGap = 7 * 24 * time.Hour
)

// rateFile is a file of reference rates and its name in results.
type rateFile struct {
	path, endpoint string
	kind           client.BodyKind
}

func dailyFile() rateFile {
	return rateFile{"/stats/eurofxref/eurofxref-daily.xml", "eurofxref daily", client.XML}
}

func ninetyDayFile() rateFile {
	return rateFile{"/stats/eurofxref/eurofxref-hist-90d.xml", "eurofxref 90 days", client.XML}
}

func historyFile() rateFile {
	return rateFile{"/stats/eurofxref/eurofxref-hist.zip", "eurofxref history", client.AnyBody}
}

// Rates returns the reference rates of pair in r; without a start, the last one on or before its
// end, however old. Pairs without the euro are cross rates, on the days with both legs. A currency
// that the ECB never quoted yields ErrUnknownSymbol, one not quoted in r ErrNoData.
func (s *Source) Rates(ctx context.Context, pair market.Pair, r market.Range) (market.RateSeries, error) {
	op := "rate of " + pair.String()
	if err := ctx.Err(); err != nil {
		return market.RateSeries{}, err
	}
	if pair.Base == pair.Quote {
		return market.RateSeries{}, s.client.NewError(op, market.ErrUnknownSymbol, "both currencies are the same")
	}
	if !r.To.IsZero() && r.To.Before(r.From) {
		return market.RateSeries{}, s.client.NewError(op, market.ErrNoData, "the range ends before it starts")
	}
	begin := s.firstNeededDay(r)
	for _, p := range s.rateFiles(r, begin) {
		rates, answer, err := get(ctx, s, apiRequest{
			op: op, url: s.at(hostRates, p.path), kind: p.kind, fresh: freshLatest, notFoundErr: market.ErrUnavailable,
		}, rateTableParser(pair))
		if err != nil {
			return market.RateSeries{}, err
		}
		complete := p == historyFile()
		if code := rates.missingCurrency(pair); code != "" {
			if complete {
				return market.RateSeries{}, s.client.NewError(op, market.ErrUnknownSymbol, fmt.Sprintf("the ECB does not quote %.10q", code))
			}
			continue // it may have been quoted once
		}
		out := rates.crossRates(pair, r)
		if !complete && (len(out.Rates) == 0 || p == ninetyDayFile() && rates.days[0].date.After(begin)) {
			continue // the file does not reach back as far
		}
		if len(out.Rates) == 0 {
			return market.RateSeries{}, s.client.NewError(op, market.ErrNoData, rates.coverageNote(pair))
		}
		return withProvenance(out, rates, r, p, answer), nil
	}
	return market.RateSeries{}, s.client.NewError(op, market.ErrNoData, "")
}

// firstNeededDay returns the first day needed for r. If only the last rate is requested, it is some days
// earlier, because of holidays.
func (s *Source) firstNeededDay(r market.Range) market.Date {
	today := s.today()
	switch {
	case !r.From.IsZero():
		return r.From
	case !r.To.IsZero() && r.To.Before(today):
		return r.To.Add(-maxRateGap)
	}
	return today.Add(-maxRateGap)
}

// rateFiles returns the files that may have the rates of r, smallest first.
func (s *Source) rateFiles(r market.Range, begin market.Date) []rateFile {
	today := s.today()
	switch {
	case r.From.IsZero() && (r.To.IsZero() || !r.To.Before(today)):
		return []rateFile{dailyFile(), historyFile()}
	case today.Sub(begin) <= ninetyDayReach:
		return []rateFile{ninetyDayFile(), historyFile()}
	}
	return []rateFile{historyFile()}
}

// missingCurrency returns the currency of the pair that has no column, or "" if both have one.
func (s rateTable) missingCurrency(pair market.Pair) string {
	for _, code := range []string{pair.Base, pair.Quote} {
		if code != client.Euro && !s.currencies[code] {
			return code
		}
	}
	return ""
}

// crossRates returns the rates on days in r with both legs, or only the last one if r has no start.
func (s rateTable) crossRates(pair market.Pair, r market.Range) market.RateSeries {
	out := market.RateSeries{Pair: pair}
	for _, d := range s.days {
		if value, ok := client.CrossRate(pair, d.rates); ok && r.Contains(d.date) {
			out.Rates = append(out.Rates, market.Rate{Date: d.date, Value: value})
		}
	}
	if n := len(out.Rates); n > 0 && r.From.IsZero() {
		out.Rates = out.Rates[n-1:]
	}
	return out
}

// coverageNote states the dates for which a pair has rates.
func (s rateTable) coverageNote(pair market.Pair) string {
	all := s.crossRates(pair, market.Range{From: s.days[0].date}).Rates
	if len(all) == 0 {
		return "no day has rates for both currencies"
	}
	return fmt.Sprintf("rates run from %s to %s", all[0].Date.Format(time.DateOnly), all[len(all)-1].Date.Format(time.DateOnly))
}

// withProvenance adds the provenance and its notes to the series.
func withProvenance(out market.RateSeries, table rateTable, r market.Range, p rateFile, answer client.Response) market.RateSeries {
	last := out.Rates[len(out.Rates)-1].Date
	origin := newProvenance(p.endpoint, answer)
	origin.AsOf, origin.Currency, origin.Unit = last, out.Quote, "rate"
	origin.Note = client.CrossRateNote(out.Pair)
	end := table.days[len(table.days)-1].date
	if !r.To.IsZero() && r.To.Before(end) {
		end = r.To
	}
	if end.Sub(last) > maxRateGap {
		origin.Note += fmt.Sprintf(" There are no rates after %s.", last.Format(time.DateOnly))
	}
	out.Provenance = origin
	return out
}
