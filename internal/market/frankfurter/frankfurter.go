package frankfurter

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	name    = "frankfurter"
	host    = "https://api.frankfurter.dev"
	license = "European Central Bank, free with attribution; by Frankfurter"
)

const (
	freshLatest = time.Hour // there is one new day per day, published at no exact time
	freshPast   = 7 * 24 * time.Hour
	stale       = 30 * 24 * time.Hour
	// maxRateGap is the longest time between two days with rates.
	maxRateGap = 7 * 24 * time.Hour
)

// Source reads data from Frankfurter. It is safe for concurrent use.
type Source struct {
	o      client.ProviderOptions
	client *client.Source
}

var _ market.RateSource = (*Source)(nil)

// New returns the source. It uses BaseURL and Now of o and sends no request.
func New(c *client.Client, o client.ProviderOptions) *Source {
	o = o.WithDefaults(host)
	return &Source{o: o, client: c.Source(client.Policy{Source: name, Rate: 1, Burst: 5, Timeout: 15 * time.Second})}
}

// Provider describes this provider.
func Provider() client.Provider {
	return client.Provider{
		Name: "frankfurter", Provides: "exchange rates",
		New: func(c *client.Client, o client.ProviderOptions) any { return New(c, o) }, Probe: client.ProbeRate,
		Gives:  "the same rates, if the ECB does not respond",
		Limits: "1 request a second", Terms: "free with attribution",
	}
}

// Rates returns the reference rates of pair in r; without a start, the last one on or before its
// end. Pairs without the euro are cross rates, on the days with both legs. A range without rates
// yields ErrNoData. The service does not distinguish a currency that it never quoted from one not
// quoted in r: with the euro both yield ErrUnknownSymbol, otherwise ErrNoData.
func (s *Source) Rates(ctx context.Context, pair market.Pair, r market.Range) (market.RateSeries, error) {
	op := "rate of " + pair.String()
	if err := ctx.Err(); err != nil {
		return market.RateSeries{}, err
	}
	switch {
	case !isCurrencyCode(pair.Base) || !isCurrencyCode(pair.Quote) || pair.Base == pair.Quote:
		return market.RateSeries{}, s.client.NewError(op, market.ErrUnknownSymbol, "not a pair of two currencies")
	case !r.To.IsZero() && (r.To.Before(r.From) || r.To.Before(firstDay())):
		return market.RateSeries{}, s.client.NewError(op, market.ErrNoData, "rates start at "+firstDay().Format(time.DateOnly))
	}
	days, answer, err := s.fetchDays(ctx, op, pair, r)
	if err != nil {
		return market.RateSeries{}, err
	}
	out := market.RateSeries{Pair: pair}
	for _, d := range days {
		// A response starts with the last day before the range.
		if value, ok := client.CrossRate(pair, d.rates); ok && r.Contains(d.date) {
			out.Rates = append(out.Rates, market.Rate{Date: d.date, Value: value})
		}
	}
	n := len(out.Rates)
	if n == 0 {
		return market.RateSeries{}, s.client.NewError(op, market.ErrNoData, "")
	}
	if r.From.IsZero() {
		out.Rates = out.Rates[n-1:]
	}
	out.Provenance = newProvenance(out, answer)
	return out, nil
}

// firstDay returns the first day on which the euro had rates.
func firstDay() market.Date { return time.Date(1999, 1, 4, 0, 0, 0, 0, time.UTC) }

func isCurrencyCode(text string) bool {
	return len(text) == 3 && !strings.ContainsFunc(text, func(r rune) bool { return r < 'A' || r > 'Z' })
}

// fetchDays requests the days of r. A response that does not parse is not cached.
func (s *Source) fetchDays(ctx context.Context, op string, pair market.Pair, r market.Range) ([]day, client.Response, error) {
	period, fresh := s.datePath(r)
	legs := legsOf(pair)
	values := url.Values{"base": {client.Euro}, "symbols": {strings.Join(legs, ",")}}
	return client.GetParsed(ctx, s.client, client.Request{
		Op: op, URL: s.o.BaseURL + "/v1/" + period + "?" + values.Encode(), Kind: client.JSON, Fresh: fresh, Stale: stale, Check: responseError,
	}, func(body []byte) ([]day, error) { return parseDays(body, legs) })
}

// datePath returns the path for the days to request, and how long the response stays fresh.
func (s *Source) datePath(r market.Range) (string, time.Duration) {
	today := s.o.Now().UTC().Truncate(24 * time.Hour)
	past := !r.To.IsZero() && r.To.Before(today)
	fresh := freshLatest
	if past && today.Sub(r.To) > maxRateGap {
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

// responseError interprets the service's error messages.
func responseError(answer client.Response) error {
	var body struct{ Message string }
	if answer.Status == http.StatusOK || json.Unmarshal(answer.Body, &body) != nil || body.Message == "" {
		return nil
	}
	switch answer.Status {
	case http.StatusNotFound:
		return client.RefusalError(market.ErrUnknownSymbol, body.Message)
	case http.StatusUnprocessableEntity:
		return client.RefusalError(market.ErrNoData, body.Message)
	}
	return nil
}

func newProvenance(series market.RateSeries, answer client.Response) market.Provenance {
	return answer.Stamp(market.Provenance{
		Source: name, Endpoint: "v1", License: license, AsOf: series.Rates[len(series.Rates)-1].Date,
		Currency: series.Quote, Unit: "rate", Adjustment: market.AdjustmentUnknown, Note: client.CrossRateNote(series.Pair),
	})
}

// legsOf returns the currencies of a pair whose euro rates are needed.
func legsOf(pair market.Pair) []string {
	return slices.DeleteFunc([]string{pair.Base, pair.Quote}, func(code string) bool { return code == client.Euro })
}

// day holds the rates of one euro on one day.
type day struct {
	date  market.Date
	rates map[string]decimal.Decimal
}

// ratesResponse has the rates of one day and its date, or those of several days by date.
type ratesResponse struct {
	Amount json.Number
	Base   string
	Date   string
	Rates  map[string]json.RawMessage
}

// parseDays parses the rates of one or several days, oldest first. A day that lacks one of the currencies
// keeps the other.
func parseDays(body []byte, legs []string) ([]day, error) {
	var a ratesResponse
	if json.Unmarshal(body, &a) != nil || a.Rates == nil {
		return nil, client.Malformedf("no rates")
	}
	if amount, ok := parseNumber(a.Amount); a.Base != client.Euro || !ok || !amount.Equal(decimal.NewFromInt(1)) {
		return nil, client.Malformedf("rates are for %.10q %.10q instead of one euro", a.Amount, a.Base)
	}
	if a.Date != "" {
		d, err := parseDay(a.Date, body, legs)
		return []day{d}, err
	}
	out := make([]day, 0, len(a.Rates))
	for date, text := range a.Rates {
		d, err := parseDay(date, append(append([]byte(`{"rates":`), text...), '}'), legs)
		if err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	slices.SortFunc(out, func(a, b day) int { return a.date.Compare(b.date) })
	return out, nil
}

func parseDay(date string, body []byte, legs []string) (day, error) {
	parsed, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return day{}, client.Malformedf("invalid date %.20q", date)
	}
	var b struct{ Rates map[string]json.Number }
	if json.Unmarshal(body, &b) != nil {
		return day{}, client.Malformedf("no rates for %s", date)
	}
	d := day{parsed, make(map[string]decimal.Decimal, len(legs))}
	for code, text := range b.Rates {
		if !slices.Contains(legs, code) {
			return day{}, client.Malformedf("response has unexpected currency %.10q", code)
		}
		rate, ok := parseNumber(text)
		if !ok || !rate.IsPositive() {
			return day{}, client.Malformedf("invalid rate %.20q for %s", text, code)
		}
		d.rates[code] = rate
	}
	return d, nil
}

// parseNumber parses a number. The service never uses exponents.
func parseNumber(text json.Number) (decimal.Decimal, bool) {
	const longest = 30
	return client.ParsePlainDecimal(text.String(), longest)
}
