package tiingo

import (
	"context"
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

// topOfBook is one symbol's row in a response of the IEX endpoint: newest price, last trade and previous
// close.
type topOfBook struct {
	Ticker   string                `json:"ticker"`
	Time     string                `json:"timestamp"`
	Price    client.LenientDecimal `json:"tngoLast"`
	Traded   client.LenientDecimal `json:"last"`
	Previous client.LenientDecimal `json:"prevClose"`

	asOf time.Time
}

// Quote returns the newest IEX price of sym, which covers only part of its trading, and the
// previous close, whose date Tiingo does not report. An unlisted symbol yields ErrUnknownSymbol.
func (s *Source) Quote(ctx context.Context, sym market.Symbol) (market.Quote, error) {
	op := "quote of " + string(sym)
	found, answer, err := client.GetUSListed(ctx, s.client, sym, client.Request{Op: op, URL: "/iex/" + symbolPath(sym), Fresh: freshQuote, Stale: staleQuote},
		func(body []byte) (topOfBook, error) { return parseQuote(body, sym) })
	if err != nil {
		return market.Quote{}, err
	}
	q := market.Quote{
		Instrument: client.NewShare(sym, ""), Price: found.Price.Decimal, Previous: found.Previous.Price(),
		Provenance: s.client.NewPriceProvenance("iex", found.asOf, market.AdjustmentRaw, answer),
	}
	// A price is useful even without a name.
	if about, err := s.Profile(ctx, sym); err == nil {
		q.Instrument = about.Instrument
	}
	q.Provenance.Note = "The last price on IEX, which covers only part of US trading."
	q.Provenance = client.MarkStale(q.Provenance, client.SessionDate(found.asOf, client.NewYork()), s.client.Now())
	return q, nil
}

func parseQuote(body []byte, sym market.Symbol) (topOfBook, error) {
	var rows []topOfBook
	if err := decode(body, &rows); err != nil {
		return topOfBook{}, err
	}
	if len(rows) == 0 {
		return topOfBook{}, market.ErrUnknownSymbol
	}
	one := rows[0]
	if symbolOf(one.Ticker) != sym {
		return topOfBook{}, client.Malformedf("response is for %.20q instead of %s", one.Ticker, sym)
	}
	if !one.Price.Price().Valid {
		one.Price = one.Traded
	}
	if !one.Price.Price().Valid {
		return topOfBook{}, market.ErrNoData
	}
	at, err := time.Parse(time.RFC3339, one.Time)
	if err != nil {
		return topOfBook{}, client.Malformedf("price without a time: %.40q", one.Time)
	}
	one.asOf = at.UTC()
	return one, nil
}

// Profile returns the name, exchange and description of sym. Tiingo does not distinguish shares from funds,
// so all of them are returned as shares. An unlisted symbol yields ErrUnknownSymbol.
func (s *Source) Profile(ctx context.Context, sym market.Symbol) (market.Profile, error) {
	op := "profile of " + string(sym)
	p, answer, err := client.GetUSListed(ctx, s.client, sym, client.Request{Op: op, URL: "/tiingo/daily/" + symbolPath(sym), Fresh: freshProfile, Stale: staleProfile},
		func(body []byte) (market.Profile, error) { return parseProfile(body, sym) })
	if err != nil {
		return market.Profile{}, err
	}
	p.Provenance = s.client.NewProvenance("daily meta", p.Provenance.AsOf, answer)
	return p, nil
}

func parseProfile(body []byte, sym market.Symbol) (market.Profile, error) {
	var about struct{ Ticker, Name, Description, ExchangeCode, EndDate string }
	if err := decode(body, &about); err != nil {
		return market.Profile{}, err
	}
	if symbolOf(about.Ticker) != sym {
		return market.Profile{}, client.Malformedf("response is for %.20q instead of %s", about.Ticker, sym)
	}
	p := market.Profile{
		Instrument: client.NewShare(sym, about.Name), Description: client.SingleLine(about.Description, 5000),
	}
	p.Exchange = client.SingleLine(about.ExchangeCode, 40)
	// The day of the last bar, if there is one.
	if day, err := time.Parse(time.DateOnly, about.EndDate); err == nil {
		p.Provenance.AsOf = day
	}
	return p, nil
}
