package yahoo

import (
	"context"
	"encoding/json"
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

// Profile returns what Yahoo says of a company or a fund. It needs a crumb.
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
	}, summaryParser(yahooSymbol))
	if err != nil {
		return market.Profile{}, err
	}
	p := found.profile(sym)
	p.Provenance = newProvenance("v10 quoteSummary", answer)
	p.Provenance.AsOf, p.Provenance.Adjustment = answer.FetchedAt, market.AdjustmentUnknown
	return p, nil
}

// summary is the modules of v10 quoteSummary that are in use.
type summary struct {
	AssetProfile struct {
		LongBusinessSummary string
		Sector, Industry    string
		Country, Website    string
		FullTimeEmployees   Number
	}
	QuoteType struct {
		Symbol, QuoteType, Exchange string
		LongName, ShortName         string
	}
	DefaultKeyStatistics struct{ LastFiscalYearEnd Number }
}

func summaryParser(yahooSymbol string) func([]byte) (summary, error) {
	return func(body []byte) (summary, error) {
		modules, err := parseModules(body)
		if err != nil {
			return summary{}, err
		}
		var found summary
		for module, into := range map[string]any{
			"assetProfile": &found.AssetProfile, "quoteType": &found.QuoteType, "defaultKeyStatistics": &found.DefaultKeyStatistics,
		} {
			if raw, ok := modules[module]; ok {
				if err := client.DecodeJSON(raw, into); err != nil {
					return summary{}, err
				}
			}
		}
		if got := found.QuoteType.Symbol; got != "" && !SameYahooSymbol(yahooSymbol, got) {
			return summary{}, client.Malformedf("the answer is about %q", client.SingleLine(got, 30))
		}
		if _, ok := modules["assetProfile"]; !ok && found.QuoteType.Symbol == "" {
			return summary{}, market.ErrNoData
		}
		return found, nil
	}
}

// parseModules reads the answer of quoteSummary down to its modules.
func parseModules(body []byte) (map[string]json.RawMessage, error) {
	var b struct {
		QuoteSummary *struct {
			Result []map[string]json.RawMessage
			Error  *ServiceError
		}
	}
	if err := client.DecodeJSON(body, &b); err != nil {
		return nil, err
	}
	switch {
	case b.QuoteSummary == nil:
		return nil, client.Malformedf("no summary")
	case b.QuoteSummary.Error != nil:
		return nil, b.QuoteSummary.Error.Sentinel(0)
	case len(b.QuoteSummary.Result) == 0:
		return nil, market.ErrNoData
	}
	return b.QuoteSummary.Result[0], nil
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
