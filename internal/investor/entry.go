package investor

import (
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"
)

// Each kind of question is read and written in one way, at the place that at
// points to.

func askMoney(q Question, read func(string) (Money, error), at func(*Profile) *Money) entry {
	q.Kind, q.Example = KindMoney, or(q.Example, "80000 EUR")
	return entry{Question: q,
		get:   func(p *Profile) string { return at(p).String() },
		clear: func(p *Profile) { *at(p) = Money{} },
		set: func(p *Profile, answer string, _ time.Time) error {
			m, err := read(answer)
			if err != nil {
				return err
			}
			*at(p) = m
			return nil
		}}
}

func askPercent(q Question, at func(*Profile) *decimal.NullDecimal) entry {
	q.Kind, q.Example = KindPercent, or(q.Example, "25 %")
	q.Least, q.Most = decimal.NewNullDecimal(decimal.Zero), decimal.NewNullDecimal(decimal.NewFromInt(100))
	return entry{Question: q,
		get:   func(p *Profile) string { return percent(*at(p)) },
		clear: func(p *Profile) { *at(p) = decimal.NullDecimal{} },
		set: func(p *Profile, answer string, _ time.Time) error {
			part, err := readPercent(answer)
			if err != nil {
				return err
			}
			*at(p) = part
			return nil
		}}
}

func askYear(q Question, check func(year int, today time.Time) error, at func(*Profile) *int) entry {
	q.Kind = KindYear
	q.Least, q.Most = decimal.NewNullDecimal(decimal.NewFromInt(earliestYear)), decimal.NewNullDecimal(decimal.NewFromInt(latestYear))
	return entry{Question: q,
		get: func(p *Profile) string {
			if *at(p) == 0 {
				return ""
			}
			return strconv.Itoa(*at(p))
		},
		clear: func(p *Profile) { *at(p) = 0 },
		set: func(p *Profile, answer string, today time.Time) error {
			year, err := readYear(answer, today, q.Spans)
			if err == nil && !today.IsZero() {
				err = check(year, today)
			}
			if err != nil {
				return err
			}
			*at(p) = year
			return nil
		}}
}

func askText(q Question, read func(string) (string, error), at func(*Profile) *string) entry {
	return entry{Question: q,
		get:   func(p *Profile) string { return *at(p) },
		clear: func(p *Profile) { *at(p) = "" },
		set: func(p *Profile, answer string, _ time.Time) error {
			text, err := read(answer)
			if err != nil {
				return err
			}
			*at(p) = text
			return nil
		}}
}

// choose reads one of the choices, by its value or its place in the list.
func choose(choices []Choice, answer string) (string, error) {
	values := make([]string, len(choices))
	for i, c := range choices {
		if strings.EqualFold(answer, c.Value) || answer == strconv.Itoa(i+1) {
			return c.Value, nil
		}
		values[i] = c.Value
	}
	return "", fmt.Errorf("%q is not among the choices: %s", clip(answer), strings.Join(values, ", "))
}

func askChoice[W ~string](q Question, at func(*Profile) *W) entry {
	q.Kind = KindChoice
	return entry{Question: q,
		get:   func(p *Profile) string { return string(*at(p)) },
		clear: func(p *Profile) { *at(p) = "" },
		set: func(p *Profile, answer string, _ time.Time) error {
			value, err := choose(q.Choices, answer)
			if err != nil {
				return err
			}
			*at(p) = W(value)
			return nil
		}}
}

// askRisk keeps the choice in the map of risk tolerance. The map is replaced and
// never changed: copies of a profile share it.
func askRisk(q Question) entry {
	q.Kind, q.Factor = KindChoice, FactorTolerance
	return entry{Question: q,
		get: func(p *Profile) string { return p.Tolerance[q.ID] },
		clear: func(p *Profile) {
			p.Tolerance = maps.Clone(p.Tolerance)
			delete(p.Tolerance, q.ID)
			if len(p.Tolerance) == 0 {
				p.Tolerance = nil
			}
		},
		set: func(p *Profile, answer string, _ time.Time) error {
			value, err := choose(q.Choices, answer)
			if err != nil {
				return err
			}
			tolerance := maps.Clone(p.Tolerance)
			if tolerance == nil {
				tolerance = map[string]string{}
			}
			tolerance[q.ID] = value
			p.Tolerance = tolerance
			return nil
		}}
}

const none = "none"

// item reads and writes one part of a list.
type item[T any] struct {
	read  func(text string, today time.Time) (T, error)
	write func(T) string
	key   func(T) string // by which an item may stand once; nil where many may
}

func askList[T any](q Question, as item[T], at func(*Profile) *[]T) entry {
	q.Kind = KindList
	return entry{Question: q,
		get: func(p *Profile) string {
			list := *at(p)
			if list != nil && len(list) == 0 {
				return none
			}
			texts := make([]string, len(list))
			for i, one := range list {
				texts[i] = as.write(one)
			}
			return strings.Join(texts, "; ")
		},
		clear: func(p *Profile) { *at(p) = nil },
		set: func(p *Profile, answer string, today time.Time) error {
			list, err := as.readAll(q, answer, today)
			if err != nil {
				return err
			}
			*at(p) = list
			return nil
		}}
}

func (as item[T]) readAll(q Question, answer string, today time.Time) ([]T, error) {
	if strings.EqualFold(answer, none) {
		if !q.None {
			return nil, errors.New("name at least one, or leave it empty")
		}
		return []T{}, nil
	}
	var list []T
	seen := map[string]bool{}
	for part := range strings.FieldsFuncSeq(answer, func(r rune) bool { return r == ';' || r == '\n' }) {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		one, err := as.read(part, today)
		if err != nil {
			return nil, err
		}
		if as.key != nil {
			if seen[as.key(one)] {
				return nil, fmt.Errorf("%s stands there twice", clip(as.key(one)))
			}
			seen[as.key(one)] = true
		}
		list = append(list, one)
	}
	switch {
	case len(list) == 0:
		return nil, errors.New("nothing is named")
	case len(list) > mostItems:
		return nil, fmt.Errorf("more than %d items", mostItems)
	}
	return list, nil
}

func or(text, otherwise string) string {
	if text != "" {
		return text
	}
	return otherwise
}
