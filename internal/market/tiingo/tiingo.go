// Package tiingo asks Tiingo with the user's own key: thirty years and more of
// daily bars of the United States with their dividends and splits, prices, and
// news where the plan has them.
//
// Bars are raw, as traded, and carry what happened to the shares, so that any
// level of adjustment can be made of them here. The free plan bears about fifty
// questions an hour and five hundred symbols a month.
package tiingo

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch"
)

const (
	name    = "tiingo"
	licence = "Tiingo terms of use: the key's owner, internal use"
	host    = "https://api.tiingo.com"
	howTo   = "set a key with: nfa auth set tiingo, or TIINGO_API_KEY"
)

// Options of a Source.
type Options struct {
	BaseURL string // the real one where empty
	// Key is asked for at each question. Without one, nil or empty, every call
	// yields ErrNotConfigured.
	Key func() string
	Now func() time.Time
}

// Source is Tiingo. It is safe for concurrent use.
type Source struct {
	o   Options
	tap *fetch.Source
}

var (
	_ market.QuoteSource   = (*Source)(nil)
	_ market.BarSource     = (*Source)(nil)
	_ market.NewsSource    = (*Source)(nil)
	_ market.ProfileSource = (*Source)(nil)
)

// New returns the source. Nothing is asked before the first question.
func New(c *fetch.Client, o Options) *Source {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.BaseURL = strings.TrimRight(cmp.Or(o.BaseURL, host), "/")
	return &Source{o: o, tap: c.Source(fetch.Policy{
		Source: name, Rate: 1, Burst: 5, InFlight: 2, Timeout: 20 * time.Second, MaxBytes: 16 << 20,
		Header: http.Header{"Accept": {"application/json"}},
	})}
}

// get asks for a path with the key in the header. What does not parse is not kept.
func get[T any](ctx context.Context, s *Source, r fetch.Request, parse func([]byte) (T, error)) (T, fetch.Response, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, fetch.Response{}, err
	}
	if s.o.Key == nil || s.o.Key() == "" {
		return none, fetch.Response{}, s.tap.Failed(r.Doing, market.ErrNotConfigured, howTo)
	}
	r.URL, r.Kind, r.Header = s.o.BaseURL+r.URL, fetch.JSON, http.Header{"Authorization": {"Token " + s.o.Key()}}
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

// decode reads JSON into a list, or an object that is not a refusal. What the
// decoder says may quote the body and is left out.
func decode(body []byte, into any) error {
	var refusal struct {
		Detail string `json:"detail"`
	}
	if bytes.HasPrefix(body, []byte("{")) && json.Unmarshal(body, &refusal) == nil && refusal.Detail != "" {
		return said(refusal.Detail)
	}
	if json.Unmarshal(body, into) != nil {
		return malformed("not the JSON that was expected")
	}
	return nil
}

// said is a refusal of status 200 in the sentinels of market.
func said(detail string) error {
	sentinel, low := market.ErrMalformed, strings.ToLower(detail)
	switch {
	case strings.Contains(low, "not found"):
		sentinel = market.ErrUnknownSymbol
	case strings.Contains(low, "run over") || strings.Contains(low, "limit"):
		sentinel = market.ErrRateLimited
	case strings.Contains(low, "token") || strings.Contains(low, "permission") || strings.Contains(low, "power plan"):
		sentinel = market.ErrAuth
	}
	return fmt.Errorf("%w: %s", sentinel, clean(detail, 200))
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
