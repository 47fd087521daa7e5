package coingecko

import (
	"context"
	"encoding/json"
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
	maxNameLen  = 80
)

// Search finds coins by ticker or name, priced in dollars, largest first. Of several coins with one ticker it
// returns only the coin that the ticker resolves to.
func (s *Source) Search(ctx context.Context, text string, limit int) ([]market.Instrument, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	text = client.SingleLine(text, maxQueryLen)
	if text == "" {
		return nil, nil
	}
	if limit <= 0 || limit > maxResults {
		limit = maxResults
	}
	found, err := s.searchCoins(ctx, text)
	if err != nil {
		return nil, err
	}
	var out []market.Instrument
	seen := map[string]bool{}
	for _, c := range found {
		known, listed := s.coins()[c.ticker]
		sym := market.Symbol(c.ticker + "-USD")
		_, spelled := sym.CoinPair()
		if seen[c.ticker] || !spelled || listed && known.id != c.id {
			continue
		}
		if !listed {
			if only, err := chooseCoin(c.ticker, found); err != nil || only.id != c.id {
				continue
			}
		}
		seen[c.ticker] = true
		out = append(out, market.Instrument{Symbol: sym, Name: c.name, Kind: "crypto"})
		if len(out) == limit {
			break
		}
	}
	return out, nil
}

// searchCoins returns the coins that match a text, in CoinGecko's order.
func (s *Source) searchCoins(ctx context.Context, text string) ([]coin, error) {
	found, _, err := get(ctx, s, apiRequest{
		op: "search for " + strconv.Quote(text), path: "search", values: url.Values{"query": {text}},
		fresh: freshSearch, stale: staleSearch,
	}, parseSearch)
	return found, err
}

func parseSearch(body []byte) ([]coin, error) {
	var b struct {
		Coins *[]struct {
			ID, Name, Symbol string
			Rank             *int `json:"market_cap_rank"`
		}
	}
	if json.Unmarshal(body, &b) != nil || b.Coins == nil {
		return nil, client.Malformedf("no list of coins")
	}
	var out []coin
	for _, one := range *b.Coins {
		c := coin{ticker: strings.ToUpper(one.Symbol), id: one.ID, name: client.SingleLine(one.Name, maxNameLen)}
		if one.Rank != nil && *one.Rank > 0 && *one.Rank < 1_000_000 {
			c.rank = *one.Rank
		}
		if isID(c.id) && c.name != "" {
			out = append(out, c)
		}
	}
	return out, nil
}

// isID reports whether a text can be an identifier, which becomes part of URLs.
func isID(text string) bool {
	notIn := func(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '_') }
	return text != "" && len(text) <= 100 && !strings.ContainsFunc(text, notIn)
}
