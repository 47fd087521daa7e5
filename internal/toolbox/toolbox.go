// Package toolbox is the bridge between the two wings: every tool that a model,
// a slash command or a verb can call, one file each, and All of them together.
package toolbox

import (
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
)

// Deps is what the tools stand on.
type Deps struct {
	Quotes    market.QuoteSource
	Bars      market.BarSource
	Directory market.Directory
	// Now is the clock, time.Now where nil. No price after it is given, so a
	// clock set back replays what was known then.
	Now func() time.Time
}

// All lists the tools, one line each.
func All(d Deps) []tool.Tool {
	if d.Now == nil {
		d.Now = time.Now
	}
	return []tool.Tool{
		newQuote(d),
		newPriceHistory(d),
		newReturnsStats(d),
		newCalculate(),
		newCurrentTime(d.Now),
	}
}
