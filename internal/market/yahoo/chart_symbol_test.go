package yahoo_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/yahoo"
)

func TestSymbols_LeadThereAndBack(t *testing.T) {
	for _, row := range []struct {
		sym   market.Symbol
		yahoo string
	}{
		{"BRK.B", "BRK-B"}, {"VOD.L", "VOD.L"}, {"7203.T", "7203.T"}, {"BMW.F", "BMW.F"}, {"TECK-B.TO", "TECK-B.TO"},
		{"BTC-USD", "BTC-USD"}, {"^GSPC", "^GSPC"}, {"EURUSD=X", "EURUSD=X"}, {"A", "A"},
	} {
		if got := yahoo.YahooSymbol(row.sym); got != row.yahoo {
			t.Errorf("Spelled(%s) = %s, want %s", row.sym, got, row.yahoo)
		}
		back, ok := yahoo.ParseYahooSymbol(row.yahoo)
		if !ok || yahoo.YahooSymbol(back) != row.yahoo {
			t.Errorf("SymbolOf(%s) = %s, %v; want a symbol that is spelled so", row.yahoo, back, ok)
		}
	}
	for _, text := range []string{"", "BRK.B", "a b", "\x1b[31m"} {
		if got, ok := yahoo.ParseYahooSymbol(text); ok {
			t.Errorf("SymbolOf(%q) = %q, want none: it does not lead back", text, got)
		}
	}
}

func TestSameSymbol_KnowsTheDollarThatYahooLeavesOut(t *testing.T) {
	for _, row := range []struct {
		asked, answered string
		want            bool
	}{
		{"AAPL", "AAPL", true}, {"AAPL", "aapl", true}, {"AAPL", "MSFT", false}, {"AAPL", "", false},
		{"USDEUR=X", "EUR=X", true}, {"GBPEUR=X", "EUR=X", false}, {"EURUSD=X", "USD=X", false},
	} {
		if got := yahoo.SameYahooSymbol(row.asked, row.answered); got != row.want {
			t.Errorf("SameSymbol(%s, %s) = %v, want %v", row.asked, row.answered, got, row.want)
		}
	}
}

func TestListing_NamesExchangesByTheirCode(t *testing.T) {
	for _, row := range []struct{ code, want string }{
		{"NMS", "XNAS"}, {"NYQ", "XNYS"}, {"PCX", "ARCX"}, {"ASE", "XASE"}, {"BTS", "BATS"}, {"PNK", "OTCM"},
		{"LSE", "XLON"}, {"GER", "XETR"}, {"JPX", "XTKS"}, {"JKT", "XIDX"}, {"ZZZ", ""}, {"", ""},
	} {
		if got := yahoo.ListingOf(row.code, "An\nExchange"); got.MIC != row.want || got.Exchange != "An Exchange" {
			t.Errorf("Listing(%s) = %+v, want %q", row.code, got, row.want)
		}
	}
}

func TestKind_IsInNfasWordsOrEmpty(t *testing.T) {
	for _, row := range []struct{ yahoo, want string }{
		{"EQUITY", "equity"}, {"ETF", "fund"}, {"MUTUALFUND", "fund"}, {"INDEX", "index"}, {"CURRENCY", "currency"},
		{"CRYPTOCURRENCY", "crypto"}, {"FUTURE", "future"}, {"OPTION", "option"}, {"ALTSYMBOL", ""}, {"", ""},
	} {
		if got := yahoo.InstrumentKind(row.yahoo); got != row.want {
			t.Errorf("Kind(%s) = %q, want %q", row.yahoo, got, row.want)
		}
	}
	listed := yahoo.Meta{InstrumentType: "MUTUALFUND"}
	if got := listed.Kind(); got != "fund" {
		t.Errorf("kind of a fund = %q", got)
	}
	listed.RegularMarketDayHigh.Valid = true
	if got := listed.Kind(); got != "equity" {
		t.Errorf("kind of a fund with a day's range = %q, want equity", got)
	}
}
