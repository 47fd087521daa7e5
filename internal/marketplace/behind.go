package marketplace

import (
	"context"
	"errors"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/sample"
)

// behind is the embedded sample where live sources are asked before it. That a
// dozen companies of the past do not have a symbol among them says nothing of
// whether there is one, so what it lacks it does not cover.
type behind struct{ from *sample.Source }

func lacking[T any](found T, err error, doing string) (T, error) {
	if errors.Is(err, market.ErrUnknownSymbol) {
		err = &market.SourceError{Source: "sample", Doing: doing, Err: market.ErrNotCovered}
	}
	return found, err
}

func (b behind) Quote(ctx context.Context, sym market.Symbol) (market.Quote, error) {
	found, err := b.from.Quote(ctx, sym)
	return lacking(found, err, "quote of "+string(sym))
}

func (b behind) Bars(ctx context.Context, sym market.Symbol, r market.Range) (market.Series, error) {
	found, err := b.from.Bars(ctx, sym, r)
	return lacking(found, err, "bars of "+string(sym))
}

func (b behind) Statements(ctx context.Context, sym market.Symbol, q market.StatementQuery) ([]market.Statement, error) {
	found, err := b.from.Statements(ctx, sym, q)
	return lacking(found, err, "statements of "+string(sym))
}

func (b behind) Filings(ctx context.Context, sym market.Symbol, q market.FilingQuery) ([]market.Filing, error) {
	found, err := b.from.Filings(ctx, sym, q)
	return lacking(found, err, "filings of "+string(sym))
}

func (b behind) FilingSection(ctx context.Context, accession string, item market.FilingItem) (market.FilingSection, error) {
	found, err := b.from.FilingSection(ctx, accession, item)
	return lacking(found, err, "section of "+accession)
}

func (b behind) EconomicSeries(ctx context.Context, id market.SeriesID, q market.SeriesQuery) (market.EconomicSeries, error) {
	found, err := b.from.EconomicSeries(ctx, id, q)
	return lacking(found, err, "series "+string(id))
}

func (b behind) FindSeries(ctx context.Context, words string) ([]market.SeriesInfo, error) {
	return b.from.FindSeries(ctx, words)
}
