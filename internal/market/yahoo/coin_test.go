package yahoo_test

import (
	"errors"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

// coined returns a chart of a coin, which Yahoo would return for any coin with that ticker.
func coined(symbol string) markettest.Response {
	sheet := markettest.NewYahooChart(symbol, "2025-02-17", 10, 11)
	sheet.Meta["instrumentType"], sheet.Meta["exchangeName"], sheet.Meta["longName"] = "CRYPTOCURRENCY", "CCC", "UNICORN Token USD"
	return markettest.JSONResponse(sheet.String())
}

func TestCoins_OfATickerThatIsAnothersAreNotAskedFor(t *testing.T) {
	for _, row := range []struct {
		sym  market.Symbol
		asks bool
	}{
		{"BTC-USD", true}, {"ETH-EUR", true}, {"UNI7083-USD", true}, {"AMPY-WTA", true},
		{"UNI-USD", false}, {"TON-USD", false}, {"SUI-EUR", false},
	} {
		script := markettest.NewScript(map[string]markettest.Response{chartPath + string(row.sym): coined(string(row.sym))})
		s := sourceOf(script)
		_, quoteErr := s.Quote(t.Context(), row.sym)
		_, barsErr := s.Bars(t.Context(), row.sym, market.Range{})
		if row.asks && (quoteErr != nil || barsErr != nil) {
			t.Errorf("%s = %v, %v; want its price", row.sym, quoteErr, barsErr)
		}
		if !row.asks && (!errors.Is(quoteErr, market.ErrNotCovered) || !errors.Is(barsErr, market.ErrNotCovered) || len(script.Requests()) != 0) {
			t.Errorf("%s = %v, %v after %v; want ErrNotCovered and nothing asked", row.sym, quoteErr, barsErr, script.Requests())
		}
	}
}

func TestQuotes_LeaveOutCoinsOfATickerThatIsAnothers(t *testing.T) {
	script := markettest.NewScript(nil).Respond(sparkPath, markettest.JSONResponse(spark(sparkRow("BTC-USD", priced), sparkRow("UNI-USD", priced))))
	got, err := sourceOf(script).Quotes(t.Context(), []market.Symbol{"UNI-USD", "BTC-USD"})
	if _, known := got["BTC-USD"]; err != nil || len(got) != 1 || !known {
		t.Errorf("Quotes = %v, %v; want Bitcoin alone", got, err)
	}
	none := markettest.NewScript(nil)
	if got, err := sourceOf(none).Quotes(t.Context(), []market.Symbol{"UNI-USD"}); err != nil || len(got) != 0 || len(none.Requests()) != 0 {
		t.Errorf("Quotes of UNI-USD alone = %v, %v after %v; want nothing asked", got, err, none.Requests())
	}
}

func TestSearch_LeavesOutCoinsOfATickerThatIsAnothers(t *testing.T) {
	const found = `{"quotes":[
		{"symbol":"UNI-USD","exchange":"CCC","shortname":"UNICORN Token USD","quoteType":"CRYPTOCURRENCY","isYahooFinance":true},
		{"symbol":"UNI7083-USD","exchange":"CCC","shortname":"Uniswap USD","quoteType":"CRYPTOCURRENCY","isYahooFinance":true}]}`
	got, err := answering("/v1/finance/search", found).Search(t.Context(), "uni", 0)
	if err != nil || len(got) != 1 || got[0].Symbol != "UNI7083-USD" {
		t.Errorf("Search = %v, %v; want the numbered ticker alone", got, err)
	}
}
