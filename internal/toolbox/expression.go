package toolbox

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/scanner"

	"github.com/PaesslerAG/gval"
	"github.com/shopspring/decimal"
)

// calculator evaluates arithmetic expressions in exact decimals. gval drives the
// parse by the table of operators; every literal, operator and function is ours,
// so that no number ever passes through a float64 (gval's own decimal literals
// and negation do).
type calculator struct {
	language  gval.Language
	functions map[string]function
}

func newCalculator() *calculator {
	c := &calculator{functions: functions()}
	c.language = gval.NewLanguage(
		gval.Init(c.whole),
		gval.PrefixExtension(scanner.Int, literal),
		gval.PrefixExtension(scanner.Float, literal),
		gval.PrefixExtension(scanner.Ident, c.call),
		gval.PrefixExtension('(', parenthesis),
		gval.PrefixExtension('+', c.operand),
		gval.PrefixExtension('-', c.negation),
		gval.PrefixExtension(scanner.EOF, func(context.Context, *gval.Parser) (gval.Evaluable, error) {
			return nil, fmt.Errorf("the expression ends where a number is expected")
		}),
		gval.DefaultExtension(func(_ context.Context, p *gval.Parser) (gval.Evaluable, error) {
			return nil, fmt.Errorf("%q stands where a number is expected", shownToken(p))
		}),
		infix("+", add, 120), infix("-", sub, 120),
		infix("*", mul, 150), infix("/", div, 150), infix("%", mod, 150),
		gval.PostfixOperator("^", c.power), gval.Precedence("^", 200),
		gval.PostfixOperator(percentSign, func(_ context.Context, p *gval.Parser, a gval.Evaluable) (gval.Evaluable, error) {
			return combined(p, percent, a)
		}), gval.Precedence(percentSign, 200),
	)
	return c
}

// evaluate answers an expression. Its errors say what is wrong with it.
func (c *calculator) evaluate(expression string) (number, error) {
	text, err := c.prepared(expression)
	if err != nil {
		return number{}, err
	}
	evaluable, err := c.language.NewEvaluable(text)
	if err != nil {
		// gval wraps once: the text in our rewriting, and a position in that.
		return number{}, errors.Unwrap(err)
	}
	return valueOf(evaluable)
}

// whole parses the expression to its end. Go's comments are switched off: of
// "7 // 2" they would leave 7.
func (c *calculator) whole(ctx context.Context, p *gval.Parser) (gval.Evaluable, error) {
	p.SetMode(scanner.ScanIdents | scanner.ScanInts | scanner.ScanFloats)
	result, err := p.ParseExpression(ctx)
	if err != nil {
		return nil, err
	}
	if p.Scan() != scanner.EOF {
		return nil, fmt.Errorf("%q stands where an operator is expected", shownToken(p))
	}
	return result, nil
}

// literal reads a number from its own digits.
func literal(_ context.Context, p *gval.Parser) (gval.Evaluable, error) {
	text := p.TokenText()
	if len(text) > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9' {
		return nil, fmt.Errorf("%s: numbers do not begin with a 0, and have no thousands separators", text)
	}
	d, err := decimal.NewFromString(text)
	if err != nil || strings.ContainsAny(text, "xXbBoO_") {
		return nil, fmt.Errorf("%s is not a number that can be used here; write 1234.56 or 1.5e6", text)
	}
	n, err := settled(d, true)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", text, err)
	}
	return p.Const(n), nil
}

func parenthesis(ctx context.Context, p *gval.Parser) (gval.Evaluable, error) {
	inner, err := p.ParseExpression(ctx)
	if err != nil {
		return nil, err
	}
	if p.Scan() != ')' {
		return nil, fmt.Errorf("%q stands where a closing parenthesis is expected", shownToken(p))
	}
	return inner, nil
}

// call applies a named function. Everything is constant, so it is applied while
// parsing.
func (c *calculator) call(ctx context.Context, p *gval.Parser) (gval.Evaluable, error) {
	name := p.TokenText()
	f, ok := c.functions[strings.ToLower(name)]
	if !ok {
		return nil, fmt.Errorf("%q is unknown; the functions are %s", name, usages(c.functions))
	}
	if p.Scan() != '(' {
		return nil, fmt.Errorf("%s is a function: write %s", name, f.usage)
	}
	args, err := c.arguments(ctx, p)
	if err != nil {
		return nil, err
	}
	if !f.takes(len(args)) {
		return nil, fmt.Errorf("%s does not take %d arguments; numbers have no thousands separators", f.usage, len(args))
	}
	result, err := f.apply(args)
	if err != nil {
		return nil, err
	}
	return p.Const(result), nil
}

func (c *calculator) arguments(ctx context.Context, p *gval.Parser) ([]number, error) {
	var args []number
	for {
		arg, err := p.ParseExpression(ctx)
		if err != nil {
			return nil, err
		}
		n, err := valueOf(arg)
		if err != nil {
			return nil, err
		}
		args = append(args, n)
		switch p.Scan() {
		case ')':
			return args, nil
		case ',':
		default:
			return nil, fmt.Errorf("%q stands where a comma or a closing parenthesis is expected", shownToken(p))
		}
	}
}

func (c *calculator) negation(ctx context.Context, p *gval.Parser) (gval.Evaluable, error) {
	a, err := c.operand(ctx, p)
	if err != nil {
		return nil, err
	}
	return combined(p, func(a number) (number, error) { return neg(a), nil }, a)
}

// operand parses a number with what binds to it more tightly than a sign: -2^2
// is -(2^2), and 2^3^2 is 2^(3^2).
func (c *calculator) operand(ctx context.Context, p *gval.Parser) (gval.Evaluable, error) {
	a, err := p.ParseNextExpression(ctx)
	for err == nil {
		switch token := p.Scan(); {
		case token == '^':
			return c.power(ctx, p, a)
		case string(token) == percentSign:
			a, err = combined(p, percent, a)
		default:
			p.Camouflage("operator")
			return a, nil
		}
	}
	return nil, err
}

// power takes its own right side, because gval's operators group from the left.
func (c *calculator) power(ctx context.Context, p *gval.Parser, base gval.Evaluable) (gval.Evaluable, error) {
	exponent, err := c.operand(ctx, p)
	if err != nil {
		return nil, err
	}
	b, err := valueOf(base)
	if err != nil {
		return nil, err
	}
	e, err := valueOf(exponent)
	if err != nil {
		return nil, err
	}
	result, err := pow(b, e)
	if err != nil {
		return nil, err
	}
	return p.Const(result), nil
}

func infix(symbol string, f func(a, b number) (number, error), precedence uint8) gval.Language {
	return gval.NewLanguage(
		gval.InfixOperator(symbol, func(a, b any) (any, error) {
			x, okX := a.(number)
			y, okY := b.(number)
			if !okX || !okY {
				return nil, fmt.Errorf("%v %s %v: not numbers", a, symbol, b)
			}
			return f(x, y)
		}),
		gval.Precedence(symbol, precedence))
}

func combined(p *gval.Parser, f func(number) (number, error), a gval.Evaluable) (gval.Evaluable, error) {
	n, err := valueOf(a)
	if err != nil {
		return nil, err
	}
	result, err := f(n)
	if err != nil {
		return nil, err
	}
	return p.Const(result), nil
}

func valueOf(e gval.Evaluable) (number, error) {
	v, err := e(context.Background(), nil)
	if err != nil {
		return number{}, err
	}
	n, ok := v.(number)
	if !ok {
		return number{}, fmt.Errorf("%v is not a number", v)
	}
	return n, nil
}

// shownToken is the token just scanned, as the user wrote it.
func shownToken(p *gval.Parser) string {
	text := p.TokenText()
	switch text {
	case "":
		return "the end"
	case percentSign:
		return "%"
	}
	return text
}
