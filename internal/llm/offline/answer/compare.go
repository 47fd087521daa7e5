package answer

import (
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"
)

// compared sets the returns of several instruments side by side, a column each.
func compared(all []Object) []string {
	head := []string{""}
	for _, o := range all {
		head = append(head, "**"+o.known("symbol")+"**")
	}
	row := func(label string, cell func(Object) string) []string {
		cells := []string{label}
		for _, o := range all {
			cells = append(cells, cell(o))
		}
		return cells
	}
	field := func(name string) func(Object) string {
		return func(o Object) string { return o.known(name) }
	}
	rate := func(name string) func(Object) string {
		return func(o Object) string { return o.signedPercent(name) }
	}
	parts := []string{table(head, [][]string{
		row("from", field("from")),
		row("to", field("to")),
		row("total return", rate("total_return")),
		row("return a year", rate("annual_return")),
		row("volatility a year", func(o Object) string { return o.percent("annual_volatility") }),
		row("worst fall", rate("max_drawdown")),
		row("falling from", field("drawdown_peak_date")),
		row("to its low on", field("drawdown_trough_date")),
		row("back at the high", recovered),
		row("measured on", func(o Object) string { return o.known("interval") + " closes" }),
	})}
	unlike := unlikeness(all)
	for _, why := range unlike {
		parts = append(parts, "! "+why)
	}
	if len(unlike) == 0 {
		parts = append(parts, verdict(all))
	}
	if !different(all, Object.counts) {
		parts = append(parts, "All are counted as "+all[0].counts()+".")
	}
	return append(parts, warned(all)...)
}

func recovered(o Object) string {
	if o.null("drawdown_recovery_date") {
		if depth, ok := o.number("max_drawdown"); ok && depth.IsZero() {
			return "never left"
		}
		return "not yet"
	}
	return o.known("drawdown_recovery_date")
}

// unlikeness says why the columns cannot be held against each other.
func unlikeness(all []Object) []string {
	var out []string
	if differ(all, "from") || differ(all, "to") {
		out = append(out, "The time is not the same for all, as the first two lines show, so the figures do not compare."+commonTime(all))
	}
	if different(all, func(o Object) string { return o.Text("interval") }) {
		out = append(out, "Daily and monthly closes stand side by side: monthly ones miss falls within a month, and their volatility is not quite the same measure.")
	}
	if different(all, Object.counts) {
		var kinds []string
		for _, o := range all {
			kinds = append(kinds, o.known("symbol")+" "+o.counts())
		}
		out = append(out, "The returns do not count the same: "+strings.Join(kinds, "; ")+".")
	}
	if different(all, Object.unit) {
		var units []string
		for _, o := range all {
			if unit := o.unit(); unit != "" {
				units = append(units, o.known("symbol")+" "+unit)
			} else {
				units = append(units, o.known("symbol")+" "+absent)
			}
		}
		out = append(out, "Each return is in the unit of its own prices, and what moved between currencies is in none: "+strings.Join(units, "; ")+".")
	}
	return out
}

// commonTime proposes the dates that all columns cover, if there are any.
func commonTime(all []Object) string {
	var from, to string
	var symbols []string
	for i, o := range all {
		if day := o.Text("from"); day > from {
			from = day
		}
		if day := o.Text("to"); i == 0 || day < to {
			to = day
		}
		symbols = append(symbols, o.known("symbol"))
	}
	if !isDay(from) || !isDay(to) || from >= to {
		return ""
	}
	return fmt.Sprintf(" All have data from %s to %s: `compare %s between %s and %s`.", from, to, strings.Join(symbols, " "), from, to)
}

func isDay(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

// differ reports whether a date differs by more than the spacing of bars
// explains. A date that is not one differs from all.
func differ(all []Object, name string) bool {
	const spacing = 31 * 24 * time.Hour
	var first, last time.Time
	for i, o := range all {
		day, err := time.Parse(time.DateOnly, o.Text(name))
		if err != nil {
			return true
		}
		if i == 0 || day.Before(first) {
			first = day
		}
		if i == 0 || day.After(last) {
			last = day
		}
	}
	return last.Sub(first) > spacing
}

func different(all []Object, of func(Object) string) bool {
	for _, o := range all[1:] {
		if of(o) != of(all[0]) {
			return true
		}
	}
	return false
}

// verdict names who leads in what, where every number is there.
func verdict(all []Object) string {
	gain, steady, shallow := leader(all, "total_return", 1), leader(all, "annual_volatility", -1), leader(all, "max_drawdown", 1)
	if gain == "" || steady == "" || shallow == "" {
		return ""
	}
	return fmt.Sprintf("Highest return: %s. Lowest volatility: %s. Mildest worst fall: %s.", gain, steady, shallow)
}

// leader is the symbol with the largest (sign 1) or smallest (sign -1) number;
// "" where one is missing or two share the lead.
func leader(all []Object, name string, sign int) string {
	var best decimal.Decimal
	symbol := ""
	for i, o := range all {
		d, ok := o.number(name)
		if !ok {
			return ""
		}
		switch order := sign * d.Cmp(best); {
		case i == 0 || order > 0:
			best, symbol = d, o.known("symbol")
		case order == 0:
			symbol = ""
		}
	}
	return symbol
}
