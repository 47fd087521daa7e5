package offline

import "fmt"

// quoteLines writes quotes: one as a sentence, several as a table.
func quoteLines(quotes []ResultObject) []string {
	switch len(quotes) {
	case 0:
		return nil
	case 1:
		q := quotes[0]
		text := fmt.Sprintf("**%s** (%s): **%s** on %s", q.textOrAbsent("symbol"), q.textOrAbsent("name"), withUnit(q.amount("price"), q.unit()), q.textOrAbsent("as_of"))
		if change, ok := q.change(); ok {
			text += fmt.Sprintf(", %s since %s", change, q.textOrAbsent("previous_as_of"))
		}
		return []string{text + "."}
	}
	var rows [][]string
	for _, q := range quotes {
		change, ok := q.change()
		if !ok {
			change = absent
		}
		rows = append(rows, []string{
			fmt.Sprintf("**%s** %s", q.textOrAbsent("symbol"), q.textOrAbsent("name")), withUnit(q.amount("price"), q.unit()),
			change, q.textOrAbsent("previous_as_of"), q.textOrAbsent("as_of"),
		})
	}
	return []string{table([]string{"", "price", "change", "since", "as of"}, rows)}
}

// change is the move since the price before, or false where the source has none.
func (o ResultObject) change() (string, bool) {
	change, ok := o.number("change")
	if !ok {
		return "", false
	}
	text := plusSign(change) + o.amount("change")
	if pct, ok := o.number("change_pct"); ok {
		text += fmt.Sprintf(" (%s%s%%)", plusSign(pct), pct.StringFixed(2))
	}
	return text, true
}
