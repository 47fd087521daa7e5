package offline

import "fmt"

// endpoints tells a history in one sentence, beside its returns.
func endpoints(o ResultObject) string {
	first, last, unit := o.Object("first"), o.Object("last"), o.unit()
	return fmt.Sprintf("It closed at %s on %s and at %s on %s; the highest of %s %s closes was %s on %s, the lowest %s on %s; prices %s.",
		withUnit(first.amount("close"), unit), first.textOrAbsent("date"), withUnit(last.amount("close"), unit), last.textOrAbsent("date"),
		o.count("count"), o.textOrAbsent("interval"), extreme(o, "high"), o.Object("high").textOrAbsent("date"), extreme(o, "low"), o.Object("low").textOrAbsent("date"), o.adjustedPrices())
}

func extreme(o ResultObject, which string) string { return o.Object(which).amount("close") }

// historyLines writes a history on its own, as a table of the prices that mark it.
func historyLines(o ResultObject) []string {
	head := fmt.Sprintf("**%s** (%s), %s closes from %s to %s, %s of them, %s:",
		o.textOrAbsent("symbol"), o.textOrAbsent("name"), o.textOrAbsent("interval"), o.textOrAbsent("from"), o.textOrAbsent("to"), o.count("count"), o.adjustedPrices())
	column := "close"
	if unit := o.unit(); unit != "" {
		column += " in " + unit
	}
	var rows [][]string
	for _, row := range []struct{ label, field string }{{"first", "first"}, {"last", "last"}, {"highest", "high"}, {"lowest", "low"}} {
		rows = append(rows, []string{row.label, extreme(o, row.field), o.Object(row.field).textOrAbsent("date")})
	}
	return append([]string{head, table([]string{"", column, "date"}, rows)}, warningsOf([]ResultObject{o})...)
}

// adjustedPrices says what was done to prices.
func (o ResultObject) adjustedPrices() string {
	switch o.Text("adjustment") {
	case "split_div":
		return "adjusted for splits and dividends, so older ones are not what was paid"
	case "split":
		return "adjusted for splits"
	case "raw":
		return "as they were quoted"
	default:
		return "whose adjustment for splits and dividends is not known"
	}
}

// closeOnLines tells the last close on or before a day.
func closeOnLines(o ResultObject, day string) []string {
	last := o.Object("last")
	text := fmt.Sprintf("**%s** (%s) closed at **%s** on %s", o.textOrAbsent("symbol"), o.textOrAbsent("name"), withUnit(last.amount("close"), o.unit()), last.textOrAbsent("date"))
	if last.Text("date") != day {
		text += fmt.Sprintf(", the last %s close on or before %s", o.textOrAbsent("interval"), day)
	}
	return append([]string{text + "; prices " + o.adjustedPrices() + "."}, warningsOf([]ResultObject{o})...)
}
