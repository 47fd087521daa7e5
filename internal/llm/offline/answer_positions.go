package offline

import (
	"fmt"
	"slices"
	"strings"
)

// positionLines lists the positions of the portfolio; where symbols are named, only those.
func (a AnswerInput) positionLines(o ResultObject) []string {
	currency := EscapeMarkdown(o.Text("currency"))
	parts := append(o.warningLines(), o.valueText(currency))
	all := o.objects("positions")
	if len(a.Symbols) > 0 {
		all = slices.DeleteFunc(slices.Clone(all), func(p ResultObject) bool { return !slices.Contains(a.Symbols, p.Text("symbol")) })
		for _, symbol := range a.Symbols {
			if !slices.ContainsFunc(all, func(p ResultObject) bool { return p.Text("symbol") == symbol }) {
				parts = append(parts, fmt.Sprintf("The book holds no %s.", InlineCode(symbol)))
			}
		}
	}
	var rows [][]string
	for _, p := range all[:min(len(all), maxRows)] {
		rows = append(rows, []string{
			"**" + p.textOrAbsent("symbol") + "** " + EscapeMarkdown(p.Text("name")), p.figure("quantity"), p.money("price", p.unit()), p.textOrAbsent("as_of"),
			p.money("value_base", currency), p.percentPoints("weight_pct"), p.gainText("gain_base", "gain_base_pct", currency),
		})
	}
	for _, c := range o.objects("cash") {
		if len(a.Symbols) == 0 {
			rows = append(rows, []string{
				"cash, " + c.textOrAbsent("account"), c.money("amount", EscapeMarkdown(c.Text("currency"))), "", "", c.money("value_base", currency), c.percentPoints("weight_pct"), "",
			})
		}
	}
	if len(rows) > 0 {
		parts = append(parts, table([]string{"", "quantity", "price", "as of", "value", "weight", "unrealised gain"}, rows))
	}
	if len(all) > maxRows {
		parts = append(parts, "! This is not all: the rest stands on the card of the tool.")
	}
	parts = append(parts, o.unvaluedLines()...)
	return append(append(parts, o.noteParagraph()), sources(withSource(all))...)
}

// valueText states the market value of the portfolio and its gain.
func (o ResultObject) valueText(currency string) string {
	text := fmt.Sprintf("Your book on %s", o.textOrAbsent("day"))
	if accounts := o.Texts("accounts"); len(accounts) > 0 {
		text += " (" + EscapeMarkdown(strings.Join(accounts, ", ")) + ")"
	}
	if total := o.money("total", currency); total != absent {
		text += " is worth **" + total + "**"
	} else {
		text += ", without its sum"
	}
	if oldest := o.Text("oldest_price"); oldest != "" {
		text += ", its oldest price being of " + EscapeMarkdown(oldest)
	}
	text += "."
	if gain := o.gainText("gain_base", "gain_base_pct", currency); gain != absent {
		text += " Unrealised gain: " + gain + "."
	}
	if moved := o.gainText("day_change_base", "day_change_pct", currency); moved != absent {
		text += " Since the closes before: " + moved + "."
	}
	return text
}

// unvaluedLines lists what totals and weights leave out.
func (o ResultObject) unvaluedLines() []string {
	var lines []string
	for _, u := range o.objects("unvalued") {
		line := fmt.Sprintf("- **%s**: %s", u.textOrAbsent("what"), asSentence(u.Text("reason")))
		if do := u.Text("do"); do != "" {
			line += " " + asSentence(capitalize(do))
		}
		lines = append(lines, line)
	}
	if whole, known := o.flag("whole"); len(lines) == 0 && (whole || !known) {
		return nil
	}
	return []string{"! Not everything has a value; total and weights are of the rest." + strings.TrimRight("\n\n"+strings.Join(lines, "\n"), "\n")}
}

// allocationLines describes the allocation of the portfolio and its distance from the targets.
func (a AnswerInput) allocationLines(o ResultObject) []string {
	currency := EscapeMarkdown(o.Text("currency"))
	parts := append(o.warningLines(), o.valueText(currency))
	var rows [][]string
	for _, dimension := range o.objects("dimensions") {
		all := dimension.objects("parts")
		const most = 12
		for _, p := range all[:min(len(all), most)] {
			rows = append(rows, []string{dimension.textOrAbsent("by") + ": " + p.textOrAbsent("name"), p.percentPoints("weight_pct"), p.money("value", currency)})
		}
		if len(all) > most {
			rows = append(rows, []string{dimension.textOrAbsent("by") + ": others, on the card", "", ""})
		}
	}
	parts = append(parts, table([]string{"", "weight", "value"}, rows))
	rows = nil
	for _, d := range o.objects("drift") {
		rows = append(rows, []string{"**" + d.textOrAbsent("symbol") + "**", d.percentPoints("weight_pct"), d.percentPoints("target_pct"), d.points("drift_pp")})
	}
	if len(rows) > 0 {
		parts = append(parts, table([]string{"", "weight", "target", "drift, points"}, rows))
	}
	parts = append(append(parts, o.unvaluedLines()...), o.noteParagraph())
	if dimensions := o.unknownDimensions(); dimensions != "" {
		parts = append(parts, fmt.Sprintf("What is not known of %s you can say: `nfa portfolio facts --help`.", dimensions))
	}
	return append(parts, sources(withSource(o.objects("prices")))...)
}

// unknownDimensions are those in which something is not known.
func (o ResultObject) unknownDimensions() string {
	var names []string
	for _, dimension := range o.objects("dimensions") {
		if slices.ContainsFunc(dimension.objects("parts"), func(p ResultObject) bool { return p.Text("name") == "not known" }) {
			names = append(names, dimension.textOrAbsent("by"))
		}
	}
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}

// points is a difference of two per cents.
func (o ResultObject) points(name string) string {
	d, ok := o.number(name)
	if !ok {
		return absent
	}
	return plusSign(d) + groupThousands(d.Round(2).String())
}
