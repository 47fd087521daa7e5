package trace_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/trace"
)

// BenchmarkScan_ALongAnswer scans a text as full of numbers as answers get.
func BenchmarkScan_ALongAnswer(b *testing.B) {
	all := strings.Repeat(strings.Join(corpusAnswers(b), "\n\n"), 3)
	for _, kilobytes := range []int{10, 20, 40} {
		b.Run(fmt.Sprintf("KB=%d", kilobytes), func(b *testing.B) {
			text := all[:1000*kilobytes]
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				trace.ScanNumbers(text)
			}
		})
	}
}
