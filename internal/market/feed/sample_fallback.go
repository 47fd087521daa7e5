package feed

import (
	"context"
	"errors"

	"github.com/nfa-cli/nfa/internal/market"
)

// sampleFallback serves the sample data as the last source. It covers only a dozen companies of the past, so
// a symbol that it lacks is not covered rather than unknown. Once live data has replaced it, it covers
// nothing.
type sampleFallback struct {
	sample   *SampleSource
	replaced func() bool
}

func coveredOnly[T any](b sampleFallback, found T, err error, op string) (T, error) {
	if b.replaced() {
		var none T
		return none, &market.SourceError{Source: "sample", Op: op, Err: market.ErrNotCovered}
	}
	if errors.Is(err, market.ErrUnknownSymbol) {
		err = &market.SourceError{Source: "sample", Op: op, Err: market.ErrNotCovered}
	}
	return found, err
}

// withPrices adds a summary of the instruments with sample prices to an error of coveredOnly.
func (b sampleFallback) withPrices(err error) error {
	if notCovered, ok := err.(*market.SourceError); ok && !b.replaced() && errors.Is(err, market.ErrNotCovered) {
		notCovered.Offline = b.sample.priceSummary()
	}
	return err
}

func (b sampleFallback) Quote(ctx context.Context, sym market.Symbol) (market.Quote, error) {
	found, err := b.sample.Quote(ctx, sym)
	found, err = coveredOnly(b, found, err, "quote of "+string(sym))
	return found, b.withPrices(err)
}

func (b sampleFallback) Bars(ctx context.Context, sym market.Symbol, r market.Range) (market.Series, error) {
	found, err := b.sample.Bars(ctx, sym, r)
	found, err = coveredOnly(b, found, err, "bars of "+string(sym))
	return found, b.withPrices(err)
}

func (b sampleFallback) Statements(ctx context.Context, sym market.Symbol, q market.StatementQuery) ([]market.Statement, error) {
	found, err := b.sample.Statements(ctx, sym, q)
	return coveredOnly(b, found, err, "statements of "+string(sym))
}

func (b sampleFallback) Filings(ctx context.Context, sym market.Symbol, q market.FilingQuery) ([]market.Filing, error) {
	found, err := b.sample.Filings(ctx, sym, q)
	return coveredOnly(b, found, err, "filings of "+string(sym))
}

func (b sampleFallback) FilingSection(ctx context.Context, accession string, item market.FilingItem) (market.FilingSection, error) {
	found, err := b.sample.FilingSection(ctx, accession, item)
	return coveredOnly(b, found, err, "section of "+accession)
}

func (b sampleFallback) EconomicSeries(ctx context.Context, id market.SeriesID, q market.SeriesQuery) (market.EconomicSeries, error) {
	found, err := b.sample.EconomicSeries(ctx, id, q)
	return coveredOnly(b, found, err, "series "+string(id))
}

func (b sampleFallback) FindSeries(ctx context.Context, words string) ([]market.SeriesInfo, error) {
	if b.replaced() {
		return nil, nil
	}
	return b.sample.FindSeries(ctx, words)
}
