package planning

import (
	"errors"
	"fmt"
	"strings"
	"text/scanner"
	"unicode/utf8"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

const (
	maxExpression = 1000 // bytes
	maxNesting    = 50   // parentheses within parentheses
)

// operatorSpellings maps alternative spellings of operators.
var operatorSpellings = strings.NewReplacer("**", "^", "×", "*", "·", "*", "÷", "/", "−", "-", "–", "-")

// Evaluate computes an arithmetic expression of at most 1,000 bytes in exact decimals. Its errors
// explain how to correct the expression.
//
// It has its own parser, because expression libraries use float64 and reflection. Reflection would
// make the linker keep every method of the program, an eighth of its size.
func Evaluate(expression string) (Number, error) {
	if len(expression) > maxExpression {
		return Number{}, fmt.Errorf("the expression has %d bytes; the limit is %d: calculate it in parts", len(expression), maxExpression)
	}
	if strings.TrimSpace(expression) == "" {
		return Number{}, errors.New("the expression is empty")
	}
	text := operatorSpellings.Replace(expression)
	if err := checkCharacters(text); err != nil {
		return Number{}, err
	}
	p := parser{text: text}
	p.in.Init(strings.NewReader(text))
	// Do not skip Go comments: "7 // 2" would become 7.
	p.in.Mode = scanner.ScanIdents | scanner.ScanInts | scanner.ScanFloats
	p.in.Error = func(*scanner.Scanner, string) {} // invalid numbers get a better error below
	p.advance()
	n, err := p.expression(lowestPrecedence)
	if err != nil {
		return Number{}, err
	}
	if p.token != scanner.EOF {
		return Number{}, p.unexpected("an operator was expected")
	}
	return n, nil
}

// checkCharacters rejects characters that cannot occur in an expression.
func checkCharacters(text string) error {
	depth := 0
	for _, r := range text {
		switch {
		case strings.ContainsRune("$€£¥₹", r):
			return fmt.Errorf("%q: write amounts without currency signs; an expression has one currency or none", r)
		case r == '(':
			if depth++; depth > maxNesting {
				return fmt.Errorf("parentheses are nested more than %d levels deep", maxNesting)
			}
		case r == ')':
			if depth--; depth < 0 {
				return errors.New("a closing parenthesis has no matching opening one")
			}
		case r >= utf8.RuneSelf || !isDigit(byte(r)) && !isLetter(byte(r)) && !strings.ContainsRune(" \t\r\n+-*/^%,.", r):
			return fmt.Errorf("%q has no meaning here; use numbers, + - * / ^ %%, parentheses and functions", r)
		}
	}
	if depth > 0 {
		return fmt.Errorf("%d parentheses are not closed", depth)
	}
	return nil
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

func isLetter(b byte) bool { return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '_' }

// parser evaluates an expression while parsing it, by operator precedence.
type parser struct {
	text  string
	in    scanner.Scanner
	token rune // the current token
}

// advance moves to the next token.
func (p *parser) advance() { p.token = p.in.Scan() }

// These are the precedences of binary operators. Operators of equal precedence associate to the
// left.
const (
	lowestPrecedence = iota
	additivePrecedence
	multiplicativePrecedence
)

func infixOperator(token rune) (apply func(a, b Number) (Number, error), precedence int) {
	switch token {
	case '+':
		return add, additivePrecedence
	case '-':
		return sub, additivePrecedence
	case '*':
		return mul, multiplicativePrecedence
	case '/':
		return div, multiplicativePrecedence
	case '%':
		return mod, multiplicativePrecedence
	}
	return nil, lowestPrecedence
}

// expression parses operands and the operators between them that bind more tightly than a
// precedence.
func (p *parser) expression(than int) (Number, error) {
	a, err := p.operand()
	for err == nil {
		apply, precedence := infixOperator(p.token)
		if precedence <= than {
			return a, nil
		}
		p.advance()
		var b Number
		if b, err = p.expression(precedence); err == nil {
			a, err = apply(a, b)
		}
	}
	return Number{}, err
}

// operand parses a number and everything that binds more tightly than a sign: -2^2 is -(2^2), and
// 2^3^2 is 2^(3^2).
func (p *parser) operand() (Number, error) {
	a, err := p.primary()
	for err == nil {
		switch {
		case p.token == '^':
			p.advance()
			var exponent Number
			if exponent, err = p.operand(); err == nil {
				a, err = pow(a, exponent)
			}
		case p.token == '%' && !p.operandFollows():
			p.advance()
			a, err = percent(a)
		default:
			return a, nil
		}
	}
	return Number{}, err
}

// operandFollows distinguishes modulo from percent: 7 % 3 is 1. After a percent sign, + and - are
// operators, so 5%-3% is 0.02.
func (p *parser) operandFollows() bool {
	rest := strings.TrimLeft(p.text[p.in.Pos().Offset:], " \t\r\n")
	return rest != "" && (isDigit(rest[0]) || isLetter(rest[0]) || rest[0] == '(' || rest[0] == '.')
}

// primary parses the start of an operand.
func (p *parser) primary() (Number, error) {
	switch p.token {
	case scanner.Int, scanner.Float:
		return p.literal()
	case scanner.Ident:
		return p.call()
	case '(':
		p.advance()
		inner, err := p.expression(lowestPrecedence)
		if err == nil && p.token != ')' {
			err = p.unexpected("a closing parenthesis was expected")
		}
		p.advance()
		return inner, err
	case '+':
		p.advance()
		return p.operand()
	case '-':
		p.advance()
		a, err := p.operand()
		return Number{a.Neg(), a.exact}, err
	case scanner.EOF:
		return Number{}, errors.New("the expression ends where a number was expected")
	}
	return Number{}, fmt.Errorf("%q found where a number was expected", p.in.TokenText())
}

// literal parses a number.
func (p *parser) literal() (Number, error) {
	text := p.in.TokenText()
	if len(text) > 1 && text[0] == '0' && isDigit(text[1]) {
		return Number{}, fmt.Errorf("%s: numbers must not start with 0 or contain thousands separators", text)
	}
	d, err := decimal.NewFromString(text)
	if err != nil || strings.ContainsAny(text, "xXbBoO_") {
		return Number{}, fmt.Errorf("%s is not a supported number; write 1234.56 or 1.5e6", text)
	}
	n, err := limitDigits(d, true)
	if err != nil {
		return Number{}, fmt.Errorf("%s: %w", text, err)
	}
	p.advance()
	return n, nil
}

// call applies a named function.
func (p *parser) call() (Number, error) {
	name := p.in.TokenText()
	f, ok := functions[strings.ToLower(name)]
	switch {
	case strings.EqualFold(name, "log"):
		return Number{}, errors.New("log is ambiguous: use ln(x) or log10(x)")
	case !ok:
		return Number{}, fmt.Errorf("%q is unknown; the functions are %s", name, functionUsages())
	}
	if p.advance(); p.token != '(' {
		return Number{}, fmt.Errorf("%s is a function: write %s", name, f.usage)
	}
	var args []Number
	for p.token != ')' {
		p.advance()
		arg, err := p.expression(lowestPrecedence)
		if err != nil {
			return Number{}, err
		}
		args = append(args, arg)
		switch {
		case p.token != ',' && p.token != ')':
			return Number{}, p.unexpected("a comma or a closing parenthesis was expected")
		case p.token == ',' && f.maxArgs != f.minArgs:
			if err := p.checkThousands(); err != nil {
				return Number{}, err
			}
		}
	}
	p.advance()
	if len(args) < f.minArgs || f.maxArgs > 0 && len(args) > f.maxArgs {
		return Number{}, fmt.Errorf("%s does not take %d arguments; write numbers without thousands separators", f.usage, len(args))
	}
	return f.apply(args)
}

// thousandsBefore matches the part of 1,000 before the comma: a whole number of one to three
// digits.
var thousandsBefore = lazyregexp.New(`(?:^|[^.\w])([1-9]\d{0,2})$`)

// thousandsAfter matches the part of 1,000 after the comma.
var thousandsAfter = lazyregexp.New(`^\d{3}(?:\D|$)`)

// checkThousands rejects a comma that may be a thousands separator in a function that takes one or
// two numbers.
func (p *parser) checkThousands() error {
	comma := p.in.Position.Offset
	before := thousandsBefore().FindStringSubmatch(p.text[:comma])
	after := p.text[comma+1:]
	if before == nil || !thousandsAfter().MatchString(after) {
		return nil
	}
	return fmt.Errorf("%s,%s could be one number or two arguments: write %[1]s%s, or put a space after the comma", before[1], after[:3])
}

// unexpected returns the error for the current token, as the user wrote it.
func (p *parser) unexpected(where string) error {
	switch p.token {
	case scanner.EOF:
		return fmt.Errorf("the expression ends where %s", where)
	case ',':
		return errors.New("a comma outside a function's arguments: write numbers without thousands separators and with a decimal point, 1234.56")
	}
	return fmt.Errorf("%q found where %s", p.in.TokenText(), where)
}
