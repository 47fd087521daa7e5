package offline

import (
	"fmt"
	"strings"
)

// checkupLines lists the rules that the portfolio fails, those that could not be judged, and those
// that it passes.
func (a AnswerInput) checkupLines(o ResultObject) []string {
	parts := append(o.warningLines(), fmt.Sprintf("Your book of %s, held against rules: **%s fail**, %s pass, %s not judged.",
		o.textOrAbsent("as_of"), o.count("failed"), o.count("passed"), o.count("not_judged")))
	var failed [][]string
	var meaning, open, passed []string
	for _, r := range o.objects("rules") {
		switch r.Text("outcome") {
		case "fail":
			failed = append(failed, []string{r.textOrAbsent("measures"), r.ruleValue("number"), strings.TrimSpace(EscapeMarkdown(r.Text("bound")) + " " + r.ruleValue("threshold"))})
			meaning = append(meaning, fmt.Sprintf("- %s: %s Threshold: %s", r.textOrAbsent("measures"), asSentence(r.Text("meaning")), asSentence(r.Text("threshold_from"))))
		case "pass":
			passed = append(passed, r.textOrAbsent("measures"))
		default:
			why := asSentence(r.Text("missing"))
			if mend := r.Text("mend"); mend != "" {
				why += " " + asSentence(capitalize(mend))
			}
			open = append(open, "- "+r.textOrAbsent("measures")+": "+why)
		}
	}
	for _, n := range o.Texts("notes") {
		parts = append(parts, "! "+asSentence(capitalize(n)))
	}
	if len(failed) > 0 {
		parts = append(parts, table([]string{"fails", "value", "threshold"}, failed), strings.Join(meaning, "\n"))
	}
	if len(open) > 0 {
		parts = append(parts, "Not judged:\n\n"+strings.Join(open, "\n"))
	}
	if len(passed) > 0 {
		parts = append(parts, "Passed: "+strings.Join(passed, "; ")+".")
	}
	if note := o.Text("note"); note != "" {
		parts = append(parts, asSentence(note))
	}
	return append(parts, sources(withSource(o.objects("sources")))...)
}

// ruleValue writes the number of a rule in its unit.
func (o ResultObject) ruleValue(name string) string {
	if o.Text("unit") == "fraction" {
		return o.fraction(name)
	}
	return o.figure(name)
}

// fraction writes a fraction in per cent, to a hundredth.
func (o ResultObject) fraction(name string) string {
	d, ok := o.number(name)
	if !ok {
		return absent
	}
	const places = 2
	return groupThousands(d.Shift(2).Round(places).String()) + "%"
}
