package trace

import (
	"slices"
	"strings"
	"unicode"
)

// namedGroup is the figures of one name: "annual return" of AAPL and of MSFT.
type namedGroup struct {
	words         []string
	indexBySymbol map[string]int // the fact by its symbol; ambiguous where there are several
	// begin are the symbols by their first word: "aapl" and "aapl 2020-04-17".
	begin map[string][]string
}

// ambiguous stands for facts that a name alone does not tell apart.
const ambiguous = -1

// indexName files a fact under the words of its label without the symbol.
func (e *Sources) indexName(i int) {
	f := &e.facts[i]
	if f.Input || len(f.words) == 0 {
		return
	}
	symbol, words := splitLabel(f.Label)
	if len(words) == 0 {
		return
	}
	if e.groups == nil {
		e.groups = map[string][]*namedGroup{}
	}
	last := words[len(words)-1]
	at := slices.IndexFunc(e.groups[last], func(g *namedGroup) bool { return slices.Equal(g.words, words) })
	if at < 0 {
		at = len(e.groups[last])
		e.groups[last] = append(e.groups[last], &namedGroup{words: words, indexBySymbol: map[string]int{}, begin: map[string][]string{}})
	}
	g := e.groups[last][at]
	if before, ok := g.indexBySymbol[symbol]; ok && (before == ambiguous || !e.facts[before].value.Equal(f.value)) {
		i = ambiguous
	}
	if _, ok := g.indexBySymbol[symbol]; !ok {
		first, _, _ := strings.Cut(symbol, " ")
		g.begin[first] = append(g.begin[first], symbol)
	}
	g.indexBySymbol[symbol] = i
}

// splitLabel parts the symbol of a label from the words that name the measure.
func splitLabel(label string) (symbol string, words []string) {
	for _, w := range splitWords(label) {
		switch {
		case unicode.IsDigit(rune(w[0])):
			symbol += " " + w // a date or a window tells figures apart, too
		case isSymbol(w):
			symbol += " " + strings.ToLower(w)
		case strings.ContainsFunc(w, IsHan):
			words = append(words, hanName(w)...)
		case !isFiller(strings.ToLower(w)):
			words = append(words, strings.ToLower(w))
		}
	}
	return strings.TrimSpace(symbol), words
}

// isSymbol reports whether a word is written like a ticker.
func isSymbol(w string) bool {
	if len(w) < 2 || len(w) > 8 || strings.Contains(w, "/") {
		return w == "^"
	}
	for _, r := range w {
		if !IsUpper(r) && !IsDigit(r) && !strings.ContainsRune("^.-=", r) {
			return false
		}
	}
	switch w {
	case "PE", "EPS", "ROE", "ROA", "RSI", "SMA", "EMA", "MACD", "CAGR", "NAV", "EBITDA", "FCF", "VAR", "CVAR", "DCF", "ATR", "TTM", "PEG", "WACC", "GDP", "CPI":
		return false
	}
	return true
}

func isFiller(w string) bool {
	switch w {
	case "of", "the", "in", "and", "a", "an", "on", "at", "for", "to", "as", "is", "was", "with", "by", "its", "per", "from":
		return true
	}
	return false
}

// wordsOf are the words of a label in lower case that may name it.
func wordsOf(label string) []string {
	var out []string
	for _, w := range splitWords(label) {
		if w = strings.ToLower(w); !isFiller(w) && !IsDigit(rune(w[0])) {
			out = append(out, w)
		}
	}
	return out
}

func splitWords(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !IsDigit(r) && !strings.ContainsRune("/^&.-=", r)
	})
}

// inEnglish adds the English names of the measures that a Chinese text names.
func inEnglish(text string) string {
	if !strings.ContainsFunc(text, IsHan) {
		return text
	}
	for _, m := range hanMeasures {
		if strings.Contains(text, m.han) {
			text += " " + m.english
		}
	}
	return text
}

var hanMeasures = [...]struct{ han, english string }{
	{"年化", "annual"}, {"收益", "return"}, {"回报", "return"}, {"总收益", "total return"}, {"累计", "total"}, {"波动率", "volatility"}, {"最大回撤", "maximum drawdown"}, {"回撤", "drawdown"},
	{"市盈率", "p/e"}, {"市净率", "p/b"}, {"每股收益", "eps"}, {"价格", "price"}, {"股价", "price"}, {"收盘", "close"}, {"市值", "market cap"}, {"股息率", "dividend yield"},
	{"夏普", "sharpe ratio"}, {"相关", "correlation"}, {"营收", "revenue"}, {"收入", "revenue"}, {"净利润", "net income"}, {"涨跌幅", "change"}, {"涨", "change"}, {"跌", "change"},
	{"贝塔", "beta"}, {"负债", "debt"}, {"现金", "cash"}, {"通胀", "inflation"}, {"利率", "rate"}, {"失业率", "unemployment rate"}, {"成交量", "volume"},
}
