package figures

import "strings"

// scaleWord is the power of ten that a word after a number stands for.
func scaleWord(w string) (int32, bool) {
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

// hanScaleList are the powers of ten in Chinese, the longer ones first.
var hanScaleList = [...]struct {
	word  string
	power int32
}{
	{"万亿", 12}, {"萬億", 12}, {"千亿", 11}, {"百亿", 10}, {"十亿", 9}, {"千万", 7}, {"千萬", 7}, {"百万", 6}, {"百萬", 6}, {"十万", 5},
	{"兆", 12}, {"亿", 8}, {"億", 8}, {"万", 4}, {"萬", 4}, {"千", 3}, {"百", 2},
}

func hanScale(w string) (int32, bool) {
	for _, s := range hanScaleList {
		if strings.HasPrefix(w, s.word) {
			return s.power, true
		}
	}
	return 0, false
}

// currencyCode is the currency that a word or a sign stands for, or "". Signs that
// several currencies share stay as they are.
func currencyCode(w string) string {
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
var hanCurrencies = [...]string{"新加坡元", "瑞士法郎", "新台币", "人民币", "美元", "美金", "港元", "港币", "欧元", "英镑", "日元", "韩元", "加元", "澳元", "瑞郎", "新元", "台币", "卢比", "卢布", "便士", "円", "元"}

func isSign(r rune) bool { return strings.ContainsRune("$€£¥₹₩₽₿", r) }

// sameCurrency reports whether amounts in a and b can be the same: the same code,
// a sign that stands for it, or one that is not said.
func sameCurrency(a, b string) bool {
	if a == b || a == "" || b == "" {
		return true
	}
	return shares(a, b) || shares(b, a)
}

// shares reports whether a sign is used for a currency.
func shares(sign, code string) bool {
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
