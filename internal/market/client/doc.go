// Package client sends requests to market data servers and has helpers to parse their responses.
//
// A program shares one Client. Client.Source returns a Source for one server under its Policy: rate limit,
// retries, disk cache, redirects and redaction of keys. Get returns a Response: the body, when it was
// fetched, and whether it came from the cache. GetParsed also runs a parser; a body that does not parse is
// never cached. Every error is a *market.SourceError that wraps a sentinel of package market, except for a
// canceled context.
//
// KeyedSource is a Source that sends the user's API key. Provider describes a provider for package
// feed: its name, what it needs, how it is built and probed, and its row in the documentation.
//
// The parsing helpers read decimals, dates, text, URLs, tables, feeds, daily bars, split factors and cross
// rates. All input is untrusted: sizes are limited, nothing panics, and a value that cannot be parsed is
// absent or market.ErrMalformed, never a guess.
package client
