package answer

import "fmt"

// endpoints tells a history in one sentence, beside its returns.
func endpoints(o Object) string {
	first, last, unit := o.Object("first"), o.Object("last"), o.unit()
	return fmt.Sprintf("It closed at %s on %s and at %s on %s; the highest of %s %s closes was %s on %s, the lowest %s on %s; prices %s.",
		withUnit(first.amount("close"), unit), first.known("date"), withUnit(last.amount("close"), unit), last.known("date"),
		o.count("count"), o.known("interval"), extreme(o, "high"), o.Object("high").known("date"), extreme(o, "low"), o.Object("low").known("date"), o.adjustedPrices())
}

func extreme(o Object, which string) string { return o.Object(which).amount("close") }

// described writes a history on its own, as a table of the prices that mark it.
func described(o Object) []string {
	head := fmt.Sprintf("**%s** (%s), %s closes from %s to %s, %s of them, %s:",
		o.known("symbol"), o.known("name"), o.known("interval"), o.known("from"), o.known("to"), o.count("count"), o.adjustedPrices())
	column := "close"
	if unit := o.unit(); unit != "" {
		column += " in " + unit
	}
	var rows [][]string
	for _, row := range []struct{ label, field string }{{"first", "first"}, {"last", "last"}, {"highest", "high"}, {"lowest", "low"}} {
		rows = append(rows, []string{row.label, extreme(o, row.field), o.Object(row.field).known("date")})
	}
	return append([]string{head, table([]string{"", column, "date"}, rows)}, warned([]Object{o})...)
}

// adjustedPrices says what was done to prices.
func (o Object) adjustedPrices() string {
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

// closedBy tells the last close on or before a day.
func closedBy(o Object, day string) []string {
	last := o.Object("last")
	text := fmt.Sprintf("**%s** (%s) closed at **%s** on %s", o.known("symbol"), o.known("name"), withUnit(last.amount("close"), o.unit()), last.known("date"))
	if last.Text("date") != day {
		text += fmt.Sprintf(", the last %s close on or before %s", o.known("interval"), day)
	}
	return append([]string{text + "; prices " + o.adjustedPrices() + "."}, warned([]Object{o})...)
}
