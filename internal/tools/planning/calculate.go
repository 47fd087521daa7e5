package planning

import (
	"context"
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type calculateInput struct {
	Expression string `json:"expression" jsonschema:"Such as (184.25 - 150) / 150, 60.3 million * 5% or 1,234.5 - 980."`
}

type calculation struct {
	Expression string          `json:"expression"`
	Result     decimal.Decimal `json:"result" label:"result" as:"exact" key:"1"`
	Exact      bool            `json:"exact"`
	Precision  string          `json:"precision"`
	Warnings   toolkit.Notes   `json:"warnings,omitempty"`
}

func (c calculation) Headline(lang string) string {
	precision := c.Precision
	if lang == "zh" {
		precision = "精确"
		if !c.Exact {
			precision = fmt.Sprintf("四舍五入到 %d 位有效数字", RoundedDigits)
		}
	}
	return fmt.Sprintf("%s = %s (%s)", c.Expression, toolkit.Format(c.Result, toolkit.Exact, ""), precision)
}

func (c calculation) Title() string { return toolkit.Abbreviate(c.Expression) }

func (c calculation) Explain(string) toolkit.Explanation {
	return toolkit.Explanation{Formula: c.Expression, Inputs: []string{c.Precision}}
}

const calculateDescription = "Evaluates an arithmetic expression in exact decimals. Use it for every sum, ratio or percentage that no other tool has computed; never calculate yourself. Operators + - * / ^ and % (5% is 0.05); functions such as round, sqrt, ln, avg, pct_change and cagr."

const calculateKeywords = "calculate calculator arithmetic math compute plus minus times divided multiply divide subtract add sum percent percentage ratio square root power average round change difference 计算 等于 加 减 乘 除 百分比 多少 算一下 平方根"

var calculatePhrasings = []string{
	"what is <num> times <num>",
	"<pct> of <num>",
	"<num> divided by <num>",
	"percent change from <num> to <num>",
	"average of <num>, <num> and <num>",
	"<num> 乘以 <num> 等于多少",
	"<num> 的 <pct> 是多少",
	"算一下 <num> + <num>",
}

func calculateDetails() string {
	return strings.Join([]string{
		"0.1 + 0.2 is 0.3. Operators: + - * / ^ and parentheses. ^ (or **) is exponentiation, right-associative, and binds tighter than a sign: -2^2 = -4, 2^3^2 = 512.",
		"% after a number is percent (200 * 5% = 10; 100 + 5% = 100.05). Between two operands it is the remainder with the sign of the first (7 % 3 = 1).",
		"Functions: " + functionUsages() + ". pct_change and cagr return fractions (0.25 is 25%). round rounds half away from zero.",
		fmt.Sprintf("Sums and products are exact. A division, root or logarithm with endless decimals has %d significant digits and exact=false. A number may have up to %d digits.", RoundedDigits, MaxDigits),
		"Numbers may have thousands separators (1,234.5; not within a function, where a comma separates) and a scale: 350k, 60.3 million, 1.2bn, 5 万, 3 亿. One currency is dropped, as a sign or a code; a note names it, and the result is in it. (71) at the start, or added, is -71 as in accounts, with a warning; elsewhere parentheses group.",
		"There are no prices, variables, dates or other units: insert the numbers. For returns, volatility or drawdown of a symbol use returns_stats.",
	}, "\n")
}

// newCalculate returns the tool that evaluates an expression in exact decimals.
func newCalculate() tool.Tool {
	return toolkit.New("calculate", calculateDescription, tool.Reads, calculate).WithDetails(calculateDetails()).Find("planning", calculateKeywords, calculatePhrasings...).Computes()
}

func calculate(_ context.Context, in calculateInput) (calculation, error) {
	text := strings.TrimSpace(in.Expression)
	plain, currencies, negative, err := plainAmounts(text)
	var n Number
	if err == nil {
		n, err = Evaluate(plain)
	}
	if err != nil {
		return calculation{}, toolkit.InvalidArgsf("calculate %s: %w", toolkit.Abbreviate(text), err)
	}
	a := calculation{Expression: text, Result: n.Rounded(), Exact: n.Exact(), Precision: "exact"}
	if !a.Exact {
		a.Precision = fmt.Sprintf("rounded to %d significant digits", RoundedDigits)
	}
	if negative {
		a.Warnings.Warn("accounting_negative", "numbers in parentheses are read as negative: %s", strings.TrimSpace(plain))
	}
	if len(currencies) > 0 {
		a.Warnings.Note("currency_dropped", "the result is in %s", currencies[0])
	}
	return a, nil
}

func (c calculation) Summary() string { return toolkit.Abbreviate("= " + c.Result.String()) }
