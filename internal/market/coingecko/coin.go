package coingecko

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
)

// coin is a coin in CoinGecko's list.
type coin struct {
	ticker string // "BTC"
	id     string // as URLs contain it: "bitcoin"
	name   string
	rank   int    // by market cap; zero if unranked
	note   string // a note for the user about the choice
}

//go:embed coins.tsv
var coinsTSV string

// coinTable returns the best known coins by ticker.
func coinTable() map[string]coin {
	out := map[string]coin{}
	for line := range strings.Lines(coinsTSV) {
		if cells := strings.Split(strings.TrimSpace(line), "\t"); len(cells) == 3 {
			out[cells[0]] = coin{ticker: cells[0], id: cells[1], name: cells[2]}
		}
	}
	return out
}

// pair is a coin and the currency that it is priced in.
type pair struct {
	sym market.Symbol
	coin
	currency string
}

func (p pair) instrument() market.Instrument {
	return market.Instrument{Symbol: p.sym, Name: p.name, Kind: "crypto"}
}

// resolve finds the coin of sym in the table or by searching.
func (s *Source) resolve(ctx context.Context, op string, sym market.Symbol) (pair, error) {
	if err := ctx.Err(); err != nil {
		return pair{}, err
	}
	named, ok := sym.CoinPair()
	if !ok || named.Base == named.Quote {
		return pair{}, s.keyless.NewError(op, market.ErrUnknownSymbol, "not a pair of a coin and a currency")
	}
	c, ok := s.coins()[named.Base]
	if !ok {
		found, err := s.searchCoins(ctx, named.Base)
		if err != nil {
			return pair{}, err
		}
		if c, err = chooseCoin(named.Base, found); err != nil {
			return pair{}, s.keyless.NewError(op, err, "")
		}
	}
	return pair{sym: sym, coin: c, currency: named.Quote}, nil
}

// rankFactor is how many times better a coin's rank must be than that of the next coin with the
// same ticker, so that the ticker clearly means the first coin.
const rankFactor = 10

// chooseCoin returns the coin that a ticker means. Coins without a rank have no relevant market.
func chooseCoin(ticker string, found []coin) (coin, error) {
	same := slices.DeleteFunc(slices.Clone(found), func(c coin) bool { return c.ticker != ticker })
	ranked := slices.DeleteFunc(slices.Clone(same), func(c coin) bool { return c.rank == 0 })
	slices.SortStableFunc(ranked, func(a, b coin) int { return cmp.Compare(a.rank, b.rank) })
	switch {
	case len(same) == 0:
		return coin{}, fmt.Errorf("%w: no coin has the ticker %s", market.ErrUnknownSymbol, ticker)
	case len(same) == 1:
		return same[0], nil
	case len(ranked) == 0:
		return coin{}, ambiguous(ticker, same)
	case len(ranked) > 1 && ranked[1].rank < rankFactor*ranked[0].rank:
		return coin{}, ambiguous(ticker, ranked)
	}
	c := ranked[0]
	c.note = fmt.Sprintf("Several coins have the ticker %s; this is %s, number %d by market cap.", ticker, c.name, c.rank)
	return c, nil
}

func ambiguous(ticker string, all []coin) error {
	const most = 4
	var names []string
	for _, c := range all[:min(len(all), most)] {
		text := c.name
		if c.rank > 0 {
			text += fmt.Sprintf(" (number %d by market cap)", c.rank)
		}
		names = append(names, text)
	}
	return fmt.Errorf("%w: %s may be %s", market.ErrAmbiguous, ticker, strings.Join(names, " or "))
}

// isUnresolved reports whether an error only says that a symbol is not a coin.
func isUnresolved(err error) bool {
	return errors.Is(err, market.ErrUnknownSymbol) || errors.Is(err, market.ErrAmbiguous)
}
