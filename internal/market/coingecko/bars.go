package coingecko

import (
	"context"
	"encoding/json"
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch"
	"github.com/nfa-cli/nfa/internal/market/wire"
)

const (
	freshBars = 15 * time.Minute
	staleBars = oneDay
	// reach is how many days back CoinGecko tells without a paid plan.
	reach     = 365
	reachNote = "CoinGecko gives 365 days at most; what is older is not here."
)

// Bars returns the daily closes of sym in r, at midnight of universal time, for a
// year back at most; the note says so where r begins earlier. CoinGecko's daily
// prices have no open, high, low or volume of the day. The current day has its
// newest price and is flagged provisional. Coins have no dividends and no splits,
// so the series has none and its prices are raw.
func (s *Source) Bars(ctx context.Context, sym market.Symbol, r market.Range) (market.Series, error) {
	doing := "bars of " + string(sym)
	p, err := s.resolve(ctx, doing, sym)
	if err != nil {
		return market.Series{}, err
	}
	first := s.o.Now().UTC().Truncate(oneDay).AddDate(0, 0, -reach-1)
	switch {
	case !r.To.IsZero() && r.To.Before(r.From):
		return market.Series{}, s.keyless.Failed(doing, market.ErrNoData, "the range ends before it begins")
	case !r.To.IsZero() && r.To.Before(first):
		return market.Series{}, s.keyless.Failed(doing, market.ErrNoData, reachNote)
	}
	points, answer, err := get(ctx, s, question{
		doing: doing, path: "coins/" + url.PathEscape(p.id) + "/market_chart", fresh: freshBars, stale: staleBars,
		values: url.Values{"vs_currency": {strings.ToLower(p.currency)}, "days": {strconv.Itoa(reach)}, "interval": {"daily"}},
	}, parseChart)
	if err != nil {
		return market.Series{}, err
	}
	out, ok := series(p, points, answer, r)
	if !ok {
		return market.Series{}, s.keyless.Failed(doing, market.ErrNoData, "")
	}
	if r.From.Before(first) {
		out.Provenance.Note = joined(out.Provenance.Note, reachNote)
	}
	return out, nil
}

// point is the price at an instant, as the close of a day.
type point struct {
	date    market.Date
	at      time.Time
	price   decimal.Decimal
	settled bool // whether the day was over
}

// series is what of the points lies in r. It reports false where nothing does.
func series(p pair, points []point, answer fetch.Response, r market.Range) (market.Series, bool) {
	out := market.Series{Instrument: p.instrument(), Interval: market.Daily, Actions: []market.Action{}}
	out.Provenance = provenance(p.coin, p.currency, "v3 market chart", answer)
	settled := true
	for _, one := range points {
		if !r.Contains(one.date) {
			continue
		}
		out.Bars = append(out.Bars, market.Bar{Date: one.date, Close: one.price})
		out.Provenance.AsOf, settled = one.date, one.settled
		if !one.settled {
			out.Provenance.AsOf = one.at
		}
	}
	if !settled {
		out.Provenance = out.Provenance.With(market.FlagProvisional)
	}
	return out, len(out.Bars) > 0
}

// grace is how late after midnight a price is still the close of the day before.
const grace = 10 * time.Minute

// parseChart reads the prices of a chart, oldest first. A price of midnight closes
// the day before; the last one is of now and closes no day yet. Prices that are
// null or zero are none.
func parseChart(body []byte) ([]point, error) {
	var chart struct{ Prices *[][]*json.Number }
	if json.Unmarshal(body, &chart) != nil || chart.Prices == nil {
		return nil, wire.Malformed("no prices")
	}
	var out []point
	var before time.Time
	for _, row := range *chart.Prices {
		if len(row) != 2 || row[0] == nil {
			return nil, wire.Malformed("a price without a time")
		}
		ms, err := strconv.ParseFloat(row[0].String(), 64)
		if err != nil || ms <= 0 || ms > latest || ms != math.Trunc(ms) {
			return nil, wire.Malformed("%.30q is no time", *row[0])
		}
		at := time.UnixMilli(int64(ms)).UTC()
		if at.Before(before) {
			return nil, wire.Malformed("the price of %s comes after a later one", at.Format(time.DateTime))
		}
		one, ok, err := pointOf(at, before, row[1])
		if err != nil {
			return nil, err
		}
		before = at
		switch n := len(out); {
		case !ok:
		case n > 0 && out[n-1].date.Equal(one.date):
			out[n-1] = one
		default:
			out = append(out, one)
		}
	}
	return out, nil
}

func pointOf(at, before time.Time, text *json.Number) (point, bool, error) {
	if text == nil {
		return point{}, false, nil
	}
	price, err := figure(*text)
	if err != nil || !price.IsPositive() {
		return point{}, false, err
	}
	one := point{date: at.Truncate(oneDay), at: at, price: price}
	if at.Sub(one.date) <= grace && before.Before(one.date) {
		one.date, one.settled = one.date.AddDate(0, 0, -1), true
	}
	return one, true, nil
}
