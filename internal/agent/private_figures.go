package agent

import (
	"strings"
	"unicode"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tool"
)

// addResult adds the figures of a result. shown is the text that the model received of it. An answer may
// quote only the figures of a private result that are in this text. Otherwise the model could read hidden
// inputs in the footnotes of a report, or learn from tracing that a guess was right.
func (e *sourceIndex) addResult(call llm.ToolCall, r tool.Result, shown string) {
	if r.Private {
		r.Figures, r.ForUser, r.Notes = statedFigures(r.Figures, shown), "", nil
	}
	text := r.ForUser
	if r.ByModel {
		text = "" // a model's words are not a source
	}
	for _, n := range r.Notes {
		text += "\n" + n.Text
	}
	e.addFigures(call, r.Figures, text)
}

// statedFigures returns the figures whose values appear in shown, rounded as they are there,
// without inputs, which may hold other values.
func statedFigures(toolFigures []tool.Figure, shown string) []tool.Figure {
	stated := numbersIn(shown)
	var out []tool.Figure
	for _, f := range toolFigures {
		value, ok := stated.nearest(f.Value)
		if !ok {
			continue
		}
		f.Value = value
		var inputs []string
		for _, input := range f.Inputs {
			if !strings.ContainsFunc(input, unicode.IsNumber) {
				inputs = append(inputs, input)
			}
		}
		f.Inputs = inputs
		out = append(out, f)
	}
	return out
}

// numbers are the numbers of a text by their decimal places.
type numbers map[int32]map[string]bool

// numberIn matches numbers that are not part of a date, a time or a name.
var numberIn = lazyregexp.New(`(?:^|[^\w.,:+-])(-?\d{1,18}(?:\.\d{1,18})?)(?:$|[^\w:-])`)

func numbersIn(text string) numbers {
	all := numbers{}
	for _, m := range numberIn().FindAllStringSubmatch(text, -1) {
		places := int32(0)
		if point := strings.IndexByte(m[1], '.'); point >= 0 {
			places = int32(len(m[1]) - point - 1)
		}
		if all[places] == nil {
			all[places] = map[string]bool{}
		}
		all[places][m[1]] = true
	}
	return all
}

// nearest returns value rounded as in the text.
func (n numbers) nearest(value decimal.Decimal) (decimal.Decimal, bool) {
	best, found := int32(-1), false
	for places, texts := range n {
		if places > best && texts[value.StringFixed(places)] {
			best, found = places, true
		}
	}
	return value.Round(max(best, 0)), found
}
