package calculator

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

// Judge holds a purchase, by its part of the whole, against the limits of the user;
// a symbol that was not said is "". It gives lines for everyone to read, and whether
// the limits refuse it.
type Judge func(ctx context.Context, symbol string, part decimal.Decimal) (lines []string, refused bool, err error)

// Judged lists the tools of the room, with sizes that pass the limits of the user
// first.
func Judged(j Judge) []tool.Tool {
	tools := Tools()
	size := newJudgedSize(j)
	tools[slices.IndexFunc(tools, func(t tool.Tool) bool { return t.Name == size.Name })] = size
	return tools
}

type judgedInput struct {
	positionInput
	Symbol string `json:"symbol,omitempty" jsonschema:"what is to be bought, so that limits on it can be judged"`
}

const judgedDescription = `
The size is held against the user's own limits, taking the capital for the whole portfolio. Where one fails the answer is an error with code refused: say NO first, which limit, and never present the size as a recommendation. Pass on whether the advice is general.`

// judgedAnswer is a size with what the user's limits say of it.
type judgedAnswer struct {
	positionAnswer
	Limits  []string `json:"your_limits"` // in words, the decision first
	Refused bool     `json:"refused"`
	Error   string   `json:"error,omitempty"`
	Code    string   `json:"code,omitempty"`
}

// ErrorText is why the size is refused, "" where it is not.
func (a judgedAnswer) ErrorText() string { return a.Error }

func newJudgedSize(judge Judge) tool.Tool {
	return tool.New("position_size", positionDescription+judgedDescription, tool.Reads, func(ctx context.Context, in judgedInput) (tool.Result, error) {
		res, part, err := positionSize(in.positionInput)
		size, ok := res.Value.(positionAnswer)
		if err != nil || !ok {
			return res, err
		}
		a := judgedAnswer{positionAnswer: size}
		if a.Limits, a.Refused, err = judge(ctx, strings.TrimSpace(in.Symbol), part); err != nil {
			return present.Mendable(fmt.Errorf("holding the size against the limits: %w", err))
		}
		return a.over(res), nil
	})
}

// over puts the verdict before a size. What is refused is an error, which shows all
// the same what it was.
func (a judgedAnswer) over(res tool.Result) tool.Result {
	var b strings.Builder
	for i, line := range a.Limits {
		if i == 0 {
			fmt.Fprintf(&b, "**%s**\n\n", present.Cell(line))
			continue
		}
		fmt.Fprintf(&b, "- %s\n", present.Cell(line))
	}
	res.ForUser = b.String() + "\n" + res.ForUser
	if a.Refused {
		res.IsError, res.Code, a.Code = true, tool.CodeRefused, tool.CodeRefused
		res.Summary, a.Error = "NO: refused by your limits: "+res.Summary, res.ForUser
	}
	res.Value = a
	return res
}
