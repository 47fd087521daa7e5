package planning

import "text/scanner"

// Calculator evaluates arithmetic expressions in exact decimals.
//
// It parses by itself. The libraries that do are made for variables of any type: they
// reach fields and methods by their names, for which the linker must keep every method
// of the program, an eighth of its size; and their numbers are of type float64.
type Calculator struct {
	functions map[string]function
}

// NewCalculator is a calculator, which many may use at once.
func NewCalculator() *Calculator { return &Calculator{functions: functions()} }

// Evaluate answers an expression of at most 1,000 bytes. Its errors say what is
// wrong with it, to whoever wrote it.
func (c *Calculator) Evaluate(expression string) (Number, error) {
	text, err := c.prepare(expression)
	if err != nil {
		return Number{}, err
	}
	p := newParser(text, c.functions)
	n, err := p.expression(lowestPrecedence)
	if err != nil {
		return Number{}, err
	}
	if p.token != scanner.EOF {
		return Number{}, p.unexpected("an operator is expected")
	}
	return n, nil
}
