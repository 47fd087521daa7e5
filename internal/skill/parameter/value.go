package parameter

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/nfa-cli/nfa/internal/pattern"
)

// Kind is what a parameter's values mean.
type Kind string

// Kinds of parameters.
const (
	KindString  Kind = "string"
	KindNumber  Kind = "number"
	KindInteger Kind = "integer"
	KindBoolean Kind = "boolean"
	KindDate    Kind = "date"    // 2026-01-31
	KindPercent Kind = "percent" // 5 and 5% are both five percent
	KindMoney   Kind = "money"   // $1,000 or 1000 USD
	KindSymbol  Kind = "symbol"  // AAPL, BRK-B, ^GSPC
	KindEnum    Kind = "enum"    // one of Parameter.Enum
	KindList    Kind = "list"    // texts between commas: AAPL, MSFT
)

// Kind is the kind that a parameter declares; known says whether it is one. What
// is not known is read as text, so that a skill written for another program
// still takes its arguments.
func (p Parameter) Kind() (kind Kind, known bool) {
	switch declared := Kind(strings.ToLower(p.Type)); declared {
	case "":
		return KindString, true
	case KindString, KindNumber, KindInteger, KindBoolean, KindDate, KindPercent, KindMoney, KindSymbol, KindEnum, KindList:
		return declared, true
	case "text", "str":
		return KindString, true
	case "float", "decimal":
		return KindNumber, true
	case "int":
		return KindInteger, true
	case "bool":
		return KindBoolean, true
	case "ticker":
		return KindSymbol, true
	}
	return KindString, false
}

// Value is what a parameter was given.
type Value struct {
	// Text is the value as it was written: "$1,000" stays that. Of an enum it is
	// the spelling that was declared.
	Text string
	// Typed is the value as tools take it: a string, a bool, or a json.Number,
	// which keeps every digit. Dates are "2026-01-31", percentages the number of
	// percent, money "1000 USD" ("$1000" where a sign was all that was written),
	// symbols upper case, lists []string.
	Typed any
}

// Read checks a value as a person writes it. The error is worth showing beside
// the field it was written in.
func (p Parameter) Read(written string) (Value, error) {
	written = strings.TrimSpace(written)
	if len(p.Enum) > 0 {
		var err error
		if written, err = p.declaredSpelling(written); err != nil {
			return Value{}, err
		}
	}
	kind, _ := p.Kind()
	typed, err := typedValue(kind, written)
	if err != nil {
		return Value{}, err
	}
	return Value{Text: written, Typed: typed}, nil
}

func (p Parameter) declaredSpelling(written string) (string, error) {
	for _, one := range p.Enum {
		if strings.EqualFold(one, written) {
			return one, nil
		}
	}
	return "", fmt.Errorf("%q is not one of %s", shortened(written), strings.Join(p.Enum, ", "))
}

func typedValue(kind Kind, written string) (any, error) {
	switch kind {
	case KindNumber:
		return readNumber(written)
	case KindInteger:
		return readInteger(written)
	case KindBoolean:
		return readBoolean(written)
	case KindDate:
		return readDate(written)
	case KindPercent:
		return readPercent(written)
	case KindMoney:
		return readMoney(written)
	case KindSymbol:
		return readSymbol(written)
	case KindList:
		return readList(written)
	}
	return written, nil
}

// plainNumber is digits, in groups of three where there are commas, and a point.
// Exponents are left out: nobody writes money so, and a few characters of them
// ask for gigabytes of digits.
var plainNumber = pattern.Lazy(`^[-+−]?(\d{1,3}(,\d{3})+|\d+)?(\.\d+)?$`)

// maxDigits is far beyond any sum of money and within what decimals carry.
const maxDigits = 40

var errNotNumber = errors.New("not a number")

// exactNumber gives the number in the form of JSON, with every digit kept.
func exactNumber(written string) (json.Number, error) {
	if len(written) > maxDigits || !plainNumber().MatchString(written) || !strings.ContainsAny(written, "0123456789") {
		return "", errNotNumber
	}
	digits := strings.NewReplacer("−", "-", "+", "", ",", "").Replace(written)
	digits, negative := strings.CutPrefix(digits, "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	whole = strings.TrimLeft(whole, "0")
	if whole == "" {
		whole = "0"
	}
	if fraction != "" {
		whole += "." + fraction
	}
	if negative {
		whole = "-" + whole
	}
	return json.Number(whole), nil
}

func readNumber(written string) (any, error) {
	n, err := exactNumber(written)
	if err != nil {
		return nil, fmt.Errorf("%q is not a number such as 1250.5 or 1,250.5", shortened(written))
	}
	return n, nil
}

func readInteger(written string) (any, error) {
	n, err := exactNumber(written)
	if err == nil {
		_, err = strconv.ParseInt(n.String(), 10, 64)
	}
	if err != nil {
		return nil, fmt.Errorf("%q is not a whole number such as 12", shortened(written))
	}
	return n, nil
}

func readBoolean(written string) (any, error) {
	switch strings.ToLower(written) {
	case "true", "yes", "on", "1":
		return true, nil
	case "false", "no", "off", "0":
		return false, nil
	}
	return nil, fmt.Errorf("%q is neither yes nor no", shortened(written))
}

func readDate(written string) (any, error) {
	day, err := time.Parse(time.DateOnly, written)
	if err != nil {
		return nil, fmt.Errorf("%q is not a date of the calendar written as 2026-01-31", shortened(written))
	}
	return day.Format(time.DateOnly), nil
}

func readPercent(written string) (any, error) {
	n, err := exactNumber(strings.TrimSpace(strings.TrimSuffix(written, "%")))
	if err != nil {
		return nil, fmt.Errorf("%q is not a percentage such as 2.5%%", shortened(written))
	}
	return n, nil
}

// moneyForm is a sum with its currency before or after it, or with none; a sign
// of minus stands before everything else.
var moneyForm = pattern.Lazy(`^([-+−]?)\s*([A-Za-z]{3}|[A-Z]{0,3}\p{Sc})?\s*([\d.,]+)\s*([A-Za-z]{3}|\p{Sc})?$`)

func readMoney(written string) (any, error) {
	m := moneyForm().FindStringSubmatch(written)
	if m == nil {
		return nil, notMoney(written)
	}
	amount, err := exactNumber(m[1] + m[3])
	before, behind := strings.ToUpper(m[2]), strings.ToUpper(m[4])
	if err != nil || before != "" && behind != "" && (!isSign(before) || isSign(behind)) {
		return nil, notMoney(written)
	}
	// In "$1,000 CAD" the code says which dollar the sign means.
	currency := cmp.Or(behind, before)
	switch {
	case currency == "":
		return amount.String(), nil
	case isSign(currency):
		digits, negative := strings.CutPrefix(amount.String(), "-")
		if negative {
			return "-" + currency + digits, nil
		}
		return currency + digits, nil
	}
	return amount.String() + " " + currency, nil
}

// isSign tells "$" and "US$" from "USD".
func isSign(currency string) bool {
	return strings.ContainsFunc(currency, func(r rune) bool { return unicode.Is(unicode.Sc, r) })
}

func notMoney(written string) error {
	return fmt.Errorf("%q is not a sum of money such as $1,000 or 1000.50 USD", shortened(written))
}

var symbolForm = pattern.Lazy(`^\$?[\^A-Za-z0-9][A-Za-z0-9.\-=^:/]{0,31}$`)

// readSymbol takes "$AAPL" too, which is how symbols are marked in messages.
func readSymbol(written string) (any, error) {
	if !symbolForm().MatchString(written) {
		return nil, fmt.Errorf("%q is not a symbol such as AAPL", shortened(written))
	}
	return strings.ToUpper(strings.TrimPrefix(written, "$")), nil
}

// readList takes a text without commas for a list of one.
func readList(written string) (any, error) {
	var items []string
	for item := range strings.SplitSeq(written, ",") {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	if len(items) == 0 {
		return nil, fmt.Errorf("%q is not a list such as AAPL,MSFT", shortened(written))
	}
	return items, nil
}

// shortened keeps a page that was pasted into a field out of the message.
func shortened(written string) string {
	const enough = 60
	words := []rune(strings.Join(strings.Fields(written), " "))
	if len(words) <= enough {
		return string(words)
	}
	return string(words[:enough]) + "…"
}
