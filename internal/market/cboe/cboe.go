package cboe

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	name         = "cboe"
	license      = "Cboe website terms: personal, non-commercial use; quotes delayed by 15 minutes"
	host         = "https://cdn.cboe.com"
	apiPath      = "/api/global/delayed_quotes/"
	delayMinutes = 15
)

// Source provides the delayed data of Cboe. It is safe for concurrent use.
type Source struct {
	o      client.ProviderOptions
	client *client.Source
}

var (
	_ market.QuoteSource = (*Source)(nil)
	_ market.BarSource   = (*Source)(nil)
)

// New returns the source. It uses BaseURL and Now of o and sends no request.
func New(c *client.Client, o client.ProviderOptions) *Source {
	o = o.WithDefaults(host)
	return &Source{o: o, client: c.Source(client.Policy{
		Source: name, Rate: 1, Burst: 2, InFlight: 2, Timeout: 20 * time.Second, MaxBytes: 16 << 20,
		Header: http.Header{"User-Agent": {"Mozilla/5.0 (compatible; nfa)"}, "Accept": {"application/json"}},
	})}
}

// Provider describes this provider.
func Provider() client.Provider {
	return client.Provider{
		Name: "cboe", Provides: "US prices",
		Covers: client.IsUSShare,
		New:    func(c *client.Client, o client.ProviderOptions) any { return New(c, o) }, Probe: client.ProbeQuote("AAPL"),
		Gives:  "US prices delayed by 15 minutes, bars of unknown adjustment",
		Limits: "1 request per second; undocumented service", Terms: "personal, non-commercial use",
	}
}

// get requests a file about sym. A response that does not parse is not cached.
func get[T any](ctx context.Context, s *Source, sym market.Symbol, r client.Request, parse func([]byte) (T, error)) (T, client.Response, error) {
	var zero T
	if err := ctx.Err(); err != nil {
		return zero, client.Response{}, err
	}
	spelled := apiSymbol(sym)
	if spelled == "" {
		return zero, client.Response{}, s.client.NewError(r.Op, market.ErrUnknownSymbol, "only US listings")
	}
	r.URL, r.Kind = s.o.BaseURL+apiPath+r.URL+url.PathEscape(spelled)+".json", client.JSON
	r.Check = responseError
	return client.GetParsed(ctx, s.client, r, parse)
}

// responseError returns ErrUnknownSymbol for "access denied", which the file server answers for a missing
// file.
func responseError(a client.Response) error {
	if a.Status == http.StatusForbidden && bytes.Contains(a.Body[:min(len(a.Body), 512)], []byte("<Code>AccessDenied")) {
		return market.ErrUnknownSymbol
	}
	return nil
}

// price is a positive number, which Cboe writes as a JSON number or a string; anything else is absent.
type price struct{ decimal.NullDecimal }

// UnmarshalJSON treats anything but a number as absent.
func (f *price) UnmarshalJSON(text []byte) error {
	f.NullDecimal = client.ParsePrice(strings.Trim(string(text), `"`))
	return nil
}

// apiSymbol returns the file name for a symbol, or "" if Cboe cannot have it. Indices start with an
// underscore.
func apiSymbol(sym market.Symbol) string {
	switch sym {
	case "^GSPC":
		return "_SPX"
	case "^VIX", "^RUT", "^NDX":
		return "_" + string(sym[1:])
	}
	if client.IsUSListed(sym) {
		return string(sym)
	}
	return ""
}

// sameSymbol reports whether the response is for sym. Cboe writes indices with a caret or an
// underscore.
func sameSymbol(sym market.Symbol, answered string) bool {
	bare := func(s string) string { return strings.NewReplacer("^", "", "_", "", "/", ".", "-", ".").Replace(s) }
	return answered != "" && bare(strings.ToUpper(answered)) == bare(apiSymbol(sym))
}

// newInstrument describes sym and fills in most of its provenance. Cboe reports no names, so the name is the
// symbol.
func newInstrument(sym market.Symbol, securityType, endpoint string, answer client.Response) (market.Instrument, market.Provenance) {
	i := market.Instrument{Symbol: sym, Name: string(sym), Kind: "equity"}
	p := market.Provenance{
		Source: name, Endpoint: endpoint, License: license, Currency: "USD", Unit: "price",
		Adjustment: market.AdjustmentUnknown, DelayMinutes: delayMinutes, Flags: []market.Flag{market.FlagDelayed},
	}
	if strings.HasPrefix(string(sym), "^") {
		i.Kind, p.Currency, p.Unit = "index", "", "index points"
	} else if strings.EqualFold(securityType, "etf") {
		i.Kind = "fund"
	}
	return i, answer.Stamp(p)
}
