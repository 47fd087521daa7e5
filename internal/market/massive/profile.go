package massive

import (
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	freshProfile = 7 * 24 * time.Hour
	staleProfile = 60 * 24 * time.Hour
	// quoteLookback is long enough to contain two sessions, even around holidays.
	quoteLookback = 12 * 24 * time.Hour
)

// Quote returns the newest close of sym and the previous one; the free plan has nothing newer. An
// unlisted symbol yields ErrUnknownSymbol.
func (s *Source) Quote(ctx context.Context, sym market.Symbol) (market.Quote, error) {
	now := s.client.Now()
	series, err := s.bars(ctx, sym, market.Range{From: client.SessionDate(now.Add(-quoteLookback), client.NewYork())})
	if err != nil {
		return market.Quote{}, err
	}
	q, ok := series.Latest()
	if !ok {
		return market.Quote{}, s.client.NewError("quote of "+string(sym), market.ErrNoData, "")
	}
	// A price is useful even without a name.
	if about, err := s.Profile(ctx, sym); err == nil {
		q.Instrument = about.Instrument
	}
	q.Provenance = client.MarkStale(q.Provenance, q.Provenance.AsOf, now)
	return q, nil
}

// Profile returns data about a company or a fund. An unlisted symbol yields ErrUnknownSymbol.
func (s *Source) Profile(ctx context.Context, sym market.Symbol) (market.Profile, error) {
	request := client.Request{
		Op: "profile of " + string(sym), URL: "/v3/reference/tickers/" + url.PathEscape(string(sym)), Fresh: freshProfile, Stale: staleProfile,
	}
	p, answer, err := get(ctx, s, sym, request, url.Values{}, func(body []byte) (market.Profile, error) { return parseProfile(body, sym) })
	if err != nil {
		return market.Profile{}, err
	}
	p.Provenance = s.client.NewProvenance("v3 reference", time.Time{}, answer)
	return p, nil
}

func parseProfile(body []byte, sym market.Symbol) (market.Profile, error) {
	var answer struct {
		Results struct {
			Ticker, Name, Type, CIK, Description string
			Exchange                             string `json:"primary_exchange"`
			FIGI                                 string `json:"composite_figi"`
			SIC                                  string `json:"sic_code"`
			Industry                             string `json:"sic_description"`
			Website                              string `json:"homepage_url"`
			Employees                            int    `json:"total_employees"`
		}
	}
	if err := decode(body, &answer); err != nil {
		return market.Profile{}, err
	}
	about := answer.Results
	if about.Ticker != string(sym) {
		return market.Profile{}, client.Malformedf("response is for %.20q instead of %s", about.Ticker, sym)
	}
	p := market.Profile{
		Instrument:  client.NewShare(sym, about.Name),
		Description: client.SingleLine(about.Description, 5000), Industry: client.SingleLine(about.Industry, 100), SIC: client.SingleLine(about.SIC, 4),
		Website: client.SingleLine(about.Website, 300), Employees: max(about.Employees, 0),
	}
	if strings.Contains(" ETF ETN ETV ETS FUND ", " "+about.Type+" ") {
		p.Kind = "fund"
	}
	p.Listing = market.Listing{MIC: client.SingleLine(about.Exchange, 4), FIGI: client.SingleLine(about.FIGI, 12)}
	p.CIK = client.PadCIK(about.CIK)
	return p, nil
}
