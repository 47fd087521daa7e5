// Package market defines market data: symbols, quotes, bars, statements, filings, economic series,
// rates, yield curves, options and news, and the small interfaces of the sources that deliver them.
//
// Every result carries a Provenance: its source, the date it is for, its currency and flags such as
// sample, stale or delayed. Errors wrap one of the sentinels in error.go, usually in a *SourceError.
// Fallback asks a list of sources in order, and ExhaustedError lists why each of them failed.
// Providers live in packages below this one; package feed decides which of them is asked first.
package market
