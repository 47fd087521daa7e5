package nasdaq_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/market/nasdaq"
	"github.com/nfa-cli/nfa/internal/recordings"
)

// base is the server's URL in these tests; responses come from memory.
const base = "http://127.0.0.1"

// noon is a Friday, before New York opens.
var noon = time.Date(2026, 9, 25, 12, 0, 0, 0, time.UTC)

func sourceOf(carrier http.RoundTripper, now time.Time) *nasdaq.Source {
	clock := func() time.Time { return now }
	return nasdaq.New(client.New(client.Options{Transport: carrier, Now: clock}), client.ProviderOptions{BaseURL: base, Now: clock})
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

const notFound = `{"data":null,"message":null,"status":{"rCode":400,"bCodeMessage":[{"code":1001,"errorMessage":"Symbol not exists."}]}}`

// fakeServer is a Nasdaq that lists one symbol under one class, and limits its days to the requested range.
type fakeServer struct {
	symbol, class string
	days          [][2]string // date and close, oldest first
}

func (p fakeServer) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	body, q := notFound, r.URL.Query()
	switch {
	case q.Get("assetclass") != p.class || !strings.Contains(r.URL.Path, "/quote/"+p.symbol+"/"):
	case strings.HasSuffix(r.URL.Path, "/info"):
		body = infoOf(p.symbol, p.days[len(p.days)-1][1])
	default:
		body = p.history(q.Get("fromdate"), q.Get("todate"))
	}
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}}, Request: r, Body: io.NopCloser(strings.NewReader(body))}, nil
}

func (p fakeServer) history(from, to string) string {
	rows := []any{}
	for _, d := range p.days {
		if d[0] >= from && d[0] <= to {
			row := map[string]string{"date": day(d[0]).Format("01/02/2006"), "volume": "1,000"}
			for _, name := range []string{"open", "high", "low", "close"} {
				row[name] = "$" + d[1]
			}
			rows = append([]any{row}, rows...)
		}
	}
	text, err := json.Marshal(map[string]any{
		"data":   map[string]any{"symbol": p.symbol, "tradesTable": map[string]any{"rows": rows}},
		"status": map[string]any{"rCode": 200},
	})
	if err != nil {
		panic(err)
	}
	return string(text)
}

func infoOf(symbol, price string) string {
	return fmt.Sprintf(`{"data":{"symbol":%q,"companyName":"Example Inc. Common Stock","exchange":"NASDAQ-GS","marketStatus":"Closed",
		"primaryData":{"lastSalePrice":"$%s","netChange":"-0.50","lastTradeTimestamp":"Sep 24, 2026 4:00 PM ET","isRealTime":false},"secondaryData":null},
		"status":{"rCode":200}}`, symbol, price)
}

func listed(class string) fakeServer {
	return fakeServer{symbol: "AAA", class: class, days: [][2]string{
		{"2026-09-17", "10.00"}, {"2026-09-18", "1,010.50"}, {"2026-09-21", "9.75"}, {"2026-09-22", "11"}, {"2026-09-23", "12"}, {"2026-09-24", "12.5"},
	}}
}

func TestSource_KeepsTheContractOfPrices(t *testing.T) {
	for _, class := range []string{"stocks", "etf"} {
		t.Run(class, func(t *testing.T) {
			markettest.RunPrices(t, func(*testing.T) markettest.PriceSubject {
				return markettest.PriceSubject{Source: sourceOf(listed(class), noon), Listed: "AAA"}
			})
		})
	}
}

func TestBars_OfTheRecordedHistory(t *testing.T) {
	// After the close, when the bar is settled.
	now := time.Date(2026, 9, 25, 21, 0, 0, 0, time.UTC)
	script := markettest.NewScript(map[string]markettest.Response{"/api/quote/AAPL/historical": markettest.JSONResponse(recorded(t, "nasdaq/historical-AAPL-shape.json"))})
	got, err := sourceOf(script, now).Bars(t.Context(), "AAPL", market.Range{})
	if err != nil {
		t.Fatalf("Bars = %v", err)
	}
	null := decimal.NewNullDecimal
	want := []market.Bar{
		{Date: day("2026-01-15"), Open: null(dec("229")), High: null(dec("231")), Low: null(dec("228")), Close: dec("230"), Volume: null(dec("1000"))},
		{Date: day("2026-09-25"), Open: null(dec("336.04")), High: null(dec("341.67")), Low: null(dec("334.53")), Close: dec("341.07"), Volume: null(dec("30002510"))},
	}
	if diff := cmp.Diff(want, got.Bars); diff != "" {
		t.Errorf("bars (-want +got):\n%s", diff)
	}
	p := got.Provenance
	if p.Source != "nasdaq" || p.Currency != "USD" || p.Adjustment != market.AdjustmentSplit || got.Actions != nil || len(p.Flags) != 0 {
		t.Errorf("provenance %+v, actions %v; want split-adjusted dollars and no actions", p, got.Actions)
	}
}

func TestBars_SayHowFarBackTheyReach(t *testing.T) {
	for from, want := range map[string]bool{"1990-01-01": true, "2026-09-18": false} {
		got, err := sourceOf(listed("stocks"), noon).Bars(t.Context(), "AAA", market.Range{From: day(from)})
		if limited := strings.Contains(got.Provenance.Note, "ten years"); err != nil || limited != want {
			t.Errorf("from %s: note %q, %v; want it to tell of ten years: %v", from, got.Provenance.Note, err, want)
		}
	}
}

func TestBars_OfTheSessionUnderWayAreProvisional(t *testing.T) {
	p := fakeServer{symbol: "AAA", class: "stocks", days: [][2]string{{"2026-09-24", "10"}, {"2026-09-25", "11"}}}
	for hour, want := range map[int]bool{19: true, 21: false} {
		got, err := sourceOf(p, time.Date(2026, 9, 25, hour, 0, 0, 0, time.UTC)).Bars(t.Context(), "AAA", market.Range{})
		if err != nil || got.Provenance.Has(market.FlagProvisional) != want {
			t.Errorf("at %d h UTC: provisional = %v, %v; want %v", hour, got.Provenance.Has(market.FlagProvisional), err, want)
		}
	}
}

func TestSource_AsksAFundAsAFundTheSecondTime(t *testing.T) {
	var requests []string
	s := sourceOf(recordingServer{listed("etf"), &requests}, noon)
	for range 2 {
		if q, err := s.Quote(t.Context(), "AAA"); err != nil || q.Kind != "fund" {
			t.Fatalf("Quote = %+v, %v; want a fund", q.Instrument, err)
		}
	}
	if want := []string{"stocks", "etf", "etf"}; cmp.Diff(want, requests) != "" {
		t.Errorf("asked as %v, want %v", requests, want)
	}
}

// Under the wrong class, the server may know a symbol but have no data for it.
func TestBars_OfAFundAreFoundBehindAnEmptyShare(t *testing.T) {
	empty := `{"data":{"symbol":"AAA","totalRecords":0,"tradesTable":{"rows":null}},"status":{"rCode":200}}`
	s := sourceOf(byClass{"stocks": empty, "etf": listed("etf").history("", "9")}, noon)
	if got, err := s.Bars(t.Context(), "AAA", market.Range{}); err != nil || got.Kind != "fund" {
		t.Errorf("Bars = %+v, %v; want those of the fund", got.Instrument, err)
	}
	s = sourceOf(byClass{"stocks": empty, "etf": notFound}, noon)
	if _, err := s.Bars(t.Context(), "AAA", market.Range{}); !errors.Is(err, market.ErrNoData) {
		t.Errorf("Bars of an empty share = %v, want ErrNoData", err)
	}
}

// byClass maps each class to its response.
type byClass map[string]string

func (b byClass) RoundTrip(r *http.Request) (*http.Response, error) {
	body := b[r.URL.Query().Get("assetclass")]
	return &http.Response{StatusCode: 200, Header: http.Header{}, Request: r, Body: io.NopCloser(strings.NewReader(body))}, nil
}

type recordingServer struct {
	fakeServer
	classes *[]string
}

func (w recordingServer) RoundTrip(r *http.Request) (*http.Response, error) {
	*w.classes = append(*w.classes, r.URL.Query().Get("assetclass"))
	return w.fakeServer.RoundTrip(r)
}

func TestQuote_IsOfTheSessionWhileOthersTradeOn(t *testing.T) {
	body := `{"data":{"symbol":"AAA","companyName":"Example Inc.","exchange":"NASDAQ-GS","marketStatus":"After-Hours",
		"primaryData":{"lastSalePrice":"$99.00","netChange":"+1.00","lastTradeTimestamp":"Sep 24, 2026 7:12 PM ET","isRealTime":true},
		"secondaryData":{"lastSalePrice":"$98.00","netChange":"+2.50","lastTradeTimestamp":"Closed at Sep 24, 2026 4:00 PM ET","isRealTime":true}},
		"status":{"rCode":200}}`
	q, err := sourceOf(markettest.NewScript(map[string]markettest.Response{"/api/quote/AAA/info": markettest.JSONResponse(body)}), noon).Quote(t.Context(), "AAA")
	if err != nil {
		t.Fatalf("Quote = %v", err)
	}
	if !q.Price.Equal(dec("98")) || !q.Previous.Decimal.Equal(dec("95.5")) || q.Provenance.Phase != market.PhasePost {
		t.Errorf("Quote = %s after %s in phase %s, want 98 after 95.5 in post", q.Price, q.Previous.Decimal, q.Provenance.Phase)
	}
	if want := time.Date(2026, 9, 24, 20, 0, 0, 0, time.UTC); !q.Provenance.AsOf.Equal(want) {
		t.Errorf("as of %v, want %v", q.Provenance.AsOf, want)
	}
}

func TestQuote_ReadsWhatThePageSaysOfTheHour(t *testing.T) {
	close := time.Date(2026, 9, 24, 20, 0, 0, 0, time.UTC)
	for _, row := range []struct {
		name, status, change, at string
		phase                    market.Phase
		previous                 string // empty: absent
		asOf                     time.Time
	}{
		{"before the session", "Pre-Market", "UNCH", "DATA AS OF Sep 24, 2026 4:00 PM ET", market.PhasePre, "10", close},
		{"in the session", "Market Open", "+0.25", "Sep 24, 2026 4:00:00 PM ET - Delayed", market.PhaseRegular, "9.75", close},
		{"after it", "Market Closed", "N/A", "Sep 24, 2026", market.PhaseClosed, "", day("2026-09-24")},
		{"a word that is new", "Halted", "+10.00", "Sep 24, 2026 4:00 PM ET", market.PhaseUnknown, "", close},
	} {
		body := fmt.Sprintf(`{"data":{"symbol":"NDX","companyName":"","marketStatus":%q,"primaryData":{"lastSalePrice":"10","netChange":%q,"lastTradeTimestamp":%q}},
			"status":{"rCode":200}}`, row.status, row.change, row.at)
		q, err := sourceOf(markettest.NewScript(map[string]markettest.Response{"/api/quote/NDX/info": markettest.JSONResponse(body)}), noon).Quote(t.Context(), "^NDX")
		if err != nil {
			t.Errorf("%s: Quote = %v", row.name, err)
			continue
		}
		previous := ""
		if q.Previous.Valid {
			previous = q.Previous.Decimal.String()
		}
		if p := q.Provenance; p.Phase != row.phase || !p.AsOf.Equal(row.asOf) || previous != row.previous {
			t.Errorf("%s: phase %q as of %v after %q, want %q as of %v after %q", row.name, p.Phase, p.AsOf, previous, row.phase, row.asOf, row.previous)
		}
		if q.Kind != "index" || q.Name != "^NDX" || q.Provenance.Currency != "" || q.Provenance.Unit != "index points" {
			t.Errorf("%s: %+v in %q, want an index in points", row.name, q.Instrument, q.Provenance.Unit)
		}
	}
}

func TestQuote_WithoutAPriceOrATimeIsNone(t *testing.T) {
	for data, want := range map[string]error{
		`{"symbol":"NDX"}`: market.ErrNoData,
		`{"symbol":"NDX","primaryData":{"lastSalePrice":"N/A","lastTradeTimestamp":"Sep 24, 2026"}}`: market.ErrNoData,
		`{"symbol":"NDX","primaryData":{"lastSalePrice":"10","lastTradeTimestamp":"soon"}}`:          market.ErrMalformed,
		`[]`: market.ErrMalformed,
	} {
		script := markettest.NewScript(map[string]markettest.Response{"/api/quote/NDX/info": markettest.JSONResponse(`{"data":` + data + `,"status":{"rCode":200}}`)})
		if _, err := sourceOf(script, noon).Quote(t.Context(), "^NDX"); !errors.Is(err, want) {
			t.Errorf("Quote of %s = %v, want %v", data, err, want)
		}
	}
}

func TestSource_SpellsSymbolsAsNasdaqDoes(t *testing.T) {
	for sym, want := range map[market.Symbol]string{
		"BRK.B": "/api/quote/BRK%25sl%25B/info", "^GSPC": "/api/quote/SPX/info", "AAPL": "/api/quote/AAPL/info",
		// Symbols that the server cannot know are not requested.
		"VOD.L": "", "BTC-USD": "", "EURUSD=X": "", "^FTSE": "", "7203.T": "", "": "", "NOSUCH.ZZ": "",
	} {
		script := markettest.NewScript(nil)
		_, err := sourceOf(script, noon).Quote(t.Context(), sym)
		if !errors.Is(err, market.ErrUnknownSymbol) {
			t.Errorf("Quote(%s) = %v, want ErrUnknownSymbol", sym, err)
		}
		got := ""
		if requests := script.Requests(); len(requests) > 0 {
			got = requests[0].URL.EscapedPath()
		}
		if got != want {
			t.Errorf("%s asks %q, want %q", sym, got, want)
		}
	}
}

func TestSource_BadDaysEndInTheirSentinel(t *testing.T) {
	for path, good := range map[string]string{"/historical": listed("stocks").history("", "9"), "/info": infoOf("AAA", "10")} {
		for _, bad := range markettest.BadResponses([]byte(good)) {
			t.Run(path+"/"+bad.Name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := sourceOf(markettest.NewScript(map[string]markettest.Response{"/api/quote/AAA" + path: bad.Response}), noon)
					_, err := s.Quote(t.Context(), "AAA")
					if path == "/historical" {
						_, err = s.Bars(t.Context(), "AAA", market.Range{})
					}
					if !errors.Is(err, bad.Want) {
						t.Errorf("%s = %v, want %v", path, err, bad.Want)
					}
				})
			})
		}
	}
}

func TestBars_AnswersThatAreNone(t *testing.T) {
	row := func(close string) string {
		return `{"data":{"symbol":"AAA","tradesTable":{"rows":[{"date":"09/24/2026","open":"1","high":"2","low":"1","close":"` + close + `","volume":"N/A"}]}},"status":{"rCode":200}}`
	}
	for _, one := range []struct {
		name, body string
		want       error
	}{
		{"refusal", `{"data":null,"status":{"rCode":400}}`, market.ErrUnknownSymbol},
		{"refusal in words", notFound, market.ErrUnknownSymbol},
		{"trouble of its own", `{"data":null,"status":{"rCode":500}}`, market.ErrUnavailable},
		{"no data", `{"data":null,"status":{"rCode":200}}`, market.ErrNoData},
		{"no table", `{"data":{"symbol":"AAA","tradesTable":null},"status":{"rCode":200}}`, market.ErrNoData},
		{"close missing", row("N/A"), market.ErrNoData},
		{"close of dashes", row("--"), market.ErrNoData},
		{"close of zero", row("$0.00"), market.ErrNoData},
		{"close below zero", row("-1"), market.ErrNoData},
		{"close without end", row("1e999999999"), market.ErrNoData},
		{"another symbol", strings.Replace(row("1"), "AAA", "BBB", 1), market.ErrMalformed},
		{"no envelope", `{"symbol":"AAA"}`, market.ErrMalformed},
		{"a list", `[]`, market.ErrMalformed},
		{"a date that is none", strings.Replace(row("1"), "09/24/2026", "2026-09-24", 1), market.ErrMalformed},
	} {
		t.Run(one.name, func(t *testing.T) {
			s := sourceOf(markettest.NewScript(map[string]markettest.Response{"/api/quote/AAA/historical": markettest.JSONResponse(one.body)}), noon)
			if got, err := s.Bars(t.Context(), "AAA", market.Range{}); !errors.Is(err, one.want) {
				t.Errorf("Bars = %+v, %v; want %v", got.Bars, err, one.want)
			}
		})
	}
}

func TestSource_TheRecordedRefusalIsAnUnknownSymbol(t *testing.T) {
	s := sourceOf(byClass{"stocks": recorded(t, "errors/nasdaq-400.json"), "etf": recorded(t, "errors/nasdaq-400.json")}, noon)
	if _, err := s.Quote(t.Context(), "AAA"); !errors.Is(err, market.ErrUnknownSymbol) {
		t.Errorf("Quote = %v, want ErrUnknownSymbol", err)
	}
}

func TestBars_ContradictionsAreLeftOutAndFlagged(t *testing.T) {
	body := `{"data":{"symbol":"AAA","tradesTable":{"rows":[{"date":"09/24/2026","open":"5","high":"4","low":"3","close":"3.5","volume":"--"}]}},"status":{"rCode":200}}`
	got, err := sourceOf(markettest.NewScript(map[string]markettest.Response{"/api/quote/AAA/historical": markettest.JSONResponse(body)}), noon).Bars(t.Context(), "AAA", market.Range{})
	if err != nil || !got.Provenance.Has(market.FlagSuspect) {
		t.Fatalf("Bars = %+v, %v; want them flagged suspect", got.Provenance, err)
	}
	if diff := cmp.Diff([]market.Bar{{Date: day("2026-09-24"), Close: dec("3.5")}}, got.Bars); diff != "" {
		t.Errorf("bars (-want +got):\n%s", diff)
	}
}

func FuzzSource(f *testing.F) {
	f.Add(listed("stocks").history("", "9"))
	f.Add(infoOf("AAA", "10"))
	f.Add(notFound)
	f.Fuzz(func(t *testing.T, body string) {
		s := sourceOf(markettest.NewScript(map[string]markettest.Response{"/api/quote/AAA/historical": markettest.JSONResponse(body), "/api/quote/AAA/info": markettest.JSONResponse(body)}), noon)
		series, err := s.Bars(t.Context(), "AAA", market.Range{})
		if err == nil {
			markettest.CheckBars(t, series.Bars)
		}
		q, quoteErr := s.Quote(t.Context(), "AAA")
		if quoteErr == nil && (!q.Price.IsPositive() || q.Provenance.AsOf.IsZero()) {
			t.Errorf("quote %+v", q)
		}
		for _, err := range []error{err, quoteErr} {
			var from *market.SourceError
			if err != nil && !errors.As(err, &from) {
				t.Errorf("error %v is no *market.SourceError", err)
			}
		}
	})
}
