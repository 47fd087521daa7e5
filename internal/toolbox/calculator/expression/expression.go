// Package expression works out arithmetic as people write it, in exact decimals:
// "round(1000 * 1.07^10, 2)", "100 + 5%". Nothing passes through a float64.
package expression

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/scanner"

	"github.com/PaesslerAG/gval"
	"github.com/shopspring/decimal"
)

// Calculator evaluates arithmetic expressions in exact decimals. gval drives the
// parse by the table of operators; every literal, operator and function is ours,
// so that no number ever passes through a float64 (gval's own decimal literals
// and negation do).
type Calculator struct {
	language  gval.Language
	functions map[string]function
}

// New is a calculator, which many may use at once.
func New() *Calculator {
	c := &Calculator{functions: functions()}
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

// Evaluate answers an expression of at most 1,000 bytes. Its errors say what is
// wrong with it, to whoever wrote it.
func (c *Calculator) Evaluate(expression string) (Number, error) {
	text, err := c.prepared(expression)
	if err != nil {
		return Number{}, err
	}
	evaluable, err := c.language.NewEvaluable(text)
	if err != nil {
		// gval wraps once: the text in our rewriting, and a position in that.
		return Number{}, errors.Unwrap(err)
	}
	return valueOf(evaluable)
}

// whole parses the expression to its end. Go's comments are switched off: of
// "7 // 2" they would leave 7.
func (c *Calculator) whole(ctx context.Context, p *gval.Parser) (gval.Evaluable, error) {
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
func (c *Calculator) call(ctx context.Context, p *gval.Parser) (gval.Evaluable, error) {
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

func (c *Calculator) arguments(ctx context.Context, p *gval.Parser) ([]Number, error) {
	var args []Number
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

func (c *Calculator) negation(ctx context.Context, p *gval.Parser) (gval.Evaluable, error) {
	a, err := c.operand(ctx, p)
	if err != nil {
		return nil, err
	}
	return combined(p, func(a Number) (Number, error) { return neg(a), nil }, a)
}

// operand parses a number with what binds to it more tightly than a sign: -2^2
// is -(2^2), and 2^3^2 is 2^(3^2).
func (c *Calculator) operand(ctx context.Context, p *gval.Parser) (gval.Evaluable, error) {
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
func (c *Calculator) power(ctx context.Context, p *gval.Parser, base gval.Evaluable) (gval.Evaluable, error) {
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

func infix(symbol string, f func(a, b Number) (Number, error), precedence uint8) gval.Language {
	return gval.NewLanguage(
		gval.InfixOperator(symbol, func(a, b any) (any, error) {
			x, okX := a.(Number)
			y, okY := b.(Number)
			if !okX || !okY {
				return nil, fmt.Errorf("%v %s %v: not numbers", a, symbol, b)
			}
			return f(x, y)
		}),
		gval.Precedence(symbol, precedence))
}

func combined(p *gval.Parser, f func(Number) (Number, error), a gval.Evaluable) (gval.Evaluable, error) {
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

func valueOf(e gval.Evaluable) (Number, error) {
	v, err := e(context.Background(), nil)
	if err != nil {
		return Number{}, err
	}
	n, ok := v.(Number)
	if !ok {
		return Number{}, fmt.Errorf("%v is not a number", v)
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
