package yahoo_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/market/markettest"
)

// tableOf returns a chart from a table in the format of Yahoo's history: Date, Open, High, Low, Close, Adj
// Close, Volume, Dividends, Stock Splits.
func tableOf(t *testing.T, symbol, currency, zone, table string) markettest.YahooChart {
	t.Helper()
	records, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	s := markettest.NewYahooChart(symbol, "2020-01-01")
	s.Meta["currency"], s.Meta["exchangeTimezoneName"] = currency, zone
	dividends, splits := map[string]any{}, map[string]any{}
	for _, r := range records[1:] {
		at, err := time.Parse("2006-01-02 15:04:05-07:00", r[0])
		if err != nil {
			t.Fatal(err)
		}
		unix := at.Unix() + 10*3600 // the session opens in the morning
		s.Rows = append(s.Rows, markettest.YahooChartRow{
			At: unix, Open: json.Number(r[1]), High: json.Number(r[2]), Low: json.Number(r[3]), Close: json.Number(r[4]),
			Adjusted: json.Number(r[5]), Volume: json.Number(r[6]),
		})
		if amount, _ := strconv.ParseFloat(r[7], 64); amount > 0 {
			dividends[fmt.Sprint(unix)] = map[string]any{"amount": amount, "date": unix}
		}
		if ratio, _ := strconv.ParseFloat(r[8], 64); ratio > 0 {
			splits[fmt.Sprint(unix)] = map[string]any{"numerator": ratio, "denominator": 1, "date": unix}
		}
	}
	slices.SortFunc(s.Rows, func(a, b markettest.YahooChartRow) int { return int(a.At - b.At) })
	newest := s.Rows[len(s.Rows)-1]
	s.Meta["regularMarketPrice"], s.Meta["regularMarketTime"] = newest.Close, newest.At
	s.Events = map[string]any{"dividends": dividends, "splits": splits}
	return s
}

func mustDecode(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatal(err)
	}
}
