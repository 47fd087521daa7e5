package cboe

import (
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch"
)

// spelled is the name of the file of a symbol, empty for what Cboe cannot have:
// indices begin with an underscore.
func spelled(sym market.Symbol) string {
	switch sym {
	case "^GSPC":
		return "_SPX"
	case "^VIX", "^RUT", "^NDX":
		return "_" + string(sym[1:])
	}
	if american(sym) {
		return string(sym)
	}
	return ""
}

// american reports whether sym can be listed in the United States: a suffix of one
// letter is a class of share, unless it is London's, Tokyo's, Frankfurt's or
// Toronto's.
func american(sym market.Symbol) bool {
	_, class, dotted := strings.Cut(string(sym), ".")
	return sym != "" && !strings.ContainsAny(string(sym), "^=-&") && (!dotted || len(class) == 1 && !strings.Contains("LTFV", class))
}

// same reports whether Cboe answered for what was asked; it writes indices with a
// caret or an underscore.
func same(sym market.Symbol, answered string) bool {
	bare := func(s string) string { return strings.NewReplacer("^", "", "_", "", "/", ".", "-", ".").Replace(s) }
	return answered != "" && bare(strings.ToUpper(answered)) == bare(spelled(sym))
}

// described names sym, and begins the provenance of what is known of it. Cboe
// tells no names: the symbol stands in.
func described(sym market.Symbol, securityType, endpoint string, answer fetch.Response) (market.Instrument, market.Provenance) {
	i := market.Instrument{Symbol: sym, Name: string(sym), Kind: "equity"}
	p := market.Provenance{
		Source: name, Endpoint: endpoint, Licence: licence, FetchedAt: answer.FetchedAt, Cache: answer.Cache,
		Currency: "USD", Unit: "price", Adjustment: market.AdjustmentUnknown, DelayMinutes: delayMinutes,
	}
	if strings.HasPrefix(string(sym), "^") {
		i.Kind, p.Currency, p.Unit = "index", "", "index points"
	} else if strings.EqualFold(securityType, "etf") {
		i.Kind = "fund"
	}
	p = p.With(market.FlagDelayed)
	if answer.Cache == market.CacheStale {
		p = p.With(market.FlagStale)
	}
	return i, p
}

// newYork is the zone of the exchange; on a machine without zones, its winter's.
func newYork() *time.Location {
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		return time.FixedZone("EST", -5*60*60)
	}
	return zone
}

// unsettled reports whether the bar of day may still change: until twenty minutes
// after the close, and the delay.
func unsettled(day market.Date, now time.Time) bool {
	local := now.In(newYork())
	today := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, time.UTC)
	return day.After(today) || day.Equal(today) && local.Hour()*60+local.Minute() < 16*60+20+delayMinutes
}
