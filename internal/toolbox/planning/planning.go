// Package planning holds the tools that play plans and rules through possible
// futures and through the past: retirement, goals, backtests. What they give is
// hypothetical, and each result says so. A new one is a file of its own and a line
// in Tools; the mathematics are those of analytics/simulation and
// analytics/backtest.
package planning

import (
	"context"
	"fmt"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/lineup"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

// Deps are the prices that futures are drawn from and rules are played on.
type Deps struct {
	question.Prices
}

// Tools lists the tools of the room, one line each.
func Tools(d Deps) []tool.Tool {
	return []tool.Tool{
		newRetirement(d),
		newGoal(d),
		newBacktest(d),
	}
}

// hypothetical stands in front of what nobody has earned.
const hypothetical = "HYPOTHETICAL"

// today is the day of the call, zero where there is no clock.
func (d Deps) today() market.Date {
	if d.Now == nil {
		return market.Date{}
	}
	return question.Today(d.Now())
}

// returning fetches closes with dividends reinvested, where the source tells them;
// where it does not, a warning says what a return of them counts.
func (d Deps) returning(ctx context.Context, text string, sp question.Span) (market.Series, []string, error) {
	series, warnings, err := lineup.History(ctx, d.Prices, text, sp)
	if err != nil {
		return series, nil, err
	}
	for i, w := range warnings {
		warnings[i] = fmt.Sprintf("%s: %s", series.Symbol, w)
	}
	return series, append(warnings, withoutDividends(series)...), nil
}

// withoutDividends says what a return counts where dividends are not, or perhaps
// not, among it.
func withoutDividends(s market.Series) []string {
	if s.Provenance.Adjustment == market.AdjustmentSplitDiv {
		return nil
	}
	return []string{fmt.Sprintf("%s: %s", s.Symbol, present.ReturnKind(s.Instrument, s.Provenance.Adjustment))}
}

func percentText(v float64) string { return present.RoundedPercent(v, 4).String() + " %" }
