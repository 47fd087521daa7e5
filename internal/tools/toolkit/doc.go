// Package toolkit has what all tools share.
//
// It parses input: symbols, dates, periods, currencies and exact numbers. Prices and
// LatestPrices fetch prices known at the clock, which may be set back to replay the past.
// AlignSeries brings several price series to common dates and warns of what was dropped or
// is not comparable. NewMutationTool makes a tool that previews its changes as a
// MutationPlan and runs exactly what the user approved.
//
// It renders results: Origin (source, date, flags), numbers, Markdown tables, charts
// and figures. MaskNumbers hides amounts from a model, QuoteOutsideText marks untrusted
// text, and FitToLimit keeps a result below the size at which the router clips it.
package toolkit
