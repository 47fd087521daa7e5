package planning

import (
	"context"
	"fmt"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// Deps holds the price sources for simulations and backtests.
type Deps struct {
	toolkit.Prices
}

// Tools returns the tools that simulate plans and test strategies.
func Tools(d Deps) []tool.Tool {
	return []tool.Tool{
		newRetirement(d),
		newGoal(d),
		newBacktest(d),
	}
}

// hypotheticalLabel marks simulated results.
const hypotheticalLabel = "HYPOTHETICAL"

// totalReturnSeries fetches closes with dividends reinvested if the source has dividends. If it
// does not, a warning describes the return.
func (d Deps) totalReturnSeries(ctx context.Context, text string, sp toolkit.Period) (market.Series, []string, error) {
	series, warnings, err := toolkit.FetchReturnSeries(ctx, d.Prices, text, sp)
	if err != nil {
		return series, nil, err
	}
	for i, w := range warnings {
		warnings[i] = fmt.Sprintf("%s: %s", series.Symbol, w)
	}
	return series, append(warnings, dividendWarning(series)...), nil
}

// dividendWarning describes a return that may exclude dividends.
func dividendWarning(s market.Series) []string {
	if s.Provenance.Adjustment == market.AdjustmentSplitDiv {
		return nil
	}
	return []string{fmt.Sprintf("%s: %s", s.Symbol, toolkit.ReturnKind(s.Instrument, s.Provenance.Adjustment))}
}

func formatPercent(v float64) string { return toolkit.Format(v, toolkit.Rate, "") }

// CalculatorTools returns the tools that compute only from their arguments.
func CalculatorTools() []tool.Tool {
	return []tool.Tool{
		newCalculate(),
		newXIRR(),
		newTimeValue(),
		newLoanPayment(),
		newBondPrice(),
		newOptionPrice(),
		newPositionSize(),
	}
}
