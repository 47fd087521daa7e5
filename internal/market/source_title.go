package market

// SourceTitle returns the name of a source as people know it. A source that is not listed has only its
// own name.
func SourceTitle(source string) string {
	if title := sourceTitles[source]; title != "" {
		return title
	}
	return source
}

// sourceTitles holds the titles of the providers; a test in package feed compares them.
var sourceTitles = map[string]string{
	"alphavantage": "Alpha Vantage", "binance": "Binance", "brave": "Brave Search", "cboe": "Cboe", "coingecko": "CoinGecko",
	"ecb": "European Central Bank", "edgar": "SEC EDGAR", "finnhub": "Finnhub", "fmp": "Financial Modeling Prep",
	"frankfurter": "Frankfurter", "fred": "FRED", "google-news": "Google News", "massive": "Massive", "nasdaq": "Nasdaq",
	"rss": "news feeds", "sec-edgar": "SEC EDGAR", "searxng": "SearXNG", "tavily": "Tavily", "tiingo": "Tiingo", "treasury": "US Treasury",
	"yahoo": "Yahoo Finance",
}
