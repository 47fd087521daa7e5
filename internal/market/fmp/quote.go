package fmp

import (
	"context"
	"strconv"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	freshQuote   = time.Minute
	staleQuote   = 24 * time.Hour
	freshProfile = 7 * 24 * time.Hour
	staleProfile = 60 * 24 * time.Hour
	delayMinutes = 15
)

// Quote returns the newest price of sym, delayed by up to fifteen minutes, and the previous close, whose date
// FMP does not report. An unlisted symbol yields ErrUnknownSymbol, a symbol outside the plan ErrAuth.
func (s *Source) Quote(ctx context.Context, sym market.Symbol) (market.Quote, error) {
	request := client.Request{Op: "quote of " + string(sym), URL: "/quote", Fresh: freshQuote, Stale: staleQuote}
	q, answer, err := get(ctx, s, sym, request, parseQuote)
	if err != nil {
		return market.Quote{}, err
	}
	p := s.client.NewPriceProvenance("quote", q.Provenance.AsOf, market.AdjustmentRaw, answer)
	p.DelayMinutes = delayMinutes
	q.Provenance = client.MarkStale(p.With(market.FlagDelayed), client.SessionDate(p.AsOf, client.NewYork()), s.client.Now())
	return q, nil
}

func parseQuote(body []byte, sym market.Symbol) (market.Quote, error) {
	row, err := firstRow[struct {
		Symbol, Name, Exchange string
		Price, PreviousClose   client.LenientDecimal
		Timestamp              int64
	}](body)
	at, ok := client.UnixTime(row.Timestamp)
	switch {
	case err != nil:
		return market.Quote{}, err
	case !client.SameSymbol(row.Symbol, sym):
		return market.Quote{}, client.Malformedf("response is for %.20q instead of %s", row.Symbol, sym)
	case !row.Price.Price().Valid:
		return market.Quote{}, market.ErrNoData
	case !ok:
		return market.Quote{}, client.Malformedf("price has no timestamp")
	}
	q := market.Quote{
		Instrument: client.NewShare(sym, row.Name),
		Price:      row.Price.Decimal, Previous: row.PreviousClose.Price(),
		Provenance: market.Provenance{AsOf: at},
	}
	q.Exchange = client.SingleLine(row.Exchange, 40)
	return q, nil
}

// Profile returns data about a company or a fund. An unlisted symbol yields ErrUnknownSymbol, a symbol
// outside the plan ErrAuth.
func (s *Source) Profile(ctx context.Context, sym market.Symbol) (market.Profile, error) {
	request := client.Request{Op: "profile of " + string(sym), URL: "/profile", Fresh: freshProfile, Stale: staleProfile}
	p, answer, err := get(ctx, s, sym, request, parseProfile)
	if err != nil {
		return market.Profile{}, err
	}
	p.Provenance = s.client.NewProvenance("profile", time.Time{}, answer)
	return p, nil
}

func parseProfile(body []byte, sym market.Symbol) (market.Profile, error) {
	about, err := firstRow[struct {
		Symbol, CompanyName, Exchange, ExchangeFullName, ISIN, CIK string
		Industry, Sector, Country, Website, Description            string
		FullTimeEmployees                                          any
		IsETF, IsFund                                              bool
	}](body)
	if err != nil {
		return market.Profile{}, err
	}
	if !client.SameSymbol(about.Symbol, sym) {
		return market.Profile{}, client.Malformedf("response is for %.20q instead of %s", about.Symbol, sym)
	}
	p := market.Profile{
		Instrument:  client.NewShare(sym, about.CompanyName),
		Description: client.SingleLine(about.Description, 5000), Sector: client.SingleLine(about.Sector, 100), Industry: client.SingleLine(about.Industry, 100),
		Country: client.SingleLine(about.Country, 60), Website: client.SingleLine(about.Website, 300),
	}
	if about.IsETF || about.IsFund {
		p.Kind = "fund"
	}
	p.Listing = market.Listing{Exchange: client.SingleLine(about.Exchange, 40), ISIN: client.SingleLine(about.ISIN, 12)}
	p.CIK = client.PadCIK(about.CIK)
	// FMP sends it as a string, as a number, or not at all.
	switch n := about.FullTimeEmployees.(type) {
	case string:
		p.Employees, _ = strconv.Atoi(n)
	case float64:
		p.Employees = int(min(max(n, 0), 1e8))
	}
	p.Employees = max(p.Employees, 0)
	return p, nil
}
