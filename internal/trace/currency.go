package trace

import "strings"

// CurrencyOf is the currency that a word or a sign stands for, or "". Signs that
// several currencies share stay as they are.
func CurrencyOf(w string) string {
	switch w {
	case "USD", "EUR", "GBP", "CHF", "JPY", "CNY", "HKD", "CAD", "AUD", "NZD", "SGD", "TWD", "KRW", "INR", "SEK", "NOK", "DKK",
		"PLN", "CZK", "HUF", "TRY", "RUB", "BRL", "MXN", "ZAR", "ILS", "THB", "IDR", "MYR", "PHP", "VND", "AED", "SAR", "BTC", "ETH", "GBp":
		return w
	case "$", "dollar", "dollars", "Dollar", "Dollars":
		return "$"
	case "€", "euro", "euros", "Euro", "Euros", "欧元":
		return "EUR"
	case "£", "sterling", "英镑":
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

// hanCurrencies are the currencies as Chinese writes them after a number, the
// longer ones first.
var hanCurrencies = [...]string{
	"新加坡元", "瑞士法郎", "新台币", "人民币", "美元", "美金", "港元", "港币", "欧元", "英镑", "日元", "韩元",
	"加元", "澳元", "瑞郎", "新元", "台币", "卢比", "卢布", "便士", "円", "元",
}

// MaxHanCurrency is the length, in runes, of the longest scale or currency in Chinese.
const MaxHanCurrency = 4

// HanCurrency is the currency that a text begins with in Chinese, and the word for
// it; "" where there is none.
func HanCurrency(text string) (word, code string) {
	for _, w := range hanCurrencies {
		if strings.HasPrefix(text, w) {
			return w, CurrencyOf(w)
		}
	}
	return "", ""
}

// HanCurrencyBefore is the currency that a text ends with in Chinese, and the word
// for it. 元 alone stands after a number, never before one.
func HanCurrencyBefore(text string) (word, code string) {
	for _, w := range hanCurrencies {
		if len(w) > len("元") && strings.HasSuffix(text, w) {
			return w, CurrencyOf(w)
		}
	}
	return "", ""
}

// IsCurrencySign reports whether r is a sign of a currency.
func IsCurrencySign(r rune) bool { return strings.ContainsRune("$€£¥₹₩₽₿", r) }

// SameCurrency reports whether amounts in a and b can be the same: the same code,
// a sign that stands for it, or one that is not said.
func SameCurrency(a, b string) bool {
	if a == b || a == "" || b == "" {
		return true
	}
	return isSignOf(a, b) || isSignOf(b, a)
}

// isSignOf reports whether a sign is used for a currency.
func isSignOf(sign, code string) bool {
	switch sign {
	case "$":
		switch code {
		case "USD", "CAD", "AUD", "HKD", "SGD", "NZD", "TWD", "MXN":
			return true
		}
	case "¥":
		return code == "JPY" || code == "CNY"
	case "kr":
		return code == "SEK" || code == "NOK" || code == "DKK"
	case "CNY": // 元 alone
		return code == "HKD" || code == "TWD"
	}
	return false
}
