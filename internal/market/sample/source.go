package sample

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
var data embed.FS

// Source serves the embedded figures. It is safe for concurrent use.
type Source struct {
	listings []listing
	series   map[market.Symbol]func() (market.Series, error)
	reports  map[market.Symbol]func() ([]market.Statement, error)
	economic map[market.SeriesID]func() (market.EconomicSeries, error)
	filings  map[market.Symbol]func() (filed, error)
}

// New returns a source that has parsed nothing yet: each file is parsed when
// first asked for, and kept.
func New() *Source {
	s := &Source{
		listings: catalogue(),
		series:   make(map[market.Symbol]func() (market.Series, error)),
		reports:  make(map[market.Symbol]func() ([]market.Statement, error)),
		economic: make(map[market.SeriesID]func() (market.EconomicSeries, error)),
		filings:  make(map[market.Symbol]func() (filed, error)),
	}
	for _, l := range s.listings {
		if l.bars {
			s.series[l.Symbol] = sync.OnceValues(func() (market.Series, error) { return loadSeries(data, l) })
		}
		if l.statements {
			s.reports[l.Symbol] = sync.OnceValues(func() ([]market.Statement, error) { return loadStatements(data, l) })
		}
		if l.filings {
			s.filings[l.Symbol] = sync.OnceValues(func() (filed, error) { return loadFilings(data, l) })
		}
	}
	for _, id := range seriesIDs() {
		s.economic[id] = sync.OnceValues(func() (market.EconomicSeries, error) { return loadEconomic(data, id) })
	}
	return s
}

func loadSeries(files fs.FS, l listing) (market.Series, error) {
	path := "data/bars/" + l.file()
	text, err := fs.ReadFile(files, path)
	if err != nil {
		return market.Series{}, fmt.Errorf("reading sample data: %w", err)
	}
	series, err := parseSeries(text)
	if err != nil {
		return market.Series{}, fmt.Errorf("parsing %s: %w", path, err)
	}
	if series.Symbol != l.Symbol {
		return market.Series{}, fmt.Errorf("parsing %s: it holds %s, not %s", path, series.Symbol, l.Symbol)
	}
	series.Instrument = l.plain()
	return series, nil
}

func loadStatements(files fs.FS, l listing) ([]market.Statement, error) {
	path := "data/statements/" + l.file()
	text, err := fs.ReadFile(files, path)
	if err != nil {
		return nil, fmt.Errorf("reading sample data: %w", err)
	}
	statements, err := parseStatements(text)
	if err != nil {
		return nil, fmt.Errorf("parsing %s: %w", path, err)
	}
	for i := range statements {
		if statements[i].Symbol != l.Symbol {
			return nil, fmt.Errorf("parsing %s: it holds %s, not %s", path, statements[i].Symbol, l.Symbol)
		}
		statements[i].Instrument = l.plain()
	}
	return statements, nil
}

// find takes a symbol, or an alias or name of one.
func (s *Source) find(ctx context.Context, sym market.Symbol) (listing, error) {
	if err := ctx.Err(); err != nil {
		return listing{}, err
	}
	for _, l := range s.listings {
		if l.Symbol == sym {
			return l, nil
		}
	}
	for _, l := range s.listings {
		if l.Answers(string(sym)) {
			return l, nil
		}
	}
	return listing{}, fmt.Errorf("sample data for %q: %w", sym, market.ErrUnknownSymbol)
}

func (s *Source) load(ctx context.Context, sym market.Symbol) (market.Series, error) {
	l, err := s.find(ctx, sym)
	if err != nil {
		return market.Series{}, err
	}
	series, ok := s.series[l.Symbol]
	if !ok {
		return market.Series{}, absent(fmt.Sprintf("the sample holds no prices for %s, only annual statements", l.Symbol))
	}
	return series()
}

// absent is a market.ErrNoData in words of its own: no other range would help.
type absent string

func (a absent) Error() string { return string(a) }

func (absent) Is(target error) bool { return target == market.ErrNoData }

// Quote returns the last close of the sample, years old and flagged as such.
// Previous is the close before it: of the day before, or the month before.
func (s *Source) Quote(ctx context.Context, sym market.Symbol) (market.Quote, error) {
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
func (s *Source) Bars(ctx context.Context, sym market.Symbol, r market.Range) (market.Series, error) {
	whole, err := s.load(ctx, sym)
	if err != nil {
		return market.Series{}, err
	}
	part := whole.Within(r)
	if len(part.Bars) == 0 {
		first, last := whole.Bars[0].Date, whole.Bars[len(whole.Bars)-1].Date
		return market.Series{}, fmt.Errorf("sample prices of %s run from %s to %s: %w",
			whole.Symbol, first.Format(dateLayout), last.Format(dateLayout), market.ErrNoData)
	}
	part.Provenance.Flags = slices.Clone(part.Provenance.Flags)
	return part, nil
}

// Statements returns the annual statements of sym, newest first; the sample has
// no others.
func (s *Source) Statements(ctx context.Context, sym market.Symbol, q market.StatementQuery) ([]market.Statement, error) {
	l, err := s.find(ctx, sym)
	if err != nil {
		return nil, err
	}
	report, ok := s.reports[l.Symbol]
	if !ok || q.Span != "" && q.Span != market.SpanAnnual {
		return nil, fmt.Errorf("sample statements of %s: %w", l.Symbol, market.ErrNoData)
	}
	statements, err := report()
	if err != nil {
		return nil, err
	}
	if statements = q.Of(statements); len(statements) == 0 {
		return nil, fmt.Errorf("sample statements of %s: %w", l.Symbol, market.ErrNoData)
	}
	return statements, nil
}

// Instruments lists what the sample has prices of, with aliases: the list is
// offered to those who ask for a price. NVDA, which has statements only, is found
// by its symbol and names all the same.
func (s *Source) Instruments(ctx context.Context) ([]market.Instrument, error) {
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

// listing is an instrument and which files there are of it.
type listing struct {
	market.Instrument
	bars, statements, filings bool
}

func (l listing) file() string {
	return strings.ToLower(strings.TrimPrefix(string(l.Symbol), "^")) + ".csv"
}

// plain is the instrument as results carry it, without aliases.
func (l listing) plain() market.Instrument {
	return market.Instrument{Symbol: l.Symbol, Name: l.Name, Kind: l.Kind}
}
