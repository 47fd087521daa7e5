package offline

import (
	"fmt"
	"slices"
	"strings"
)

// sources says once for each origin where numbers come from, how old they are
// and what to know of them. Flags stand first, loud.
func sources(all []object) []string {
	var lines []string
	from := map[string][]object{}
	for _, o := range all {
		var words []string
		for _, flag := range o.texts("flags") {
			words = append(words, strings.ToUpper(escaped(flag)))
		}
		words = append(words, fmt.Sprintf("%s, as of %s", o.known("source"), o.known("as_of")))
		line := strings.Join(words, " ")
		if from[line] == nil {
			lines = append(lines, line)
		}
		from[line] = append(from[line], o)
	}
	for i, line := range lines {
		if notes := shared(from[line], object.notes); len(notes) > 0 {
			lines[i] += ". " + strings.Join(notes, ". ") + "."
		}
	}
	return lines
}

// notes are what the source says of its numbers, without what the answer says of
// dividends anyway.
func (o object) notes() []string {
	var out []string
	for part := range strings.SplitSeq(o.text("note"), "; ") {
		if part == o.counts() || o.isIndex() && strings.Contains(part, "dividends") {
			continue
		}
		for one := range strings.SplitSeq(part, ". ") {
			if one = strings.TrimRight(one, ". "); one != "" {
				out = append(out, literal(one))
			}
		}
	}
	return out
}

// warned are the warnings of results, each once.
func warned(all []object) []string {
	out := shared(all, func(o object) []string {
		var own []string
		for _, w := range o.texts("warnings") {
			own = append(own, literal(strings.TrimSuffix(w, ".")))
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
func shared(all []object, said func(object) []string) []string {
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

// bareNumber is a number that is no year and no part of a date.
var bareNumber = pattern(`(^|[\s(])(\d{1,3}(?:,\d{3})*(?:\.\d+)?(?: ?%)?)([\s).,;:]|$)`)

// literal is a source's own wording. Its numbers are set as code: they describe
// the data and are no findings, so nobody should look for the call they are from.
func literal(text string) string { return bareNumber().ReplaceAllString(escaped(text), "$1`$2`$3") }
