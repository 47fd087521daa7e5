package feed

import "github.com/nfa-cli/nfa/internal/market"

// sampleCatalog stands in code and not in the files, so that listing parses none.
// GOOG is no alias of GOOGL: it is another class of share.
func sampleCatalog() []catalogEntry {
	index := func(sym market.Symbol, name string, aliases ...string) catalogEntry {
		return catalogEntry{Instrument: market.Instrument{Symbol: sym, Name: name, Kind: "index", Aliases: aliases}, bars: true}
	}
	company := func(sym market.Symbol, name string, bars, statements bool, aliases ...string) catalogEntry {
		return catalogEntry{Instrument: market.Instrument{Symbol: sym, Name: name, Kind: "equity", Aliases: aliases}, bars: bars, statements: statements}
	}
	filer := func(l catalogEntry) catalogEntry { l.filings = true; return l }
	return []catalogEntry{
		index("^GSPC", "S&P 500", "SPX", "SP500"),
		index("^IXIC", "Nasdaq Composite", "Nasdaq", "COMP"),
		filer(company("AAPL", "Apple Inc.", true, true, "Apple")),
		company("ADBE", "Adobe Inc.", true, false, "Adobe"),
		company("AMZN", "Amazon.com, Inc.", true, true, "Amazon"),
		company("DELL", "Dell Technologies Inc. (class C)", true, false),
		company("GOOGL", "Alphabet Inc. (class A)", true, false, "Alphabet", "Google"),
		company("IBM", "International Business Machines Corporation", true, false),
		company("MSFT", "Microsoft Corporation", true, true, "Microsoft"),
		filer(company("NVDA", "NVIDIA Corporation", false, true, "Nvidia")),
		company("XRX", "Xerox Holdings Corporation", true, false, "Xerox"),
	}
}

// sampleSeriesIDs are the economic series, in the order in which they are offered.
func sampleSeriesIDs() []market.SeriesID {
	return []market.SeriesID{"CPIAUCSL", "CPILFESL", "UNRATE", "FEDFUNDS", "GDPC1", "DGS10", "DGS2", "DGS3MO"}
}
