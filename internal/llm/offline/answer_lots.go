package offline

import (
	"cmp"
	"fmt"
	"strings"
)

const noTaxAdvice = "This is arithmetic on your book, not tax advice: rates, allowances and carried losses are not in it."

// lotLines tells lots that are held, those at a loss, what was sold, or wash sales.
func (a AnswerInput) lotLines(o ResultObject) []string {
	head := fmt.Sprintf("Your tax lots on %s", o.textOrAbsent("day"))
	if rules := o.Text("jurisdiction"); rules != "" {
		head += ", by the rules of " + EscapeMarkdown(strings.ToUpper(rules))
	} else {
		head += ", by no tax rules: whose count, nobody said (`nfa profile ask` asks)"
	}
	parts := append(o.warningLines(), head+".")
	switch kind := o.Text("kind"); kind {
	case LotsClosed:
		parts = append(parts, o.soldLines()...)
	case LotsWash:
		parts = append(parts, o.washSaleLines()...)
	default:
		parts = append(parts, o.openLotLines(kind == LotsHarvest)...)
	}
	return append(append(parts, o.noteParagraph(), noTaxAdvice), sources(withSource(o.objects("prices")))...)
}

// openLotLines are lots that are held, and where they are to be harvested, what the rule
// on wash sales says of each.
func (o ResultObject) openLotLines(harvest bool) []string {
	currency := EscapeMarkdown(o.Text("currency"))
	lots, rest := o.rows("lots")
	if len(lots) == 0 {
		return []string{"There are none of that kind."}
	}
	head := []string{"", "acquired", "quantity", "cost", "value", "gain", "term"}
	if harvest {
		head = append(head, "a sale today", "may be sold from", "may be bought again from")
	}
	var rows [][]string
	for _, l := range lots {
		row := []string{
			fmt.Sprintf("**%s**, %s%s", l.textOrAbsent("symbol"), l.textOrAbsent("account"), l.taxSettingNote()), l.textOrAbsent("acquired"), l.figure("quantity"), l.money("cost_base", currency),
			l.money("value_base", currency), l.gainText("gain_base", "gain_base_pct", currency), l.term(),
		}
		if h := l.Object("harvest"); harvest {
			from, again := h.textOrAbsent("sell_from"), h.textOrAbsent("buy_from")
			if o.Text("jurisdiction") == "" {
				from, again = absent, absent // a day without a rule would read as cleared
			}
			row = append(row, h.textOrAbsent("status"), from, again)
		}
		rows = append(rows, row)
	}
	parts := []string{table(head, rows), rest}
	for _, l := range lots {
		if why := l.Text("gain_absent"); why != "" {
			parts = append(parts, fmt.Sprintf("! %s of %s: %s", l.textOrAbsent("symbol"), l.textOrAbsent("acquired"), asSentence(why)))
		}
		h := l.Object("harvest")
		for _, b := range h.objects("blocked_by") {
			parts = append(parts, fmt.Sprintf("! The loss of %s of %s would be disallowed by the purchase of %s in %s.", l.textOrAbsent("symbol"), l.textOrAbsent("acquired"), b.day("date"), b.textOrAbsent("account")))
		}
	}
	return parts
}

func (o ResultObject) taxSettingNote() string {
	if unset, _ := o.flag("untaxed"); unset {
		return ", untaxed account"
	}
	return ""
}

// term is whether a lot counts as held short or long, and from when long.
func (o ResultObject) term() string {
	text := o.textOrAbsent("term")
	if from := o.Text("long_from"); from != "" && o.Text("term") == "short" {
		text += ", long from " + EscapeMarkdown(from)
	}
	return text
}

// day is a date, whether or not a time of the day stands with it.
func (o ResultObject) day(name string) string {
	day, _, _ := strings.Cut(o.Text(name), "T")
	if day == "" {
		return absent
	}
	return EscapeMarkdown(day)
}

// soldLines tells sales with their gains, and what each year adds up to.
func (o ResultObject) soldLines() []string {
	sales, rest := o.rows("sales")
	if len(sales) == 0 {
		return []string{"Nothing of that was sold."}
	}
	var rows [][]string
	for _, s := range sales {
		currency := EscapeMarkdown(s.Text("currency"))
		rows = append(rows, []string{
			fmt.Sprintf("**%s**, %s%s", s.textOrAbsent("symbol"), s.textOrAbsent("account"), s.taxSettingNote()), s.textOrAbsent("acquired"), s.textOrAbsent("sold"), s.figure("quantity"),
			s.money("proceeds", currency), s.money("cost", EscapeMarkdown(cmp.Or(s.Text("cost_currency"), s.Text("currency")))), s.gainText("gain", "gain_pct", currency), s.textOrAbsent("term"),
		})
	}
	parts := []string{table([]string{"", "acquired", "sold", "quantity", "proceeds", "cost", "gain", "term"}, rows), rest}
	rows = nil
	years, _ := o.rows("years")
	for _, y := range years {
		currency := EscapeMarkdown(y.Text("currency"))
		row := []string{y.textOrAbsent("year") + y.taxSettingNote(), y.textOrAbsent("term"), y.count("sales"), y.money("disallowed", currency), y.money("gain", currency)}
		if n := y.Text("unknown"); n != "" {
			row[4] += ", without " + EscapeMarkdown(n) + " of unknown gain"
		}
		rows = append(rows, row)
	}
	if len(rows) > 0 {
		parts = append(parts, table([]string{"year", "term", "sales", "disallowed", "gain"}, rows))
	}
	return parts
}

// washSaleLines tells losses that are disallowed, and those that still may be.
func (o ResultObject) washSaleLines() []string {
	var parts []string
	washes, rest := o.rows("wash_sales")
	for _, w := range washes {
		parts = append(parts, fmt.Sprintf("- The loss on %s, sold on %s, is disallowed by %s: the purchase of %s on %s in %s.",
			w.textOrAbsent("symbol"), w.day("date"), w.money("disallowed", EscapeMarkdown(w.Text("currency"))), w.textOrAbsent("replacement_symbol"), w.day("replacement_date"), w.textOrAbsent("replacement_account")))
	}
	waiting, more := o.rows("losses_still_open")
	for _, l := range waiting {
		parts = append(parts, fmt.Sprintf("- The loss on %s, sold on %s, would be disallowed by a purchase before %s.", l.textOrAbsent("symbol"), l.textOrAbsent("sold"), l.textOrAbsent("buy_from")))
	}
	if len(parts) == 0 {
		return []string{"No wash sale is seen in the book."}
	}
	return []string{strings.Join(parts, "\n"), rest, more}
}
