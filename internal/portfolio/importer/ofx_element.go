package importer

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"
)

// child is the first one of the name directly in e; nil where there is none. A nil
// element has nothing in it.
func (e *ofxElement) child(name string) *ofxElement {
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
func (e *ofxElement) find(name string) *ofxElement {
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
func (e *ofxElement) all(name string) []*ofxElement {
	var found []*ofxElement
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
func (e *ofxElement) text(name string) string {
	if found := e.find(name); found != nil {
		return found.value
	}
	return ""
}

// number is the amount of the first element of the name; zero and false where there
// is none. OFX lets a comma stand for the decimal point, and knows no thousands.
func (e *ofxElement) number(name string) (decimal.Decimal, bool, error) {
	text := e.text(name)
	if text == "" {
		return decimal.Decimal{}, false, nil
	}
	sign := DecimalPoint
	if strings.Contains(text, ",") && !strings.Contains(text, ".") {
		sign = DecimalComma
	}
	if strings.Contains(text, ",") && sign == DecimalPoint {
		return decimal.Decimal{}, true, ErrNumber
	}
	d, err := ParseNumber(text, sign)
	return d, true, err
}

// checkOFXDecimalSeparator refuses a file that has points in some amounts and commas in others: OFX lets
// either stand before the fraction and knows no thousands, so that 1,500 is one and a
// half, and was meant for more where the file has 2.50 as well.
func checkOFXDecimalSeparator(root *ofxElement) error {
	var points, commas *ofxElement
	var look func(e *ofxElement)
	look = func(e *ofxElement) {
		// One that has both is no number, and a problem of its own.
		if point, comma := strings.Contains(e.value, "."), strings.Contains(e.value, ","); point != comma && isOFXAmount(e.name) {
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
		commas.line, ErrFormat, commas.name, commas.value, points.name, points.line, points.value)
}

// isOFXAmount tells the tags whose values are numbers.
func isOFXAmount(name string) bool {
	switch name {
	case "TOTAL", "TRNAMT", "UNITS", "UNITPRICE", "COMMISSION", "FEES", "TAXES", "LOAD", "PENALTY", "WITHHOLDING", "STATEWITHHOLDING",
		"ACCRDINT", "MARKUP", "MARKDOWN", "FRACCASH", "NUMERATOR", "DENOMINATOR":
		return true
	}
	return false
}

// cells are the names and values in e, for a fingerprint.
func (e *ofxElement) cells() []string {
	cells := []string{e.name, e.value, strconv.Itoa(len(e.children))}
	for _, c := range e.children {
		cells = append(cells, c.cells()...)
	}
	return cells
}

// summary is e on one line, for people to find it again.
func (e *ofxElement) summary() string {
	var parts []string
	parts = append(parts, e.name)
	for _, name := range []string{"FITID", "DTTRADE", "DTPOSTED", "TRNTYPE", "INCOMETYPE", "UNIQUEID", "UNITS", "TOTAL", "TRNAMT", "NAME", "MEMO"} {
		if value := e.text(name); value != "" {
			parts = append(parts, value)
		}
	}
	return Shorten(strings.Join(parts, " "))
}
