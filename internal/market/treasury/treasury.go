package treasury

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	name    = "treasury"
	host    = "https://home.treasury.gov"
	path    = "/resource-center/data-chart-center/interest-rates/daily-treasury-rates.csv/"
	license = "US Department of the Treasury, public domain"
	// requestTimeout is long because the server generates some files on request.
	requestTimeout = 30 * time.Second
)

// Source reads data from the US Treasury. It is safe for concurrent use.
type Source struct {
	o      client.ProviderOptions
	client *client.Source
}

var _ market.CurveSource = (*Source)(nil)

// New returns the source. It uses BaseURL and Now of o and sends no request.
func New(c *client.Client, o client.ProviderOptions) *Source {
	o = o.WithDefaults(host)
	return &Source{o: o, client: c.Source(client.Policy{Source: name, Rate: 1, Burst: 2, InFlight: 2, Timeout: requestTimeout})}
}

// Provider describes this provider.
func Provider() client.Provider {
	return client.Provider{
		Name: "treasury", Provides: "US yield curves",
		New: func(c *client.Client, o client.ProviderOptions) any { return New(c, o) }, Probe: client.ProbeCurve(market.CurveTreasury),
		Gives:  "yield curves of the US Treasury: nominal since 1990, real since 2003",
		Limits: "1 request a second", Terms: "public domain",
	}
}

// curve is one of the Treasury's yield curves.
type curve struct {
	kind  string // as its URL contains it
	name  string
	since int // the first year
}

func curveOf(id string) (curve, bool) {
	switch id {
	case market.CurveTreasury:
		return curve{"daily_treasury_yield_curve", "US Treasury par yield curve", 1990}, true
	case market.CurveTreasuryReal:
		return curve{"daily_treasury_real_yield_curve", "US Treasury par real yield curve", 2003}, true
	}
	return curve{}, false
}

// YieldCurves returns the curves of r, oldest first; without a start, the last one on or before its
// end. Only the years of r are requested, one by one. A curve that is not the Treasury's yields
// ErrUnknownSymbol, a range without curves ErrNoData.
func (s *Source) YieldCurves(ctx context.Context, id string, r market.Range) ([]market.YieldCurve, error) {
	op := fmt.Sprintf("yield curve %.40q", id)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c, ok := curveOf(id)
	if !ok {
		return nil, s.client.NewError(op, market.ErrUnknownSymbol, "")
	}
	last := s.o.Now().In(client.NewYork()).Year()
	if !r.To.IsZero() {
		last = min(last, r.To.Year())
	}
	var found []market.YieldCurve
	var err error
	if r.From.IsZero() {
		found, err = s.newestCurve(ctx, c, last, r)
	} else {
		found, err = s.fetchYears(ctx, c, max(r.From.Year(), c.since), last, r)
	}
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, s.client.NewError(op, market.ErrNoData, "")
	}
	return found, nil
}

// newestCurve returns the last curve of r. In the first days of a year it is from the previous
// year.
func (s *Source) newestCurve(ctx context.Context, c curve, year int, r market.Range) ([]market.YieldCurve, error) {
	for _, y := range []int{year, year - 1} {
		if y < c.since {
			break
		}
		found, err := s.fetchYears(ctx, c, y, y, r)
		if err != nil {
			return nil, err
		}
		if n := len(found); n > 0 {
			return found[n-1:], nil
		}
	}
	return nil, nil
}

func (s *Source) fetchYears(ctx context.Context, c curve, from, to int, r market.Range) ([]market.YieldCurve, error) {
	var all []market.YieldCurve
	for y := from; y <= to; y++ {
		days, answer, err := s.fetchYear(ctx, c, y)
		if err != nil {
			return nil, err
		}
		for _, d := range days {
			if r.Contains(d.date) {
				all = append(all, c.yields(d, answer))
			}
		}
	}
	return all, nil
}

// fetchYear requests one file. A response that does not parse is not cached.
func (s *Source) fetchYear(ctx context.Context, c curve, year int) ([]day, client.Response, error) {
	op := fmt.Sprintf("%s of %d", c.name, year)
	values := url.Values{"type": {c.kind}, "field_tdr_date_value": {fmt.Sprint(year)}, "page": {""}, "_format": {"csv"}}
	fresh, stale := s.cacheAges(year)
	return client.GetParsed(ctx, s.client, client.Request{
		Op: op, URL: fmt.Sprintf("%s%s%d/all?%s", s.o.BaseURL, path, year, values.Encode()),
		Kind: client.CSV, Fresh: fresh, Stale: stale, Check: notFoundError,
	}, func(body []byte) ([]day, error) { return parseYear(body, year) })
}

// notFoundError handles status 404. The URL does not depend on the request, so a 404 means that the service
// is gone, not that the curve is unknown.
func notFoundError(answer client.Response) error {
	if answer.Status == http.StatusNotFound {
		return market.ErrUnavailable
	}
	return nil
}

func (c curve) yields(d day, answer client.Response) market.YieldCurve {
	p := answer.Stamp(market.Provenance{
		Source: name, Endpoint: strings.ReplaceAll(c.kind, "_", " "), License: license, AsOf: d.date, Unit: "percent",
		Adjustment: market.AdjustmentUnknown,
	})
	return market.YieldCurve{Name: c.name, Date: d.date, Tenors: slices.Clone(d.tenors), Provenance: p}
}

const (
	freshPast  = 30 * 24 * time.Hour // a past year does not change
	staleYears = 30 * 24 * time.Hour
	// publishStart and publishEnd are the hours between which the day's curve is published.
	publishStart, publishEnd = 15, 18
	retryRelease             = 10 * time.Minute
	// correctionDays is the number of days after the end of a year in which it may still be corrected.
	correctionDays = 10
)

// cacheAges returns how long a year's file is fresh, and how much longer it may replace the
// response of an unreachable server. The server takes many seconds per file.
func (s *Source) cacheAges(year int) (fresh, stale time.Duration) {
	now := s.o.Now().In(client.NewYork())
	if now.After(time.Date(year+1, time.January, correctionDays, 0, 0, 0, 0, now.Location())) {
		return freshPast, staleYears
	}
	today := func(hour int) time.Time {
		return time.Date(now.Year(), now.Month(), now.Day(), hour, 0, 0, 0, now.Location())
	}
	if isWeekday(now) && !now.Before(today(publishStart)) && now.Before(today(publishEnd)) {
		return retryRelease, staleYears
	}
	last := today(publishEnd)
	for last.After(now) || !isWeekday(last) {
		last = last.AddDate(0, 0, -1)
	}
	return now.Sub(last), staleYears
}

func isWeekday(t time.Time) bool { return t.Weekday() != time.Saturday && t.Weekday() != time.Sunday }
