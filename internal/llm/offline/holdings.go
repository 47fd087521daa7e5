package offline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/pattern"
)

// holding is a number of shares that the question names, as a term of calculate:
// "10", or "(10 + 5)" where it is named twice.
type holding struct{ symbol, shares string }

var (
	shareCount = pattern.Lazy(`^\d{1,9}(?:\.\d{1,9})?$`)
	yearNumber = pattern.Lazy(`^(?:19|20)\d{2}$`)
)

// sharesBefore is the number that stands before the name at word i, or "". A
// number that may be a year is none unless shares are spoken of.
func (s sentence) sharesBefore(i int) string {
	spoken := false
	i--
	for ; i >= 0 && slices.Contains([]string{"of", "share", "shares", "stock", "stocks", "x"}, s.words[i].low); i-- {
		spoken = true
	}
	if i < 0 {
		return ""
	}
	n := s.words[i].low
	if thousands().FindString(n) == n {
		n = strings.ReplaceAll(n, ",", "")
	}
	if !shareCount().MatchString(n) || !spoken && yearNumber().MatchString(n) {
		return ""
	}
	return n
}

func (m *mentions) hold(symbol, shares string) {
	if shares == "" {
		return
	}
	at := slices.IndexFunc(m.holdings, func(h holding) bool { return h.symbol == symbol })
	if at < 0 {
		m.holdings = append(m.holdings, holding{symbol, shares})
		return
	}
	m.holdings[at].shares = "(" + strings.Trim(m.holdings[at].shares, "()") + " + " + shares + ")"
}

// position is a holding with its price.
type position struct {
	holding
	quote object
	price string // its digits
}

func (p position) worth() string { return p.shares + " * " + p.price }

// positions are the holdings that quotes are known of.
func (in intent) positions(outcomes []outcome) []position {
	var out []position
	for _, h := range in.holdings {
		for _, o := range outcomes {
			for _, q := range o.result.objects("quotes") {
				price, ok := q.number("price")
				if o.err == "" && o.call.Name == toolQuote && ok && q.text("symbol") == h.symbol {
					out = append(out, position{h, q, price.String()})
				}
			}
		}
	}
	return out
}

// summed is the expression of what positions are worth together, or "" where
// they are counted in different units.
func summed(positions []position) string {
	terms := make([]string, len(positions))
	for i, p := range positions {
		if p.quote.unit() != positions[0].quote.unit() {
			return ""
		}
		terms[i] = p.worth()
	}
	return strings.Join(terms, " + ")
}

// valuing are the calculations of what holdings are worth, each and together.
func (in intent) valuing(outcomes []outcome) []task {
	positions := in.positions(outcomes)
	var out []task
	for _, p := range positions {
		out = append(out, task{toolCalculate, expressionArgs{p.worth()}})
	}
	if sum := summed(positions); len(positions) > 1 && sum != "" {
		out = append(out, task{toolCalculate, expressionArgs{sum}})
	}
	return out
}

// valued tells what holdings are worth. The sums that it tells are taken out of r.
func (in intent) valued(r *results, outcomes []outcome) []string {
	if len(in.holdings) == 0 {
		return nil
	}
	positions := in.positions(outcomes)
	var lines []string
	for _, p := range positions {
		if value, ok := r.take(p.worth()); ok {
			lines = append(lines, fmt.Sprintf("- %s %s: %s", p.shares, p.quote.known("symbol"), bold(value, p.quote.unit())))
		}
	}
	if len(lines) == 0 {
		return []string{"! The numbers of shares were not used."}
	}
	switch total, ok := r.take(summed(positions)); {
	case ok:
		lines = append(lines, "- together: "+bold(total, positions[0].quote.unit()))
	case len(positions) > 1 && summed(positions) == "":
		lines = append(lines, "- no sum, because they are not in one currency")
	}
	parts := []string{"At these prices:\n\n" + strings.Join(lines, "\n")}
	if len(positions) < len(in.holdings) {
		parts = append(parts, "! Not all that was named has a price; the rest is not counted.")
	}
	return parts
}

func bold(value object, unit string) string {
	return "**" + withUnit(value.amount("result"), unit) + "**"
}

// take is the result of an expression, removed from the sums.
func (r *results) take(expression string) (object, bool) {
	for i, o := range r.sums {
		if expression != "" && o.raw("expression") == expression {
			r.sums = slices.Delete(slices.Clone(r.sums), i, i+1)
			return o, true
		}
	}
	return object{}, false
}
