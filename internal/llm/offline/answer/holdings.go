package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/llm/offline/toolname"
)

// position is a holding with its price.
type position struct {
	Holding
	quote Object
	price string // its digits
}

func (p position) worth() string { return p.Shares + " * " + p.price }

// positions are the holdings that quotes are known of.
func (a Asked) positions(outcomes []Outcome) []position {
	var out []position
	for _, h := range a.Holdings {
		for _, o := range outcomes {
			for _, q := range o.Result.objects("quotes") {
				price, ok := q.number("price")
				if o.Err == "" && o.Tool == toolname.Quote && ok && q.Text("symbol") == h.Symbol {
					out = append(out, position{h, q, price.String()})
				}
			}
		}
	}
	return out
}

// summed is the expression of what positions are worth together, or "" where
// they are counted in different units, or nobody says in which.
func summed(positions []position) string {
	terms := make([]string, len(positions))
	for i, p := range positions {
		if unit := p.quote.unit(); unit == "" || unit != positions[0].quote.unit() {
			return ""
		}
		terms[i] = p.worth()
	}
	return strings.Join(terms, " + ")
}

// valuing are the calculations of what holdings are worth, each and together.
func (a Asked) valuing(outcomes []Outcome) []string {
	positions := a.positions(outcomes)
	var out []string
	for _, p := range positions {
		out = append(out, p.worth())
	}
	if sum := summed(positions); len(positions) > 1 && sum != "" {
		out = append(out, sum)
	}
	return out
}

// valued tells what holdings are worth. The sums that it tells are taken out of r.
func (a Asked) valued(r *results, outcomes []Outcome) []string {
	if len(a.Holdings) == 0 {
		return nil
	}
	positions := a.positions(outcomes)
	var lines []string
	for _, p := range positions {
		if value, ok := r.take(p.worth()); ok {
			lines = append(lines, fmt.Sprintf("- %s %s: %s", p.Shares, p.quote.known("symbol"), bold(value, p.quote.unit())))
		}
	}
	if len(lines) == 0 {
		return []string{"! The numbers of shares were not used."}
	}
	switch total, ok := r.take(summed(positions)); {
	case ok:
		lines = append(lines, "- together: "+bold(total, positions[0].quote.unit()))
	case len(positions) > 1 && summed(positions) == "":
		lines = append(lines, "- no sum, because they are not in one currency that is known")
	}
	parts := []string{"At these prices:\n\n" + strings.Join(lines, "\n")}
	if len(positions) < len(a.Holdings) {
		parts = append(parts, "! Not all that was named has a price; the rest is not counted.")
	}
	return parts
}

func bold(value Object, unit string) string {
	return "**" + withUnit(value.amount("result"), unit) + "**"
}

// take is the result of an expression, removed from the sums.
func (r *results) take(expression string) (Object, bool) {
	for i, o := range r.sums {
		if expression != "" && o.Raw("expression") == expression {
			r.sums = slices.Delete(slices.Clone(r.sums), i, i+1)
			return o, true
		}
	}
	return Object{}, false
}
