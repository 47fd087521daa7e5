package trace

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// KnownFigure is a number that a tool returned.
type KnownFigure struct {
	ID       string
	Label    string // "AAPL annual return"
	Value    decimal.Decimal
	Unit     string // "%", "bp", "x", "bars", "USD per share"; "" for a bare number
	Currency string // an ISO code; "" if Unit names it or there is none
	// Symbols are what the figure is about if its label does not name it.
	Symbols []string
	AsOf    time.Time // the date the figure is for; zero if unknown
	// Today is true if AsOf is today. A figure that was computed today, and is not about a single symbol, may
	// be described by the dates of the prices and transactions behind it.
	Today bool
	// Inputs are texts with the numbers and the dates that the figure was computed from: "first close
	// 1447.16 on 2008-01-02". Their numbers may be quoted, too.
	Inputs []string
	// Index identifies the figure in a MatchedNumber. Several figures may share one: the inputs of
	// a computed figure have its Index.
	Index int
}

// Sources holds the figures to compare the numbers of an answer with. The zero value is empty. Figures may be
// added between two answers, but not during a match.
type Sources struct {
	// Names finds symbols by the names of companies and indices. It may be nil.
	Names *Directory

	facts           []fact
	bySize          []sizedFact // sorted; for the same size, newest first
	byMeasure       map[string][]int
	labels          []label
	labelsByMeasure map[string][]int
	stated          map[float64][]Number
	symbols         map[string]bool
	counted         map[string]bool // nouns of things that figures count, in the singular
	plans           bool            // some figure is for one year of a plan
	latest          bool            // some figure is labeled as the latest
	// currencies are the currencies of a symbol's figures, because inputs seldom name theirs.
	currencies map[string]string
}

// SymbolsOf returns the symbol in the arguments of a call, because the labels of its figures seldom repeat
// it.
func SymbolsOf(arguments string) []string {
	var in struct {
		Symbol string `json:"symbol"`
	}
	if json.Unmarshal([]byte(arguments), &in) != nil || in.Symbol == "" {
		return nil
	}
	return []string{strings.ToUpper(in.Symbol)}
}

// fact is a KnownFigure with its unit, label and dates parsed.
type fact struct {
	KnownFigure
	figureUnit
	input bool // an input of a figure's formula
	// parameter is true for a setting of the computation, such as "weights from 0% to 100%", that says
	// nothing about the symbol of the figure.
	parameter bool
	value     decimal.Decimal // with the unit's scale applied
	meaning   meaning
	symbols   []string
	time      factTime
	numbers   []string // in the label: 200 in "SMA 200"
	// planYear is the year of a plan that the label starts with: 10 in "year 10 median".
	planYear                string
	dated                   bool     // the label names a day
	newest, highest, lowest bool     // of a series with the same label
	ranked                  bool     // one of several instruments or pairs with the same label
	words                   []string // of the label, in lower case
	label                   int      // index in Sources.labels; 0 for an input
	extra                   []string // words that name neither a measure nor a symbol
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
		f := fact{KnownFigure: k, figureUnit: unitOf(k.Unit)}
		if code := currencyOf(k.Currency); code != "" {
			f.currency = code
		}
		f.value = k.Value.Shift(f.scale)
		f.readLabel(e, k.Label)
		f.dated = len(f.time.others) > 0
		if !f.meaning.hasMeasure() {
			last := k.ID[strings.LastIndexByte(k.ID, '.')+1:]
			f.meaning.add(meaningOf(strings.ReplaceAll(last, "_", " ")).terms...)
		}
		inputs := make([]fact, 0, len(k.Inputs))
		for _, text := range k.Inputs {
			inputs = append(inputs, e.inputsOf(&f, text)...)
		}
		f.setTime()
		e.add(f)
		for _, input := range inputs {
			e.add(input)
		}
	}
}

func (e *Sources) add(f fact) {
	if e.byMeasure == nil {
		e.byMeasure, e.labelsByMeasure, e.counted, e.symbols, e.currencies = map[string][]int{}, map[string][]int{}, map[string]bool{}, map[string]bool{}, map[string]string{}
	}
	e.plans = e.plans || f.planYear != ""
	if unit, ok := strings.CutSuffix(f.Unit, "s"); ok && !strings.Contains(unit, " ") {
		e.counted[unit] = true
	}
	e.facts = append(e.facts, f)
	for _, s := range f.symbols {
		e.symbols[s] = true
		if f.currency != "" {
			e.currencies[s] = f.currency
		} else if f.Unit == indexPoints {
			e.currencies[s] = indexPoints
		}
	}
	if !f.input {
		e.byMeasure[f.meaning.key()] = append(e.byMeasure[f.meaning.key()], len(e.facts)-1)
		e.addLabel(len(e.facts) - 1)
	}
}

// indexSymbol returns the only index with figures, such as ^GSPC, or "".
func (e *Sources) indexSymbol() string {
	index := ""
	for s := range e.symbols {
		if strings.HasPrefix(s, "^") {
			if index != "" {
				return ""
			}
			index = s
		}
	}
	return index
}

// readLabel parses a label: the measure, symbols, dates and other numbers.
func (f *fact) readLabel(e *Sources, label string) {
	d := readDocument(label, true)
	numbers := d.numbers()
	tokens := scanTokens(d.text, numbers, subjects{known: e.symbols}, func(int) bool { return false })
	for _, t := range tokens {
		switch t.kind {
		case tokenTerms:
			f.meaning.add(t.terms...)
		case tokenSubject:
			f.symbols = append(f.symbols, t.symbols...)
		case tokenPeriod:
			f.addPeriod(t.period)
		case tokenFigure, tokenNumber:
			f.numbers = append(f.numbers, leadingDigits(numbers[t.number].Text))
		}
	}
	if rest, ok := strings.CutPrefix(label, "year "); ok {
		f.planYear = leadingDigits(rest)
	}
	if len(f.symbols) == 0 {
		f.symbols = f.KnownFigure.Symbols
	}
	if pairPattern().MatchString(label) {
		f.meaning.add(term{kind: termMeasure, name: "fx"})
	}
	if f.Unit == "shares" && !f.meaning.specific() {
		f.meaning.add(term{kind: termMeasure, name: "shares"})
	}
	for _, w := range wordsIn(label) {
		if isFiller(w.text) || isDigit(w.text[0]) {
			continue
		}
		f.words = append(f.words, w.text)
		if !slices.ContainsFunc(tokens, func(t token) bool { return w.start >= t.start && w.end <= t.end }) {
			f.extra = append(f.extra, w.text)
		}
	}
}

var pairPattern = lazyregexp.New(`\b[A-Z]{3}/[A-Z]{3}\b`)

func (f *fact) addPeriod(p period) {
	if p.fiscal != 0 {
		f.time.fiscal = max(f.time.fiscal, p.fiscal)
		return
	}
	f.time.others = append(f.time.others, p.from)
	if p.to != p.from {
		f.time.others = append(f.time.others, p.to)
	}
}

// setTime sets the range of days from those of the label and the inputs.
func (f *fact) setTime() {
	f.time.to = 0
	if !f.AsOf.IsZero() && !(f.Today && len(f.symbols) == 0) {
		f.time.to = dayOf(f.AsOf)
	}
	if len(f.time.others) == 0 {
		return
	}
	slices.Sort(f.time.others)
	if f.time.to == 0 {
		f.time.to = f.time.others[len(f.time.others)-1]
	}
	if first := f.time.others[0]; first < f.time.to {
		f.time.from = first
	}
}

// inputsOf returns the numbers of an input of a figure, and adds its days to the figure.
func (e *Sources) inputsOf(f *fact, text string) []fact {
	base := fact{KnownFigure: KnownFigure{Label: text, Index: f.Index}, input: true}
	base.readLabel(e, text)
	if !f.dated { // the label's own day decides
		measured, _, _ := strings.Cut(text, "recovered")
		count := len(periodsIn(measured))
		f.time.others = append(f.time.others, base.time.others[:min(count, len(base.time.others))]...)
		f.time.recovery = append(f.time.recovery, base.time.others[min(count, len(base.time.others)):]...)
	}
	named := len(base.symbols) > 0
	if !named {
		base.symbols = f.symbols
	}
	base.setTime()
	base.numbers = nil
	var out []fact
	for _, n := range ScanNumbers(text) {
		if n.Class != ClassFigure {
			continue
		}
		in := base
		in.figureUnit = figureUnit{kind: n.Kind, currency: n.Currency, span: timeUnit(n.noun)}
		in.bare = n.Kind == UnitPlain && n.Currency == "" && n.noun == ""
		in.value = n.Value
		in.parameter = n.Kind == UnitPercent && base.meaning.specific() && (base.meaning.key() != f.meaning.key() || len(base.time.others) == 0) && !named
		out = append(out, in)
	}
	return out
}

// meaningOf returns what a text says about a figure.
func meaningOf(text string) meaning {
	var m meaning
	for _, t := range scanTokens(text, nil, subjects{}, func(int) bool { return false }) {
		m.add(t.terms...)
	}
	return m
}

// leadingDigits returns the digits that a text starts with, without zeros at the end of decimals.
func leadingDigits(s string) string {
	s = strings.TrimLeftFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	if i := strings.IndexFunc(s, func(r rune) bool { return (r < '0' || r > '9') && r != '.' }); i >= 0 {
		s = s[:i]
	}
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// AddText adds a text whose numbers need no source if an answer repeats them: what the user wrote,
// and what tools wrote around their figures.
func (e *Sources) AddText(text string) {
	e.addStated(readDocument(text, true).numbers())
}

// AddProse works like AddText for what a tool wrote around its figures. Numbers that state a figure are omitted,
// because they do not prove themselves.
func (e *Sources) AddProse(text string) {
	e.sortNew()
	x := e.index(readDocument(text, true))
	var rest []Number
	for i, n := range x.numbers {
		if n.Class != ClassFigure || e.classify(x, i).status != Traced {
			rest = append(rest, n)
		}
	}
	e.addStated(rest)
}

func (e *Sources) addStated(numbers []Number) {
	for _, n := range numbers {
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
	}
	e.markSeries()
	slices.SortFunc(e.bySize, func(a, b sizedFact) int { return cmp.Or(cmp.Compare(a.size, b.size), cmp.Compare(b.fact, a.fact)) })
}

// markSeries marks the newest, the highest and the lowest figure of each series.
func (e *Sources) markSeries() {
	e.latest = slices.ContainsFunc(e.labels, func(l label) bool { return hasDetail(l.terms, "order", "last") })
	byTime := func(a, b *fact) int { return cmp.Compare(a.time.to, b.time.to) }
	byValue := func(a, b *fact) int { return a.value.Cmp(b.value) }
	for _, l := range e.labels {
		var all []*fact
		bySymbol := map[string][]*fact{}
		for _, i := range l.facts {
			f := &e.facts[i]
			all = append(all, f)
			f.newest, f.highest, f.lowest, f.ranked = false, false, false, false
			key := strings.Join(f.symbols, " ")
			bySymbol[key] = append(bySymbol[key], f)
		}
		if len(bySymbol) >= 3 && len(bySymbol) == len(l.facts) { // one of each instrument or pair
			highest, lowest := slices.MaxFunc(all, byValue), slices.MinFunc(all, byValue)
			for _, f := range all {
				f.ranked, f.highest, f.lowest = true, f.value.Equal(highest.value), f.value.Equal(lowest.value)
			}
		}
		for _, series := range bySymbol {
			if len(series) < 3 {
				continue
			}
			slices.MaxFunc(series, byTime).newest = true
			slices.MaxFunc(series, byValue).highest = true
			slices.MinFunc(series, byValue).lowest = true
		}
	}
}

func isFiller(w string) bool {
	return isOneOf(w, "of the in and a an on at for to as is was with by its per from")
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
	case "pp", "points", "percentage points", "percent points", "% points":
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
	for _, w := range strings.FieldsFunc(name, func(r rune) bool { return r == ' ' || r == '/' }) {
		if code := currencyOf(w); code != "" && u.currency == "" {
			u.currency = code
		}
		if power, ok := scaleOf(strings.ToLower(w)); ok && len(w) > 1 {
			u.scale = power
		}
	}
	return u
}
