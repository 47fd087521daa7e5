package markettest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"time"
)

func tiingoServer(now time.Time, r *http.Request) (string, bool) {
	price, before := latestPrices(now)
	parts := strings.Split(r.URL.Path, "/") // "", "tiingo", "daily", EXM, "prices"
	symbol := strings.ToUpper(strings.TrimSuffix(r.URL.Path, "/prices"))
	symbol = symbol[strings.LastIndex(symbol, "/")+1:]
	switch {
	case parts[1] == "iex" && isKnownSymbol(symbol):
		return fmt.Sprintf(`[{"ticker":%q,"timestamp":%q,"tngoLast":%s,"prevClose":%s}]`, symbol, now.Add(-time.Minute).UTC().Format(time.RFC3339), price, before), true
	case isKnownSymbol(symbol) && len(parts) == 4:
		return fmt.Sprintf(`{"ticker":%q,"name":"Example Corp","exchangeCode":"NYSE","description":"Makes examples.","startDate":"2004-08-19","endDate":"2026-09-24"}`, symbol), true
	case isKnownSymbol(symbol) && len(parts) == 5:
		return responseOfTheDay("tiingo", now, func(days []time.Time) string {
			var rows []any
			for i, d := range days {
				p := json.Number(closeOf(i))
				rows = append(rows, map[string]any{"date": d.Format(time.DateOnly) + "T00:00:00.000Z", "open": p, "high": p, "low": p, "close": p, "volume": 1000, "divCash": 0, "splitFactor": 1})
			}
			return asJSON(rows)
		}), true
	case r.URL.Path == "/tiingo/news":
		return fmt.Sprintf(`[{"id":1,"publishedDate":%q,"title":"Example Corp","url":"https://news.example/3","source":"news.example","tickers":["exm"]}]`,
			now.Add(-time.Hour).UTC().Format(time.RFC3339)), true
	}
	return `{"detail":"Not found."}`, false
}

func alphavantageServer(now time.Time, r *http.Request) (string, bool) {
	price, before := latestPrices(now)
	days := weekdays(now)
	symbol := r.URL.Query().Get("symbol")
	if !isKnownSymbol(symbol) {
		return `{"Error Message": "Invalid API call. Please retry or visit the documentation."}`, true
	}
	switch r.URL.Query().Get("function") {
	case "GLOBAL_QUOTE":
		return fmt.Sprintf("symbol,open,high,low,price,volume,latestDay,previousClose,change,changePercent\r\n%[4]s,%[1]s,%[1]s,%[1]s,%[1]s,1000,%[2]s,%[3]s,0.25,0.1%%\r\n",
			price, days[len(days)-1].Format(time.DateOnly), before, symbol), true
	case "TIME_SERIES_DAILY":
		rows := []string{"timestamp,open,high,low,close,volume"}
		for i := len(days) - 1; i >= max(0, len(days)-100); i-- {
			rows = append(rows, days[i].Format(time.DateOnly)+strings.Repeat(","+closeOf(i), 4)+",1000")
		}
		return strings.Join(rows, "\r\n") + "\r\n", true
	case "DIVIDENDS":
		return "ex_dividend_date,declaration_date,record_date,payment_date,amount\r\n", true
	case "SPLITS":
		return "effective_date,split_factor\r\n", true
	case "OVERVIEW":
		return fmt.Sprintf(`{"Symbol":%q,"AssetType":"Common Stock","Name":"Example Corp","Description":"Makes examples.","CIK":"1234","Exchange":"NYSE","Country":"USA"}`, symbol), true
	}
	return "", false
}

func tavilyServer(_ time.Time, r *http.Request) (string, bool) {
	return `{"query":"rates","results":[{"title":"A page","url":"https://web.example/1","content":"text","score":0.9}]}`, r.URL.Path == "/search"
}

func braveServer(_ time.Time, r *http.Request) (string, bool) {
	return `{"type":"search","query":{"original":"rates"},"web":{"type":"search","results":[{"title":"A page","url":"https://web.example/2","description":"text"}]}}`, r.URL.Path == "/res/v1/web/search"
}

func searxngServer(_ time.Time, r *http.Request) (string, bool) {
	return `{"query":"rates","results":[{"title":"A page","url":"https://web.example/3","content":"text"}]}`, r.URL.Path == "/search"
}

func massiveServer(now time.Time, r *http.Request) (string, bool) {
	folder, about := filepath.Split(r.URL.Path)
	ticker, days, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/v2/aggs/ticker/"), "/range/1/day/")
	switch {
	case days != "" && isKnownSymbol(ticker):
		var rows []string
		for i, d := range weekdays(now) {
			rows = append(rows, fmt.Sprintf(`{"t":%d,"o":%[2]s,"h":%[2]s,"l":%[2]s,"c":%[2]s,"v":1000}`, d.Add(5*time.Hour).UnixMilli(), closeOf(i)))
		}
		return `{"ticker":"` + ticker + `","adjusted":true,"status":"OK","results":[` + strings.Join(rows, ",") + `]}`, true
	case folder == "/v3/reference/tickers/" && isKnownSymbol(about):
		return `{"results":{"ticker":"` + about + `","name":"Example Corp","market":"stocks","locale":"us","primary_exchange":"XNYS","type":"CS","currency_name":"usd","cik":"0000001234"},"status":"OK"}`, true
	case r.URL.Path == "/v3/reference/splits", r.URL.Path == "/v3/reference/dividends":
		return `{"results":[],"status":"OK"}`, true
	case r.URL.Path == "/v2/reference/news":
		return fmt.Sprintf(`{"results":[{"publisher":{"name":"X"},"title":"Example Corp","published_utc":%q,"article_url":"https://news.example/5","tickers":["EXM"]}],"status":"OK"}`,
			now.Add(-time.Hour).UTC().Format(time.RFC3339)), true
	}
	return `{"status":"NOT_FOUND","request_id":"x","message":"Ticker not found."}`, false
}

func fredServer(now time.Time, r *http.Request) (string, bool) {
	const months = 12
	first := time.Date(now.Year(), now.Month()-months, 1, 0, 0, 0, 0, time.UTC)
	switch r.URL.Path {
	case "/graph/fredgraph.csv":
		rows := []string{"observation_date,UNRATE"}
		for i := range months {
			rows = append(rows, first.AddDate(0, i, 0).Format(time.DateOnly)+",4.1")
		}
		return strings.Join(rows, "\n") + "\n", r.URL.Query().Get("id") == "UNRATE"
	case "/fred/series":
		return asJSON(map[string]any{"seriess": []any{map[string]string{
			"id": "UNRATE", "title": "Unemployment Rate", "units": "Percent", "frequency_short": "M", "seasonal_adjustment_short": "SA",
		}}}), r.URL.Query().Get("series_id") == "UNRATE"
	case "/fred/series/observations":
		var rows []any
		for i := range months {
			rows = append(rows, map[string]string{"date": first.AddDate(0, i, 0).Format(time.DateOnly), "value": "4.1"})
		}
		day := now.UTC().Format(time.DateOnly)
		return asJSON(map[string]any{"realtime_start": day, "realtime_end": day, "units": "lin", "count": months, "limit": 100000, "observations": rows}), true
	}
	return `{"error_code":400,"error_message":"Bad Request.  The series does not exist."}`, false
}
