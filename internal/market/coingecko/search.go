package coingecko

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/wire"
)

const (
	freshSearch  = 7 * 24 * time.Hour
	staleSearch  = 30 * 24 * time.Hour
	mostFound    = 20
	longestQuery = 100
	longestName  = 80
)

// Search finds coins by ticker or name, the largest first, priced in dollars. Of
// several coins with one ticker only the one is told that the ticker leads to.
func (s *Source) Search(ctx context.Context, text string, limit int) ([]market.Instrument, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	text = wire.Line(text, longestQuery)
	if text == "" {
		return nil, nil
	}
	if limit <= 0 || limit > mostFound {
		limit = mostFound
	}
	found, err := s.find(ctx, text)
	if err != nil {
		return nil, err
	}
	var out []market.Instrument
	told := map[string]bool{}
	for _, c := range found {
		known, listed := s.known()[c.ticker]
		sym := market.Symbol(c.ticker + "-USD")
		_, spelled := sym.CoinPair()
		if told[c.ticker] || !spelled || listed && known.id != c.id {
			continue
		}
		if !listed {
			if only, err := chosen(c.ticker, found); err != nil || only.id != c.id {
				continue
			}
		}
		told[c.ticker] = true
		out = append(out, market.Instrument{Symbol: sym, Name: c.name, Kind: "crypto"})
		if len(out) == limit {
			break
		}
	}
	return out, nil
}

// find lists the coins that a text fits, in CoinGecko's order.
func (s *Source) find(ctx context.Context, text string) ([]coin, error) {
	found, _, err := get(ctx, s, question{
		doing: "search for " + strconv.Quote(text), path: "search", values: url.Values{"query": {text}},
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
		return nil, wire.Malformed("no list of coins")
	}
	var out []coin
	for _, one := range *b.Coins {
		c := coin{ticker: strings.ToUpper(one.Symbol), id: one.ID, name: wire.Line(one.Name, longestName)}
		if one.Rank != nil && *one.Rank > 0 && *one.Rank < 1_000_000 {
			c.rank = *one.Rank
		}
		if isID(c.id) && c.name != "" {
			out = append(out, c)
		}
	}
	return out, nil
}

// isID reports whether a text can be an identifier: it becomes part of addresses.
func isID(text string) bool {
	notIn := func(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '_') }
	return text != "" && len(text) <= 100 && !strings.ContainsFunc(text, notIn)
}
