package market_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
)

func TestParseSymbol_SpellsAsNfaDoes(t *testing.T) {
	for text, want := range map[string]market.Symbol{
		"aapl": "AAPL", " msft ": "MSFT", "$ibm": "IBM", "^gspc": "^GSPC",
		"BRK.B": "BRK.B", "brk-b": "BRK.B", "BRK/B": "BRK.B", "brk b": "BRK.B",
		"BTC-USD": "BTC-USD", "eurusd=x": "EURUSD=X", "S&P 500": "S&P500", "7203.t": "7203.T",
	} {
		got, err := market.ParseSymbol(text)
		if err != nil || got != want {
			t.Errorf("ParseSymbol(%q) = %q, %v; want %q", text, got, err, want)
		}
	}
}

func TestParseSymbol_RefusesWhatCannotBeOne(t *testing.T) {
	for _, text := range []string{
		"", "  ", "$", "AA\x1b[31mPL", "AA\nPL", "A\x00", "../etc", "EUR/USD", "ÄPFEL", "^", "--",
		strings.Repeat("A", 25),
	} {
		if got, err := market.ParseSymbol(text); !errors.Is(err, market.ErrInvalidSymbol) {
			t.Errorf("ParseSymbol(%q) = %q, %v; want ErrInvalidSymbol", text, got, err)
		}
	}
}

func TestInstrument_AnswersToSymbolNameAndAlias(t *testing.T) {
	spx := market.Instrument{Symbol: "^GSPC", Name: "S&P 500", Aliases: []string{"SPX", "标普600"}}
	for _, text := range []string{"^GSPC", "gspc", "s&p 500", "SP500", "spx", "标普 600"} {
		if !spx.Matches(text) {
			t.Errorf("Answers(%q) = false, want true", text)
		}
	}
	for _, text := range []string{"", "&", "SPY", "S&P", "600", "标普"} {
		if spx.Matches(text) {
			t.Errorf("Answers(%q) = true, want false", text)
		}
	}
}

func FuzzParseSymbol(f *testing.F) {
	for _, seed := range []string{"aapl", "brk b", "^gspc", "S&P 500", "\x1b[0m", "ı-b", "A- B"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		sym, err := market.ParseSymbol(text)
		if err != nil {
			return
		}
		for _, r := range string(sym) {
			if r <= ' ' || r >= 0x7f || r == '/' {
				t.Fatalf("ParseSymbol(%q) = %q holds %q", text, sym, r)
			}
		}
	})
}
