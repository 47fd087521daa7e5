package trace

import (
	"cmp"
	"slices"
	"strings"

	"github.com/shopspring/decimal"
)

// KnownFigure is a number that a tool returned.
type KnownFigure struct {
	ID       string
	Label    string // "AAPL annual return"
	Value    decimal.Decimal
	Unit     string // "%", "bp", "x", "bars", "USD per share"; "" for a bare number
	Currency string // an ISO code; "" if Unit names it or there is none
	// Index identifies the figure in a MatchedNumber. Several figures may share one: the inputs of
	// a computed figure have its Index.
	Index int
	// Input is true for an input of a figure's formula.
	Input bool
}

// Sources holds the figures to compare the numbers of an answer with. The zero value is empty. It
// may grow between two answers, but not during a match.
type Sources struct {
	facts  []fact
	bySize []sizedFact // sorted; for the same size, newest first
	stated map[float64][]Number
	groups map[string][]*namedGroup // by the last word of the name
}

// fact is a KnownFigure with its unit parsed.
type fact struct {
	KnownFigure
	figureUnit
	value decimal.Decimal // with the unit's scale applied
	words []string        // of the label, in lower case
}

// sizedFact finds a fact by its approximate size.
type sizedFact struct {
	size float64
	fact int
}

// figureUnit is a parsed unit name.
type figureUnit struct {
	kind     UnitKind
	currency string
	bare     bool // a fraction that may be shown in percent
	open     bool // of any kind: the unit may be named elsewhere in the text
	span     string
	daily    bool // counted in bars, one per day
	scale    int32
}

// Add adds numbers that a tool returned.
func (e *Sources) Add(known ...KnownFigure) {
	for _, k := range known {
		f := fact{KnownFigure: k, figureUnit: unitOf(k.Unit), words: wordsOf(k.Label)}
		if code := currencyOf(k.Currency); code != "" {
			f.currency = code
		}
		f.value = k.Value.Shift(f.scale)
		e.facts = append(e.facts, f)
	}
}

// AddInputs adds the numbers in the inputs of a computed figure: "first close 1447.16 on
// 2008-01-02".
func (e *Sources) AddInputs(index int, inputs ...string) {
	for _, input := range inputs {
		for _, n := range ScanNumbers(input) {
			if n.Class != ClassFigure {
				continue
			}
			f := fact{
				KnownFigure: KnownFigure{Label: input, Value: n.Value, Unit: string(n.Kind), Currency: n.Currency, Index: index, Input: true},
				figureUnit:  figureUnit{kind: n.Kind, currency: n.Currency, span: timeUnit(n.noun)}, value: n.Value, words: wordsOf(input),
			}
			f.bare = n.Kind == UnitPlain && n.Currency == "" && n.noun == ""
			e.facts = append(e.facts, f)
		}
	}
}

// AddText adds a text whose numbers need no source if an answer repeats them: what the user wrote,
// and what tools wrote around their figures.
func (e *Sources) AddText(text string) {
	for _, n := range readDocument(text, true).numbers() {
		if n.Class != ClassFigure && !n.soft && (n.Class != ClassYear || n.Unit.IsZero()) {
			continue
		}
		if e.stated == nil {
			e.stated = map[float64][]Number{}
		}
		key := n.Value.Abs().InexactFloat64()
		if !slices.ContainsFunc(e.stated[key], func(s Number) bool { return s.Kind == n.Kind && s.Currency == n.Currency }) {
			e.stated[key] = append(e.stated[key], n)
		}
	}
}

// isStated reports whether an added text has the number, or its digits without the scale word,
// because formulas for tables in millions have only the digits.
func (e *Sources) isStated(n *Number) bool {
	size := n.Value.Abs()
	for _, s := range e.stated[size.InexactFloat64()] {
		if (s.Kind == n.Kind || s.Kind == UnitPlain || n.Kind == UnitPlain && n.Currency == "") && sameCurrency(s.Currency, n.Currency) {
			return true
		}
	}
	bare := func(s Number) bool { return s.Kind == UnitPlain && !s.scaled }
	return n.scaled && slices.ContainsFunc(e.stated[size.Shift(-n.power).InexactFloat64()], bare)
}

// sortNew sorts the facts added since the last answer.
func (e *Sources) sortNew() {
	if len(e.bySize) == len(e.facts) {
		return
	}
	for i := len(e.bySize); i < len(e.facts); i++ {
		e.bySize = append(e.bySize, sizedFact{e.facts[i].value.Abs().InexactFloat64(), i})
		e.indexName(i)
	}
	slices.SortFunc(e.bySize, func(a, b sizedFact) int { return cmp.Or(cmp.Compare(a.size, b.size), cmp.Compare(b.fact, a.fact)) })
}

// unitOf parses the name of a figure's unit: "USD per share", "Billions of Dollars", "percentage
// points".
func unitOf(name string) figureUnit {
	lower := strings.ToLower(strings.TrimSpace(name))
	switch lower {
	case "", "ratio", "fraction", "correlation", "share":
		return figureUnit{bare: true}
	case "bars", "returns", "observations", "closes", "sessions":
		return figureUnit{daily: true}
	case "pp", "percentage points", "percent points", "% points":
		return figureUnit{kind: UnitPoints}
	case "bp", "bps", "basis points":
		return figureUnit{kind: UnitBasisPoints}
	case "x", "times", "multiple":
		return figureUnit{kind: UnitMultiple}
	case "per cent", "pct":
		return figureUnit{kind: UnitPercent}
	}
	switch {
	case strings.HasPrefix(lower, "as printed"):
		return figureUnit{open: true}
	case strings.HasPrefix(lower, "percent"), strings.HasPrefix(lower, "%"):
		return figureUnit{kind: UnitPercent}
	}
	u := figureUnit{span: timeUnit(strings.TrimSuffix(lower, "s"))}
	for _, w := range strings.Fields(name) {
		if code := currencyOf(w); code != "" && u.currency == "" {
			u.currency = code
		}
		if power, ok := scaleOf(strings.ToLower(w)); ok && len(w) > 1 {
			u.scale = power
		}
	}
	return u
}
