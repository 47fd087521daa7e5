package offline

import (
	"fmt"
	"slices"
	"strings"
)

// methodNames are the ways to measure a return, as people call them.
var methodNames = []struct{ method, name string }{
	{"time_weighted", "time-weighted"}, {"money_weighted", "money-weighted"}, {"modified_dietz", "Modified Dietz"},
}

// performanceLines describes the returns of the portfolio, period by period, gains and losses
// alike.
func (a AnswerInput) performanceLines(o ResultObject) []string {
	currency := EscapeMarkdown(o.Text("currency"))
	windows := o.objects("windows")
	parts := append(o.warningLines(), fmt.Sprintf("What your book earned, to %s, in %s:", o.textOrAbsent("to"), o.textOrAbsent("currency")), returnsTable(windows, currency))
	parts = append(parts, missingReturns(windows)...)
	parts = append(parts, benchmarkLines(windows, currency)...)
	// The last window holds those before it.
	for _, w := range slices.Backward(windows) {
		if effects := w.Object("attribution").objects("effects"); len(effects) > 0 {
			parts = append(parts, gainSourceLines(w, effects, currency)...)
			break
		}
	}
	for _, g := range o.objects("gaps") {
		parts = append(parts, fmt.Sprintf("! %s from %s to %s: %s", g.textOrAbsent("what"), g.textOrAbsent("from"), g.textOrAbsent("to"), asSentence(g.Text("why"))))
	}
	return append(append(parts, o.noteParagraph()), sources(withSource(o.objects("prices")))...)
}

func returnsTable(windows []ResultObject, currency string) string {
	head := []string{"", "from", "to"}
	for _, m := range methodNames {
		head = append(head, m.name)
	}
	var rows [][]string
	for _, w := range windows {
		row := []string{w.textOrAbsent("name"), w.textOrAbsent("from"), w.textOrAbsent("to")}
		for _, m := range methodNames {
			row = append(row, w.returnText(m.method))
		}
		rows = append(rows, append(row, w.money("start", currency), w.money("net_flow", currency), w.money("end", currency)))
	}
	return table(append(head, "worth at the start", "paid in, net", "worth at the end"), rows)
}

// returnText is the return of a window by one method, with the rate a year where there
// is one.
func (o ResultObject) returnText(method string) string {
	for _, r := range o.objects("returns") {
		if r.Text("method") != method {
			continue
		}
		text := r.signedPercentPoints("pct")
		if yearly := r.signedPercentPoints("annual_pct"); yearly != absent {
			text += ", " + yearly + " a year"
		}
		return text
	}
	return absent
}

// missingReturns give the reasons for what is absent, each once for a window.
func missingReturns(windows []ResultObject) []string {
	var out []string
	for _, w := range windows {
		whys := []string{w.Text("why"), w.Text("value_why")}
		for _, r := range w.objects("returns") {
			whys = append(whys, r.Text("why"))
		}
		whys = append(whys, w.Object("attribution").Text("why"))
		seen := []string{""}
		for _, why := range whys {
			if !slices.Contains(seen, why) {
				seen = append(seen, why)
				out = append(out, fmt.Sprintf("! **%s**: %s", w.textOrAbsent("name"), asSentence(why)))
			}
		}
	}
	return out
}

// benchmarkLines compares the portfolio with the same money in a benchmark.
func benchmarkLines(windows []ResultObject, currency string) []string {
	var rows [][]string
	var parts []string
	symbol, kind := "", ""
	for _, w := range windows {
		b := w.Object("benchmark")
		if b.Text("symbol") == "" {
			continue
		}
		symbol, kind = b.textOrAbsent("symbol"), b.Text("kind")
		if why := b.Text("why"); why != "" && why == w.Text("value_why") {
			continue // already reported
		} else if why != "" {
			parts = append(parts, fmt.Sprintf("! **%s** beside %s: %s", w.textOrAbsent("name"), symbol, asSentence(why)))
			continue
		}
		rows = append(rows, []string{
			w.textOrAbsent("name"), b.returnText("time_weighted"), b.returnText("money_weighted"), b.points("ahead_time_weighted_pp"), b.points("ahead_money_weighted_pp"), b.money("end", currency), b.gainText("ahead", "", currency),
		})
	}
	if len(rows) == 0 {
		return parts
	}
	head := fmt.Sprintf("The same money at the same times in **%s**", symbol)
	if kind != "" {
		head += " (" + EscapeMarkdown(kind) + ")"
	}
	return append([]string{head + ":", table([]string{
		"", "time-weighted", "money-weighted", "book ahead, points", "the same, money-weighted", "worth at the end", "book ahead",
	}, rows)}, parts...)
}

// gainSourceLines tells where the gain of a window came from, and which positions made it.
func gainSourceLines(w ResultObject, effects []ResultObject, currency string) []string {
	var lines []string
	for _, e := range effects {
		lines = append(lines, e.textOrAbsent("name")+" "+e.gainText("amount", "pct", currency))
	}
	out := []string{fmt.Sprintf("Where it came from, %s: %s.", w.textOrAbsent("name"), strings.Join(lines, "; "))}
	const most = 8
	var rows [][]string
	all := w.objects("contributions")
	for _, c := range all[:min(len(all), most)] {
		rows = append(rows, []string{c.textOrAbsent("of"), c.gainText("gain", "pct", currency)})
	}
	if len(rows) > 0 {
		out = append(out, table([]string{"", "contribution"}, rows))
	}
	if len(all) > most {
		out = append(out, "Smaller contributions stand on the card of the tool.")
	}
	return out
}
