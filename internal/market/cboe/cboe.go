// Package cboe asks the delayed quotes of Cboe: prices and daily bars of shares,
// funds and a few indices of the United States, from the files behind its pages
// and without a key.
//
// Quotes are fifteen minutes old. What was done to the bars for splits and
// dividends is written nowhere, so they carry an unknown adjustment and no return
// should be made of them. The last session may be missing.
package cboe

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch"
	"github.com/nfa-cli/nfa/internal/market/wire"
)

const (
	name         = "cboe"
	licence      = "Cboe website terms: personal, non-commercial use; quotes delayed by 15 minutes"
	host         = "https://cdn.cboe.com"
	folder       = "/api/global/delayed_quotes/"
	delayMinutes = 15
)

// Options of a Source. The zero value asks the real server.
type Options struct {
	BaseURL string // the real one where empty
	Now     func() time.Time
}

// Source is the delayed data of Cboe. It is safe for concurrent use.
type Source struct {
	o   Options
	tap *fetch.Source
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
		Source: name, Rate: 1, Burst: 2, InFlight: 2, Timeout: 20 * time.Second, MaxBytes: 16 << 20,
		Header: http.Header{"User-Agent": {"Mozilla/5.0 (compatible; nfa)"}, "Accept": {"application/json"}},
	})}
}

// get asks for a file about sym. What does not parse is not kept.
func get[T any](ctx context.Context, s *Source, sym market.Symbol, r fetch.Request, parse func([]byte) (T, error)) (T, fetch.Response, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, fetch.Response{}, err
	}
	spelled := spelled(sym)
	if spelled == "" {
		return none, fetch.Response{}, s.tap.Failed(r.Doing, market.ErrUnknownSymbol, "listings of the United States alone")
	}
	r.URL, r.Kind = s.o.BaseURL+folder+r.URL+url.PathEscape(spelled)+".json", fetch.JSON
	r.Check = refusal
	return fetch.Parsed(ctx, s.tap, r, parse)
}

// refusal reads what the file store says of a file that it does not have: that
// access to it is denied.
func refusal(a fetch.Response) error {
	if a.Status == http.StatusForbidden && bytes.Contains(a.Body[:min(len(a.Body), 512)], []byte("<Code>AccessDenied")) {
		return fmt.Errorf("%w: no such file", market.ErrUnknownSymbol)
	}
	return nil
}

// figure is a number above zero, which Cboe writes as one or as text; anything
// else is absent.
type figure struct{ decimal.NullDecimal }

// UnmarshalJSON takes what is no number as absent.
func (f *figure) UnmarshalJSON(text []byte) error {
	f.NullDecimal = wire.Price(strings.Trim(string(text), `"`))
	return nil
}
