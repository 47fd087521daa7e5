package workflow

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/frontmatter"
	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// Parameter is an input of a skill.
type Parameter struct {
	Name        string   `json:"name"`
	Type        string   `json:"type"` // default: "string"
	Required    bool     `json:"required"`
	Description string   `json:"description,omitempty"`
	Default     any      `json:"default,omitempty"`
	Enum        []string `json:"enum,omitempty"`
}

// ReadParameters reads the parameters that front matter declares under key.
func ReadParameters(f *frontmatter.Fields, key string) []Parameter {
	value := f.Take(key)
	items, ok := value.([]any)
	if !ok {
		if value != nil {
			f.Warn(key, "a list")
		}
		return nil
	}
	var parameters []Parameter
	for i, item := range items {
		p, warnings := readParameter(item)
		if p.Name == "" {
			f.Warn(fmt.Sprintf("%s[%d]", key, i), "a parameter with a name")
			continue
		}
		for _, warning := range warnings {
			f.Warnings = append(f.Warnings, fmt.Sprintf("parameter %s: %s", p.Name, warning))
		}
		parameters = append(parameters, p)
	}
	return parameters
}

func readParameter(item any) (p Parameter, warnings []string) {
	if name, ok := item.(string); ok {
		return Parameter{Name: name, Type: "string"}, nil
	}
	m, ok := item.(map[string]any)
	if !ok {
		return Parameter{}, nil
	}
	f := frontmatter.Fields{Matter: frontmatter.Matter{Values: m}}
	p = Parameter{
		Name:        f.Text("name"),
		Type:        f.TextOr("type", "string"),
		Required:    f.Boolean("required", false),
		Description: f.Text("description"),
		Default:     m["default"],
		Enum:        f.List("enum"),
	}
	if _, known := p.Kind(); !known {
		f.Warnings = append(f.Warnings, fmt.Sprintf("unknown type %q, read as text", p.Type))
	}
	return p, f.Warnings
}

// ArgumentHint returns what to type after a skill's name in the chat: <required> [optional], in
// declared order; "" without parameters.
func ArgumentHint(declared []Parameter) string {
	return formatParameters(declared, func(p Parameter) string {
		if p.NeedsValue() {
			return "<" + p.Name + ">"
		}
		return "[" + p.Name + "]"
	})
}

// ArgumentUsage returns the arguments on a command line, where each is named: symbol=<symbol>
// [range=<string>].
func ArgumentUsage(declared []Parameter) string {
	return formatParameters(declared, func(p Parameter) string {
		if p.NeedsValue() {
			return p.Name + "=<" + p.Type + ">"
		}
		return "[" + p.Name + "=<" + p.Type + ">]"
	})
}

func formatParameters(declared []Parameter, write func(Parameter) string) string {
	tokens := make([]string, len(declared))
	for i, p := range declared {
		tokens[i] = write(p)
	}
	return strings.Join(tokens, " ")
}

// NeedsValue reports whether a parameter is required and has no default.
func (p Parameter) NeedsValue() bool { return p.Required && p.DefaultText() == "" }

// DefaultText returns the default as a person would write it, or "".
func (p Parameter) DefaultText() string {
	text, _ := plainText(p.Default)
	return text
}

// ParameterKind is the type of a parameter's values.
type ParameterKind string

// Parameter kinds.
const (
	KindString  ParameterKind = "string"
	KindNumber  ParameterKind = "number"
	KindInteger ParameterKind = "integer"
	KindBoolean ParameterKind = "boolean"
	KindDate    ParameterKind = "date"    // 2026-01-31
	KindPercent ParameterKind = "percent" // 5 and 5% both mean five percent
	KindMoney   ParameterKind = "money"   // $1,000 or 1000 USD
	KindSymbol  ParameterKind = "symbol"  // AAPL, BRK-B, ^GSPC
	KindEnum    ParameterKind = "enum"    // one of Parameter.Enum
	KindList    ParameterKind = "list"    // comma-separated texts: AAPL, MSFT
)

// Kind returns the declared kind, and whether it is known. Unknown kinds are read as text, so that
// skills written for other programs still take arguments.
func (p Parameter) Kind() (kind ParameterKind, known bool) {
	switch declared := ParameterKind(strings.ToLower(p.Type)); declared {
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

// ParameterValue is the value of a parameter.
type ParameterValue struct {
	// Text is the value as written, such as "$1,000". For an enum it is the declared spelling.
	Text string
	// Typed is the value as tools accept it: a string, a bool, a []string, or a json.Number, which
	// keeps every digit. Dates are "2026-01-31"; percentages are in percent (5 for "5%"); money is
	// "1000 USD" ("$1000" if only a sign was written); symbols are in upper case.
	Typed any
}

// Read parses a value as written by a person. The error can be shown next to the field.
func (p Parameter) Read(written string) (ParameterValue, error) {
	written = strings.TrimSpace(written)
	if len(p.Enum) > 0 {
		var err error
		if written, err = p.enumSpelling(written); err != nil {
			return ParameterValue{}, err
		}
	}
	kind, _ := p.Kind()
	typed, err := typedValue(kind, written)
	if err != nil {
		return ParameterValue{}, err
	}
	return ParameterValue{Text: written, Typed: typed}, nil
}

func (p Parameter) enumSpelling(written string) (string, error) {
	for _, value := range p.Enum {
		if strings.EqualFold(value, written) {
			return value, nil
		}
	}
	return "", fmt.Errorf("%q is not one of %s", shorten(written), strings.Join(p.Enum, ", "))
}

func typedValue(kind ParameterKind, written string) (any, error) {
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

// plainNumber is digits, optionally in groups of three separated by commas, with a decimal point.
// Exponents are not accepted, because a few characters could mean gigabytes of digits.
var plainNumber = lazyregexp.New(`^[-+−]?(\d{1,3}(,\d{3})+|\d+)?(\.\d+)?$`)

// maxNumberLength is far larger than any amount and within the range of decimals.
const maxNumberLength = 40

var errNotNumber = errors.New("not a number")

// exactNumber returns the number as JSON, with every digit.
func exactNumber(written string) (json.Number, error) {
	if len(written) > maxNumberLength || !plainNumber().MatchString(written) || !strings.ContainsAny(written, "0123456789") {
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
		return nil, fmt.Errorf("%q is not a number such as 1250.5 or 1,250.5", shorten(written))
	}
	return n, nil
}

func readInteger(written string) (any, error) {
	n, err := exactNumber(written)
	if err == nil {
		_, err = strconv.ParseInt(n.String(), 10, 64)
	}
	if err != nil {
		return nil, fmt.Errorf("%q is not a whole number such as 12", shorten(written))
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
	return nil, fmt.Errorf("%q is neither yes nor no", shorten(written))
}

func readDate(written string) (any, error) {
	day, err := time.Parse(time.DateOnly, written)
	if err != nil {
		return nil, fmt.Errorf("%q is not a date such as 2026-01-31", shorten(written))
	}
	return day.Format(time.DateOnly), nil
}

func readPercent(written string) (any, error) {
	n, err := exactNumber(strings.TrimSpace(strings.TrimSuffix(written, "%")))
	if err != nil {
		return nil, fmt.Errorf("%q is not a percentage such as 2.5%%", shorten(written))
	}
	return n, nil
}

// moneyForm is an amount with its currency before or after it, or without one; a minus sign comes
// first.
var moneyForm = lazyregexp.New(`^([-+−]?)\s*([A-Za-z]{3}|[A-Z]{0,3}\p{Sc})?\s*([\d.,]+)\s*([A-Za-z]{3}|\p{Sc})?$`)

func readMoney(written string) (any, error) {
	amount, currency, err := parseMoney(written)
	switch {
	case err != nil:
		return nil, err
	case currency == "":
		return amount.String(), nil
	case hasCurrencySign(currency):
		digits, negative := strings.CutPrefix(amount.String(), "-")
		if negative {
			return "-" + currency + digits, nil
		}
		return currency + digits, nil
	}
	return amount.String() + " " + currency, nil
}

// parseMoney returns an amount and its currency as written: a code, a sign, or nothing.
func parseMoney(written string) (amount json.Number, currency string, err error) {
	m := moneyForm().FindStringSubmatch(written)
	if m == nil {
		return "", "", moneyError(written)
	}
	amount, err = exactNumber(m[1] + m[3])
	before, after := strings.ToUpper(m[2]), strings.ToUpper(m[4])
	if err != nil || before != "" && after != "" && (!hasCurrencySign(before) || hasCurrencySign(after)) {
		return "", "", moneyError(written)
	}
	// In "$1,000 CAD" the code says which dollar it is.
	return amount, cmp.Or(after, before), nil
}

// signCodes are the currencies of signs. A bare $ is the US dollar.
var signCodes = map[string]string{
	"$": "USD", "US$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₩": "KRW", "₹": "INR", "₽": "RUB", "₺": "TRY", "₪": "ILS",
	"A$": "AUD", "AU$": "AUD", "C$": "CAD", "CA$": "CAD", "HK$": "HKD", "NZ$": "NZD", "S$": "SGD", "NT$": "TWD", "R$": "BRL", "MX$": "MXN", "CN¥": "CNY", "JP¥": "JPY",
}

// splitMoney returns a valid amount as a number and the code of its currency, "" if it has none.
func splitMoney(written string) (amount json.Number, currency string) {
	amount, currency, _ = parseMoney(written)
	return amount, cmp.Or(signCodes[currency], currency)
}

// percentFraction returns 0.05 for 5.
func percentFraction(percent json.Number) json.Number {
	d, err := decimal.NewFromString(percent.String())
	if err != nil {
		return percent
	}
	return json.Number(d.Shift(-2).String())
}

// hasCurrencySign distinguishes "$" and "US$" from "USD".
func hasCurrencySign(currency string) bool {
	return strings.ContainsFunc(currency, func(r rune) bool { return unicode.Is(unicode.Sc, r) })
}

func moneyError(written string) error {
	return fmt.Errorf("%q is not an amount such as $1,000 or 1000.50 USD", shorten(written))
}

var symbolForm = lazyregexp.New(`^\$?[\^A-Za-z0-9][A-Za-z0-9.\-=^:/]{0,31}$`)

// readSymbol also accepts "$AAPL", as written in messages.
func readSymbol(written string) (any, error) {
	if !symbolForm().MatchString(written) {
		return nil, fmt.Errorf("%q is not a symbol such as AAPL", shorten(written))
	}
	return strings.ToUpper(strings.TrimPrefix(written, "$")), nil
}

// readList reads a text without commas as a list of one.
func readList(written string) (any, error) {
	var items []string
	for item := range strings.SplitSeq(written, ",") {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	if len(items) == 0 {
		return nil, fmt.Errorf("%q is not a list such as AAPL,MSFT", shorten(written))
	}
	return items, nil
}
