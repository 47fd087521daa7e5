// Package markettest helps to test market data sources and their callers without a network.
//
// RunPrices, RunFilings and RunSeries are contract tests that every source of that kind must pass.
// Source, FilingSource, SeriesSource and FakeFeeds serve data given by the test from memory.
// Script is an HTTP server with scripted responses per path, used as an http.RoundTripper or, with
// Serve, on loopback; BadResponses lists failures that no source may accept as data. In memory it
// needs no clock, so it works inside testing/synctest. FakeProviders imitates the servers of all live
// providers, with a FailureMode for each. YahooChart writes responses of Yahoo's chart service.
package markettest
