package nasdaq

import (
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
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	name    = "nasdaq"
	license = "Nasdaq.com terms of use: personal, non-commercial use"
	host    = "https://api.nasdaq.com"
)

// Source reads data from api.nasdaq.com. It is safe for concurrent use.
type Source struct {
	o      client.ProviderOptions
	client *client.Source
	// classes caches the asset class of a symbol, because the server knows each symbol under only
	// one.
	classes sync.Map
}

var (
	_ market.QuoteSource = (*Source)(nil)
	_ market.BarSource   = (*Source)(nil)
)

// New returns the source. It uses BaseURL and Now of o and sends no request.
func New(c *client.Client, o client.ProviderOptions) *Source {
	o = o.WithDefaults(host)
	return &Source{o: o, client: c.Source(client.Policy{
		Source: name, Rate: 1, Burst: 2, InFlight: 2, Timeout: 20 * time.Second, MaxBytes: 8 << 20,
		// The server does not respond to clients that do not look like a browser.
		Header: http.Header{
			"User-Agent":      {"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36"},
			"Accept":          {"application/json, text/plain, */*"},
			"Accept-Language": {"en-US,en;q=0.9"},
			"Origin":          {"https://www.nasdaq.com"},
			"Referer":         {"https://www.nasdaq.com/"},
		},
	})}
}

// Provider describes this provider.
func Provider() client.Provider {
	return client.Provider{
		Name: "nasdaq", Provides: "US prices",
		Covers: client.IsUSShare,
		New:    func(c *client.Client, o client.ProviderOptions) any { return New(c, o) }, Probe: client.ProbeQuote("AAPL"),
		Gives:  "US prices, about ten years of bars without dividends",
		Limits: "1 request per second; undocumented service", Terms: "personal, non-commercial use",
	}
}

// getByClass requests sym under each class it may have, until the server knows it.
func getByClass[T any](ctx context.Context, s *Source, sym market.Symbol, r client.Request, values url.Values, parse func([]byte) (T, error)) (T, string, client.Response, error) {
	var zero T
	if err := ctx.Err(); err != nil {
		return zero, "", client.Response{}, err
	}
	spelled, classes := s.apiSymbol(sym)
	if spelled == "" {
		return zero, "", client.Response{}, s.client.NewError(r.Op, market.ErrUnknownSymbol, "only US listings")
	}
	r.Kind = client.JSON
	path, firstErr := s.o.BaseURL+"/api/quote/"+url.PathEscape(spelled)+r.URL, error(nil)
	for _, class := range classes {
		values.Set("assetclass", class)
		r.URL = path + "?" + values.Encode()
		out, answer, err := client.GetParsed(ctx, s.client, r, parse)
		if err == nil {
			s.classes.Store(sym, class)
			return out, class, answer, nil
		}
		// Under the wrong class, the server does not know a symbol or has no data for it.
		empty := errors.Is(err, market.ErrNoData)
		if firstErr == nil || empty {
			firstErr = err
		}
		if !empty && !errors.Is(err, market.ErrUnknownSymbol) {
			return zero, "", client.Response{}, err
		}
	}
	return zero, "", client.Response{}, firstErr
}

// decodeEnvelope decodes the data in an envelope, or returns the error in it.
func decodeEnvelope(body []byte, data any) error {
	var envelope struct {
		Data   json.RawMessage `json:"data"`
		Status struct {
			Code     int `json:"rCode"`
			Messages []struct {
				Text string `json:"errorMessage"`
			} `json:"bCodeMessage"`
		} `json:"status"`
	}
	if err := client.DecodeJSON(body, &envelope); err != nil {
		return err
	}
	switch envelope.Status.Code {
	case http.StatusOK:
	case http.StatusBadRequest, http.StatusNotFound:
		if m := envelope.Status.Messages; len(m) > 0 {
			return client.RefusalError(market.ErrUnknownSymbol, m[0].Text)
		}
		return market.ErrUnknownSymbol
	case 0:
		return client.Malformedf("no status")
	default:
		return fmt.Errorf("%w: code %d", market.ErrUnavailable, envelope.Status.Code)
	}
	if len(envelope.Data) == 0 || string(envelope.Data) == "null" {
		return market.ErrNoData
	}
	if json.Unmarshal(envelope.Data, data) != nil {
		return client.Malformedf("unexpected JSON")
	}
	return nil
}

// parseNumber parses "$1,234.50"; texts such as "N/A" and "--" are absent.
func parseNumber(text string) decimal.NullDecimal {
	return client.ParseDecimal(strings.Map(keepNumeric, text))
}

// parsePrice works like parseNumber for positive numbers; others are absent.
func parsePrice(text string) decimal.NullDecimal {
	return client.ParsePrice(strings.Map(keepNumeric, text))
}

// keepNumeric returns a mapping for strings.Map that drops the formatting characters of numbers.
func keepNumeric(r rune) rune {
	if strings.ContainsRune("$,+ ", r) {
		return -1
	}
	return r
}

// Asset classes of the server.
const (
	classStock = "stocks"
	classFund  = "etf"
	classIndex = "index"
)

// apiSymbol returns a symbol in the server's spelling and the classes it may have, or "" if the
// server cannot know it. A share class follows an escaped slash.
func (s *Source) apiSymbol(sym market.Symbol) (string, []string) {
	if index := indexOf(sym); index != "" {
		return index, []string{classIndex}
	}
	if !client.IsUSListed(sym) {
		return "", nil
	}
	classes := []string{classStock, classFund}
	if class, ok := s.classes.Load(sym); ok && class == classFund {
		classes = []string{classFund, classStock}
	}
	return strings.Replace(string(sym), ".", "%sl%", 1), classes
}

func indexOf(sym market.Symbol) string {
	return map[market.Symbol]string{"^IXIC": "COMP", "^NDX": "NDX", "^GSPC": "SPX", "^RUT": "RUT", "^VIX": "VIX"}[sym]
}

// sameSymbol reports whether the response is for sym.
func sameSymbol(sym market.Symbol, answered string) bool {
	folded := strings.NewReplacer("%SL%", ".", "/", ".", "-", ".", "^", "").Replace(strings.ToUpper(answered))
	return folded == string(sym) || folded != "" && folded == indexOf(sym)
}

// newInstrument describes sym and fills in most of its provenance. The server reports no names with bars, so
// the name is the symbol.
func newInstrument(sym market.Symbol, class, endpoint string, answer client.Response) (market.Instrument, market.Provenance) {
	i := market.Instrument{Symbol: sym, Name: string(sym), Kind: "equity"}
	p := market.Provenance{
		Source: name, Endpoint: endpoint, License: license, Currency: "USD", Unit: "price", Adjustment: market.AdjustmentSplit,
	}
	switch class {
	case classFund:
		i.Kind = "fund"
	case classIndex:
		i.Kind, p.Currency, p.Unit = "index", "", "index points"
	}
	return i, answer.Stamp(p)
}
