package offline

import (
	"fmt"
	"strings"
)

// checked tells which rules the book fails, which could not be judged, and which it
// passes.
func (in intent) checked(o object) []string {
	parts := append(o.alarms(), fmt.Sprintf("Your book of %s, held against rules: **%s fail**, %s pass, %s not judged.",
		o.known("as_of"), o.count("failed"), o.count("passed"), o.count("not_judged")))
	var failed [][]string
	var meaning, open, passed []string
	for _, r := range o.objects("rules") {
		switch r.text("outcome") {
		case "fail":
			failed = append(failed, []string{r.known("measures"), r.ruled("number"), strings.TrimSpace(escaped(r.text("bound")) + " " + r.ruled("threshold"))})
			meaning = append(meaning, fmt.Sprintf("- %s: %s Threshold: %s", r.known("measures"), sentenceOf(r.text("meaning")), sentenceOf(r.text("threshold_from"))))
		case "pass":
			passed = append(passed, r.known("measures"))
		default:
			why := sentenceOf(r.text("missing"))
			if mend := r.text("mend"); mend != "" {
				why += " " + sentenceOf(capitalised(mend))
			}
			open = append(open, "- "+r.known("measures")+": "+why)
		}
	}
	for _, n := range o.texts("notes") {
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
	if note := o.text("note"); note != "" {
		parts = append(parts, sentenceOf(note))
	}
	return append(parts, sources(dated(o.objects("sources")))...)
}

// ruled writes the number of a rule in its unit.
func (o object) ruled(name string) string {
	if o.text("unit") == "fraction" {
		return o.fraction(name)
	}
	return o.figure(name)
}

// fraction writes a fraction in per cent, to a hundredth.
func (o object) fraction(name string) string {
	d, ok := o.number(name)
	if !ok {
		return absent
	}
	const places = 2
	return grouped(d.Shift(2).Round(places).String()) + "%"
}
