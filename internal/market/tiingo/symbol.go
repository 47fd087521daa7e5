package tiingo

import (
	"net/url"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch"
)

// path is the symbol as it stands in an address, with a hyphen before the class of
// a share. It is false for what is not listed in the United States: a suffix of one
// letter is a class, unless it is London's, Tokyo's, Frankfurt's or Toronto's.
func path(sym market.Symbol) (string, bool) {
	_, class, dotted := strings.Cut(string(sym), ".")
	abroad := sym == "" || strings.ContainsAny(string(sym), "^=-&") || dotted && (len(class) != 1 || strings.Contains("LTFV", class))
	return url.PathEscape(strings.ReplaceAll(string(sym), ".", "-")), !abroad
}

// symbolOf is nfa's spelling of a ticker in an answer, empty where it has none.
func symbolOf(ticker string) market.Symbol {
	sym, err := market.ParseSymbol(ticker)
	if err != nil {
		return ""
	}
	return sym
}

// origin begins the provenance of prices.
func origin(endpoint string, answer fetch.Response) market.Provenance {
	p := market.Provenance{
		Source: name, Endpoint: endpoint, Licence: licence, FetchedAt: answer.FetchedAt, Cache: answer.Cache,
		Currency: "USD", Unit: "price", Adjustment: market.AdjustmentRaw,
	}
	if answer.Cache == market.CacheStale {
		p = p.With(market.FlagStale)
	}
	return p
}

// unsettled reports whether the bar of day may still change: Tiingo corrects it
// until eight in the evening in New York.
func unsettled(day market.Date, now time.Time) bool {
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		zone = time.FixedZone("EST", -5*60*60)
	}
	local := now.In(zone)
	today := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, time.UTC)
	return day.After(today) || day.Equal(today) && local.Hour() < 20
}
