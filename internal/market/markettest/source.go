package markettest

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// Source serves the given series and statements. It is safe for concurrent use once filled. The
// zero value knows no symbol.
type Source struct {
	// Err, if set, is returned by every call, to simulate a source that is down.
	Err error

	series     map[market.Symbol]market.Series
	statements map[market.Symbol][]market.Statement
}

// NewSource returns a source of the given series.
func NewSource(series ...market.Series) *Source {
	s := &Source{series: make(map[market.Symbol]market.Series), statements: make(map[market.Symbol][]market.Statement)}
	for _, one := range series {
		s.series[one.Symbol] = one
	}
	return s
}

// AddStatements adds statements, in any order.
func (s *Source) AddStatements(statements ...market.Statement) {
	for _, one := range statements {
		s.statements[one.Symbol] = append(s.statements[one.Symbol], one)
	}
	for _, all := range s.statements {
		slices.SortFunc(all, func(a, b market.Statement) int { return b.PeriodEnd.Compare(a.PeriodEnd) })
	}
}

// Daily returns a series of daily closes in USD on weekdays from first on, with the provenance of a test. It
// panics on a malformed close.
func Daily(sym market.Symbol, first market.Date, closes ...string) market.Series {
	s := market.Series{
		Instrument: market.Instrument{Symbol: sym, Name: string(sym) + " of the test", Kind: "equity"},
		Interval:   market.Daily,
		Provenance: market.Provenance{
			Source: "markettest", Currency: "USD", Unit: "price", Adjustment: market.AdjustmentSplitDiv,
		},
	}
	date := first
	for _, text := range closes {
		for date.Weekday() == time.Saturday || date.Weekday() == time.Sunday {
			date = date.AddDate(0, 0, 1)
		}
		s.Bars = append(s.Bars, market.Bar{Date: date, Close: decimal.RequireFromString(text)})
		s.Provenance.AsOf = date
		date = date.AddDate(0, 0, 1)
	}
	s.Provenance.FetchedAt = s.Provenance.AsOf.Add(24 * time.Hour)
	return s
}

func (s *Source) find(ctx context.Context, sym market.Symbol) (market.Series, error) {
	if err := ctx.Err(); err != nil {
		return market.Series{}, err
	}
	if s.Err != nil {
		return market.Series{}, s.Err
	}
	series, ok := s.series[sym]
	if !ok {
		return market.Series{}, fmt.Errorf("test data for %q: %w", sym, market.ErrUnknownSymbol)
	}
	return series, nil
}

// Quote returns the last close of the series.
func (s *Source) Quote(ctx context.Context, sym market.Symbol) (market.Quote, error) {
	series, err := s.find(ctx, sym)
	if err != nil {
		return market.Quote{}, err
	}
	quote, ok := series.Latest()
	if !ok {
		return market.Quote{}, fmt.Errorf("test data for %q: %w", sym, market.ErrNoData)
	}
	return quote, nil
}

// Bars returns the bars of the series within r.
func (s *Source) Bars(ctx context.Context, sym market.Symbol, r market.Range) (market.Series, error) {
	series, err := s.find(ctx, sym)
	if err != nil {
		return market.Series{}, err
	}
	if series = series.Within(r); len(series.Bars) == 0 {
		return market.Series{}, fmt.Errorf("test data for %q: %w", sym, market.ErrNoData)
	}
	return series, nil
}

// Statements returns the statements of sym that match q, newest first.
func (s *Source) Statements(ctx context.Context, sym market.Symbol, q market.StatementQuery) ([]market.Statement, error) {
	if found := q.Filter(s.statements[sym]); len(found) > 0 && s.Err == nil && ctx.Err() == nil {
		return found, nil
	}
	if _, err := s.find(ctx, sym); err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("statements of %q in test data: %w", sym, market.ErrNoData)
}

// Instruments lists the instruments of the series, by symbol.
func (s *Source) Instruments(ctx context.Context) ([]market.Instrument, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s.Err != nil {
		return nil, s.Err
	}
	var all []market.Instrument
	for _, series := range s.series {
		all = append(all, series.Instrument)
	}
	slices.SortFunc(all, func(a, b market.Instrument) int {
		if a.Symbol < b.Symbol {
			return -1
		}
		return 1
	})
	return all, nil
}
