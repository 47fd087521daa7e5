// Package massive asks Massive, which was Polygon, with the user's own key: daily
// bars of the United States adjusted for splits, their dividends and splits, closes,
// profiles and news. The free plan bears five questions a minute and reaches two
// years back.
package massive

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
	name    = "massive"
	licence = "Massive market data terms: the key's owner, personal use"
	host    = "https://api.massive.com"
	howTo   = "set a key with: nfa auth set massive, or MASSIVE_API_KEY"
)

// Options of a Source.
type Options struct {
	BaseURL string // the real one where empty
	// Key is asked for at each question. Without one, nil or empty, every call
	// yields ErrNotConfigured.
	Key func() string
	Now func() time.Time
}

// Source is Massive. It is safe for concurrent use.
type Source struct {
	o   Options
	tap *fetch.Source
}

var (
	_ market.QuoteSource   = (*Source)(nil)
	_ market.BarSource     = (*Source)(nil)
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
		Source: name, Rate: 5.0 / 60, Burst: 5, InFlight: 2, Timeout: 20 * time.Second, MaxBytes: 16 << 20,
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
	r.URL, r.Kind, r.Header = s.o.BaseURL+r.URL+"?"+values.Encode(), fetch.JSON, http.Header{"Authorization": {"Bearer " + s.o.Key()}}
	var checked T
	var done bool
	r.Check = func(a fetch.Response) (err error) {
		if a.Status != http.StatusOK {
			return nil
		}
		checked, err = parse(a.Body)
		done = err == nil
		return err
	}
	answer, err := s.tap.Get(ctx, r)
	if err != nil {
		return none, answer, err
	}
	if done && answer.Cache == market.CacheMiss {
		return checked, answer, nil // long histories take as long to parse as to fetch
	}
	out, err := parse(answer.Body)
	if err != nil {
		err = s.tap.Failed(r.Doing, err, "")
	}
	return out, answer, err
}

// decode reads an answer that says of itself that it is one.
func decode(body []byte, into any) error {
	var envelope struct{ Status, Error, Message string }
	if json.Unmarshal(body, &envelope) != nil {
		return malformed("not the JSON that was expected")
	}
	said := clean(envelope.Error+envelope.Message, 160)
	switch envelope.Status {
	case "OK", "DELAYED":
	case "NOT_AUTHORIZED":
		return fmt.Errorf("%w: %s", market.ErrAuth, said)
	case "NOT_FOUND":
		return fmt.Errorf("%w: %s", market.ErrUnknownSymbol, said)
	case "ERROR":
		if strings.Contains(strings.ToLower(said), "maximum requests") {
			return fmt.Errorf("%w: %s", market.ErrRateLimited, said)
		}
		return fmt.Errorf("%w: %s", market.ErrUnavailable, said)
	default:
		return malformed("status %.20q", envelope.Status)
	}
	if json.Unmarshal(body, into) != nil {
		return malformed("data of another form")
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

// price is the figure where it is above zero.
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
func origin(endpoint string, answer fetch.Response) market.Provenance {
	p := market.Provenance{
		Source: name, Endpoint: endpoint, Licence: licence, AsOf: answer.FetchedAt, FetchedAt: answer.FetchedAt, Cache: answer.Cache,
		Adjustment: market.AdjustmentUnknown,
	}
	if answer.Cache == market.CacheStale {
		p = p.With(market.FlagStale)
	}
	return p
}

// newYork is the zone of the exchanges; on a machine without zones, its winter's.
func newYork() *time.Location {
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		return time.FixedZone("EST", -5*60*60)
	}
	return zone
}

// dayIn is the session that an instant belongs to.
func dayIn(at time.Time, zone *time.Location) market.Date {
	local := at.In(zone)
	return time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, time.UTC)
}
