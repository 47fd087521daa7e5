package offline

import (
	"slices"
	"strings"
	"unicode"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

var (
	cashtag  = lazyregexp.New(`^\$[A-Za-z][A-Za-z\d]{0,5}(?:[.-][A-Za-z]{1,3})?$`)
	indexTag = lazyregexp.New(`^\^[A-Za-z][A-Za-z\d]{1,9}(?:[.-][A-Za-z]{1,3})?$`)
	capitals = lazyregexp.New(`^[A-Z]{2,5}$`)
	// suffixedTicker is a class, an exchange or a pair: BRK-B, SIE.DE, 0700.HK, BTC-USD.
	suffixedTicker = lazyregexp.New(`^(?:([A-Z][A-Z\d]{1,5})[.-]([A-Z]{1,4})|\d{3,6}\.[A-Z]{1,3}|[A-Z]{6}=X|[A-Z]{2}=F)$`)
	typedPattern   = lazyregexp.New(`^[A-Za-z]{1,5}$`)
)

// mentions is what a sentence names: instruments by their symbols, and by words
// that may be names but that no symbol is known for.
type mentions struct {
	symbols      []string
	unknownNames []string
	shareCounts  []ShareCount
	unclear      string // a number of shares that may be read in two ways
}

// findMentions reads the names and tickers of s in their order.
func findMentions(s sentence) mentions {
	var m mentions
	covered := make([]bool, len(s.words))
	shouting := s.isAllCaps()
	for i := 0; i < len(s.words); {
		symbol, n := nameAt(s.words[i:])
		switch {
		case n == 0:
			symbol, n = s.tickerAt(i, shouting), 1
		case anotherIndex(symbol, s.words[i+n:]):
			symbol = ""
		}
		if symbol != "" {
			m.add(symbol)
			m.addShareCount(symbol, s.sharesBefore(i, covered))
			for j := range n {
				covered[i+j] = true
			}
		}
		i += n
	}
	if len(m.symbols) == 0 {
		m.addUnspaced(s.low)
	}
	m.unknownNames = s.unknownNames(covered, len(m.symbols) > 0)
	return m
}

func (m *mentions) add(symbol string) {
	if !slices.Contains(m.symbols, symbol) {
		m.symbols = append(m.symbols, symbol)
	}
}

// addUnspaced finds the names that are written without spaces around them.
func (m *mentions) addUnspaced(low string) {
	for _, n := range unspacedNames {
		if strings.Contains(low, n.name) {
			m.add(n.symbol)
		}
	}
}

// nameAt finds the longest known name that the words begin with, and its length.
func nameAt(words []word) (symbol string, n int) {
	const longest = 4
	for n := min(longest, len(words)); n > 0; n-- {
		parts := make([]string, n)
		for i := range n {
			parts[i] = words[i].low
		}
		name := strings.Join(parts, " ")
		if symbol := names[name]; symbol != "" {
			return symbol, n
		}
		// Visa and target are words as well; the capital tells.
		if symbol := properNames[name]; symbol != "" && unicode.IsUpper(firstRune(words[0].text)) {
			return symbol, n
		}
	}
	return "", 0
}

var (
	indexNumber = lazyregexp.New(`^\d{2,4}$`)
	narrowing   = lazyWordSet(`all-share allshare tech technology transport transportation utilities utility midcap mid-cap smallcap small-cap equal biotech biotechnology bank banks`)
)

// anotherIndex reports whether the words behind the name of an index make it the name
// of another: the S&P 1500 is not the S&P 500.
func anotherIndex(symbol string, behind []word) bool {
	if !strings.HasPrefix(symbol, "^") || len(behind) == 0 {
		return false
	}
	next := behind[0].low
	if narrowing()[next] {
		return true
	}
	counts := len(behind) > 1 && aUnit().MatchString(behind[1].low)
	return indexNumber().MatchString(next) && !yearNumber().MatchString(next) && !counts
}

// tickerAt is the ticker that word i is, or "".
func (s sentence) tickerAt(i int, shouting bool) string {
	w := s.words[i]
	upper := strings.ToUpper(w.text)
	switch {
	case cashtag().MatchString(w.text):
		return upper[1:]
	case indexTag().MatchString(w.text):
		return upper
	case known()[upper] && len(upper) > 2 && (w.text == upper && !shouting || !ordinary()[w.low]):
		return upper
	case w.text == "NOK" && s.namesCurrency(i):
		return "" // the crown of Norway, not Nokia
	case shouting || ordinary()[w.low] || abbreviations()[w.text]:
		return ""
	case capitals().MatchString(w.text):
		return w.text
	case len(w.text) == 1 && unicode.IsUpper(firstRune(w.text)) && s.namesTicker(i):
		return w.text
	}
	m := suffixedTicker().FindStringSubmatch(w.text)
	if m == nil || abbreviations()[m[1]] || m[2] != "USD" && abbreviations()[m[2]] {
		return ""
	}
	return w.text
}

// namesTicker reports whether a neighbour of word i says that it is a ticker: a
// capital alone is most often not.
func (s sentence) namesTicker(i int) bool {
	near := func(j int) bool {
		return j >= 0 && j < len(s.words) && slices.Contains(
			[]string{"ticker", "symbol", "stock", "stocks", "share", "shares", "price", "quote"}, s.words[j].low)
	}
	return near(i-1) || near(i+1) || i > 1 && s.words[i-1].low == "of" && near(i-2)
}

// namesCurrency reports whether the neighbours of word i say that it is a currency.
func (s sentence) namesCurrency(i int) bool {
	return i > 0 && s.words[i-1].low == "in" || i+1 < len(s.words) && slices.Contains([]string{"in", "into"}, s.words[i+1].low)
}

// isAllCaps reports whether capitals mean nothing here.
func (s sentence) isAllCaps() bool {
	return len(s.words) > 3 && !strings.ContainsFunc(s.plain, unicode.IsLower)
}

// unknownNames are the runs of words that mean nothing else and so may be names.
// Beside a known symbol only capitals count, and among too many runs none does:
// then it is no name that is not understood, but the sentence.
func (s sentence) unknownNames(covered []bool, capitalsOnly bool) []string {
	const mostRuns, longestRun = 2, 4
	var runs [][]string
	open := false
	for i, w := range s.words {
		strange := !covered[i] && !ordinary()[w.low] && !abbreviations()[w.text] && unicode.IsLetter(firstRune(w.text)) && !strings.ContainsAny(w.text, "$€£")
		if capitalsOnly && !unicode.IsUpper(firstRune(w.text)) {
			strange = false
		}
		switch {
		case strange && open:
			runs[len(runs)-1] = append(runs[len(runs)-1], w.text)
		case strange:
			runs = append(runs, []string{w.text})
		}
		open = strange
	}
	if len(runs) > mostRuns {
		return nil
	}
	var out []string
	for _, run := range runs {
		if len(run) > longestRun {
			return nil
		}
		out = append(out, strings.Join(run, " "))
	}
	return out
}

// typedTicker reads a bare word as the ticker that was asked for.
func typedTicker(text string) (string, bool) {
	low := strings.ToLower(text)
	if !typedPattern().MatchString(text) || ordinary()[low] {
		return "", false
	}
	return strings.ToUpper(text), true
}

func firstRune(s string) rune {
	for _, r := range s {
		return r
	}
	return 0
}
