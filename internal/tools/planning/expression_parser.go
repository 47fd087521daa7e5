package planning

import (
	"errors"
	"fmt"
	"strings"
	"text/scanner"

	"github.com/shopspring/decimal"
)

// parser works an expression out while it reads it, by the precedence of operators.
type parser struct {
	functions map[string]function
	in        scanner.Scanner
	token     rune // at hand, and not yet taken
}

func newParser(text string, functions map[string]function) *parser {
	p := &parser{functions: functions}
	p.in.Init(strings.NewReader(text))
	// Go's comments are not read: of "7 // 2" they would leave 7.
	p.in.Mode = scanner.ScanIdents | scanner.ScanInts | scanner.ScanFloats
	p.in.Error = func(*scanner.Scanner, string) {} // what it objects to is no number, which is said better below
	p.advance()
	return p
}

// advance goes on to the next token.
func (p *parser) advance() { p.token = p.in.Scan() }

// Precedences of the operators that stand between two operands. Those of one bind
// from the left.
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

// expression reads operands with the operators between them that bind more tightly
// than those of a precedence.
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

// operand reads a number with what binds to it more tightly than a sign: -2^2 is
// -(2^2), and 2^3^2 is 2^(3^2).
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
		case string(p.token) == percentSign:
			p.advance()
			a, err = percent(a)
		default:
			return a, nil
		}
	}
	return Number{}, err
}

// primary reads what an operand begins with.
func (p *parser) primary() (Number, error) {
	switch p.token {
	case scanner.Int, scanner.Float:
		return p.literal()
	case scanner.Ident:
		return p.call()
	case '(':
		return p.parenthesis()
	case '+':
		p.advance()
		return p.operand()
	case '-':
		p.advance()
		a, err := p.operand()
		if err != nil {
			return Number{}, err
		}
		return neg(a), nil
	case scanner.EOF:
		return Number{}, errors.New("the expression ends where a number is expected")
	}
	return Number{}, p.unexpected("a number is expected")
}

// literal reads a number from its own digits.
func (p *parser) literal() (Number, error) {
	text := p.in.TokenText()
	if len(text) > 1 && text[0] == '0' && isDigit(text[1]) {
		return Number{}, fmt.Errorf("%s: numbers do not begin with a 0, and have no thousands separators", text)
	}
	d, err := decimal.NewFromString(text)
	if err != nil || strings.ContainsAny(text, "xXbBoO_") {
		return Number{}, fmt.Errorf("%s is not a number that can be used here; write 1234.56 or 1.5e6", text)
	}
	n, err := limitDigits(d, true)
	if err != nil {
		return Number{}, fmt.Errorf("%s: %w", text, err)
	}
	p.advance()
	return n, nil
}

func (p *parser) parenthesis() (Number, error) {
	p.advance()
	inner, err := p.expression(lowestPrecedence)
	if err != nil {
		return Number{}, err
	}
	if p.token != ')' {
		return Number{}, p.unexpected("a closing parenthesis is expected")
	}
	p.advance()
	return inner, nil
}

// call applies a named function.
func (p *parser) call() (Number, error) {
	name := p.in.TokenText()
	f, ok := p.functions[strings.ToLower(name)]
	if !ok {
		return Number{}, fmt.Errorf("%q is unknown; the functions are %s", name, usages(p.functions))
	}
	if p.advance(); p.token != '(' {
		return Number{}, fmt.Errorf("%s is a function: write %s", name, f.usage)
	}
	args, err := p.arguments()
	if err != nil {
		return Number{}, err
	}
	if !f.acceptsCount(len(args)) {
		return Number{}, fmt.Errorf("%s does not take %d arguments; numbers have no thousands separators", f.usage, len(args))
	}
	return f.apply(args)
}

// arguments reads those of a call, from its opening parenthesis to behind the closing one.
func (p *parser) arguments() ([]Number, error) {
	var args []Number
	for {
		p.advance()
		arg, err := p.expression(lowestPrecedence)
		if err != nil {
			return nil, err
		}
		args = append(args, arg)
		switch p.token {
		case ',':
		case ')':
			p.advance()
			return args, nil
		default:
			return nil, p.unexpected("a comma or a closing parenthesis is expected")
		}
	}
}

// unexpected is the error of the token at hand, as the user wrote it.
func (p *parser) unexpected(where string) error {
	text := p.in.TokenText()
	switch text {
	case "":
		text = "the end"
	case percentSign:
		text = "%"
	}
	return fmt.Errorf("%q stands where %s", text, where)
}
