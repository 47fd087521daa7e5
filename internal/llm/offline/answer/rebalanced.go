package answer

import (
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/llm/offline/quoted"
	"github.com/nfa-cli/nfa/internal/llm/offline/toolname"
)

// rebalanced tells a plan of trades. One that the user's limits refuse is a NO with
// its reasons: its trades are not told, because they are no suggestion.
func (a Asked) rebalanced(o Object) []string {
	verdict := o.Object("verdict")
	if refused, known := verdict.flag("refused"); refused || !known {
		return refusedPlan(o, verdict)
	}
	currency := quoted.Escaped(o.Text("currency"))
	parts := o.alarms()
	parts = append(parts, fmt.Sprintf("Plan for your book of %s, to its targets. %s", o.known("as_of"), sentenceOf(verdict.Text("decision"))), general(verdict))
	var rows [][]string
	for _, t := range o.objects("trades") {
		rows = append(rows, []string{
			fmt.Sprintf("%s **%s**, %s", t.known("side"), t.known("symbol"), t.known("account")), t.figure("quantity"), t.money("price", currency),
			t.money("value", currency), t.fraction("part"), t.money("tax", currency),
		})
	}
	if len(rows) > 0 {
		parts = append(parts, table([]string{"", "quantity", "price", "value", "of the whole", "tax, estimated"}, rows))
	} else {
		parts = append(parts, "No trades: "+sentenceOf(o.Text("no_trades_because")))
	}
	parts = append(parts, drifted(o.objects("drift")), o.Object("cost").costs(currency))
	for _, l := range o.objects("left_out") {
		text := fmt.Sprintf("- left out: %s %s, %s of the whole: %s", l.known("side"), l.known("symbol"), l.fraction("part"), sentenceOf(l.Text("reason")))
		if from := l.Text("possible_from"); from != "" {
			text += " Possible from " + quoted.Escaped(from) + "."
		}
		parts = append(parts, text)
	}
	if note := o.Text("note"); note != "" {
		parts = append(parts, sentenceOf(note))
	}
	return append(parts, sources(dated(o.objects("sources")))...)
}

// refusedPlan reports whether an error is a plan that the user's limits refuse, and
// no failure of the tool.
func (o Outcome) refusedPlan() bool {
	refused, _ := o.Result.Object("verdict").flag("refused")
	return o.Tool == toolname.Rebalance && o.Code == codeRefused && refused
}

func refusedPlan(o, verdict Object) []string {
	decision := sentenceOf(verdict.Text("decision"))
	if !strings.HasPrefix(decision, "NO") {
		decision = "NO. " + decision
	}
	parts := []string{"**" + decision + "**"}
	var lines []string
	for _, r := range verdict.objects("rules") {
		if r.Text("outcome") == "fail" {
			lines = append(lines, fmt.Sprintf("- %s: %s Before the plan: %s.", r.known("rule"), sentenceOf(r.Text("why")), r.known("outcome_before")))
		}
	}
	if len(lines) > 0 {
		parts = append(parts, strings.Join(lines, "\n"))
	}
	parts = append(parts, "The plan breaks limits that you set, so its trades are no suggestion and are not repeated here. Other targets may keep within them; `nfa profile` shows the limits.",
		general(verdict))
	parts = append(parts, o.alarms()...)
	return append(parts, sources(dated(o.objects("sources")))...)
}

// general says whether the advice is for this user, in the words of the tool.
func general(verdict Object) string {
	var out []string
	for _, basis := range verdict.Texts("basis") {
		out = append(out, sentenceOf(capitalised(basis)))
	}
	return strings.Join(out, " ")
}

func drifted(all []Object) string {
	var rows [][]string
	for _, d := range all[:min(len(all), mostRows)] {
		outside := "no"
		if yes, _ := d.flag("outside"); yes {
			outside = "yes"
		}
		rows = append(rows, []string{"**" + d.known("symbol") + "**", d.fraction("weight"), d.fraction("target"), d.fraction("band"), outside, d.fraction("weight_after")})
	}
	if len(rows) == 0 {
		return ""
	}
	return table([]string{"", "weight", "target", "band", "outside", "weight after"}, rows)
}

// costs tell what the trades of a plan cost, as far as it is known.
func (o Object) costs(currency string) string {
	text := "Bought " + o.fraction("bought_part") + " and sold " + o.fraction("sold_part") + " of the whole"
	if fees := o.money("fees", currency); fees != absent {
		text += "; fees " + fees
	}
	if tax := o.money("tax", currency); tax != absent {
		return text + "; tax on gains, estimated, " + tax + "."
	}
	return text + "; tax: " + absent + "."
}
