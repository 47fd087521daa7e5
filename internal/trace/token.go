package trace

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// word is a Latin word of a text, in lower case, without a plural s.
type word struct {
	start, end int
	text       string
}

// wordsIn returns the Latin words of a text. A slash or an ampersand belongs to the word: P/E, R&D.
func wordsIn(text string) []word {
	out := make([]word, 0, 1+len(text)/6) // about the length of a word
	for i := 0; i < len(text); {
		if !isWordByte(text[i]) {
			i++
			continue
		}
		start := i
		for i < len(text) && (isWordByte(text[i]) || strings.IndexByte("/&", text[i]) >= 0 && i+1 < len(text) && isLetter(text[i+1]) && isLetter(text[i-1])) {
			i++
		}
		end := i
		if i+1 < len(text) && text[i] == '\'' && text[i+1] == 's' {
			i += 2
		}
		out = append(out, word{start, end, singular(strings.ToLower(text[start:end]))})
	}
	return out
}

func isWordByte(b byte) bool { return isLetter(b) || isDigit(b) }

func singular(w string) string {
	switch {
	case len(w) > 4 && strings.HasSuffix(w, "ies"):
		return w[:len(w)-3] + "y"
	case len(w) > 5 && strings.HasSuffix(w, "sses"):
		return w[:len(w)-2]
	case len(w) > 3 && strings.HasSuffix(w, "s") && !endsWithOneOf(w, "ss us is"):
		return w[:len(w)-1]
	}
	return w
}

// tokenKind is what a token says about the figures near it.
type tokenKind int8

const (
	tokenTerms   tokenKind = iota // names a measure
	tokenSubject                  // names a symbol
	tokenPeriod
	tokenBreak  // ends a clause
	tokenEnd    // ends a sentence
	tokenLine   // ends a line
	tokenFigure // a number that is a figure
	tokenNumber // another number
)

// token is a part of a text that says what its figures are about. Tokens are in text order.
type token struct {
	kind       tokenKind
	start, end int
	terms      []term
	symbols    []string // that a name may mean
	period     period
	number     int  // index of the number
	base       bool // a measure that a percentage is of
	soft       bool // a break that joins parts of a list: and, a comma
}

// breakWords end a clause.
const breakWords = "and but while whereas with or versus vs compared although though which whose than plus minus against unlike as where because since after before from exceed exceeded equal"

// softBreaks join the parts of a list.
const softBreaks = "and or , 、 和 与 及 以及"

var hanBreaks = []string{"以及", "，", "、", "：", "和", "与", "而", "但", "及", "较", "比", "从", "自", "由"}

// subjects finds the symbols that a text names.
type subjects struct {
	names *Directory
	known map[string]bool // of the known figures
	index string          // the symbol that "the index" means, or ""
}

// indexAt returns the words that name the index, such as "the S&P", and how many there are.
func (s *subjects) indexAt(text string, words []word) bool {
	if s.index == "" || !isOneOf(words[0].text, "index s&p market") {
		return false
	}
	return words[0].text == "s&p" || strings.HasSuffix(strings.ToLower(text[:words[0].start]), "the ")
}

// scanTokens returns the tokens of a text. Numbers must be those of the text; skip reports whether a
// place is in code or in an address.
func scanTokens(text string, numbers []Number, in subjects, skip func(int) bool) []token {
	names, known := in.names, in.known
	lexicon := readLexicon()
	words := wordsIn(text)
	periods := periodsIn(text)
	out := make([]token, 0, len(words)+len(numbers))
	add := func(t token) { out = append(out, t) }
	for i := 0; i < len(text); {
		for len(words) > 0 && words[0].start < i {
			words = words[1:]
		}
		for len(periods) > 0 && periods[0].start < i {
			periods = periods[1:]
		}
		for len(numbers) > 0 && numbers[0].to <= i {
			numbers = numbers[1:]
		}
		switch {
		case text[i] == '\n':
			add(token{kind: tokenLine, start: i, end: i + 1})
			i++
			continue
		case skip(i):
			i++
			continue
		}
		if len(periods) > 0 && periods[0].start == i {
			p := periods[0]
			if p.to-p.from > 300 && endOf().MatchString(text[max(0, i-16):i]) {
				p.from = p.to - 30 // the end of 2009
			}
			p.role = roleBefore(text[max(0, i-24):i], text[p.end:min(len(text), p.end+12)])
			add(token{kind: tokenPeriod, start: i, end: p.end, period: p.period})
			i = p.end
			continue
		}
		if symbol := tickerAt(text, i, names, known); symbol != "" {
			add(token{kind: tokenSubject, start: i, end: i + len(symbol), symbols: []string{symbol}})
			i += len(symbol)
			continue
		}
		if len(words) > 0 && words[0].start == i {
			if symbols, n := names.nameAt(text, words); n > 0 {
				add(token{kind: tokenSubject, start: i, end: words[n-1].end, symbols: symbols})
				i = words[n-1].end
				continue
			}
			if in.indexAt(text, words) {
				add(token{kind: tokenSubject, start: i, end: words[0].end, symbols: []string{in.index}})
				i = words[0].end
				continue
			}
			if p, ok := monthOf(text, words[0], out); ok {
				add(token{kind: tokenPeriod, start: i, end: words[0].end, period: p})
				i = words[0].end
				continue
			}
		}
		if len(numbers) > 0 && numbers[0].from <= i {
			n := numbers[0]
			t := token{kind: tokenNumber, start: n.from, end: n.to}
			if n.Class == ClassFigure {
				t.kind = tokenFigure
			}
			add(t)
			i = max(n.to, i+1)
			if n.Class == ClassDate && i == n.to {
				if p, length := hanMonth(text, &n, out); length > 0 {
					add(token{kind: tokenPeriod, start: i, end: i + length, period: p})
					i += length
				}
			}
			continue
		}
		if len(words) > 0 && words[0].start == i {
			i = scanWord(text, words, lexicon, add)
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if isHanRune(r) || r >= 0x3000 {
			i = scanHan(text, i, lexicon, names, add)
			continue
		}
		switch r {
		case '.', '!', '?', ';':
			if isSentenceEnd(text, i) {
				add(token{kind: tokenEnd, start: i, end: i + 1})
			}
		case ',', ':', '(', ')', '[', ']', '—', '–', '→', '=', '|', '·', '•':
			add(token{kind: tokenBreak, start: i, end: i + size, soft: r == ','})
		case '/':
			add(token{kind: tokenBreak, start: i, end: i + size, soft: true})
		}
		i += size
	}
	figures := 0
	for i := range out {
		if out[i].kind == tokenFigure || out[i].kind == tokenNumber {
			out[i].number = figures
			figures++
		}
	}
	return out
}

var dayAfter = lazyregexp.New(`^ \d\d?(?:[^\d.,%]|[.,](?:\D|$)|$)`)

// monthOf returns the period of a month without a year: it belongs to the year named before, as in "1.21% in
// June 2022 and 1.68% in July".
func monthOf(text string, w word, before []token) (period, bool) {
	month := monthNumber[text[w.start:min(w.end, w.start+3)]]
	if month == 0 || !strings.Contains(" "+months+" ", " "+text[w.start:w.end]+" ") || !follows(text[max(0, w.start-12):w.start], "in by of since from to until at and for", "") {
		return period{}, false
	}
	if dayAfter().MatchString(text[w.end:]) {
		return period{}, false
	}
	if p, ok := monthInYear(month, before); ok {
		return p, true
	}
	return period{month: month}, follows(text[max(0, w.start-12):w.start], "in by of at for", "")
}

// monthInYear returns a month of the year that the line names last.
func monthInYear(month int, before []token) (period, bool) {
	for i := len(before) - 1; i >= 0 && before[i].kind != tokenLine; i-- {
		if p := before[i].period; before[i].kind == tokenPeriod && p.fiscal == 0 && p.month == 0 {
			return monthsFrom(p.to.date().Year(), month, 1), true
		}
	}
	return period{}, false
}

// hanMonth returns the period of a month such as 4月, whose digits end at a place, and the length of 月. It
// is 0 if a day follows.
func hanMonth(text string, n *Number, before []token) (period, int) {
	rest, ok := strings.CutPrefix(text[n.to:], "月")
	month, err := strconv.Atoi(text[n.from:n.to])
	if !ok || err != nil || month < 1 || month > 12 || startsWithDigit(strings.TrimLeft(rest, " ")) {
		return period{}, 0
	}
	if p, ok := monthInYear(month, before); ok {
		return p, len("月")
	}
	return period{month: month}, len("月")
}

func startsWithDigit(s string) bool { return s != "" && isDigit(s[0]) }

// scanWord adds the terms that begin with the first word, and returns where the next token may start.
func scanWord(text string, words []word, l *lexicon, add func(token)) int {
	measure, n := findPhrase(l.measures, words)
	detail, m := findPhrase(l.details, words)
	start := words[0].start
	if n == 0 && m == 0 {
		if isOneOf(words[0].text, breakWords) || words[0].text == "less" && isAmount(text[words[0].end:]) {
			add(token{kind: tokenBreak, start: start, end: words[0].end, soft: isOneOf(words[0].text, softBreaks)})
		}
		return words[0].end
	}
	terms := slices.Clone(measure.terms)
	for _, t := range detail.terms {
		if n > m && len(measure.terms) == 0 {
			break // "ups and downs" is not a direction
		}
		if t.kind == termDetail || m >= n { // "expected shortfall" is not a forecast
			terms = append(terms, t)
		}
	}
	for i := 1; i < max(n, m) && (n <= m || len(measure.terms) > 0); i++ { // the maximum in "maximum drawdown", the margin in "gross margin"
		inner, k := findPhrase(l.details, words[i:])
		if i < n && i+k <= n {
			terms = append(terms, inner.terms...)
		}
		if inner, k := findPhrase(l.measures, words[i:]); i < m && i+k <= m && n < m {
			terms = append(terms, inner.terms...)
		}
	}
	end := words[max(n, m)-1].end
	add(token{kind: tokenTerms, start: start, end: end, terms: terms})
	return end
}

// isAmount reports whether a text starts with a number: 5 billion less 2.
func isAmount(text string) bool {
	text = strings.TrimLeft(text, " $€£¥")
	return text != "" && isDigit(text[0])
}

// scanHan works like scanWord for a Chinese text at i.
func scanHan(text string, i int, l *lexicon, names *Directory, add func(token)) int {
	if symbols, n := names.hanNameAt(text[i:]); n > 0 {
		add(token{kind: tokenSubject, start: i, end: i + n, symbols: symbols})
		return i + n
	}
	measure, n := findHan(l.measures, text[i:])
	detail, m := findHan(l.details, text[i:])
	if n > 0 || m > 0 {
		terms := slices.Concat(measure.terms, detail.terms)
		for j := i + 1; j < i+n; j++ {
			if utf8.RuneStart(text[j]) {
				inner, size := findHan(l.details, text[j:i+n])
				if j+size <= i+n {
					terms = append(terms, inner.terms...)
				}
			}
		}
		add(token{kind: tokenTerms, start: i, end: i + max(n, m), terms: terms})
		return i + max(n, m)
	}
	for _, b := range hanBreaks {
		if strings.HasPrefix(text[i:], b) {
			add(token{kind: tokenBreak, start: i, end: i + len(b), soft: isOneOf(b, softBreaks)})
			return i + len(b)
		}
	}
	r, size := utf8.DecodeRuneInString(text[i:])
	if strings.ContainsRune("。！？；", r) {
		add(token{kind: tokenEnd, start: i, end: i + size})
	}
	return i + size
}

// isSentenceEnd reports whether a mark ends a sentence: a period before a space and a capital does,
// except after an abbreviation.
func isSentenceEnd(text string, i int) bool {
	if text[i] != '.' {
		return true
	}
	if i+2 >= len(text) {
		return true
	}
	next := strings.TrimLeft(text[i+1:min(len(text), i+8)], "*_\"')")
	if next == "" || next[0] != ' ' && next[0] != '\n' {
		return false
	}
	start := i
	for start > 0 && (isLetter(text[start-1]) || text[start-1] == '.') {
		start--
	}
	return !isOneOf(strings.ToLower(text[start:i]), "inc corp co ltd vs approx no st e.g i.e u.s cf est fig mr ms dr p a.m p.m jan feb mar apr jun jul aug sep sept oct nov dec")
}

var tickerPattern = lazyregexp.New(`^(?:\^[A-Z0-9]{2,7}|[A-Z0-9]{1,6}[.-][A-Z]{1,4}|[A-Z]{1,5}(?:=[A-Z])?)`)

// abbreviations are written like symbols.
const abbreviations = "PE EPS ROE ROA ROIC ROCE RSI SMA EMA MACD CAGR NAV EBITDA EBIT FCF OCF CFO VAR CVAR DCF ATR ADX TTM LTM NTM PEG WACC GDP CPI PCE PPI PMI ISM FY YTD QTD MTD YOY QOQ MOM " +
	"ETF ETFS USA US UK EU ECB FED SEC FOMC IRS CEO COO CTO IPO AI API SEO COGS GAAP IFRS AUM TER LPR LIBOR SOFR APR APY IRR XIRR TWR MWR NPV PV FV PMT BPS BP PP HY IG TIPS REIT REITS ADR ADRS OTC NYSE " +
	"NASDAQ LSE HK SZ SS AND OR NOT SAMPLE NOTE NA OK ET UTC GMT EST EDT CET PDF CSV JSON EV DPS BVPS ARPU MAU DAU GMV KPI ESG QE QT NFP MSCI FTSE DAX USD EUR GBP JPY CNY CHF HKD CAD AUD IN IT IS A I AN THE TO OF " +
	"K M B T BN MN TN CAPEX SGA RD DD VOL STD MAX MIN AVG MEAN SUM ISIN CIK WKN SIC MIC ID PLUS ARE ALL ON SO NOW BY AS AT BE DO GO IF ME MY NO UP WE YES HIGH LOW OPEN TOTAL HRP OBV MFI CCI ROC VWAP PSAR"

// tickerAt returns the symbol at i, or "".
func tickerAt(text string, i int, names *Directory, known map[string]bool) string {
	if i > 0 && (isWordByte(text[i-1]) || strings.IndexByte(".^-_", text[i-1]) >= 0 && text[i] != '^') {
		return ""
	}
	if b := text[i]; b != '^' && !(b >= 'A' && b <= 'Z') && !isDigit(b) {
		return ""
	}
	if i+1 < len(text) && text[i] >= 'A' && text[i] <= 'Z' && text[i+1] >= 'a' && text[i+1] <= 'z' {
		return "" // a word
	}
	symbol := tickerPattern().FindString(text[i:min(len(text), i+16)])
	if end := i + len(symbol); symbol == "" || end < len(text) && isWordByte(text[end]) && !isYearAt(text, end) || end < len(text) && text[end] == '_' {
		return ""
	}
	for short := symbol; ; { // BRK.B, but also AAPL-MSFT
		if known[short] && (len(short) > 1 || !isOneOf(short, abbreviations)) {
			return short
		}
		cut := strings.LastIndexAny(short, ".-=")
		if cut < 0 {
			break
		}
		if names == nil || !names.hasSymbol(short) {
			short = short[:cut]
			continue
		}
		break
	}
	switch {
	case isOneOf(symbol, abbreviations), len(symbol) < 2, isDigit(symbol[0]) && !strings.Contains(symbol, "."):
		return ""
	case names != nil && !names.hasSymbol(symbol):
		return ""
	case names == nil && (currencyOf(symbol) != "" || strings.ContainsAny(symbol, "-=") && currencyOf(symbol[strings.LastIndexAny(symbol, "-=")+1:]) == ""):
		return ""
	}
	return symbol
}

var endOf = lazyregexp.New(`(?i)\bend (?:of )?$`)

// roleBefore returns the role of a period by the words before and after it.
func roleBefore(before, after string) role {
	before = strings.ToLower(strings.TrimRight(before, " *_`(["))
	for _, part := range []string{"the end of", "the start of", "the beginning of"} {
		before = strings.TrimRight(strings.TrimSuffix(before, part), " ")
	}
	last := before[strings.LastIndexAny(before, " \n(,")+1:]
	switch {
	case isOneOf(last, "since from between starting") || endsWithOneOf(before, "自 从 自从"):
		return roleStart
	case isOneOf(last, "to until through till by ending – -") || endsWithOneOf(before, "至 到 截至 - –"):
		return roleEnd
	}
	after = strings.TrimLeft(strings.ToLower(after), " *_`")
	first, _, _ := strings.Cut(after, " ")
	if isOneOf(first, "to through until – -") || strings.HasPrefix(after, "至") || strings.HasPrefix(after, "到") || strings.HasPrefix(after, "以来") || strings.HasPrefix(after, "–") {
		return roleStart
	}
	return roleAt
}
