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

func moneyEntry(q Question, read func(string) (Money, error), at func(*Profile) *Money) questionEntry {
	q.Kind, q.Example = KindMoney, orDefault(q.Example, "80000 EUR")
	return questionEntry{Question: q,
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

func percentEntry(q Question, at func(*Profile) *decimal.NullDecimal) questionEntry {
	q.Kind, q.Example = KindPercent, orDefault(q.Example, "25 %")
	q.Min, q.Max = decimal.NewNullDecimal(decimal.Zero), decimal.NewNullDecimal(decimal.NewFromInt(100))
	return questionEntry{Question: q,
		get:   func(p *Profile) string { return formatPercent(*at(p)) },
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

func yearEntry(q Question, check func(year int, today time.Time) error, at func(*Profile) *int) questionEntry {
	q.Kind = KindYear
	q.Min, q.Max = decimal.NewNullDecimal(decimal.NewFromInt(earliestYear)), decimal.NewNullDecimal(decimal.NewFromInt(latestYear))
	return questionEntry{Question: q,
		get: func(p *Profile) string {
			if *at(p) == 0 {
				return ""
			}
			return strconv.Itoa(*at(p))
		},
		clear: func(p *Profile) { *at(p) = 0 },
		set: func(p *Profile, answer string, today time.Time) error {
			year, err := readYear(answer, today, q.AllowsSpans)
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

func textEntry(q Question, read func(string) (string, error), at func(*Profile) *string) questionEntry {
	return questionEntry{Question: q,
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

// parseChoice reads one of the choices, by its value or its place in the list.
func parseChoice(choices []Choice, answer string) (string, error) {
	values := make([]string, len(choices))
	for i, c := range choices {
		if strings.EqualFold(answer, c.Value) || answer == strconv.Itoa(i+1) {
			return c.Value, nil
		}
		values[i] = c.Value
	}
	return "", fmt.Errorf("%q is not among the choices: %s", clip(answer), strings.Join(values, ", "))
}

func choiceEntry[W ~string](q Question, at func(*Profile) *W) questionEntry {
	q.Kind = KindChoice
	return questionEntry{Question: q,
		get:   func(p *Profile) string { return string(*at(p)) },
		clear: func(p *Profile) { *at(p) = "" },
		set: func(p *Profile, answer string, _ time.Time) error {
			value, err := parseChoice(q.Choices, answer)
			if err != nil {
				return err
			}
			*at(p) = W(value)
			return nil
		}}
}

// riskEntry keeps the choice in the map of risk tolerance. The map is replaced and
// never changed: copies of a profile share it.
func riskEntry(q Question) questionEntry {
	q.Kind, q.Factor = KindChoice, FactorTolerance
	return questionEntry{Question: q,
		get: func(p *Profile) string { return p.Tolerance[q.ID] },
		clear: func(p *Profile) {
			p.Tolerance = maps.Clone(p.Tolerance)
			delete(p.Tolerance, q.ID)
			if len(p.Tolerance) == 0 {
				p.Tolerance = nil
			}
		},
		set: func(p *Profile, answer string, _ time.Time) error {
			value, err := parseChoice(q.Choices, answer)
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

const noneAnswer = "none"

// listItem reads and writes one part of a list.
type listItem[T any] struct {
	read  func(text string, today time.Time) (T, error)
	write func(T) string
	key   func(T) string // by which an item may stand once; nil where many may
}

func listEntry[T any](q Question, as listItem[T], at func(*Profile) *[]T) questionEntry {
	q.Kind = KindList
	return questionEntry{Question: q,
		get: func(p *Profile) string {
			list := *at(p)
			if list != nil && len(list) == 0 {
				return noneAnswer
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

func (as listItem[T]) readAll(q Question, answer string, today time.Time) ([]T, error) {
	if strings.EqualFold(answer, noneAnswer) {
		if !q.AllowsNone {
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
	case len(list) > maxItems:
		return nil, fmt.Errorf("more than %d items", maxItems)
	}
	return list, nil
}

func orDefault(text, otherwise string) string {
	if text != "" {
		return text
	}
	return otherwise
}
