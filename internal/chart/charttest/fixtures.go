// Package charttest has charts for tests: one of each kind, with invented data that is the same in
// every run.
package charttest

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/nfa-cli/nfa/internal/chart"
)

// FixtureSpecs returns one chart of each kind, with invented data that is the same in every run.
func FixtureSpecs() map[string]chart.Spec {
	prices := FixtureWalk(1, 252, 120)
	gap := FixtureWalk(2, 120, 80)
	for i := 40; i < 60; i++ {
		gap.Values[i] = math.NaN()
	}
	growth := FixtureWalk(7, 5040, 40)
	for i := range growth.Values {
		growth.Values[i] *= math.Pow(1.0007, float64(i))
	}
	a, b := FixtureWalk(3, 500, 50), FixtureWalk(4, 400, 300)
	a.Name, b.Name = "AAPL", "MSFT"
	b.Times = a.Times[100:]
	returns := make(chart.Values, 1000)
	r := rand.New(rand.NewPCG(5, 5))
	for i := range returns {
		returns[i] = 0.05 + r.NormFloat64()
	}
	return map[string]chart.Spec{
		"line": {Kind: chart.KindLine, Title: "AAPL close", Unit: "USD", Series: []chart.Series{prices}},
		"log":  {Kind: chart.KindLine, Title: "20 years", Unit: "USD", Log: true, Series: []chart.Series{growth}},
		"gap":  {Kind: chart.KindLine, Title: "Halted", Unit: "EUR", Series: []chart.Series{gap}},
		"intraday": {Kind: chart.KindLine, Title: "Today", Unit: "USD", Series: []chart.Series{
			{Times: FixtureTimes(time.Date(2024, 3, 15, 9, 30, 0, 0, time.UTC), 5*time.Minute, 79), Values: FixtureWalk(9, 79, 172).Values}}},
		"candles": {Kind: chart.KindCandles, Title: "AAPL daily", Unit: "USD", Candles: FixtureCandles(6, 60, 120)},
		"bars": {Kind: chart.KindBars, Title: "Allocation", Unit: "USD", Parts: []chart.Part{
			{Label: "US equity", Value: 61234.5}, {Label: "Bonds", Value: 20000}, {Label: "日本株 Japan", Value: 12345.67}, {Label: "Cash", Value: 4321}, {Label: "Gold", Value: 98.5}}},
		"short": {Kind: chart.KindBars, Title: "Exposure", Unit: "USD", Parts: []chart.Part{
			{Label: "AAPL", Value: 8000}, {Label: "TSLA short", Value: -3000}, {Label: "Cash", Value: 5000}}},
		"histogram": {Kind: chart.KindHistogram, Title: "Daily returns", Unit: "%", Series: []chart.Series{{Values: returns}}},
		"fan":       {Kind: chart.KindFan, Title: "Balance", Unit: "EUR", Fan: FixtureFan()},
		"drawdown":  {Kind: chart.KindDrawdown, Title: "AAPL drawdown", Unit: "%", Series: []chart.Series{FixtureDrawdown(prices)}},
		"compare":   {Kind: chart.KindCompare, Title: "Since May 2024", Series: []chart.Series{a, b}},
	}
}

// FixtureTimes returns n times from start.
func FixtureTimes(start time.Time, step time.Duration, n int) []time.Time {
	out := make([]time.Time, n)
	for i := range out {
		out[i] = start.Add(time.Duration(i) * step)
	}
	return out
}

// FixtureWeekdays returns n weekdays from 2024-01-02.
func FixtureWeekdays(n int) []time.Time {
	var out []time.Time
	for t := time.Date(2024, 1, 2, 0, 0, 0, 0, time.UTC); len(out) < n; t = t.AddDate(0, 0, 1) {
		if t.Weekday() != time.Saturday && t.Weekday() != time.Sunday {
			out = append(out, t)
		}
	}
	return out
}

// FixtureWalk returns n weekdays of a random walk that begins at start, the same for each seed.
func FixtureWalk(seed uint64, n int, start float64) chart.Series {
	r := rand.New(rand.NewPCG(seed, 1))
	s := chart.Series{Times: FixtureWeekdays(n), Values: make(chart.Values, n)}
	for i := range s.Values {
		s.Values[i] = start
		start *= 1 + 0.0006 + 0.015*r.NormFloat64()
	}
	return s
}

// FixtureCandles returns n weekdays of candles, with their volume.
func FixtureCandles(seed uint64, n int, start float64) chart.Candles {
	r := rand.New(rand.NewPCG(seed, 1))
	c := chart.Candles{Times: FixtureWeekdays(n)}
	for range n {
		end := start * (1 + 0.02*r.NormFloat64())
		c.Open, c.Close = append(c.Open, start), append(c.Close, end)
		c.High = append(c.High, max(start, end)*(1+0.01*r.Float64()))
		c.Low = append(c.Low, min(start, end)*(1-0.01*r.Float64()))
		c.Volume = append(c.Volume, 1e6*(1+r.Float64()))
		start = end
	}
	return c
}

// FixtureFan returns thirty years of a balance in five percentiles.
func FixtureFan() chart.Fan {
	f := chart.Fan{Percentiles: []chart.Percentile{{Rank: 5}, {Rank: 25}, {Rank: 50}, {Rank: 75}, {Rank: 95}}}
	for year := range 31 {
		f.Times = append(f.Times, time.Date(2024+year, 1, 1, 0, 0, 0, 0, time.UTC))
		for i := range f.Percentiles {
			z := []float64{-1.645, -0.674, 0, 0.674, 1.645}[i]
			v := 100_000 * math.Exp(0.05*float64(year)+z*0.12*math.Sqrt(float64(year)))
			f.Percentiles[i].Values = append(f.Percentiles[i].Values, v)
		}
	}
	return f
}

// FixtureDrawdown returns the drawdown of each value of s, in percent of its previous maximum.
func FixtureDrawdown(s chart.Series) chart.Series {
	out := chart.Series{Times: s.Times, Values: make(chart.Values, len(s.Values))}
	peak := 0.0
	for i, v := range s.Values {
		peak = max(peak, v)
		out.Values[i] = (v/peak - 1) * 100
	}
	return out
}
