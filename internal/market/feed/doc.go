// Package feed builds the market data sources of the program and decides in which order they are used.
//
// Providers lists the providers; each describes itself in its own package. To add one, add a line there.
//
// New returns a Market and opens nothing: files, keys and servers are used when first needed.
// Market.Sources lists the providers for each kind of data, best first, with the sample data last.
// Market.Latest returns the newest stored close without a request. Probes check whether a provider
// answers; KeyedProviders lists those that take an API key.
//
// CachedBars stores the bars of one source and refreshes them: it fetches some sessions again and
// reloads the whole history if they have changed. SampleSource serves built-in historical data
// (data/, terms in data/NOTICE.md), flagged market.FlagSample. StateTracker and DataMode describe to
// users whether figures are live, delayed, stale or sample.
package feed
