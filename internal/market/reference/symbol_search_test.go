package reference_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/reference"
)

func TestSearch_BestFirst(t *testing.T) {
	table := reference.NewSymbolTable()
	for _, row := range []struct {
		name, text string
		limit      int
		want       []market.Symbol
	}{
		{"the symbol itself before those that begin so", "AAP", 1, []market.Symbol{"AAPL"}},
		{"exact before prefix", "v", 1, []market.Symbol{"V"}},
		{"the ticker of another exchange", "IWDA", 2, []market.Symbol{"IWDA.AS", "IWDA.L"}},
		{"a name before parts of names", "visa", 1, []market.Symbol{"V"}},
		{"words in any order", "world vanguard total", 1, []market.Symbol{"VT"}},
		{"beginnings of words", "berk hath", 2, []market.Symbol{"BRK.B", "BRK.A"}},
		{"an ISIN with all its listings", "IE00B3XXRP09", 5, []market.Symbol{"VUSA.L", "VUSA.AS", "VUSA.DE"}},
		{"a CIK with all its classes", "0001652044", 5, []market.Symbol{"GOOGL", "GOOG"}},
		{"accents do not matter", "HERMES", 1, []market.Symbol{"RMS.PA"}},
		{"a class in another spelling", "brk/a", 1, []market.Symbol{"BRK.A"}},
		{"a pair by rule", "chf/jpy", 3, []market.Symbol{"CHFJPY=X"}},
		{"a pair of the table once", "BTC/USD", 1, []market.Symbol{"BTC-USD"}},
		{"an index without its caret", "gspc", 1, []market.Symbol{"^GSPC"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, err := table.Search(t.Context(), row.text, row.limit)
			if diff := cmp.Diff(row.want, symbols(got)); err != nil || diff != "" {
				t.Errorf("Search(%q, %d) = %v (-want +got):\n%s", row.text, row.limit, err, diff)
			}
		})
	}
}

func TestSearch_NothingFoundIsNoError(t *testing.T) {
	for _, text := range []string{"", "   ", "^", "zzzzqqq", "\x00", "\xff\xfe"} {
		got, err := reference.NewSymbolTable().Search(t.Context(), text, 5)
		if err != nil || len(got) > 0 {
			t.Errorf("Search(%q) = %v, %v; want nothing", text, symbols(got), err)
		}
	}
}

func TestSearch_IsLimited(t *testing.T) {
	for limit, want := range map[int]int{3: 3, 0: 10, -1: 10, 25: 25} {
		got, err := reference.NewSymbolTable().Search(t.Context(), "inc", limit)
		if err != nil || len(got) != want {
			t.Errorf("Search(inc, %d) = %d instruments, %v; want %d", limit, len(got), err, want)
		}
	}
}

func TestSearch_ACancelledCallEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := reference.NewSymbolTable().Search(ctx, "apple", 5); !errors.Is(err, context.Canceled) {
		t.Errorf("Search of a cancelled call = %v, want context.Canceled", err)
	}
}

func BenchmarkSearch(b *testing.B) {
	table := reference.NewSymbolTable()
	for _, text := range []string{"AAPL", "vanguard total", "a"} {
		b.Run(text, func(b *testing.B) {
			for b.Loop() {
				if _, err := table.Search(b.Context(), text, 10); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
