package markettest

import (
	"encoding/json"
	"fmt"
	"time"
)

// YahooChartRow is a session of a made-up chart; nil omits a price.
type YahooChartRow struct {
	At                             int64
	Open, High, Low, Close, Volume any
	Adjusted                       any
}

// YahooChart is a made-up chart in Yahoo's form.
type YahooChart struct {
	Meta   map[string]any
	Rows   []YahooChartRow
	Events map[string]any
}

// NewYahooChart returns a chart with closes on weekdays from first on, at the opening time of New York. A nil
// close is a row without prices; the current price is the last close.
func NewYahooChart(symbol, first string, closes ...any) YahooChart {
	zone := newYork()
	d, err := time.Parse(time.DateOnly, first)
	if err != nil {
		panic(err)
	}
	s := YahooChart{Meta: map[string]any{
		"symbol": symbol, "currency": "USD", "instrumentType": "EQUITY", "exchangeName": "NMS", "fullExchangeName": "NasdaqGS",
		"longName": "Example Inc.", "exchangeTimezoneName": "America/New_York", "gmtoffset": -18000, "dataGranularity": "1d",
	}}
	for _, c := range closes {
		for d.Weekday() == time.Saturday || d.Weekday() == time.Sunday {
			d = d.AddDate(0, 0, 1)
		}
		at := time.Date(d.Year(), d.Month(), d.Day(), 9, 30, 0, 0, zone).Unix()
		s.Rows = append(s.Rows, YahooChartRow{At: at, Open: c, High: c, Low: c, Close: c, Volume: 1000, Adjusted: c})
		if c != nil {
			s.Meta["regularMarketPrice"], s.Meta["regularMarketTime"] = c, at+6*3600
		}
		d = d.AddDate(0, 0, 1)
	}
	return s
}

// String returns the chart as Yahoo sends it.
func (s YahooChart) String() string {
	columns := map[string][]any{}
	var stamps []int64
	var adjusted []any
	for _, r := range s.Rows {
		stamps = append(stamps, r.At)
		for name, v := range map[string]any{"open": r.Open, "high": r.High, "low": r.Low, "close": r.Close, "volume": r.Volume} {
			columns[name] = append(columns[name], v)
		}
		adjusted = append(adjusted, r.Adjusted)
	}
	result := map[string]any{"meta": s.Meta, "indicators": map[string]any{
		"quote": []any{columns}, "adjclose": []any{map[string]any{"adjclose": adjusted}},
	}}
	if len(stamps) > 0 {
		result["timestamp"] = stamps
	}
	if s.Events != nil {
		result["events"] = s.Events
	}
	text, err := json.Marshal(map[string]any{"chart": map[string]any{"result": []any{result}, "error": nil}})
	if err != nil {
		panic(err)
	}
	return string(text)
}

// YahooChartEvent returns an event of a chart with the keys of Yahoo's format.
func YahooChartEvent(at int64, fields map[string]any) map[string]any {
	fields["date"] = at
	return map[string]any{fmt.Sprint(at): fields}
}
