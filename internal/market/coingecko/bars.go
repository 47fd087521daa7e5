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
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	freshBars = 15 * time.Minute
	staleBars = oneDay
	// historyDays is the length of CoinGecko's history without a paid plan.
	historyDays = 365
	historyNote = "CoinGecko returns at most 365 days; older prices are missing."
)

// Bars returns the daily closes of sym in r at midnight UTC, for at most one year; a note reports
// an earlier start of r. There is no open, high, low or volume. The current day has its newest
// price and is flagged provisional. Coins have no dividends or splits, so actions are empty and
// prices raw.
func (s *Source) Bars(ctx context.Context, sym market.Symbol, r market.Range) (market.Series, error) {
	op := "bars of " + string(sym)
	p, err := s.resolve(ctx, op, sym)
	if err != nil {
		return market.Series{}, err
	}
	first := s.o.Now().UTC().Truncate(oneDay).AddDate(0, 0, -historyDays-1)
	switch {
	case !r.To.IsZero() && r.To.Before(r.From):
		return market.Series{}, s.keyless.NewError(op, market.ErrNoData, "the range ends before it starts")
	case !r.To.IsZero() && r.To.Before(first):
		return market.Series{}, s.keyless.NewError(op, market.ErrNoData, historyNote)
	}
	points, answer, err := get(ctx, s, apiRequest{
		op: op, path: "coins/" + url.PathEscape(p.id) + "/market_chart", fresh: freshBars, stale: staleBars,
		values: url.Values{"vs_currency": {strings.ToLower(p.currency)}, "days": {strconv.Itoa(historyDays)}, "interval": {"daily"}},
	}, parseChart)
	if err != nil {
		return market.Series{}, err
	}
	out, ok := newSeries(p, points, answer, r)
	if !ok {
		return market.Series{}, s.keyless.NewError(op, market.ErrNoData, "")
	}
	if r.From.Before(first) {
		out.Provenance = out.Provenance.WithNote(historyNote)
	}
	return out, nil
}

// point is a price at an instant, used as the close of a day.
type point struct {
	date    market.Date
	at      time.Time
	price   decimal.Decimal
	settled bool // whether the day was over
}

// newSeries returns the points in r, and false if there are none.
func newSeries(p pair, points []point, answer client.Response, r market.Range) (market.Series, bool) {
	out := market.Series{Instrument: p.instrument(), Interval: market.Daily, Actions: []market.Action{}}
	out.Provenance = newProvenance(p.coin, p.currency, "v3 market chart", answer)
	settled := true
	for _, pt := range points {
		if !r.Contains(pt.date) {
			continue
		}
		out.Bars = append(out.Bars, market.Bar{Date: pt.date, Close: pt.price})
		out.Provenance.AsOf, settled = pt.date, pt.settled
		if !pt.settled {
			out.Provenance.AsOf = pt.at
		}
	}
	if !settled {
		out.Provenance = out.Provenance.With(market.FlagProvisional)
	}
	return out, len(out.Bars) > 0
}

// midnightGrace is how long after midnight a price still counts as the close of the previous day.
const midnightGrace = 10 * time.Minute

// parseChart parses the prices of a chart, oldest first. A price at midnight is the close of the
// previous day; the last one is the current price. Null and zero prices are dropped.
func parseChart(body []byte) ([]point, error) {
	var chart struct{ Prices *[][]*json.Number }
	if json.Unmarshal(body, &chart) != nil || chart.Prices == nil {
		return nil, client.Malformedf("no prices")
	}
	var out []point
	var before time.Time
	for _, row := range *chart.Prices {
		if len(row) != 2 || row[0] == nil {
			return nil, client.Malformedf("price has no timestamp")
		}
		ms, err := strconv.ParseFloat(row[0].String(), 64)
		if err != nil || ms <= 0 || ms > maxUnixMilli || ms != math.Trunc(ms) {
			return nil, client.Malformedf("invalid time %.30q", *row[0])
		}
		at := time.UnixMilli(int64(ms)).UTC()
		if at.Before(before) {
			return nil, client.Malformedf("prices out of order at %s", at.Format(time.DateTime))
		}
		pt, ok, err := pointOf(at, before, row[1])
		if err != nil {
			return nil, err
		}
		before = at
		switch n := len(out); {
		case !ok:
		case n > 0 && out[n-1].date.Equal(pt.date):
			out[n-1] = pt
		default:
			out = append(out, pt)
		}
	}
	return out, nil
}

func pointOf(at, before time.Time, text *json.Number) (point, bool, error) {
	if text == nil {
		return point{}, false, nil
	}
	price, err := parseNumber(*text)
	if err != nil || !price.IsPositive() {
		return point{}, false, err
	}
	pt := point{date: at.Truncate(oneDay), at: at, price: price}
	if at.Sub(pt.date) <= midnightGrace && before.Before(pt.date) {
		pt.date, pt.settled = pt.date.AddDate(0, 0, -1), true
	}
	return pt, true, nil
}
