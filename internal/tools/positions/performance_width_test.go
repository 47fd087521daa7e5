package positions_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// performanceFieldLine is a line of a table that did not fit and became a list of fields.
var performanceFieldLine = regexp.MustCompile(`(?m)^\s*(return|amount|position|benchmark|date|1 year|3 years|5 years|since inception): .*$`)

func TestPerformance_TablesAreTablesInEightyColumns(t *testing.T) {
	w := toolstest.LargeFixture(30, 600)
	for _, in := range []toolstest.Args{{}, {"benchmark": "S1"}, {"range": "max"}} {
		res := toolstest.Call(t, performanceToolsOf(t, w), "portfolio_performance", in)
		if !strings.Contains(res.UserText(), "Contributions") {
			t.Fatalf("%v: no contributions:\n%s", in, res.UserText())
		}
		for _, width := range []int{80, 100} {
			drawn := strings.Join(markdown.Render(res.UserText(), markdown.Options{Width: width}), "\n")
			if broken := regexp.MustCompile(`(?m)\([+-][0-9.]+%?\s*$`).FindString(drawn); broken != "" {
				t.Errorf("%v: a per cent is broken over two lines (%q):\n%s", in, broken, drawn)
			}
			if found := performanceFieldLine.FindString(drawn); found != "" {
				t.Errorf("%v: %d columns hold no table (%q):\n%s", in, width, found, drawn)
			}
		}
	}
}
