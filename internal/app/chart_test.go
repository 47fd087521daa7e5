package app

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestChartWords_AreSymbolsRangeAndKind(t *testing.T) {
	for _, tt := range []struct {
		words []string
		want  map[string]any
	}{
		{[]string{"VTI"}, map[string]any{"symbol": "VTI"}},
		{[]string{"VTI", "5y"}, map[string]any{"symbol": "VTI", "range": "5y"}},
		{[]string{"VTI", "candles"}, map[string]any{"symbol": "VTI", "kind": "candles"}},
		{[]string{"VTI", "candles", "YTD"}, map[string]any{"symbol": "VTI", "kind": "candles", "range": "YTD"}},
		{[]string{"VTI", "5x", "line"}, map[string]any{"symbol": "VTI", "kind": "line", "range": "5x"}},
		{[]string{"AAPL,MSFT", "max"}, map[string]any{"symbol": "AAPL,MSFT", "range": "max"}},
		{[]string{"AAPL,", "MSFT", ",VTI", "max"}, map[string]any{"symbol": "AAPL,MSFT,VTI", "range": "max"}},
		// Surplus words are passed to the tool, which refuses them. Nothing is dropped silently.
		{[]string{"VTI", "5y", "1y"}, map[string]any{"symbol": "VTI", "range": "5y", "kind": "1y"}},
		{[]string{"VTI", "line", "area"}, map[string]any{"symbol": "VTI", "kind": "line area"}},
	} {
		got := map[string]any{}
		if err := setChart(tt.words, got); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("setChart(%q) (-want +got):\n%s", tt.words, diff)
		}
	}
}
