package yahoo

import (
	"context"
	"net/url"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	freshProfile   = 7 * 24 * time.Hour
	staleProfile   = 90 * 24 * time.Hour
	maxDescription = 8000 // of a description
)

// Profile returns Yahoo's data about a company or a fund. It needs a crumb.
func (s *Source) Profile(ctx context.Context, sym market.Symbol) (market.Profile, error) {
	op := "profile of " + string(sym)
	if err := ctx.Err(); err != nil {
		return market.Profile{}, err
	}
	yahooSymbol := YahooSymbol(sym)
	found, answer, err := getWithCrumb(ctx, s, apiRequest{
		op: op,
		url: s.at(hostData, "/v10/finance/quoteSummary/"+url.PathEscape(yahooSymbol), url.Values{
			"modules": {"assetProfile,quoteType,defaultKeyStatistics"}, "formatted": {"false"},
		}),
		kind: client.JSON, fresh: freshProfile, stale: staleProfile,
	}, func(body []byte) (summary, error) { return parseSummary(body, yahooSymbol) })
	if err != nil {
		return market.Profile{}, err
	}
	p := found.profile(sym)
	p.Provenance = newProvenance("v10 quoteSummary", answer)
	p.Provenance.AsOf, p.Provenance.Adjustment = answer.FetchedAt, market.AdjustmentUnknown
	return p, nil
}

// summary holds the modules of v10 quoteSummary that are used.
type summary struct {
	AssetProfile *assetProfile
	QuoteType    struct {
		Symbol, QuoteType, Exchange string
		LongName, ShortName         string
	}
	DefaultKeyStatistics struct{ LastFiscalYearEnd Number }
}

type assetProfile struct {
	LongBusinessSummary string
	Sector, Industry    string
	Country, Website    string
	FullTimeEmployees   Number
}

func parseSummary(body []byte, yahooSymbol string) (summary, error) {
	results, err := decodeService[[]summary](body, "quoteSummary")
	if err != nil {
		return summary{}, err
	}
	if len(results) == 0 || results[0].AssetProfile == nil && results[0].QuoteType.Symbol == "" {
		return summary{}, market.ErrNoData
	}
	found := results[0]
	if found.AssetProfile == nil {
		found.AssetProfile = &assetProfile{}
	}
	if found.QuoteType.Symbol == "" {
		return found, nil
	}
	return found, checkAnswered(yahooSymbol, found.QuoteType.Symbol)
}

func (f summary) profile(sym market.Symbol) market.Profile {
	about := f.AssetProfile
	p := market.Profile{
		Instrument: market.Instrument{
			Symbol: sym, Name: client.SingleLine(f.QuoteType.LongName, 120), Kind: InstrumentKind(f.QuoteType.QuoteType),
			Listing: ListingOf(f.QuoteType.Exchange, f.QuoteType.Exchange),
		},
		Description: client.SingleLine(about.LongBusinessSummary, maxDescription),
		Sector:      client.SingleLine(about.Sector, 100), Industry: client.SingleLine(about.Industry, 100), Country: client.SingleLine(about.Country, 100),
	}
	if p.Name == "" {
		p.Name = client.SingleLine(f.QuoteType.ShortName, 120)
	}
	if client.IsWebURL(about.Website) {
		p.Website = about.Website
	}
	if n := about.FullTimeEmployees; n.Positive() && n.Decimal.IsInteger() {
		p.Employees = int(n.Decimal.IntPart())
	}
	if end := f.DefaultKeyStatistics.LastFiscalYearEnd; end.Positive() && end.Decimal.IsInteger() {
		if at, ok := ParseUnix(end.Decimal.IntPart()); ok {
			p.FiscalYearEnd = at.Format("01-02")
		}
	}
	return p
}
