package binance

import (
	"cmp"
	"context"
	"encoding/json"
	"net/url"
	"strconv"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	freshBars = time.Minute // the last bar changes all day
	freshPast = 24 * time.Hour
	staleBars = time.Hour
	stalePast = 30 * 24 * time.Hour
	pageBars  = 1000 // page size of Binance
	maxPages  = 20   // more than fifty years of days; a server that sends more pages repeats them
	oneDay    = 24 * time.Hour
)

// Bars returns the daily bars of sym in r. The current day is flagged provisional until midnight
// UTC. A pair that Binance does not trade yields ErrUnknownSymbol, a range without trading
// ErrNoData. Coins have no dividends or splits, so actions are empty and prices raw.
func (s *Source) Bars(ctx context.Context, sym market.Symbol, r market.Range) (market.Series, error) {
	return s.bars(ctx, sym, market.Daily, r)
}

// Intraday works like Bars for an interval shorter than a day, in UTC. The page limit allows 20,000 bars: 69 days of
// five-minute bars.
func (s *Source) Intraday(ctx context.Context, sym market.Symbol, i market.Interval, r market.Range) (market.Series, error) {
	if _, ok := pairOf(sym); !ok || i.Intraday() == 0 {
		return market.Series{}, s.client.NewError("bars of "+string(sym), market.ErrNotCovered, "")
	}
	today := s.o.Now().UTC().Truncate(oneDay)
	if kept := today.Add(oneDay - maxPages*pageBars*i.Intraday()); r.From.Before(kept) && (r.To.IsZero() || !r.To.Before(kept)) {
		r.From = kept.Truncate(oneDay).Add(oneDay)
	}
	return s.bars(ctx, sym, i, r)
}

func (s *Source) bars(ctx context.Context, sym market.Symbol, interval market.Interval, r market.Range) (market.Series, error) {
	op := "bars of " + string(sym)
	if err := ctx.Err(); err != nil {
		return market.Series{}, err
	}
	p, ok := pairOf(sym)
	if !ok {
		return market.Series{}, s.client.NewError(op, market.ErrUnknownSymbol, "not a pair of a coin and a currency")
	}
	if !r.To.IsZero() && (r.To.Before(r.From) || r.To.Unix() < 0) {
		return market.Series{}, s.client.NewError(op, market.ErrNoData, "the range is empty")
	}
	days, last, err := s.fetchPages(ctx, p, interval, r)
	if err != nil {
		return market.Series{}, err
	}
	if days = klinesInRange(days, r); len(days) == 0 {
		return market.Series{}, s.client.NewError(op, market.ErrNoData, "")
	}
	return newSeries(p, interval, days, last), nil
}

// barLength returns the length of an interval.
func barLength(i market.Interval) time.Duration { return cmp.Or(i.Intraday(), oneDay) }

// fetchPages collects the bars of r, oldest first, and the response with the newest.
func (s *Source) fetchPages(ctx context.Context, p pair, interval market.Interval, r market.Range) ([]kline, client.Response, error) {
	var all []kline
	var newest client.Response
	var last market.Date
	from, length := max(r.From.Unix(), 0), barLength(interval)
	for range maxPages {
		found, answer, err := get(ctx, s, s.pageRequest(p, interval, from, r.To), func(body []byte) (page, error) { return parsePage(body, interval) })
		if err != nil {
			return nil, answer, err
		}
		if found.rows == 0 {
			break
		}
		if !found.last.After(last) {
			return nil, answer, s.client.NewError("bars of "+string(p.sym), client.Malformedf("next page has no newer bars"), "")
		}
		all, newest, last = append(all, found.days...), answer, found.last
		from = last.Add(length).Unix()
		if found.rows < pageBars || !r.To.IsZero() && from >= r.To.Add(oneDay).Unix() {
			break
		}
	}
	return all, newest, nil
}

// pageRequest returns the request for the bars from a Unix time (in seconds) on.
func (s *Source) pageRequest(p pair, interval market.Interval, from int64, to market.Date) apiRequest {
	today := s.o.Now().UTC().Truncate(oneDay)
	name := string(interval)
	if interval == market.Daily {
		name = "1d"
	}
	values := url.Values{
		"symbol": {p.apiSymbol}, "interval": {name}, "limit": {strconv.Itoa(pageBars)},
		"startTime": {strconv.FormatInt(from*1000, 10)},
	}
	settled := from > 0 && time.Unix(from, 0).Add(pageBars*barLength(interval)).Before(today)
	if !to.IsZero() && to.Before(today) {
		values.Set("endTime", strconv.FormatInt(to.Add(oneDay).UnixMilli()-1, 10))
		settled = true
	}
	q := apiRequest{op: "bars of " + string(p.sym), path: "/api/v3/klines", values: values, fresh: freshBars, stale: staleBars}
	if settled {
		q.fresh, q.stale = freshPast, stalePast
	}
	return q
}

func klinesInRange(days []kline, r market.Range) []kline {
	var matching []kline
	for _, d := range days {
		if r.Contains((market.Bar{Date: d.date}).Session()) {
			matching = append(matching, d)
		}
	}
	return matching
}

func newSeries(p pair, interval market.Interval, days []kline, answer client.Response) market.Series {
	out := market.Series{Instrument: p.instrument(), Interval: interval, Actions: []market.Action{}}
	origin := p.provenance("v3 klines", answer)
	var h client.BarHistory
	for _, d := range days {
		h.AddDay(d.date, d.open, d.high, d.low, d.last, d.volume)
	}
	out.Bars = h.Bars
	newest := days[len(days)-1].date
	origin.AsOf = newest
	if answer.FetchedAt.Before(newest.Add(barLength(interval))) {
		origin = origin.With(market.FlagProvisional)
		if answer.FetchedAt.After(newest) {
			origin.AsOf = answer.FetchedAt
		}
	}
	out.Provenance = h.FlagInconsistent(origin)
	return out
}

// kline is one day of trading, or a shorter bar, as reported by Binance.
type kline struct {
	date                          market.Date // or the start of a shorter bar
	open, high, low, last, volume decimal.NullDecimal
}

// page is a response with klines, oldest first.
type page struct {
	days []kline
	rows int         // including bars without trading
	last market.Date // of the last row
}

// parsePage parses klines of an interval. A kline without a close is omitted, because nothing was traded.
func parsePage(body []byte, interval market.Interval) (page, error) {
	var rows [][]json.RawMessage
	if err := json.Unmarshal(body, &rows); err != nil || rows == nil {
		return page{}, client.Malformedf("no list of bars")
	}
	out := page{days: make([]kline, 0, len(rows)), rows: len(rows)}
	for _, row := range rows {
		k, err := parseKline(row, interval)
		if err != nil {
			return page{}, err
		}
		if !k.date.After(out.last) {
			return page{}, client.Malformedf("bars out of order at %s", k.date.Format(time.DateTime))
		}
		out.last = k.date
		if k.last.Valid {
			out.days = append(out.days, k)
		}
	}
	return out, nil
}

func parseKline(row []json.RawMessage, interval market.Interval) (kline, error) {
	var k kline
	if len(row) < 7 {
		return k, client.Malformedf("bar with %d columns", len(row))
	}
	var opened, closed int64
	if json.Unmarshal(row[0], &opened) != nil || json.Unmarshal(row[6], &closed) != nil {
		return k, client.Malformedf("bar without times")
	}
	length := barLength(interval).Milliseconds()
	if opened < 0 || opened > latest || opened%length != 0 || closed != opened+length-1 {
		return k, client.Malformedf("not a %s bar", interval)
	}
	k.date = time.UnixMilli(opened).UTC()
	for i, into := range []*decimal.NullDecimal{&k.open, &k.high, &k.low, &k.last, &k.volume} {
		var text string
		if json.Unmarshal(row[i+1], &text) != nil {
			return k, client.Malformedf("price is not text")
		}
		value, err := parseNumber(text)
		if err != nil {
			return k, err
		}
		*into = decimal.NullDecimal{Decimal: value, Valid: value.IsPositive() || into == &k.volume}
	}
	return k, nil
}

// maxNumberLen is longer than any price or volume.
const maxNumberLen = 40

// parseNumber parses a number that Binance writes as text. An exponent is an error.
func parseNumber(text string) (decimal.Decimal, error) {
	value, ok := client.ParsePlainDecimal(text, maxNumberLen)
	if !ok {
		return decimal.Decimal{}, client.Malformedf("invalid price %.40q", text)
	}
	return value, nil
}
