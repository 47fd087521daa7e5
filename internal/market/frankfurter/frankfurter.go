package frankfurter

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch"
	"github.com/nfa-cli/nfa/internal/market/wire"
)

const (
	name    = "frankfurter"
	host    = "https://api.frankfurter.dev"
	licence = "European Central Bank, free with attribution; by Frankfurter"
)

const (
	freshNow  = time.Hour // a new day comes once a day, at no exact time
	freshPast = 7 * 24 * time.Hour
	stale     = 30 * 24 * time.Hour
	// longestGap is how far apart two days of rates lie at most.
	longestGap = 7 * 24 * time.Hour
)

// Options of a Source. The zero value asks the public service.
type Options struct {
	BaseURL string // of another instance; the public one where empty
	Now     func() time.Time
}

// Source is Frankfurter. It is safe for concurrent use.
type Source struct {
	o   Options
	tap *fetch.Source
}

var _ market.RateSource = (*Source)(nil)

// New returns the source. Nothing is asked before the first question.
func New(c *fetch.Client, o Options) *Source {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.BaseURL = strings.TrimRight(cmp.Or(o.BaseURL, host), "/")
	return &Source{o: o, tap: c.Source(fetch.Policy{Source: name, Rate: 1, Burst: 5, Timeout: 15 * time.Second})}
}

// Rates returns the reference rates of pair in r, or with an open begin the last
// one on or before its end. Pairs without the euro are crossed through it, on the
// days that have both legs. A range without rates yields ErrNoData. The service
// does not tell a currency that it never quoted from one that it did not quote in
// r: against the euro either yields ErrUnknownSymbol, against another ErrNoData.
func (s *Source) Rates(ctx context.Context, pair market.Pair, r market.Range) (market.RateSeries, error) {
	doing := "rate of " + pair.String()
	if err := ctx.Err(); err != nil {
		return market.RateSeries{}, err
	}
	switch {
	case !isCode(pair.Base) || !isCode(pair.Quote) || pair.Base == pair.Quote:
		return market.RateSeries{}, s.tap.Failed(doing, market.ErrUnknownSymbol, "it names no two currencies")
	case !r.To.IsZero() && (r.To.Before(r.From) || r.To.Before(firstDay())):
		return market.RateSeries{}, s.tap.Failed(doing, market.ErrNoData, "the first day of rates is "+firstDay().Format(time.DateOnly))
	}
	days, answer, err := s.days(ctx, doing, pair, r)
	if err != nil {
		return market.RateSeries{}, err
	}
	out := market.RateSeries{Pair: pair}
	for _, d := range days {
		// The service begins with the last day before a range.
		if value, ok := wire.Crossed(pair, d.rates); ok && r.Contains(d.date) {
			out.Rates = append(out.Rates, market.Rate{Date: d.date, Value: value})
		}
	}
	n := len(out.Rates)
	if n == 0 {
		return market.RateSeries{}, s.tap.Failed(doing, market.ErrNoData, "")
	}
	if r.From.IsZero() {
		out.Rates = out.Rates[n-1:]
	}
	out.Provenance = provenance(out, answer)
	return out, nil
}

// firstDay is the first on which the euro had rates.
func firstDay() market.Date { return time.Date(1999, 1, 4, 0, 0, 0, 0, time.UTC) }

func isCode(text string) bool {
	return len(text) == 3 && !strings.ContainsFunc(text, func(r rune) bool { return r < 'A' || r > 'Z' })
}

// days asks for the days of r. An answer that does not parse is not kept.
func (s *Source) days(ctx context.Context, doing string, pair market.Pair, r market.Range) ([]day, fetch.Response, error) {
	period, fresh := s.period(r)
	legs := legsOf(pair)
	values := url.Values{"base": {wire.Euro}, "symbols": {strings.Join(legs, ",")}}
	return fetch.Parsed(ctx, s.tap, fetch.Request{
		Doing: doing, URL: s.o.BaseURL + "/v1/" + period + "?" + values.Encode(), Kind: fetch.JSON, Fresh: fresh, Stale: stale, Check: refusal,
	}, func(body []byte) ([]day, error) { return parseDays(body, legs) })
}

// period is what of the history to ask for, and how long the answer stays good.
func (s *Source) period(r market.Range) (string, time.Duration) {
	today := s.o.Now().UTC().Truncate(24 * time.Hour)
	past := !r.To.IsZero() && r.To.Before(today)
	fresh := freshNow
	if past && today.Sub(r.To) > longestGap {
		fresh = freshPast
	}
	from := r.From
	if from.Before(firstDay()) {
		from = firstDay()
	}
	switch {
	case r.From.IsZero() && past:
		return r.To.Format(time.DateOnly), fresh
	case r.From.IsZero():
		return "latest", fresh
	case past:
		return from.Format(time.DateOnly) + ".." + r.To.Format(time.DateOnly), fresh
	}
	return from.Format(time.DateOnly) + "..", fresh
}

// refusal is what the service's own words mean.
func refusal(answer fetch.Response) error {
	var said struct{ Message string }
	if answer.Status == http.StatusOK || json.Unmarshal(answer.Body, &said) != nil || said.Message == "" {
		return nil
	}
	switch answer.Status {
	case http.StatusNotFound:
		return wire.Refused(market.ErrUnknownSymbol, said.Message)
	case http.StatusUnprocessableEntity:
		return wire.Refused(market.ErrNoData, said.Message)
	}
	return nil
}

func provenance(of market.RateSeries, answer fetch.Response) market.Provenance {
	return answer.Stamped(market.Provenance{
		Source: name, Endpoint: "v1", Licence: licence, AsOf: of.Rates[len(of.Rates)-1].Date,
		Currency: of.Quote, Unit: "rate", Adjustment: market.AdjustmentUnknown, Note: wire.CrossedNote(of.Pair),
	})
}
