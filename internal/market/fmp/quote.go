package fmp

import (
	"context"
	"strconv"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch"
	"github.com/nfa-cli/nfa/internal/market/wire"
)

const (
	freshQuote   = time.Minute
	staleQuote   = 24 * time.Hour
	freshProfile = 7 * 24 * time.Hour
	staleProfile = 60 * 24 * time.Hour
	delayMinutes = 15
)

// Quote returns the newest price of sym, which may be fifteen minutes old, and the
// close before as the previous price; of which day that is the server does not say.
// An unlisted symbol yields ErrUnknownSymbol, one that the plan does not have
// ErrAuth.
func (s *Source) Quote(ctx context.Context, sym market.Symbol) (market.Quote, error) {
	request := fetch.Request{Doing: "quote of " + string(sym), URL: "/quote", Fresh: freshQuote, Stale: staleQuote}
	q, answer, err := get(ctx, s, sym, request, parseQuote)
	if err != nil {
		return market.Quote{}, err
	}
	p := origin("quote", answer)
	p.AsOf, p.Unit, p.Adjustment, p.DelayMinutes = q.Provenance.AsOf, "price", market.AdjustmentRaw, delayMinutes
	q.Provenance = wire.Aged(p.With(market.FlagDelayed), wire.Day(p.AsOf, wire.NewYork()), s.o.Now())
	return q, nil
}

func parseQuote(body []byte, sym market.Symbol) (market.Quote, error) {
	row, err := first[struct {
		Symbol, Name, Exchange string
		Price, PreviousClose   wire.Figure
		Timestamp              int64
	}](body)
	at, ok := wire.Unix(row.Timestamp)
	switch {
	case err != nil:
		return market.Quote{}, err
	case !wire.SameShare(row.Symbol, sym):
		return market.Quote{}, wire.Malformed("%.20q in place of %s", row.Symbol, sym)
	case !row.Price.Price().Valid:
		return market.Quote{}, market.ErrNoData
	case !ok:
		return market.Quote{}, wire.Malformed("a price without a time")
	}
	q := market.Quote{
		Instrument: market.Instrument{Symbol: sym, Name: wire.Line(row.Name, 200), Kind: "equity"},
		Price:      row.Price.Decimal, Previous: row.PreviousClose.Price(),
		Provenance: market.Provenance{AsOf: at},
	}
	if q.Name == "" {
		q.Name = string(sym)
	}
	q.Exchange = wire.Line(row.Exchange, 40)
	return q, nil
}

// Profile returns what is known of a company or a fund. An unlisted symbol yields
// ErrUnknownSymbol, one that the plan does not have ErrAuth.
func (s *Source) Profile(ctx context.Context, sym market.Symbol) (market.Profile, error) {
	request := fetch.Request{Doing: "profile of " + string(sym), URL: "/profile", Fresh: freshProfile, Stale: staleProfile}
	p, answer, err := get(ctx, s, sym, request, parseProfile)
	if err != nil {
		return market.Profile{}, err
	}
	p.Provenance = origin("profile", answer)
	p.Provenance.Currency = ""
	return p, nil
}

func parseProfile(body []byte, sym market.Symbol) (market.Profile, error) {
	about, err := first[struct {
		Symbol, CompanyName, Exchange, ExchangeFullName, ISIN, CIK string
		Industry, Sector, Country, Website, Description            string
		FullTimeEmployees                                          any
		IsETF, IsFund                                              bool
	}](body)
	if err != nil {
		return market.Profile{}, err
	}
	if !wire.SameShare(about.Symbol, sym) {
		return market.Profile{}, wire.Malformed("%.20q in place of %s", about.Symbol, sym)
	}
	p := market.Profile{
		Instrument:  market.Instrument{Symbol: sym, Name: wire.Line(about.CompanyName, 200), Kind: "equity"},
		Description: wire.Line(about.Description, 5000), Sector: wire.Line(about.Sector, 100), Industry: wire.Line(about.Industry, 100),
		Country: wire.Line(about.Country, 60), Website: wire.Line(about.Website, 300),
	}
	if about.IsETF || about.IsFund {
		p.Kind = "fund"
	}
	if p.Name == "" {
		p.Name = string(sym)
	}
	p.Listing = market.Listing{Exchange: wire.Line(about.Exchange, 40), ISIN: wire.Line(about.ISIN, 12)}
	p.CIK = wire.CIK(about.CIK)
	// It comes as text, as a number, or not at all.
	switch n := about.FullTimeEmployees.(type) {
	case string:
		p.Employees, _ = strconv.Atoi(n)
	case float64:
		p.Employees = int(min(max(n, 0), 1e8))
	}
	p.Employees = max(p.Employees, 0)
	return p, nil
}
