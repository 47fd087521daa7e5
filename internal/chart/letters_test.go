package chart_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/chart"
)

func TestRender_LettersTellLinesApartWithoutColour(t *testing.T) {
	for _, set := range charsets {
		lines := text(t, samples()["compare"], chart.RenderOptions{Width: 80, Height: 16, Charset: set.set, MarkLines: true})
		legend := lines[len(lines)-1]
		if !strings.HasPrefix(legend, "* AAPL") || !strings.Contains(legend, "o MSFT") {
			t.Errorf("%s: legend %q, want * for AAPL and o for MSFT", set.name, legend)
		}
		drawn := strings.Join(lines[1:len(lines)-3], "")
		if strings.Count(drawn, "*") < 5 || strings.Count(drawn, "o") < 5 {
			t.Errorf("%s: %d and %d letters on the lines, want several of both", set.name, strings.Count(drawn, "*"), strings.Count(drawn, "o"))
		}
	}
	alone := strings.Join(text(t, samples()["line"], chart.RenderOptions{Width: 80, Height: 16, MarkLines: true}), "")
	if strings.Contains(alone, "*") {
		t.Errorf("a line alone is lettered:\n%s", alone)
	}
}
