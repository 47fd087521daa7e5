package sample

import "github.com/nfa-cli/nfa/internal/market"

// catalogue stands in code and not in the files, so that listing parses none.
// GOOG is no alias of GOOGL: it is another class of share.
func catalogue() []listing {
	index := func(sym market.Symbol, name string, aliases ...string) listing {
		return listing{market.Instrument{Symbol: sym, Name: name, Kind: "index", Aliases: aliases}, true, false}
	}
	company := func(sym market.Symbol, name string, bars, statements bool, aliases ...string) listing {
		return listing{market.Instrument{Symbol: sym, Name: name, Kind: "equity", Aliases: aliases}, bars, statements}
	}
	return []listing{
		index("^GSPC", "S&P 500", "SPX", "SP500"),
		index("^IXIC", "Nasdaq Composite", "Nasdaq", "COMP"),
		company("AAPL", "Apple Inc.", true, true, "Apple"),
		company("ADBE", "Adobe Inc.", true, false, "Adobe"),
		company("AMZN", "Amazon.com, Inc.", true, true, "Amazon"),
		company("DELL", "Dell Technologies Inc. (class C)", true, false),
		company("GOOGL", "Alphabet Inc. (class A)", true, false, "Alphabet", "Google"),
		company("IBM", "International Business Machines Corporation", true, false),
		company("MSFT", "Microsoft Corporation", true, true, "Microsoft"),
		company("NVDA", "NVIDIA Corporation", false, true, "Nvidia"),
		company("XRX", "Xerox Holdings Corporation", true, false, "Xerox"),
	}
}
