// Package planning holds the tools that play plans and rules through possible
// futures and through the past: retirement, goals, backtests. What they give is
// hypothetical, and each result says so. A new one is a file of its own and a line
// in Tools; the mathematics are those of analytics/simulation and
// analytics/backtest.
package planning

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
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

// returning fetches closes with dividends reinvested, where the source tells them;
// where it does not, a warning says what a return of them counts.
func (d Deps) returning(ctx context.Context, text string, sp question.Span) (market.Series, []string, error) {
	series, warnings, err := d.History(ctx, text, sp)
	if err != nil {
		return series, nil, err
	}
	if total, err := series.TotalReturn(); err == nil {
		series = total
	}
	for i, w := range warnings {
		warnings[i] = fmt.Sprintf("%s: %s", series.Symbol, w)
	}
	if series.Provenance.Adjustment != market.AdjustmentSplitDiv {
		warnings = append(warnings, fmt.Sprintf("%s: %s", series.Symbol, present.ReturnKind(series.Instrument, series.Provenance.Adjustment)))
	}
	return series, warnings, nil
}

// loud are the flags of all origins in capitals, each once.
func loud(origins []present.Origin) string {
	var flags []market.Flag
	for _, o := range origins {
		flags = append(flags, o.Flags...)
	}
	slices.Sort(flags)
	return present.Origin{Flags: slices.Compact(flags)}.Loud()
}

// footers are the origins as people read them, each once.
func footers(origins []present.Origin) string {
	var lines []string
	for _, o := range origins {
		if line := o.Footer(); !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return "\n" + strings.Join(lines, "\n\n") + "\n"
}

func percentText(v float64) string { return present.RoundedPercent(v, 4).String() + " %" }
