package yahoo

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// settlementDelay is how long after the close the last bar may still change.
const settlementDelay = 20 * time.Minute

// Series returns the whole chart as bars of an interval, adjusted for splits, with its dividends and splits.
// Actions are nil for an index, which has none, and for intraday bars. If dividends are in another currency
// than the prices, none is returned and DividendsUnknown is set. from is the provenance of the response. The
// bar of a session that is not settled at now is flagged provisional. A chart without a close yields
// ErrNoData, one with another interval ErrMalformed.
func (c Chart) Series(sym market.Symbol, interval market.Interval, from market.Provenance, now time.Time) (market.Series, error) {
	if len(c.stamps) == 0 {
		return market.Series{}, market.ErrNoData
	}
	if grain, ok := c.DataGranularity.(string); ok && grain != "" && grain != granularity(interval) {
		return market.Series{}, client.Malformedf("bars of %s instead of %s", client.SingleLine(grain, 10), granularity(interval))
	}
	if c.Currency == "" && c.Kind() != "index" {
		return market.Series{}, client.Malformedf("no currency")
	}
	c.interval = interval
	sc := c.scale()
	days, odd := c.days(sc, now)
	if len(days) == 0 {
		return market.Series{}, market.ErrNoData
	}
	out := market.Series{Instrument: c.Instrument(sym), Interval: interval}
	for _, d := range days {
		out.Bars = append(out.Bars, d.Bar)
	}
	p := c.withPriceUnits(from, sc)
	last := days[len(days)-1]
	p.AsOf = last.Date.UTC()
	if traded := time.Unix(c.RegularMarketTime, 0).UTC(); c.day(c.RegularMarketTime).Equal(last.Session()) && traded.After(last.Date) {
		p.AsOf = traded
	}
	if last.provisional {
		p = p.With(market.FlagProvisional)
	}
	switch {
	case interval.Intraday() > 0:
	case c.Kind() == "index":
		p = p.WithNote("Price index: dividends of its members are not included.")
	default:
		var doubts []string
		out.Actions, doubts = c.actions(days, sc)
		odd = append(odd, doubts...)
	}
	if foreign, ok := c.foreignDividendCurrency(sc); ok && out.Actions != nil {
		out.DividendsUnknown = true
		out.Actions = slices.DeleteFunc(out.Actions, func(a market.Action) bool { return a.Kind == market.ActionDividend })
		p = p.WithNote("Some dividends are reported in " + foreign + ", not in the currency of the prices. All dividends are omitted, so the total return is unknown.")
	}
	if len(odd) > 0 {
		p = p.With(market.FlagSuspect).WithNote(strings.Join(odd, " "))
	}
	out.Provenance = p
	return repair(out), nil
}

// repair corrects jumps whose cause and size are known, and flags those that remain.
func repair(s market.Series) market.Series {
	s, changes := s.Repair()
	if len(changes) > 0 {
		s.Provenance = s.Provenance.With(market.FlagRepaired).WithNote(strings.Join(changes, " "))
	}
	if open := s.DoubtfulSteps(); len(open) > 0 {
		days := make([]market.Date, len(open))
		for i, d := range open {
			days[i] = d.Date
		}
		s.Provenance = s.Provenance.With(market.FlagSuspect).WithNote(fmt.Sprintf("Closes jump on %s: %s.", joinDates(days), open[0].Reason))
	}
	return s
}

// sessionBar is a bar with its source data.
type sessionBar struct {
	market.Bar
	provisional bool
	adjusted    decimal.NullDecimal // Yahoo's own close for total return, scaled
}

// days parses the rows, oldest first, and returns warnings. A row without a close is dropped,
// except the current day, whose close is the current price.
func (c Chart) days(sc priceScale, now time.Time) ([]sessionBar, []string) {
	out := make([]sessionBar, 0, len(c.stamps))
	var crossed, unordered []market.Date
	for i, stamp := range c.stamps {
		d, ok := c.row(i, sc, now)
		if !ok {
			continue
		}
		n := len(out)
		switch {
		case n == 0:
		case i == len(c.stamps)-1 && c.isTradeOf(stamp, out[n-1]):
			// While an exchange is open, Yahoo may return the bar and the last trade as two rows.
			out[n-1] = out[n-1].mergeTrade(d)
			continue
		case !d.Date.After(out[n-1].Date):
			unordered = append(unordered, c.day(stamp))
			continue
		}
		var consistent bool
		if d.Bar, consistent = dropInconsistent(d.Bar); !consistent {
			crossed = append(crossed, d.Date)
		}
		out = append(out, d)
	}
	var odd []string
	if len(crossed) > 0 {
		odd = append(odd, "High and low contradict the close and are omitted on "+joinDates(crossed)+".")
	}
	if len(unordered) > 0 {
		odd = append(odd, "Duplicate bars are omitted for "+joinDates(unordered)+".")
	}
	return out, odd
}

func (c Chart) row(i int, sc priceScale, now time.Time) (sessionBar, bool) {
	at := func(column []Number) Number {
		if len(column) == 0 {
			return Number{}
		}
		return column[i]
	}
	d := sessionBar{Bar: market.Bar{
		Date: c.start(c.stamps[i]),
		Open: at(c.prices.Open).Price(sc.bars), High: at(c.prices.High).Price(sc.bars), Low: at(c.prices.Low).Price(sc.bars),
	}}
	today, end := c.day(c.RegularMarketTime).Equal(d.Session()), c.CurrentTradingPeriod.Regular.End
	if length := c.interval.Intraday(); length > 0 {
		end = min(end, c.stamps[i]+int64(length.Seconds()))
	}
	switch {
	case c.prices.Close[i].Positive():
		d.Close = c.prices.Close[i].Decimal.Mul(sc.bars)
		d.provisional = today && now.Before(time.Unix(end, 0).Add(settlementDelay)) &&
			c.day(c.CurrentTradingPeriod.Regular.Start).Equal(d.Session())
	case today && i == len(c.stamps)-1 && c.RegularMarketPrice.Positive():
		d.Close, d.provisional = c.RegularMarketPrice.Decimal.Mul(sc.price), true
	default:
		return sessionBar{}, false
	}
	if volume := at(c.prices.Volume); volume.Positive() || c.hasVolume() && !volume.Decimal.IsNegative() {
		d.Volume = volume.NullDecimal
	}
	d.adjusted = at(c.adjusted).Price(sc.bars)
	return d, true
}

// start returns the date of a bar that starts at an instant: its session or, for an intraday bar, the time.
func (c Chart) start(unix int64) time.Time {
	if c.interval.Intraday() > 0 {
		return time.Unix(unix, 0).In(c.zone)
	}
	return c.day(unix)
}

// isTradeOf reports whether a last row is not a bar but the last trade of the bar before it: in the same
// session or, for intraday bars, within that bar, which then includes the closing auction.
func (c Chart) isTradeOf(unix int64, before sessionBar) bool {
	length := c.interval.Intraday()
	if length == 0 {
		return c.day(unix).Equal(before.Session())
	}
	trade, end := time.Unix(unix, 0), c.CurrentTradingPeriod.Regular.End
	return unix == c.RegularMarketTime && (trade.Before(before.Date.Add(length)) || end > 0 && unix >= end && c.day(unix).Equal(before.Session()))
}

// granularity returns Yahoo's name of an interval.
func granularity(i market.Interval) string {
	if i == market.Daily {
		return "1d"
	}
	return string(i)
}

// mergeTrade returns the day's bar updated with a later trade of the same day.
func (d sessionBar) mergeTrade(later sessionBar) sessionBar {
	d.Close, d.adjusted, d.provisional = later.Close, later.adjusted, d.provisional || later.provisional
	for _, p := range []decimal.NullDecimal{later.High, later.Low, {Decimal: later.Close, Valid: true}} {
		if p.Valid && d.High.Valid && p.Decimal.GreaterThan(d.High.Decimal) {
			d.High = p
		}
		if p.Valid && d.Low.Valid && p.Decimal.LessThan(d.Low.Decimal) {
			d.Low = p
		}
	}
	if later.Volume.Valid && (!d.Volume.Valid || later.Volume.Decimal.GreaterThan(d.Volume.Decimal)) {
		d.Volume = later.Volume
	}
	return d
}

// dropInconsistent drops open, high and low if they contradict each other or the close, because it
// is unclear which one is wrong. Differences in the last digit of single precision are corrected
// instead.
func dropInconsistent(b market.Bar) (market.Bar, bool) {
	prices := []decimal.Decimal{b.Close}
	if b.Open.Valid {
		prices = append(prices, b.Open.Decimal)
	}
	top, bottom := decimal.Max(prices[0], prices[1:]...), decimal.Min(prices[0], prices[1:]...)
	noise := b.Close.Mul(decimal.New(2, -6))
	if b.High.Valid && b.High.Decimal.LessThan(top) {
		if top.Sub(b.High.Decimal).GreaterThan(noise) {
			return market.Bar{Date: b.Date, Close: b.Close, Volume: b.Volume}, false
		}
		b.High.Decimal = top
	}
	if b.Low.Valid && b.Low.Decimal.GreaterThan(bottom) {
		if b.Low.Decimal.Sub(bottom).GreaterThan(noise) {
			return market.Bar{Date: b.Date, Close: b.Close, Volume: b.Volume}, false
		}
		b.Low.Decimal = bottom
	}
	return b, true
}

// joinDates lists the first few of some dates.
func joinDates(all []market.Date) string {
	const limit = 3
	text := ""
	for i, d := range all[:min(len(all), limit)] {
		if i > 0 {
			text += ", "
		}
		text += d.Format("2006-01-02")
	}
	if more := len(all) - limit; more > 0 {
		text += " and " + humanize.Count(more, "more day", "more days")
	}
	return text
}

// actions returns the dividends and splits of the chart, oldest first, and warnings. The result is
// never nil, because Yahoo reports them all. Dividends in a currency other than that of the prices
// are omitted.
func (c Chart) actions(days []sessionBar, sc priceScale) ([]market.Action, []string) {
	out := make([]market.Action, 0, len(c.dividends)+len(c.splits))
	var odd []string
	for _, d := range c.dividends {
		amount, ok := d.amountIn(sc)
		if !ok || !isPlausibleTime(d.Date) {
			continue
		}
		a, doubt := checkDividend(market.Action{Kind: market.ActionDividend, Date: c.day(d.Date), Amount: amount}, days, sc)
		if doubt != "" {
			odd = append(odd, doubt)
		}
		out = append(out, a)
	}
	for _, s := range c.splits {
		if s.Numerator.Positive() && s.Denominator.Positive() && isPlausibleTime(s.Date) {
			out = append(out, splitAction(market.Action{Date: c.day(s.Date), New: s.Numerator.Decimal, Old: s.Denominator.Decimal}))
		}
	}
	slices.SortFunc(out, func(a, b market.Action) int {
		if !a.Date.Equal(b.Date) {
			return a.Date.Compare(b.Date)
		}
		return cmp.Compare(a.Kind, b.Kind)
	})
	sort.Strings(odd)
	return out, odd
}

// amountIn returns the dividend in the currency of the prices, and false if it was paid in another
// or is invalid.
func (d chartDividend) amountIn(sc priceScale) (decimal.Decimal, bool) {
	major, parts := MajorUnit(d.Currency)
	switch {
	case !d.Amount.Positive():
		return decimal.Decimal{}, false
	case d.Currency == "" || d.Currency == sc.quoted:
		return d.Amount.Decimal.Mul(sc.bars), true
	case major == sc.currency:
		// Pounds with prices in pence, or the reverse.
		return d.Amount.Decimal.DivRound(decimal.NewFromInt(parts), 12), true
	}
	return decimal.Decimal{}, false
}

// foreignDividendCurrency returns a currency of dividends that differs from that of the prices, and
// false if there is none. Yahoo does not report the exchange rate.
func (c Chart) foreignDividendCurrency(sc priceScale) (currency string, ok bool) {
	for _, d := range c.dividends {
		if _, convertible := d.amountIn(sc); !convertible && d.Amount.Positive() && isPlausibleTime(d.Date) && (!ok || d.Currency < currency) {
			currency, ok = d.Currency, true
		}
	}
	return client.SingleLine(currency, 10), ok
}

// maxSplitTerm is the largest plausible number in a split ratio: a stock dividend of 1% is 101 for 100.
const maxSplitTerm = 110

// splitAction distinguishes splits from spin-offs, which Yahoo reports as splits by the price change (1046
// for 1000). The distinction is a guess and flagged as one.
func splitAction(a market.Action) market.Action {
	a.Kind = market.ActionSplit
	ratio := new(big.Rat).Quo(a.New.Rat(), a.Old.Rat()) // in lowest terms
	one, most := big.NewInt(1), big.NewInt(maxSplitTerm)
	n, o := ratio.Num(), ratio.Denom()
	if n.Cmp(one) == 0 || o.Cmp(one) == 0 || n.Cmp(most) <= 0 && o.Cmp(most) <= 0 {
		return a
	}
	a.Flags = []market.Flag{market.FlagSuspect}
	if a.New.GreaterThan(a.Old) {
		a.Kind = market.ActionSpinOff
	}
	return a
}

// checkDividend compares a dividend with the previous close and with Yahoo's adjusted close.
func checkDividend(a market.Action, days []sessionBar, sc priceScale) (market.Action, string) {
	i := sort.Search(len(days), func(i int) bool { return !days[i].Date.Before(a.Date) })
	if i == 0 || i == len(days) {
		return a, ""
	}
	before, on, when := days[i-1], days[i], a.Date.Format("2006-01-02")
	if sc.converted() && !a.Amount.LessThan(before.Close) {
		_, parts := MajorUnit(sc.quoted)
		a.Amount = a.Amount.DivRound(decimal.NewFromInt(parts), 12)
		a.Flags = append(a.Flags, market.FlagSuspect, market.FlagConverted)
		return a, fmt.Sprintf("The dividend of %s was as large as the price, so it is read as %s.", when, sc.quoted)
	}
	if !before.adjusted.Valid || !on.adjusted.Valid {
		return a, ""
	}
	previous := before.Close.InexactFloat64()
	adjustment := before.adjusted.Decimal.InexactFloat64() / previous * on.Close.InexactFloat64() / on.adjusted.Decimal.InexactFloat64()
	implied, amount := previous*(1-adjustment), a.Amount.InexactFloat64()
	// Single precision allows this relative error in the price.
	if math.Abs(implied-amount) <= max(0.05*amount, 1e-6*previous) {
		return a, ""
	}
	a.Flags = append(a.Flags, market.FlagSuspect)
	return a, fmt.Sprintf("Yahoo's adjusted close does not confirm the dividend of %s.", when)
}
