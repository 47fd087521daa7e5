package yahoo

import (
	"context"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	freshSearch = 7 * 24 * time.Hour
	staleSearch = 30 * 24 * time.Hour
	maxResults  = 20
	maxQueryLen = 100
)

// Search finds instruments by symbol, name, ISIN or SEDOL, in Yahoo's order. It omits options, because each
// share has thousands, and coins whose ticker means another coin elsewhere.
func (s *Source) Search(ctx context.Context, text string, limit int) ([]market.Instrument, error) {
	text = client.SingleLine(text, maxQueryLen)
	if text == "" {
		return nil, nil
	}
	if limit <= 0 || limit > maxResults {
		limit = maxResults
	}
	found, _, err := get(ctx, s, apiRequest{
		op: "search for " + strconv.Quote(text),
		url: s.at(hostData, "/v1/finance/search", url.Values{
			"q": {text}, "quotesCount": {strconv.Itoa(maxResults)}, "newsCount": {"0"}, "enableFuzzyQuery": {"false"},
		}),
		kind: client.JSON, fresh: freshSearch, stale: staleSearch,
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
	if err := client.DecodeJSON(body, &b); err != nil {
		return nil, err
	}
	if b.Quotes == nil {
		return nil, client.Malformedf("no list of quotes")
	}
	var out []market.Instrument
	for _, q := range *b.Quotes {
		sym, ok := ParseYahooSymbol(q.Symbol)
		if !ok || !q.IsYahooFinance || q.QuoteType == "OPTION" || isAmbiguousCoin(sym) {
			continue
		}
		name := client.SingleLine(q.LongName, 120)
		if name == "" {
			name = client.SingleLine(q.ShortName, 120)
		}
		out = append(out, market.Instrument{
			Symbol: sym, Name: strings.TrimSpace(name), Kind: InstrumentKind(q.QuoteType), Listing: ListingOf(q.Exchange, q.ExchDisp),
		})
	}
	return out, nil
}
