package ledger

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// newSettingsAnswer shows how a ledger is kept, and what of it was changed just now.
func (d Deps) newSettingsAnswer(l portfolio.Ledger, changed []string) settingsAnswer {
	a := settingsAnswer{
		Changed: changed, Accounts: slices.Clip(append([]portfolio.Account{}, l.Accounts...)), Aliases: map[string]string{},
		Securities: append([]portfolio.Security{}, l.Securities...), Targets: append([]portfolio.Target{}, l.Targets...),
		Base: d.Base, Origin: d.LedgerOrigin(), day: d.Today(),
	}
	today := d.Today()
	a.Securities = slices.DeleteFunc(a.Securities, func(s portfolio.Security) bool { return s.RecordedOn.After(today) })
	for from, to := range l.Aliases {
		a.Aliases[string(from)] = string(to)
	}
	if len(l.Targets) > 0 {
		a.ForCash = a.cashTarget().String()
	}
	return a
}

// cashTarget is what the targets leave for cash, a fraction of one.
func (a settingsAnswer) cashTarget() decimal.Decimal {
	remaining := decimal.NewFromInt(1)
	for _, t := range a.Targets {
		remaining = remaining.Sub(t.Weight)
	}
	return remaining
}

func (a settingsAnswer) result() (tool.Result, error) {
	res := tool.Result{
		Value: a, ForUser: a.markdown(), Title: "settings of the book", Figures: a.figures(),
		Summary: fmt.Sprintf("%d accounts, %d targets", len(a.Accounts), len(a.Targets)),
	}
	if len(a.Changed) > 0 {
		res.Summary = "changed"
	}
	var err error
	res.ForModel, err = toolkit.EncodeResult(a)
	return res, err
}

func (a settingsAnswer) figures() []tool.Figure {
	figure := func(id, label string, fraction decimal.Decimal) tool.Figure {
		return tool.Figure{ID: id, Label: label, Value: fraction.Shift(2), Unit: "%", AsOf: a.day, Source: positions.LedgerSource, Inputs: []string{"as the user said"}}
	}
	var out []tool.Figure
	for _, t := range a.Targets {
		out = append(out, figure("target."+string(t.Symbol), "target weight of "+string(t.Symbol), t.Weight))
	}
	if len(a.Targets) > 0 {
		cash := figure("target.cash", "target weight of cash", a.cashTarget())
		cash.Formula = "1 - the weights"
		out = append(out, cash)
	}
	for _, s := range a.Securities {
		if s.Fee.Valid {
			fee := figure("fee."+string(s.Symbol), "yearly cost of "+string(s.Symbol), s.Fee.Decimal)
			fee.AsOf = s.RecordedOn
			out = append(out, fee)
		}
	}
	return out
}

func (a settingsAnswer) markdown() string {
	var b strings.Builder
	for _, line := range a.Changed {
		b.WriteString("- changed: " + toolkit.TableCell(line) + "\n")
	}
	if len(a.Changed) > 0 {
		b.WriteString("\n")
	}
	var rows [][]string
	for _, c := range a.Accounts {
		rows = append(rows, []string{c.Name, string(c.Method), string(c.Cash), accountExtras(c)})
	}
	b.WriteString(tableOrNote("account", []string{"cost basis", "cash", "besides"}, rows))
	rows = nil
	for _, from := range slices.Sorted(maps.Keys(a.Aliases)) {
		rows = append(rows, []string{from, a.Aliases[from]})
	}
	b.WriteString(tableOrNote("recorded as", []string{"symbol"}, rows))
	rows = nil
	for _, s := range a.Securities {
		rows = append(rows, []string{string(s.Symbol), describeFacts(s), toolkit.FormatDate(s.RecordedOn)})
	}
	b.WriteString(tableOrNote("security", []string{"what you said", "on"}, rows))
	rows = nil
	for _, t := range a.Targets {
		rows = append(rows, []string{string(t.Symbol), t.Weight.Shift(2).String() + " %"})
	}
	if len(rows) > 0 {
		rows = append(rows, []string{"cash", a.cashTarget().Shift(2).String() + " %"})
	}
	b.WriteString(tableOrNote("target", []string{"weight:"}, rows))
	return b.String() + a.Footer() + "\n"
}

// tableOrNote is a table, or a line that says that there is nothing in it.
func tableOrNote(first string, headings []string, rows [][]string) string {
	if len(rows) == 0 {
		return fmt.Sprintf("%s: none\n\n", first)
	}
	return toolkit.MarkdownTable(append([]string{first}, headings...), rows) + "\n"
}
