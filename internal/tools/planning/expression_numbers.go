package planning

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"
)

// These limits keep every operation cheap, so that no expression can block the program.
const (
	// MaxDigits limits the digits of a number on each side of the decimal point.
	MaxDigits = 1000
	// RoundedDigits is the number of digits reported for an inexact number. workingDigits has six
	// more, which absorb rounding errors.
	RoundedDigits = 28
	workingDigits = 34
	// maxMultiplied is the highest power computed by multiplication. No exact result within
	// MaxDigits needs more (2^3321 is the last), and the rounding errors of so many steps stay
	// within the guard digits.
	maxMultiplied = 5000
	// seriesPlaces is the precision of logarithms and exponentials.
	seriesPlaces = 60
)

var (
	errTooLarge       = fmt.Errorf("the number would have more than %d digits", MaxDigits)
	errTooSmall       = fmt.Errorf("the number would be smaller than 1e-%d", MaxDigits)
	errDivisionByZero = errors.New("division by zero")
	errZeroToZero     = errors.New("0^0 is undefined")
)

// Number is a decimal that records whether it is exact.
type Number struct {
	decimal.Decimal
	exact bool
}

// Exact reports whether no step of the calculation was rounded.
func (a Number) Exact() bool { return a.exact }

func exactNumber(d decimal.Decimal) Number { return Number{d, true} }

// magnitude returns the number of digits before the decimal point; zero or less for 0.1 and below.
func magnitude(d decimal.Decimal) int { return d.NumDigits() + int(d.Exponent()) }

// limitDigits applies the limits to a result. An exact one keeps all its digits; an inexact one, or
// one with too many decimals, is rounded to the working digits.
func limitDigits(d decimal.Decimal, exact bool) (Number, error) {
	if d.IsZero() {
		return Number{decimal.Zero, exact}, nil
	}
	size := magnitude(d)
	switch {
	case size > MaxDigits:
		return Number{}, errTooLarge
	case size < -MaxDigits:
		return Number{}, errTooSmall
	case exact && -d.Exponent() <= MaxDigits:
		return exactNumber(d), nil
	}
	return Number{d.Round(int32(workingDigits - size)), false}, nil
}

// Rounded returns a as reported: without guard digits if it is inexact. floor and round start from
// it, so that floor(3 * (1/3)) is 1.
func (a Number) Rounded() decimal.Decimal {
	if a.exact || a.IsZero() {
		return a.Decimal
	}
	return a.Round(int32(RoundedDigits - magnitude(a.Decimal)))
}

func add(a, b Number) (Number, error) { return limitDigits(a.Add(b.Decimal), a.exact && b.exact) }
func sub(a, b Number) (Number, error) { return limitDigits(a.Sub(b.Decimal), a.exact && b.exact) }
func mul(a, b Number) (Number, error) { return limitDigits(a.Mul(b.Decimal), a.exact && b.exact) }

// div divides a by b. The result is exact if the quotient ends within the working digits.
func div(a, b Number) (Number, error) {
	if b.IsZero() {
		return Number{}, errDivisionByZero
	}
	// The number of digits before the decimal point is the difference of the operands' magnitudes,
	// or one more.
	places := workingDigits - (magnitude(a.Decimal) - magnitude(b.Decimal))
	quotient, rest := a.QuoRem(b.Decimal, int32(max(places, 0)))
	return limitDigits(quotient, a.exact && b.exact && rest.IsZero())
}

// mod has the sign of the dividend, as in C and Go: -7 % 3 = -1.
func mod(a, b Number) (Number, error) {
	if b.IsZero() {
		return Number{}, errDivisionByZero
	}
	return limitDigits(a.Mod(b.Decimal), a.exact && b.exact)
}

func percent(a Number) (Number, error) { return limitDigits(a.Shift(-2), a.exact) }

func sqrt(a Number) (Number, error) {
	if a.IsNegative() {
		return Number{}, fmt.Errorf("the square root of a negative number (%s) is undefined", shortNumber(a))
	}
	if a.IsZero() {
		return a, nil
	}
	// The root has half as many digits before the decimal point as a.
	root, err := a.SqrtRound(int32(max(workingDigits-magnitude(a.Decimal)/2, 0)))
	if err != nil {
		return Number{}, err
	}
	return limitDigits(root, a.exact && root.Mul(root).Equal(a.Decimal))
}

func pow(base, exponent Number) (Number, error) {
	switch {
	case base.IsZero() && exponent.IsZero():
		return Number{}, errZeroToZero
	case base.IsZero() && exponent.IsNegative():
		return Number{}, errDivisionByZero
	case base.IsZero():
		return base, nil
	case !exponent.IsInteger():
		return powReal(base, exponent)
	case exponent.Abs().LessThanOrEqual(decimal.NewFromInt(maxMultiplied)):
		return powWhole(base, exponent.IntPart())
	}
	// For a negative base, only the parity of the exponent remains to be considered.
	size, err := powReal(Number{base.Abs(), base.exact}, exponent)
	if odd := !exponent.Mod(decimal.NewFromInt(2)).IsZero(); err == nil && odd && base.IsNegative() {
		return Number{size.Neg(), size.exact}, nil
	}
	return size, err
}

// powWhole multiplies exactly while the result stays within the limits, then with the working
// digits.
func powWhole(base Number, n int64) (Number, error) {
	if n < 0 {
		whole, err := powWhole(base, -n)
		if err != nil {
			return Number{}, reciprocalError(err)
		}
		return div(exactNumber(decimal.NewFromInt(1)), whole)
	}
	result, err := exactNumber(decimal.NewFromInt(1)), error(nil)
	for {
		if n&1 == 1 {
			if result, err = mul(result, base); err != nil {
				return Number{}, err
			}
		}
		if n >>= 1; n == 0 {
			return result, nil
		}
		if base, err = mul(base, base); err != nil {
			return Number{}, err
		}
	}
}

// reciprocalError converts the error of x to that of 1/x.
func reciprocalError(err error) error {
	switch {
	case errors.Is(err, errTooLarge):
		return errTooSmall
	case errors.Is(err, errTooSmall):
		return errTooLarge
	}
	return err
}

// powReal returns exp(exponent * ln base).
func powReal(base, exponent Number) (Number, error) {
	if base.IsNegative() {
		return Number{}, fmt.Errorf("%s to the power of %s is not a real number", shortNumber(base), shortNumber(exponent))
	}
	switch one := decimal.NewFromInt(1); {
	case base.Equal(one):
		return base, nil
	case exponent.Equal(decimal.New(5, -1)) && exponent.exact:
		return sqrt(base)
	}
	log, err := naturalLog(base.Decimal)
	if err != nil {
		return Number{}, err
	}
	return expDecimal(exponent.Mul(log))
}

// naturalLog removes the power of ten first, because the series converges near one.
func naturalLog(d decimal.Decimal) (decimal.Decimal, error) {
	// Near one the logarithm is small, so its first digits are further right.
	places := int32(seriesPlaces)
	if beside := d.Sub(decimal.NewFromInt(1)); !beside.IsZero() {
		places += int32(max(0, -magnitude(beside)))
	}
	size := int32(magnitude(d))
	log, err := d.Shift(-size).Round(places + 2).Ln(places)
	if err != nil {
		return decimal.Zero, err
	}
	ten, err := decimal.NewFromInt(10).Ln(places)
	if err != nil {
		return decimal.Zero, err
	}
	return log.Add(ten.Mul(decimal.NewFromInt32(size))), nil
}

func ln(a Number) (Number, error) {
	if !a.IsPositive() {
		return Number{}, fmt.Errorf("the logarithm of %s is undefined: it is not positive", shortNumber(a))
	}
	log, err := naturalLog(a.Decimal)
	if err != nil {
		return Number{}, err
	}
	return limitDigits(log, a.exact && a.Equal(decimal.NewFromInt(1)))
}

func log10(a Number) (Number, error) {
	// The result is exact for powers of ten, as users expect.
	if n := a.Normalize(); n.IsPositive() && n.Coefficient().IsInt64() && n.CoefficientInt64() == 1 {
		return Number{decimal.NewFromInt32(n.Exponent()), a.exact}, nil
	}
	log, err := ln(a)
	if err != nil {
		return Number{}, err
	}
	ten, err := naturalLog(decimal.NewFromInt(10))
	if err != nil {
		return Number{}, err
	}
	return div(log, Number{ten, false})
}

func exp(a Number) (Number, error) {
	if a.IsZero() {
		return Number{decimal.NewFromInt(1), a.exact}, nil
	}
	return expDecimal(a.Decimal)
}

// expDecimal computes exp(x) = 10^n * exp(r) with |r| < ln 10, so that small and large results have the
// same relative precision.
func expDecimal(x decimal.Decimal) (Number, error) {
	ten, err := decimal.NewFromInt(10).Ln(seriesPlaces)
	if err != nil {
		return Number{}, err
	}
	n, rest := x.QuoRem(ten, 0)
	switch {
	case n.GreaterThan(decimal.NewFromInt(MaxDigits)):
		return Number{}, errTooLarge
	case n.LessThan(decimal.NewFromInt(-MaxDigits)):
		return Number{}, errTooSmall
	}
	e, err := rest.Round(seriesPlaces + 2).ExpTaylor(seriesPlaces)
	if err != nil {
		return Number{}, err
	}
	return limitDigits(e.Shift(int32(n.IntPart())), false)
}

// shortNumber formats a number for a message.
func shortNumber(a Number) string {
	if s := a.String(); len(s) <= 40 {
		return s
	}
	return a.Round(int32(6 - magnitude(a.Decimal))).ScientificNotationString()
}

// function is a named function of calculate.
type function struct {
	usage   string // as shown in the description and in errors
	minArgs int
	maxArgs int // 0: any number
	apply   func(args []Number) (Number, error)
}

func unary(usage string, f func(Number) (Number, error)) function {
	return function{usage, 1, 1, func(a []Number) (Number, error) { return f(a[0]) }}
}

func binary(usage string, f func(a, b Number) (Number, error)) function {
	return function{usage, 2, 2, func(a []Number) (Number, error) { return f(a[0], a[1]) }}
}

func variadic(usage string, f func([]Number) (Number, error)) function {
	return function{usage: usage, minArgs: 1, apply: f}
}

// functions are the functions available in an expression.
var functions = map[string]function{
	"abs":        unary("abs(x)", func(a Number) (Number, error) { return Number{a.Abs(), a.exact}, nil }),
	"avg":        variadic("avg(x, ...)", average),
	"cagr":       {"cagr(begin, end, years)", 3, 3, cagr},
	"ceil":       unary("ceil(x)", func(a Number) (Number, error) { return Number{a.Rounded().Ceil(), a.exact}, nil }),
	"exp":        unary("exp(x)", exp),
	"floor":      unary("floor(x)", func(a Number) (Number, error) { return Number{a.Rounded().Floor(), a.exact}, nil }),
	"ln":         unary("ln(x)", ln),
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

// round rounds half away from zero: round(2.5) = 3.
func round(args []Number) (Number, error) {
	places := int32(0)
	if len(args) == 2 {
		p := args[1]
		if !p.IsInteger() || p.Abs().GreaterThan(decimal.NewFromInt(MaxDigits)) {
			return Number{}, fmt.Errorf("round accepts a whole number of places from -%d to %d, not %s", MaxDigits, MaxDigits, shortNumber(p))
		}
		places = int32(p.IntPart())
	}
	return limitDigits(args[0].Rounded().Round(places), args[0].exact)
}

// pctChange returns a fraction, as in pandas: pct_change(80, 100) = 0.25.
func pctChange(from, to Number) (Number, error) {
	change, err := sub(to, from)
	if err != nil {
		return Number{}, err
	}
	return div(change, from)
}

// cagr returns (end/begin)^(1/years) - 1.
func cagr(args []Number) (Number, error) {
	begin, end, years := args[0], args[1], args[2]
	if !begin.IsPositive() || !end.IsPositive() || !years.IsPositive() {
		return Number{}, errors.New("cagr takes positive begin, end and years")
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

// functionUsages lists the functions alphabetically.
func functionUsages() string {
	var out []string
	for _, f := range functions {
		out = append(out, f.usage)
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}
