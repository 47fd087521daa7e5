package prices

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type priceHistoryInput struct {
	Symbol   string `json:"symbol" jsonschema:"One symbol such as AAPL or ^GSPC."`
	Range    string `json:"range,omitempty" jsonschema:"Period to the last close: 1m, 6m, 1y, 5y, 10y, ytd or max. Default 1y."`
	From     string `json:"from,omitempty" jsonschema:"Start date: YYYY, YYYY-MM or YYYY-MM-DD. Not with range."`
	To       string `json:"to,omitempty" jsonschema:"End date: YYYY, YYYY-MM or YYYY-MM-DD. Not with range."`
	Interval string `json:"interval,omitempty" jsonschema:"5m, 1h, daily, weekly or monthly. Default: the source's interval."`
}

const priceHistoryDescription = `Price bars for one symbol, with the highest and lowest close. Use for past prices; for returns or drawdown use returns_stats. Returns at most 60 bars: shorten the range or set interval to weekly or monthly to see all. Adjusted prices are not traded prices.`

const priceHistoryDetails = `Each bar has the date and the close, and open, high, low and volume if the source has them. The result also has the first and last bar, the highest and lowest close, and the unit, adjustment, source and date. price_change_pct and total_return_pct (dividends reinvested) cover the first to the last close, if the source has enough data.
Weekly and monthly bars are built from daily ones and dated by their last session. Bars of 1h and 5m are dated by their start in the exchange's time zone (timezone). The last one may be incomplete (flag provisional), and dividends are unknown. Their default range is 1m for 1h and 1d for 5m; sources keep two years of 1h and 60 days of 5m, and there are none with --as-of.
adjustment says how prices were adjusted: raw (as traded), split, or split_div (dividends reinvested, so older prices differ from the prices paid).
A range ends at the last close of the series, which may be in the past. A year, quarter (2008-Q1), month or ytd, and a from date on the first day of a month, start at the last close before: 2008 starts at the close of 2007-12-31, which counts for neither high nor low. Any other from date is exact: daily data start with the first session on or after that day, monthly data with the last close on or before it. The note states the first close if it is earlier than the start date.
For the price on a past day, use that day as to and a few days earlier as from (a month earlier for monthly data), then read last, because not every day has a close. The model receives at most 60 bars; longer series are reduced to evenly spaced closes, and bars_note says so.`

const priceHistoryKeywords = `price history historical past closes chart bars ohlc candles open high low volume daily weekly monthly hourly intraday minutes peak bottom level was traded highest lowest 历史 走势 历史价格 收盘价 最高价 最低价 过去 当时 日线 周线 月线 分时 分钟线 小时线 成交量`

var priceHistoryPhrasings = []string{
	"daily closes of <sym> for the last <num> months",
	"what was <sym> trading at on <num>",
	"highest and lowest price of <sym> in <num>",
	"price history of <sym> since <num>",
	"<sym>过去<num>年的股价走势",
	"<sym>在<num>年底的收盘价是多少",
	"<sym>历史最高价",
}

const (
	maxModelBars = 60
	maxUserBars  = 24
)

type bar struct {
	day market.Date

	Date   string              `json:"date" label:"date"`
	Open   decimal.NullDecimal `json:"open,omitzero" label:"open" as:"price" currency:"/PriceUnit"`
	High   decimal.NullDecimal `json:"high,omitzero" label:"high" as:"price" currency:"/PriceUnit"`
	Low    decimal.NullDecimal `json:"low,omitzero" label:"low" as:"price" currency:"/PriceUnit"`
	Close  decimal.Decimal     `json:"close" label:"close" as:"price" currency:"/PriceUnit"`
	Volume decimal.NullDecimal `json:"volume,omitzero" label:"volume"`

	volumeUnit string
	edge       bool // the first or last bar, of which people see only the close
}

func (b bar) Explain(field string) toolkit.Explanation {
	e := toolkit.Explanation{AsOf: b.day}
	if field == "volume" {
		e.Unit = b.volumeUnit
	}
	if b.edge {
		e.Basis = b.Date
		e.Omit, e.Silent = field == "date", field != "close"
	}
	return e
}

type extreme struct {
	day market.Date

	Date  string          `json:"date"`
	Close decimal.Decimal `json:"close" label:"close" as:"price" currency:"/PriceUnit"`
}

func (x extreme) Explain(string) toolkit.Explanation {
	return toolkit.Explanation{AsOf: x.day, Basis: x.Date}
}

type priceHistory struct {
	Symbol   market.Symbol   `json:"symbol"`
	Name     string          `json:"name"`
	Kind     string          `json:"kind"`
	Interval market.Interval `json:"interval"`
	Timezone string          `json:"timezone,omitempty"` // of intraday bars
	From     string          `json:"from"`
	To       string          `json:"to"`
	Count    int             `json:"count" label:"bars" unit:"bars" row:"-"`
	toolkit.Origin
	Warnings toolkit.Notes `json:"warnings,omitempty"`
	First    bar           `json:"first" label:"first"`
	Last     bar           `json:"last" label:"last"`
	High     extreme       `json:"high" label:"highest"`
	Low      extreme       `json:"low" label:"lowest"`
	historyReturns
	Bars     []bar  `json:"bars" table:"Bars"`
	BarsNote string `json:"bars_note,omitempty"`

	PriceUnit string `json:"-"`
	series    market.Series
}

func (h priceHistory) Headline(lang string) string {
	price := func(d decimal.Decimal) string { return toolkit.Format(d, toolkit.Price, h.PriceUnit) }
	if h.Timezone != "" {
		if lang == "zh" {
			return fmt.Sprintf("%s 从 %s 到 %s（%s）：由 %s 到 %s，最高 %s，最低 %s。", h.Symbol, h.From, h.To, h.Interval, price(h.First.Close), price(h.Last.Close), price(h.High.Close), price(h.Low.Close))
		}
		return fmt.Sprintf("%s went from %s (%s) to %s (%s); highest %s close %s, lowest %s.", h.Symbol, price(h.First.Close), h.From, price(h.Last.Close), h.To, h.Interval, price(h.High.Close), price(h.Low.Close))
	}
	if lang == "zh" {
		return fmt.Sprintf("%s 从 %s 到 %s：收盘价由 %s 到 %s，最高 %s，最低 %s。", h.Symbol, h.From, h.To, price(h.First.Close), price(h.Last.Close), price(h.High.Close), price(h.Low.Close))
	}
	return fmt.Sprintf("%s closed at %s on %s and at %s on %s; highest close %s, lowest %s.", h.Symbol, price(h.First.Close), h.From, price(h.Last.Close), h.To, price(h.High.Close), price(h.Low.Close))
}

func (h priceHistory) Title() string {
	return fmt.Sprintf("%s · %s to %s · %s", h.Symbol, h.From, h.To, h.Interval)
}

func (h priceHistory) Summary() string { return toolkit.Format(h.Count, toolkit.Count, "") + " bars" }

func (h priceHistory) Text() string {
	return fmt.Sprintf("%s: %s %s closes %s, %s", toolkit.EscapeMarkdown(cmp.Or(h.Name, string(h.Symbol))), toolkit.Format(h.Count, toolkit.Count, ""), h.Interval, unitSuffix(h.series.Provenance), toolkit.AdjustmentText(h.Adjustment))
}

func (h priceHistory) Chart() *chart.Spec { return toolkit.PriceChart(h.series) }

func (h priceHistory) Explain(field string) toolkit.Explanation {
	ends := func(first, last decimal.Decimal) []string {
		return []string{fmt.Sprintf("first %s on %s", first, h.From), fmt.Sprintf("last %s on %s", last, h.To)}
	}
	switch field {
	case "bars":
		return toolkit.Explanation{Silent: h.Count < 2 || h.Count > maxUserBars}
	case "price_change_pct":
		return toolkit.Explanation{Inputs: ends(h.First.Close, h.Last.Close)}
	case "total_return_pct":
		return toolkit.Explanation{Inputs: ends(h.totalFirst, h.totalLast)}
	}
	return toolkit.Explanation{}
}

// newPriceHistory returns the tool for price bars.
func newPriceHistory(d Deps) tool.Tool {
	return toolkit.New("price_history", priceHistoryDescription, tool.Reads, func(ctx context.Context, in priceHistoryInput) (priceHistory, error) {
		interval, err := parseInterval(in.Interval)
		if err != nil {
			return priceHistory{}, err
		}
		sp, err := toolkit.ParsePeriod(in.Range, in.From, in.To, defaultRange(interval))
		if err != nil {
			return priceHistory{}, err
		}
		if interval.Intraday() > 0 {
			series, warnings, err := d.Prices.Intraday(ctx, d.Intraday, in.Symbol, interval, sp)
			if err != nil {
				return priceHistory{}, err
			}
			return newHistoryAnswer(series, interval, sp, warnings), nil
		}
		series, warnings, err := d.History(ctx, in.Symbol, sp)
		if err != nil {
			return priceHistory{}, err
		}
		if (interval == market.Daily || interval == market.Weekly) && series.Interval == market.Monthly {
			return priceHistory{}, toolkit.NoDataf("%s has only monthly bars; omit interval", series.Symbol)
		}
		return newHistoryAnswer(series, interval, sp, warnings), nil
	}).
		WithDetails(priceHistoryDetails).Find("market", priceHistoryKeywords, priceHistoryPhrasings...)
}

func parseInterval(text string) (market.Interval, error) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "":
		return "", nil
	case "daily", "day", "1d", "d":
		return market.Daily, nil
	case "weekly", "week", "1wk", "1w", "w":
		return market.Weekly, nil
	case "hourly", "hour", "1h", "60m", "h":
		return market.Hourly, nil
	case "5m", "5min", "5 minutes":
		return market.FiveMinutes, nil
	case "monthly", "month", "1mo", "1m", "m":
		return market.Monthly, nil
	}
	return "", toolkit.InvalidArgsf("unknown interval %q; use 5m, 1h, daily, weekly or monthly", text)
}

// defaultRange returns the range used without an argument. It gives at most a few hundred bars.
func defaultRange(i market.Interval) string {
	switch i {
	case market.FiveMinutes:
		return "1d"
	case market.Hourly:
		return "1m"
	}
	return "1y"
}

func newHistoryAnswer(s market.Series, interval market.Interval, sp toolkit.Period, warnings []string) priceHistory {
	// Without dividends from the source, the total return is unknown.
	adjusted, err := s.TotalReturn()
	doubtful := toolkit.CheckSteps(s)
	if err != nil || doubtful != nil {
		adjusted = market.Series{}
	}
	note, inside := sp.StartNote(s), 0
	if sp.StartsBefore(s) && len(s.Bars) > 1 {
		inside = 1
	}
	if s.Interval == market.Daily && (interval == market.Weekly || interval == market.Monthly) {
		combine := toolkit.ToMonthly
		if interval == market.Weekly {
			combine = toolkit.ToWeekly
		}
		s, adjusted = combineInside(s, inside, combine), combineInside(adjusted, inside, combine)
	}
	h := priceHistory{
		Symbol: s.Symbol, Name: s.Name, Kind: s.Kind, Interval: s.Interval, Count: len(s.Bars), series: s, PriceUnit: priceUnit(s.Provenance),
		Origin: priceOrigin(s.Provenance, note), Bars: make([]bar, len(s.Bars)), historyReturns: measureReturns(s, adjusted),
	}
	h.Warnings.WarnEach("data_range", warnings...)
	date := toolkit.FormatDate
	if s.Interval.Intraday() > 0 {
		h.Timezone = s.Bars[0].Date.Location().String()
		date = func(t time.Time) string { return t.Format("2006-01-02 15:04") }
	}
	if doubtful != nil {
		h.PriceChange = nil
		h.Warnings.Warn("doubtful_step", "%s", doubtful)
	}
	high, low := inside, inside // the close before a calendar period is not in the period
	for i, b := range s.Bars {
		h.Bars[i] = bar{day: b.Date, Date: date(b.Date), Open: b.Open, High: b.High, Low: b.Low, Close: b.Close, Volume: b.Volume, volumeUnit: volumeUnit(s.Kind)}
		if i >= inside && b.Close.GreaterThan(s.Bars[high].Close) {
			high = i
		}
		if i >= inside && b.Close.LessThan(s.Bars[low].Close) {
			low = i
		}
	}
	h.First, h.Last = h.Bars[0], h.Bars[len(h.Bars)-1]
	h.First.edge, h.Last.edge = true, true
	h.High = extreme{h.Bars[high].day, h.Bars[high].Date, h.Bars[high].Close}
	h.Low = extreme{h.Bars[low].day, h.Bars[low].Date, h.Bars[low].Close}
	h.From, h.To = h.First.Date, h.Last.Date
	return h
}

// combineInside combines the bars of a period into longer ones. The close before the period remains separate,
// because one session is not a week or a month.
func combineInside(s market.Series, inside int, combine func(market.Series) market.Series) market.Series {
	inside = min(inside, len(s.Bars))
	before := slices.Clone(s.Bars[:inside])
	for i, b := range before {
		before[i] = market.Bar{Date: b.Date, Close: b.Close}
	}
	s.Bars = s.Bars[inside:]
	s = combine(s)
	s.Bars = append(before, s.Bars...)
	return s
}

// Sampled implements [toolkit.Sampler]: closes only, because twenty years must fit into the model's
// context.
func (h priceHistory) Sampled() toolkit.Answer {
	if n := len(h.Bars); n > maxModelBars {
		h.Bars = toolkit.Spaced(h.Bars, maxModelBars)
		for i, b := range h.Bars {
			h.Bars[i] = bar{day: b.day, Date: b.Date, Close: b.Close}
		}
		h.BarsNote = fmt.Sprintf("%d of %s bars, evenly spaced, closes only; for every bar use a shorter range or interval monthly", maxModelBars, toolkit.Format(n, toolkit.Count, ""))
	}
	return h
}

func volumeUnit(kind string) string {
	if kind == "crypto" {
		return "coins"
	}
	return "shares"
}

// historyReturns are the changes from the first close to the last, in percent. One is absent if the
// source does not provide enough data.
type historyReturns struct {
	PriceChange *decimal.Decimal `json:"price_change_pct,omitempty" label:"price change" as:"change" in:"percent" key:"1" formula:"(last close - first close) / first close * 100"`
	TotalReturn *decimal.Decimal `json:"total_return_pct,omitempty" label:"total return" as:"change" in:"percent" key:"2" basis:"dividends reinvested" formula:"(last - first) / first * 100 of closes adjusted for dividends"`

	totalFirst, totalLast decimal.Decimal // closes with dividends reinvested
}

// measureReturns computes the changes of a series. adjusted is the same series with dividends
// reinvested, without bars if dividends are unknown.
func measureReturns(s, adjusted market.Series) historyReturns {
	var r historyReturns
	if isPriceOnly(s) {
		r.PriceChange = percentChange(s.Bars)
	}
	if n := len(adjusted.Bars); n > 0 {
		r.TotalReturn = percentChange(adjusted.Bars)
		r.totalFirst, r.totalLast = adjusted.Bars[0].Close, adjusted.Bars[n-1].Close
	}
	return r
}

// isPriceOnly reports whether these prices contain neither dividends nor unadjusted splits.
func isPriceOnly(s market.Series) bool {
	switch s.Provenance.Adjustment {
	case market.AdjustmentSplit:
		return true
	case market.AdjustmentRaw:
		if s.Kind == "index" {
			return true
		}
		span := market.Range{From: s.Bars[0].Date, To: s.Bars[len(s.Bars)-1].Date}
		for _, a := range s.Actions {
			if a.Kind != market.ActionDividend && span.Contains(a.Date) {
				return false
			}
		}
		return s.Actions != nil
	}
	return false
}

// percentChange returns the change from the first to the last close in percent, or nil.
func percentChange(bars []market.Bar) *decimal.Decimal {
	first, last := bars[0].Close, bars[len(bars)-1].Close
	if len(bars) < 2 || !first.IsPositive() {
		return nil
	}
	return toolkit.PercentOf(last.Sub(first), first)
}

// unknownCurrency is the unit of a price without a currency, so that readers do not assume one.
const unknownCurrency = "of unknown currency"

// priceUnit returns the unit of prices: a currency or, for an index, its own unit.
func priceUnit(p market.Provenance) string {
	if unit := toolkit.UnitOf(p); unit != "" && unit != "price" {
		return unit
	}
	return unknownCurrency
}

// unitSuffix returns the unit for use after a noun: closes "in USD".
func unitSuffix(p market.Provenance) string {
	if unit := priceUnit(p); unit != unknownCurrency {
		return "in " + unit
	}
	return unknownCurrency
}

// priceOrigin returns the origin of prices. If the currency is unknown it adds a note, because a model would
// not notice a missing field.
func priceOrigin(p market.Provenance, remarks ...string) toolkit.Origin {
	if priceUnit(p) == unknownCurrency {
		remarks = append(remarks, "the currency of these prices is unknown")
	}
	return toolkit.OriginOf(p, remarks...)
}
