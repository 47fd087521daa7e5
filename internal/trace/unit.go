package trace

import (
	"cmp"
	"strings"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// UnitKind is the kind of a number's unit, if known.
type UnitKind string

// Kinds of units.
const (
	UnitPlain       UnitKind = ""
	UnitPercent     UnitKind = "%"
	UnitPoints      UnitKind = "pp" // percentage points
	UnitBasisPoints UnitKind = "bp" // basis points
	UnitMultiple    UnitKind = "x"  // 12x, 12 times, 12 倍
	UnitRatio       UnitKind = ":"  // 1:3, 3-for-1, 2/3; the value is the first divided by the second
)

// currencyOf returns the currency of a word or a sign, or "". Signs that several currencies share
// are returned unchanged.
func currencyOf(w string) string {
	switch w {
	case "USD", "EUR", "GBP", "CHF", "JPY", "CNY", "HKD", "CAD", "AUD", "NZD", "SGD", "TWD", "KRW", "INR", "SEK", "NOK", "DKK",
		"PLN", "CZK", "HUF", "TRY", "RUB", "BRL", "MXN", "ZAR", "ILS", "THB", "IDR", "MYR", "PHP", "VND", "AED", "SAR", "BTC", "ETH", "GBp":
		return w
	case "$", "dollar", "dollars", "Dollar", "Dollars":
		return "$"
	case "€", "euro", "euros", "Euro", "Euros", "欧元":
		return "EUR"
	case "£", "sterling", "pound", "pounds", "英镑":
		return "GBP"
	case "¥":
		return "¥"
	case "₹", "Rs", "rupee", "rupees", "卢比":
		return "INR"
	case "₩", "won", "韩元":
		return "KRW"
	case "₽", "卢布":
		return "RUB"
	case "₿", "bitcoin":
		return "BTC"
	case "US$", "美元", "美金":
		return "USD"
	case "HK$", "港元", "港币":
		return "HKD"
	case "C$", "CA$", "加元":
		return "CAD"
	case "A$", "AU$", "澳元":
		return "AUD"
	case "NZ$":
		return "NZD"
	case "S$", "SG$", "新元", "新加坡元":
		return "SGD"
	case "NT$", "新台币", "台币":
		return "TWD"
	case "R$":
		return "BRL"
	case "MX$":
		return "MXN"
	case "RMB", "CNH", "yuan", "renminbi", "元", "人民币", "块":
		return "CNY"
	case "yen", "日元", "円":
		return "JPY"
	case "franc", "francs", "瑞郎", "瑞士法郎":
		return "CHF"
	case "kr", "krona", "kronor", "kroner":
		return "kr"
	case "GBX", "pence", "penny", "便士":
		return "GBp"
	}
	return ""
}

// hanCurrency lists the Chinese names of currencies. A lone 元 follows a number and never precedes
// one.
const hanCurrency = `新加坡元|瑞士法郎|新台币|人民币|美元|美金|港元|港币|欧元|英镑|日元|韩元|加元|澳元|瑞郎|新元|台币|卢比|卢布|便士`

// currencyNames are the names of countries before "dollar" and "yuan".
var currencyNames = map[string]string{"us": "USD", "american": "USD", "canadian": "CAD", "australian": "AUD", "kong": "HKD", "singapore": "SGD", "zealand": "NZD", "taiwan": "TWD"}

// currenciesIn returns the currencies that a text names in words: "in JPY", "Japanese yen", "(日元)".
func currenciesIn(text string) []string {
	var out []string
	words := strings.FieldsFunc(text, func(r rune) bool {
		return !(r < 0x80 && isLetter(byte(r)) || r == '$' || r == '€' || r == '£' || r == '¥')
	})
	for i, w := range words {
		code := currencyOf(w)
		if code == "" && len(w) == len("usd") && w != "try" {
			code = currencyOf(strings.ToUpper(w))
		}
		if code == "" {
			code = currencyOf(strings.ToLower(w))
		}
		if code == "$" && i > 0 {
			code = cmp.Or(currencyNames[strings.ToLower(words[i-1])], code)
		}
		if code != "" && !isOneOf(code, "BTC ETH KRW kr") || w == "KRW" { // a coin is rather the subject
			out = append(out, code)
		}
	}
	if isHan(text) {
		for _, name := range hanCurrencyNames().FindAllString(text, -1) {
			out = append(out, currencyOf(name))
		}
	}
	return out
}

var hanCurrencyNames = lazyregexp.New(hanCurrency)

// sameCurrency reports whether a and b may be the same currency: the same code, a sign that stands
// for it, or no currency.
func sameCurrency(a, b string) bool {
	return a == b || a == "" || b == "" || isSignOf(a, b) || isSignOf(b, a)
}

// isSignOf reports whether a sign is used for a currency.
func isSignOf(sign, code string) bool {
	switch sign {
	case "$":
		return isOneOf(code, "USD CAD AUD HKD SGD NZD TWD MXN")
	case "¥":
		return code == "JPY" || code == "CNY"
	case "kr":
		return isOneOf(code, "SEK NOK DKK")
	case "CNY": // a lone 元
		return code == "HKD" || code == "TWD"
	}
	return false
}

// scaleOf returns the power of ten of a lower-case word.
func scaleOf(w string) (power int32, ok bool) {
	switch w {
	case "k", "thousand", "thousands":
		return 3, true
	case "lakh", "lakhs":
		return 5, true
	case "m", "mn", "mm", "mln", "mio", "million", "millions":
		return 6, true
	case "cr", "crore", "crores":
		return 7, true
	case "b", "bn", "bln", "mrd", "billion", "billions":
		return 9, true
	case "t", "tn", "trn", "trillion", "trillions":
		return 12, true
	}
	return 0, false
}

var hanScalePattern = lazyregexp.New(`^(?:[百千十]?[万亿萬億][亿億]?|[百千]|兆)`)

// hanScale returns the Chinese power of ten at the start of a text: 万 is 4, 百万 is 6, 万亿 is 12.
func hanScale(text string) (word string, power int32) {
	word = hanScalePattern().FindString(text)
	for _, r := range word {
		power += map[rune]int32{'十': 1, '百': 2, '千': 3, '万': 4, '萬': 4, '亿': 8, '億': 8, '兆': 12}[r]
	}
	return word, power
}

// timeUnit returns the singular name of a unit of time, or "".
func timeUnit(noun string) string {
	switch noun {
	case "year", "yr", "y", "年":
		return "year"
	case "month", "mo", "月":
		return "month"
	case "quarter", "q", "季度":
		return "quarter"
	case "week", "w", "周":
		return "week"
	case "day", "session", "d", "天", "日", "交易日":
		return "day"
	case "hour", "hr", "h", "小时":
		return "hour"
	case "minute", "min", "分钟":
		return "minute"
	}
	return ""
}

// columnUnit is the unit that a table column's header gives the numbers below it.
type columnUnit struct {
	class    Class // of bare whole numbers: ClassPlace under "#", ClassYear under "Year"
	kind     UnitKind
	currency string
	scale    int32
}

// percentSign matches the unit in "Return (%)", but not the value in "g = 2.0%".
var percentSign = lazyregexp.New(`(?:^|[^\d ]) ?%`)

// columnUnitOf parses the unit in a header such as "Return (%)", "Revenue ($ bn)" or "营收（亿元）".
func columnUnitOf(head string) columnUnit {
	var u columnUnit
	lower := strings.ToLower(strings.Trim(head, " *"))
	switch {
	case isOneOf(lower, "# no. no rank 序号 排名"):
		u.class = ClassPlace
	case isOneOf(lower, "year fy 年份 年度"), lower == "fiscal year":
		u.class = ClassYear
	case strings.Contains(lower, "(bp"), strings.Contains(lower, " bp"):
		u.kind = UnitBasisPoints
	case strings.Contains(lower, "%") && percentSign().MatchString(lower), strings.Contains(lower, "percent"), strings.Contains(lower, "per cent"):
		u.kind = UnitPercent
	}
	for _, word := range strings.FieldsFunc(head, func(r rune) bool { return strings.ContainsRune(" \t,/()[]*", r) }) {
		rest := strings.TrimLeft(word, "$€£¥")
		sign := word[:len(word)-len(rest)]
		if han, power := hanScale(rest); han != "" {
			u.scale, rest = power, rest[len(han):]
		} else if power, ok := scaleOf(strings.ToLower(rest)); ok && u.kind == UnitPlain && (len(rest) > 1 || sign != "" || u.currency != "" || strings.Contains(head, "("+word)) {
			u.scale = power
		}
		for _, name := range []string{sign, rest} {
			if code := currencyOf(name); code != "" && (len(name) > 2 || name == sign) {
				u.currency = code
			}
		}
	}
	return u
}
