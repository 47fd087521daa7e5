package offline

import (
	"fmt"
	"strings"
)

// rebalanceLines describes a rebalancing plan. A plan that the user's limits refuse is a NO with
// its reasons: its trades are not shown, because they are not a suggestion.
func (a AnswerInput) rebalanceLines(o ResultObject) []string {
	verdict := o.Object("verdict")
	if refused, known := verdict.flag("refused"); refused || !known {
		return refusedPlanLines(o, verdict)
	}
	currency := EscapeMarkdown(o.Text("currency"))
	parts := o.warningLines()
	parts = append(parts, fmt.Sprintf("Plan for your book of %s, to its targets. %s", o.textOrAbsent("as_of"), asSentence(verdict.Text("decision"))), suitabilityNote(verdict))
	var rows [][]string
	for _, t := range o.objects("trades") {
		rows = append(rows, []string{
			fmt.Sprintf("%s **%s**, %s", t.textOrAbsent("side"), t.textOrAbsent("symbol"), t.textOrAbsent("account")), t.figure("quantity"), t.money("price", currency),
			t.money("value", currency), t.fraction("part"), t.money("tax", currency),
		})
	}
	if len(rows) > 0 {
		parts = append(parts, table([]string{"", "quantity", "price", "value", "of the whole", "tax, estimated"}, rows))
	} else {
		parts = append(parts, "No trades: "+asSentence(o.Text("no_trades_because")))
	}
	parts = append(parts, driftLine(o.objects("drift")), o.Object("cost").costs(currency))
	for _, l := range o.objects("left_out") {
		text := fmt.Sprintf("- left out: %s %s, %s of the whole: %s", l.textOrAbsent("side"), l.textOrAbsent("symbol"), l.fraction("part"), asSentence(l.Text("reason")))
		if from := l.Text("possible_from"); from != "" {
			text += " Possible from " + EscapeMarkdown(from) + "."
		}
		parts = append(parts, text)
	}
	if note := o.Text("note"); note != "" {
		parts = append(parts, asSentence(note))
	}
	return append(parts, sources(withSource(o.objects("sources")))...)
}

// isRefusedPlan reports whether an error is a plan that the user's limits refuse, and
// no failure of the tool.
func (o ToolOutcome) isRefusedPlan() bool {
	refused, _ := o.Result.Object("verdict").flag("refused")
	return o.Tool == ToolRebalance && o.Code == codeRefused && refused
}

func refusedPlanLines(o, verdict ResultObject) []string {
	decision := asSentence(verdict.Text("decision"))
	if !strings.HasPrefix(decision, "NO") {
		decision = "NO. " + decision
	}
	parts := []string{"**" + decision + "**"}
	var lines []string
	for _, r := range verdict.objects("rules") {
		if r.Text("outcome") == "fail" {
			lines = append(lines, fmt.Sprintf("- %s: %s Before the plan: %s.", r.textOrAbsent("rule"), asSentence(r.Text("why")), r.textOrAbsent("outcome_before")))
		}
	}
	if len(lines) > 0 {
		parts = append(parts, strings.Join(lines, "\n"))
	}
	parts = append(parts, "The plan breaks limits that you set, so its trades are no suggestion and are not repeated here. Other targets may keep within them; `nfa profile` shows the limits.",
		suitabilityNote(verdict))
	parts = append(parts, o.warningLines()...)
	return append(parts, sources(withSource(o.objects("sources")))...)
}

// suitabilityNote says whether the advice is for this user, in the words of the tool.
func suitabilityNote(verdict ResultObject) string {
	var out []string
	for _, basis := range verdict.Texts("basis") {
		out = append(out, asSentence(capitalize(basis)))
	}
	return strings.Join(out, " ")
}

func driftLine(all []ResultObject) string {
	var rows [][]string
	for _, d := range all[:min(len(all), maxRows)] {
		outside := "no"
		if exceeded, _ := d.flag("outside"); exceeded {
			outside = "yes"
		}
		rows = append(rows, []string{"**" + d.textOrAbsent("symbol") + "**", d.fraction("weight"), d.fraction("target"), d.fraction("band"), outside, d.fraction("weight_after")})
	}
	if len(rows) == 0 {
		return ""
	}
	return table([]string{"", "weight", "target", "band", "outside", "weight after"}, rows)
}

// costs tell what the trades of a plan cost, as far as it is known.
func (o ResultObject) costs(currency string) string {
	text := "Bought " + o.fraction("bought_part") + " and sold " + o.fraction("sold_part") + " of the whole"
	if fees := o.money("fees", currency); fees != absent {
		text += "; fees " + fees
	}
	if tax := o.money("tax", currency); tax != absent {
		return text + "; tax on gains, estimated, " + tax + "."
	}
	return text + "; tax: " + absent + "."
}
