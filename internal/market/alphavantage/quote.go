package alphavantage

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	freshQuote   = 15 * time.Minute
	staleQuote   = 24 * time.Hour
	freshProfile = 30 * 24 * time.Hour
	staleProfile = 90 * 24 * time.Hour
)

// Quote returns the newest close of sym and the previous close, whose date Alpha Vantage does not
// report. The name is the symbol, because none is reported. An unlisted symbol yields
// ErrUnknownSymbol.
func (s *Source) Quote(ctx context.Context, sym market.Symbol) (market.Quote, error) {
	q, answer, err := get(ctx, s, apiRequest{
		op: "quote of " + string(sym), function: "GLOBAL_QUOTE", format: "csv", sym: sym, fresh: freshQuote, stale: staleQuote,
	}, func(body []byte) (market.Quote, error) { return parseQuote(body, sym) })
	if err != nil {
		return market.Quote{}, err
	}
	asOf := q.Provenance.AsOf
	q.Instrument, q.Provenance = client.NewShare(sym, ""), s.client.NewPriceProvenance("GLOBAL_QUOTE", asOf, market.AdjustmentRaw, answer)
	if client.BarUnsettled(asOf, s.client.Now(), settledAfter) {
		q.Provenance = q.Provenance.With(market.FlagProvisional)
	}
	q.Provenance = client.MarkStale(q.Provenance, asOf, s.client.Now())
	return q, nil
}

// parseQuote parses a price and its date. For an unknown symbol, the table has no row or the response is an
// empty object.
func parseQuote(body []byte, sym market.Symbol) (market.Quote, error) {
	if strings.HasPrefix(strings.TrimSpace(string(body)), "{") {
		return market.Quote{}, emptyObjectError(body)
	}
	rows, err := client.ParseTable(body, "symbol", "price", "latestDay", "previousClose")
	if err != nil {
		return market.Quote{}, err
	}
	if len(rows) == 0 || rows[0]["symbol"] == "" {
		return market.Quote{}, market.ErrUnknownSymbol
	}
	row := rows[0]
	if !client.SameSymbol(row["symbol"], sym) {
		return market.Quote{}, client.Malformedf("response is for %.20q instead of %s", row["symbol"], sym)
	}
	now := client.ParsePrice(row["price"])
	if !now.Valid {
		return market.Quote{}, market.ErrNoData
	}
	day, err := time.Parse(time.DateOnly, row["latestDay"])
	if err != nil {
		return market.Quote{}, client.Malformedf("price without a date")
	}
	return market.Quote{Price: now.Decimal, Previous: client.ParsePrice(row["previousClose"]), Provenance: market.Provenance{AsOf: day}}, nil
}

// emptyObjectError returns the error for an object without data.
func emptyObjectError(body []byte) error {
	var object map[string]json.RawMessage
	if json.Unmarshal(body, &object) != nil {
		return client.Malformedf("neither a table nor an object")
	}
	for _, value := range object {
		if strings.Trim(string(value), "{} \r\n\t") != "" {
			return client.Malformedf("an object instead of a table")
		}
	}
	return market.ErrUnknownSymbol
}

// Profile returns what Alpha Vantage reports about the company. An unlisted symbol or a fund yields
// ErrUnknownSymbol.
func (s *Source) Profile(ctx context.Context, sym market.Symbol) (market.Profile, error) {
	p, answer, err := get(ctx, s, apiRequest{
		op: "profile of " + string(sym), function: "OVERVIEW", format: "json", sym: sym, fresh: freshProfile, stale: staleProfile,
	}, func(body []byte) (market.Profile, error) { return parseProfile(body, sym) })
	if err != nil {
		return market.Profile{}, err
	}
	p.Provenance = s.client.NewProvenance("OVERVIEW", p.Provenance.AsOf, answer)
	return p, nil
}

func parseProfile(body []byte, sym market.Symbol) (market.Profile, error) {
	var about struct {
		Symbol, Name, Description, Sector, Industry, Country, CIK, Exchange, OfficialSite, LatestQuarter string
	}
	if json.Unmarshal(body, &about) != nil {
		return market.Profile{}, client.Malformedf("no profile")
	}
	if about.Symbol == "" {
		return market.Profile{}, emptyObjectError(body)
	}
	if !client.SameSymbol(about.Symbol, sym) {
		return market.Profile{}, client.Malformedf("response is for %.20q instead of %s", about.Symbol, sym)
	}
	cleanField := func(text string, maxLen int) string {
		if text = client.SingleLine(text, maxLen); strings.EqualFold(text, "none") || text == "-" {
			return ""
		}
		return text
	}
	p := market.Profile{
		Instrument:  market.Instrument{Symbol: sym, Name: cleanField(about.Name, 200), Kind: "equity"},
		Description: cleanField(about.Description, 5000), Sector: cleanField(about.Sector, 100), Industry: cleanField(about.Industry, 200),
		Country: cleanField(about.Country, 100), Website: cleanField(about.OfficialSite, 300),
	}
	p.Exchange = cleanField(about.Exchange, 40)
	p.CIK = client.PadCIK(about.CIK)
	if day, err := time.Parse(time.DateOnly, about.LatestQuarter); err == nil {
		p.Provenance.AsOf = day
	}
	return p, nil
}
