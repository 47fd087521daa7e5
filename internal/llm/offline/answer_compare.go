package offline

import (
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"
)

// comparisonLines sets the returns of several instruments side by side, a column each.
func comparisonLines(all []ResultObject) []string {
	head := []string{""}
	for _, o := range all {
		head = append(head, "**"+o.textOrAbsent("symbol")+"**")
	}
	row := func(label string, cell func(ResultObject) string) []string {
		cells := []string{label}
		for _, o := range all {
			cells = append(cells, cell(o))
		}
		return cells
	}
	field := func(name string) func(ResultObject) string {
		return func(o ResultObject) string { return o.textOrAbsent(name) }
	}
	rate := func(name string) func(ResultObject) string {
		return func(o ResultObject) string { return o.signedPercent(name) }
	}
	parts := []string{table(head, [][]string{
		row("from", field("from")),
		row("to", field("to")),
		row("total return", rate("total_return")),
		row("return a year", rate("annual_return")),
		row("volatility a year", func(o ResultObject) string { return o.percent("annual_volatility") }),
		row("worst fall", rate("max_drawdown")),
		row("falling from", field("drawdown_peak_date")),
		row("to its low on", field("drawdown_trough_date")),
		row("back at the high", recoveryCell),
		row("measured on", func(o ResultObject) string { return o.textOrAbsent("interval") + " closes" }),
	})}
	unlike := comparisonCaveats(all)
	for _, why := range unlike {
		parts = append(parts, "! "+why)
	}
	if len(unlike) == 0 {
		parts = append(parts, verdict(all))
	}
	if !different(all, ResultObject.returnBasis) {
		parts = append(parts, "All are counted as "+all[0].returnBasis()+".")
	}
	return append(parts, warningsOf(all)...)
}

func recoveryCell(o ResultObject) string {
	if o.null("drawdown_recovery_date") {
		if depth, ok := o.number("max_drawdown"); ok && depth.IsZero() {
			return "never left"
		}
		return "not yet"
	}
	return o.textOrAbsent("drawdown_recovery_date")
}

// comparisonCaveats says why the columns cannot be held against each other.
func comparisonCaveats(all []ResultObject) []string {
	var out []string
	if differ(all, "from") || differ(all, "to") {
		out = append(out, "The time is not the same for all, as the first two lines show, so the figures do not compare."+commonPeriod(all))
	}
	if different(all, func(o ResultObject) string { return o.Text("interval") }) {
		out = append(out, "Daily and monthly closes stand side by side: monthly ones miss falls within a month, and their volatility is not quite the same measure.")
	}
	if different(all, ResultObject.returnBasis) {
		var kinds []string
		for _, o := range all {
			kinds = append(kinds, o.textOrAbsent("symbol")+" "+o.returnBasis())
		}
		out = append(out, "The returns do not count the same: "+strings.Join(kinds, "; ")+".")
	}
	if different(all, ResultObject.unit) {
		var units []string
		for _, o := range all {
			if unit := o.unit(); unit != "" {
				units = append(units, o.textOrAbsent("symbol")+" "+unit)
			} else {
				units = append(units, o.textOrAbsent("symbol")+" "+absent)
			}
		}
		out = append(out, "Each return is in the unit of its own prices, and what moved between currencies is in none: "+strings.Join(units, "; ")+".")
	}
	return out
}

// commonPeriod proposes the dates that all columns cover, if there are any.
func commonPeriod(all []ResultObject) string {
	var from, to string
	var symbols []string
	for i, o := range all {
		if day := o.Text("from"); day > from {
			from = day
		}
		if day := o.Text("to"); i == 0 || day < to {
			to = day
		}
		symbols = append(symbols, o.textOrAbsent("symbol"))
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
func differ(all []ResultObject, name string) bool {
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

func different(all []ResultObject, of func(ResultObject) string) bool {
	for _, o := range all[1:] {
		if of(o) != of(all[0]) {
			return true
		}
	}
	return false
}

// verdict names who leads in what, where every number is there.
func verdict(all []ResultObject) string {
	gain, steady, shallow := leader(all, "total_return", 1), leader(all, "annual_volatility", -1), leader(all, "max_drawdown", 1)
	if gain == "" || steady == "" || shallow == "" {
		return ""
	}
	return fmt.Sprintf("Highest return: %s. Lowest volatility: %s. Mildest worst fall: %s.", gain, steady, shallow)
}

// leader is the symbol with the largest (sign 1) or smallest (sign -1) number;
// "" where one is missing or two share the lead.
func leader(all []ResultObject, name string, sign int) string {
	var best decimal.Decimal
	symbol := ""
	for i, o := range all {
		d, ok := o.number(name)
		if !ok {
			return ""
		}
		switch order := sign * d.Cmp(best); {
		case i == 0 || order > 0:
			best, symbol = d, o.textOrAbsent("symbol")
		case order == 0:
			symbol = ""
		}
	}
	return symbol
}
