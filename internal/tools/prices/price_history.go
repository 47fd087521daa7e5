package prices

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type priceHistoryInput struct {
	Symbol   string `json:"symbol" jsonschema:"One symbol such as AAPL or ^GSPC."`
	Range    string `json:"range,omitempty" jsonschema:"Period to the last close: 1m, 6m, 1y, 5y, 10y, ytd or max. Default 1y."`
	From     string `json:"from,omitempty" jsonschema:"Start date: YYYY, YYYY-MM or YYYY-MM-DD. Not with range."`
	To       string `json:"to,omitempty" jsonschema:"End date: YYYY, YYYY-MM or YYYY-MM-DD. Not with range."`
	Interval string `json:"interval,omitempty" jsonschema:"daily or monthly. Default: as the source has it."`
}

const priceHistoryDescription = `Price bars for one symbol, with the highest and lowest close. Use for past prices; for returns or drawdown use returns_stats. Returns at most 60 bars: shorten the range or set interval to monthly to see all. Adjusted prices are not traded prices.`

const priceHistoryDetails = `Each bar has the date and the close, and open, high, low and volume if the source has them. The result also has the first and last bar, the highest and lowest close, and the unit, adjustment, source and date. price_change_pct and total_return_pct (dividends reinvested) run from the first close to the last, if the source provides enough data.
adjustment says how prices were adjusted: raw (as traded), split, or split_div (dividends reinvested, so older prices differ from the prices paid).
A range counts back from the last close of the series, which may lie in the past. A range, and from on monthly data, starts with the last close on or before the first day: a year of monthly closes starts with the December before, and the note says so. On daily data, from starts with the first session on or after it.
For the price on one past day, set from a few days earlier (a month earlier on monthly data) and use last, because not every day has a close. The model receives at most 60 bars; longer series are reduced to evenly spaced closes, and bars_note says so.`

const priceHistoryKeywords = `price history historical past closes chart bars ohlc candles open high low volume daily monthly peak bottom level was traded highest lowest 历史 走势 历史价格 收盘价 最高价 最低价 过去 当时 日线 月线 成交量`

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

	Date   string              `json:"date"`
	Open   decimal.NullDecimal `json:"open,omitzero"`
	High   decimal.NullDecimal `json:"high,omitzero"`
	Low    decimal.NullDecimal `json:"low,omitzero"`
	Close  decimal.Decimal     `json:"close"`
	Volume decimal.NullDecimal `json:"volume,omitzero"`
}

type extreme struct {
	day market.Date

	Date  string          `json:"date"`
	Close decimal.Decimal `json:"close"`
}

type priceHistory struct {
	Symbol   market.Symbol   `json:"symbol"`
	Name     string          `json:"name"`
	Kind     string          `json:"kind"`
	Interval market.Interval `json:"interval"`
	From     string          `json:"from"`
	To       string          `json:"to"`
	Count    int             `json:"count"`
	toolkit.Origin
	Warnings []string `json:"warnings,omitempty"`
	First    bar      `json:"first"`
	Last     bar      `json:"last"`
	High     extreme  `json:"high"`
	Low      extreme  `json:"low"`
	historyReturns
	Bars     []bar  `json:"bars"`
	BarsNote string `json:"bars_note,omitempty"`
}

// newPriceHistory is the tool that gives the bars of a range.
func newPriceHistory(d Deps) tool.Tool {
	return tool.New("price_history", priceHistoryDescription, tool.Reads, func(ctx context.Context, in priceHistoryInput) (tool.Result, error) {
		interval, err := parseInterval(in.Interval)
		if err != nil {
			return toolkit.InvalidResult(err)
		}
		sp, err := toolkit.ParsePeriod(in.Range, in.From, in.To, "1y")
		if err != nil {
			return toolkit.InvalidResult(err)
		}
		series, warnings, err := d.History(ctx, in.Symbol, sp)
		if err != nil {
			return toolkit.SourceErrorResult(err)
		}
		if interval == market.Daily && series.Interval == market.Monthly {
			return tool.Failed(tool.CodeNoData, fmt.Sprintf("only monthly bars of %s are known; leave interval out", series.Symbol)), nil
		}
		return historyResult(series, interval, sp, warnings)
	}).WithDetails(priceHistoryDetails).Find("market", priceHistoryKeywords, priceHistoryPhrasings...)
}

func parseInterval(text string) (market.Interval, error) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "":
		return "", nil
	case "daily", "day", "1d", "d":
		return market.Daily, nil
	case "monthly", "month", "1mo", "1m", "m":
		return market.Monthly, nil
	}
	return "", fmt.Errorf("interval %q is not offered; use daily or monthly", text)
}

func historyResult(s market.Series, interval market.Interval, sp toolkit.Period, warnings []string) (tool.Result, error) {
	// A source that does not tell the dividends leaves the total return out.
	adjusted, err := s.TotalReturn()
	if err != nil {
		adjusted = market.Series{}
	}
	if interval == market.Monthly && s.Interval == market.Daily {
		s, adjusted = toolkit.ToMonthly(s), toolkit.ToMonthly(adjusted)
	}
	h := buildPriceHistory(s, sp, warnings)
	h.historyReturns = measureReturns(s, adjusted)
	model := h.sampled(maxModelBars)
	text, err := json.Marshal(model)
	if err != nil {
		return tool.Result{}, fmt.Errorf("encoding the history of %s: %w", s.Symbol, err)
	}
	return tool.Result{
		Value: h, ForModel: string(text), ForUser: h.markdown(s),
		Title:   fmt.Sprintf("%s · %s to %s · %s", h.Symbol, h.From, h.To, h.Interval),
		Summary: strings.TrimSpace(toolkit.FormatCount(h.Count) + " bars " + h.FlagText()),
		Figures: h.figures(s, model.Bars), Chart: toolkit.PriceChart(s),
	}, nil
}

func buildPriceHistory(s market.Series, sp toolkit.Period, warnings []string) priceHistory {
	h := priceHistory{
		Symbol: s.Symbol, Name: s.Name, Kind: s.Kind, Interval: s.Interval, Count: len(s.Bars),
		Origin: priceOrigin(s.Provenance, sp.StartNote(s)), Warnings: warnings, Bars: make([]bar, len(s.Bars)),
	}
	high, low := 0, 0
	for i, b := range s.Bars {
		h.Bars[i] = bar{b.Date, toolkit.FormatDate(b.Date), b.Open, b.High, b.Low, b.Close, b.Volume}
		if b.Close.GreaterThan(s.Bars[high].Close) {
			high = i
		}
		if b.Close.LessThan(s.Bars[low].Close) {
			low = i
		}
	}
	h.First, h.Last = h.Bars[0], h.Bars[len(h.Bars)-1]
	h.High = extreme{h.Bars[high].day, h.Bars[high].Date, h.Bars[high].Close}
	h.Low = extreme{h.Bars[low].day, h.Bars[low].Date, h.Bars[low].Close}
	h.From, h.To = h.First.Date, h.Last.Date
	return h
}

// sampled is the history with at most limit bars, evenly spaced from the first to the last,
// closes only. Twenty years must fit into a model's context, and the answer must say that bars
// were left out.
func (h priceHistory) sampled(limit int) priceHistory {
	n := len(h.Bars)
	if n <= limit {
		return h
	}
	all := h.Bars
	h.Bars = make([]bar, limit)
	for i := range h.Bars {
		b := all[i*(n-1)/(limit-1)]
		h.Bars[i] = bar{day: b.day, Date: b.Date, Close: b.Close}
	}
	h.BarsNote = fmt.Sprintf("%d of %s bars, evenly spaced, closes only; ask for a shorter range or interval monthly to see every bar", limit, toolkit.FormatCount(n))
	return h
}

func (h priceHistory) markdown(s market.Series) string {
	unit := priceUnit(s.Provenance)
	rows := [][]string{
		{"first", h.First.Close.String(), h.First.Date},
		{"last", h.Last.Close.String(), h.Last.Date},
		{"highest", h.High.Close.String(), h.High.Date},
		{"lowest", h.Low.Close.String(), h.Low.Date},
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s · %s closes %s, %s · %s bars\n\n", toolkit.InstrumentHeading(s.Instrument), h.Interval, unitSuffix(s.Provenance), toolkit.AdjustmentText(h.Adjustment), toolkit.FormatCount(h.Count))
	b.WriteString(toolkit.MarkdownTable([]string{"close", unit + ":", "date"}, rows))
	if line := h.line(); line != "" {
		b.WriteString("\n" + line + "\n")
	}
	if h.Count > 1 && h.Count <= maxUserBars {
		b.WriteString("\n" + h.barTable())
	}
	for _, w := range h.Warnings {
		b.WriteString("\n! " + w + "\n")
	}
	b.WriteString("\n" + h.Footer() + "\n")
	return b.String()
}

func (h priceHistory) barTable() string {
	rows := make([][]string, len(h.Bars))
	for i, b := range h.Bars {
		rows[i] = []string{b.Date, knownOrAbsent(b.Open), knownOrAbsent(b.High), knownOrAbsent(b.Low), b.Close.String(), knownOrAbsent(b.Volume)}
	}
	return toolkit.MarkdownTable([]string{"date", "open:", "high:", "low:", "close:", "volume:"}, rows)
}

func knownOrAbsent(d decimal.NullDecimal) string {
	if !d.Valid {
		return ""
	}
	return d.Decimal.String()
}

// figures are the numbers that the model was given, no more: shown are its bars.
func (h priceHistory) figures(s market.Series, shown []bar) []tool.Figure {
	unit := priceUnit(s.Provenance)
	figure := func(id, label string, v decimal.Decimal, unit string, on market.Date) tool.Figure {
		return tool.Figure{ID: id, Label: fmt.Sprintf("%s %s", h.Symbol, label), Value: v, Unit: unit, AsOf: on, Source: h.Source}
	}
	out := []tool.Figure{
		figure("count", "number of bars", decimal.NewFromInt(int64(h.Count)), "bars", h.Last.day),
		figure("first_close", "first close", h.First.Close, unit, h.First.day),
		figure("last_close", "last close", h.Last.Close, unit, h.Last.day),
		figure("high", "highest close", h.High.Close, unit, h.High.day),
		figure("low", "lowest close", h.Low.Close, unit, h.Low.day),
	}
	out[3].Formula, out[4].Formula = "max(close)", "min(close)"
	out = append(out, h.returnFigures()...)
	bars := append([]bar{}, shown...)
	if len(shown) < h.Count {
		// Thinned bars are closes only, but first and last are given whole.
		bars[0], bars[len(bars)-1] = h.First, h.Last
	}
	for _, b := range bars {
		out = append(out, figure(b.Date+".close", "close on "+b.Date, b.Close, unit, b.day))
		for _, part := range []struct {
			name, unit string
			value      decimal.NullDecimal
		}{{"open", unit, b.Open}, {"high", unit, b.High}, {"low", unit, b.Low}, {"volume", volumeUnit(s.Kind), b.Volume}} {
			if part.value.Valid {
				out = append(out, figure(b.Date+"."+part.name, part.name+" on "+b.Date, part.value.Decimal, part.unit, b.day))
			}
		}
	}
	return out
}

func volumeUnit(kind string) string {
	if kind == "crypto" {
		return "coins"
	}
	return "shares"
}
