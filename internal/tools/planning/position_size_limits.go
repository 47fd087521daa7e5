package planning

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// LimitCheck holds a purchase, by its part of the whole, against the limits of the user;
// a symbol that was not said is "". It gives lines for everyone to read, and whether
// the limits refuse it.
type LimitCheck func(ctx context.Context, symbol string, part decimal.Decimal) (lines []string, refused bool, err error)

// CalculatorToolsWithLimits returns the tools of CalculatorTools, with position sizes checked
// against the user's limits.
func CalculatorToolsWithLimits(j LimitCheck) []tool.Tool {
	tools := CalculatorTools()
	size := newLimitedPositionSize(j)
	tools[slices.IndexFunc(tools, func(t tool.Tool) bool { return t.Name == size.Name })] = size
	return tools
}

type limitedPositionInput struct {
	positionInput
	Symbol string `json:"symbol,omitempty" jsonschema:"What to buy, to check the user's limits on it."`
}

const limitedPositionDetails = `

The size is checked against the user's own limits; capital counts as the whole portfolio. If a limit is broken, the result is an error with the code refused. your_limits also says whether the advice is general.`

// limitedPositionResult is a size with what the user's limits say of it.
type limitedPositionResult struct {
	positionResult
	Limits  []string `json:"your_limits"` // in words, the decision first
	Refused bool     `json:"refused"`
	Error   string   `json:"error,omitempty"`
	Code    string   `json:"code,omitempty"`
}

// ErrorText is why the size is refused, "" where it is not.
func (a limitedPositionResult) ErrorText() string { return a.Error }

func newLimitedPositionSize(judge LimitCheck) tool.Tool {
	return tool.New("position_size", positionDescription, tool.Reads, func(ctx context.Context, in limitedPositionInput) (tool.Result, error) {
		size, part, err := positionSize(in.positionInput)
		if err != nil {
			return toolkit.InvalidResult(err)
		}
		a := limitedPositionResult{positionResult: size}
		if a.Limits, a.Refused, err = judge(ctx, strings.TrimSpace(in.Symbol), part); err != nil {
			return toolkit.SourceErrorResult(fmt.Errorf("holding the size against the limits: %w", err))
		}
		return a.result(), nil
	}).WithDetails(positionDetails+limitedPositionDetails).Find("planning", positionKeywords, positionPhrasings...)
}

// result puts the verdict before a size. What is refused is an error, which shows all
// the same what it was.
func (a limitedPositionResult) result() tool.Result {
	var b strings.Builder
	for i, line := range a.Limits {
		if i == 0 {
			fmt.Fprintf(&b, "**%s**\n\n", toolkit.TableCell(line))
			continue
		}
		fmt.Fprintf(&b, "- %s\n", toolkit.TableCell(line))
	}
	size := toolkit.Render(a)
	shown := b.String() + "\n" + size.ForUser
	if a.Refused {
		a.Code, a.Error = tool.CodeRefused, shown
	}
	res := toolkit.Render(a)
	res.ForUser = shown
	if a.Refused {
		res.IsError, res.Code, res.Summary = true, tool.CodeRefused, "NO: refused by your limits: "+res.Summary
	}
	return res
}
