package offline

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// filling holds the arguments of one tool as they are read from a question.
type filling struct {
	q          *question
	tool       *knownTool
	names      *instruments
	form       form
	args       map[string]any
	each       []string // symbols, if the tool takes one and the question names several
	consumed   map[int]bool
	waived     []string
	heard      []bool // by byte of the text: words that were understood
	missing    []requirement
	lastAnswer string
	skills     []*knownTool
	notes      []string // what was assumed
}

// fill reads the arguments of a tool from a question.
func (c dialog) fill(q *question, t *knownTool) *filling {
	form, _ := formOf(t.Name)
	f := &filling{
		form: form, q: q, tool: t, names: c.names, args: map[string]any{}, consumed: map[int]bool{},
		heard: slices.Clone(q.explained), lastAnswer: c.lastAnswer, skills: c.skills,
	}
	for i, s := range q.slots {
		if s.kind == periodSlot && s.period.Range == "today" {
			f.consumed[i] = true // words without a meaning for the tool
		}
	}
	for _, s := range shapes {
		if s.tool == t.Name {
			for _, at := range cues(q.low, s.cues) {
				f.hear(at[0], at[1])
			}
		}
	}
	if bookTools[t.Name] {
		f.cue("my|portfolio|holdings?|positions?|account|investments?")
	}
	f.fillAccount()
	f.fillNumbers()
	for _, c := range f.form.choices {
		f.choose(c)
	}
	f.fillSymbols()
	if f.form.build != nil {
		f.form.build(f)
	}
	if strings.HasPrefix(t.Name, "skill_") {
		f.cue(skillCues + "|" + strings.ReplaceAll(strings.TrimPrefix(t.Name, "skill_"), "_", "-"))
	}
	f.fillPeriod()
	f.fillCurrency()
	f.check()
	return f
}

func (f *filling) has(name string) bool { _, ok := f.args[name]; return ok }

func (f *filling) set(name string, value any) { f.args[name] = value }

// setWhen sets an argument if one of the words occurs.
func (f *filling) setWhen(words, name string, value any) {
	if f.cue(words) {
		f.set(name, value)
	}
}

func (f *filling) setDefault(name string, value any) {
	if !f.has(name) && f.tool.takes(name) {
		f.args[name] = value
	}
}

func (f *filling) note(english, chinese string) { f.notes = append(f.notes, f.q.say(english, chinese)) }

func (f *filling) waive(name string) { f.waived = append(f.waived, name) }

func (f *filling) index(s slot) int {
	return slices.IndexFunc(f.q.slots, func(o slot) bool { return o.start == s.start && o.end == s.end && o.kind == s.kind })
}

func (f *filling) use(s slot) { f.consumed[f.index(s)] = true }

// useAll marks all slots of the given kinds as used.
func (f *filling) useAll(kinds ...kind) {
	for _, s := range f.q.of(kinds...) {
		f.use(s)
	}
}

func (f *filling) used(s slot) bool { return f.consumed[f.index(s)] }

// cue reports whether one of the words occurs, and marks it as understood.
func (f *filling) cue(list string) bool {
	found := cues(f.q.low, list)
	for _, at := range found {
		f.hear(at[0], at[1])
		for i, s := range f.q.slots {
			if s.start >= at[0] && s.end <= at[1] && (at[1]-at[0] > s.end-s.start || s.kind == durationSlot || s.kind == currencySlot && !f.tool.takes("currency")) {
				f.consumed[i] = true // part of the phrase: "52 week", "euro area"
			}
		}
	}
	return len(found) > 0
}

// take marks a part of the text and the slots in it as understood.
func (f *filling) take(start, end int) {
	f.hear(start, end)
	for i, s := range f.q.slots {
		if s.start < end && s.end > start {
			f.consumed[i] = true
		}
	}
}

// hear marks words as understood.
func (f *filling) hear(start, end int) {
	for i := start; i < end; i++ {
		f.heard[i] = true
	}
}

// choose sets an argument to the first value whose words occur. Words in a later message take precedence.
func (f *filling) choose(c choiceArgument) {
	later := false
	for _, v := range c.values {
		found := cues(f.q.low, v.cues)
		if !f.cue(v.cues) {
			continue
		}
		added := f.q.added > 0 && found[len(found)-1][0] >= f.q.added
		if !f.has(c.name) || added && !later {
			f.set(c.name, v.value)
			if f.tool.integer(c.name) {
				f.set(c.name, whole(atoi(v.value)))
			}
		}
		later = later || added
	}
}

// fits reports whether a slot may be the value of a number argument.
func (a numberArgument) fits(s slot) bool {
	switch a.kind {
	case "money":
		return s.kind == numberSlot
	case "number", "ratio":
		return s.kind == numberSlot || s.kind == countSlot
	case "count":
		return s.kind == countSlot
	case "percent":
		return s.kind == percentSlot
	case "rate":
		return s.kind == percentSlot || s.kind == numberSlot
	case "years":
		return s.kind == durationSlot
	default:
		return false
	}
}

// fillNumbers assigns numbers to the arguments whose words are near, with the smallest total distance: in "4%
// coupon at 5% yield" both words are next to the 5, but only the first is next to the 4.
func (f *filling) fillNumbers() {
	scores := make([][]float64, len(f.q.slots)) // by slot and argument
	for j, a := range f.form.numbers {
		found := cues(f.q.low, a.cues)
		for i, s := range f.q.slots {
			if !a.fits(s) || f.consumed[i] || a.kind != "years" && f.tool.integer(a.name) && !s.number.IsInteger() {
				continue
			}
			score, cue := f.nearness(s, found)
			if a.kind == "rate" && s.kind == numberSlot && (s.currency != "" || score < 2.7 || cue[1] > s.start || prepositions[f.q.low[cue[0]:cue[1]]]) {
				continue // "coupon 3" is a rate, "at 3" is not
			}
			if score == 0 && !a.bare && (a.every == 0 || s.every == 0) {
				continue
			}
			if score > 0 {
				f.hear(cue[0], cue[1])
			}
			if a.bare {
				score += 0.4
			}
			switch {
			case s.every != 0 && a.every == 0:
				score -= 1.5
			case s.every != 0:
				score += 1.2
			}
			if a.kind == "years" && s.past && !f.tool.takes("range") {
				score -= 0.2
			}
			if scores[i] == nil {
				scores[i] = make([]float64, len(f.form.numbers))
			}
			scores[i][j] = score - 0.01*float64(j) // people say them in this order
		}
	}
	for i, j := range assign(scores, len(f.form.numbers)) {
		if j < 0 {
			continue
		}
		f.consumed[i] = true
		if a := f.form.numbers[j]; a.name != "" {
			f.set(a.name, a.value(f.q.slots[i], f.tool))
		}
	}
}

// assign matches rows to columns, at most one to one, with the highest sum of scores. It returns the column of
// each row, or -1. Scores that are not positive do not count.
func assign(scores [][]float64, columns int) []int {
	sums := slices.Repeat([]float64{math.Inf(-1)}, 1<<columns) // by the set of columns in use
	sums[0] = 0
	chosen := make([][]int, len(scores)) // by row and set: the column of the row
	for i, row := range scores {
		if row == nil {
			continue
		}
		next := slices.Clone(sums)
		chosen[i] = slices.Repeat([]int{-1}, len(sums))
		for set, sum := range sums {
			for j, score := range row {
				if with := set | 1<<j; with != set && score > 0 && sum+score > next[with] {
					next[with], chosen[i][with] = sum+score, j
				}
			}
		}
		sums = next
	}
	best := 0
	for set, sum := range sums {
		if sum > sums[best] {
			best = set
		}
	}
	out := slices.Repeat([]int{-1}, len(scores))
	for i := len(scores) - 1; i >= 0; i-- {
		if chosen[i] != nil && chosen[i][best] >= 0 {
			out[i] = chosen[i][best]
			best &^= 1 << out[i]
		}
	}
	return out
}

func (a numberArgument) value(s slot, t *knownTool) any {
	switch {
	case a.kind == "years" && t.integer(a.name):
		return s.years().Ceil()
	case a.kind == "years":
		return s.years()
	case a.every == 'y' && s.every == 'm':
		return s.number.Mul(whole(12))
	case a.every == 'y' && s.every == 'w':
		return s.number.Mul(whole(52))
	case a.kind == "rate" && s.kind == numberSlot:
		return s.number.Shift(-2)
	default:
		return s.number
	}
}

// prepositions stand before many kinds of numbers.
var prepositions = wordSet("at for with on of in from to over a k s @ have need want put")

// nearness returns how near the nearest of the words is to a slot: at most 3, and 0 if none is near.
func (f *filling) nearness(s slot, found [][2]int) (best float64, cue [2]int) {
	for _, at := range found {
		preposition := prepositions[f.q.low[at[0]:at[1]]]
		if preposition && at[0] >= s.end {
			continue // it belongs to the next word
		}
		low, high := at[1], s.start
		if at[0] >= s.end {
			low, high = s.end, at[0]
		} else if at[1] > s.start {
			if at[0] >= s.start { // within the slot: "a month"
				return 2.5, at
			}
			continue
		}
		between := f.q.low[low:high]
		score := 3 - float64(utf8.RuneCountInString(between))/10
		if at[0] >= s.end {
			score -= 0.35
		}
		if strings.ContainsAny(between, ",;") || strings.Contains(between, " and ") || strings.Contains(between, ". ") {
			score--
		}
		for _, o := range f.q.slots {
			if o.start >= low && o.end <= high && o.start != s.start {
				score -= 1.1
			}
		}
		if preposition {
			score -= 0.8
		}
		if score > best {
			best, cue = score, at
		}
	}
	return best, cue
}

var againstCues = "vs|versus|against|relative to|compared to|compared with|benchmark*|beat*|outperform*|to the|跑赢|相对|相比|对比|基准|比"

func (f *filling) fillSymbols() {
	found := f.q.of(symbolSlot, isinSlot)
	if f.tool.takes("benchmark") && f.tool.Name != "decision_journal" {
		for i, s := range found {
			for _, at := range cues(f.q.low, againstCues) {
				between := ""
				if at[1] <= s.start {
					between = strings.TrimSpace(f.q.low[at[1]:s.start])
				}
				if at[1] <= s.start && (between == "" || between == "the" || between == "against") && (i > 0 || !f.tool.takes("symbol")) && !f.has("benchmark") {
					f.set("benchmark", s.text)
					f.use(s)
					f.hear(at[0], at[1])
				}
			}
		}
		found = slices.DeleteFunc(found, f.used)
	}
	var symbols []string
	for _, s := range found {
		if f.used(s) {
			continue
		}
		if !slices.Contains(symbols, s.text) {
			symbols = append(symbols, s.text)
		}
	}
	if len(symbols) == 0 {
		return
	}
	if len(symbols) > maxSymbols && (f.tool.takesSymbols() || f.tool.takes("symbol")) {
		left := strings.Join(symbols[maxSymbols:], ", ")
		f.q.note("I can use at most 8 symbols, so I left out "+left+".", "一次最多 8 个代码，未包括 "+left+"。")
	}
	switch {
	case f.tool.Name == "crypto_price" || f.tool.Name == "add_transaction":
		return
	case f.tool.takesSymbols():
		f.set("symbols", symbols[:min(len(symbols), maxSymbols)])
	case f.tool.takes("symbol"):
		f.set("symbol", symbols[0])
		if len(symbols) > 1 {
			f.each = symbols[:min(len(symbols), maxSymbols)]
		}
	default:
		return
	}
	for _, s := range found {
		f.use(s)
	}
	f.cue(securityWords)
	if len(symbols) > 1 {
		f.cue(againstCues)
	}
}

// securityWords describe a security next to its name: "gold fund GLD".
const securityWords = "trade|trades|trading|traded|fund|funds|etf|etfs|stock|stocks|shares?|company|companies|index|coin|ticker|symbol|股票|基金|公司|指数"

// maxSymbols is the maximum number of symbols that a call uses.
const maxSymbols = 8

// fillPeriod sets the tool's period arguments from the question.
func (f *filling) fillPeriod() {
	for i, s := range f.q.slots {
		if f.consumed[i] || s.kind != periodSlot && s.kind != durationSlot && s.short == "" {
			continue
		}
		if s.kind == numberSlot && !f.tool.takes("range") || f.has("range") || (f.has("from") || f.has("to")) && f.tool.Name != "add_transaction" {
			continue
		}
		p := s.period
		if s.kind != periodSlot {
			p = period{Range: s.asRange()}
		}
		switch {
		case p.Range != "" && f.tool.takes("range"):
			f.set("range", p.Range)
		case p.Range == "ytd" && f.tool.takes("year"):
			f.set("year", whole(f.q.now.Year()))
		case p.Range != "" && f.tool.takes("from"):
			from := f.backFrom(p.Range, s)
			if from == "" && s.kind == durationSlot {
				continue
			} else if from == "" {
				break
			}
			f.set("from", from)
		case p.Range != "":
			continue
		case p.day() != "" && f.tool.takes("date"):
			f.set("date", p.day())
		case p.day() != "" && f.tool.takes("at"):
			f.set("at", p.day())
		case f.tool.takes("from"):
			f.setDays(p)
		case f.tool.takes("year") && len(p.From) > 4 && (p.To == "" || strings.HasPrefix(p.To, p.From[:4])):
			f.set("year", json.Number(p.From[:4]))
		case f.tool.takes("date") && p.To != "":
			f.set("date", p.To)
		case f.tool.takes("at") && p.To != "":
			f.set("at", p.To)
		default:
			continue
		}
		f.consumed[i] = true
	}
}

func (f *filling) setDays(p period) {
	if p.From != "" {
		f.set("from", p.From)
		// A day without trading has no close, so include a week before it.
		if f.tool.Name == "price_history" && p.day() != "" {
			if d, err := time.Parse(time.DateOnly, p.From); err == nil {
				f.set("from", d.AddDate(0, 0, -7).Format(time.DateOnly))
			}
		}
	}
	if p.To != "" && !(f.tool.Name == "returns_stats" && p.day() != "") { // what was invested on a day is held since
		f.set("to", p.To)
	}
}

// backFrom returns the first day of a period that ends now, or "" if it has no start.
func (f *filling) backFrom(text string, s slot) string {
	now := f.q.now
	switch {
	case text == "ytd":
		return date(now.Year(), 1, 1).Format(time.DateOnly)
	case text == "max" || s.kind != durationSlot:
		return ""
	}
	now = s.before(now)
	if now.Year() < 1900 {
		return "" // no source goes back so far
	}
	return now.Format(time.DateOnly)
}

// day sets the single date that the question names.
func (f *filling) day(name string) {
	for _, s := range f.q.of(periodSlot) {
		if s.period.day() != "" && !f.used(s) {
			f.set(name, s.period.day())
			f.use(s)
			return
		}
	}
}

func (f *filling) fillCurrency() {
	for i, s := range f.q.slots {
		if s.kind != currencySlot || f.consumed[i] {
			continue
		}
		for _, name := range []string{"currency", "base"} {
			if f.tool.takes(name) {
				f.setDefault(name, s.text)
				f.consumed[i] = true
			}
		}
	}
	if !f.has("currency") && f.tool.takes("currency") && (calculators[f.tool.Name] || f.tool.Name == "add_transaction") {
		for _, s := range f.q.of(numberSlot) {
			if s.currency != "" && (!strings.HasPrefix(s.name, "$") || f.tool.Name != "add_transaction") {
				f.set("currency", s.currency)
			}
		}
	}
}

// fillAccount reads "in my Fidelity account" and "account ibkr".
func (f *filling) fillAccount() {
	if !f.tool.takes("account") && !f.tool.takes("accounts") || f.tool.Name == "portfolio_settings" {
		return
	}
	name, start, end := f.q.accountName()
	if found := cues(f.q.low, accountNames); name == "" && len(found) > 0 && (!bookTools[f.tool.Name] || len(cues(f.q.low, mineCues+"|account*|acct|账户|账号")) > 0) {
		start, end = found[0][0], found[0][1]
		name = f.q.text[start:end]
	}
	if name == "" {
		return
	}
	f.hear(start, end)
	if f.tool.takes("accounts") {
		f.set("accounts", []string{name})
	} else {
		f.set("account", name)
	}
}

// reference sets the URL or file that the question names.
func (f *filling) reference(name string, k kind) {
	for _, s := range f.q.of(k) {
		if !f.used(s) && !f.has(name) {
			f.set(name, s.text)
			f.use(s)
		}
	}
}

// leftover returns the slots for which the tool has no argument.
func (f *filling) leftover() []slot {
	var out []slot
	for i, s := range f.q.slots {
		if !f.consumed[i] {
			out = append(out, s)
		}
	}
	return out
}

// check collects the required arguments that are missing.
func (f *filling) check() {
	for _, r := range f.form.required {
		if !f.has(r.name) && !slices.Contains(f.waived, r.name) {
			f.missing = append(f.missing, r)
		}
	}
	named := f.has("symbol") || f.has("symbols") || f.has("accession")
	symbols, _ := f.args["symbols"].([]string)
	switch {
	case f.form.symbols > 1 && len(symbols) < f.form.symbols && !slices.ContainsFunc(f.missing, func(r requirement) bool { return r.name == "symbols" }):
		f.missing = append([]requirement{needSymbols}, f.missing...)
	case f.form.symbols == 1 && !named:
		f.missing = append([]requirement{needSymbol}, f.missing...)
	}
	// A tool without a form asks for the required fields of its schema.
	if _, ok := formOf(f.tool.Name); !ok {
		for _, name := range f.tool.schema().Required {
			if !f.has(name) {
				f.missing = append(f.missing, requirement{name, "Which " + strings.ReplaceAll(name, "_", " ") + "?", strings.ReplaceAll(name, "_", " ") + "？", strings.ReplaceAll(name, "_", " ")})
			}
		}
	}
}
