package market

import "context"

// QuoteSource provides the newest price. An unlisted symbol yields ErrUnknownSymbol.
type QuoteSource interface {
	Quote(ctx context.Context, sym Symbol) (Quote, error)
}

// BarSource provides price history. An unlisted symbol yields ErrUnknownSymbol, a known one without bars in r
// ErrNoData. The bars may be shared with the source: do not change them.
type BarSource interface {
	Bars(ctx context.Context, sym Symbol, r Range) (Series, error)
}

// IntradaySource provides bars of an interval shorter than a day, for the sessions of r. Sources keep them
// for a limited time and yield ErrNoData for earlier sessions. Actions are unknown.
type IntradaySource interface {
	Intraday(ctx context.Context, sym Symbol, i Interval, r Range) (Series, error)
}

// BatchQuoteSource is a QuoteSource that prices many symbols in one request. Unknown symbols are
// absent from the result; that is not an error.
type BatchQuoteSource interface {
	QuoteSource
	Quotes(ctx context.Context, symbols []Symbol) (map[Symbol]Quote, error)
}

// Directory lists the instruments of a source, for search and suggestions.
type Directory interface {
	Instruments(ctx context.Context) ([]Instrument, error)
}

// SearchSource finds instruments by symbol, name or identifier, best first. An empty result is not an error.
type SearchSource interface {
	Search(ctx context.Context, text string, limit int) ([]Instrument, error)
}
