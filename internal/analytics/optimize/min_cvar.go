package optimize

import (
	"fmt"
	"math"

	"github.com/nfa-cli/nfa/internal/analytics"
)

// MinCVaR returns the weights with the lowest conditional value at risk over the sample, at a confidence
// such as 0.95, and that value: the mean loss of the worst periods, positive for a loss. It needs neither a
// covariance nor expected returns. The linear program is
//
//	min a + 1/((1 - confidence) n) sum(u[t]),  u[t] >= -r[t]'w - a,  u[t] >= 0
//
// solved by its dual, which has as many rows as there are assets instead of periods. A confidence outside
// of (0, 1) is ErrMalformed. Source: R. T. Rockafellar and S. Uryasev, "Optimization of Conditional
// Value-at-Risk", 2000.
func MinCVaR(s Sample, confidence float64, l Limits) (weights []float64, cvar float64, err error) {
	if l.Size() != s.Assets() {
		return nil, 0, fmt.Errorf("%w: returns of %d assets, but limits for %d", ErrMalformed, s.Assets(), l.Size())
	}
	if !(confidence > 0 && confidence < 1) {
		return nil, 0, fmt.Errorf("%w: confidence %v", ErrMalformed, confidence)
	}
	if err := l.Check(); err != nil {
		return nil, 0, err
	}
	cost, dual := tailDual(s, confidence, l)
	v, err := SolveLinear(cost, dual)
	if err != nil {
		return nil, 0, fmt.Errorf("minimum conditional value at risk: %w", err)
	}
	// The weights are the negative dual prices of their rows.
	weights = make([]float64, s.Assets())
	for j := range weights {
		weights[j] = -v.DualPrices[j]
	}
	if weights, err = l.snapToBounds(weights); err != nil {
		return nil, 0, fmt.Errorf("minimum conditional value at risk: %w", err)
	}
	worst, err := analytics.ConditionalValueAtRisk(s.PortfolioReturns(weights), confidence)
	if err != nil {
		return nil, 0, fmt.Errorf("minimum conditional value at risk: %w", err)
	}
	cvar = -worst
	// A solution of the dual is a lower bound of the loss. If both are equal, no other weights lose less.
	if math.Abs(cvar+v.Value) > weightTolerance*(1+math.Abs(cvar)) {
		return nil, 0, fmt.Errorf("minimum conditional value at risk: %w: %.9g instead of %.9g", ErrNotConverged, cvar, -v.Value)
	}
	return weights, cvar, nil
}

// tailDual returns the dual in the form min cost z, rows z = right. Its variables are the probabilities q
// of the periods, each at most 1/((1 - confidence) n), the free prices y of the rows of the limits, and p
// and m for their lower and upper bounds:
//
//	min -right'y - lower'p + upper'm
//	for each weight j:  sum(q[t] r[t,j]) + (rows'y)[j] + p[j] - m[j] = 0
//	for the level a:    sum(q) = 1
func tailDual(s Sample, confidence float64, l Limits) ([]float64, Constraints) {
	c := l.constraints()
	periods, size, rows := s.Periods(), c.Size(), len(c.Rows)
	n := periods + rows + 2*size
	out := Constraints{
		Rows: make([][]float64, size+1), Right: make([]float64, size+1),
		Lower: make([]float64, n), Upper: make([]float64, n),
	}
	for j := range out.Rows {
		out.Rows[j] = make([]float64, n)
	}
	cost := make([]float64, n)
	for t := range periods {
		out.Upper[t] = 1 / ((1 - confidence) * float64(periods))
		out.Rows[size][t] = 1
		for j, r := range s.returns.RawRowView(t) {
			out.Rows[j][t] = r
		}
	}
	out.Right[size] = 1
	for i, row := range c.Rows {
		at := periods + i
		cost[at], out.Lower[at], out.Upper[at] = -c.Right[i], math.Inf(-1), math.Inf(1)
		for j, v := range row {
			out.Rows[j][at] = v
		}
	}
	for j := range size {
		low, high := periods+rows+j, periods+rows+size+j
		out.Rows[j][low], out.Rows[j][high] = 1, -1
		cost[low], cost[high] = -c.Lower[j], c.Upper[j]
		out.Upper[low], out.Upper[high] = math.Inf(1), math.Inf(1)
	}
	return cost, out
}
