// Package finnhub asks Finnhub with the user's own key: prices, profiles and news
// of companies of the United States. History is not part of its free plan, and not
// asked for.
package finnhub

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch"
)

const (
	name    = "finnhub"
	licence = "Finnhub terms of service: the key's owner, personal use"
	host    = "https://finnhub.io"
	howTo   = "set a key with: nfa auth set finnhub, or FINNHUB_API_KEY"
)

// Options of a Source.
type Options struct {
	BaseURL string // the real one where empty
	// Key is asked for at each question. Without one, nil or empty, every call
	// yields ErrNotConfigured.
	Key func() string
	Now func() time.Time
}

// Source is Finnhub. It is safe for concurrent use.
type Source struct {
	o   Options
	tap *fetch.Source
}

var (
	_ market.QuoteSource   = (*Source)(nil)
	_ market.ProfileSource = (*Source)(nil)
	_ market.NewsSource    = (*Source)(nil)
)

// New returns the source. Nothing is asked before the first question.
func New(c *fetch.Client, o Options) *Source {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.BaseURL = strings.TrimRight(cmp.Or(o.BaseURL, host), "/")
	return &Source{o: o, tap: c.Source(fetch.Policy{
		Source: name, Rate: 1, Burst: 5, InFlight: 2, Timeout: 15 * time.Second, MaxBytes: 8 << 20,
		Header: http.Header{"Accept": {"application/json"}},
	})}
}

// get asks for a path about sym with the key in the header. What does not parse is
// not kept.
func get[T any](ctx context.Context, s *Source, sym market.Symbol, r fetch.Request, values url.Values, parse func([]byte) (T, error)) (T, fetch.Response, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, fetch.Response{}, err
	}
	if s.o.Key == nil || s.o.Key() == "" {
		return none, fetch.Response{}, s.tap.Failed(r.Doing, market.ErrNotConfigured, howTo)
	}
	if !american(sym) {
		return none, fetch.Response{}, s.tap.Failed(r.Doing, market.ErrUnknownSymbol, "listings of the United States alone")
	}
	values.Set("symbol", string(sym))
	r.URL, r.Kind, r.Header = s.o.BaseURL+"/api/v1"+r.URL+"?"+values.Encode(), fetch.JSON, http.Header{"X-Finnhub-Token": {s.o.Key()}}
	r.Check = func(a fetch.Response) error {
		if a.Status != http.StatusOK {
			return nil
		}
		_, err := parse(a.Body)
		return err
	}
	answer, err := s.tap.Get(ctx, r)
	if err != nil {
		return none, answer, err
	}
	out, err := parse(answer.Body)
	if err != nil {
		err = s.tap.Failed(r.Doing, err, "")
	}
	return out, answer, err
}

// decode reads JSON that is not a refusal. What the decoder says may quote the body
// and is left out.
func decode(body []byte, into any) error {
	var refusal struct{ Error string }
	if json.Unmarshal(body, &refusal) == nil && refusal.Error != "" {
		sentinel, low := market.ErrMalformed, strings.ToLower(refusal.Error)
		switch {
		case strings.Contains(low, "limit"):
			sentinel = market.ErrRateLimited
		case strings.Contains(low, "access") || strings.Contains(low, "api key"):
			sentinel = market.ErrAuth
		}
		return fmt.Errorf("%w: %s", sentinel, clean(refusal.Error, 160))
	}
	if json.Unmarshal(body, into) != nil {
		return malformed("not the JSON that was expected")
	}
	return nil
}

func malformed(format string, args ...any) error {
	return fmt.Errorf("%w: %s", market.ErrMalformed, fmt.Sprintf(format, args...))
}

// figure is a number; null and what is none is absent. The bounds keep a hostile
// exponent from becoming a million digits.
type figure struct{ decimal.NullDecimal }

// UnmarshalJSON takes what is no number as absent.
func (f *figure) UnmarshalJSON(text []byte) error {
	f.NullDecimal = decimal.NullDecimal{}
	d, err := decimal.NewFromString(string(text[:min(len(text), 40)]))
	if err == nil && len(text) <= 40 && d.Exponent() >= -20 && d.Exponent() <= 20 {
		f.NullDecimal = decimal.NewNullDecimal(d)
	}
	return nil
}

// price is the figure where it is above zero: Finnhub writes zero for prices that
// it does not have.
func (f figure) price() decimal.NullDecimal {
	if f.Valid && f.Decimal.IsPositive() {
		return f.NullDecimal
	}
	return decimal.NullDecimal{}
}

// clean is outside text on one line, without control characters, and bounded.
func clean(text string, most int) string {
	words := strings.FieldsFunc(strings.ToValidUTF8(text, ""), func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) })
	if runes := []rune(strings.Join(words, " ")); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return strings.Join(words, " ")
}

// american reports whether sym can be listed in the United States: a suffix of one
// letter is a class of share, unless it is London's, Tokyo's, Frankfurt's or
// Toronto's.
func american(sym market.Symbol) bool {
	_, class, dotted := strings.Cut(string(sym), ".")
	return sym != "" && !strings.ContainsAny(string(sym), "^=-&") && (!dotted || len(class) == 1 && !strings.Contains("LTFV", class))
}

// origin begins the provenance of an answer.
func origin(endpoint string, asOf time.Time, answer fetch.Response) market.Provenance {
	p := market.Provenance{
		Source: name, Endpoint: endpoint, Licence: licence, AsOf: asOf, FetchedAt: answer.FetchedAt, Cache: answer.Cache, Adjustment: market.AdjustmentUnknown,
	}
	if asOf.IsZero() {
		p.AsOf = answer.FetchedAt
	}
	if answer.Cache == market.CacheStale {
		p = p.With(market.FlagStale)
	}
	return p
}
