package alphavantage_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/alphavantage"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/recordings"
)

const (
	base   = "http://127.0.0.1" // the answers come from memory
	secret = "KEY0123456789"

	barsBody = "timestamp,open,high,low,close,volume\r\n2026-09-24,11.5,13,11,12.5,10\r\n2026-09-23,12,12,11,11.5,10\r\n2026-09-22,11,12,11,12,10\r\n" +
		"2026-09-21,11,11,11,11,0\r\n2026-09-18,10.5,11.25,10,11,2000\r\n2026-09-17,10,11,9.5,10.5,1000\r\n"
	quoteBody    = "symbol,open,high,low,price,volume,latestDay,previousClose,change,changePercent\r\nAAA,11.5,13,11,12.5000,10,2026-09-24,11.5000,1.0000,8.7%\r\n"
	dividendBody = "ex_dividend_date,declaration_date,record_date,payment_date,amount\r\n2026-09-22,None,None,None,0.25\r\n2020-01-02,None,None,None,0.2\r\n"
	splitBody    = "effective_date,split_factor\r\n2026-09-21,2.0000\r\n"
	profileBody  = `{"Symbol":"AAA","AssetType":"Common Stock","Name":"Example","Description":"Makes\nexamples.","CIK":"51143","Exchange":"NYSE","Sector":"TECHNOLOGY","Industry":"None","Country":"USA","OfficialSite":"https://example.com","LatestQuarter":"2026-06-30"}`

	limited     = `{"Information": "We have detected your API key as ` + secret + ` and our standard API rate limit is 25 requests per day."}`
	limitedNote = `{"Note": "Thank you for using Alpha Vantage! Our standard API call frequency is 5 calls per minute."}`
	premium     = `{"Information": "Thank you for using Alpha Vantage! This is a premium endpoint."}`
	wrongSymbol = `{"Error Message": "Invalid API call. Please retry or visit the documentation for TIME_SERIES_DAILY."}`
	wrongKey    = `{"Error Message": "the parameter apikey is invalid or missing."}`
)

var noon = time.Date(2026, 9, 25, 12, 0, 0, 0, time.UTC)

func sourceOf(carrier http.RoundTripper) *alphavantage.Source {
	clock := func() time.Time { return noon }
	return alphavantage.New(client.New(client.Options{Transport: carrier, Now: clock}),
		client.ProviderOptions{BaseURL: base, Now: clock, Key: func() string { return secret }})
}

// functions maps each function to its response.
type functions map[string]markettest.Response

func (f functions) RoundTrip(r *http.Request) (*http.Response, error) {
	a, ok := f[r.URL.Query().Get("function")]
	if !ok {
		a = markettest.JSONResponse(wrongSymbol)
	}
	return markettest.NewScript(map[string]markettest.Response{r.URL.Path: a}).RoundTrip(r)
}

func listed() functions {
	return functions{
		"TIME_SERIES_DAILY": markettest.JSONResponse(barsBody), "GLOBAL_QUOTE": markettest.JSONResponse(quoteBody), "OVERVIEW": markettest.JSONResponse(profileBody),
		"DIVIDENDS": markettest.JSONResponse(dividendBody), "SPLITS": markettest.JSONResponse(splitBody),
	}
}

func recorded(t testing.TB, name string) string {
	t.Helper()
	return string(recordings.Read(t, "market", name))
}

func day(text string) market.Date {
	d, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return d
}

func dec(text string) decimal.Decimal { return decimal.RequireFromString(text) }
