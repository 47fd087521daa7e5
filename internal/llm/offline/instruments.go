package offline

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/tool/search"
)

// Instrument is a security, index, coin or fund that questions may name.
type Instrument struct {
	Symbol  string
	Name    string
	Kind    string
	Aliases []string // other names, in English and Chinese
}

// Directory finds instruments. It may return more instruments than requested. A lookup must not
// take longer than a millisecond.
type Directory interface {
	Lookup(symbol string) (Instrument, bool)
	// Named returns the instruments with a name or alias that starts with a word or character.
	Named(word string) []Instrument
	// Mentioning returns the instruments with a name or alias that contains a word.
	Mentioning(word string) []Instrument
	All() []Instrument
}

// instruments finds instruments by symbol and by name. It loads only names that start with a word of a
// question, in the short forms that questions use. It is safe for concurrent use.
type instruments struct {
	directory Directory
	all       func() *nameTable

	mu       sync.Mutex
	bySymbol map[string]Instrument // zero if there is none
	starting map[string]*nameTable // by first word, or by first character if it is Chinese
	words    map[string]bool       // whether some name contains the word
}

func newInstruments(d Directory) *instruments {
	return &instruments{
		directory: d, bySymbol: map[string]Instrument{}, starting: map[string]*nameTable{}, words: map[string]bool{},
		all: sync.OnceValue(func() *nameTable { return newNameTable(d.All()) }),
	}
}

// lookup returns the instrument with a symbol; zero if there is none.
func (t *instruments) lookup(symbol string) Instrument {
	t.mu.Lock()
	defer t.mu.Unlock()
	i, known := t.bySymbol[symbol]
	if !known {
		i, _ = t.directory.Lookup(symbol)
		t.bySymbol[symbol] = i
	}
	return i
}

// namesFrom returns a table with all names that start with a word, and perhaps others.
func (t *instruments) namesFrom(word string) *nameTable {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.starting[word] == nil {
		t.starting[word] = newNameTable(t.directory.Named(word))
	}
	return t.starting[word]
}

// hasWord reports whether a word is part of some name.
func (t *instruments) hasWord(word string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	has, known := t.words[word]
	if !known {
		has = newNameTable(t.directory.Mentioning(word)).words[word]
		t.words[word] = has
	}
	return has
}

func (t *instruments) has(symbol string) bool { return t.lookup(symbol).Symbol != "" }

func (t *instruments) isCoin(symbol string) bool { return t.lookup(symbol).Kind == "crypto" }

// names reports whether a word is part of the name of a symbol, such as gold for GLD.
func (t *instruments) names(symbol, word string) bool {
	has := func(name string) bool {
		return isHan(word) && strings.Contains(name, word) || slices.Contains(splitWords(name), word)
	}
	i := t.lookup(symbol)
	return has(i.Name) || slices.ContainsFunc(i.Aliases, has)
}

// nameTable finds symbols by name. If several symbols have a name, the first in the list wins.
type nameTable struct {
	english map[string]string  // by name in lower case, without legal form
	longest map[string]int     // by first word: the number of words of the longest name
	chinese map[rune][]hanName // by first character, the longest first
	words   map[string]bool    // words of names
	list    []string           // the same, for spelling mistakes
}

type hanName struct{ name, symbol string }

const maxNameWords = 6

func newNameTable(list []Instrument) *nameTable {
	t := &nameTable{words: map[string]bool{}, english: map[string]string{}, longest: map[string]int{}, chinese: map[rune][]hanName{}}
	for _, i := range list {
		for _, name := range i.Aliases {
			t.add(name, i.Symbol)
		}
		t.add(i.Name, i.Symbol)
	}
	t.addShortNames(list)
	for _, names := range t.chinese {
		slices.SortStableFunc(names, func(a, b hanName) int { return len(b.name) - len(a.name) })
	}
	return t
}

// addShortNames adds the first two words of company names, such as Johnson Controls, unless one of the words
// determines an argument.
func (t *nameTable) addShortNames(list []Instrument) {
	const shortest = 3
	type shortName struct {
		words  []string
		symbol string
		end    int
	}
	var names []shortName
	var text strings.Builder // of all names, because one search is much faster than one for each
	for _, i := range list {
		if w := nameWords(i.Name); i.Kind == "equity" && len(w) > 2 && len(w[0]) >= shortest && len(w[1]) >= shortest {
			text.WriteString(w[0] + " " + w[1] + "\n")
			names = append(names, shortName{w[:2], i.Symbol, text.Len()})
		}
	}
	found := cues(text.String(), knownOnlyToBuilders())
	for _, n := range names {
		in := 0
		for in < len(found) && found[in][0] < n.end {
			in++
		}
		if found = found[in:]; in == 0 {
			t.put(n.words, n.symbol)
		}
	}
}

func (t *nameTable) add(name, symbol string) {
	name = simplifiedText(name)
	if first, size := utf8.DecodeRuneInString(name); unicode.Is(unicode.Han, first) {
		if len(name) > size {
			t.chinese[first] = append(t.chinese[first], hanName{strings.ToLower(name), symbol})
		}
		return
	}
	words := nameWords(name)
	// People omit the "&" of "Johnson & Johnson" or write "and", and omit the hyphen of "Coca-Cola".
	if i := slices.Index(words, "&"); i > 0 {
		t.add(strings.Join(slices.Concat(words[:i], []string{"and"}, words[i+1:]), " "), symbol)
		words = slices.Delete(slices.Clone(words), i, i+1)
	}
	if plain := unaccented(strings.Join(words, " ")); plain != strings.Join(words, " ") {
		t.add(plain, symbol)
	}
	if parts := strings.Fields(strings.ReplaceAll(strings.Join(words, " "), "-", " ")); len(parts) > len(words) {
		t.add(strings.Join(parts, " "), symbol)
	}
	if first, ok := strings.CutSuffix(words[0], "'s"); ok { // "lowe's" is read as a possessive
		t.add(first+"s "+strings.Join(words[1:], " "), symbol)
		words = append([]string{first}, words[1:]...)
	}
	t.put(words, symbol)
	for len(words) > 1 && legalForms[strings.ReplaceAll(words[len(words)-1], ".", "")] {
		words = words[:len(words)-1]
		t.put(words, symbol)
	}
}

// unaccented removes accents, because people type Hermes for Hermès.
func unaccented(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(text))
}

// nameWords returns the words of an English name, without what is in brackets.
func nameWords(name string) []string {
	name, _, _ = strings.Cut(strings.ToLower(name), "(")
	words := strings.Fields(nameSigns.Replace(name))
	for i := range words {
		words[i] = strings.Trim(words[i], ".")
	}
	if len(words) > 0 && words[0] == "the" {
		words = words[1:]
	}
	return words
}

var nameSigns = strings.NewReplacer(",", " ", ".com", "")

var legalForms = wordSet("inc incorporated corp corporation co company companies ltd limited plc llc lp sa se nv ag spa asa ab oyj kk a/s group holding holdings & the technologies platforms motors index class")

func (t *nameTable) put(words []string, symbol string) {
	if len(words) == 0 || len(words) > maxNameWords || len(words[0]) < 2 && len(words) == 1 {
		return
	}
	key := strings.Join(words, " ")
	if t.english[key] == "" {
		t.english[key] = symbol
	}
	for _, w := range words {
		if !t.words[w] && len(w) >= 4 {
			t.words[w] = true
			t.list = append(t.list, w)
		}
	}
	t.longest[words[0]] = max(t.longest[words[0]], len(words))
}

var (
	cashtag   = lazyregexp.New(`\$([A-Za-z][A-Za-z\d]{0,5}(?:[.-][A-Za-z]{1,3})?)\b`)
	indexTag  = lazyregexp.New(`\^[A-Za-z][A-Za-z\d]{1,9}|\b[A-Za-z]{1,6}=[FfXx]\b`)
	withPoint = lazyregexp.New(`\b(?:[A-Za-z]{1,6}|\d{3,6})[.-](?:[A-Za-z]{1,4})\b`)
	latinWord = lazyregexp.New(`[\p{Latin}\d][\p{Latin}\d&'.^+-]*`)
	urlAt     = lazyregexp.New(`https?://[^\s"'<>，。]+|\bwww\.[^\s"'<>，。]+`)
	fileAt    = lazyregexp.New(`(?i)(?:~?/|\.{1,2}/)?[\w./-]*[\w-]\.(?:csv|tsv|txt|md|json|xml|ofx|qfx|pdf|xlsx?|html?|yaml|log|zip)\b|(?:~|\.{1,2})/[\w./-]+|(?:^|\s)/[\w.-]+/[\w./-]+`)
	isinAt    = lazyregexp.New(`\b[A-Z]{2}[A-Z0-9]{9}\d\b`)
	accession = lazyregexp.New(`\b\d{10}-\d{2}-\d{6}\b`)
)

// abbreviations are words that look like tickers.
var abbreviations = wordSet(`A I AI AM API APR APY ATH ATM AUM CAGR CEO CFO CIK CLI CPI CSV CTO DCA DCF DEC DRIP EBIT EBITDA EPS ESG EST ET ETF ETFS EU EV FAQ
	FEB FED FIFO FOMC FX FY FYI GAAP GDP GMT IPO IRA IRR XIRR IRS ISIN JAN JSON JUL JUN LIFO LLM LTD MACD MAR MAX MAY MCP MD NAV NFA NOV NPV NYSE OCT OTC OK PDF PE PM PNL PS PB Q1 Q2 Q3 Q4 QE
	REIT REITS ROA ROE ROI ROIC ROTH RSI SEC SEP SEPT SMA EMA ATR SQL TTM TV UK UN URL US USA UTC VAT VAR VS YOY YTD YTM BTW HR PR HTML TODO IMF ECB BOE BOJ LSE PEG FCF COGS SGA KPI
	10K 10Q 8K DEF HRP WACC LTV ADR GICS SPAC CVAR US NY LA TWR MWR PL MA BB OTM ITM AND OR THE MY IS IN OF TO FOR IT ME ON AT BY DO IF SO NO WE HOW WHAT DID HAS PRICE CHART BUY SELL HOLD COMPARE SHOW`)

// threeM matches the company 3M if the words next to it rule out an amount and a period.
var threeM = lazyregexp.New(`(?:^|\b(?:prices?|returns?|performance|dividends?|revenues?|p/e|earnings|news|shares|stock|chart|ratios|filings|10-k) of |\b(?:does|did|has|vs|versus|compare|about) )(3m)\b|\b(3m)(?:'s)? (?:stocks?|shares?|company|price|quote|dividends?|earnings|revenues?|news|filings)\b`)

func (q *question) findThreeM(t *instruments) {
	for _, at := range threeM().FindAllStringSubmatchIndex(q.low, -1) {
		if symbol := t.namesFrom("3m").english["3m"]; symbol != "" {
			start := max(at[2], at[4])
			q.add(slot{kind: symbolSlot, start: start, end: start + len("3m"), text: symbol})
		}
	}
}

// findReferences finds URLs, files and accession numbers.
func (q *question) findReferences() {
	for _, f := range []struct {
		kind    kind
		pattern func() *regexp.Regexp
	}{
		{urlSlot, urlAt}, {accessionSlot, accession},
		{isinSlot, isinAt}, {fileSlot, fileAt},
	} {
		for _, at := range f.pattern().FindAllStringIndex(q.text, -1) {
			at[0] += len(q.text[at[0]:at[1]]) - len(strings.TrimLeft(q.text[at[0]:at[1]], " "))
			text := strings.TrimRight(q.text[at[0]:at[1]], ".,;:!?)")
			q.add(slot{kind: f.kind, start: at[0], end: at[0] + len(text), text: text})
		}
	}
}

// findCashtags finds symbols that are written as such: $AAPL, ^GSPC, BRK.B, 0700.HK.
func (q *question) findCashtags(t *instruments) {
	symbol := func(start, end int, symbol string) {
		q.add(slot{kind: symbolSlot, start: start, end: end, text: symbol})
	}
	for _, at := range cashtag().FindAllStringSubmatchIndex(q.text, -1) {
		symbol(at[0], at[1], strings.ToUpper(q.text[at[2]:at[3]]))
	}
	for _, at := range indexTag().FindAllStringIndex(q.text, -1) {
		symbol(at[0], at[1], strings.ToUpper(q.text[at[0]:at[1]]))
	}
	for _, at := range withPoint().FindAllStringIndex(q.text, -1) {
		text := strings.ToUpper(q.text[at[0]:at[1]])
		for _, s := range []string{text, strings.ReplaceAll(text, "-", "."), strings.ReplaceAll(text, ".", "-")} {
			if t.has(s) || strings.HasSuffix(s, "-USD") {
				symbol(at[0], at[1], s)
				break
			}
		}
	}
	q.findChineseNames(t, "")
}

// findNumberedNames finds names with digits, such as the S&P 500, before numbers and years are read.
func (q *question) findNumberedNames(t *instruments) {
	q.findChineseNames(t, digits)
	words := latinWord().FindAllStringIndex(q.text, -1)
	for i := range words {
		n, s := q.nameAt(t, words[i:], func(string) bool { return true }, false)
		if n > 1 && strings.ContainsAny(q.text[words[i][0]:words[i+n-1][1]], digits) {
			q.add(slot{kind: symbolSlot, start: words[i][0], end: q.nameEnd(words[i+n-1]), text: s})
		}
	}
}

// findInstruments finds symbols and names. spoken reports whether a word means something else to
// the tools, so that it is a name only if it is capitalized.
func (q *question) findInstruments(t *instruments, spoken func(word string) bool) {
	symbol := func(start, end int, symbol string) {
		q.add(slot{kind: symbolSlot, start: start, end: end, text: symbol})
	}
	words := latinWord().FindAllStringIndex(q.text, -1)
	shouting := len(words) > 3 && q.text == strings.ToUpper(q.text)
	for i := 0; i < len(words); i++ {
		if n, s := q.nameAt(t, words[i:], spoken, i == 0); n > 0 {
			symbol(words[i][0], q.nameEnd(words[i+n-1]), s)
			i += n - 1
			continue
		}
		text := trimName(q.text[words[i][0]:words[i][1]])
		end := words[i][0] + len(text)
		low := strings.ToLower(text)
		upper := strings.ToUpper(text)
		switch {
		case text == upper && !shouting && t.has(text) && !abbreviations[text] && (len(text) > 1 || q.namesTicker(words[i][0], end)):
			symbol(words[i][0], end, text)
		case t.has(upper) && len(upper) >= 2 && !abbreviations[upper] && !spoken(low) && !currencyCodes[low] && isLetters(low) && !englishTickers[low]:
			symbol(words[i][0], end, upper)
		case text == upper && !shouting && len(text) >= 2 && len(text) <= 5 && isLetters(low) && !abbreviations[text] && !spoken(low) && !currencyCodes[low]:
			symbol(words[i][0], end, text) // a ticker that is not in the table
		}
	}
}

// englishTickers are English words that are also tickers; they count as tickers only in capitals.
var englishTickers = wordSet(`cat cost now low so all on it are or as an am cop see gap tech team sun well shop spot race ice ball five four flex fast fix path gen day wing cube car cart
	key keys pool post snap real ben doc ally link atom fox sol son ed pay net dash coin el arm tip cold pen met mod sum hal peg hog sky fang life reg open la man bill jazz glob stag site sf ui bah kim cars news bio
	apt site ate ago ice onto lea elf mat lad alle has hut its main sand vet vs pm ms ma team gold win ori sa si be by do go if in is me my no of to up us we he mas met pru rare pri`)

var tickerWords = wordSet("ticker symbol stock stocks share shares price quote")

// namesTicker reports whether a word next to a single capital letter marks it as a ticker.
func (q *question) namesTicker(start, end int) bool {
	before := strings.Fields(q.low[:start])
	after := strings.Fields(q.low[end:])
	return len(before) > 0 && tickerWords[before[len(before)-1]] || len(after) > 0 && tickerWords[strings.Trim(after[0], "?.,!")] || len(before)+len(after) == 0
}

// findChineseNames finds the names that contain some of the characters; all names if there are none.
func (q *question) findChineseNames(t *instruments, with string) {
	for i := 0; i < len(q.low); {
		r, size := utf8.DecodeRuneInString(q.low[i:])
		step := size
		var names []hanName
		if unicode.Is(unicode.Han, r) {
			names = t.namesFrom(string(r)).chinese[r]
		}
		for _, n := range names {
			if strings.HasPrefix(q.low[i:], n.name) && (with == "" || strings.ContainsAny(n.name, with)) && q.add(slot{kind: symbolSlot, start: i, end: i + len(n.name), text: n.symbol}) {
				step = len(n.name)
				break
			}
		}
		i += step
	}
}

// nameAt returns the symbol of the longest name at the start of the words, and the number of its words.
func (q *question) nameAt(t *instruments, words [][]int, spoken func(string) bool, first bool) (n int, symbol string) {
	start := strings.ToLower(trimName(q.text[words[0][0]:words[0][1]]))
	names := t.namesFrom(start)
	for n := min(names.longest[start], len(words)); n > 0; n-- {
		parts := make([]string, n)
		for i := range n {
			parts[i] = strings.ToLower(trimName(q.text[words[i][0]:words[i][1]]))
		}
		s := names.english[strings.Join(parts, " ")]
		if s == "" && n == 1 && strings.HasPrefix(q.low[words[0][0]+len(start):], "'s") {
			s = names.english[start+"s"] // Domino's
		}
		if s == "" || !q.free(words[0][0], words[n-1][1]) {
			continue
		}
		capital := unicode.IsUpper(rune(q.text[words[0][0]]))
		if n == 1 && spoken(start) && (!capital || first) && t.lookup(s).Kind != "crypto" && t.lookup(s).Kind != "index" && (start != "google" || q.has(googling)) && !q.asCompany(start) ||
			n == 1 && abbreviations[strings.ToUpper(start)] {
			continue
		}
		return n, s
	}
	// A possessive without its apostrophe: "apples dividend".
	if singular, ok := strings.CutSuffix(start, "s"); ok && names.longest[start] == 0 && !spoken(start) && q.free(words[0][0], words[0][1]) {
		if s := t.namesFrom(singular).english[singular]; s != "" {
			return 1, s
		}
	}
	return 0, ""
}

// googling matches requests to search the web.
var googling = lazyregexp.New(`^google (?:the|an?|for|what|how|who|when|where|why|if|whether|about|up)\b`)

// asCompany reports whether the name of a broker means the company instead of an account there.
func (q *question) asCompany(name string) bool {
	return len(cues(name, accountNames)) > 0 && len(q.of(fileSlot)) == 0 && len(cues(q.low, "account*|acct|my|i|import*|export*|load|csv|broker*|bought|sold|bought|deposit*|withdr*|moved|transferred|from|at")) == 0
}

func (q *question) nameEnd(at []int) int { return at[0] + len(trimName(q.text[at[0]:at[1]])) }

func trimName(w string) string {
	w = strings.TrimRight(w, ".'-&+")
	return strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "'S")
}

func isLetters(low string) bool {
	for _, r := range low {
		if r < 'a' || r > 'z' {
			return false
		}
	}
	return low != ""
}

// stem returns the form in which words are compared.
func stem(w string) string { return search.Stem(w) }
