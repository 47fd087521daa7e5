package trace

import (
	"slices"
	"strings"
	"unicode"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// namedGroup holds the figures of one name: "annual return" of AAPL and of MSFT.
type namedGroup struct {
	words         []string
	indexBySymbol map[string]int // index of the fact; ambiguous if there are several
	// byFirstWord lists the symbols by their first word: "aapl" and "aapl 2020-04-17".
	byFirstWord map[string][]string
}

// ambiguous replaces the index if facts have the same name and symbol but different values.
const ambiguous = -1

// indexName adds a fact to the group of its label, without the symbol.
func (e *Sources) indexName(i int) {
	f := &e.facts[i]
	symbol, words := splitLabel(f.Label)
	if f.Input || len(words) == 0 {
		return
	}
	if e.groups == nil {
		e.groups = map[string][]*namedGroup{}
	}
	last := words[len(words)-1]
	at := slices.IndexFunc(e.groups[last], func(g *namedGroup) bool { return slices.Equal(g.words, words) })
	if at < 0 {
		at = len(e.groups[last])
		e.groups[last] = append(e.groups[last], &namedGroup{words: words, indexBySymbol: map[string]int{}, byFirstWord: map[string][]string{}})
	}
	g := e.groups[last][at]
	previous, ok := g.indexBySymbol[symbol]
	if !ok {
		first, _, _ := strings.Cut(symbol, " ")
		g.byFirstWord[first] = append(g.byFirstWord[first], symbol)
	} else if previous == ambiguous || !e.facts[previous].value.Equal(f.value) {
		i = ambiguous
	}
	g.indexBySymbol[symbol] = i
}

// splitLabel separates the symbol of a label, with dates and windows, from the words that name the
// measure.
func splitLabel(label string) (symbol string, words []string) {
	for _, w := range splitWords(label) {
		lower := strings.ToLower(w)
		switch {
		case isDigit(w[0]), isSymbol(w):
			symbol += " " + lower
		case isHan(w):
			words = append(words, hanName(w)...)
		case !isFiller(lower):
			words = append(words, lower)
		}
	}
	return strings.TrimSpace(symbol), words
}

var symbolPattern = lazyregexp.New(`^[A-Z0-9^.=-]{2,8}$|^\^$`)

// isSymbol reports whether a word is written like a ticker and is not the name of a measure.
func isSymbol(w string) bool {
	return symbolPattern().MatchString(w) && !isOneOf(w, "PE EPS ROE ROA RSI SMA EMA MACD CAGR NAV EBITDA FCF VAR CVAR DCF ATR TTM PEG WACC GDP CPI")
}

func isFiller(w string) bool {
	return isOneOf(w, "of the in and a an on at for to as is was with by its per from")
}

func isHan(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

// wordsOf returns the lower-case words of a label that may name it.
func wordsOf(label string) []string {
	var out []string
	for _, w := range splitWords(label) {
		if w = strings.ToLower(w); !isFiller(w) && !isDigit(w[0]) {
			out = append(out, w)
		}
	}
	return out
}

func splitWords(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && (r < '0' || r > '9') && !strings.ContainsRune("/^&.-=", r)
	})
}

var hanMeasures = [...]struct{ han, english string }{
	{"年化", "annual"}, {"收益", "return"}, {"回报", "return"}, {"总收益", "total return"}, {"累计", "total"}, {"波动率", "volatility"}, {"最大回撤", "maximum drawdown"}, {"回撤", "drawdown"},
	{"市盈率", "p/e"}, {"市净率", "p/b"}, {"每股收益", "eps"}, {"价格", "price"}, {"股价", "price"}, {"收盘", "close"}, {"市值", "market cap"}, {"股息率", "dividend yield"},
	{"夏普", "sharpe ratio"}, {"相关", "correlation"}, {"营收", "revenue"}, {"收入", "revenue"}, {"净利润", "net income"}, {"涨跌幅", "change"}, {"涨", "change"}, {"跌", "change"},
	{"贝塔", "beta"}, {"负债", "debt"}, {"现金", "cash"}, {"通胀", "inflation"}, {"利率", "rate"}, {"失业率", "unemployment rate"}, {"成交量", "volume"},
}

// inEnglish adds the English names of measures in a Chinese text.
func inEnglish(text string) string {
	if !isHan(text) {
		return text
	}
	for _, m := range hanMeasures {
		if strings.Contains(text, m.han) {
			text += " " + m.english
		}
	}
	return text
}

// hanName returns the English words of a Chinese name, and the rest of the name.
func hanName(name string) []string {
	var words []string
	for _, m := range hanMeasures {
		if strings.Contains(name, m.han) {
			name = strings.Replace(name, m.han, "", 1)
			words = append(words, strings.Fields(m.english)...)
		}
	}
	for _, filler := range [...]string{"今日", "仅为", "约为", "达到", "为", "是", "达", "仅", "的", "约", "率"} {
		name = strings.Replace(name, filler, "", 1)
	}
	if name != "" {
		words = append(words, name)
	}
	return words
}

// contradictedFact returns the fact that a number names but does not state: "the annual return is
// 7.5%" where a tool returned 5.7%. It returns nil unless the words before the number, or its row
// and column, are exactly the figure's name, and the sentence has no other time, wish or
// comparison.
func (e *Sources) contradictedFact(d *document, n *Number) *fact {
	if len(e.groups) == 0 || n.paired || n.hedge != hedgeNone {
		return nil
	}
	before, within, after := d.sentence(n.from, n.to)
	clause := before
	if i := strings.LastIndexAny(before, ",，"); i >= 0 && !(i+1 < len(before) && isDigit(before[i+1])) {
		clause = before[i+1:]
	}
	if i := strings.IndexAny(after, ",，"); i >= 0 {
		after = after[:i]
	}
	if isHypothetical(before+within+after, within) {
		return nil
	}
	if c := d.cellAt(n.from); c != nil {
		name := c.row + " " + c.head
		return e.factNamed(n, splitWords(inEnglish(name)), name)
	}
	words := splitWords(clause)
	for len(words) > 0 && isOneOf(strings.ToLower(words[len(words)-1]), "is was are were of at stands stood came in a the now currently exactly equals reached - to") {
		words = words[:len(words)-1]
	}
	if len(words) == 0 {
		return nil
	}
	if last := words[len(words)-1]; isHan(last) {
		return e.factNamed(n, hanName(last), clause, before)
	}
	for i := len(words) - 1; i >= 0; i-- { // a new name may start after these
		if isOneOf(strings.ToLower(words[i]), "has had have with its and while but whose so that shows gives gave their where because") {
			words = words[i+1:]
			break
		}
	}
	return e.factNamed(n, words, clause, before)
}

// isHypothetical reports whether a sentence expresses a wish, repeats the user's words, compares,
// or refers to a time that the number itself does not have.
func isHypothetical(sentence, number string) bool {
	for _, w := range splitWords(strings.ToLower(sentence)) {
		switch w {
		case "if", "you", "your", "would", "could", "should", "assume", "assuming", "target", "expected",
			"forecast", "versus", "vs", "compared", "than", "higher", "lower", "above", "below", "or", "another",
			"average", "typical", "peer", "peers", "sector", "previous", "earlier", "last", "from", "between", "up",
			"down", "not", "no", "per", "each", "every", "after", "before", "until", "by", "maximum", "minimum":
			return true
		}
		if w[0] >= '0' && w[0] <= '9' && dateWord().MatchString(w) && !strings.Contains(strings.ToLower(number), w) {
			return true
		}
	}
	return strings.ContainsFunc(sentence, func(r rune) bool { return r >= '一' }) && hanHypothetical().MatchString(sentence)
}

var (
	dateWord        = lazyregexp.New(`^` + year + `|^\d+-\d+-\d+$`)
	hanHypothetical = lazyregexp.New(`如果|假设|您|你|目标|预期|预计|高于|低于|相比|平均|年的|去年|上年|此前|从`)
)

// factNamed returns the fact named by the words. Its symbol is in the words or in one of the texts
// around them, the nearest first.
func (e *Sources) factNamed(n *Number, words []string, around ...string) *fact {
	for _, w := range words {
		for _, g := range e.groups[strings.ToLower(w)] {
			if !containsAll(words, g.words) {
				continue
			}
			f := e.pick(g, around)
			if f == nil || !onlyNames(words, g, f) {
				continue
			}
			multiple := f.kind == UnitMultiple && n.Kind == UnitPlain && n.Currency == "" && !n.scaled // a P/E of 30
			if (f.kind == n.Kind || multiple) && fits(n, f, 0) && !(f.bare && n.Currency != "") {
				return f
			}
		}
	}
	return nil
}

// onlyNames reports whether words consist only of the name of a fact and its unit.
func onlyNames(words []string, g *namedGroup, f *fact) bool {
	symbol, _ := splitLabel(f.Label)
	for _, w := range words {
		lower := strings.ToLower(w)
		_, scale := scaleOf(lower)
		switch {
		case slices.Contains(g.words, lower), slices.Contains(strings.Fields(symbol), lower), isFiller(lower), scale, lower == "s", lower == "value", currencyOf(strings.ToUpper(w)) != "":
		case isHan(w) && containsAll(g.words, hanName(w)):
		default:
			return false
		}
	}
	return true
}

// maxSymbols limits the work if very many symbols share a first word, such as those with a date.
const maxSymbols = 64

// pick returns the fact of a group whose symbol is in the nearest text, or the only fact if no text
// has a symbol.
func (e *Sources) pick(g *namedGroup, around []string) *fact {
	for _, text := range around {
		picked, named := ambiguous, 0
		words := splitWords(text)
		for i, w := range words {
			if slices.Contains(words[:i], w) {
				continue
			}
			symbols := g.byFirstWord[strings.ToLower(w)]
			for _, symbol := range symbols[:min(len(symbols), maxSymbols)] {
				if containsAll(words, strings.Fields(symbol)) {
					picked, named = g.indexBySymbol[symbol], named+1
				}
			}
		}
		isTicker := func(w string) bool { return isSymbol(w) && currencyOf(w) == "" && !isDigit(w[0]) }
		switch {
		case named == 1 && picked != ambiguous:
			return &e.facts[picked]
		case named > 0 || slices.ContainsFunc(words, isTicker):
			return nil
		}
	}
	if len(g.indexBySymbol) == 1 {
		for _, i := range g.indexBySymbol {
			if i != ambiguous {
				return &e.facts[i]
			}
		}
	}
	return nil
}

// containsAll reports whether all contains each of the words, ignoring case.
func containsAll(all, words []string) bool {
	for _, w := range words {
		if !slices.ContainsFunc(all, func(s string) bool { return strings.EqualFold(s, w) }) {
			return false
		}
	}
	return true
}
