package planning

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"
	"golang.org/x/text/currency"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// plainAmounts rewrites amounts as people and reports write them, such as "1,234.5", "60.3 million",
// "1.2bn", "5 万", "$5" or "(71)", to plain numbers. currencies are the ones it removed; negative reports
// whether numbers in parentheses were read as negative.
func plainAmounts(text string) (plain string, currencies []string, negative bool, err error) {
	plain, currencies = dropCurrencies(text)
	if len(currencies) > 1 {
		return "", nil, false, fmt.Errorf("the expression mixes %s; convert the amounts to one currency first", strings.Join(currencies, " and "))
	}
	plain = joinThousands(plain)
	plain, err = applyScales(plain)
	if err != nil {
		return "", nil, false, err
	}
	plain, negative = accountingNegatives(plain)
	return plain, currencies, negative, nil
}

// currencySigns are currency signs and what they stand for. A dollar or yen sign may stand for several
// currencies.
var currencySigns = []struct{ sign, name string }{
	{"US$", "USD"}, {"HK$", "HKD"}, {"$", "$"}, {"€", "EUR"}, {"£", "GBP"}, {"¥", "¥"}, {"₹", "INR"}, {"人民币", "CNY"}, {"美元", "USD"}, {"元", "元"},
}

var currencyCode = lazyregexp.New(`[A-Za-z_]+`)

func dropCurrencies(text string) (string, []string) {
	var found []string
	add := func(name string) {
		if !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	for _, c := range currencySigns {
		if strings.Contains(text, c.sign) {
			text = strings.ReplaceAll(text, c.sign, " ")
			add(c.name)
		}
	}
	text = currencyCode().ReplaceAllStringFunc(text, func(word string) string {
		// Codes are upper case, so the name of a function such as "max" is not taken for one.
		if unit, err := currency.ParseISO(word); err == nil && word == unit.String() {
			add(word)
			return " "
		}
		return word
	})
	return text, found
}

var thousands = lazyregexp.New(`\d{1,3}(?:,\d{3})+`)

// joinThousands removes thousands separators outside the arguments of functions, where a comma separates
// arguments.
func joinThousands(text string) string {
	var out strings.Builder
	last := 0
	for _, at := range thousands().FindAllStringIndex(text, -1) {
		before, after := byte(' '), byte(' ')
		if at[0] > 0 {
			before = text[at[0]-1]
		}
		if at[1] < len(text) {
			after = text[at[1]]
		}
		if isDigit(before) || isLetter(before) || before == '.' || before == ',' || isDigit(after) || after == ',' || inArguments(text[:at[0]]) {
			continue
		}
		out.WriteString(text[last:at[0]] + strings.ReplaceAll(text[at[0]:at[1]], ",", ""))
		last = at[1]
	}
	return out.String() + text[last:]
}

// inArguments reports whether a text ends within the parentheses of a function.
func inArguments(text string) bool {
	var calls []bool
	for i := range len(text) {
		switch text[i] {
		case '(':
			name := strings.TrimRight(text[:i], " ")
			calls = append(calls, name != "" && isLetter(name[len(name)-1]))
		case ')':
			calls = calls[:max(len(calls)-1, 0)]
		}
	}
	return slices.Contains(calls, true)
}

// scales are the words for powers of ten.
var scales = map[string]int32{
	"k": 3, "thousand": 3, "m": 6, "mn": 6, "mm": 6, "million": 6, "b": 9, "bn": 9, "billion": 9, "t": 12, "tn": 12, "trillion": 12,
	"万": 4, "萬": 4, "百万": 6, "亿": 8, "億": 8, "万亿": 12,
}

var scaled = lazyregexp.New(`(?i)(\d+(?:\.\d+)?|\.\d+)\s*(thousand|million|billion|trillion|bn|mn|mm|tn|k|m|b|t|万亿|百万|万|萬|亿|億)`)

func applyScales(text string) (string, error) {
	var out strings.Builder
	last := 0
	for _, at := range scaled().FindAllStringSubmatchIndex(text, -1) {
		word := strings.ToLower(text[at[4]:at[5]])
		if at[1] < len(text) && isLetter(text[at[1]]) && isLetter(word[0]) || at[0] > 0 && isLetter(text[at[0]-1]) {
			continue // "5 max"
		}
		value, err := decimal.NewFromString(text[at[2]:at[3]])
		if err != nil {
			return "", fmt.Errorf("%s is not a number", text[at[2]:at[3]])
		}
		out.WriteString(text[last:at[0]] + value.Shift(scales[word]).String())
		last = at[1]
	}
	return out.String() + text[last:], nil
}

var inParentheses = lazyregexp.New(`\(\s*(\d+(?:\.\d+)?%?)\s*\)`)

// accountingNegatives reads "(71)" as -71 if the expression starts with a number in parentheses, or adds
// one. Otherwise parentheses group: 2 * (3) is 6.
func accountingNegatives(text string) (string, bool) {
	trimmed := strings.TrimSpace(text)
	first := inParentheses().FindStringIndex(trimmed)
	if first == nil || first[0] != 0 && !addedNegative().MatchString(trimmed) {
		return text, false
	}
	changed := false
	var out strings.Builder
	last := 0
	for _, at := range inParentheses().FindAllStringSubmatchIndex(trimmed, -1) {
		before := strings.TrimRight(trimmed[:at[0]], " ")
		after := strings.TrimLeft(trimmed[at[1]:], " ")
		if before != "" && (isLetter(before[len(before)-1]) || before[len(before)-1] == '^') || strings.HasPrefix(after, "^") {
			continue
		}
		out.WriteString(trimmed[last:at[0]] + "(-" + trimmed[at[2]:at[3]] + ")")
		last, changed = at[1], true
	}
	return out.String() + trimmed[last:], changed
}

var addedNegative = lazyregexp.New(`[\d)%]\s*\+\s*\(\s*\d+(?:\.\d+)?%?\s*\)`)
