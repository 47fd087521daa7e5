package holdings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

func (a positionsAnswer) result(hide bool) (tool.Result, error) {
	text, err := present.Fitted(len(a.Positions), func(n int) any { return a.forModel(n, hide) })
	if err != nil {
		return tool.Result{}, err
	}
	summary := fmt.Sprintf("%d positions", len(a.Positions))
	if a.Total != nil && !hide {
		summary = fmt.Sprintf("%s %s · %s", book.Shown(a.Total, a.Currency), a.Currency, summary)
	}
	return tool.Result{
		Value: a, ForModel: text, ForUser: a.markdown(), Title: "positions · " + a.Day, Summary: present.Warned(summary, a.Warnings, book.LoudOf(a.origins())), Figures: a.figures(),
	}, nil
}

// forModel are the n largest positions and all else, without amounts where those are
// the user's own matter.
func (a positionsAnswer) forModel(n int, hide bool) any {
	left := len(a.Positions) - n
	a.Positions = slices.Clone(a.Positions[:n])
	if hide {
		a.hide()
	}
	if left > 0 {
		// Behind the masking: how many there are is no amount.
		a.Notes = append(slices.Clone(a.Notes), fmt.Sprintf("the %d smallest positions are left out here; ask by account to see them", left))
	}
	a.Outside = outsideNames
	return a
}

// outsideNames is what a model is told of names that came from files, once for all.
const outsideNames = "names of securities and accounts: " + present.Outside

// hide takes the amounts out of an answer whose positions are its own.
func (a *positionsAnswer) hide() {
	a.Total, a.Cost, a.Gain, a.DayChange = nil, nil, nil, nil
	a.Notes, a.Warnings = append(present.MaskedAll(a.Notes, present.KeptSaid, a.spared...), present.AmountsHidden), present.MaskedAll(a.Warnings, present.KeptSaid, a.spared...)
	for i := range a.Positions {
		p := &a.Positions[i]
		p.Quantity, p.Value, p.ValueBase, p.Cost, p.Gain, p.CostBase, p.GainBase, p.DayChange = nil, nil, nil, nil, nil, nil, nil, nil
	}
	a.Cash = slices.Clone(a.Cash)
	for i := range a.Cash {
		a.Cash[i].Amount, a.Cash[i].ValueBase = nil, nil
	}
}

func (a positionsAnswer) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "**Positions** on %s · %s\n\n", a.Day, present.Cell(strings.Join(a.Accounts, ", ")))
	for _, w := range a.Warnings {
		fmt.Fprintf(&b, "**!** %s\n\n", present.Cell(present.ForPeople(w)))
	}
	b.WriteString(a.table())
	b.WriteString(a.names())
	if a.Total != nil {
		fmt.Fprintf(&b, "\n**Total %s %s**%s\n", book.Shown(a.Total, a.Currency), a.Currency, a.besideTotal())
	}
	if len(a.Unvalued) > 0 {
		b.WriteString("\n**Without a value**\n\n")
		rows := make([][]string, len(a.Unvalued))
		for i, u := range a.Unvalued {
			rows[i] = []string{u.What, u.Reason, present.ForPeople(u.Do)}
		}
		b.WriteString(present.Table([]string{"what", "reason", "what to do"}, rows))
	}
	for _, n := range a.Notes {
		b.WriteString("\n- " + present.Cell(present.ForPeople(n)))
	}
	if len(a.Notes) > 0 {
		b.WriteString("\n")
	}
	b.WriteString("\n" + book.Footers(a.origins(), a.Rates))
	return b.String()
}

// besideTotal is what else is known of the total.
func (a positionsAnswer) besideTotal() string {
	var parts []string
	if !a.Whole {
		parts = append(parts, "of a part")
	}
	if a.Gain != nil {
		parts = append(parts, fmt.Sprintf("unrealised gain %s %s (%s %%)", book.Changed(a.Gain, a.Currency), a.Currency, present.Change(a.GainPct)))
	}
	if a.DayChange != nil {
		parts = append(parts, fmt.Sprintf("since the closes before %s %s (%s %%)", book.Changed(a.DayChange, a.Currency), a.Currency, present.Change(a.DayChangePct)))
	}
	if len(parts) == 0 {
		return ""
	}
	return " · " + strings.Join(parts, " · ")
}
