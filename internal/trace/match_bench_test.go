package trace_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/trace"
)

// aLongAnswer returns an answer of about size bytes, as full of figures as answers get.
func aLongAnswer(size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "From 2008-01-02 AAPL rose **%d.6%%** in all, 5.7%% a year, with volatility of 21.2%% and revenue of $%d.%d billion. ", i, 300+i, i%10)
		fmt.Fprintf(&b, "\n\n| Measure | AAPL | MSFT |\n|---|---|---|\n| Price | $%d.25 | 42.0 |\n\n", 100+i)
	}
	return b.String()
}

func knownFigures(n int) []trace.KnownFigure {
	var out []trace.KnownFigure
	for i := range n {
		out = append(out, trace.KnownFigure{
			Label: fmt.Sprintf("S%d annual return", i), Value: decimal.New(int64(1000+37*i), -2), Unit: []string{"%", "USD", "x", ""}[i%4], Index: i,
		})
	}
	return out
}

func BenchmarkMatch_ALongAnswer(b *testing.B) {
	for _, kilobytes := range []int{10, 20, 40} {
		b.Run(fmt.Sprintf("KB=%d", kilobytes), func(b *testing.B) {
			text, known := aLongAnswer(1000*kilobytes), knownFigures(300)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				trace.Match(text, known, "How has AAPL done since 2008?")
			}
		})
	}
}

func BenchmarkMatch_ManyKnown(b *testing.B) {
	for _, n := range []int{300, 600, 1200} {
		b.Run(fmt.Sprintf("known=%d", n), func(b *testing.B) {
			text, known := aLongAnswer(20_000), knownFigures(n)
			b.ReportAllocs()
			for b.Loop() {
				trace.Match(text, known, "How has AAPL done since 2008?")
			}
		})
	}
}
