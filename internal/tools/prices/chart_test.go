package prices_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/chart"
)

func TestPriceHistory_DrawsCandlesOrCloses(t *testing.T) {
	for symbol, kind := range map[string]chart.Kind{"^GSPC": chart.KindCandles, "AAPL": chart.KindLine} {
		res, got := group.CallOK(t, deps(t), "price_history", args{"symbol": symbol, "range": "max"})
		if res.Chart == nil || res.Chart.Kind != kind || res.Chart.Validate() != nil {
			t.Errorf("chart of %s = %+v, want a valid one of kind %s", symbol, res.Chart, kind)
			continue
		}
		if kind == chart.KindCandles && float64(res.Chart.Candles.Bars) != got["count"] {
			t.Errorf("candles of %d bars, want all %v", res.Chart.Candles.Bars, got["count"])
		}
	}
}
