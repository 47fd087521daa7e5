package nasdaq

import (
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// The classes that the server tells apart.
const (
	classStock = "stocks"
	classFund  = "etf"
	classIndex = "index"
)

// apiSymbol is a symbol as the server spells it, and the classes it may have; empty
// for what it cannot know. A class of share stands after a slash, which is
// written out.
func (s *Source) apiSymbol(sym market.Symbol) (string, []string) {
	if index := indexOf(sym); index != "" {
		return index, []string{classIndex}
	}
	if !client.IsUSListed(sym) {
		return "", nil
	}
	classes := []string{classStock, classFund}
	if class, ok := s.classes.Load(sym); ok && class == classFund {
		classes = []string{classFund, classStock}
	}
	return strings.Replace(string(sym), ".", "%sl%", 1), classes
}

func indexOf(sym market.Symbol) string {
	return map[market.Symbol]string{"^IXIC": "COMP", "^NDX": "NDX", "^GSPC": "SPX", "^RUT": "RUT", "^VIX": "VIX"}[sym]
}

// sameSymbol reports whether the server answered for what was asked.
func sameSymbol(sym market.Symbol, answered string) bool {
	folded := strings.NewReplacer("%SL%", ".", "/", ".", "-", ".", "^", "").Replace(strings.ToUpper(answered))
	return folded == string(sym) || folded != "" && folded == indexOf(sym)
}

// newInstrument names sym, and begins the provenance of what is known of it. The
// server tells no names with bars: the symbol stands in.
func newInstrument(sym market.Symbol, class, endpoint string, answer client.Response) (market.Instrument, market.Provenance) {
	i := market.Instrument{Symbol: sym, Name: string(sym), Kind: "equity"}
	p := market.Provenance{
		Source: name, Endpoint: endpoint, License: license, Currency: "USD", Unit: "price", Adjustment: market.AdjustmentSplit,
	}
	switch class {
	case classFund:
		i.Kind = "fund"
	case classIndex:
		i.Kind, p.Currency, p.Unit = "index", "", "index points"
	}
	return i, answer.Stamp(p)
}
