package cboe

import (
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// apiSymbol is the name of the file of a symbol, empty for what Cboe cannot have:
// indices begin with an underscore.
func apiSymbol(sym market.Symbol) string {
	switch sym {
	case "^GSPC":
		return "_SPX"
	case "^VIX", "^RUT", "^NDX":
		return "_" + string(sym[1:])
	}
	if client.IsUSListed(sym) {
		return string(sym)
	}
	return ""
}

// sameSymbol reports whether Cboe answered for what was asked; it writes indices with a
// caret or an underscore.
func sameSymbol(sym market.Symbol, answered string) bool {
	bare := func(s string) string { return strings.NewReplacer("^", "", "_", "", "/", ".", "-", ".").Replace(s) }
	return answered != "" && bare(strings.ToUpper(answered)) == bare(apiSymbol(sym))
}

// newInstrument names sym, and begins the provenance of what is known of it. Cboe
// tells no names: the symbol stands in.
func newInstrument(sym market.Symbol, securityType, endpoint string, answer client.Response) (market.Instrument, market.Provenance) {
	i := market.Instrument{Symbol: sym, Name: string(sym), Kind: "equity"}
	p := market.Provenance{
		Source: name, Endpoint: endpoint, License: license, Currency: "USD", Unit: "price",
		Adjustment: market.AdjustmentUnknown, DelayMinutes: delayMinutes, Flags: []market.Flag{market.FlagDelayed},
	}
	if strings.HasPrefix(string(sym), "^") {
		i.Kind, p.Currency, p.Unit = "index", "", "index points"
	} else if strings.EqualFold(securityType, "etf") {
		i.Kind = "fund"
	}
	return i, answer.Stamp(p)
}
