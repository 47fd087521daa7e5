package investor

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"
)

// newEntry returns a question with access to its answer in a profile; write returns "" for an
// unknown answer.
func newEntry[T any](q Question, at func(*Profile) *T, read func(answer string, today time.Time) (T, error), write func(T) string) questionEntry {
	return questionEntry{Question: q,
		get: func(p *Profile) string { return write(*at(p)) },
		clear: func(p *Profile) {
			var unknown T
			*at(p) = unknown
		},
		set: func(p *Profile, answer string, today time.Time) error {
			value, err := read(answer, today)
			if err == nil {
				*at(p) = value
			}
			return err
		}}
}

func moneyEntry(q Question, read func(string) (Money, error), at func(*Profile) *Money) questionEntry {
	q.Kind, q.Example = KindMoney, cmp.Or(q.Example, "80000 EUR")
	return newEntry(q, at, func(answer string, _ time.Time) (Money, error) { return read(answer) }, Money.String)
}

func percentEntry(q Question, at func(*Profile) *decimal.NullDecimal) questionEntry {
	q.Kind, q.Example = KindPercent, cmp.Or(q.Example, "25%")
	q.Min, q.Max = decimal.NewNullDecimal(decimal.Zero), decimal.NewNullDecimal(decimal.NewFromInt(100))
	return newEntry(q, at, func(answer string, _ time.Time) (decimal.NullDecimal, error) { return readPercent(answer) }, formatPercent)
}

func yearEntry(q Question, check func(year int, today time.Time) error, at func(*Profile) *int) questionEntry {
	q.Kind = KindYear
	q.Min, q.Max = decimal.NewNullDecimal(decimal.NewFromInt(earliestYear)), decimal.NewNullDecimal(decimal.NewFromInt(latestYear))
	read := func(answer string, today time.Time) (int, error) {
		year, err := readYear(answer, today, q.AllowsSpans)
		if err == nil && !today.IsZero() {
			err = check(year, today)
		}
		return year, err
	}
	return newEntry(q, at, read, formatYear)
}

func formatYear(year int) string {
	if year == 0 {
		return ""
	}
	return strconv.Itoa(year)
}

func textEntry(q Question, read func(string) (string, error), at func(*Profile) *string) questionEntry {
	return newEntry(q, at, func(answer string, _ time.Time) (string, error) { return read(answer) }, func(text string) string { return text })
}

// parseChoice reads a choice by its value or its number.
func parseChoice(choices []Choice, answer string) (string, error) {
	values := make([]string, len(choices))
	for i, c := range choices {
		if strings.EqualFold(answer, c.Value) || answer == strconv.Itoa(i+1) {
			return c.Value, nil
		}
		values[i] = c.Value
	}
	return "", fmt.Errorf("%q is not a valid choice; use one of %s", clip(answer), strings.Join(values, ", "))
}

func choiceEntry[W ~string](q Question, at func(*Profile) *W) questionEntry {
	q.Kind = KindChoice
	read := func(answer string, _ time.Time) (W, error) {
		value, err := parseChoice(q.Choices, answer)
		return W(value), err
	}
	return newEntry(q, at, read, func(value W) string { return string(value) })
}

// riskEntry stores the choice in Profile.Tolerance. It replaces the map instead of changing it,
// because copies of a profile share it.
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
			tolerance := map[string]string{q.ID: value}
			for id, earlier := range p.Tolerance {
				if id != q.ID {
					tolerance[id] = earlier
				}
			}
			p.Tolerance = tolerance
			return nil
		}}
}

const noneAnswer = "none"

// listItem reads and writes one item of a list.
type listItem[T any] struct {
	read  func(text string, today time.Time) (T, error)
	write func(T) string
	key   func(T) string // by which items must be unique; nil allows duplicates
}

func listEntry[T any](q Question, as listItem[T], at func(*Profile) *[]T) questionEntry {
	q.Kind = KindList
	write := func(list []T) string {
		if list != nil && len(list) == 0 {
			return noneAnswer
		}
		texts := make([]string, len(list))
		for i, one := range list {
			texts[i] = as.write(one)
		}
		return strings.Join(texts, "; ")
	}
	return newEntry(q, at, func(answer string, today time.Time) ([]T, error) { return as.readAll(q, answer, today) }, write)
}

func (as listItem[T]) readAll(q Question, answer string, today time.Time) ([]T, error) {
	if strings.EqualFold(answer, noneAnswer) {
		if !q.AllowsNone {
			return nil, errors.New("enter at least one, or leave the answer empty")
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
				return nil, fmt.Errorf("%s appears twice", clip(as.key(one)))
			}
			seen[as.key(one)] = true
		}
		list = append(list, one)
	}
	switch {
	case len(list) == 0:
		return nil, errors.New("no item was entered")
	case len(list) > maxItems:
		return nil, fmt.Errorf("more than %d items", maxItems)
	}
	return list, nil
}
