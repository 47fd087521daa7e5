package offline

import (
	"fmt"
)

// finalValueExpression is the expression of what the stake became, in the digits of the return
// as given; "" without one.
func (a AnswerInput) finalValueExpression(returns ResultObject) string {
	total, ok := returns.number("total_return")
	if !ok || a.Amount == "" {
		return ""
	}
	sign := "+"
	if total.IsNegative() {
		sign = "-"
	}
	return fmt.Sprintf("round(%s * (1 %s %s), 2)", a.Amount, sign, total.Abs())
}

// investmentExpressions are the calculations of what a stake became.
func (a AnswerInput) investmentExpressions(outcomes []ToolOutcome) []string {
	var out []string
	for _, o := range outcomes {
		if expression := a.finalValueExpression(o.Result); o.Err == "" && o.Tool == ToolReturns && expression != "" {
			out = append(out, expression)
		}
	}
	return out
}

// investmentLines tells what a stake became. The sums that it tells are taken out of r.
func (a AnswerInput) investmentLines(r *results) []string {
	if a.Amount == "" {
		return nil
	}
	var out []string
	for _, o := range r.returns {
		if value, ok := r.takeSum(a.finalValueExpression(o)); ok {
			if unit := o.unit(); a.Currency != "" && unit != "" && unit != a.Currency {
				out = append(out, fmt.Sprintf("! The amount is counted as if it were %s: what moved between %s and %s is not in it.", unit, a.Currency, unit))
			}
			out = append(out, fmt.Sprintf("That amount, put into %s at the close of %s, would have been worth %s on %s: `%s`.",
				o.subject(), o.textOrAbsent("from"), bold(value, o.unit()), o.textOrAbsent("to"), value.Raw("expression")))
			continue
		}
		out = append(out, "! What the amount would be worth was not calculated.")
	}
	return out
}
