package yahoo

import (
	"context"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch"
	"github.com/nfa-cli/nfa/internal/market/wire"
	"github.com/nfa-cli/nfa/internal/market/yahoo/chart"
)

const (
	freshSearch  = 7 * 24 * time.Hour
	staleSearch  = 30 * 24 * time.Hour
	mostFound    = 20
	longestQuery = 100
)

// Search finds instruments by symbol, name, ISIN or SEDOL, in Yahoo's order.
// Single options are left out: each share has thousands. So are coins by a ticker
// that means another elsewhere.
func (s *Source) Search(ctx context.Context, text string, limit int) ([]market.Instrument, error) {
	text = wire.Line(text, longestQuery)
	if text == "" {
		return nil, nil
	}
	if limit <= 0 || limit > mostFound {
		limit = mostFound
	}
	found, _, err := get(ctx, s, question{
		doing: "search for " + strconv.Quote(text),
		url: s.at(hostData, "/v1/finance/search", url.Values{
			"q": {text}, "quotesCount": {strconv.Itoa(mostFound)}, "newsCount": {"0"}, "enableFuzzyQuery": {"false"},
		}),
		kind: fetch.JSON, fresh: freshSearch, stale: staleSearch,
	}, parseSearch)
	if err != nil {
		return nil, err
	}
	return found[:min(len(found), limit)], nil
}

func parseSearch(body []byte) ([]market.Instrument, error) {
	var b struct {
		Quotes *[]struct {
			Symbol, Exchange, ExchDisp string
			LongName, ShortName        string
			QuoteType                  string
			IsYahooFinance             bool
		}
	}
	if err := wire.Decode(body, &b); err != nil {
		return nil, err
	}
	if b.Quotes == nil {
		return nil, wire.Malformed("no list of quotes")
	}
	var out []market.Instrument
	for _, q := range *b.Quotes {
		sym, ok := chart.SymbolOf(q.Symbol)
		if !ok || !q.IsYahooFinance || q.QuoteType == "OPTION" || misleading(sym) {
			continue
		}
		name := wire.Line(q.LongName, 120)
		if name == "" {
			name = wire.Line(q.ShortName, 120)
		}
		out = append(out, market.Instrument{
			Symbol: sym, Name: strings.TrimSpace(name), Kind: chart.Kind(q.QuoteType), Listing: chart.Listing(q.Exchange, q.ExchDisp),
		})
	}
	return out, nil
}
