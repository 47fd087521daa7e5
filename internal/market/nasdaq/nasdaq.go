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
	"github.com/nfa-cli/nfa/internal/market/wire"
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
	r.Kind = fetch.JSON
	path, told := s.o.BaseURL+"/api/quote/"+url.PathEscape(spelled)+r.URL, error(nil)
	for _, class := range classes {
		values.Set("assetclass", class)
		r.URL = path + "?" + values.Encode()
		out, answer, err := fetch.Parsed(ctx, s.tap, r, parse)
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
	if err := wire.Decode(body, &envelope); err != nil {
		return err
	}
	switch envelope.Status.Code {
	case http.StatusOK:
	case http.StatusBadRequest, http.StatusNotFound:
		if m := envelope.Status.Messages; len(m) > 0 {
			return wire.Refused(market.ErrUnknownSymbol, m[0].Text)
		}
		return market.ErrUnknownSymbol
	case 0:
		return wire.Malformed("no status")
	default:
		return fmt.Errorf("%w: code %d", market.ErrUnavailable, envelope.Status.Code)
	}
	if len(envelope.Data) == 0 || string(envelope.Data) == "null" {
		return market.ErrNoData
	}
	if json.Unmarshal(envelope.Data, data) != nil {
		return wire.Malformed("data of another form")
	}
	return nil
}

// figure reads "$1,234.50"; "N/A", "--" and the like are absent.
func figure(text string) decimal.NullDecimal { return wire.Decimal(strings.Map(digitsOnly, text)) }

// price is a figure above zero.
func price(text string) decimal.NullDecimal { return wire.Price(strings.Map(digitsOnly, text)) }

// digitsOnly drops what a page writes into numbers for people.
func digitsOnly(r rune) rune {
	if strings.ContainsRune("$,+ ", r) {
		return -1
	}
	return r
}
