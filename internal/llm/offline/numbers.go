package offline

import (
	"strings"
	"unicode/utf8"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

type amount = decimal.Decimal

func whole(n int) amount { return decimal.NewFromInt(int64(n)) }

// currencyWords maps words and signs to currency codes.
var currencyWords = map[string]string{
	"$": "USD", "us$": "USD", "dollar": "USD", "dollars": "USD", "bucks": "USD", "greenback": "USD", "美元": "USD", "美金": "USD", "刀": "USD",
	"€": "EUR", "euro": "EUR", "euros": "EUR", "欧元": "EUR", "歐元": "EUR", "£": "GBP", "pound": "GBP", "pounds": "GBP", "sterling": "GBP", "英镑": "GBP", "英鎊": "GBP",
	"yen": "JPY", "日元": "JPY", "日圆": "JPY", "¥": "CNY", "￥": "CNY", "yuan": "CNY", "rmb": "CNY", "renminbi": "CNY", "人民币": "CNY", "人民幣": "CNY",
	"franc": "CHF", "francs": "CHF", "swiss franc": "CHF", "swiss francs": "CHF", "瑞士法郎": "CHF", "瑞郎": "CHF", "hk$": "HKD", "港元": "HKD", "港币": "HKD", "港幣": "HKD",
	"loonie": "CAD", "canadian dollar": "CAD", "canadian dollars": "CAD", "c$": "CAD", "加元": "CAD", "aussie dollar": "AUD", "australian dollar": "AUD", "australian dollars": "AUD", "a$": "AUD", "澳元": "AUD",
	"rupee": "INR", "rupees": "INR", "卢比": "INR", "won": "KRW", "韩元": "KRW", "singapore dollar": "SGD", "singapore dollars": "SGD", "新加坡元": "SGD", "新元": "SGD",
	"krona": "SEK", "kronor": "SEK", "zloty": "PLN", "peso": "MXN", "pesos": "MXN", "lira": "TRY", "real": "", "rand": "ZAR", "rouble": "RUB", "ruble": "RUB", "卢布": "RUB", "taiwan dollar": "TWD", "台币": "TWD", "新台币": "TWD",
}

// currencyCodes are recognized in lower case, too.
var currencyCodes = wordSet("usd eur gbp jpy cny chf hkd cad aud nzd sgd sek nok dkk inr krw brl mxn pln czk huf zar ils thb idr myr php twd cnh")

var (
	plainNumber  = lazyregexp.New(`(us\$|hk\$|a\$|c\$|[$€£¥])? ?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d*\.\d+|\d+)( ?(?:k|grand|mm?|mn|bn?|thousand|million|billion|trillion)\b|万亿|千万|百万|十万|亿|億|万|萬|千)?( ?(?:%|percent\b|per cent\b|pct\b|bps?\b|basis points?\b|个点|个基点))?`)
	hanAmount    = lazyregexp.New(`[零一二两三四五六七八九十百千]*[一二两三四五六七八九十百千][万亿萬億]+[一二三四五六七八九]?|[一二三四五六七八九]成|[一二两三四五六七八九十百千]{1,6}(?:股|元|块)|百分之[零一二三四五六七八九十百点]+`)
	manyBehind   = lazyregexp.New(`^ ?(?:more |additional )?(?:shares?|units?|coins?|stocks?|lots?|股|手|份|个(?:比特币|以太坊))`)
	everyBehind  = lazyregexp.New(`^ ?(?:extra |more |additional |on top )?(?:/ ?|a |per |each |every |in the )?(month|year|week|mo|yr|annum|monthly|yearly|annually|weekly|p\.?a\.?)\b`)
	everyBefore  = lazyregexp.New(`(?:\b(monthly|annual(?:ly)?|yearly|weekly)(?: (?:savings?|contributions?|deposits?|withdrawals?|income|spending|budget|expenses|plan))?|(?:每个?|一个?)(月|年|周)[^,。;0-9]{0,8}) ?(?:of |is )?$`)
	wordNumber   = lazyregexp.New(`\b(?:a )?(half a million|half an?|a million|(?:one|two|three|four|five|six|seven|eight|nine|ten|twenty|fifty|hundred) (?:hundred |thousand |million |billion )*(?:hundred|thousand|million|billion)|ten|twenty|thirty|forty|fifty|a hundred|five|two|three|four)\b`)
	currencyAt   = lazyregexp.New(`(?:us\$|hk\$|a\$|c\$|[$€£¥])|\b(?:swiss francs?|canadian dollars?|australian dollars?|aussie dollar|singapore dollars?|taiwan dollar|[a-z]{3,9})\b|新加坡元|瑞士法郎|新台币|人民币|人民幣|美元|美金|欧元|歐元|英镑|英鎊|日元|日圆|瑞郎|港元|港币|港幣|加元|澳元|卢比|韩元|新元|卢布|台币`)
	numberBehind = lazyregexp.New(`^ ?\d`)
	pairAt       = lazyregexp.New(`\b([a-z]{3})[/-]([a-z]{3})\b|\b([a-z]{6})\b`)
)

var scales = map[string]int32{
	"k": 3, "grand": 3, "thousand": 3, "千": 3, "万": 4, "萬": 4, "十万": 5, "m": 6, "mm": 6, "mn": 6, "million": 6, "百万": 6, "千万": 7, "亿": 8, "億": 8, "b": 9, "bn": 9, "billion": 9, "万亿": 12, "trillion": 12,
}

// findNumbers finds amounts, percentages and numbers of shares.
func (q *question) findNumbers() {
	for _, at := range plainNumber().FindAllStringSubmatchIndex(q.low, -1) {
		q.addNumber(at)
	}
	for _, at := range hanAmount().FindAllStringIndex(q.low, -1) {
		text := q.low[at[0]:at[1]]
		end := at[1]
		if rest, ok := strings.CutPrefix(text, "百分之"); ok {
			if n, ok := parseHan(rest); ok {
				q.add(slot{kind: percentSlot, start: at[0], end: end, number: n.Shift(-2)})
			}
			continue
		}
		if tenths, ok := strings.CutSuffix(text, "成"); ok {
			if n, ok := parseHan(tenths); ok {
				q.add(slot{kind: percentSlot, start: at[0], end: end, number: n.Shift(-1)})
			}
			continue
		}
		if text == "一股" {
			continue // "多少钱一股": each
		}
		for _, unit := range []string{"股", "元", "块"} {
			if strings.HasSuffix(text, unit) {
				text, end = strings.TrimSuffix(text, unit), end-len(unit)
			}
		}
		if n, ok := parseHan(text); ok {
			q.addAmount(slot{kind: numberSlot, start: at[0], end: end, number: n})
		}
	}
	for _, at := range wordNumber().FindAllStringSubmatchIndex(q.low, -1) {
		if text := q.low[at[2]:at[3]]; strings.HasPrefix(text, "half a") && text != "half a million" {
			q.addAmount(slot{kind: numberSlot, start: at[2], end: at[3], number: decimal.New(5, -1)})
		} else if n, ok := parseWords(text); ok {
			q.addAmount(slot{kind: numberSlot, start: at[2], end: at[3], number: n})
		}
	}
}

func (q *question) addNumber(at []int) {
	g := groups(q.low, at)
	start, end := at[4], at[1]
	if g[1] != "" {
		start = at[2]
	}
	if len(q.slots) >= maxSlots || !q.free(start, end) || start > 0 && glued(q.low[:start]) || g[3] == "" && g[4] == "" && gluedBehind(q.low[end:]) {
		return
	}
	n, ok := parseAmount(g[2])
	if !ok {
		return
	}
	scale := strings.TrimSpace(g[3])
	if g[3] == " k" && numberBehind().MatchString(q.low[end:]) { // "s 120 k 125": the strike
		scale, end = "", end-len(g[3])
	}
	n = n.Shift(scales[scale])
	s := slot{kind: numberSlot, start: start, end: end, number: n, currency: currencyWords[g[1]]}
	switch percent := strings.TrimSpace(g[4]); {
	case strings.HasPrefix(percent, "b") || percent == "个基点":
		s.kind, s.number = percentSlot, n.Shift(-4)
	case percent != "":
		s.kind, s.number = percentSlot, n.Shift(-2)
	case scale == "m" && g[1] == "" && len(g[2]) <= 2:
		s.short = g[2] + "m"
	}
	if sign := strings.HasSuffix(q.low[:start], "-"); sign && (start == 1 || q.low[start-2] == ' ') {
		s.number, s.start = s.number.Neg(), start-1
	}
	q.addAmount(s)
}

// addAmount adds a number with the currency, period and unit next to it.
func (q *question) addAmount(s slot) {
	if s.kind == numberSlot {
		rest := q.low[s.end:]
		if code, n := currencyPrefix(strings.TrimLeft(rest, " ")); code != "" {
			s.currency = code
			s.end += len(rest) - len(strings.TrimLeft(rest, " ")) + n
		} else if trimmed, ok := strings.CutPrefix(rest, "块"); ok {
			s.end += len(rest) - len(strings.TrimPrefix(trimmed, "钱"))
		} else if strings.HasPrefix(rest, "元") {
			s.end += len("元")
		}
		if s.currency == "" {
			if at := manyBehind().FindStringIndex(q.low[s.end:]); at != nil {
				s.kind = countSlot
				s.end += at[1]
			}
		}
	}
	if at := everyBehind().FindStringSubmatchIndex(q.low[s.end:]); at != nil {
		if text := q.low[s.end+at[2] : s.end+at[3]]; q.free(s.end, s.end+at[1]) && !strings.HasPrefix(q.low[s.end+at[1]:], " payment") { // "30k at 9% monthly payment"
			s.every = everyLetter(text)
			s.end += at[1]
		}
	} else if at := everyBefore().FindStringSubmatchIndex(q.low[:s.start]); at != nil && s.kind == numberSlot {
		g := groups(q.low[:s.start], at)
		s.every = everyLetter(g[1] + g[2])
	}
	q.add(s)
}

// readRates reads "at 7 for 20 years" as a rate.
func (q *question) readRates() {
	const highest = 25
	if len(q.of(durationSlot)) == 0 || len(q.of(symbolSlot)) > 0 || len(cues(q.low, "calls?|puts?|options?|stock|shares?|price|stop|entry")) > 0 {
		return
	}
	for i, s := range q.slots {
		if s.kind == numberSlot && s.currency == "" && s.every == 0 && s.number.IsPositive() && s.number.LessThan(whole(highest)) && strings.HasSuffix(q.low[:s.start], " at ") {
			q.slots[i].kind, q.slots[i].number = percentSlot, s.number.Shift(-2)
			q.note("I read "+quoted(s.name)+" as "+s.name+"%.", "")
		}
	}
}

func everyLetter(text string) byte {
	switch {
	case strings.HasPrefix(text, "m"), text == "月":
		return 'm'
	case strings.HasPrefix(text, "w"), text == "周":
		return 'w'
	default:
		return 'y'
	}
}

// glued reports whether a number continues a word, such as the 7 in "x7".
func glued(before string) bool {
	r, _ := utf8.DecodeLastRuneInString(before)
	return r < utf8.RuneSelf && (r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '.' || r == '_' || r == '^')
}

func gluedBehind(rest string) bool {
	return rest != "" && (rest[0] >= 'a' && rest[0] <= 'z' || rest[0] == '_' || rest[0] == '-' && len(rest) > 1 && rest[1] >= 'a' && rest[1] <= 'z')
}

// currencyPrefix returns the currency with which a text begins, and the length of its name.
func currencyPrefix(rest string) (code string, n int) {
	const longest = 32
	rest = rest[:min(len(rest), longest)]
	at := currencyAt().FindStringIndex(rest)
	if at == nil || at[0] != 0 {
		return "", 0
	}
	text := rest[:at[1]]
	if code := currencyWords[text]; code != "" {
		return code, len(text)
	}
	if currencyCodes[text] {
		return strings.ToUpper(text), len(text)
	}
	return "", 0
}

// findCurrencies finds currency pairs, and currencies without an amount.
func (q *question) findCurrencies() {
	for _, at := range pairAt().FindAllStringSubmatchIndex(q.low, -1) {
		g := groups(q.low, at)
		base, quote := g[1], g[2]
		if g[3] != "" {
			base, quote = g[3][:3], g[3][3:]
		}
		if currencyCodes[base] && currencyCodes[quote] {
			q.add(slot{kind: pairSlot, start: at[0], end: at[1], text: strings.ToUpper(base + "/" + quote)})
		}
	}
	for _, at := range currencyAt().FindAllStringIndex(q.low, -1) {
		text := q.low[at[0]:at[1]]
		code := currencyWords[text]
		if code == "" && currencyCodes[text] {
			code = strings.ToUpper(text)
		}
		if code != "" {
			q.add(slot{kind: currencySlot, start: at[0], end: at[1], text: code})
		}
	}
}

// parseAmount reads digits with commas between thousands.
func parseAmount(text string) (amount, bool) {
	const longest = 30
	if len(text) > longest {
		return amount{}, false
	}
	d, err := decimal.NewFromString(strings.ReplaceAll(text, ",", ""))
	return d, err == nil
}

var hanDigits = map[rune]int64{'零': 0, '一': 1, '二': 2, '两': 2, '三': 3, '四': 4, '五': 5, '六': 6, '七': 7, '八': 8, '九': 9}
var hanUnits = map[rune]int64{'十': 10, '百': 100, '千': 1000}

// hanDigit converts a Chinese digit to an Arabic one; other characters are unchanged.
func hanDigit(r rune) rune {
	if d, ok := hanDigits[r]; ok {
		return '0' + rune(d)
	}
	return r
}

// parseHan reads a number in Chinese characters: 一百二十万, 两千, 十五.
func parseHan(text string) (amount, bool) {
	if before, after, ok := strings.Cut(text, "点"); ok {
		n, ok := parseHan(before)
		if digits := strings.Map(hanDigit, after); ok && after != "" {
			fraction, err := decimal.NewFromString("0." + digits)
			return n.Add(fraction), err == nil
		}
		return amount{}, false
	}
	var total, section, digit int64
	seen := false
	for _, r := range text {
		switch {
		case hanUnits[r] > 0:
			if digit == 0 && section%10 == 0 && !seen || digit == 0 {
				digit = 1
			}
			section += digit * hanUnits[r]
			digit = 0
		case r == '万' || r == '萬':
			total += (section + digit) * 10_000
			section, digit = 0, 0
		case r == '亿' || r == '億':
			total = (total + section + digit) * 100_000_000
			section, digit = 0, 0
		default:
			d, ok := hanDigits[r]
			if !ok {
				return amount{}, false
			}
			digit = d
		}
		seen = true
	}
	if digit > 0 && total > 0 && section == 0 && (strings.HasSuffix(text[:len(text)-len("五")], "万") || strings.HasSuffix(text[:len(text)-len("五")], "亿")) {
		digit *= total / hanLast(total) / 10 // 三万五 is 35,000
	}
	return decimal.NewFromInt(total + section + digit), seen
}

// hanLast divides a number by 10,000 as long as it is a multiple.
func hanLast(total int64) int64 {
	for total%10_000 == 0 {
		total /= 10_000
	}
	return total
}

// parseWords reads "half a million", "five hundred thousand".
func parseWords(text string) (amount, bool) {
	total, current := int64(0), int64(0)
	half := false
	for word := range strings.FieldsSeq(text) {
		switch word {
		case "half":
			half = true
		case "a":
			if !half {
				current = 1
			}
		case "hundred":
			current = max(current, 1) * 100
		case "thousand", "million", "billion":
			scale := map[string]int64{"thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}[word]
			if half {
				return decimal.NewFromInt(scale / 2), true
			}
			total += max(current, 1) * scale
			current = 0
		default:
			current += int64(spokenNumbers[word])
		}
	}
	return decimal.NewFromInt(total + current), total+current > 0
}

func wordSet(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}
