package investor_test

import (
	"math"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
)

func journalDec(text string) decimal.Decimal { return decimal.RequireFromString(text) }

func knownPrice(text string) decimal.NullDecimal { return decimal.NewNullDecimal(journalDec(text)) }

func date(year int, month time.Month, day int) market.Date {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

func buyDecision() investor.Decision {
	return investor.Decision{
		ID: "d1", Date: date(2023, 3, 1), Action: investor.ActionBuy,
		Assets: []investor.PricedAsset{{Symbol: "VTI", Price: knownPrice("200.10"), Currency: "USD", AsOf: date(2023, 2, 28), Source: "yahoo"}},
		Thesis: "cheap\nand broad", Invalidation: "earnings fall two years running",
		Benchmark: &investor.PricedAsset{Symbol: "^GSPC", Price: knownPrice("3970.15"), AsOf: date(2023, 2, 28), Source: "yahoo"},
		ReviewOn:  date(2025, 3, 1), Confidence: knownPrice("0.7"),
	}
}

func assetReturn(symbol market.Symbol, total float64) investor.AssetReturn {
	return investor.AssetReturn{Symbol: symbol, From: date(2023, 2, 28), To: date(2025, 2, 28), Return: total, Total: true, Currency: "USD", Source: "yahoo"}
}

// wantNear compares with a figure computed by hand to that many digits.
func wantNear(t *testing.T, what string, got *float64, want float64) {
	t.Helper()
	if got == nil || math.Abs(*got-want) > 1e-6 {
		t.Errorf("%s = %v, want %v", what, orNil(got), want)
	}
}

func orNil(x *float64) any {
	if x == nil {
		return "nothing"
	}
	return *x
}
