package answer

import (
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/llm/offline/quoted"
)

// checked tells which rules the book fails, which could not be judged, and which it
// passes.
func (a Asked) checked(o Object) []string {
	parts := append(o.alarms(), fmt.Sprintf("Your book of %s, held against rules: **%s fail**, %s pass, %s not judged.",
		o.known("as_of"), o.count("failed"), o.count("passed"), o.count("not_judged")))
	var failed [][]string
	var meaning, open, passed []string
	for _, r := range o.objects("rules") {
		switch r.Text("outcome") {
		case "fail":
			failed = append(failed, []string{r.known("measures"), r.ruled("number"), strings.TrimSpace(quoted.Escaped(r.Text("bound")) + " " + r.ruled("threshold"))})
			meaning = append(meaning, fmt.Sprintf("- %s: %s Threshold: %s", r.known("measures"), sentenceOf(r.Text("meaning")), sentenceOf(r.Text("threshold_from"))))
		case "pass":
			passed = append(passed, r.known("measures"))
		default:
			why := sentenceOf(r.Text("missing"))
			if mend := r.Text("mend"); mend != "" {
				why += " " + sentenceOf(capitalised(mend))
			}
			open = append(open, "- "+r.known("measures")+": "+why)
		}
	}
	for _, n := range o.Texts("notes") {
		parts = append(parts, "! "+sentenceOf(capitalised(n)))
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
		parts = append(parts, sentenceOf(note))
	}
	return append(parts, sources(dated(o.objects("sources")))...)
}

// ruled writes the number of a rule in its unit.
func (o Object) ruled(name string) string {
	if o.Text("unit") == "fraction" {
		return o.fraction(name)
	}
	return o.figure(name)
}

// fraction writes a fraction in per cent, to a hundredth.
func (o Object) fraction(name string) string {
	d, ok := o.number(name)
	if !ok {
		return absent
	}
	const places = 2
	return grouped(d.Shift(2).Round(places).String()) + "%"
}
