package yahoo_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

// checkSentinel fails on an error that wraps no sentinel of market.
func checkSentinel(t *testing.T, err error) {
	t.Helper()
	var from *market.SourceError
	if err != nil && (!errors.As(err, &from) || from.Source != "yahoo") {
		t.Errorf("error %v is no *market.SourceError of yahoo", err)
	}
}

func FuzzChart(f *testing.F) {
	whole := markettest.NewYahooChart("AAA", "2025-02-17", 10, nil, 0.1455, 14.55)
	whole.Events = map[string]any{
		"dividends": markettest.YahooChartEvent(whole.Rows[2].At, map[string]any{"amount": 0.2}),
		"splits":    markettest.YahooChartEvent(whole.Rows[3].At, map[string]any{"numerator": 4, "denominator": 1}),
	}
	f.Add(whole.String())
	f.Add(strings.Replace(whole.String(), "USD", "GBp", 1))
	f.Add(strings.Replace(whole.String(), `"amount":0.2`, `"amount":0.2,"currency":"EUR"`, 1))
	f.Add(`{"chart":{"result":null,"error":{"code":"Not Found","description":"x"}}}`)
	f.Add(`{"chart":{"result":[{"meta":{"symbol":"AAA"},"timestamp":[1],"indicators":{"quote":[{"close":[1e17]}]}}]}}`)
	f.Fuzz(func(t *testing.T, body string) {
		s := answering(chartPath+"AAA", body)
		series, err := s.Bars(t.Context(), "AAA", market.Range{})
		if checkSentinel(t, err); err == nil {
			markettest.CheckBars(t, series.Bars)
			_, _ = series.TotalReturn() // must not panic; its result for odd actions does not matter
		}
		q, err := s.Quote(t.Context(), "AAA")
		if checkSentinel(t, err); err == nil && !q.Price.IsPositive() {
			t.Errorf("quote of %s", q.Price)
		}
	})
}

func FuzzQuotes(f *testing.F) {
	f.Add(spark(sparkRow("AAA", priced)), false)
	f.Add(`{"AAA":{"symbol":"AAA","timestamp":[1],"close":[2]}}`, false)
	f.Add(`{"quoteResponse":{"result":[{"symbol":"AAA","currency":"USD","regularMarketPrice":1,"regularMarketTime":1}]}}`, true)
	f.Fuzz(func(t *testing.T, body string, listed bool) {
		script := withPass(sparkPath, body)
		if listed {
			script = withPass(listedPath, body).Respond(sparkPath, markettest.Response{Status: 500})
		}
		got, err := sourceOf(script).Quotes(t.Context(), []market.Symbol{"AAA"})
		if checkSentinel(t, err); err == nil && len(got) == 1 && !got["AAA"].Price.IsPositive() {
			t.Errorf("quote of %s", got["AAA"].Price)
		}
	})
}

func FuzzSearch(f *testing.F) {
	f.Add(searchBody)
	f.Fuzz(func(t *testing.T, body string) {
		got, err := answering("/v1/finance/search", body).Search(t.Context(), "x", 0)
		checkSentinel(t, err)
		for _, one := range got {
			if _, err := market.ParseSymbol(string(one.Symbol)); err != nil {
				t.Errorf("found %q, which is no symbol", one.Symbol)
			}
		}
	})
}

func FuzzStatements(f *testing.F) {
	f.Add(statementBody, "")
	f.Add(timeseries(line("quarterlyTotalRevenue", "JPY", "2024-06-30=1e17")), "quarterly")
	f.Fuzz(func(t *testing.T, body, span string) {
		_, err := answering(statementPath, body).Statements(t.Context(), "AAA", market.StatementQuery{Span: market.Span(span)})
		checkSentinel(t, err)
	})
}

func FuzzNews(f *testing.F) {
	f.Add(newsBody)
	f.Fuzz(func(t *testing.T, body string) {
		got, err := answering(newsPath, body).News(t.Context(), market.NewsQuery{Symbol: "AAA"})
		checkSentinel(t, err)
		for _, a := range got {
			if a.Title == "" || !strings.HasPrefix(strings.ToLower(a.URL), "http") || strings.ContainsAny(a.Title+a.Summary, "\x1b\n\r\x00") {
				t.Errorf("article %+v", a)
			}
		}
	})
}

func FuzzProfileAndOptions(f *testing.F) {
	f.Add(profileBody)
	f.Add(optionBody)
	f.Add(`{"quoteSummary":{"result":[{"assetProfile":{"fullTimeEmployees":1e17}}]}}`)
	f.Fuzz(func(t *testing.T, body string) {
		s := sourceOf(withPass(profilePath, body).Respond(optionPath, markettest.JSONResponse(body)))
		_, err := s.Profile(t.Context(), "AAA")
		checkSentinel(t, err)
		_, err = s.OptionChain(t.Context(), "AAA", market.Date{})
		checkSentinel(t, err)
	})
}

func FuzzPass(f *testing.F) {
	f.Add("crumb", "A3=x; Domain=.yahoo.com", consentPage, "https://guce.yahoo.com/consent")
	f.Add("", "", "", "https://x")
	f.Fuzz(func(t *testing.T, text, cookie, page, location string) {
		synctest.Test(t, func(t *testing.T) { // a server that redirects in a loop is retried after a pause
			script := european().Respond(crumbPath, crumb(text)).Respond("/quote/AAPL", redirect(location, cookie)).
				Respond("/v2/collectConsent", markettest.Response{Body: []byte(page)})
			_, err := sourceOf(script).Profile(t.Context(), "AAA")
			checkSentinel(t, err)
			if n := len(script.Requests()); n > 60 {
				t.Errorf("%d requests for a pass", n)
			}
		})
	})
}

func BenchmarkBars(b *testing.B) {
	closes := make([]any, 10_000)
	for i := range closes {
		closes[i] = 100 + float64(float32(i%977))/7
	}
	s := answering(chartPath+"AAA", markettest.NewYahooChart("AAA", "1987-01-02", closes...).String())
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Bars(b.Context(), "AAA", market.Range{}); err != nil {
			b.Fatal(err)
		}
	}
}
