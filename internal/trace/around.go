package trace

import (
	"cmp"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// prefix is the text before the digits of a number.
type prefix struct {
	length    int // of sign and currency, in bytes
	currency  string
	sign      int8
	direction int8
	hedge     hedge
}

var (
	// A dash after a digit, a word or a bracket belongs to a range or a compound.
	signBefore      = lazyregexp.New(`(?:^|[^\w%)\]–-])(\+/-|[-+–±~≈])$`)
	signedCurrency  = lazyregexp.New(`([A-Z]{0,3})([$€£¥₹₩₽₿])$`)
	hanCurrencyWord = lazyregexp.New(`(` + hanCurrency + `)[ \x{a0}]?$`)
)

// readPrefix parses the sign, the currency and the words that qualify a number.
func readPrefix(before string) prefix {
	var p prefix
	rest := before
	readSign := func() {
		if p.sign != 0 || !endsWithOneOf(rest, "- + – ± ~ ≈") {
			return
		}
		m := signBefore().FindStringSubmatchIndex(rest)
		if m == nil {
			return
		}
		switch sign := rest[m[2]:m[3]]; sign {
		case "~", "≈":
			p.hedge = hedgeAbout
		case "-", "–":
			p.sign = -1
		case "+":
			p.sign = 1
		}
		rest = rest[:m[2]]
	}
	readSign()
	if start, code := currencyBefore(rest); code != "" {
		p.currency, rest = code, rest[:start]
	}
	readSign()
	p.length = len(before) - len(rest)
	p.readWords(rest)
	return p
}

// hanQualifiers are the Chinese words that qualify a number. 了 may follow a verb.
var hanQualifiers = [...]struct {
	words     string
	hedge     hedge
	direction int8
}{
	{"约为 约 大概", hedgeAbout, 0}, {"超过 高于 逾 超", hedgeOver, 0}, {"不到 不足 低于 接近 近", hedgeUnder, 0},
	{"下跌 下降 减少 跌 降", hedgeNone, -1}, {"上涨 增长 上升 增加 涨", hedgeNone, 1},
}

// readWords parses the words that qualify a number: about 5, more than 5, fell by 5, 上涨约5.
func (p *prefix) readWords(before string) {
	than := false
	for range 3 {
		before = strings.TrimRight(before, " *_(\u00a0了")
		for _, q := range hanQualifiers {
			if before == "" || before[len(before)-1] < utf8.RuneSelf {
				break
			}
			for w := range strings.FieldsSeq(q.words) {
				if rest, ok := strings.CutSuffix(before, w); ok {
					before, p.direction = rest, q.direction
					p.hedge = cmp.Or(p.hedge, q.hedge)
				}
			}
		}
		start := len(before)
		for start > 0 && isLetter(before[start-1]) {
			start--
		}
		switch w := strings.ToLower(before[start:]); {
		case isOneOf(w, "less more") && !than:
			return // 102.7 billion less 6.0 billion
		case isOneOf(w, "by a an than least most just only"):
			than = than || w == "than"
		case isOneOf(w, "about around roughly approximately approx circa some near"):
			p.hedge = cmp.Or(p.hedge, hedgeAbout)
		case isOneOf(w, "over above exceeding exceeds exceeded passed topped crossed more"), endsWithOneOf(before, "> ≥"):
			p.hedge = cmp.Or(p.hedge, hedgeOver)
		case isOneOf(w, "nearly almost under below less"), endsWithOneOf(before, "< ≤"):
			p.hedge = cmp.Or(p.hedge, hedgeUnder)
		case isOneOf(w, "fell falls fallen dropped drops declined declines lost loses down decreased slid shed shrank tumbled slumped sank"):
			p.direction = -1
			return
		case isOneOf(w, "rose rises risen gained gains up grew grows grown increased increases climbed climbs added jumped surged rallied"):
			p.direction = 1
			return
		default:
			return
		}
		before = before[:start]
	}
}

// currencyBefore returns the currency at the end of a text and where it starts.
func currencyBefore(s string) (start int, code string) {
	const longest = 20 // maximum length of a currency name
	offset := max(0, len(s)-longest)
	s = s[offset:]
	none := offset + len(s)
	if endsWithOneOf(s, "$ € £ ¥ ₹ ₩ ₽ ₿") {
		m := signedCurrency().FindStringSubmatchIndex(s)
		if code := currencyOf(s[m[2]:m[5]]); code != "" {
			return offset + m[2], code
		}
		return offset + m[4], currencyOf(s[m[4]:m[5]])
	}
	// Most numbers follow a sign, or a space after a short word: check the last letter first.
	word := strings.TrimRight(s, " \u00a0")
	if word == "" {
		return none, ""
	}
	if last := word[len(word)-1]; last >= utf8.RuneSelf {
		if m := hanCurrencyWord().FindStringSubmatchIndex(s); m != nil {
			return offset + m[2], currencyOf(s[m[2]:m[3]])
		}
		return none, ""
	}
	start = len(word)
	for start > 0 && isLetter(word[start-1]) {
		start--
	}
	name := word[start:]
	spaces := utf8.RuneCountInString(s[len(word):])
	if len(name) < 2 || name[0] >= 'a' || spaces > 1 || start > 0 && (isWordByte(word[start-1]) || word[start-1] == '_' || word[start-1] == '/') {
		return none, ""
	}
	return offset + start, currencyOf(name)
}

// suffix is the text after the digits of a number.
type suffix struct {
	length   int
	kind     UnitKind
	currency string
	scale    int32
	scaled   bool
	name     bool  // letters that make it a name: 10-K, 13F
	class    Class // if it is not a figure: 12th, 10y
}

// unitStarts are the first characters of the units in unitPatterns, after a space or a hyphen.
const unitStarts = "%‰pPbBxXtT个個百基倍成"

// unitPatterns are the units other than currencies, with their scale.
var unitPatterns = []struct {
	pattern func() *regexp.Regexp
	kind    UnitKind
	scale   int32
}{
	{lazyregexp.New(`(?i)^[ \x{a0}]?%(?:[ -]points?\b| pts\b|点)|^[ \x{a0}-]?(?:percent(?:age)?[ -](?:points?|pts)|pps?|ppts?)\b|^ ?[个個]?百分[点點]`), UnitPoints, 0},
	{lazyregexp.New(`(?i)^[ \x{a0}]?%|^[ \x{a0}-]?(?:percent|per cent|pct)\b`), UnitPercent, 0},
	{lazyregexp.New(`^[ \x{a0}]?‰`), UnitPercent, -1},
	{lazyregexp.New(`(?i)^[ \x{a0}-]?(?:bps?|basis[ -]points?)\b|^ ?[个個]?基[点點]`), UnitBasisPoints, 0},
	{lazyregexp.New(`(?i)^[ \x{a0}]?(?:x|times)\b|^ ?倍`), UnitMultiple, 0},
	{lazyregexp.New(`^ ?成`), UnitPercent, 1},
}

var (
	currencySignAfter = lazyregexp.New(`^[ \x{a0}]?([$€£¥₹₩₽₿])(?:\D|$)`)
	hanCurrencyAfter  = lazyregexp.New(`^(?:` + hanCurrency + `|元|円)`)
	wordAfter         = lazyregexp.New(`^([ \x{a0}-]?)([A-Za-z]+)(-?\d)?`)
	bracketLetter     = lazyregexp.New(`^\([A-Za-z]\)`)
)

// hasPointsAfter reports whether a percent sign belongs to percentage points.
func hasPointsAfter(s string) bool {
	return strings.HasPrefix(s, "点") || len(s) > 1 && (s[0] == ' ' || s[0] == '-') && (s[1] == 'p' || s[1] == 'P')
}

// mayHaveUnit returns a fast check before the patterns: nothing that ends a clause starts a unit.
func mayHaveUnit(rest string) bool {
	rest = strings.TrimPrefix(rest, " ")
	return rest != "" && strings.IndexByte(",.;:!?|*_)]}\n\"'", rest[0]) < 0
}

// suffixOf parses the unit at the start of a text. Scale, currency and percent may follow each
// other: "3.2 bn USD", "3.2万亿美元". With money, a single letter after a space is a scale.
func suffixOf(text string, money bool) suffix {
	var u suffix
	for range 3 {
		rest := text[u.length:]
		if !mayHaveUnit(rest) {
			return u
		}
		if after, ok := strings.CutPrefix(rest, "%"); ok && !hasPointsAfter(after) {
			u.kind, u.length = UnitPercent, u.length+1
			return u
		}
		if first, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, " \u00a0-")); strings.ContainsRune(unitStarts, first) {
			for _, unit := range unitPatterns {
				if m := unit.pattern().FindString(rest); m != "" {
					u.kind, u.scale, u.length = unit.kind, u.scale+unit.scale, u.length+len(m)
					return u
				}
			}
		}
		if !u.readWord(rest, money || u.currency != "") || u.name || u.class != "" {
			return u
		}
	}
	return u
}

// readWord parses one currency, scale or word at the start of a text, and reports whether it
// belongs to the number.
func (u *suffix) readWord(rest string, money bool) bool {
	if m := currencySignAfter().FindStringSubmatchIndex(rest); m != nil && u.currency == "" {
		u.currency, u.length = currencyOf(rest[m[2]:m[3]]), u.length+m[3]
		return true
	}
	trimmed := strings.TrimPrefix(rest, " ")
	blank := len(rest) - len(trimmed)
	if han, power := hanScale(trimmed); han != "" && !u.scaled {
		u.scale, u.scaled, u.length = u.scale+power, true, u.length+blank+len(han)
		return true
	}
	if name := hanCurrencyAfter().FindString(trimmed); name != "" && u.currency == "" {
		u.currency, u.length = currencyOf(name), u.length+blank+len(name)
		return true
	}
	if m := bracketLetter().FindString(rest); m != "" && u.length == 0 {
		u.name, u.length = true, len(m) // 401(k)
		return true
	}
	m := wordAfter().FindStringSubmatch(rest)
	if m == nil {
		return false
	}
	name, lower, joined := m[2], strings.ToLower(m[2]), m[1] == ""
	length := u.length + len(m[1]) + len(name)
	if m[3] != "" && joined { // 2H24
		u.name, u.length = true, length
		return true
	}
	if m[1] == " " && m[3] != "" && m[3][0] != '-' { // 2019 Q1
		return false
	}
	if power, ok := scaleOf(lower); ok && !u.scaled && (len(name) > 1 || joined || money && m[1] != "-") {
		u.scale, u.scaled, u.length = u.scale+power, true, length
		return true
	}
	if m[1] == "-" {
		switch {
		case u.scaled || u.currency != "" || lower == "for": // 3-for-1
			return false
		case timeUnit(lower) != "" || lower == "fold":
			u.class = ClassPeriod
		default:
			u.name = true
		}
		u.length = length
		return true
	}
	if lower == "cents" || lower == "cent" {
		u.currency, u.scale, u.scaled, u.length = "$", u.scale-2, true, length
		return true
	}
	if code := currencyOf(name); code != "" && u.currency == "" && (len(name) > 2 || joined) {
		u.currency, u.length = code, length
		return true
	}
	if !joined || u.scaled || isOneOf(name, "ms s GB MB KB GiB MiB KiB") {
		return false
	}
	switch {
	case name == "p":
		u.currency = "GBp"
	case isOneOf(name, "st nd rd th"):
		u.class = ClassOrdinal
	case isOneOf(lower, "y yr yrs d w mo h hr hrs min q"):
		u.class = ClassPeriod
	default:
		u.name = true
	}
	u.length = length
	return true
}

var (
	hanNounPattern = lazyregexp.New(`^ ?[个個大条点]?(交易日|季度|小时|分钟|月|年|周|天|日|股|家|只|手|期|次|笔|名|人|份)`)
)

// nounOf returns the word at the start of a text in the singular: "share" for "shares".
func nounOf(text string) string {
	if rest := strings.TrimPrefix(text, " "); rest != "" && rest[0] >= utf8.RuneSelf {
		if m := hanNounPattern().FindStringSubmatch(text); m != nil {
			return m[1]
		}
	}
	switch {
	case strings.HasPrefix(text, "\u00a0"):
		text = text[len("\u00a0"):]
	case text != "" && (text[0] == ' ' || text[0] == '-'):
		text = text[1:]
	}
	noun := ""
	for {
		end := 0
		for end < len(text) && isLetter(text[end]) {
			end++
		}
		noun = strings.ToLower(text[:end])
		if end == len(text) || text[end] != ' ' || !isOneOf(noun, "main big simple important major quick practical other trading calendar business more full") {
			break
		}
		if end+1 >= len(text) || !isLetter(text[end+1]) {
			break
		}
		text = text[end+1:]
	}
	if len(noun) > 2 && !strings.HasSuffix(noun, "ss") {
		noun = strings.TrimSuffix(noun, "s")
	}
	return noun
}
