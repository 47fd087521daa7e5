package journal_test

import (
	"math"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/journal"
	"github.com/nfa-cli/nfa/internal/market"
)

func dec(text string) decimal.Decimal { return decimal.RequireFromString(text) }

func price(text string) decimal.NullDecimal { return decimal.NewNullDecimal(dec(text)) }

func on(year int, month time.Month, day int) market.Date {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

func bought() journal.Decision {
	return journal.Decision{
		ID: "d1", Date: on(2023, 3, 1), Action: journal.Buy,
		Marks:  []journal.Mark{{Symbol: "VTI", Price: price("200.10"), Currency: "USD", AsOf: on(2023, 2, 28), Source: "yahoo"}},
		Thesis: "cheap\nand broad", Disproof: "earnings fall two years running",
		Benchmark: &journal.Mark{Symbol: "^GSPC", Price: price("3970.15"), AsOf: on(2023, 2, 28), Source: "yahoo"},
		ReviewOn:  on(2025, 3, 1), Confidence: price("0.7"),
	}
}

func growth(symbol market.Symbol, total float64) journal.Growth {
	return journal.Growth{Symbol: symbol, From: on(2023, 2, 28), To: on(2025, 2, 28), Return: total, Total: true, Currency: "USD", Source: "yahoo"}
}

// near compares figures that a hand computed to so many digits.
func near(t *testing.T, what string, got *float64, want float64) {
	t.Helper()
	if got == nil || math.Abs(*got-want) > 1e-6 {
		t.Errorf("%s = %v, want %v", what, shown(got), want)
	}
}

func shown(x *float64) any {
	if x == nil {
		return "nothing"
	}
	return *x
}
