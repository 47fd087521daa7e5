package coingecko_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/coingecko"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/recordings"
)

const (
	pricePath  = "/api/v3/simple/price"
	chartPath  = "/api/v3/coins/bitcoin/market_chart"
	searchPath = "/api/v3/search"
)

// noon is a Thursday.
var noon = time.Date(2025, 2, 20, 12, 0, 0, 0, time.UTC)

func sourceOf(script *markettest.Script) *coingecko.Source { return sourceWith(script, nil) }

func sourceWith(script *markettest.Script, key func() string) *coingecko.Source {
	now := func() time.Time { return noon }
	return coingecko.New(client.New(client.Options{Transport: script, Now: now}), client.ProviderOptions{BaseURL: "http://127.0.0.1", Key: key, Now: now})
}

func answering(path, body string) *coingecko.Source {
	return sourceOf(markettest.NewScript(map[string]markettest.Response{path: markettest.JSONResponse(body)}))
}

// recorded reads a recording of CoinGecko's answers.
func recorded(t testing.TB, name string) string {
	t.Helper()
	return string(recordings.Read(t, "market", "coingecko", name))
}

func day(text string) market.Date {
	d, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return d
}

func dec(text string) decimal.Decimal { return decimal.RequireFromString(text) }

// priceBody is CoinGecko's price of bitcoin in dollars from an hour ago.
var priceBody = fmt.Sprintf(`{"bitcoin":{"usd":66000.5,"usd_24h_change":10,"last_updated_at":%d}}`, noon.Add(-time.Hour).Unix())

// chart returns a chart with prices at times, given as "2025-02-20T00:00:00Z=100".
func chart(points ...string) string {
	rows := make([]string, len(points))
	for i, p := range points {
		stamp, price, _ := strings.Cut(p, "=")
		at, err := time.Parse(time.RFC3339, stamp)
		if err != nil {
			panic(err)
		}
		rows[i] = fmt.Sprintf("[%d,%s]", at.UnixMilli(), price)
	}
	return `{"prices":[` + strings.Join(rows, ",") + `],"market_caps":[],"total_volumes":[]}`
}

// week ends with the price of noon.
var week = chart("2025-02-15T00:00:00Z=95.5", "2025-02-16T00:00:00Z=96.5", "2025-02-17T00:00:00Z=97", "2025-02-18T00:00:00Z=98",
	"2025-02-19T00:00:00Z=99", "2025-02-20T00:00:00Z=100", "2025-02-20T11:59:30Z=101")

// fixtureScript knows bitcoin and no other coin.
func fixtureScript() *markettest.Script {
	return markettest.NewScript(map[string]markettest.Response{
		pricePath: markettest.JSONResponse(priceBody), chartPath: markettest.JSONResponse(week), searchPath: markettest.JSONResponse(`{"coins":[]}`),
	})
}

// searchBody returns a search response with coins given as "id TICKER rank"; rank 0 means unranked.
func searchBody(coins ...string) string {
	rows := make([]string, len(coins))
	for i, c := range coins {
		f := strings.Fields(c)
		rank := f[2]
		if rank == "0" {
			rank = "null"
		}
		rows[i] = fmt.Sprintf(`{"id":%q,"name":%q,"symbol":%q,"market_cap_rank":%s}`, f[0], "Name of "+f[0], f[1], rank)
	}
	return `{"coins":[` + strings.Join(rows, ",") + `]}`
}
