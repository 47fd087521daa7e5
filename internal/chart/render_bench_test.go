package chart_test

import (
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/chart"
)

func BenchmarkRender_10000Points(b *testing.B) {
	s := walk(1, 10_000, 100)
	s.Times = every(time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC), 24*time.Hour, 10_000)
	compared := chart.Spec{Kind: chart.KindCompare, Series: []chart.Series{s, s, s, s, s, s}}
	for name, spec := range map[string]chart.Spec{
		"line":      {Kind: chart.KindLine, Title: "AAPL", Series: []chart.Series{s}},
		"log":       {Kind: chart.KindLine, Title: "AAPL", Log: true, Series: []chart.Series{s}},
		"drawdown":  {Kind: chart.KindDrawdown, Series: []chart.Series{drawdownOf(s)}},
		"histogram": {Kind: chart.KindHistogram, Series: []chart.Series{s}},
		"candles":   {Kind: chart.KindCandles, Candles: candles(1, 10_000, 100)},
		"compare 6": compared,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				chart.Render(spec, chart.RenderOptions{Width: 120, Height: 30})
			}
		})
	}
}
