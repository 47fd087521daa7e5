package yahoo

import (
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// settlementDelay is how long after the close the last bar may still change.
const settlementDelay = 20 * time.Minute

// Series returns the whole chart as daily bars, adjusted for splits, with its dividends and
// splits; an index has none, which leaves Actions nil. If dividends are in another currency
// than the prices, none is returned and DividendsUnknown is set. from is the provenance of the
// response. The bar of a session that is not settled at now is flagged provisional. A chart
// without a close yields ErrNoData, one of anything but days ErrMalformed.
func (c Chart) Series(sym market.Symbol, from market.Provenance, now time.Time) (market.Series, error) {
	if len(c.stamps) == 0 {
		return market.Series{}, market.ErrNoData
	}
	if grain, ok := c.DataGranularity.(string); ok && grain != "" && grain != "1d" {
		return market.Series{}, client.Malformedf("bars of %s in place of days", client.SingleLine(grain, 10))
	}
	if c.Currency == "" && c.Kind() != "index" {
		return market.Series{}, client.Malformedf("no currency")
	}
	sc := c.scale()
	days, odd := c.days(sc, now)
	if len(days) == 0 {
		return market.Series{}, market.ErrNoData
	}
	out := market.Series{Instrument: c.Instrument(sym), Interval: market.Daily}
	for _, d := range days {
		out.Bars = append(out.Bars, d.Bar)
	}
	p := c.withPriceUnits(from, sc)
	last := days[len(days)-1]
	p.AsOf = last.Date
	if traded := time.Unix(c.RegularMarketTime, 0).UTC(); c.day(c.RegularMarketTime).Equal(last.Date) && traded.After(last.Date) {
		p.AsOf = traded
	}
	if last.provisional {
		p = p.With(market.FlagProvisional)
	}
	if c.Kind() == "index" {
		p.Note = joinNotes(p.Note, "Price index: the dividends of its members are not counted.")
	} else {
		var doubts []string
		out.Actions, doubts = c.actions(days, sc)
		odd = append(odd, doubts...)
	}
	odd = append(odd, suspectJumps(out.Bars, out.Actions)...)
	if foreign, ok := c.foreignDividendCurrency(sc); ok && out.Actions != nil {
		out.Actions, out.DividendsUnknown = splitsOnly(out.Actions), true
		p.Note = joinNotes(p.Note, "Some dividends are told in "+foreign+" and not in the currency of the prices: no dividends are given, splits alone, and no total return can be made of this.")
	}
	if len(odd) > 0 {
		p = p.With(market.FlagSuspect)
		p.Note = joinNotes(append([]string{p.Note}, odd...)...)
	}
	out.Provenance = p
	return out, nil
}
