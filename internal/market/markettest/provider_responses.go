package markettest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The fake providers have one share, EXM of Example Corp, and one coin, BTC. AAPL has prices too, because the
// sample data also has it. The responses are handwritten in each provider's format. Prices have a decimal
// point and other numbers do not, so that a failure mode can find the prices.

// providerHandlers returns the providers' fake servers without faults. Most new providers need no code:
// see templateServers.
func providerHandlers() map[string]providerHandler {
	all := map[string]providerHandler{
		"yahoo": yahooServer, "edgar": edgarServer, "binance": binanceServer, "cboe": cboeServer, "nasdaq": nasdaqServer,
		"rss": newsServer, "treasury": treasuryServer, "ecb": ecbServer, "frankfurter": frankfurterServer,
		"coingecko": coingeckoServer, "tiingo": tiingoServer, "alphavantage": alphavantageServer,
		"massive": massiveServer, "fred": fredServer, "tavily": tavilyServer, "brave": braveServer, "searxng": searxngServer,
	}
	maps.Copy(all, templateServers())
	return all
}

func isKnownSymbol(symbol string) bool { return symbol == "EXM" || symbol == "AAPL" }

// firstDay is the first day of the fake prices.
var firstDay = time.Date(2024, time.January, 2, 0, 0, 0, 0, time.UTC)

// newYork is the time zone of the fake shares' exchange.
var newYork = sync.OnceValue(func() *time.Location {
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		panic(err)
	}
	return zone
})

// weekdays returns the days with prices, up to the last day on which trading has ended. There are no
// holidays.
func weekdays(now time.Time) []time.Time {
	local := now.In(newYork())
	end := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, time.UTC)
	if local.Hour() >= 16 {
		end = end.AddDate(0, 0, 1)
	}
	var days []time.Time
	for d := firstDay; d.Before(end); d = d.AddDate(0, 0, 1) {
		if d.Weekday() != time.Saturday && d.Weekday() != time.Sunday {
			days = append(days, d)
		}
	}
	return days
}

// dayResponses holds the long responses, which stay the same until trading ends again.
var dayResponses sync.Map

// responseOfTheDay builds each response once, because tests of faults request it hundreds of times.
func responseOfTheDay(name string, now time.Time, build func(days []time.Time) string) string {
	days := weekdays(now)
	key := fmt.Sprint(name, " ", len(days))
	if known, ok := dayResponses.Load(key); ok {
		return known.(string)
	}
	text := build(days)
	dayResponses.Store(key, text)
	return text
}

// closeOf returns the close of a day: 100.5 on the first day, and 0.25 more on each following one.
func closeOf(i int) string { return strconv.FormatFloat(100.5+float64(i)/4, 'f', 2, 64) }

// latestPrices returns the current price and the close before it.
func latestPrices(now time.Time) (price, before string) {
	n := len(weekdays(now))
	return closeOf(n), closeOf(n - 1)
}

func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func yahooServer(now time.Time, r *http.Request) (string, bool) {
	folder, symbol := filepath.Split(r.URL.Path)
	switch {
	case folder == "/v8/finance/chart/" && (isKnownSymbol(symbol) || symbol == "BTC-USD"):
		return yahooChart(now, symbol), true
	case folder == "/v8/finance/chart/":
		return `{"chart":{"result":null,"error":{"code":"Not Found","description":"No data found, symbol may be delisted"}}}`, false
	case r.URL.Path == "/v7/finance/spark":
		return yahooSpark(now, strings.Split(r.URL.Query().Get("symbols"), ",")), true
	case r.URL.Path == "/v1/finance/search":
		return `{"quotes":[{"symbol":"EXM","exchange":"NYQ","exchDisp":"NYSE","longname":"Example Corp","quoteType":"EQUITY","isYahooFinance":true}]}`, true
	case r.URL.Path == "/rss/2.0/headline":
		return rssFeed("Example Corp makes another example", "https://news.example/1", now), true
	case folder == "/ws/fundamentals-timeseries/v1/finance/timeseries/" && symbol == "EXM":
		return `{"timeseries":{"result":[{"meta":{"symbol":["EXM"],"type":["annualTotalRevenue"]},"timestamp":[1],
			"annualTotalRevenue":[{"asOfDate":"2023-12-31","periodType":"12M","currencyCode":"USD","reportedValue":{"raw":1001.5,"fmt":"x"}}]}],"error":null}}`, true
	}
	return "Not Found", false // crumbs are unavailable too
}

func yahooMeta(now time.Time, symbol string) map[string]any {
	price, before := latestPrices(now)
	return map[string]any{
		"regularMarketPrice": json.RawMessage(price), "previousClose": json.RawMessage(before), "regularMarketTime": now.Add(-time.Minute).Unix(),
		"symbol": symbol, "currency": "USD", "instrumentType": "EQUITY", "exchangeName": "NYQ", "fullExchangeName": "NYSE",
		"longName": "Example Corp", "exchangeTimezoneName": "America/New_York", "gmtoffset": -18000, "dataGranularity": "1d",
	}
}

func yahooChart(now time.Time, symbol string) string {
	chart := responseOfTheDay("yahoo "+symbol, now, func(days []time.Time) string {
		var closes []any
		for i := range days {
			closes = append(closes, json.Number(closeOf(i)))
		}
		sheet := NewYahooChart(symbol, firstDay.Format(time.DateOnly), closes...)
		sheet.Meta = nil
		return sheet.String()
	})
	return strings.Replace(chart, `"meta":null`, `"meta":`+asJSON(yahooMeta(now, symbol)), 1)
}

func yahooSpark(now time.Time, symbols []string) string {
	rows := []any{}
	for _, symbol := range symbols {
		if isKnownSymbol(symbol) {
			rows = append(rows, map[string]any{"symbol": symbol, "response": []any{map[string]any{"meta": yahooMeta(now, symbol)}}})
		}
	}
	return asJSON(map[string]any{"spark": map[string]any{"result": rows, "error": nil}})
}

func rssFeed(title, link string, now time.Time) string {
	return fmt.Sprintf(`<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>x</title>
		<item><title>%s</title><link>%s</link><pubDate>%s</pubDate><description>short</description></item></channel></rss>`,
		title, link, now.Add(-time.Hour).UTC().Format("Mon, 02 Jan 2006 15:04:05 GMT"))
}

func newsServer(now time.Time, r *http.Request) (string, bool) {
	return rssFeed("Example Corp in the news - The Example", "https://news.example/2", now), r.URL.Path == "/rss/search"
}

// edgarServer serves the test documents of package edgar.
func edgarServer(_ time.Time, r *http.Request) (string, bool) {
	const folder = "/Archives/edgar/data/1234/"
	files := map[string]string{
		"/files/company_tickers.json":                     "company_tickers.json",
		"/submissions/CIK0000001234.json":                 "submissions.json",
		"/api/xbrl/companyfacts/CIK0000001234.json":       "facts.json",
		folder + "000095017024000004/exm-10k.htm":         "exm-10k.htm",
		folder + "000095017024000008/form4.xml":           "form4.xml",
		folder + "000095017024000009/amended.xml":         "amended.xml",
		"/cgi-bin/browse-edgar":                           "current.atom",
		"/submissions/CIK0000001234-submissions-001.json": "older.json",
	}
	if r.URL.Path == "/Archives/edgar/full-index/2024/QTR1/master.gz" {
		return "CIK|Company Name|Form Type|Date Filed|Filename\n--------\n1234|Example Corp|10-K|2024-02-01|edgar/data/1234/0000950170-24-000004.txt\n", true
	}
	name, ok := files[r.URL.Path]
	if !ok {
		return "<Error><Code>NoSuchKey</Code></Error>", false
	}
	text, err := os.ReadFile(filepath.Join(edgarTestdata(), name))
	if err != nil {
		panic(err)
	}
	return string(text), true
}

func binanceServer(now time.Time, r *http.Request) (string, bool) {
	if r.URL.Query().Get("symbol") != "BTCUSDT" {
		return `{"code":-1121,"msg":"Invalid symbol."}`, false
	}
	const day = 24 * time.Hour
	switch r.URL.Path {
	case "/api/v3/ticker/24hr":
		return fmt.Sprintf(`{"symbol":"BTCUSDT","lastPrice":"60500.50","openPrice":"60000.50","openTime":%d,"closeTime":%d}`,
			now.Add(-day).UnixMilli(), now.UnixMilli()), true
	case "/api/v3/klines":
		from, _ := strconv.ParseInt(r.URL.Query().Get("startTime"), 10, 64)
		var rows []any
		for d := now.UTC().Truncate(day).AddDate(0, 0, -9); d.Before(now); d = d.Add(day) {
			if d.UnixMilli() >= from {
				rows = append(rows, []any{d.UnixMilli(), "60000.50", "60600.50", "59900.50", "60500.50", "10.5", d.Add(day).UnixMilli() - 1})
			}
		}
		return asJSON(slices.Concat([]any{}, rows)), true
	}
	return "", false
}

func coingeckoServer(now time.Time, r *http.Request) (string, bool) {
	switch r.URL.Path {
	case "/api/v3/simple/price":
		return fmt.Sprintf(`{"bitcoin":{"usd":60400.50,"usd_24h_change":1.5,"last_updated_at":%d}}`, now.Unix()), true
	case "/api/v3/coins/bitcoin/market_chart":
		var rows []string
		for d := now.UTC().Truncate(24*time.Hour).AddDate(0, 0, -9); d.Before(now); d = d.AddDate(0, 0, 1) {
			rows = append(rows, fmt.Sprintf("[%d,60400.50]", d.UnixMilli()))
		}
		return `{"prices":[` + strings.Join(rows, ",") + `]}`, true
	}
	return `{"error":"coin not found"}`, false
}

func cboeServer(now time.Time, r *http.Request) (string, bool) {
	folder, file := filepath.Split(r.URL.Path)
	symbol := strings.TrimSuffix(file, ".json")
	if !isKnownSymbol(symbol) {
		return "<Error><Code>AccessDenied</Code></Error>", false
	}
	price, before := latestPrices(now)
	if strings.HasSuffix(folder, "/quotes/") {
		return fmt.Sprintf(`{"timestamp":"x","symbol":%[1]q,"data":{"symbol":%[1]q,"security_type":"stock","current_price":%s,"prev_day_close":%s,"last_trade_time":%q}}`,
			symbol, price, before, now.In(newYork()).Add(-15*time.Minute).Format("2006-01-02T15:04:05")), true
	}
	return responseOfTheDay("cboe "+symbol, now, func(days []time.Time) string {
		var rows []any
		for i, d := range days {
			p := json.Number(closeOf(i))
			rows = append(rows, map[string]any{"date": d.Format(time.DateOnly), "open": p, "high": p, "low": p, "close": p, "volume": 1000})
		}
		return asJSON(map[string]any{"symbol": symbol, "data": rows})
	}), true
}

func nasdaqServer(now time.Time, r *http.Request) (string, bool) {
	parts := strings.Split(r.URL.Path, "/") // "", "api", "quote", EXM, info
	if len(parts) != 5 || !isKnownSymbol(parts[3]) || r.URL.Query().Get("assetclass") != "stocks" {
		return `{"data":null,"message":null,"status":{"rCode":400,"bCodeMessage":[{"code":1001,"errorMessage":"Symbol not exists."}]}}`, true
	}
	data := map[string]any{"symbol": parts[3]}
	answer := func() string { return asJSON(map[string]any{"data": data, "status": map[string]any{"rCode": 200}}) }
	if parts[4] != "info" {
		return responseOfTheDay("nasdaq "+parts[3], now, func(days []time.Time) string {
			var rows []any
			for i, d := range days {
				p := "$" + closeOf(i)
				rows = append(rows, map[string]any{"date": d.Format("01/02/2006"), "open": p, "high": p, "low": p, "close": p, "volume": "1,000"})
			}
			data["tradesTable"] = map[string]any{"rows": rows}
			return answer()
		}), true
	}
	price, _ := latestPrices(now)
	data["companyName"], data["exchange"], data["marketStatus"] = "Example Corp Common Stock", "NYSE", "Open"
	data["primaryData"] = map[string]any{
		"lastSalePrice": "$" + price, "netChange": "0.25", "isRealTime": true,
		"lastTradeTimestamp": now.In(newYork()).Add(-time.Minute).Format("Jan 2, 2006 3:04 PM") + " ET",
	}
	return answer(), true
}

func treasuryServer(now time.Time, r *http.Request) (string, bool) {
	const folder = "/resource-center/data-chart-center/interest-rates/daily-treasury-rates.csv/"
	year, ok := strings.CutPrefix(strings.TrimSuffix(r.URL.Path, "/all"), folder)
	if !ok {
		return "", false
	}
	rows := []string{`Date,"1 Mo","2 Yr","10 Yr","30 Yr"`}
	days := weekdays(now)
	slices.Reverse(days)
	for _, d := range days {
		if d.Format("2006") == year {
			rows = append(rows, d.Format("01/02/2006")+",3.70,3.60,4.49,4.98")
		}
	}
	return strings.Join(rows, "\n") + "\n", true
}

func ecbServer(now time.Time, r *http.Request) (string, bool) {
	days := weekdays(now)
	slices.Reverse(days)
	if strings.HasPrefix(r.URL.Path, "/service/data/YC/") {
		rows := []string{"KEY,DATA_TYPE_FM,TIME_PERIOD,OBS_VALUE"}
		for _, tenor := range []string{"SR_3M", "SR_10Y"} {
			for i := min(len(days), 5) - 1; i >= 0; i-- {
				rows = append(rows, "YC.B.U2.EUR.4F.G_N_A.SV_C_YM."+tenor+","+tenor+","+days[i].Format(time.DateOnly)+",2.95")
			}
		}
		return strings.Join(rows, "\n") + "\n", true
	}
	if !strings.HasSuffix(r.URL.Path, ".xml") {
		return "", false
	}
	most := 1
	if strings.HasSuffix(r.URL.Path, "hist-90d.xml") {
		most = 60
	}
	var cubes strings.Builder
	for _, d := range days[:min(len(days), most)] {
		fmt.Fprintf(&cubes, `<Cube time="%s"><Cube currency="USD" rate="1.25"/><Cube currency="JPY" rate="187.50"/></Cube>`, d.Format(time.DateOnly))
	}
	return `<?xml version="1.0" encoding="UTF-8"?><gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"><Cube>` +
		cubes.String() + `</Cube></gesmes:Envelope>`, true
}

func frankfurterServer(now time.Time, r *http.Request) (string, bool) {
	days := weekdays(now)
	last := days[len(days)-1].Format(time.DateOnly)
	if period := strings.TrimPrefix(r.URL.Path, "/v1/"); strings.Contains(period, "..") {
		return fmt.Sprintf(`{"amount":1,"base":"EUR","start_date":%[1]q,"end_date":%[1]q,"rates":{%[1]q:{"JPY":187.50,"USD":1.25}}}`, last), true
	}
	return fmt.Sprintf(`{"amount":1,"base":"EUR","date":%q,"rates":{"USD":1.25}}`, last), true
}

// edgarTestdata returns the folder of EDGAR's small test files. Tests of several packages use it.
func edgarTestdata() string {
	return filepath.Join(moduleRoot, "internal", "market", "edgar", "testdata")
}
