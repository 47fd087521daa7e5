package holdings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

func (a positionsAnswer) result(hide bool) (tool.Result, error) {
	text, err := fitted(len(a.Positions), func(n int) any { return a.forModel(n, hide) })
	if err != nil {
		return tool.Result{}, err
	}
	summary := fmt.Sprintf("%d positions", len(a.Positions))
	if a.Total != nil && !hide {
		summary = fmt.Sprintf("%s %s · %s", shown(a.Total, a.Currency), a.Currency, summary)
	}
	var origins []priceOrigin
	for _, p := range a.Positions {
		if p.Origin != nil {
			origins = append(origins, priceOrigin{p.Symbol, *p.Origin})
		}
	}
	return tool.Result{
		Value: a, ForModel: text, ForUser: a.markdown(), Title: "positions · " + a.Day, Summary: summed(summary, a.Warnings, loudOf(origins)), Figures: a.figures(),
	}, nil
}

// forModel are the n largest positions and all else, without amounts where those are
// the user's own matter.
func (a positionsAnswer) forModel(n int, hide bool) any {
	if left := len(a.Positions) - n; left > 0 {
		a.Notes = append(slices.Clone(a.Notes), fmt.Sprintf("the %d smallest positions are left out here; ask by account to see them", left))
	}
	a.Positions = slices.Clone(a.Positions[:n])
	if !hide {
		return a
	}
	a.Total, a.Cost, a.Gain, a.DayChange = nil, nil, nil, nil
	a.Notes, a.Warnings = append(maskedAll(a.Notes), hiddenNote), maskedAll(a.Warnings)
	for i := range a.Positions {
		p := &a.Positions[i]
		p.Quantity, p.Value, p.ValueBase, p.Cost, p.Gain, p.CostBase, p.GainBase, p.DayChange = nil, nil, nil, nil, nil, nil, nil, nil
	}
	a.Cash = slices.Clone(a.Cash)
	for i := range a.Cash {
		a.Cash[i].Amount, a.Cash[i].ValueBase = nil, nil
	}
	return a
}

func (a positionsAnswer) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "**Positions** on %s · %s\n\n", a.Day, present.Cell(strings.Join(a.Accounts, ", ")))
	for _, w := range a.Warnings {
		fmt.Fprintf(&b, "**!** %s\n\n", present.Cell(w))
	}
	b.WriteString(a.table())
	if a.Total != nil {
		fmt.Fprintf(&b, "\n**Total %s %s**%s\n", shown(a.Total, a.Currency), a.Currency, a.besideTotal())
	}
	if len(a.Unvalued) > 0 {
		b.WriteString("\n**Without a value**\n\n")
		rows := make([][]string, len(a.Unvalued))
		for i, u := range a.Unvalued {
			rows[i] = []string{u.What, u.Reason, u.Do}
		}
		b.WriteString(present.Table([]string{"what", "reason", "what to do"}, rows))
	}
	for _, n := range a.Notes {
		b.WriteString("\n- " + present.Cell(n))
	}
	if len(a.Notes) > 0 {
		b.WriteString("\n")
	}
	b.WriteString("\n" + a.footers())
	return b.String()
}

// besideTotal is what else is known of the total.
func (a positionsAnswer) besideTotal() string {
	var parts []string
	if !a.Whole {
		parts = append(parts, "of a part")
	}
	if a.Gain != nil {
		parts = append(parts, fmt.Sprintf("unrealised gain %s %s (%s %%)", change(a.Gain, a.Currency), a.Currency, changePct(a.GainPct)))
	}
	if a.DayChange != nil {
		parts = append(parts, fmt.Sprintf("since the closes before %s %s (%s %%)", change(a.DayChange, a.Currency), a.Currency, changePct(a.DayChangePct)))
	}
	if len(parts) == 0 {
		return ""
	}
	return " · " + strings.Join(parts, " · ")
}

func (a positionsAnswer) table() string {
	columns := []string{"symbol", "name", "quantity:", "price:", "value " + a.Currency + ":", "weight %:", "", "gain " + a.Currency + ":", "gain %:", "day %:", "3 months"}
	largest := a.largest()
	var rows [][]string
	for _, p := range a.Positions {
		price := absent
		if p.Price != nil {
			price = strings.TrimSpace(grouped(p.Price.String()) + " " + p.Origin.Currency)
		}
		rows = append(rows, []string{
			string(p.Symbol), present.Abridged(p.Name), grouped(p.Quantity.String()), price, shown(p.ValueBase, a.Currency),
			pct(p.WeightPct), barOf(p.WeightPct, largest), change(p.GainBase, a.Currency), changePct(p.GainBasePct), changePct(p.DayChangePct), p.spark,
		})
	}
	for _, c := range a.Cash {
		rows = append(rows, []string{
			"cash", c.Account, shown(c.Amount, c.Currency), c.Currency, shown(c.ValueBase, a.Currency),
			pct(c.WeightPct), barOf(c.WeightPct, largest), "", "", "", "",
		})
	}
	return present.Table(columns, rows)
}

func (a positionsAnswer) largest() decimal.Decimal {
	largest := decimal.Zero
	for _, p := range a.Positions {
		if p.WeightPct != nil {
			largest = decimal.Max(largest, *p.WeightPct)
		}
	}
	for _, c := range a.Cash {
		if c.WeightPct != nil {
			largest = decimal.Max(largest, *c.WeightPct)
		}
	}
	return largest
}

func barOf(weight *decimal.Decimal, largest decimal.Decimal) string {
	if weight == nil {
		return ""
	}
	return bar(*weight, largest)
}

// footers say where prices and rates are from, once each.
func (a positionsAnswer) footers() string {
	var lines []string
	add := func(line string) {
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	for _, p := range a.Positions {
		if p.Price != nil {
			add(p.Footer())
		}
	}
	for _, r := range a.Rates {
		add(r.words())
	}
	return strings.Join(lines, "\n\n") + "\n"
}

// words are a rate with its day and source.
func (r rateLine) words() string {
	line := fmt.Sprintf("%s %s of %s · %s", r.Pair, r.Rate, r.Date, r.Source)
	if loud := r.Loud(); loud != "" {
		line = "**" + loud + "** " + line
	}
	return line
}
