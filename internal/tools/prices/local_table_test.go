package prices_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/market/reference"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/prices"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// newTableDeps returns prices of a few instruments, with the embedded table as the directory.
func newTableDeps(t *testing.T) prices.Deps {
	t.Helper()
	day := toolstest.MustDay("2026-11-18")
	d := depsOf(t, markettest.Daily("AAPL", day, "1"), markettest.Daily("GOOGL", day, "1"), markettest.Daily("BRK.B", day, "1"),
		markettest.Daily("BTC-USD", day, "1"), markettest.Daily("NEWCO", day, "1"))
	d.Directory = reference.NewSymbolTable()
	return d
}

func TestLocalTable_TellsWhatANameMeans(t *testing.T) {
	for text, want := range map[string]string{
		"apple": "AAPL", "aapl": "AAPL", "brk-b": "BRK.B", "brk/b": "BRK.B", "Bitcoin": "BTC-USD", "newco": "NEWCO", "US0378331005": "AAPL", "苹果": "AAPL", "谷歌": "GOOGL",
	} {
		if _, got := group.CallOK(t, newTableDeps(t), "quote", args{"symbol": text}); toolstest.Rows(t, got, "quotes", "symbol")[0] != want {
			t.Errorf("quote of %q = %v, want %s", text, toolstest.Rows(t, got, "quotes", "symbol"), want)
		}
	}
	for _, coin := range []string{"bitcoin", "比特币"} {
		if _, got := group.CallOK(t, newTableDeps(t), "crypto_price", args{"coin": coin}); toolstest.Rows(t, got, "quotes", "symbol")[0] != "BTC-USD" {
			t.Errorf("crypto_price of %s = %v, want BTC-USD", coin, toolstest.Rows(t, got, "quotes", "symbol"))
		}
	}
}

// Two share classes of one company are two instruments, so the user must choose.
func TestLocalTable_AsksWhichOfTwoIsMeant(t *testing.T) {
	res := group.Call(t, newTableDeps(t), "quote", args{"symbol": "alphabet"})
	toolstest.WantError(t, res, tool.CodeNoData, market.ErrAmbiguous.Error())
	for _, symbol := range []string{"GOOG", "GOOGL"} {
		if !strings.Contains(res.ErrorText(), symbol) {
			t.Errorf("quote of alphabet = %q, want %s offered", res.ErrorText(), symbol)
		}
	}
}

// BTC is a fund and a coin. As an exchange symbol it is the fund, also with the clock set back, where
// the price comes from bars.
func TestLocalTable_AFundOfACoinsTickerIsNamedByItsExchange(t *testing.T) {
	d := depsOf(t, markettest.Daily("BTC", toolstest.MustDay("2026-11-18"), "40", "41", "42"))
	d.Directory, d.Now = reference.NewSymbolTable(), toolstest.Clock(t, "2026-11-19T22:00:00Z")
	toolstest.WantError(t, group.Call(t, d, "quote", args{"symbol": "BTC"}), tool.CodeNoData, "BTC-USD")
	_, got := group.CallOK(t, d, "quote", args{"symbol": "ARCX:BTC"})
	toolstest.WantFields(t, got["quotes"].([]any)[0].(map[string]any), map[string]any{"symbol": "BTC", "price": "41"})
}

func TestLocalTable_IsSearchedWithoutANetwork(t *testing.T) {
	_, got := group.CallOK(t, newTableDeps(t), "search_symbol", args{"query": "apple inc"})
	toolstest.WantFields(t, got["matches"].([]any)[0].(map[string]any), map[string]any{"symbol": "AAPL", "kind": "equity", "cik": "0000320193"})
	_, got = group.CallOK(t, newTableDeps(t), "search_symbol", args{"query": "苹果"})
	toolstest.WantFields(t, got["matches"].([]any)[0].(map[string]any), map[string]any{"symbol": "AAPL", "from": "local table"})
}
