package edgar

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// CompanyFacts holds the facts of one company that statements need.
type CompanyFacts struct {
	CIK  string // ten digits
	Name string

	facts map[string][]factRun // by concept: "us-gaap:Revenues"
}

// factRun holds the figures of one concept in one unit, sorted by end, start and filing date.
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
	year            int    // fiscal year of the filing; zero if unknown
	period          string // "FY", "Q1" ...
}

// annual reports whether the filing is an annual report, which defines the fiscal year. Forms such as 10-K405
// are older than XBRL tags.
func (f *factFiling) annual() bool {
	return slices.Contains([]string{"10-K", "20-F", "40-F"}, strings.TrimSuffix(f.form, "/A"))
}

// acceptedForms are the forms whose figures are used, without the suffix "/A".
var acceptedForms = []string{"10-K", "10-Q", "10-KT", "10-QT", "20-F", "40-F", "6-K", "8-K"}

// ParseFacts parses a companyfacts document. It skips unused concepts and figures of forms that are not
// reports. A truncated document, or one of another format, is an error.
func ParseFacts(document []byte) (*CompanyFacts, error) {
	var raw struct {
		CIK   json.RawMessage // a number, or a string with leading zeros
		Name  string          `json:"entityName"`
		Facts map[string]map[string]json.RawMessage
	}
	if err := client.DecodeJSON(document, &raw); err != nil {
		return nil, fmt.Errorf("companyfacts: %w", err)
	}
	c := &CompanyFacts{CIK: client.PadCIK(strings.Trim(string(raw.CIK), `"`)), Name: raw.Name, facts: make(map[string][]factRun)}
	if c.CIK == "" {
		return nil, errors.New("companyfacts: no CIK")
	}
	filings := make(map[string]*factFiling)
	for concept := range allConcepts() {
		taxonomy, name, _ := strings.Cut(concept, ":")
		text, ok := raw.Facts[taxonomy][name]
		if !ok {
			continue
		}
		var units struct{ Units map[string][]rawFact }
		if err := client.DecodeJSON(text, &units); err != nil {
			return nil, fmt.Errorf("companyfacts: %s: %w", concept, err)
		}
		for unit, facts := range units.Units {
			r, err := newFactRun(unit, facts, filings)
			if err != nil {
				return nil, fmt.Errorf("companyfacts: %s: %w", concept, err)
			}
			if len(r.facts) > 0 {
				c.facts[concept] = append(c.facts[concept], r)
			}
		}
		slices.SortFunc(c.facts[concept], func(a, b factRun) int { return cmp.Compare(a.unit, b.unit) })
	}
	return c, nil
}

// rawFact is a figure in the format of the document.
type rawFact struct {
	Start, End, Filed string
	Value             json.Number `json:"val"`
	Accession         string      `json:"accn"`
	Form              string
	Year              json.Number `json:"fy"`
	Period            string      `json:"fp"`
}

// newFactRun returns the sorted figures of one unit. filings holds the filings seen so far.
func newFactRun(unit string, raw []rawFact, filings map[string]*factFiling) (factRun, error) {
	r := factRun{unit: unit}
	for _, f := range raw {
		if f.Value == "" || !slices.Contains(acceptedForms, strings.TrimSuffix(f.Form, "/A")) {
			continue
		}
		fact, err := f.parse(filings)
		if err != nil {
			return r, err
		}
		r.facts = append(r.facts, fact)
	}
	slices.SortStableFunc(r.facts, func(a, b taggedFact) int {
		return cmp.Or(cmp.Compare(a.end, b.end), cmp.Compare(a.start, b.start), cmp.Compare(a.filing.filed, b.filing.filed), cmp.Compare(a.filing.accession, b.filing.accession))
	})
	return r, nil
}

func (raw rawFact) parse(filings map[string]*factFiling) (taggedFact, error) {
	f := taggedFact{start: noDay}
	var err error
	if raw.Start != "" {
		if f.start, err = parseDay(raw.Start); err != nil {
			return f, fmt.Errorf("start: %w", err)
		}
	}
	if f.end, err = parseDay(raw.End); err != nil {
		return f, fmt.Errorf("end: %w", err)
	}
	value := client.ParseDecimal(string(raw.Value))
	if !value.Valid {
		return f, fmt.Errorf("invalid number %.20q", raw.Value)
	}
	f.value = value.Decimal
	f.class = periodClassOf(f.start, f.end)
	if f.filing = filings[raw.Accession]; f.filing == nil {
		f.filing = &factFiling{accession: raw.Accession, form: raw.Form, period: raw.Period}
		if f.filing.filed, err = parseDay(raw.Filed); err != nil {
			return f, fmt.Errorf("filed: %w", err)
		}
		// Absent and invalid years are zero, which means unknown.
		f.filing.year, _ = strconv.Atoi(string(raw.Year))
		filings[raw.Accession] = f.filing
	}
	return f, nil
}

// day counts days since 1970-01-01; documents hold tens of thousands of dates.
type day int32

// noDay is before all days. It is the start of a figure at one date, such as a balance.
const noDay day = -1 << 31

const secondsPerDay = 24 * 60 * 60

func dayOf(d market.Date) day { return day(d.Unix() / secondsPerDay) }

func (d day) date() market.Date {
	if d == noDay {
		return market.Date{}
	}
	return time.Unix(int64(d)*secondsPerDay, 0).UTC()
}

func (d day) String() string { return d.date().Format(time.DateOnly) }

// parseDay parses "2024-09-28".
func parseDay(text string) (day, error) {
	at, err := time.Parse(time.DateOnly, text)
	if err != nil || at.Year() < 1900 {
		return 0, fmt.Errorf("invalid date %.20q", text)
	}
	return dayOf(at), nil
}

// periodClass is the length of a figure's period.
type periodClass int

const (
	periodOther periodClass = iota // not a fiscal period
	periodInstant
	periodQuarter
	periodHalfYear
	periodNineMonths // months
	periodYear
)

func (c periodClass) String() string {
	return [...]string{"other", "instant", "Q", "H1", "9M", "FY"}[c]
}

// periodClassOf classifies a period by its length in days. Companies that count weeks (Costco, Kroger) have
// quarters of 12 to 16 weeks, so the bounds are wider than three months, but they do not overlap.
func periodClassOf(start, end day) periodClass {
	if start == noDay {
		return periodInstant
	}
	switch days := end - start + 1; {
	case days >= 80 && days <= 120:
		return periodQuarter
	case days >= 160 && days <= 200:
		return periodHalfYear
	case days >= 245 && days <= 290:
		return periodNineMonths
	case days >= 350 && days <= 380:
		return periodYear
	}
	return periodOther
}

func withinDays(a, b, days day) bool { return a-b <= days && b-a <= days }
