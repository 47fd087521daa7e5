package offline

import (
	"fmt"
	"strings"
)

// chartLines says what is drawn. What the chart shows is for the reader to see: its
// result holds no prices.
func chartLines(o ResultObject) []string {
	var names []string
	for _, symbol := range o.Texts("symbols") {
		names = append(names, "**"+EscapeMarkdown(symbol)+"**")
	}
	if len(names) == 0 {
		names = []string{absent}
	}
	what := map[string]string{
		"line": "closes as a line", "candles": "prices as candles", "drawdown": "falls from the highest close before",
		"histogram": "returns by how often they occur", "compare": "closes beside each other, each 100 at the start",
	}[o.Text("kind")]
	if what == "" {
		what = "prices"
	}
	text := fmt.Sprintf("The chart of %s is drawn: %s %s, from %s to %s. Its card shows it.",
		strings.Join(names, " and "), o.textOrAbsent("interval"), what, o.textOrAbsent("from"), o.textOrAbsent("to"))
	return append([]string{text}, warningsOf([]ResultObject{o})...)
}
