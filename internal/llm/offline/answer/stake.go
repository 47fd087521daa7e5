package answer

import (
	"fmt"

	"github.com/nfa-cli/nfa/internal/llm/offline/toolname"
)

// worth is the expression of what the stake became, in the digits of the return
// as given; "" without one.
func (a Asked) worth(returns Object) string {
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

// growing are the calculations of what a stake became.
func (a Asked) growing(outcomes []Outcome) []string {
	var out []string
	for _, o := range outcomes {
		if expression := a.worth(o.Result); o.Err == "" && o.Tool == toolname.Returns && expression != "" {
			out = append(out, expression)
		}
	}
	return out
}

// grown tells what a stake became. The sums that it tells are taken out of r.
func (a Asked) grown(r *results) []string {
	if a.Amount == "" {
		return nil
	}
	var out []string
	for _, o := range r.returns {
		if value, ok := r.take(a.worth(o)); ok {
			if unit := o.unit(); a.Currency != "" && unit != "" && unit != a.Currency {
				out = append(out, fmt.Sprintf("! The amount is counted as if it were %s: what moved between %s and %s is not in it.", unit, a.Currency, unit))
			}
			out = append(out, fmt.Sprintf("That amount, put into %s at the close of %s, would have been worth %s on %s: `%s`.",
				o.subject(), o.known("from"), bold(value, o.unit()), o.known("to"), value.Raw("expression")))
			continue
		}
		out = append(out, "! What the amount would be worth was not calculated.")
	}
	return out
}
