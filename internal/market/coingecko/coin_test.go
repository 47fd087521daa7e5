package coingecko_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

func TestTable_NamesEachCoinOnce(t *testing.T) {
	text, err := os.ReadFile("coins.tsv")
	if err != nil {
		t.Fatal(err)
	}
	tickers, ids := map[string]bool{}, map[string]bool{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(cells) != 3 {
			t.Errorf("line %q has %d cells, want ticker, identifier, name", line, len(cells))
			continue
		}
		if _, ok := market.Symbol(cells[0] + "-USD").CoinPair(); !ok || tickers[cells[0]] || ids[cells[1]] || cells[2] == "" {
			t.Errorf("line %q: its ticker is none, or ticker or identifier stand there twice", line)
		}
		tickers[cells[0]], ids[cells[1]] = true, true
	}
	if len(tickers) < 60 {
		t.Errorf("%d coins, want the sixty best known", len(tickers))
	}
}

func TestQuote_TickersOutsideTheTableAreSearched(t *testing.T) {
	for _, row := range []struct {
		name, found string
		id          string // of the expected coin; "" for none
		err         error
		says        string
	}{
		{"one coin", searchBody("moon-token MOON 1432"), "moon-token", nil, ""},
		{"one coin without a market", searchBody("moon-token MOON 0"), "moon-token", nil, ""},
		{"others have no market", searchBody("moonshot MOON 0", "moon-token MOON 1432", "moonpaw MOONPAW 95"), "moon-token", nil, "Several coins have the ticker MOON; this is Name of moon-token, number 1432"},
		{"one is far ahead", searchBody("moon-two MOON 2870", "moonstone MOON 287"), "moonstone", nil, "number 287"},
		{"of like size", searchBody("moonstone MOON 287", "moon-two MOON 2869"), "", market.ErrAmbiguous, "Name of moonstone (number 287 by market cap) or Name of moon-two"},
		{"none has a market", searchBody("moonstone MOON 0", "moon-two MOON 0"), "", market.ErrAmbiguous, "or"},
		{"like it alone", searchBody("moonpaw MOONPAW 95"), "", market.ErrUnknownSymbol, "no coin has the ticker MOON"},
		{"nothing", searchBody(), "", market.ErrUnknownSymbol, "MOON"},
		{"an identifier that leads elsewhere", searchBody("../ping MOON 1"), "", market.ErrUnknownSymbol, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			script := markettest.NewScript(map[string]markettest.Response{
				searchPath: markettest.JSONResponse(row.found), pricePath: markettest.JSONResponse(`{"` + row.id + `":{"usd":2}}`),
			})
			q, err := sourceOf(script).Quote(t.Context(), "MOON-USD")
			if !errors.Is(err, row.err) || err != nil && !strings.Contains(err.Error(), row.says) {
				t.Fatalf("Quote = %v, want %v that says %q", err, row.err, row.says)
			}
			if err == nil && (q.Name != "Name of "+row.id || !strings.Contains(q.Provenance.Note, row.says)) {
				t.Errorf("Quote is of %s and notes %q, want %s and %q", q.Name, q.Provenance.Note, row.id, row.says)
			}
		})
	}
}

func TestSearch_OfARecording(t *testing.T) {
	got, err := answering(searchPath, recorded(t, "Search.json")).Search(t.Context(), "ethereum", 0)
	want := []market.Instrument{
		{Symbol: "ETH-USD", Name: "Ethereum", Kind: "crypto"}, {Symbol: "ETC-USD", Name: "Ethereum Classic", Kind: "crypto"},
		{Symbol: "SWETH-USD", Name: "Swell Ethereum", Kind: "crypto"},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("Search, %v (-want +got):\n%s", err, diff)
	}
}

// A search result must resolve to the same coin.
func TestSearch_OffersNoTickerThatMeansAnotherCoin(t *testing.T) {
	body := searchBody("batcat BTC 900", "bitcoin BTC 1", "moonstone MOON 287", "moon-two MOON 300", "sun SUN 50", "sun-cat SUN 0", "odd $ODD 4")
	got, err := answering(searchPath, body).Search(t.Context(), "x", 0)
	want := []market.Instrument{{Symbol: "BTC-USD", Name: "Name of bitcoin", Kind: "crypto"}, {Symbol: "SUN-USD", Name: "Name of sun", Kind: "crypto"}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("Search, %v (-want +got):\n%s", err, diff)
	}
	if one, err := answering(searchPath, body).Search(t.Context(), "x", 1); err != nil || len(one) != 1 {
		t.Errorf("Search for one = %v, %v", one, err)
	}
}

func TestSearch_ForNothingIsNotAsked(t *testing.T) {
	script := fixtureScript()
	if got, err := sourceOf(script).Search(t.Context(), " \n", 5); err != nil || got != nil || len(script.Requests()) > 0 {
		t.Errorf("Search = %v, %v after %d requests", got, err, len(script.Requests()))
	}
}

func FuzzSearch(f *testing.F) {
	f.Add(searchBody("moonstone MOON 287", "moon-two MOON 0"))
	f.Add(`{"coins":[{"id":"a","name":"\u001b[31mred","symbol":"a","market_cap_rank":-5}]}`)
	f.Fuzz(func(t *testing.T, body string) {
		s := answering(searchPath, body)
		got, err := s.Search(t.Context(), "x", 0)
		checkSentinel(t, err)
		for _, one := range got {
			if _, ok := one.Symbol.CoinPair(); !ok || strings.ContainsAny(one.Name, "\x1b\n\x00") {
				t.Errorf("found %+v", one)
			}
		}
		_, err = s.Quote(t.Context(), "MOON-USD")
		checkSentinel(t, err)
	})
}
