package offline

import (
	"fmt"
	"slices"
	"strings"
)

// pricedShares is a holding with its price.
type pricedShares struct {
	AnswerShares
	quote ResultObject
	price string // its digits
}

func (p pricedShares) valueExpression() string { return p.Shares + " * " + p.price }

// pricedShares are the holdings that quotes are known of.
func (a AnswerInput) pricedShares(outcomes []ToolOutcome) []pricedShares {
	var out []pricedShares
	for _, h := range a.ShareCounts {
		for _, o := range outcomes {
			for _, q := range o.Result.objects("quotes") {
				price, ok := q.number("price")
				if o.Err == "" && o.Tool == ToolQuote && ok && q.Text("symbol") == h.Symbol {
					out = append(out, pricedShares{h, q, price.String()})
				}
			}
		}
	}
	return out
}

// totalExpression is the expression of what positions are worth together, or "" where
// they are counted in different units, or nobody says in which.
func totalExpression(positions []pricedShares) string {
	terms := make([]string, len(positions))
	for i, p := range positions {
		if unit := p.quote.unit(); unit == "" || unit != positions[0].quote.unit() {
			return ""
		}
		terms[i] = p.valueExpression()
	}
	return strings.Join(terms, " + ")
}

// valueExpressions are the calculations of what holdings are worth, each and together.
func (a AnswerInput) valueExpressions(outcomes []ToolOutcome) []string {
	positions := a.pricedShares(outcomes)
	var out []string
	for _, p := range positions {
		out = append(out, p.valueExpression())
	}
	if sum := totalExpression(positions); len(positions) > 1 && sum != "" {
		out = append(out, sum)
	}
	return out
}

// valueLines tells what holdings are worth. The sums that it tells are taken out of r.
func (a AnswerInput) valueLines(r *results, outcomes []ToolOutcome) []string {
	if len(a.ShareCounts) == 0 {
		return nil
	}
	positions := a.pricedShares(outcomes)
	var lines []string
	for _, p := range positions {
		if value, ok := r.takeSum(p.valueExpression()); ok {
			lines = append(lines, fmt.Sprintf("- %s %s: %s", p.Shares, p.quote.textOrAbsent("symbol"), bold(value, p.quote.unit())))
		}
	}
	if len(lines) == 0 {
		return []string{"! The numbers of shares were not used."}
	}
	switch total, ok := r.takeSum(totalExpression(positions)); {
	case ok:
		lines = append(lines, "- together: "+bold(total, positions[0].quote.unit()))
	case len(positions) > 1 && totalExpression(positions) == "":
		lines = append(lines, "- no sum, because they are not in one currency that is known")
	}
	parts := []string{"At these prices:\n\n" + strings.Join(lines, "\n")}
	if len(positions) < len(a.ShareCounts) {
		parts = append(parts, "! Not all that was named has a price; the rest is not counted.")
	}
	return parts
}

func bold(value ResultObject, unit string) string {
	return "**" + withUnit(value.amount("result"), unit) + "**"
}

// takeSum is the result of an expression, removed from the sums.
func (r *results) takeSum(expression string) (ResultObject, bool) {
	for i, o := range r.sums {
		if expression != "" && o.Raw("expression") == expression {
			r.sums = slices.Delete(slices.Clone(r.sums), i, i+1)
			return o, true
		}
	}
	return ResultObject{}, false
}
