package offline

import (
	"fmt"
	"strings"
)

// watchlistLines tells the watchlist with its prices and targets.
func (a AnswerInput) watchlistLines(o ResultObject) []string {
	watches, rest := o.rows("watches")
	var rows [][]string
	var failed []string
	for _, w := range watches {
		rows = append(rows, []string{
			strings.TrimSpace("**" + w.textOrAbsent("symbol") + "** " + EscapeMarkdown(w.Text("name"))), w.money("price", w.unit()), w.textOrAbsent("as_of"), w.targetPrices(), w.decisionNote(),
		})
		if why := w.Text("error"); why != "" {
			failed = append(failed, fmt.Sprintf("! %s: %s", w.textOrAbsent("symbol"), asSentence(why)))
		}
	}
	parts := append(o.warningLines(), failed...)
	if len(rows) > 0 {
		parts = append(parts, "What you watch:", table([]string{"", "price", "as of", "targets", "your note"}, rows))
	}
	if o.Text("watches_omitted") != "" {
		rest = "! This is not all: the rest stands on the card of the tool."
	}
	return append(append(parts, rest, "nfa does not alert: targets are checked when somebody looks."), sources(withSource(watches))...)
}

func (o ResultObject) decisionNote() string { return EscapeMarkdown(o.Text("watch_note")) }

// targetPrices are the prices that the user waits for, and how far each is.
func (o ResultObject) targetPrices() string {
	var out []string
	for _, t := range o.objects("targets") {
		text := t.textOrAbsent("side") + " " + t.money("price", EscapeMarkdown(t.Text("currency"))) + ": "
		switch reached, known := t.flag("reached"); {
		case reached:
			text += "**reached**"
		case known:
			text += "not reached, the price must move " + t.signedPercentPoints("distance_pct")
		default:
			text += "not judged, " + t.textOrAbsent("reason")
		}
		out = append(out, text)
	}
	return strings.Join(out, "; ")
}

// journalLines tells what became of the user's decisions.
func (a AnswerInput) journalLines(o ResultObject) []string {
	parts := append(o.warningLines(), fmt.Sprintf("Your decisions, scored on %s: %s", o.textOrAbsent("day"), asSentence(o.Object("summary").Text("says"))))
	scores, rest := o.rows("scores")
	var rows [][]string
	var lines []string
	for _, s := range scores {
		name := fmt.Sprintf("%s, %s **%s**", s.textOrAbsent("date"), s.textOrAbsent("decision"), EscapeMarkdown(strings.Join(s.Texts("symbols"), ", ")))
		rows = append(rows, []string{name, s.textOrAbsent("to"), s.signedPercentPoints("return_pct"), s.signedPercentPoints("benchmark_pct"), s.signedPercentPoints("edge_pct"), s.hitRate()})
		if kind := s.Text("return_kind"); kind != "" {
			lines = append(lines, fmt.Sprintf("- %s: %s", name, EscapeMarkdown(kind)))
		}
		for _, n := range s.Texts("notes") {
			lines = append(lines, fmt.Sprintf("- %s: %s", name, asSentence(n)))
		}
		if due, _ := s.flag("due"); due {
			lines = append(lines, fmt.Sprintf("- %s is **due**. You wrote: “%s” What would disprove it: “%s”", name, s.textOrAbsent("thesis"), s.textOrAbsent("disproof")))
		}
	}
	if len(rows) > 0 {
		parts = append(parts, table([]string{"", "to", "return", "benchmark", "edge", "right"}, rows))
	}
	if o.Text("scores_omitted") != "" {
		rest = "! This is not all: the rest stands on the card of the tool."
	}
	parts = append(parts, strings.Join(lines, "\n"), rest, "The edge is the excess over the benchmark in the direction of the decision. Past hits say little of the next decision.")
	return append(parts, sources(withSource(o.objects("prices")))...)
}

func (o ResultObject) hitRate() string {
	switch right, known := o.flag("right"); {
	case right:
		return "yes"
	case known:
		return "no"
	}
	return absent
}

// profileLines tells what the user said of themself, what contradicts each other, and
// what advice may rest on it.
func (a AnswerInput) profileLines(o ResultObject) []string {
	parts := o.warningLines()
	if known, _ := o.flag("known"); !known {
		return append(parts, "Nothing is known of you as an investor yet, so what nfa says is general. `nfa profile ask` asks the questions one by one.")
	}
	var rows [][]string
	var open []string
	for _, f := range o.objects("factors") {
		for _, a := range f.objects("answers") {
			rows = append(rows, []string{f.textOrAbsent("factor") + ": " + a.textOrAbsent("id"), a.textOrAbsent("answer")})
		}
		if unknown := f.Texts("unknown"); len(unknown) > 0 {
			open = append(open, fmt.Sprintf("%s (%s)", f.textOrAbsent("factor"), EscapeMarkdown(strings.Join(unknown, ", "))))
		}
	}
	if len(rows) > 0 {
		parts = append(parts, "What you said of yourself as an investor:", table([]string{"", "answer"}, rows))
	}
	if t := o.Object("risk_tolerance"); t.Text("level") != "" {
		parts = append(parts, fmt.Sprintf("Risk tolerance: **%s**, %s on a scale where `0` is the most careful and `100` the least.", t.textOrAbsent("level"), t.figure("score")))
	}
	for _, i := range o.objects("inconsistencies") {
		statement := "! " + asSentence(i.Text("says"))
		if suggests := i.Text("suggests"); suggests != "" {
			statement += " " + asSentence(capitalize(suggests))
		}
		parts = append(parts, statement)
	}
	if len(open) > 0 {
		parts = append(parts, "Not known: "+strings.Join(open, "; ")+". `nfa profile ask` asks for it.")
	}
	for _, a := range o.objects("advice") {
		if text := a.Text("sentence"); text != "" {
			parts = append(parts, fmt.Sprintf("- %s: %s", a.textOrAbsent("kind"), asSentence(text)))
		}
	}
	return append(parts, sources(withSource([]ResultObject{o}))...)
}
