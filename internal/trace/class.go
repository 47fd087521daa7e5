package trace

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// pattern recognizes numbers that are not figures by the text around them. Empty fields match
// anything.
type pattern struct {
	class  Class
	words  string // one of these words precedes the number, after a space
	ends   string // one of these directly precedes the number
	before func() *regexp.Regexp
	next   string // one of these characters follows the first digits
	first  string // the number starts with one of these digits
	has    string // the text before contains it
	follow string // one of these words follows the digits and a space
	// after matches the text from the number on. The number is the first group, or the whole match.
	after func() *regexp.Regexp
}

// match returns the length of the number, or 0. word is the last word before the number.
// next is the character after its first digits.
func (p *pattern) match(before, word, after string, next rune) int {
	if p.next != "" && !strings.ContainsRune(p.next, next) {
		return 0
	}
	if p.first != "" && !strings.ContainsRune(p.first, rune(after[0])) || p.has != "" && !strings.Contains(before, p.has) || p.follow != "" && !isOneOf(wordAfterDigits(after), p.follow) {
		return 0
	}
	if p.words != "" && !isOneOf(word, p.words) || p.ends != "" && !endsWithOneOf(before, p.ends) {
		return 0
	}
	m := p.after().FindStringSubmatchIndex(after)
	if m == nil || p.before != nil && !p.before().MatchString(before) {
		return 0
	}
	if len(m) > 2 {
		return m[3]
	}
	return m[1]
}

// wordAfterDigits returns the word that follows digits and a space, or "".
func wordAfterDigits(s string) string {
	rest := strings.ReplaceAll(strings.TrimLeft(s, "0123456789."), "\u00a0", " ")
	if !strings.HasPrefix(rest, " ") {
		return ""
	}
	end := 1
	for end < len(rest) && (isLetter(rest[end]) || rest[end] == '.') {
		end++
	}
	word := rest[1:end]
	if !strings.Contains(strings.TrimSuffix(word, "."), ".") { // "a.m." keeps its period
		word = strings.TrimSuffix(word, ".")
	}
	return word
}

func endsWithOneOf(s, list string) bool {
	for list != "" {
		var end string
		if end, list, _ = strings.Cut(list, " "); strings.HasSuffix(s, end) {
			return true
		}
	}
	return false
}

// wordBefore returns the last word of a text that ends with a space or an emphasis mark, or "".
func wordBefore(before string) string {
	s := strings.TrimRight(before, " *_(\u00a0")
	if s == before {
		return ""
	}
	s = strings.TrimRight(s, ".®")
	start := len(s)
	for start > 0 && (isLetter(s[start-1]) || s[start-1] == '&') {
		start--
	}
	return s[start:]
}

const (
	year    = `(?:19|20)\d\d`
	month   = `(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)`
	ofMonth = `(?:0?[1-9]|[12]\d|3[01])` // day
	ofYear  = `(?:0?[1-9]|1[0-2])`       // month
	anyWord = `[\dA-Za-z]+(?:[.,/:_-][\dA-Za-z]+)*`
	// bareEnd follows a number without decimals or percent sign.
	bareEnd = `(?:[^\d.,% ]|[.,](?:\D|$)| [^%]| ?$)`
	hanPart = `(?:原因|方面|要点|步骤|因素|风险|问题|建议|选项|情景|例子|部分|理由|关键)`
	hanSpan = `(?:年|天|周|个月|個月|个季|个交易日)`
)

var digitsOnly, wordOnly = lazyregexp.New(`^\d+`), lazyregexp.New(`^\.?` + anyWord)

const months = "January Jan February Feb March Mar April Apr May June Jun July Jul August Aug September Sept Sep October Oct November Nov December Dec"

// dayOfMonth matches 17 April and 3rd of May.
var dayOfMonth = lazyregexp.New(`^(` + ofMonth + `(?:st|nd|rd|th)?)[ \x{a0}](?:of )?` + month + `\b`)

// calendarPatterns recognize dates, times and periods.
var calendarPatterns = []pattern{
	// 2024-03-31, 2024-01-05T16:00:00Z, 31.12.2024, 3/31/2024
	{class: ClassDate, next: "-/.", after: lazyregexp.New(`^(` + year + `-` + ofYear + `-` + ofMonth + `(?:T[\d:.]+Z?)?|` + year + `(?:/` + ofYear + `/|\.` + ofYear + `\.)` + ofMonth + `|(?:\d\d?\.){2}` + year + `|(?:\d\d?/){2}` + year + `|(?:\d\d?-){2}` + year + `)\b`)},
	// 2024-03, 2023/24, 2008-2020
	{class: ClassDate, next: "-/", after: lazyregexp.New(`^(` + year + `[-/](?:\d\d|` + year + `))` + bareEnd)},
	// 16:00, 9:30 am, 4 pm, 15点30分
	{class: ClassTime, next: ":", after: lazyregexp.New(`^((?:[01]?\d|2[0-3]):[0-5]\d(?::\d\d)?)\b`)},
	{class: ClassTime, next: "AaPp", after: lazyregexp.New(`^((?:0?\d|1[0-2])(?:[AaPp][Mm]\b|[ap]\.m\.))`)},
	{class: ClassTime, follow: "AM PM am pm Am Pm a.m. p.m.", after: lazyregexp.New(`^((?:0?\d|1[0-2]) ?(?:[AaPp][Mm]\b|[ap]\.m\.))`)},
	{class: ClassTime, ends: "午 晚", next: "点", after: lazyregexp.New(`^(\d\d?)点`)},
	{class: ClassTime, next: "点时時", after: lazyregexp.New(`^(\d\d?)(?:点[半\d]|[时時])`)},
	{class: ClassTime, ends: "点 时", next: "分", after: lazyregexp.New(`^(\d+)分`)},
	// 2024年, 近5年, 10年期, 3月31日, 第1季度
	{class: ClassYear, next: "年", after: lazyregexp.New(`^(` + year + `)年`)},
	{class: ClassPeriod, ends: "过去 過去 近 未来 未來 前 后 每 第", after: lazyregexp.New(`^(\d+)` + hanSpan)},
	{class: ClassPeriod, next: "季年天周个個", after: lazyregexp.New(`^(\d+)(?:季|` + hanSpan + `(?:期|来|內|内|前|后|以来|最高|最低|高点|低点|新高|新低|均线|线))`)},
	{class: ClassDate, next: "月日号", after: lazyregexp.New(`^(\d+)[月日号]`)},
	{class: ClassPlace, next: "个個", after: lazyregexp.New(`^(\d+)[个個]` + hanPart)},
	// April 17, 17 April, the 3rd of May, April 3-5, '24
	{class: ClassDate, words: months, after: lazyregexp.New(`^(` + ofMonth + `(?:st|nd|rd|th)?)(?:[^\w.%]|\.(?:\D|$)|$)`)},
	{class: ClassDate, follow: months + " of", after: dayOfMonth},
	{class: ClassDate, next: "snrt", after: dayOfMonth},
	{class: ClassDate, ends: "- –", before: lazyregexp.New(`\b` + month + `\.? \d\d?[-–]$`), after: lazyregexp.New(`^(` + ofMonth + `)\b`)},
	{class: ClassYear, ends: "'", before: lazyregexp.New(`(?:^|\W)'$`), after: lazyregexp.New(`^(\d\d)\b`)},
}

// namePatterns recognize names and references.
var namePatterns = []pattern{
	// T+1, MACD(12,26,9), ^10, v.2
	{class: ClassName, ends: "+", before: lazyregexp.New(`[A-Za-z]\+$`), after: digitsOnly},
	{class: ClassName, has: "(", before: lazyregexp.New(`[A-Za-z]\([\d,. ]*$`), next: ",. )", after: lazyregexp.New(`^(\d+)[\d,. ]*\)`)},
	{class: ClassName, ends: "^ _ & .", before: lazyregexp.New(`[\^_&]$|[A-Za-z]\.$`), after: wordOnly},
	// 0700.HK, 0000320193
	{class: ClassName, next: ".", after: lazyregexp.New(`^(\d+\.[A-Z][A-Za-z]?)\b`)},
	{class: ClassName, first: "0", after: lazyregexp.New(`^(0\d+)` + bareEnd)},
	// #3, § 20, [2], 第2, Section 3.2
	{class: ClassPlace, has: "#", before: lazyregexp.New(`# ?$`), after: wordOnly},
	{class: ClassPlace, has: "№", before: lazyregexp.New(`№ ?$`), after: wordOnly},
	{class: ClassPlace, has: "§", before: lazyregexp.New(`§ ?$`), after: wordOnly},
	{class: ClassPlace, ends: "[", after: lazyregexp.New(`^(\d{1,3})\]`)},
	{class: ClassOrdinal, ends: "第", after: digitsOnly},
	{class: ClassPlace, words: "Section section Step step Item item Table table Figure figure Chart chart Chapter chapter Note note Page page pp p Part part Appendix Option option Scenario scenario Phase phase " +
		"Tier tier Level level Point Rule Article No Nr Footnote footnote Exhibit Question question Line line Box Schedule Form Row row Pillar Type type Day Week Month Class Series Stage stage Version version",
		after: lazyregexp.New(`^(\d{1,4}[A-Za-z]*(?:[.,/:_-][\dA-Za-z]+)*)` + bareEnd)},
	{class: ClassPlace, words: "Year year", after: lazyregexp.New(`^(\d{1,2})` + bareEnd)},
	// IFRS 9, S&P 500, 沪深300, the top 10 holdings, a Rule of 72, a 529 plan, the RTX 50 series
	{class: ClassName, words: "IFRS IAS ASC ISO Basel SFAS FAS CFA RTX GPT Claude iPhone Windows Boeing Fortune Rev Regulation Reg CIK CUSIP ISIN Python Opus Sonnet Gemini Llama Qwen Euro Go",
		after: lazyregexp.New(`^(` + anyWord + `)` + bareEnd)},
	{class: ClassName, words: "S&P Russell FTSE DAX STOXX Stoxx Europe Nasdaq NASDAQ Nikkei CAC CSI ASX IBEX SMI Nifty NIFTY TOPIX Dow KOSPI Kospi MDAX AEX BSE SSE MSCI TSX SP OMX PSI Wilshire Sensex Dividend",
		after: lazyregexp.New(`^(\d{2,3}|[1-5][05]00)` + bareEnd)},
	{class: ClassName, ends: "沪深 中证 上证 标普 标准普尔 纳斯达克 日经 科创 深证 创业板 国证 罗素 富时 道琼斯 恒生 斯托克", after: lazyregexp.New(`^(\d{1,4})(?:\D|$)`)},
	{class: ClassName, words: "top Top", after: lazyregexp.New(`^(\d{1,3})` + bareEnd)},
	{class: ClassName, words: "per", after: lazyregexp.New(`^(1,?000?)` + bareEnd)},
	{class: ClassName, words: "worst best bottom top", after: lazyregexp.New(`^(\d{1,2}%) of\b`)},
	{class: ClassName, words: "of", before: lazyregexp.New(`\bRule of $`), after: digitsOnly},
	{class: ClassName, follow: "plan series put puts call calls", after: lazyregexp.New(`^(\d+(?:\.\d+)?) `)},
}

// notFigure returns the class and length of the number at i if it is not a figure. The length is 0
// if it may be one.
func (d *document) notFigure(i int, before, after string) (Class, int) {
	word := wordBefore(before)
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(after, "0123456789"))
	letter := before != "" && isLetter(before[len(before)-1])
	if !letter {
		for k := range calendarPatterns {
			p := &calendarPatterns[k]
			if n := p.match(before, word, after, next); n > 0 {
				return p.class, n
			}
		}
		if d.isYear(i, before, word, after) {
			return ClassYear, len(year2000)
		}
	}
	if d.isJoinedName(before) {
		return ClassName, len(wordOnly().FindString(after))
	}
	for k := range namePatterns {
		p := &namePatterns[k]
		if n := p.match(before, word, after, next); n > 0 {
			return p.class, n
		}
	}
	return "", 0
}

// isJoinedName reports whether letters before a number make it a name: H100, GPT-4. In USD100 they
// are a currency, in mid-2024 and sub-5% a separate word.
func (d *document) isJoinedName(before string) bool {
	letters, hyphen := strings.CutSuffix(before, "-")
	start := len(letters)
	for start > 0 && isLetter(letters[start-1]) {
		start--
	}
	digit := start > 0 && isDigit(letters[start-1])
	switch letters = letters[start:]; {
	case letters == "":
		return false
	case hyphen:
		return !isOneOf(strings.ToLower(letters), "mid pre post early late sub plus minus non to until near approx year since")
	}
	return currencyOf(letters) == "" || len(letters) == 1 || letters == "won" || digit
}

const year2000 = "2000"

var yearPattern = lazyregexp.New(`^` + year + `(?:[sefaEFAhq]|fy|FY)?(?:[^\w.,/%$]|[.,/](?:\D|$)|$)`)

var amountNext = lazyregexp.New(`^ (?:[A-Z]{3} ?|[A-Z]{0,3}[$€£¥])\d`)

// startsWithYear returns a fast check before yearPattern.
func startsWithYear(s string) bool {
	return len(s) >= len(year2000) && (s[0] == '1' || s[0] == '2') && isDigit(s[1]) && isDigit(s[2]) && isDigit(s[3]) && !(len(s) > len(year2000) && isDigit(s[4]))
}

// isYear reports whether four digits are a year and not a count.
func (d *document) isYear(i int, before, word, after string) bool {
	if !startsWithYear(after) || !yearPattern().MatchString(after) || endsWithOneOf(before, "$ € £ ¥ ₹ ₩ ₽ ₿ + =") || isOneOf(word, "at exactly about roughly approximately hold own bought sold buy sell") {
		return false
	}
	if _, code := currencyBefore(before); code != "" {
		return false
	}
	if c := d.cellAt(i); c != nil && (c.unit.kind != UnitPlain || c.unit.currency != "" || c.unit.scale != 0) {
		return false
	}
	rest := after[len(year2000):]
	if amountNext().MatchString(rest) {
		return true // in 2025 USD 133 billion
	}
	u := suffixOf(rest, false)
	noun := nounOf(rest)
	counts := u.length > 0 && !u.name && u.class == "" || strings.HasPrefix(rest, " ") && (timeUnit(noun) != "" || isOneOf(noun, "share unit store employee people bar contract company companie fund "+
		"customer token ounce trade observation lot home aircraft vehicle stock simulation path run index"))
	return !counts || isOneOf(strings.ToLower(word), "in since")
}
