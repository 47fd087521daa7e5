package ofx

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// child is the first one of the name directly in e; nil where there is none. A nil
// element has nothing in it.
func (e *element) child(name string) *element {
	if e == nil {
		return nil
	}
	for _, c := range e.children {
		if c.name == name {
			return c
		}
	}
	return nil
}

// find is the first element of the name anywhere in e.
func (e *element) find(name string) *element {
	if e == nil {
		return nil
	}
	for _, c := range e.children {
		if c.name == name {
			return c
		}
		if found := c.find(name); found != nil {
			return found
		}
	}
	return nil
}

// all are the elements of the name in e, at any depth but not within each other.
func (e *element) all(name string) []*element {
	var found []*element
	for _, c := range e.children {
		if c.name == name {
			found = append(found, c)
			continue
		}
		found = append(found, c.all(name)...)
	}
	return found
}

// text is the value of the first element of the name anywhere in e; empty where
// there is none.
func (e *element) text(name string) string {
	if found := e.find(name); found != nil {
		return found.value
	}
	return ""
}

// number is the amount of the first element of the name; zero and false where there
// is none. OFX lets a comma stand for the decimal point, and knows no thousands.
func (e *element) number(name string) (decimal.Decimal, bool, error) {
	text := e.text(name)
	if text == "" {
		return decimal.Decimal{}, false, nil
	}
	sign := sheet.Point
	if strings.Contains(text, ",") && !strings.Contains(text, ".") {
		sign = sheet.Comma
	}
	if strings.Contains(text, ",") && sign == sheet.Point {
		return decimal.Decimal{}, true, sheet.ErrNumber
	}
	d, err := sheet.Number(text, sign)
	return d, true, err
}

// oneSign refuses a file that has points in some amounts and commas in others: OFX lets
// either stand before the fraction and knows no thousands, so that 1,500 is one and a
// half, and was meant for more where the file has 2.50 as well.
func oneSign(root *element) error {
	var points, commas *element
	var look func(e *element)
	look = func(e *element) {
		// One that has both is no number, and a problem of its own.
		if point, comma := strings.Contains(e.value, "."), strings.Contains(e.value, ","); point != comma && isAmount(e.name) {
			if point {
				points = e
			} else {
				commas = e
			}
		}
		for _, c := range e.children {
			look(c)
		}
	}
	for _, list := range root.all("INVTRANLIST") {
		look(list)
	}
	if points == nil || commas == nil {
		return nil
	}
	return fmt.Errorf("line %d: %w: %s is %s, and %s in line %d is %s: which of point and comma stands before the fraction is not sure for any amount",
		commas.line, broker.ErrFormat, commas.name, commas.value, points.name, points.line, points.value)
}

// isAmount tells the tags whose values are numbers.
func isAmount(name string) bool {
	switch name {
	case "TOTAL", "TRNAMT", "UNITS", "UNITPRICE", "COMMISSION", "FEES", "TAXES", "LOAD", "PENALTY", "WITHHOLDING", "STATEWITHHOLDING",
		"ACCRDINT", "MARKUP", "MARKDOWN", "FRACCASH", "NUMERATOR", "DENOMINATOR":
		return true
	}
	return false
}

// cells are the names and values in e, for a fingerprint.
func (e *element) cells() []string {
	cells := []string{e.name, e.value, strconv.Itoa(len(e.children))}
	for _, c := range e.children {
		cells = append(cells, c.cells()...)
	}
	return cells
}

// summary is e on one line, for people to find it again.
func (e *element) summary() string {
	var parts []string
	parts = append(parts, e.name)
	for _, name := range []string{"FITID", "DTTRADE", "DTPOSTED", "TRNTYPE", "INCOMETYPE", "UNIQUEID", "UNITS", "TOTAL", "TRNAMT", "NAME", "MEMO"} {
		if value := e.text(name); value != "" {
			parts = append(parts, value)
		}
	}
	return sheet.Shorten(strings.Join(parts, " "))
}
