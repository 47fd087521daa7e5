package prices_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/prices"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// coins returns prices of two coins in dollars, one in euros, two with the same name, and a fund with
// the ticker of a coin.
func coins(t *testing.T) prices.Deps {
	t.Helper()
	day := toolstest.MustDay("2026-11-18")
	coin := func(sym market.Symbol, name string, closes ...string) market.Series {
		s := markettest.Daily(sym, day, closes...)
		s.Name, s.Kind = name, "crypto"
		if pair, ok := sym.CoinPair(); ok {
			s.Provenance.Currency = pair.Quote
		}
		return s
	}
	return depsOf(t,
		coin("BTC-USD", "Bitcoin", "90000", "91000.5"), coin("BTC-EUR", "Bitcoin", "80000", "81000"), coin("ETH-USD", "Ethereum USD", "3000"),
		coin("ONE-USD", "Unity", "1"), coin("UNI-USD", "Unity", "2"), markettest.Daily("BTC", day, "40"))
}

func TestCryptoPrice_FindsACoinHoweverItIsNamed(t *testing.T) {
	for _, tc := range []struct{ name, coin, currency, symbol, price string }{
		{"ticker", "BTC", "", "BTC-USD", "91000.5"},
		{"small letters", "btc", "usd", "BTC-USD", "91000.5"},
		{"name", "bitcoin", "", "BTC-USD", "91000.5"},
		{"name with the currency", "Ethereum", "", "ETH-USD", "3000"},
		{"another currency", "Bitcoin", "eur", "BTC-EUR", "81000"},
		{"pair", "btc/eur", "", "BTC-EUR", "81000"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, got := group.CallOK(t, coins(t), "crypto_price", args{"coin": tc.coin, "currency": tc.currency})
			line := got["quotes"].([]any)[0].(map[string]any)
			toolstest.WantFields(t, line, map[string]any{"symbol": tc.symbol, "price": tc.price, "as_of": line["as_of"], "kind": "crypto"})
		})
	}
}

func TestCryptoPrice_OfARangeIsItsHistory(t *testing.T) {
	res, got := group.CallOK(t, coins(t), "crypto_price", args{"coin": "bitcoin", "range": "max"})
	toolstest.WantFields(t, got, map[string]any{"symbol": "BTC-USD", "count": 2.0, "currency": "USD", "from": "2026-11-18", "to": "2026-11-19"})
	if f := toolstest.Figure(t, res, "last.close"); f.Unit != "USD" {
		t.Errorf("last close in %s, want USD", f.Unit)
	}
}

func TestCryptoPrice_NeverChoosesAmongCoins(t *testing.T) {
	res := group.Call(t, coins(t), "crypto_price", args{"coin": "unity"})
	toolstest.WantError(t, res, tool.CodeNoData, "ambiguous")
	if !strings.Contains(res.ErrorText(), "ONE (Unity)") || !strings.Contains(res.ErrorText(), "UNI (Unity)") {
		t.Errorf("crypto_price of unity = %q, want both coins", res.ErrorText())
	}
}

func TestCryptoPrice_RefusesInvalidCoins(t *testing.T) {
	for _, tc := range []struct {
		in         args
		code, want string
	}{
		{args{"coin": "NOPE"}, market.CodeUnknownSymbol, "unknown symbol; use the ticker of the coin"},
		{args{"coin": "two words"}, tool.CodeNoData, "is not a coin and a currency"},
		{args{"coin": "BTC-EUR", "currency": "USD"}, tool.CodeNoData, "is priced in EUR"},
	} {
		toolstest.WantError(t, group.Call(t, coins(t), "crypto_price", tc.in), tc.code, tc.want)
	}
	toolstest.WantError(t, group.Call(t, coins(t), "crypto_price", args{"coin": "BTC", "range": "soon"}), tool.CodeValidation, "invalid period")
}

// For any coin and currency, the result is a price or an error that says what is wrong.
func FuzzCryptoPrice(f *testing.F) {
	for _, seed := range [][2]string{{"BTC", ""}, {"bitcoin", "eur"}, {"btc/eur", ""}, {"", ""}, {"-", "-"}, {"\x00", "€€€"}, {"BTC-USD-EUR", "USD"}} {
		f.Add(seed[0], seed[1])
	}
	router := group.Open(f, depsOf(f, markettest.Daily("BTC-USD", toolstest.MustDay("2026-11-18"), "1")))
	f.Fuzz(func(t *testing.T, coin, currency string) {
		res := toolstest.CallRouter(t, router, "crypto_price", args{"coin": coin, "currency": currency})
		if res.IsError && res.Code != tool.CodeNoData && res.Code != market.CodeUnknownSymbol {
			t.Errorf("crypto_price %q in %q = code %q: %s", coin, currency, res.Code, res.ErrorText())
		}
	})
}
