package yahoo

import (
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// Meta is what Yahoo says of an instrument beside its rows, under the names that
// the chart service has for it.
type Meta struct {
	Currency             string
	Symbol               string
	ExchangeName         string
	FullExchangeName     string
	InstrumentType       string
	LongName, ShortName  string
	RegularMarketTime    int64
	GMTOffset            int
	ExchangeTimezoneName string
	RegularMarketPrice   Number
	RegularMarketDayHigh Number
	RegularMarketVolume  Number
	PreviousClose        Number // of one day's answers alone
	DataGranularity      any    // "1d", or seconds in v8 spark
	CurrentTradingPeriod struct{ Pre, Regular, Post tradingPeriod }
}

type tradingPeriod struct{ Start, End int64 }

// location is the exchange's own time zone. Its offset is today's alone, so it is
// the second choice: an old bar may stand on the other side of a change of clocks.
func (m Meta) location() *time.Location {
	if name := m.ExchangeTimezoneName; name != "" && len(name) < 40 {
		if zone, err := time.LoadLocation(name); err == nil {
			return zone
		}
	}
	return time.FixedZone("exchange", min(max(m.GMTOffset, -14*3600), 14*3600))
}

// Zone is the exchange's time zone, nil where the answer does not tell it.
func (m Meta) Zone() *time.Location {
	if m.ExchangeTimezoneName == "" && m.GMTOffset == 0 {
		return nil
	}
	return m.location()
}

// Instrument is sym as Yahoo describes it. One without a name has its symbol for
// one.
func (m Meta) Instrument(sym market.Symbol) market.Instrument {
	name := m.LongName
	if name == "" {
		name = m.ShortName
	}
	exchange := m.FullExchangeName
	if exchange == "" {
		exchange = m.ExchangeName
	}
	one := market.Instrument{Symbol: sym, Name: client.SingleLine(name, 120), Kind: m.Kind(), Listing: ListingOf(m.ExchangeName, exchange)}
	if one.Name == "" {
		one.Name = string(sym)
	}
	return one
}

// Kind is what the instrument is, in nfa's words. It distrusts "mutual fund" where
// there is a day's range: a fund that is priced once a day has none, and Yahoo
// labels some listed shares so.
func (m Meta) Kind() string {
	if m.InstrumentType == "MUTUALFUND" && m.RegularMarketDayHigh.Valid {
		return "equity"
	}
	return InstrumentKind(m.InstrumentType)
}

// hasVolume reports whether volume means anything: it is a column of zeros where
// nothing is traded on an exchange.
func (m Meta) hasVolume() bool {
	switch m.Kind() {
	case "currency", "index", "fund":
		return m.RegularMarketVolume.Positive()
	}
	return true
}

// phase is what the exchange is doing, by the trading periods of the day.
func (m Meta) phase(at time.Time) market.Phase {
	periods, now := m.CurrentTradingPeriod, at.Unix()
	during := func(h tradingPeriod) bool { return h.Start <= now && now < h.End }
	switch {
	case periods.Regular.End == 0:
		return market.PhaseUnknown
	case during(periods.Regular):
		return market.PhaseRegular
	case during(periods.Pre):
		return market.PhasePre
	case during(periods.Post):
		return market.PhasePost
	}
	return market.PhaseClosed
}
