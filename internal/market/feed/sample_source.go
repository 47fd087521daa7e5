package feed

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/market"
)

// SampleCoverage is a short description of the sample data, for banners and prompts.
const SampleCoverage = "S&P 500 to " + sampleIndexUntil + ", 8 companies to " + SampleUntil

// SampleUntil is the last day of the sample data.
const SampleUntil = "2022-06-28"

const sampleIndexUntil = "2020-04-17"

// SampleSource serves the built-in sample data. It is safe for concurrent use.
type SampleSource struct {
	listings   []catalogEntry
	series     map[market.Symbol]func() market.Series
	statements map[market.Symbol]func() []market.Statement
	economic   map[market.SeriesID]func() market.EconomicSeries
	filings    map[market.Symbol]func() companyFilings
}

// NewSampleSource returns a source that parses each file on first use and keeps it in memory.
func NewSampleSource() *SampleSource {
	s := &SampleSource{
		listings:   sampleCatalog(),
		series:     make(map[market.Symbol]func() market.Series),
		statements: make(map[market.Symbol]func() []market.Statement),
		economic:   make(map[market.SeriesID]func() market.EconomicSeries),
		filings:    make(map[market.Symbol]func() companyFilings),
	}
	for _, l := range s.listings {
		if l.bars {
			s.series[l.Symbol] = sync.OnceValue(func() market.Series { return loadSampleBars(l) })
		}
		if l.statements {
			s.statements[l.Symbol] = sync.OnceValue(func() []market.Statement { return loadSampleStatements(l) })
		}
		if l.filings {
			s.filings[l.Symbol] = sync.OnceValue(func() companyFilings { return loadSampleFilings(l) })
		}
	}
	for _, id := range sampleSeriesIDs() {
		s.economic[id] = sync.OnceValue(func() market.EconomicSeries { return loadSampleEconomic(id) })
	}
	return s
}

// find finds an instrument by its symbol, an alias or its name.
func (s *SampleSource) find(ctx context.Context, sym market.Symbol) (catalogEntry, error) {
	if err := ctx.Err(); err != nil {
		return catalogEntry{}, err
	}
	for _, l := range s.listings {
		if l.Symbol == sym {
			return l, nil
		}
	}
	for _, l := range s.listings {
		if l.Matches(string(sym)) {
			return l, nil
		}
	}
	return catalogEntry{}, fmt.Errorf("sample data for %q: %w", sym, market.ErrUnknownSymbol)
}

func (s *SampleSource) load(ctx context.Context, sym market.Symbol) (market.Series, error) {
	l, err := s.find(ctx, sym)
	if err != nil {
		return market.Series{}, err
	}
	series, ok := s.series[l.Symbol]
	if !ok {
		return market.Series{}, market.NoDataError(fmt.Sprintf("the sample data has no prices for %s, only annual statements", l.Symbol))
	}
	return series(), nil
}

// Quote returns the last close of the sample data, which is years old and flagged as sample. Previous is the
// close one day or, for monthly data, one month earlier.
func (s *SampleSource) Quote(ctx context.Context, sym market.Symbol) (market.Quote, error) {
	series, err := s.load(ctx, sym)
	if err != nil {
		return market.Quote{}, err
	}
	quote, ok := series.Latest()
	if !ok {
		return market.Quote{}, fmt.Errorf("sample prices of %s: %w", sym, market.ErrNoData)
	}
	quote.Provenance.Flags = slices.Clone(quote.Provenance.Flags)
	return quote, nil
}

// Bars returns the bars of sym within r. If there are none, the error states the dates that the
// sample data covers.
func (s *SampleSource) Bars(ctx context.Context, sym market.Symbol, r market.Range) (market.Series, error) {
	full, err := s.load(ctx, sym)
	if err != nil {
		return market.Series{}, err
	}
	part := full.Within(r)
	if len(part.Bars) == 0 {
		first, last := full.Bars[0].Date, full.Bars[len(full.Bars)-1].Date
		return market.Series{}, fmt.Errorf("sample prices of %s run from %s to %s: %w",
			full.Symbol, first.Format(sampleDateLayout), last.Format(sampleDateLayout), market.ErrNoData)
	}
	part.Provenance.Flags = slices.Clone(part.Provenance.Flags)
	return part, nil
}

// Statements returns the annual statements of sym, newest first; the sample data has no others.
func (s *SampleSource) Statements(ctx context.Context, sym market.Symbol, q market.StatementQuery) ([]market.Statement, error) {
	l, err := s.find(ctx, sym)
	if err != nil {
		return nil, err
	}
	report, ok := s.statements[l.Symbol]
	if !ok || q.Span != "" && q.Span != market.SpanAnnual {
		return nil, fmt.Errorf("sample statements of %s: %w", l.Symbol, market.ErrNoData)
	}
	statements := q.Filter(report())
	if len(statements) == 0 {
		return nil, fmt.Errorf("sample statements of %s: %w", l.Symbol, market.ErrNoData)
	}
	return statements, nil
}

// Instruments lists the instruments with prices, and their aliases. NVDA has only statements, so it is not
// listed, but it can be found by symbol and names.
func (s *SampleSource) Instruments(ctx context.Context) ([]market.Instrument, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	all := make([]market.Instrument, 0, len(s.listings))
	for _, l := range s.listings {
		if !l.bars {
			continue
		}
		one := l.Instrument
		one.Aliases = slices.Clone(one.Aliases)
		all = append(all, one)
	}
	return all, nil
}

// priceSummary lists the indexes with prices and counts the companies: "^GSPC, ^IXIC and 8 companies".
func (s *SampleSource) priceSummary() string {
	var indexes []string
	companies := 0
	for _, l := range s.listings {
		switch {
		case !l.bars:
		case l.Kind == "index":
			indexes = append(indexes, string(l.Symbol))
		default:
			companies++
		}
	}
	return strings.Join(indexes, ", ") + " and " + humanize.Count(companies, "company", "companies")
}

// catalogEntry is an instrument and the files that exist for it.
type catalogEntry struct {
	market.Instrument
	bars, statements, filings bool
}

func (l catalogEntry) fileName() string {
	return strings.ToLower(strings.TrimPrefix(string(l.Symbol), "^")) + ".csv"
}

// withoutAliases returns the instrument without its aliases, as results have it.
func (l catalogEntry) withoutAliases() market.Instrument {
	return market.Instrument{Symbol: l.Symbol, Name: l.Name, Kind: l.Kind}
}

// sampleCatalog lists the instruments in code, so that listing them does not parse files. GOOG is not an
// alias of GOOGL, because it is another share class.
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

// sampleSeriesIDs lists the economic series in display order.
func sampleSeriesIDs() []market.SeriesID {
	return []market.SeriesID{"CPIAUCSL", "CPILFESL", "UNRATE", "FEDFUNDS", "GDPC1", "DGS10", "DGS2", "DGS3MO"}
}
