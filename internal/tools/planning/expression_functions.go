package planning

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"
)

// function is a named function of calculate.
type function struct {
	usage   string // as the description and the errors show it
	minArgs int
	maxArgs int // variadic when less than least
	apply   func(args []Number) (Number, error)
}

// acceptsCount reports whether n arguments fit.
func (f function) acceptsCount(n int) bool {
	return n >= f.minArgs && (f.maxArgs < f.minArgs || n <= f.maxArgs)
}

// isVariadic reports whether more than one number of arguments fits, so that
// "1,000" in a call could be one number or two.
func (f function) isVariadic() bool { return f.maxArgs != f.minArgs }

func unary(usage string, f func(Number) (Number, error)) function {
	return function{usage, 1, 1, func(a []Number) (Number, error) { return f(a[0]) }}
}

func binary(usage string, f func(a, b Number) (Number, error)) function {
	return function{usage, 2, 2, func(a []Number) (Number, error) { return f(a[0], a[1]) }}
}

func variadic(usage string, f func([]Number) (Number, error)) function {
	return function{usage: usage, minArgs: 1, apply: f}
}

// functions is the table of what an expression may call.
func functions() map[string]function {
	return map[string]function{
		"abs":        unary("abs(x)", func(a Number) (Number, error) { return Number{a.Abs(), a.exact}, nil }),
		"avg":        variadic("avg(x, ...)", average),
		"cagr":       {"cagr(begin, end, years)", 3, 3, cagr},
		"ceil":       unary("ceil(x)", func(a Number) (Number, error) { return Number{a.Rounded().Ceil(), a.exact}, nil }),
		"exp":        unary("exp(x)", exp),
		"floor":      unary("floor(x)", func(a Number) (Number, error) { return Number{a.Rounded().Floor(), a.exact}, nil }),
		"ln":         unary("ln(x)", ln),
		"log":        unary("log(x)", func(Number) (Number, error) { return Number{}, errAmbiguousLog }),
		"log10":      unary("log10(x)", log10),
		"max":        variadic("max(x, ...)", func(a []Number) (Number, error) { return slices.MaxFunc(a, compare), nil }),
		"min":        variadic("min(x, ...)", func(a []Number) (Number, error) { return slices.MinFunc(a, compare), nil }),
		"mod":        binary("mod(a, b)", mod),
		"pct_change": binary("pct_change(from, to)", pctChange),
		"pow":        binary("pow(x, y)", pow),
		"round":      {"round(x, places)", 1, 2, round},
		"sqrt":       unary("sqrt(x)", sqrt),
		"sum":        variadic("sum(x, ...)", sum),
	}
}

// FunctionUsages says how each function is written, in one line.
func FunctionUsages() string { return usages(functions()) }

var errAmbiguousLog = errors.New("log could mean two things: use ln(x) or log10(x)")

func compare(a, b Number) int { return a.Cmp(b.Decimal) }

func sum(args []Number) (Number, error) {
	total, err := exactNumber(decimal.Zero), error(nil)
	for _, a := range args {
		if total, err = add(total, a); err != nil {
			return Number{}, err
		}
	}
	return total, nil
}

func average(args []Number) (Number, error) {
	total, err := sum(args)
	if err != nil {
		return Number{}, err
	}
	return div(total, exactNumber(decimal.NewFromInt(int64(len(args)))))
}

// round goes half away from zero, as bookkeeping does: round(2.5) = 3.
func round(args []Number) (Number, error) {
	places := int32(0)
	if len(args) == 2 {
		p := args[1]
		if !p.IsInteger() || p.Abs().GreaterThan(decimal.NewFromInt(MaxDigits)) {
			return Number{}, fmt.Errorf("round takes whole places from -%d to %d, not %s", MaxDigits, MaxDigits, shortNumber(p))
		}
		places = int32(p.IntPart())
	}
	return limitDigits(args[0].Rounded().Round(places), args[0].exact)
}

// pctChange is a fraction, as pandas has it: pct_change(80, 100) = 0.25.
func pctChange(from, to Number) (Number, error) {
	change, err := sub(to, from)
	if err != nil {
		return Number{}, err
	}
	return div(change, from)
}

// cagr is (end/begin)^(1/years) - 1.
func cagr(args []Number) (Number, error) {
	begin, end, years := args[0], args[1], args[2]
	if !begin.IsPositive() || !end.IsPositive() || !years.IsPositive() {
		return Number{}, errors.New("cagr takes a positive begin, end and number of years")
	}
	growth, err := div(end, begin)
	if err != nil {
		return Number{}, err
	}
	exponent, err := div(exactNumber(decimal.NewFromInt(1)), years)
	if err != nil {
		return Number{}, err
	}
	yearly, err := pow(growth, exponent)
	if err != nil {
		return Number{}, err
	}
	return sub(yearly, exactNumber(decimal.NewFromInt(1)))
}

// usages lists the functions for people and models, in order of name.
func usages(table map[string]function) string {
	var out []string
	for name, f := range table {
		if name != "log" { // it only exists to explain itself
			out = append(out, f.usage)
		}
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}
