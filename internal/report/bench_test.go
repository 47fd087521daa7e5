package report_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/report"
)

// BenchmarkNew writes reports with more and more figures: the time should grow in proportion.
func BenchmarkNew(b *testing.B) {
	for _, size := range []struct {
		name  string
		times int
	}{{"5 figures", 1}, {"50", 10}, {"500", 100}, {"1000", 200}, {"2000", 400}, {"5000", 1000}} {
		text := strings.Repeat(sampleText+"\n", size.times)
		for _, format := range []report.Format{report.Markdown, report.HTML} {
			b.Run(string(format)+" "+size.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := report.New(text, options(format)); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	for _, size := range []struct {
		name  string
		times int
	}{{"5 figures", 1}, {"500", 100}, {"1000", 200}, {"2000", 400}, {"5000", 1000}} {
		r := newReport(b, strings.Repeat(sampleText+"\n", size.times), options(report.Markdown))
		b.Run(size.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := r.Provenance.Check(r.Data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
