package answer

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/nfa-cli/nfa/internal/llm/offline/toolname"
)

// ownAnswers are how the result of each tool that reads what the user keeps is told.
// The parts stand in the order of what matters: warnings before figures.
var ownAnswers = sync.OnceValue(func() map[string]func(Asked, Object) []string {
	return map[string]func(Asked, Object) []string{
		toolname.Positions: Asked.held, toolname.Allocation: Asked.divided, toolname.Performance: Asked.earned, toolname.Checkup: Asked.checked, toolname.Rebalance: Asked.rebalanced,
		toolname.Lots: Asked.lotted, toolname.Watchlist: Asked.watched, toolname.Journal: Asked.reviewed, toolname.Profile: Asked.profiled,
	}
})

// isOwn reports whether a tool answers from what the user keeps.
func isOwn(tool string) bool { return ownAnswers()[tool] != nil }

// toldOwn tells one result of such a tool.
func (a Asked) toldOwn(o Outcome) []string { return ownAnswers()[o.Tool](a, o.Result) }

// keptFromUs is said in place of what a tool tells a model of the amounts that it
// may not see.
const keptFromUs = "! Amounts are kept from the assistant by your setting `share_amounts`, so it has weights, per cents and dates alone; the card of the tool shows you the sums."

const (
	mostSaid = 12 // warnings, or notes, that are repeated
	mostRows = 40
)

// alarms are the warnings of a result about the book, and whether amounts are hidden.
func (o Object) alarms() []string {
	var out []string
	if o.hidesAmounts() {
		out = append(out, keptFromUs)
	}
	texts := o.Texts("warnings")
	for _, w := range texts[:min(len(texts), mostSaid)] {
		out = append(out, "! "+sentenceOf(w))
	}
	return withRest(out, len(texts)-mostSaid, "warnings")
}

// hidesAmounts reports whether the user keeps amounts from models.
func (o Object) hidesAmounts() bool {
	return o.Text("amounts") != "" || slices.ContainsFunc(o.Texts("notes"), isHiddenNote)
}

func isHiddenNote(note string) bool { return strings.HasPrefix(note, "amounts are hidden") }

// remarks are the notes of a result about the book, as sentences of one paragraph.
func (o Object) remarks() string {
	texts := slices.DeleteFunc(o.Texts("notes"), isHiddenNote)
	var out []string
	for _, n := range texts[:min(len(texts), mostSaid)] {
		out = append(out, sentenceOf(capitalised(n)))
	}
	return strings.Join(withRest(out, len(texts)-mostSaid, "notes"), " ")
}

// withRest says how many were left out, if any.
func withRest(told []string, left int, of string) []string {
	if left <= 0 {
		return told
	}
	return append(told, fmt.Sprintf("! More %s stand on the card of the tool.", of))
}

// rows are the objects of a list that a table shows, with a sentence where it does
// not show them all.
func (o Object) rows(name string) (shown []Object, rest string) {
	all := o.objects(name)
	if len(all) > mostRows {
		rest = "! This is not all: the rest stands on the card of the tool."
	}
	return all[:min(len(all), mostRows)], rest
}

// dated are the objects that say where their numbers are from.
func dated(all []Object) []Object {
	return slices.DeleteFunc(slices.Clone(all), func(o Object) bool { return o.Text("source") == "" })
}

// figure writes a number in the digits it came in, with two decimals where it has
// any.
func (o Object) figure(name string) string {
	d, ok := o.number(name)
	if !ok {
		return absent
	}
	const fewest = 2
	if d.Exponent() >= 0 {
		return grouped(d.String())
	}
	return grouped(d.StringFixed(max(-d.Exponent(), fewest)))
}

// money is figure in a currency.
func (o Object) money(name, currency string) string { return withUnit(o.figure(name), currency) }

// perCent writes a number that is in per cent already, as it came.
func (o Object) perCent(name string) string {
	d, ok := o.number(name)
	if !ok {
		return absent
	}
	return grouped(d.String()) + "%"
}

// signedPerCent is perCent with a plus where it is one.
func (o Object) signedPerCent(name string) string {
	d, ok := o.number(name)
	if !ok {
		return absent
	}
	return plus(d) + o.perCent(name)
}

// gained is an amount of gain with its per cent, as far as they are known.
func (o Object) gained(amount, pct, currency string) string {
	d, ok := o.number(amount)
	switch {
	case ok && o.perCent(pct) != absent:
		return plus(d) + o.money(amount, currency) + " (" + o.signedPerCent(pct) + ")"
	case ok:
		return plus(d) + o.money(amount, currency)
	}
	return o.signedPerCent(pct)
}

// flag is a field that is true or false; known is whether it is there.
func (o Object) flag(name string) (yes, known bool) {
	switch strings.TrimSpace(string(o.fields[name])) {
	case "true":
		return true, true
	case "false":
		return false, true
	}
	return false, false
}
