package offline

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/humanize"
)

// sources says once for each origin where numbers come from, how old they are
// and what to know of them. Flags stand first, loud.
func sources(all []ResultObject) []string {
	var lines []string
	from := map[string][]ResultObject{}
	for _, o := range all {
		var parts []string
		for _, flag := range o.Texts("flags") {
			parts = append(parts, strings.ToUpper(EscapeMarkdown(flag)))
		}
		parts = append(parts, fmt.Sprintf("%s, as of %s", o.textOrAbsent("source"), o.textOrAbsent("as_of")))
		line := strings.Join(parts, " ")
		if from[line] == nil {
			lines = append(lines, line)
		}
		from[line] = append(from[line], o)
	}
	var mentioned []string // what two sources say alike stands once
	for i, line := range lines {
		if notes := newNotes(mentioned, notesBySymbol(from[line], ResultObject.notes)); len(notes) > 0 {
			mentioned = append(mentioned, notes...)
			lines[i] += ". " + strings.Join(notes, ". ") + "."
		}
	}
	return lines
}

func newNotes(existing, notes []string) []string {
	return slices.DeleteFunc(notes, func(n string) bool { return slices.Contains(existing, n) })
}

// notes are what the source says of its numbers, without what the answer says of
// dividends anyway.
func (o ResultObject) notes() []string {
	var out []string
	for part := range strings.SplitSeq(o.Text("note"), "; ") {
		if part == o.returnBasis() || o.isIndex() && strings.Contains(part, "dividends") {
			continue
		}
		for one := range strings.SplitSeq(part, ". ") {
			if one = strings.TrimRight(one, ". "); one != "" {
				out = append(out, EscapeMarkdown(capitalize(one)))
			}
		}
	}
	return out
}

// warningsOf are the warnings of results, each once.
func warningsOf(all []ResultObject) []string {
	out := notesBySymbol(all, func(o ResultObject) []string {
		var warnings []string
		for _, w := range o.Texts("warnings") {
			warnings = append(warnings, EscapeMarkdown(strings.TrimSuffix(w, ".")))
		}
		return warnings
	})
	for i := range out {
		out[i] = "! " + out[i] + "."
	}
	return out
}

// notesBySymbol lists what is said of several objects once each, with the symbols it is
// said of where that is not all of them.
func notesBySymbol(all []ResultObject, notesOf func(ResultObject) []string) []string {
	var order []string
	of := map[string][]string{}
	for _, o := range all {
		for _, text := range notesOf(o) {
			if of[text] == nil {
				order = append(order, text)
			}
			if symbol := o.textOrAbsent("symbol"); !slices.Contains(of[text], symbol) {
				of[text] = append(of[text], symbol)
			}
		}
	}
	var symbols []string
	for _, o := range all {
		if symbol := o.textOrAbsent("symbol"); !slices.Contains(symbols, symbol) {
			symbols = append(symbols, symbol)
		}
	}
	for i, text := range order {
		if len(of[text]) < len(symbols) {
			order[i] = strings.Join(of[text], ", ") + ": " + text
		}
	}
	return order
}

// capitalize begins as a sentence does. A text that begins with the name of a call
// begins with a verb for people, which is typed as it is.
func capitalize(text string) string {
	if text = humanize.ForPeople(text); text == "" || strings.HasPrefix(text, "nfa ") {
		return text
	}
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}
