package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/llm/offline/quoted"
)

// methodNames are the ways to measure a return, as people call them.
var methodNames = []struct{ method, name string }{
	{"time_weighted", "time-weighted"}, {"money_weighted", "money-weighted"}, {"modified_dietz", "Modified Dietz"},
}

// earned tells what the book earned, window by window, the good and the bad alike.
func (a Asked) earned(o Object) []string {
	currency := quoted.Escaped(o.Text("currency"))
	windows := o.objects("windows")
	parts := append(o.alarms(), fmt.Sprintf("What your book earned, to %s, in %s:", o.known("to"), o.known("currency")), returnsTable(windows, currency))
	parts = append(parts, missingReturns(windows)...)
	parts = append(parts, beside(windows, currency)...)
	// The last window holds those before it.
	for _, w := range slices.Backward(windows) {
		if effects := w.Object("attribution").objects("effects"); len(effects) > 0 {
			parts = append(parts, cameFrom(w, effects, currency)...)
			break
		}
	}
	for _, g := range o.objects("gaps") {
		parts = append(parts, fmt.Sprintf("! %s from %s to %s: %s", g.known("what"), g.known("from"), g.known("to"), sentenceOf(g.Text("why"))))
	}
	return append(append(parts, o.remarks()), sources(dated(o.objects("prices")))...)
}

func returnsTable(windows []Object, currency string) string {
	head := []string{"", "from", "to"}
	for _, m := range methodNames {
		head = append(head, m.name)
	}
	var rows [][]string
	for _, w := range windows {
		row := []string{w.known("name"), w.known("from"), w.known("to")}
		for _, m := range methodNames {
			row = append(row, w.returned(m.method))
		}
		rows = append(rows, append(row, w.money("start", currency), w.money("net_flow", currency), w.money("end", currency)))
	}
	return table(append(head, "worth at the start", "paid in, net", "worth at the end"), rows)
}

// returned is the return of a window by one method, with the rate a year where there
// is one.
func (o Object) returned(method string) string {
	for _, r := range o.objects("returns") {
		if r.Text("method") != method {
			continue
		}
		text := r.signedPerCent("pct")
		if yearly := r.signedPerCent("annual_pct"); yearly != absent {
			text += ", " + yearly + " a year"
		}
		return text
	}
	return absent
}

// missingReturns give the reasons for what is absent, each once for a window.
func missingReturns(windows []Object) []string {
	var out []string
	for _, w := range windows {
		whys := []string{w.Text("why"), w.Text("value_why")}
		for _, r := range w.objects("returns") {
			whys = append(whys, r.Text("why"))
		}
		whys = append(whys, w.Object("attribution").Text("why"))
		told := []string{""}
		for _, why := range whys {
			if !slices.Contains(told, why) {
				told = append(told, why)
				out = append(out, fmt.Sprintf("! **%s**: %s", w.known("name"), sentenceOf(why)))
			}
		}
	}
	return out
}

// beside sets the book beside the same money in a benchmark.
func beside(windows []Object, currency string) []string {
	var rows [][]string
	var parts []string
	symbol, kind := "", ""
	for _, w := range windows {
		b := w.Object("benchmark")
		if b.Text("symbol") == "" {
			continue
		}
		symbol, kind = b.known("symbol"), b.Text("kind")
		if why := b.Text("why"); why != "" && why == w.Text("value_why") {
			continue // which is told already
		} else if why != "" {
			parts = append(parts, fmt.Sprintf("! **%s** beside %s: %s", w.known("name"), symbol, sentenceOf(why)))
			continue
		}
		rows = append(rows, []string{
			w.known("name"), b.returned("time_weighted"), b.returned("money_weighted"), b.points("ahead_time_weighted_pp"), b.points("ahead_money_weighted_pp"), b.money("end", currency), b.gained("ahead", "", currency),
		})
	}
	if len(rows) == 0 {
		return parts
	}
	head := fmt.Sprintf("The same money at the same times in **%s**", symbol)
	if kind != "" {
		head += " (" + quoted.Escaped(kind) + ")"
	}
	return append([]string{head + ":", table([]string{
		"", "time-weighted", "money-weighted", "book ahead, points", "the same, money-weighted", "worth at the end", "book ahead",
	}, rows)}, parts...)
}

// cameFrom tells where the gain of a window came from, and which positions made it.
func cameFrom(w Object, effects []Object, currency string) []string {
	var lines []string
	for _, e := range effects {
		lines = append(lines, e.known("name")+" "+e.gained("amount", "pct", currency))
	}
	out := []string{fmt.Sprintf("Where it came from, %s: %s.", w.known("name"), strings.Join(lines, "; "))}
	const most = 8
	var rows [][]string
	all := w.objects("contributions")
	for _, c := range all[:min(len(all), most)] {
		rows = append(rows, []string{c.known("of"), c.gained("gain", "pct", currency)})
	}
	if len(rows) > 0 {
		out = append(out, table([]string{"", "contribution"}, rows))
	}
	if len(all) > most {
		out = append(out, "Smaller contributions stand on the card of the tool.")
	}
	return out
}
