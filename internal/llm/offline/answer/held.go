package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/llm/offline/quoted"
)

// held tells what the book holds; where symbols are named, of those alone.
func (a Asked) held(o Object) []string {
	currency := quoted.Escaped(o.Text("currency"))
	parts := append(o.alarms(), o.worthOf(currency))
	all := o.objects("positions")
	if len(a.Symbols) > 0 {
		all = slices.DeleteFunc(slices.Clone(all), func(p Object) bool { return !slices.Contains(a.Symbols, p.Text("symbol")) })
		for _, symbol := range a.Symbols {
			if !slices.ContainsFunc(all, func(p Object) bool { return p.Text("symbol") == symbol }) {
				parts = append(parts, fmt.Sprintf("The book holds no %s.", quoted.Code(symbol)))
			}
		}
	}
	var rows [][]string
	for _, p := range all[:min(len(all), mostRows)] {
		rows = append(rows, []string{
			"**" + p.known("symbol") + "** " + quoted.Escaped(p.Text("name")), p.figure("quantity"), p.money("price", p.unit()), p.known("as_of"),
			p.money("value_base", currency), p.perCent("weight_pct"), p.gained("gain_base", "gain_base_pct", currency),
		})
	}
	for _, c := range o.objects("cash") {
		if len(a.Symbols) == 0 {
			rows = append(rows, []string{
				"cash, " + c.known("account"), c.money("amount", quoted.Escaped(c.Text("currency"))), "", "", c.money("value_base", currency), c.perCent("weight_pct"), "",
			})
		}
	}
	if len(rows) > 0 {
		parts = append(parts, table([]string{"", "quantity", "price", "as of", "value", "weight", "unrealised gain"}, rows))
	}
	if len(all) > mostRows {
		parts = append(parts, "! This is not all: the rest stands on the card of the tool.")
	}
	parts = append(parts, o.unvalued()...)
	return append(append(parts, o.remarks()), sources(dated(all))...)
}

// worthOf tells what the book is worth, and what was gained on it.
func (o Object) worthOf(currency string) string {
	text := fmt.Sprintf("Your book on %s", o.known("day"))
	if accounts := o.Texts("accounts"); len(accounts) > 0 {
		text += " (" + quoted.Escaped(strings.Join(accounts, ", ")) + ")"
	}
	if total := o.money("total", currency); total != absent {
		text += " is worth **" + total + "**"
	} else {
		text += ", without its sum"
	}
	if oldest := o.Text("oldest_price"); oldest != "" {
		text += ", its oldest price being of " + quoted.Escaped(oldest)
	}
	text += "."
	if gain := o.gained("gain_base", "gain_base_pct", currency); gain != absent {
		text += " Unrealised gain: " + gain + "."
	}
	if moved := o.gained("day_change_base", "day_change_pct", currency); moved != absent {
		text += " Since the closes before: " + moved + "."
	}
	return text
}

// unvalued lists what totals and weights leave out.
func (o Object) unvalued() []string {
	var lines []string
	for _, u := range o.objects("unvalued") {
		line := fmt.Sprintf("- **%s**: %s", u.known("what"), sentenceOf(u.Text("reason")))
		if do := u.Text("do"); do != "" {
			line += " " + sentenceOf(capitalised(do))
		}
		lines = append(lines, line)
	}
	if whole, known := o.flag("whole"); len(lines) == 0 && (whole || !known) {
		return nil
	}
	return []string{"! Not everything has a value; total and weights are of the rest." + strings.TrimRight("\n\n"+strings.Join(lines, "\n"), "\n")}
}

// divided tells how the book is divided, and how far it is from its targets.
func (a Asked) divided(o Object) []string {
	currency := quoted.Escaped(o.Text("currency"))
	parts := append(o.alarms(), o.worthOf(currency))
	var rows [][]string
	for _, dimension := range o.objects("dimensions") {
		all := dimension.objects("parts")
		const most = 12
		for _, p := range all[:min(len(all), most)] {
			rows = append(rows, []string{dimension.known("by") + ": " + p.known("name"), p.perCent("weight_pct"), p.money("value", currency)})
		}
		if len(all) > most {
			rows = append(rows, []string{dimension.known("by") + ": others, on the card", "", ""})
		}
	}
	parts = append(parts, table([]string{"", "weight", "value"}, rows))
	rows = nil
	for _, d := range o.objects("drift") {
		rows = append(rows, []string{"**" + d.known("symbol") + "**", d.perCent("weight_pct"), d.perCent("target_pct"), d.points("drift_pp")})
	}
	if len(rows) > 0 {
		parts = append(parts, table([]string{"", "weight", "target", "drift, points"}, rows))
	}
	parts = append(append(parts, o.unvalued()...), o.remarks())
	if dimensions := o.unknownDimensions(); dimensions != "" {
		parts = append(parts, fmt.Sprintf("What is not known of %s you can say: `nfa portfolio facts --help`.", dimensions))
	}
	return append(parts, sources(dated(o.objects("prices")))...)
}

// unknownDimensions are those in which something is not known.
func (o Object) unknownDimensions() string {
	var names []string
	for _, dimension := range o.objects("dimensions") {
		if slices.ContainsFunc(dimension.objects("parts"), func(p Object) bool { return p.Text("name") == "not known" }) {
			names = append(names, dimension.known("by"))
		}
	}
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}

// points is a difference of two per cents.
func (o Object) points(name string) string {
	d, ok := o.number(name)
	if !ok {
		return absent
	}
	return plus(d) + grouped(d.String())
}
