package binance

import (
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// stablecoin stands in for the dollar, in which little is traded.
const stablecoin = "USDT"

// pair is a coin and what it is priced in.
type pair struct {
	sym       market.Symbol
	apiSymbol string // as Binance spells it: "BTCUSDT"
	base      string
	apiQuote  string // what Binance prices it in
	quote     string // what sym says
}

// pairOf is the pair of a symbol such as BTC-USD. It reports false for what is no
// coin, and for a coin in itself.
func pairOf(sym market.Symbol) (pair, bool) {
	p, ok := sym.CoinPair()
	if !ok {
		return pair{}, false
	}
	quoted := p.Quote
	if quoted == "USD" {
		quoted = stablecoin
	}
	if p.Base == quoted {
		return pair{}, false
	}
	return pair{sym: sym, apiSymbol: p.Base + quoted, base: p.Base, apiQuote: quoted, quote: p.Quote}, true
}

func (p pair) instrument() market.Instrument {
	return market.Instrument{
		Symbol: p.sym, Name: p.base + "/" + p.apiQuote + " at Binance", Kind: "crypto",
		Listing: market.Listing{Exchange: "Binance"},
	}
}

func (p pair) provenance(endpoint string, answer client.Response) market.Provenance {
	out := market.Provenance{
		Source: name, Endpoint: endpoint, License: license,
		Currency: p.quote, Unit: "price", Adjustment: market.AdjustmentRaw, Phase: market.PhaseRegular,
	}
	if p.apiQuote != p.quote {
		out.QuotedCurrency = p.apiQuote
		out.Note = "Priced in USDT, a stablecoin that is near a dollar and not one; taken one for one."
	}
	return answer.Stamp(out)
}
