package market

// SourceTitle returns the name of a source as people know it, or source itself if it has no title.
func SourceTitle(source string) string {
	if title := sourceTitles[source]; title != "" {
		return title
	}
	return source
}

// sourceTitles maps the names of sources, as results and errors give them, to their titles.
var sourceTitles = map[string]string{
	"alphavantage": "Alpha Vantage", "binance": "Binance", "brave": "Brave Search", "cboe": "Cboe", "coingecko": "CoinGecko",
	"ecb": "European Central Bank", "edgar": "SEC EDGAR", "finnhub": "Finnhub", "fmp": "Financial Modeling Prep",
	"frankfurter": "Frankfurter", "fred": "FRED", "google-news": "Google News", "massive": "Massive", "nasdaq": "Nasdaq",
	"rss": "news feeds", "sec-edgar": "SEC EDGAR", "searxng": "SearXNG", "tavily": "Tavily", "tiingo": "Tiingo", "treasury": "US Treasury",
	"yahoo": "Yahoo Finance",
}
