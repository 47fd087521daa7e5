package answer

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/llm/offline/quoted"
	"github.com/nfa-cli/nfa/internal/wording"
)

// sources says once for each origin where numbers come from, how old they are
// and what to know of them. Flags stand first, loud.
func sources(all []Object) []string {
	var lines []string
	from := map[string][]Object{}
	for _, o := range all {
		var words []string
		for _, flag := range o.Texts("flags") {
			words = append(words, strings.ToUpper(quoted.Escaped(flag)))
		}
		words = append(words, fmt.Sprintf("%s, as of %s", o.known("source"), o.known("as_of")))
		line := strings.Join(words, " ")
		if from[line] == nil {
			lines = append(lines, line)
		}
		from[line] = append(from[line], o)
	}
	var told []string // what two sources say alike stands once
	for i, line := range lines {
		if notes := unsaid(told, shared(from[line], Object.notes)); len(notes) > 0 {
			told = append(told, notes...)
			lines[i] += ". " + strings.Join(notes, ". ") + "."
		}
	}
	return lines
}

func unsaid(told, notes []string) []string {
	return slices.DeleteFunc(notes, func(n string) bool { return slices.Contains(told, n) })
}

// notes are what the source says of its numbers, without what the answer says of
// dividends anyway.
func (o Object) notes() []string {
	var out []string
	for part := range strings.SplitSeq(o.Text("note"), "; ") {
		if part == o.counts() || o.isIndex() && strings.Contains(part, "dividends") {
			continue
		}
		for one := range strings.SplitSeq(part, ". ") {
			if one = strings.TrimRight(one, ". "); one != "" {
				out = append(out, quoted.Escaped(capitalised(one)))
			}
		}
	}
	return out
}

// warned are the warnings of results, each once.
func warned(all []Object) []string {
	out := shared(all, func(o Object) []string {
		var own []string
		for _, w := range o.Texts("warnings") {
			own = append(own, quoted.Escaped(strings.TrimSuffix(w, ".")))
		}
		return own
	})
	for i := range out {
		out[i] = "! " + out[i] + "."
	}
	return out
}

// shared lists what is said of several objects once each, with the symbols it is
// said of where that is not all of them.
func shared(all []Object, said func(Object) []string) []string {
	var order []string
	of := map[string][]string{}
	for _, o := range all {
		for _, text := range said(o) {
			if of[text] == nil {
				order = append(order, text)
			}
			if symbol := o.known("symbol"); !slices.Contains(of[text], symbol) {
				of[text] = append(of[text], symbol)
			}
		}
	}
	var symbols []string
	for _, o := range all {
		if symbol := o.known("symbol"); !slices.Contains(symbols, symbol) {
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

// capitalised begins as a sentence does. A text that begins with the name of a call
// begins with a verb for people, which is typed as it is.
func capitalised(text string) string {
	if text = wording.ForPeople(text); text == "" || strings.HasPrefix(text, "nfa ") {
		return text
	}
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}
