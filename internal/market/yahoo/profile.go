package yahoo

import (
	"context"
	"encoding/json"
	"net/url"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch"
	"github.com/nfa-cli/nfa/internal/market/wire"
	"github.com/nfa-cli/nfa/internal/market/yahoo/chart"
)

const (
	freshProfile = 7 * 24 * time.Hour
	staleProfile = 90 * 24 * time.Hour
	mostWords    = 8000 // of a description
)

// Profile returns what Yahoo says of a company or a fund. It needs a crumb.
func (s *Source) Profile(ctx context.Context, sym market.Symbol) (market.Profile, error) {
	doing := "profile of " + string(sym)
	if err := ctx.Err(); err != nil {
		return market.Profile{}, err
	}
	asked := chart.Spelled(sym)
	found, answer, err := getWithCrumb(ctx, s, question{
		doing: doing,
		url: s.at(hostData, "/v10/finance/quoteSummary/"+url.PathEscape(asked), url.Values{
			"modules": {"assetProfile,quoteType,defaultKeyStatistics"}, "formatted": {"false"},
		}),
		kind: fetch.JSON, fresh: freshProfile, stale: staleProfile,
	}, summaryParser(asked))
	if err != nil {
		return market.Profile{}, err
	}
	p := found.profile(sym)
	p.Provenance = source("v10 quoteSummary", answer)
	p.Provenance.AsOf, p.Provenance.Adjustment = answer.FetchedAt, market.AdjustmentUnknown
	return p, nil
}

// summary is the modules of v10 quoteSummary that are in use.
type summary struct {
	AssetProfile struct {
		LongBusinessSummary string
		Sector, Industry    string
		Country, Website    string
		FullTimeEmployees   chart.Number
	}
	QuoteType struct {
		Symbol, QuoteType, Exchange string
		LongName, ShortName         string
	}
	DefaultKeyStatistics struct{ LastFiscalYearEnd chart.Number }
}

func summaryParser(asked string) func([]byte) (summary, error) {
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
				if err := wire.Decode(raw, into); err != nil {
					return summary{}, err
				}
			}
		}
		if got := found.QuoteType.Symbol; got != "" && !chart.SameSymbol(asked, got) {
			return summary{}, wire.Malformed("the answer is about %q", wire.Line(got, 30))
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
			Error  *chart.Complaint
		}
	}
	if err := wire.Decode(body, &b); err != nil {
		return nil, err
	}
	switch {
	case b.QuoteSummary == nil:
		return nil, wire.Malformed("no summary")
	case b.QuoteSummary.Error != nil:
		return nil, b.QuoteSummary.Error.Meaning(0)
	case len(b.QuoteSummary.Result) == 0:
		return nil, market.ErrNoData
	}
	return b.QuoteSummary.Result[0], nil
}

func (f summary) profile(sym market.Symbol) market.Profile {
	about := f.AssetProfile
	p := market.Profile{
		Instrument: market.Instrument{
			Symbol: sym, Name: wire.Line(f.QuoteType.LongName, 120), Kind: chart.Kind(f.QuoteType.QuoteType),
			Listing: chart.Listing(f.QuoteType.Exchange, f.QuoteType.Exchange),
		},
		Description: wire.Line(about.LongBusinessSummary, mostWords),
		Sector:      wire.Line(about.Sector, 100), Industry: wire.Line(about.Industry, 100), Country: wire.Line(about.Country, 100),
	}
	if p.Name == "" {
		p.Name = wire.Line(f.QuoteType.ShortName, 120)
	}
	if wire.IsLink(about.Website) {
		p.Website = about.Website
	}
	if n := about.FullTimeEmployees; n.Positive() && n.Decimal.IsInteger() {
		p.Employees = int(n.Decimal.IntPart())
	}
	if end := f.DefaultKeyStatistics.LastFiscalYearEnd; end.Positive() && end.Decimal.IsInteger() {
		if at, ok := chart.Instant(end.Decimal.IntPart()); ok {
			p.FiscalYearEnd = at.Format("01-02")
		}
	}
	return p
}
