package ecb_test

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/ecb"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/recordings"
)

const (
	dailyPath   = "/stats/eurofxref/eurofxref-daily.xml"
	quarterPath = "/stats/eurofxref/eurofxref-hist-90d.xml"
	historyPath = "/stats/eurofxref/eurofxref-hist.zip"
	curvePath   = "/service/data/YC/B.U2.EUR.4F.G_N_A.SV_C_YM.SR_3M+SR_6M+SR_9M+SR_1Y+SR_2Y+SR_3Y+SR_5Y+SR_7Y+SR_10Y+SR_15Y+SR_20Y+SR_30Y"
)

// evening is a Monday, after the day's rates are published.
var evening = time.Date(2026, 4, 13, 18, 0, 0, 0, time.UTC)

func sourceOf(script *markettest.Script) *ecb.Source { return sourceAt(script, evening) }

func sourceAt(script *markettest.Script, now time.Time) *ecb.Source {
	clock := func() time.Time { return now }
	return ecb.New(client.New(client.Options{Transport: script, Now: clock}), client.ProviderOptions{BaseURL: "http://127.0.0.1", Now: clock})
}

// fixtureScript serves short versions of all files that the ECB publishes.
func fixtureScript(t testing.TB) *markettest.Script {
	t.Helper()
	return markettest.NewScript(map[string]markettest.Response{
		dailyPath:   {Body: testdata(t, "daily.xml")},
		quarterPath: {Body: testdata(t, "quarter.xml")},
		historyPath: {Body: zipped(t, "eurofxref-hist.csv", testdata(t, "history.csv"))},
		curvePath:   {Body: testdata(t, "curve.csv")},
	})
}

// requestedPaths returns the files requested from a script.
func requestedPaths(script *markettest.Script) []string {
	var out []string
	for _, r := range script.Requests() {
		out = append(out, filepath.Base(r.URL.Path))
	}
	return out
}

func testdata(t testing.TB, name string) []byte {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func zipped(t testing.TB, name string, body []byte) []byte {
	t.Helper()
	var packed bytes.Buffer
	archive := zip.NewWriter(&packed)
	w, err := archive.Create(name)
	if err == nil {
		_, err = w.Write(body)
	}
	if err == nil {
		err = archive.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

// recorded reads a recording of the ECB's answers.
func recorded(t testing.TB, name string) []byte {
	t.Helper()
	return recordings.Read(t, "market", "ecb", name)
}

func day(text string) market.Date {
	d, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return d
}

func dec(text string) decimal.Decimal { return decimal.RequireFromString(text) }

func pair(text string) market.Pair { return market.Pair{Base: text[:3], Quote: text[3:]} }
