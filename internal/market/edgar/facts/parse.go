package facts

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"
)

// Company is what companyfacts holds of one company, as far as statements need.
type Company struct {
	CIK  string // ten digits
	Name string

	facts map[string][]run // by concept: "us-gaap:Revenues"
}

// run is the figures of one concept in one unit, by end, start and date of filing.
type run struct {
	unit  string
	facts []fact
}

type fact struct {
	start, end day
	class      class
	value      decimal.Decimal
	filing     *filing
}

type filing struct {
	accession, form string
	filed           day
	year            int    // the filing's own, zero where it says none
	period          string // "FY", "Q1" ...
}

// annual reports define fiscal years; 10-K405 and the like are older than tags.
func (f *filing) annual() bool {
	return slices.Contains([]string{"10-K", "20-F", "40-F"}, strings.TrimSuffix(f.form, "/A"))
}

// accepted are the forms whose figures are statements, without "/A".
var accepted = [...]string{"10-K", "10-Q", "10-KT", "10-QT", "20-F", "40-F", "6-K", "8-K"}

// Parse reads a companyfacts document. Concepts that no statement has are passed
// over unread; figures of other forms than reports are left out. A document that
// is cut off, or not of this shape, is an error.
func Parse(document []byte) (*Company, error) {
	c := &Company{facts: make(map[string][]run)}
	p := parser{s: scanner{text: document}, company: c, wanted: concepts(), filings: make(map[string]*filing)}
	err := p.s.object(func(key []byte) error {
		switch string(key) {
		case "cik":
			number, err := p.s.scalar()
			c.CIK = padCIK(string(number))
			return err
		case "entityName":
			name, err := p.s.scalar()
			c.Name = string(name)
			return err
		case "facts":
			return p.s.object(p.taxonomy)
		}
		return p.s.skip()
	})
	if err != nil {
		return nil, fmt.Errorf("companyfacts: %w", err)
	}
	if len(c.CIK) != 10 {
		return nil, errors.New("companyfacts: no CIK")
	}
	return c, nil
}

func padCIK(number string) string {
	if number == "" || len(number) > 10 || strings.Trim(number, "0123456789") != "" {
		return ""
	}
	return strings.Repeat("0", 10-len(number)) + number
}

type parser struct {
	s       scanner
	wanted  map[string]bool
	company *Company
	filings map[string]*filing
}

func (p *parser) taxonomy(name []byte) error {
	prefix := string(name) + ":"
	return p.s.object(func(key []byte) error {
		concept := prefix + string(key)
		if !p.wanted[concept] {
			return p.s.skip()
		}
		return p.s.object(func(key []byte) error {
			if string(key) != "units" {
				return p.s.skip()
			}
			return p.s.object(func(unit []byte) error { return p.run(concept, string(unit)) })
		})
	})
}

func (p *parser) run(concept, unit string) error {
	r := run{unit: unit}
	err := p.s.array(func() error {
		f, ok, err := p.fact()
		if err != nil {
			return fmt.Errorf("%s: %w", concept, err)
		}
		if ok {
			r.facts = append(r.facts, f)
		}
		return nil
	})
	if err != nil || len(r.facts) == 0 {
		return err
	}
	slices.SortStableFunc(r.facts, func(a, b fact) int {
		return cmp.Or(cmp.Compare(a.end, b.end), cmp.Compare(a.start, b.start), cmp.Compare(a.filing.filed, b.filing.filed), cmp.Compare(a.filing.accession, b.filing.accession))
	})
	p.company.facts[concept] = append(p.company.facts[concept], r)
	return nil
}

// rawFact is a figure as the document has it; the bytes are the document's.
type rawFact struct{ start, end, value, accession, year, period, form, filed []byte }

func (p *parser) fact() (fact, bool, error) {
	var raw rawFact
	err := p.s.object(func(key []byte) (err error) {
		switch string(key) {
		case "start":
			raw.start, err = p.s.scalar()
		case "end":
			raw.end, err = p.s.scalar()
		case "val":
			raw.value, err = p.s.scalar()
		case "accn":
			raw.accession, err = p.s.scalar()
		case "fy":
			raw.year, err = p.s.scalar()
		case "fp":
			raw.period, err = p.s.scalar()
		case "form":
			raw.form, err = p.s.scalar()
		case "filed":
			raw.filed, err = p.s.scalar()
		default:
			err = p.s.skip()
		}
		return err
	})
	if err != nil || raw.value == nil || !isAccepted(raw.form) {
		return fact{}, false, err
	}
	f, err := p.read(raw)
	return f, err == nil, err
}

func isAccepted(form []byte) bool {
	form = bytes.TrimSuffix(form, []byte("/A"))
	for _, f := range accepted {
		if string(form) == f {
			return true
		}
	}
	return false
}

func (p *parser) read(raw rawFact) (fact, error) {
	f := fact{start: noDay}
	var err error
	if raw.start != nil {
		if f.start, err = parseDay(raw.start); err != nil {
			return f, fmt.Errorf("start: %w", err)
		}
	}
	if f.end, err = parseDay(raw.end); err != nil {
		return f, fmt.Errorf("end: %w", err)
	}
	if f.value, err = number(raw.value); err != nil {
		return f, err
	}
	f.class = classOf(f.start, f.end)
	f.filing, err = p.filing(raw)
	return f, err
}

func (p *parser) filing(raw rawFact) (*filing, error) {
	if known, ok := p.filings[string(raw.accession)]; ok {
		return known, nil
	}
	filed, err := parseDay(raw.filed)
	if err != nil {
		return nil, fmt.Errorf("filed: %w", err)
	}
	f := &filing{accession: string(raw.accession), form: string(raw.form), filed: filed, period: string(raw.period)}
	// Absent and odd years are zero, which later means: not said.
	f.year, _ = strconv.Atoi(string(raw.year))
	p.filings[f.accession] = f
	return f, nil
}

// longestNumber is more digits than a figure of any company has.
const longestNumber = 40

func number(text []byte) (decimal.Decimal, error) {
	if len(text) > longestNumber {
		return decimal.Decimal{}, fmt.Errorf("%.20q is too long for a figure", text)
	}
	if n, err := strconv.ParseInt(string(text), 10, 64); err == nil {
		return decimal.NewFromInt(n), nil
	}
	value, err := decimal.NewFromString(string(text))
	// An exponent of a billion would take all memory when it is written out.
	if err != nil || value.Exponent() > longestNumber || value.Exponent() < -longestNumber {
		return decimal.Decimal{}, fmt.Errorf("%.20q is no figure", text)
	}
	return value, nil
}
