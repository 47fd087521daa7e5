package planning

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type calculateInput struct {
	Expression string `json:"expression" jsonschema:"arithmetic such as (184.25 - 150) / 150 or round(1000 * 1.07^10, 2); plain digits, no thousands separators, no currency signs"`
}

type calculation struct {
	Expression string `json:"expression"`
	Result     string `json:"result"`
	Exact      bool   `json:"exact"`
	Precision  string `json:"precision"`
}

// newCalculate is the tool that works out an expression in exact decimals.
func newCalculate() tool.Tool {
	description := strings.Join([]string{
		"Works out an arithmetic expression in exact decimals (0.1 + 0.2 is 0.3). Use it for every sum, ratio or percentage that no other tool has computed; never do arithmetic yourself.",
		"Operators: + - * / ^ and parentheses. ^ (or **) is power, groups from the right and binds tighter than a sign: -2^2 = -4, 2^3^2 = 512.",
		"% after a number is per cent (200 * 5% = 10; 100 + 5% = 100.05), between two operands it is the remainder with the sign of the first (7 % 3 = 1).",
		"Functions: " + FunctionUsages() + ". pct_change and cagr give fractions (0.25 is 25 %); round goes half away from zero.",
		fmt.Sprintf("Sums and products are exact; a division, root or logarithm that does not end is given with %d significant digits and exact=false. Up to %d digits a number.", RoundedDigits, MaxDigits),
		"It has no prices, variables, dates or units: put the numbers in. For returns, volatility or drawdown of a symbol use returns_stats.",
	}, "\n")
	once := sync.OnceValue(NewCalculator)
	return tool.New("calculate", description, tool.Reads, func(_ context.Context, in calculateInput) (tool.Result, error) {
		return calculate(once(), in.Expression)
	})
}

func calculate(c *Calculator, text string) (tool.Result, error) {
	text = strings.TrimSpace(text)
	n, err := c.Evaluate(text)
	if err != nil {
		return toolkit.InvalidResult(fmt.Errorf("calculating %s: %w", toolkit.Abbreviate(text), err))
	}
	value := n.Rounded()
	answer := calculation{Expression: text, Result: value.String(), Exact: n.Exact(), Precision: "exact"}
	if !n.Exact() {
		answer.Precision = fmt.Sprintf("rounded to %d significant digits", RoundedDigits)
	}
	return tool.Result{
		Value:   answer,
		ForUser: fmt.Sprintf("`%s` = **%s** (%s)", strings.ReplaceAll(text, "`", "'"), answer.Result, answer.Precision),
		Title:   toolkit.Abbreviate(text),
		Summary: toolkit.Abbreviate("= " + answer.Result),
		Figures: []tool.Figure{{
			ID: "result", Label: "result", Value: value,
			Source: "calculate", Formula: text, Inputs: []string{answer.Precision},
		}},
	}, nil
}
