package economy

import (
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
)

// Deps are the sources of the data. A nil source omits its tools.
type Deps struct {
	Series market.SeriesSource
	Curves market.CurveSource
	Rates  market.RateSource
	// Now is the clock; no later data is returned.
	Now func() time.Time
}

// Tools returns the tools for economic series, yield curves and exchange rates.
func Tools(d Deps) []tool.Tool {
	var tools []tool.Tool
	if d.Series != nil {
		tools = append(tools, newMacroSeries(d))
	}
	if d.Curves != nil {
		tools = append(tools, newYieldCurve(d))
	}
	if d.Rates != nil {
		tools = append(tools, newFXRate(d))
	}
	return tools
}
