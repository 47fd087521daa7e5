package answer

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/llm/offline/quoted"
	"github.com/nfa-cli/nfa/internal/llm/offline/toolname"
)

const noTaxAdvice = "This is arithmetic on your book, not tax advice: rates, allowances and carried losses are not in it."

// lotted tells lots that are held, those at a loss, what was sold, or wash sales.
func (a Asked) lotted(o Object) []string {
	head := fmt.Sprintf("Your tax lots on %s", o.known("day"))
	if rules := o.Text("jurisdiction"); rules != "" {
		head += ", by the rules of " + quoted.Escaped(strings.ToUpper(rules))
	} else {
		head += ", by no tax rules: whose count, nobody said (`nfa profile ask` asks)"
	}
	parts := append(o.alarms(), head+".")
	switch kind := o.Text("kind"); kind {
	case toolname.LotsClosed:
		parts = append(parts, o.sold()...)
	case toolname.LotsWash:
		parts = append(parts, o.washed()...)
	default:
		parts = append(parts, o.openLots(kind == toolname.LotsHarvest)...)
	}
	return append(append(parts, o.remarks(), noTaxAdvice), sources(dated(o.objects("prices")))...)
}

// openLots are lots that are held, and where they are to be harvested, what the rule
// on wash sales says of each.
func (o Object) openLots(harvest bool) []string {
	currency := quoted.Escaped(o.Text("currency"))
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
			fmt.Sprintf("**%s**, %s%s", l.known("symbol"), l.known("account"), l.untaxed()), l.known("acquired"), l.figure("quantity"), l.money("cost_base", currency),
			l.money("value_base", currency), l.gained("gain_base", "gain_base_pct", currency), l.term(),
		}
		if h := l.Object("harvest"); harvest {
			from, again := h.known("sell_from"), h.known("buy_from")
			if o.Text("jurisdiction") == "" {
				from, again = absent, absent // a day without a rule would read as cleared
			}
			row = append(row, h.known("status"), from, again)
		}
		rows = append(rows, row)
	}
	parts := []string{table(head, rows), rest}
	for _, l := range lots {
		if why := l.Text("gain_absent"); why != "" {
			parts = append(parts, fmt.Sprintf("! %s of %s: %s", l.known("symbol"), l.known("acquired"), sentenceOf(why)))
		}
		h := l.Object("harvest")
		for _, b := range h.objects("blocked_by") {
			parts = append(parts, fmt.Sprintf("! The loss of %s of %s would be disallowed by the purchase of %s in %s.", l.known("symbol"), l.known("acquired"), b.day("date"), b.known("account")))
		}
	}
	return parts
}

func (o Object) untaxed() string {
	if yes, _ := o.flag("untaxed"); yes {
		return ", untaxed account"
	}
	return ""
}

// term is whether a lot counts as held short or long, and from when long.
func (o Object) term() string {
	text := o.known("term")
	if from := o.Text("long_from"); from != "" && o.Text("term") == "short" {
		text += ", long from " + quoted.Escaped(from)
	}
	return text
}

// day is a date, whether or not a time of the day stands with it.
func (o Object) day(name string) string {
	day, _, _ := strings.Cut(o.Text(name), "T")
	if day == "" {
		return absent
	}
	return quoted.Escaped(day)
}

// sold tells sales with their gains, and what each year adds up to.
func (o Object) sold() []string {
	sales, rest := o.rows("sales")
	if len(sales) == 0 {
		return []string{"Nothing of that was sold."}
	}
	var rows [][]string
	for _, s := range sales {
		currency := quoted.Escaped(s.Text("currency"))
		rows = append(rows, []string{
			fmt.Sprintf("**%s**, %s%s", s.known("symbol"), s.known("account"), s.untaxed()), s.known("acquired"), s.known("sold"), s.figure("quantity"),
			s.money("proceeds", currency), s.money("cost", quoted.Escaped(cmp.Or(s.Text("cost_currency"), s.Text("currency")))), s.gained("gain", "gain_pct", currency), s.known("term"),
		})
	}
	parts := []string{table([]string{"", "acquired", "sold", "quantity", "proceeds", "cost", "gain", "term"}, rows), rest}
	rows = nil
	years, _ := o.rows("years")
	for _, y := range years {
		currency := quoted.Escaped(y.Text("currency"))
		row := []string{y.known("year") + y.untaxed(), y.known("term"), y.count("sales"), y.money("disallowed", currency), y.money("gain", currency)}
		if n := y.Text("unknown"); n != "" {
			row[4] += ", without " + quoted.Escaped(n) + " of unknown gain"
		}
		rows = append(rows, row)
	}
	if len(rows) > 0 {
		parts = append(parts, table([]string{"year", "term", "sales", "disallowed", "gain"}, rows))
	}
	return parts
}

// washed tells losses that are disallowed, and those that still may be.
func (o Object) washed() []string {
	var parts []string
	washes, rest := o.rows("wash_sales")
	for _, w := range washes {
		parts = append(parts, fmt.Sprintf("- The loss on %s, sold on %s, is disallowed by %s: the purchase of %s on %s in %s.",
			w.known("symbol"), w.day("date"), w.money("disallowed", quoted.Escaped(w.Text("currency"))), w.known("replacement_symbol"), w.day("replacement_date"), w.known("replacement_account")))
	}
	waiting, more := o.rows("losses_still_open")
	for _, l := range waiting {
		parts = append(parts, fmt.Sprintf("- The loss on %s, sold on %s, would be disallowed by a purchase before %s.", l.known("symbol"), l.known("sold"), l.known("buy_from")))
	}
	if len(parts) == 0 {
		return []string{"No wash sale is seen in the book."}
	}
	return []string{strings.Join(parts, "\n"), rest, more}
}
