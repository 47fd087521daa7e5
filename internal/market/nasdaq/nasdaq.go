// Package nasdaq asks the server behind Nasdaq's own pages: quotes and about ten
// years of daily bars of shares, funds and a few indices of the United States,
// without a key.
//
// It is no documented service. Bars come adjusted for splits and tell no
// dividends, so no total return can be made of them. A refusal comes with status
// 200 and stands in the body.
package nasdaq

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch"
)

const (
	name    = "nasdaq"
	licence = "Nasdaq.com terms of use: personal, non-commercial use"
	host    = "https://api.nasdaq.com"
)

// Options of a Source. The zero value asks the real server.
type Options struct {
	BaseURL string // the real one where empty
	Now     func() time.Time
}

// Source is api.nasdaq.com. It is safe for concurrent use.
type Source struct {
	o   Options
	tap *fetch.Source
	// classes remembers under which class a symbol was found, since the server
	// knows it under one alone.
	classes sync.Map
}

var (
	_ market.QuoteSource = (*Source)(nil)
	_ market.BarSource   = (*Source)(nil)
)

// New returns the source. Nothing is asked before the first question.
func New(c *fetch.Client, o Options) *Source {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.BaseURL = strings.TrimRight(cmp.Or(o.BaseURL, host), "/")
	return &Source{o: o, tap: c.Source(fetch.Policy{
		Source: name, Rate: 1, Burst: 2, InFlight: 2, Timeout: 20 * time.Second, MaxBytes: 8 << 20,
		// It leaves those unanswered who do not look like a reader of its pages.
		Header: http.Header{
			"User-Agent":      {"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36"},
			"Accept":          {"application/json, text/plain, */*"},
			"Accept-Language": {"en-US,en;q=0.9"},
			"Origin":          {"https://www.nasdaq.com"},
			"Referer":         {"https://www.nasdaq.com/"},
		},
	})}
}

// ask puts a question about sym under each class it may have, until the server
// knows it.
func ask[T any](ctx context.Context, s *Source, sym market.Symbol, r fetch.Request, values url.Values, parse func([]byte) (T, error)) (T, string, fetch.Response, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, "", fetch.Response{}, err
	}
	spelled, classes := s.spelled(sym)
	if spelled == "" {
		return none, "", fetch.Response{}, s.tap.Failed(r.Doing, market.ErrUnknownSymbol, "listings of the United States alone")
	}
	path, told := s.o.BaseURL+"/api/quote/"+url.PathEscape(spelled)+r.URL, error(nil)
	for _, class := range classes {
		values.Set("assetclass", class)
		r.URL = path + "?" + values.Encode()
		out, answer, err := get(ctx, s, r, parse)
		if err == nil {
			s.classes.Store(sym, class)
			return out, class, answer, nil
		}
		// Under a wrong class a symbol is unknown, or without anything.
		empty := errors.Is(err, market.ErrNoData)
		if told == nil || empty {
			told = err
		}
		if !empty && !errors.Is(err, market.ErrUnknownSymbol) {
			return none, "", fetch.Response{}, err
		}
	}
	return none, "", fetch.Response{}, told
}

// get asks once. What does not parse is not kept.
func get[T any](ctx context.Context, s *Source, r fetch.Request, parse func([]byte) (T, error)) (T, fetch.Response, error) {
	r.Kind = fetch.JSON
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
		return *new(T), answer, err
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

// opened takes the data out of their envelope, in which refusals come too.
func opened(body []byte, data any) error {
	var envelope struct {
		Data   json.RawMessage `json:"data"`
		Status struct {
			Code     int `json:"rCode"`
			Messages []struct {
				Text string `json:"errorMessage"`
			} `json:"bCodeMessage"`
		} `json:"status"`
	}
	if json.Unmarshal(body, &envelope) != nil {
		return malformed("not the JSON that was expected")
	}
	switch envelope.Status.Code {
	case http.StatusOK:
	case http.StatusBadRequest, http.StatusNotFound:
		if m := envelope.Status.Messages; len(m) > 0 {
			return fmt.Errorf("%w: %.200s", market.ErrUnknownSymbol, m[0].Text)
		}
		return market.ErrUnknownSymbol
	case 0:
		return malformed("no status")
	default:
		return fmt.Errorf("%w: code %d", market.ErrUnavailable, envelope.Status.Code)
	}
	if len(envelope.Data) == 0 || string(envelope.Data) == "null" {
		return market.ErrNoData
	}
	if json.Unmarshal(envelope.Data, data) != nil {
		return malformed("data of another form")
	}
	return nil
}

func malformed(format string, args ...any) error {
	return fmt.Errorf("%w: %s", market.ErrMalformed, fmt.Sprintf(format, args...))
}

// figure reads "$1,234.50"; "N/A", "--" and the like are absent. The bounds keep a
// hostile exponent from becoming a million digits.
func figure(text string) decimal.NullDecimal {
	d, err := decimal.NewFromString(strings.Map(digitsOnly, text[:min(len(text), 40)]))
	if err != nil || d.Exponent() < -20 || d.Exponent() > 20 || len(text) > 40 {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(d)
}

// digitsOnly drops what a page writes into numbers for people.
func digitsOnly(r rune) rune {
	if strings.ContainsRune("$,+ ", r) {
		return -1
	}
	return r
}

// price is a figure above zero.
func price(text string) decimal.NullDecimal {
	if f := figure(text); f.Valid && f.Decimal.IsPositive() {
		return f
	}
	return decimal.NullDecimal{}
}
