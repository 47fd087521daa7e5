package answer

import (
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/llm/offline/quoted"
)

// watched tells the watchlist with its prices and targets.
func (a Asked) watched(o Object) []string {
	watches, rest := o.rows("watches")
	var rows [][]string
	var failed []string
	for _, w := range watches {
		rows = append(rows, []string{
			strings.TrimSpace("**" + w.known("symbol") + "** " + quoted.Escaped(w.Text("name"))), w.money("price", w.unit()), w.known("as_of"), w.targets(), w.remark(),
		})
		if why := w.Text("error"); why != "" {
			failed = append(failed, fmt.Sprintf("! %s: %s", w.known("symbol"), sentenceOf(why)))
		}
	}
	parts := append(o.alarms(), failed...)
	if len(rows) > 0 {
		parts = append(parts, "What you watch:", table([]string{"", "price", "as of", "targets", "your note"}, rows))
	}
	if o.Text("left_out") != "" {
		rest = "! This is not all: the rest stands on the card of the tool."
	}
	return append(append(parts, rest, "nfa does not alert: targets are checked when somebody looks."), sources(dated(watches))...)
}

func (o Object) remark() string { return quoted.Escaped(o.Text("watch_note")) }

// targets are the prices that the user waits for, and how far each is.
func (o Object) targets() string {
	var out []string
	for _, t := range o.objects("targets") {
		text := t.known("side") + " " + t.money("price", quoted.Escaped(t.Text("currency"))) + ": "
		switch reached, known := t.flag("reached"); {
		case reached:
			text += "**reached**"
		case known:
			text += "not reached, the price must move " + t.signedPerCent("distance_pct")
		default:
			text += "not judged, " + t.known("reason")
		}
		out = append(out, text)
	}
	return strings.Join(out, "; ")
}

// reviewed tells what became of the user's decisions.
func (a Asked) reviewed(o Object) []string {
	parts := append(o.alarms(), fmt.Sprintf("Your decisions, scored on %s: %s", o.known("day"), sentenceOf(o.Object("summary").Text("says"))))
	scores, rest := o.rows("scores")
	var rows [][]string
	var said []string
	for _, s := range scores {
		name := fmt.Sprintf("%s, %s **%s**", s.known("date"), s.known("decision"), quoted.Escaped(strings.Join(s.Texts("symbols"), ", ")))
		rows = append(rows, []string{name, s.known("to"), s.signedPerCent("return_pct"), s.signedPerCent("benchmark_pct"), s.signedPerCent("edge_pct"), s.rightness()})
		if kind := s.Text("return_kind"); kind != "" {
			said = append(said, fmt.Sprintf("- %s: %s", name, quoted.Escaped(kind)))
		}
		for _, n := range s.Texts("notes") {
			said = append(said, fmt.Sprintf("- %s: %s", name, sentenceOf(n)))
		}
		if due, _ := s.flag("due"); due {
			said = append(said, fmt.Sprintf("- %s is **due**. You wrote: “%s” What would disprove it: “%s”", name, s.known("thesis"), s.known("disproof")))
		}
	}
	if len(rows) > 0 {
		parts = append(parts, table([]string{"", "to", "return", "benchmark", "edge", "right"}, rows))
	}
	if o.Text("left_out") != "" {
		rest = "! This is not all: the rest stands on the card of the tool."
	}
	parts = append(parts, strings.Join(said, "\n"), rest, "The edge is the excess over the benchmark in the direction of the decision. Past hits say little of the next decision.")
	return append(parts, sources(dated(o.objects("prices")))...)
}

func (o Object) rightness() string {
	switch right, known := o.flag("right"); {
	case right:
		return "yes"
	case known:
		return "no"
	}
	return absent
}

// profiled tells what the user said of themself, what contradicts each other, and
// what advice may rest on it.
func (a Asked) profiled(o Object) []string {
	parts := o.alarms()
	if known, _ := o.flag("known"); !known {
		return append(parts, "Nothing is known of you as an investor yet, so what nfa says is general. `nfa profile ask` asks the questions one by one.")
	}
	var rows [][]string
	var open []string
	for _, f := range o.objects("factors") {
		for _, a := range f.objects("answers") {
			rows = append(rows, []string{f.known("factor") + ": " + a.known("id"), a.known("answer")})
		}
		if unknown := f.Texts("unknown"); len(unknown) > 0 {
			open = append(open, fmt.Sprintf("%s (%s)", f.known("factor"), quoted.Escaped(strings.Join(unknown, ", "))))
		}
	}
	if len(rows) > 0 {
		parts = append(parts, "What you said of yourself as an investor:", table([]string{"", "answer"}, rows))
	}
	if t := o.Object("risk_tolerance"); t.Text("level") != "" {
		parts = append(parts, fmt.Sprintf("Risk tolerance: **%s**, %s on a scale where `0` is the most careful and `100` the least.", t.known("level"), t.figure("score")))
	}
	for _, i := range o.objects("inconsistencies") {
		said := "! " + sentenceOf(i.Text("says"))
		if suggests := i.Text("suggests"); suggests != "" {
			said += " " + sentenceOf(capitalised(suggests))
		}
		parts = append(parts, said)
	}
	if len(open) > 0 {
		parts = append(parts, "Not known: "+strings.Join(open, "; ")+". `nfa profile ask` asks for it.")
	}
	for _, a := range o.objects("advice") {
		if text := a.Text("sentence"); text != "" {
			parts = append(parts, fmt.Sprintf("- %s: %s", a.known("kind"), sentenceOf(text)))
		}
	}
	return append(parts, sources(dated([]Object{o}))...)
}
