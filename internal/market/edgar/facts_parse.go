package edgar

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

// CompanyFacts is what companyfacts holds of one company, as far as statements need.
type CompanyFacts struct {
	CIK  string // ten digits
	Name string

	facts map[string][]factRun // by concept: "us-gaap:Revenues"
}

// factRun is the figures of one concept in one unit, by end, start and date of filing.
type factRun struct {
	unit  string
	facts []taggedFact
}

type taggedFact struct {
	start, end day
	class      periodClass
	value      decimal.Decimal
	filing     *factFiling
}

type factFiling struct {
	accession, form string
	filed           day
	year            int    // the filing's own, zero where it says none
	period          string // "FY", "Q1" ...
}

// annual reports define fiscal years; 10-K405 and the like are older than tags.
func (f *factFiling) annual() bool {
	return slices.Contains([]string{"10-K", "20-F", "40-F"}, strings.TrimSuffix(f.form, "/A"))
}

// acceptedForms are the forms whose figures are statements, without "/A".
var acceptedForms = [...]string{"10-K", "10-Q", "10-KT", "10-QT", "20-F", "40-F", "6-K", "8-K"}

// ParseFacts reads a companyfacts document. Concepts that no statement has are passed
// over unread; figures of other forms than reports are left out. A document that
// is cut off, or not of this shape, is an error.
func ParseFacts(document []byte) (*CompanyFacts, error) {
	c := &CompanyFacts{facts: make(map[string][]factRun)}
	p := factsParser{s: jsonScanner{text: document}, company: c, wanted: allConcepts(), filings: make(map[string]*factFiling)}
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

type factsParser struct {
	s       jsonScanner
	wanted  map[string]bool
	company *CompanyFacts
	filings map[string]*factFiling
}

func (p *factsParser) taxonomy(name []byte) error {
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

func (p *factsParser) run(concept, unit string) error {
	r := factRun{unit: unit}
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
	slices.SortStableFunc(r.facts, func(a, b taggedFact) int {
		return cmp.Or(cmp.Compare(a.end, b.end), cmp.Compare(a.start, b.start), cmp.Compare(a.filing.filed, b.filing.filed), cmp.Compare(a.filing.accession, b.filing.accession))
	})
	p.company.facts[concept] = append(p.company.facts[concept], r)
	return nil
}

// rawFact is a figure as the document has it; the bytes are the document's.
type rawFact struct{ start, end, value, accession, year, period, form, filed []byte }

func (p *factsParser) fact() (taggedFact, bool, error) {
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
	if err != nil || raw.value == nil || !isAcceptedForm(raw.form) {
		return taggedFact{}, false, err
	}
	f, err := p.parseFact(raw)
	return f, err == nil, err
}

func isAcceptedForm(form []byte) bool {
	form = bytes.TrimSuffix(form, []byte("/A"))
	for _, f := range acceptedForms {
		if string(form) == f {
			return true
		}
	}
	return false
}

func (p *factsParser) parseFact(raw rawFact) (taggedFact, error) {
	f := taggedFact{start: noDay}
	var err error
	if raw.start != nil {
		if f.start, err = parseDay(raw.start); err != nil {
			return f, fmt.Errorf("start: %w", err)
		}
	}
	if f.end, err = parseDay(raw.end); err != nil {
		return f, fmt.Errorf("end: %w", err)
	}
	if f.value, err = parseFactNumber(raw.value); err != nil {
		return f, err
	}
	f.class = periodClassOf(f.start, f.end)
	f.filing, err = p.filing(raw)
	return f, err
}

func (p *factsParser) filing(raw rawFact) (*factFiling, error) {
	if known, ok := p.filings[string(raw.accession)]; ok {
		return known, nil
	}
	filed, err := parseDay(raw.filed)
	if err != nil {
		return nil, fmt.Errorf("filed: %w", err)
	}
	f := &factFiling{accession: string(raw.accession), form: string(raw.form), filed: filed, period: string(raw.period)}
	// Absent and odd years are zero, which later means: not said.
	f.year, _ = strconv.Atoi(string(raw.year))
	p.filings[f.accession] = f
	return f, nil
}

// maxFactNumber is more digits than a figure of any company has.
const maxFactNumber = 40

func parseFactNumber(text []byte) (decimal.Decimal, error) {
	if len(text) > maxFactNumber {
		return decimal.Decimal{}, fmt.Errorf("%.20q is too long for a figure", text)
	}
	if n, err := strconv.ParseInt(string(text), 10, 64); err == nil {
		return decimal.NewFromInt(n), nil
	}
	value, err := decimal.NewFromString(string(text))
	// An exponent of a billion would take all memory when it is written out.
	if err != nil || value.Exponent() > maxFactNumber || value.Exponent() < -maxFactNumber {
		return decimal.Decimal{}, fmt.Errorf("%.20q is no figure", text)
	}
	return value, nil
}
