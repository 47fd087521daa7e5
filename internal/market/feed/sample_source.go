package feed

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/nfa-cli/nfa/internal/market"
)

//go:embed data/bars/*.csv data/statements/*.csv data/series/*.csv data/filings/*.csv data/filings/*.txt
var sampleFiles embed.FS

// SampleSource serves the embedded figures. It is safe for concurrent use.
type SampleSource struct {
	listings   []catalogEntry
	series     map[market.Symbol]func() (market.Series, error)
	statements map[market.Symbol]func() ([]market.Statement, error)
	economic   map[market.SeriesID]func() (market.EconomicSeries, error)
	filings    map[market.Symbol]func() (companyFilings, error)
}

// NewSampleSource returns a source that has parsed nothing yet: each file is parsed when
// first asked for, and kept.
func NewSampleSource() *SampleSource {
	s := &SampleSource{
		listings:   sampleCatalog(),
		series:     make(map[market.Symbol]func() (market.Series, error)),
		statements: make(map[market.Symbol]func() ([]market.Statement, error)),
		economic:   make(map[market.SeriesID]func() (market.EconomicSeries, error)),
		filings:    make(map[market.Symbol]func() (companyFilings, error)),
	}
	for _, l := range s.listings {
		if l.bars {
			s.series[l.Symbol] = sync.OnceValues(func() (market.Series, error) { return loadSampleBars(sampleFiles, l) })
		}
		if l.statements {
			s.statements[l.Symbol] = sync.OnceValues(func() ([]market.Statement, error) { return loadSampleStatements(sampleFiles, l) })
		}
		if l.filings {
			s.filings[l.Symbol] = sync.OnceValues(func() (companyFilings, error) { return loadSampleFilings(sampleFiles, l) })
		}
	}
	for _, id := range sampleSeriesIDs() {
		s.economic[id] = sync.OnceValues(func() (market.EconomicSeries, error) { return loadSampleEconomic(sampleFiles, id) })
	}
	return s
}

func loadSampleBars(files fs.FS, l catalogEntry) (market.Series, error) {
	path := "data/bars/" + l.fileName()
	text, err := fs.ReadFile(files, path)
	if err != nil {
		return market.Series{}, fmt.Errorf("reading sample data: %w", err)
	}
	series, err := parseSampleBars(text)
	if err != nil {
		return market.Series{}, fmt.Errorf("parsing %s: %w", path, err)
	}
	if series.Symbol != l.Symbol {
		return market.Series{}, fmt.Errorf("parsing %s: it holds %s, not %s", path, series.Symbol, l.Symbol)
	}
	series.Instrument = l.withoutAliases()
	return series, nil
}

func loadSampleStatements(files fs.FS, l catalogEntry) ([]market.Statement, error) {
	path := "data/statements/" + l.fileName()
	text, err := fs.ReadFile(files, path)
	if err != nil {
		return nil, fmt.Errorf("reading sample data: %w", err)
	}
	statements, err := parseSampleStatements(text)
	if err != nil {
		return nil, fmt.Errorf("parsing %s: %w", path, err)
	}
	for i := range statements {
		if statements[i].Symbol != l.Symbol {
			return nil, fmt.Errorf("parsing %s: it holds %s, not %s", path, statements[i].Symbol, l.Symbol)
		}
		statements[i].Instrument = l.withoutAliases()
	}
	return statements, nil
}

// find takes a symbol, or an alias or name of one.
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
		return market.Series{}, noDataError(fmt.Sprintf("the sample holds no prices for %s, only annual statements", l.Symbol))
	}
	return series()
}

// noDataError is a market.ErrNoData in words of its own: no other range would help.
type noDataError string

func (a noDataError) Error() string { return string(a) }

func (noDataError) Is(target error) bool { return target == market.ErrNoData }

// Quote returns the last close of the sample, years old and flagged as such.
// Previous is the close before it: of the day before, or the month before.
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

// Bars returns the bars of sym within r. An error for want of data names the
// span that the sample covers.
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

// Statements returns the annual statements of sym, newest first; the sample has
// no others.
func (s *SampleSource) Statements(ctx context.Context, sym market.Symbol, q market.StatementQuery) ([]market.Statement, error) {
	l, err := s.find(ctx, sym)
	if err != nil {
		return nil, err
	}
	report, ok := s.statements[l.Symbol]
	if !ok || q.Span != "" && q.Span != market.SpanAnnual {
		return nil, fmt.Errorf("sample statements of %s: %w", l.Symbol, market.ErrNoData)
	}
	statements, err := report()
	if err != nil {
		return nil, err
	}
	if statements = q.Filter(statements); len(statements) == 0 {
		return nil, fmt.Errorf("sample statements of %s: %w", l.Symbol, market.ErrNoData)
	}
	return statements, nil
}

// Instruments lists what the sample has prices of, with aliases: the list is
// offered to those who ask for a price. NVDA, which has statements only, is found
// by its symbol and names all the same.
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

// catalogEntry is an instrument and which files there are of it.
type catalogEntry struct {
	market.Instrument
	bars, statements, filings bool
}

func (l catalogEntry) fileName() string {
	return strings.ToLower(strings.TrimPrefix(string(l.Symbol), "^")) + ".csv"
}

// withoutAliases is the instrument as results carry it, without aliases.
func (l catalogEntry) withoutAliases() market.Instrument {
	return market.Instrument{Symbol: l.Symbol, Name: l.Name, Kind: l.Kind}
}
