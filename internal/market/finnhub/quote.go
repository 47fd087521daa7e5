package finnhub

import (
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	freshQuote   = 15 * time.Second
	staleQuote   = 24 * time.Hour
	freshProfile = 7 * 24 * time.Hour
	staleProfile = 60 * 24 * time.Hour
)

// Quote returns the newest price of sym and the previous close, whose date Finnhub does not report.
// Finnhub returns zeros for an unlisted symbol, which yield ErrUnknownSymbol.
func (s *Source) Quote(ctx context.Context, sym market.Symbol) (market.Quote, error) {
	request := client.Request{Op: "quote of " + string(sym), URL: "/quote", Fresh: freshQuote, Stale: staleQuote}
	q, answer, err := get(ctx, s, sym, request, url.Values{}, parseQuote)
	if err != nil {
		return market.Quote{}, err
	}
	q.Instrument = client.NewShare(sym, "")
	p := s.client.NewPriceProvenance("quote", q.Provenance.AsOf, market.AdjustmentRaw, answer)
	// A price is useful even without a name.
	if about, err := s.Profile(ctx, sym); err == nil {
		q.Instrument = about.Instrument
	}
	q.Provenance = client.MarkStale(p, client.SessionDate(p.AsOf, client.NewYork()), s.client.Now())
	return q, nil
}

func parseQuote(body []byte) (market.Quote, error) {
	var row struct {
		Price    *client.LenientDecimal `json:"c"`
		Previous client.LenientDecimal  `json:"pc"`
		Time     int64                  `json:"t"`
	}
	if err := decode(body, &row); err != nil {
		return market.Quote{}, err
	}
	at, ok := client.UnixTime(row.Time)
	switch {
	case row.Price == nil:
		return market.Quote{}, client.Malformedf("no price")
	case !row.Price.Price().Valid && row.Time == 0:
		return market.Quote{}, market.ErrUnknownSymbol
	case !row.Price.Price().Valid:
		return market.Quote{}, market.ErrNoData
	case !ok:
		return market.Quote{}, client.Malformedf("price has no timestamp")
	}
	return market.Quote{Price: row.Price.Decimal, Previous: row.Previous.Price(), Provenance: market.Provenance{AsOf: at}}, nil
}

// Profile returns data about a company. An unlisted symbol or a fund yields ErrUnknownSymbol.
func (s *Source) Profile(ctx context.Context, sym market.Symbol) (market.Profile, error) {
	request := client.Request{Op: "profile of " + string(sym), URL: "/stock/profile2", Fresh: freshProfile, Stale: staleProfile}
	p, answer, err := get(ctx, s, sym, request, url.Values{}, func(body []byte) (market.Profile, error) { return parseProfile(body, sym) })
	if err != nil {
		return market.Profile{}, err
	}
	p.Provenance = s.client.NewProvenance("stock/profile2", time.Time{}, answer)
	return p, nil
}

func parseProfile(body []byte, sym market.Symbol) (market.Profile, error) {
	var about struct{ Ticker, Name, Exchange, Country, FinnhubIndustry, WebURL string }
	if err := decode(body, &about); err != nil {
		return market.Profile{}, err
	}
	if about.Ticker == "" && about.Name == "" {
		return market.Profile{}, market.ErrUnknownSymbol
	}
	if !strings.EqualFold(about.Ticker, string(sym)) {
		return market.Profile{}, client.Malformedf("response is for %.20q instead of %s", about.Ticker, sym)
	}
	p := market.Profile{
		Instrument: client.NewShare(sym, about.Name),
		Industry:   client.SingleLine(about.FinnhubIndustry, 100), Country: client.SingleLine(about.Country, 60), Website: client.SingleLine(about.WebURL, 300),
	}
	p.Exchange = client.SingleLine(about.Exchange, 100)
	return p, nil
}
