package analysis

import (
	"context"
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// limitsDetails is for a tool that checks its answer against the user's limits.
const limitsDetails = `

The weights are checked against the user's own limits, as if they were the whole portfolio. If a limit is broken, the result is an error with the code refused. your_limits also says whether the advice is general.`

// limitsVerdict is what the user's limits say of the weights.
type limitsVerdict struct {
	Limits  []string `json:"your_limits,omitempty"` // in words, the decision first
	Refused bool     `json:"refused,omitempty"`
	Error   string   `json:"error,omitempty"`
	Code    string   `json:"code,omitempty"`
}

// ErrorText is why the weights are refused, "" where they are not.
func (v limitsVerdict) ErrorText() string { return v.Error }

// checkLimits holds the weights against the limits. They stand for a whole portfolio.
func (d OptimizerDeps) checkLimits(ctx context.Context, a *optimizeResult) error {
	if d.CheckLimits == nil {
		return nil
	}
	weights := map[market.Symbol]decimal.Decimal{}
	for name, weight := range a.Weights {
		weights[market.Symbol(name)] = decimal.NewFromFloat(weight)
	}
	var err error
	if a.Limits, a.Refused, err = d.CheckLimits(ctx, weights); err != nil {
		return fmt.Errorf("holding the weights against the limits: %w", err)
	}
	return nil
}

// withVerdict puts the verdict before the answer. What is refused is an error, which
// shows all the same what it was.
func (a optimizeResult) withVerdict(res tool.Result) tool.Result {
	if len(a.Limits) == 0 {
		return res
	}
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**\n\n", toolkit.TableCell(a.Limits[0]))
	for _, line := range a.Limits[1:] {
		fmt.Fprintf(&b, "- %s\n", toolkit.TableCell(line))
	}
	res.ForUser = b.String() + "\n" + res.ForUser
	if a.Refused {
		res.IsError, res.Code = true, tool.CodeRefused
		res.Summary = a.Limits[0] + ": " + res.Summary
		a.Error, a.Code = res.UserText(), tool.CodeRefused
		res.Value = a
	}
	return res
}
