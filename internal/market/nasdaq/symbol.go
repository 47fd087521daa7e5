package nasdaq

import (
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch"
)

// The classes that the server tells apart.
const (
	classStock = "stocks"
	classFund  = "etf"
	classIndex = "index"
)

// spelled is a symbol as the server spells it, and the classes it may have; empty
// for what it cannot know. A class of share stands after a slash, which is
// written out.
func (s *Source) spelled(sym market.Symbol) (string, []string) {
	if index := indexOf(sym); index != "" {
		return index, []string{classIndex}
	}
	if !american(sym) {
		return "", nil
	}
	classes := []string{classStock, classFund}
	if class, ok := s.classes.Load(sym); ok && class == classFund {
		classes = []string{classFund, classStock}
	}
	return strings.Replace(string(sym), ".", "%sl%", 1), classes
}

func indexOf(sym market.Symbol) string {
	return map[market.Symbol]string{"^IXIC": "COMP", "^NDX": "NDX", "^GSPC": "SPX", "^RUT": "RUT", "^VIX": "VIX"}[sym]
}

// american reports whether sym can be listed in the United States: a suffix of one
// letter is a class of share, unless it is London's, Tokyo's, Frankfurt's or
// Toronto's.
func american(sym market.Symbol) bool {
	_, class, dotted := strings.Cut(string(sym), ".")
	return sym != "" && !strings.ContainsAny(string(sym), "^=-&") && (!dotted || len(class) == 1 && !strings.Contains("LTFV", class))
}

// same reports whether the server answered for what was asked.
func same(sym market.Symbol, answered string) bool {
	folded := strings.NewReplacer("%SL%", ".", "/", ".", "-", ".", "^", "").Replace(strings.ToUpper(answered))
	return folded == string(sym) || folded != "" && folded == indexOf(sym)
}

// described names sym, and begins the provenance of what is known of it. The
// server tells no names with bars: the symbol stands in.
func described(sym market.Symbol, class, endpoint string, answer fetch.Response) (market.Instrument, market.Provenance) {
	i := market.Instrument{Symbol: sym, Name: string(sym), Kind: "equity"}
	p := market.Provenance{
		Source: name, Endpoint: endpoint, Licence: licence, FetchedAt: answer.FetchedAt, Cache: answer.Cache,
		Currency: "USD", Unit: "price", Adjustment: market.AdjustmentSplit,
	}
	switch class {
	case classFund:
		i.Kind = "fund"
	case classIndex:
		i.Kind, p.Currency, p.Unit = "index", "", "index points"
	}
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
// after the close.
func unsettled(day market.Date, now time.Time) bool {
	local := now.In(newYork())
	today := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, time.UTC)
	return day.After(today) || day.Equal(today) && local.Hour()*60+local.Minute() < 16*60+20
}
