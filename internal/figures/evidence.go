package figures

import (
	"cmp"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/figures/measure"
	"github.com/nfa-cli/nfa/internal/figures/numeral"
	"github.com/nfa-cli/nfa/internal/figures/page"
)

// Known is a number that a tool gave.
type Known struct {
	ID       string
	Label    string // "AAPL annual return"
	Value    decimal.Decimal
	Unit     string // "%", "bp", "x", "bars", "USD per share"; "" for a bare number
	Currency string // an ISO code; "" where the unit says it, or none is meant
	// Index is what a Matched number names the figure by. Figures may share one:
	// the inputs of a computed figure have its Index.
	Index int
	// Input says that this is not the figure itself but what it was computed from.
	Input bool
}

// Evidence is what the numbers of an answer are compared to. The zero value holds
// nothing. It may grow between two answers, but not while one is matched.
type Evidence struct {
	facts  []fact
	sizes  []sized // of the facts, in order; of one size the newest first
	said   map[float64][]numeral.Number
	groups map[string][]*group // by the last word of the name
}

// fact is a Known with its unit read.
type fact struct {
	Known
	unit
	value decimal.Decimal // with the unit's scale applied
	words []string        // of the label, in lower case
}

// sized finds facts by their size; the float is near enough to look them up.
type sized struct {
	size float64
	fact int
}

// unit is what a unit's name says.
type unit struct {
	kind     measure.Kind
	currency string
	bare     bool // a fraction may be shown in per cent
	open     bool // of any kind: printed in a text, which may say it elsewhere
	span     string
	daily    bool // counted in bars, of which there is one a day
	scale    int32
}

// Add takes in numbers that a tool gave.
func (e *Evidence) Add(known ...Known) {
	for _, k := range known {
		f := fact{Known: k, unit: unitOf(k.Unit), words: wordsOf(k.Label)}
		if code := measure.Currency(k.Currency); code != "" {
			f.currency = code
		}
		f.value = k.Value.Shift(f.scale)
		e.facts = append(e.facts, f)
	}
}

// Said takes in text whose numbers need no source when an answer repeats them:
// what the user wrote, and what tools said around their figures.
func (e *Evidence) Said(text string) {
	for _, n := range numeral.Read(page.ReadQuoted(text)) {
		if n.Class != numeral.Figure && !n.Soft && (n.Class != numeral.Year || n.Unit.IsZero()) {
			continue
		}
		if e.said == nil {
			e.said = map[float64][]numeral.Number{}
		}
		key := n.Value.Abs().InexactFloat64()
		if !slices.ContainsFunc(e.said[key], func(s numeral.Number) bool { return s.Kind == n.Kind && s.Currency == n.Currency }) {
			e.said[key] = append(e.said[key], n)
		}
	}
}

// wasSaid reports whether the very number was said, or its digits without the
// scale word: of a table in millions, a formula has the bare digits.
func (e *Evidence) wasSaid(n *numeral.Number) bool {
	if len(e.said) == 0 {
		return false
	}
	size := n.Value.Abs()
	for _, s := range e.said[size.InexactFloat64()] {
		if (s.Kind == n.Kind || s.Kind == measure.Plain || n.Kind == measure.Plain && n.Currency == "") && measure.SameCurrency(s.Currency, n.Currency) {
			return true
		}
	}
	if !n.Scaled {
		return false
	}
	bare := func(s numeral.Number) bool { return s.Kind == measure.Plain && !s.Scaled }
	return slices.ContainsFunc(e.said[size.Shift(-n.Power).InexactFloat64()], bare)
}

// order sorts what was added since the last answer in among the rest.
func (e *Evidence) order() {
	if len(e.sizes) == len(e.facts) {
		return
	}
	for i := len(e.sizes); i < len(e.facts); i++ {
		e.sizes = append(e.sizes, sized{e.facts[i].value.Abs().InexactFloat64(), i})
		e.name(i)
	}
	slices.SortFunc(e.sizes, func(a, b sized) int { return cmp.Or(cmp.Compare(a.size, b.size), cmp.Compare(b.fact, a.fact)) })
}

func isDays(unit string) bool {
	switch unit {
	case "bars", "returns", "observations", "closes", "sessions":
		return true
	}
	return false
}

// unitOf reads the name of a figure's unit: "USD per share", "Billions of
// Dollars", "percentage points".
func unitOf(name string) unit {
	lower := strings.ToLower(strings.TrimSpace(name))
	if strings.HasPrefix(lower, "as printed") {
		return unit{open: true}
	}
	if isDays(lower) {
		return unit{daily: true}
	}
	switch lower {
	case "", "ratio", "fraction", "correlation", "share":
		return unit{bare: true}
	case "%", "percent", "per cent", "pct", "% per year", "% p.a.", "percent per year":
		return unit{kind: measure.Percent}
	case "pp", "percentage points", "percent points", "% points":
		return unit{kind: measure.Points}
	case "bp", "bps", "basis points":
		return unit{kind: measure.Basis}
	case "x", "times", "multiple":
		return unit{kind: measure.Multiple}
	}
	if strings.HasPrefix(lower, "percent") || strings.HasPrefix(lower, "%") {
		return unit{kind: measure.Percent}
	}
	u := unit{span: measure.Span(strings.TrimSuffix(lower, "s"))}
	for _, word := range strings.Fields(name) {
		if code := measure.Currency(word); code != "" && u.currency == "" {
			u.currency = code
		}
		if power, ok := measure.Scale(strings.ToLower(word)); ok && len(word) > 1 {
			u.scale = power
		}
	}
	return u
}

// AddInputs takes in the numbers of the texts that say what the figure of an
// index was computed from: "first close 1447.16 on 2008-01-02".
func (e *Evidence) AddInputs(index int, inputs ...string) {
	for _, input := range inputs {
		for _, n := range numeral.Scan(input) {
			if n.Class != numeral.Figure {
				continue
			}
			f := fact{
				Known: Known{Label: input, Value: n.Value, Unit: string(n.Kind), Currency: n.Currency, Index: index, Input: true},
				unit:  unit{kind: n.Kind, currency: n.Currency, span: measure.Span(n.Noun)}, value: n.Value, words: wordsOf(input),
			}
			f.bare = n.Kind == measure.Plain && n.Currency == "" && n.Noun == ""
			e.facts = append(e.facts, f)
		}
	}
}
