package positions

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

func (a positionsAnswer) result(hide bool) (tool.Result, error) {
	text, err := toolkit.FitToLimit(len(a.Positions), func(n int) any { return a.forModel(n, hide) })
	if err != nil {
		return tool.Result{}, err
	}
	summary := fmt.Sprintf("%d positions", len(a.Positions))
	if a.Total != nil && !hide {
		summary = fmt.Sprintf("%s %s · %s", FormatMoney(a.Total, a.Currency), a.Currency, summary)
	}
	return tool.Result{
		Value: a, ForModel: text, ForUser: a.markdown(), Title: "positions · " + a.Day, Summary: toolkit.WithWarningCount(summary, a.Warnings, JoinFlagText(a.origins())), Figures: a.figures(),
	}, nil
}

// forModel are the n largest positions and all else, without amounts where those are
// the user's own matter.
func (a positionsAnswer) forModel(n int, hide bool) any {
	omitted := len(a.Positions) - n
	a.Positions = slices.Clone(a.Positions[:n])
	if hide {
		a.hideAmounts()
	}
	if omitted > 0 {
		// Behind the masking: how many there are is no amount.
		a.Notes = append(slices.Clone(a.Notes), fmt.Sprintf("the %d smallest positions are left out here; ask by account to see them", omitted))
	}
	a.Outside = outsideNamesNote
	return a
}

// outsideNamesNote tells a model once per answer that names came from files.
const outsideNamesNote = "names of securities and accounts: " + toolkit.OutsideTextNote

// hideAmounts takes the amounts out of an answer whose positions are its own.
func (a *positionsAnswer) hideAmounts() {
	a.Total, a.Cost, a.Gain, a.DayChange = nil, nil, nil, nil
	a.Notes, a.Warnings = append(toolkit.MaskEach(a.Notes, toolkit.KeepMessageNumbers, a.maskExempt...), toolkit.AmountsHiddenNote), toolkit.MaskEach(a.Warnings, toolkit.KeepMessageNumbers, a.maskExempt...)
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
	fmt.Fprintf(&b, "**Positions** on %s · %s\n\n", a.Day, toolkit.TableCell(strings.Join(a.Accounts, ", ")))
	for _, w := range a.Warnings {
		fmt.Fprintf(&b, "**!** %s\n\n", toolkit.TableCell(toolkit.TextForUser(w)))
	}
	b.WriteString(a.table())
	b.WriteString(a.symbolLegend())
	if a.Total != nil {
		fmt.Fprintf(&b, "\n**Total %s %s**%s\n", FormatMoney(a.Total, a.Currency), a.Currency, a.totalNotes())
	}
	if len(a.Unvalued) > 0 {
		b.WriteString("\n**Without a value**\n\n")
		rows := make([][]string, len(a.Unvalued))
		for i, u := range a.Unvalued {
			rows[i] = []string{u.What, u.Reason, toolkit.TextForUser(u.Do)}
		}
		b.WriteString(toolkit.MarkdownTable([]string{"what", "reason", "what to do"}, rows))
	}
	for _, n := range a.Notes {
		b.WriteString("\n- " + toolkit.TableCell(toolkit.TextForUser(n)))
	}
	if len(a.Notes) > 0 {
		b.WriteString("\n")
	}
	b.WriteString("\n" + OriginFooters(a.origins(), a.Rates))
	return b.String()
}

// totalNotes is what else is known of the total.
func (a positionsAnswer) totalNotes() string {
	var parts []string
	if !a.Whole {
		parts = append(parts, "of a part")
	}
	if a.Gain != nil {
		parts = append(parts, fmt.Sprintf("unrealised gain %s %s (%s %%)", FormatMoneyChange(a.Gain, a.Currency), a.Currency, toolkit.FormatChange(a.GainPct)))
	}
	if a.DayChange != nil {
		parts = append(parts, fmt.Sprintf("since the closes before %s %s (%s %%)", FormatMoneyChange(a.DayChange, a.Currency), a.Currency, toolkit.FormatChange(a.DayChangePct)))
	}
	if len(parts) == 0 {
		return ""
	}
	return " · " + strings.Join(parts, " · ")
}
