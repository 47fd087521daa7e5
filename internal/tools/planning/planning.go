package planning

import (
	"context"
	"fmt"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// Deps are the prices that futures are drawn from and rules are played on.
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

// hypotheticalLabel stands in front of what nobody has earned.
const hypotheticalLabel = "HYPOTHETICAL"

// today is the day of the call, zero where there is no clock.
func (d Deps) today() market.Date {
	if d.Now == nil {
		return market.Date{}
	}
	return toolkit.Today(d.Now())
}

// totalReturnSeries fetches closes with dividends reinvested, where the source tells them;
// where it does not, a warning says what a return of them counts.
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

// dividendWarning says what a return counts where dividends are not, or perhaps
// not, among it.
func dividendWarning(s market.Series) []string {
	if s.Provenance.Adjustment == market.AdjustmentSplitDiv {
		return nil
	}
	return []string{fmt.Sprintf("%s: %s", s.Symbol, toolkit.ReturnKind(s.Instrument, s.Provenance.Adjustment))}
}

func formatPercent(v float64) string { return toolkit.Format(v, toolkit.Rate, "") }

// CalculatorTools returns the tools that calculate with given numbers.
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
