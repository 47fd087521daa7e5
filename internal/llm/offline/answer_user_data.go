package offline

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// userDataWriters write the result of each tool that reads the user's own data. The parts are in
// order of importance: warnings before figures.
var userDataWriters = sync.OnceValue(func() map[string]func(AnswerInput, ResultObject) []string {
	return map[string]func(AnswerInput, ResultObject) []string{
		ToolPositions: AnswerInput.positionLines, ToolAllocation: AnswerInput.allocationLines, ToolPerformance: AnswerInput.performanceLines, ToolCheckup: AnswerInput.checkupLines, ToolRebalance: AnswerInput.rebalanceLines,
		ToolLots: AnswerInput.lotLines, ToolWatchlist: AnswerInput.watchlistLines, ToolJournal: AnswerInput.journalLines, ToolProfile: AnswerInput.profileLines,
	}
})

// isUserDataTool reports whether a tool answers from what the user keeps.
func isUserDataTool(tool string) bool { return userDataWriters()[tool] != nil }

// userDataLines tells one result of such a tool.
func (a AnswerInput) userDataLines(o ToolOutcome) []string {
	return userDataWriters()[o.Tool](a, o.Result)
}

// hiddenAmountsWarning is said in place of what a tool tells a model of the amounts that it
// may not see.
const hiddenAmountsWarning = "! Amounts are kept from the assistant by your setting `share_amounts`, so it has weights, per cents and dates alone; the card of the tool shows you the sums."

const (
	maxNotes = 12 // warnings, or notes, that are repeated
	maxRows  = 40
)

// warningLines returns the warnings of a result about the portfolio, and whether amounts are
// hidden.
func (o ResultObject) warningLines() []string {
	var out []string
	if o.hidesAmounts() {
		out = append(out, hiddenAmountsWarning)
	}
	texts := o.Texts("warnings")
	for _, w := range texts[:min(len(texts), maxNotes)] {
		out = append(out, "! "+asSentence(w))
	}
	return appendOmitted(out, len(texts)-maxNotes, "warnings")
}

// hidesAmounts reports whether the user keeps amounts from models.
func (o ResultObject) hidesAmounts() bool {
	return o.Text("amounts") != "" || slices.ContainsFunc(o.Texts("notes"), isHiddenNote)
}

func isHiddenNote(note string) bool { return strings.HasPrefix(note, "amounts are hidden") }

// noteParagraph joins the notes of a result about the portfolio into one paragraph.
func (o ResultObject) noteParagraph() string {
	texts := slices.DeleteFunc(o.Texts("notes"), isHiddenNote)
	var out []string
	for _, n := range texts[:min(len(texts), maxNotes)] {
		out = append(out, asSentence(capitalize(n)))
	}
	return strings.Join(appendOmitted(out, len(texts)-maxNotes, "notes"), " ")
}

// appendOmitted says how many were left out, if any.
func appendOmitted(lines []string, omitted int, noun string) []string {
	if omitted <= 0 {
		return lines
	}
	return append(lines, fmt.Sprintf("! More %s stand on the card of the tool.", noun))
}

// rows are the objects of a list that a table shows, with a sentence where it does
// not show them all.
func (o ResultObject) rows(name string) (shown []ResultObject, rest string) {
	all := o.objects(name)
	if len(all) > maxRows {
		rest = "! This is not all: the rest stands on the card of the tool."
	}
	return all[:min(len(all), maxRows)], rest
}

// withSource are the objects that say where their numbers are from.
func withSource(all []ResultObject) []ResultObject {
	return slices.DeleteFunc(slices.Clone(all), func(o ResultObject) bool { return o.Text("source") == "" })
}

// figure writes a number in the digits it came in, with two decimals where it has
// any.
func (o ResultObject) figure(name string) string {
	d, ok := o.number(name)
	if !ok {
		return absent
	}
	const fewest = 2
	if d.Exponent() >= 0 {
		return groupThousands(d.String())
	}
	return groupThousands(d.StringFixed(max(-d.Exponent(), fewest)))
}

// money writes an amount in a currency.
func (o ResultObject) money(name, currency string) string {
	d, ok := o.number(name)
	if !ok {
		return absent
	}
	const places = 2
	if d.Exponent() >= 0 {
		return withUnit(groupThousands(d.String()), currency)
	}
	return withUnit(groupThousands(d.StringFixed(places)), currency)
}

// percentPoints writes a number that is in percent already.
func (o ResultObject) percentPoints(name string) string {
	d, ok := o.number(name)
	if !ok {
		return absent
	}
	const places = 2
	return groupThousands(d.Round(places).String()) + "%"
}

// signedPercentPoints is percentPoints with a plus sign on a positive number.
func (o ResultObject) signedPercentPoints(name string) string {
	d, ok := o.number(name)
	if !ok {
		return absent
	}
	return plusSign(d) + o.percentPoints(name)
}

// gainText is an amount of gain with its per cent, as far as they are known.
func (o ResultObject) gainText(amount, pct, currency string) string {
	d, ok := o.number(amount)
	switch {
	case ok && o.percentPoints(pct) != absent:
		return plusSign(d) + o.money(amount, currency) + " (" + o.signedPercentPoints(pct) + ")"
	case ok:
		return plusSign(d) + o.money(amount, currency)
	}
	return o.signedPercentPoints(pct)
}

// flag is a field that is true or false; known is whether it is there.
func (o ResultObject) flag(name string) (value, ok bool) {
	switch strings.TrimSpace(string(o.fields[name])) {
	case "true":
		return true, true
	case "false":
		return false, true
	}
	return false, false
}
