package yahoo_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

const searchBody = `{"quotes":[
	{"symbol":"BRK-B","exchange":"NYQ","exchDisp":"NYSE","longname":"Berkshire Hathaway Inc.","quoteType":"EQUITY","isYahooFinance":true},
	{"symbol":"AAA251219C00120000","quoteType":"OPTION","longname":"an option","isYahooFinance":true},
	{"symbol":"VWCE.DE","exchange":"GER","exchDisp":"XETRA","shortname":"  Vanguard\tFTSE\u0000 All-World ","quoteType":"ETF","isYahooFinance":true},
	{"name":"a company without a listing","isYahooFinance":false},
	{"symbol":"../../etc","quoteType":"EQUITY","isYahooFinance":true}
]}`

func TestSearch_FindsListingsInYahoosOrder(t *testing.T) {
	script := markettest.NewScript(map[string]markettest.Response{"/v1/finance/search": markettest.JSONResponse(searchBody)})
	got, err := sourceOf(script).Search(t.Context(), "  US0846707026 ", 5)
	want := []market.Instrument{
		{Symbol: "BRK.B", Name: "Berkshire Hathaway Inc.", Kind: "equity", Listing: market.Listing{MIC: "XNYS", Exchange: "NYSE"}},
		{Symbol: "VWCE.DE", Name: "Vanguard FTSE All-World", Kind: "fund", Listing: market.Listing{MIC: "XETR", Exchange: "XETRA"}},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("Search = %v (-want +got):\n%s", err, diff)
	}
	if requests := script.Requests()[0].URL.Query().Get("q"); requests != "US0846707026" {
		t.Errorf("asked for %q, want the number alone", requests)
	}
	if one, err := sourceOf(script).Search(t.Context(), "x", 1); err != nil || len(one) != 1 {
		t.Errorf("Search with a limit of 1 = %d, %v", len(one), err)
	}
}

func TestSearch_OfNothingAsksNobody(t *testing.T) {
	script := markettest.NewScript(nil)
	if got, err := sourceOf(script).Search(t.Context(), " \n", 5); got != nil || err != nil || len(script.Requests()) != 0 {
		t.Errorf("Search of blanks = %v, %v after %d requests; want nothing", got, err, len(script.Requests()))
	}
}

func TestSearch_OfRecordedAnswers(t *testing.T) {
	got, err := answering("/v1/finance/search", recordedBody(t, "yahoo/search-AAPL.json")).Search(t.Context(), "AAPL", 5)
	if err != nil || len(got) != 2 || got[0].Symbol != "AAPL" || got[0].MIC != "XNAS" || got[1].Symbol != "AAPU" || got[1].Kind != "fund" {
		t.Errorf("Search = %+v, %v; want AAPL and AAPU without their options", got, err)
	}
	got, err = answering("/v1/finance/search", recordedBody(t, "yahoo/search-NO0010123060.json")).Search(t.Context(), "NO0010123060", 5)
	if err != nil || len(got) != 0 {
		t.Errorf("Search = %+v, %v; nothing found is no error", got, err)
	}
}

const (
	newsPath = "/rss/2.0/headline"
	newsBody = `<?xml version="1.0"?><rss version="2.0"><channel><title>x</title>
	<item><title>Older</title><link>https://example.com/1</link><pubDate>Tue, 18 Feb 2025 09:00:00 +0000</pubDate></item>
	<item><title>Newer &nbsp; &amp; better</title><link>https://example.com/2?a=1&amp;b=2
</link><description>words</description><pubDate>Wed, 19 Feb 2025 09:00:00 +0100</pubDate></item>
	<item><title>No date</title><link>https://example.com/3</link><pubDate>yesterday</pubDate></item>
	<item><title>No web</title><link>javascript:alert(1)</link></item>
	<item><link>https://example.com/4</link></item>
</channel></rss>`
)

func TestNews_IsNewestFirstWithinItsBounds(t *testing.T) {
	at := func(text string) time.Time { return testDay(text) }
	for _, row := range []struct {
		name string
		q    market.NewsQuery
		want string
	}{
		{"all", market.NewsQuery{}, "Newer & better, Older, No date"},
		{"limited", market.NewsQuery{Limit: 1}, "Newer & better"},
		{"before", market.NewsQuery{Before: at("2025-02-19")}, "Older"},
		{"after", market.NewsQuery{After: at("2025-02-19")}, "Newer & better"},
		{"nothing", market.NewsQuery{Before: at("2020-01-01")}, ""},
	} {
		row.q.Symbol = "BRK.B"
		script := markettest.NewScript(map[string]markettest.Response{newsPath: {Body: []byte(newsBody)}})
		got, err := sourceOf(script).News(t.Context(), row.q)
		var titles []string
		for _, a := range got {
			titles = append(titles, a.Title)
		}
		if titleText := strings.Join(titles, ", "); titleText != row.want || err != nil {
			t.Errorf("%s: News = %q, %v; want %q", row.name, titleText, err, row.want)
		}
		if requests := script.Requests()[0].URL.Query().Get("s"); requests != "BRK-B" {
			t.Errorf("asked for %q, want BRK-B", requests)
		}
	}
}

func TestNews_SaysWhereAnArticleIsFrom(t *testing.T) {
	got, err := answering(newsPath, newsBody).News(t.Context(), market.NewsQuery{Symbol: "AAA", Limit: 1})
	if err != nil || len(got) != 1 {
		t.Fatalf("News = %v, %v", got, err)
	}
	a := got[0]
	published := time.Date(2025, 2, 19, 8, 0, 0, 0, time.UTC)
	if a.URL != "https://example.com/2?a=1&b=2" || !a.Published.Equal(published) || a.Summary != "words" ||
		a.Symbols[0] != "AAA" || !a.Provenance.AsOf.Equal(published) || a.Provenance.Source != "yahoo" {
		t.Errorf("article = %+v", a)
	}
}

func TestNews_WithoutASymbolIsNoData(t *testing.T) {
	if _, err := sourceOf(markettest.NewScript(nil)).News(t.Context(), market.NewsQuery{Text: "rates"}); !errors.Is(err, market.ErrNoData) {
		t.Errorf("News of words = %v, want ErrNoData", err)
	}
}

func TestNews_WhatIsNoFeedIsMalformed(t *testing.T) {
	for _, body := range []string{"", "<html><body>no</body></html>", "<rss></rss>", `{"a":1}`, newsBody[:300]} {
		if _, err := answering(newsPath, body).News(t.Context(), market.NewsQuery{Symbol: "AAA"}); !errors.Is(err, market.ErrMalformed) {
			t.Errorf("News of %.20q = %v, want ErrMalformed", body, err)
		}
	}
}

func TestNews_OfARecordedFeed(t *testing.T) {
	got, err := answering(newsPath, recordedBody(t, "rss/yahoo-symbol-headline-AAPL-2026-07-16.xml")).News(t.Context(), market.NewsQuery{Symbol: "AAPL"})
	if err != nil || len(got) != 1 || !got[0].Published.Equal(time.Date(2026, 7, 16, 15, 5, 0, 0, time.UTC)) || got[0].Summary == "" {
		t.Errorf("News = %+v, %v; want one article of 2026-07-16", got, err)
	}
}

// sparkRow returns a symbol in the format of v7.
func sparkRow(symbol, fields string) string {
	return fmt.Sprintf(`{"symbol":%q,"response":[{"meta":{"symbol":%q,%s}}]}`, symbol, symbol, fields)
}

const (
	sparkPath = "/v7/finance/spark"
	priced    = `"currency":"USD","instrumentType":"EQUITY","exchangeName":"NMS","regularMarketTime":1740000000,"regularMarketPrice":12.5,"previousClose":12,"chartPreviousClose":11`
)

func spark(rows ...string) string {
	return `{"spark":{"result":[` + strings.Join(rows, ",") + `],"error":null}}`
}

func TestQuotes_AreOfOneRequestForTwenty(t *testing.T) {
	var symbols []market.Symbol
	for i := range 21 {
		symbols = append(symbols, market.Symbol(fmt.Sprintf("A%02d", i)))
	}
	symbols = append(symbols, "A03") // twice
	script := markettest.NewScript(nil).Respond(sparkPath,
		markettest.JSONResponse(spark(sparkRow("A00", priced), sparkRow("A19", priced))),
		markettest.JSONResponse(spark(sparkRow("A20", priced))))
	got, err := sourceOf(script).Quotes(t.Context(), symbols)
	if err != nil || len(got) != 3 || len(script.Requests()) != 2 {
		t.Fatalf("Quotes = %d, %v after %d requests; want 3 after 2, the others unknown", len(got), err, len(script.Requests()))
	}
	if n := strings.Count(script.Requests()[0].URL.Query().Get("symbols"), ",") + 1; n != 20 {
		t.Errorf("first request for %d symbols, want 20", n)
	}
	q := got["A20"]
	if !q.Price.Equal(testDecimal("12.5")) || !q.Previous.Decimal.Equal(testDecimal("12")) || q.Provenance.Endpoint != "v7 spark" || q.Provenance.Currency != "USD" {
		t.Errorf("quote = %+v, want 12.5 USD after 12", q)
	}
}

func TestQuotes_OneOddRowIsAbsent(t *testing.T) {
	pence := strings.NewReplacer(`"USD"`, `"GBp"`, `"NMS"`, `"LSE"`).Replace(priced)
	body := spark(sparkRow("BRK-B", priced), sparkRow("DEAD", `"currency":"USD","regularMarketTime":1`), sparkRow("VOD.L", pence))
	got, err := answering(sparkPath, body).Quotes(t.Context(), []market.Symbol{"BRK.B", "DEAD", "VOD.L", "NONE"})
	if err != nil || len(got) != 2 {
		t.Fatalf("Quotes = %v, %v; want those of BRK.B and VOD.L", got, err)
	}
	if q := got["VOD.L"]; !q.Price.Equal(testDecimal("0.125")) || q.Provenance.Currency != "GBP" || !q.Provenance.Has(market.FlagConverted) {
		t.Errorf("VOD.L = %s %+v, want 0.125 pounds", q.Price, q.Provenance)
	}
}

func TestQuotes_OfARecordedAnswer(t *testing.T) {
	got, err := answering(sparkPath, recordedBody(t, "yahoo/spark-v7-MSFT-AAPL-2026-07.json")).Quotes(t.Context(), []market.Symbol{"AAPL", "MSFT"})
	if err != nil || !got["MSFT"].Price.Equal(testDecimal("389.1")) || !got["AAPL"].Previous.Decimal.Equal(testDecimal("333.02")) || got["AAPL"].Name != "Apple Inc." {
		t.Errorf("Quotes = %+v, %v", got, err)
	}
}

// The v8 format has no currency: that of a pair is in its name, and a share is requested separately.
func TestQuotes_OfTheMapOfV8(t *testing.T) {
	script := markettest.NewScript(map[string]markettest.Response{
		sparkPath: markettest.JSONResponse(`{
			"AAA":{"symbol":"AAA","timestamp":[1740000000,1740000300],"close":[12,null],"previousClose":11,"chartPreviousClose":11},
			"EURUSD=X":{"symbol":"EURUSD=X","timestamp":[1740000000,1740000300],"close":[1.04,1.05],"previousClose":1.03}}`),
		chartPath + "AAA": markettest.JSONResponse(markettest.NewYahooChart("AAA", "2025-02-18", 11, 12.25).String()),
	})
	got, err := sourceOf(script).Quotes(t.Context(), []market.Symbol{"AAA", "EURUSD=X", "NONE"})
	if err != nil || len(got) != 2 || !got["AAA"].Price.Equal(testDecimal("12.25")) || got["AAA"].Provenance.Endpoint != "v8 chart" {
		t.Fatalf("Quotes = %+v, %v; want AAA from its chart", got, err)
	}
	if q := got["EURUSD=X"]; !q.Price.Equal(testDecimal("1.05")) || q.Provenance.Currency != "USD" || q.Provenance.AsOf.Unix() != 1740000300 {
		t.Errorf("EURUSD=X = %+v, want the last price that there is", q)
	}
}

func TestQuotes_NoneKnownIsNoError(t *testing.T) {
	script := markettest.NewScript(map[string]markettest.Response{sparkPath: {Status: 404,
		Body: []byte(`{"spark":{"result":null,"error":{"code":"Not Found","description":"No data found for spark symbols"}}}`)}})
	if got, err := sourceOf(script).Quotes(t.Context(), []market.Symbol{"NONE"}); err != nil || len(got) != 0 {
		t.Errorf("Quotes = %v, %v; want none and no error", got, err)
	}
	if got, err := sourceOf(script).Quotes(t.Context(), nil); err != nil || len(got) != 0 {
		t.Errorf("Quotes of nothing = %v, %v", got, err)
	}
}

func TestQuotes_RowOfAnotherSymbolIsMalformed(t *testing.T) {
	body := spark(fmt.Sprintf(`{"symbol":"AAA","response":[{"meta":{"symbol":"BBB",%s}}]}`, priced))
	script := markettest.NewScript(map[string]markettest.Response{sparkPath: markettest.JSONResponse(body)})
	if _, err := sourceOf(script).Quotes(t.Context(), []market.Symbol{"AAA"}); !errors.Is(err, market.ErrMalformed) {
		t.Errorf("Quotes = %v, want ErrMalformed", err)
	}
}
