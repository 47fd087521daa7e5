package investor

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/shopspring/decimal"
)

// A list item has comma-separated fields. Fields are optional; a note comes last and may contain
// commas.

// fieldParser parses a field, or returns why it is invalid.
type fieldParser func(field string) error

// parseFields fills the slots from text, in order, and returns the rest as the note. A field that
// begins with a digit but fits no slot is an error, never a note, because it was meant as a number.
func parseFields(text string, slots ...fieldParser) (note string, err error) {
	next := 0
	for rest := text; rest != ""; {
		field, tail, _ := strings.Cut(rest, ",")
		field = strings.TrimSpace(field)
		if next == len(slots) {
			return readName(strings.TrimSpace(rest))
		}
		if field == "" {
			next, rest = next+1, tail
			continue
		}
		filled, err := fillField(field, slots[next:])
		if err != nil && startsWithNumber(field) {
			return "", err
		}
		if err != nil {
			return readName(strings.TrimSpace(rest))
		}
		next, rest = next+filled, tail
	}
	return "", nil
}

// fillField gives the field to the first slot that accepts it, and returns the number of slots
// used.
func fillField(field string, slots []fieldParser) (int, error) {
	var refused error
	for i, take := range slots {
		err := take(field)
		switch {
		case err == nil:
			return i + 1, nil
		case refused == nil:
			refused = err
		default:
			refused = fmt.Errorf("%w; or: %w", refused, err)
		}
	}
	return 0, refused
}

func startsWithNumber(field string) bool {
	return strings.ContainsAny(field[:1], "+-.") || unicode.IsDigit([]rune(field)[0])
}

// formatItem joins fields again. If there is a note, every slot is written, so that the note is not
// read as a field.
func formatItem(note string, values ...string) string {
	if note != "" {
		return strings.Join(append(values, note), ", ")
	}
	return strings.Join(slices.DeleteFunc(values, func(v string) bool { return v == "" }), ", ")
}

func objectiveItem() listItem[Objective] {
	return listItem[Objective]{read: readObjective, write: func(o Objective) string {
		return formatItem(o.Note, string(o.Aim), formatYear(o.Year), o.Amount.String())
	}}
}

func readObjective(text string, today time.Time) (Objective, error) {
	first, rest, _ := strings.Cut(text, ",")
	aim := Aim(strings.ToLower(strings.TrimSpace(first)))
	if !slices.Contains(Aims(), aim) {
		return Objective{}, fmt.Errorf("%q is not an objective; start with one of %s", clip(first), joinValues(Aims()))
	}
	o := Objective{Aim: aim}
	note, err := parseFields(rest,
		func(field string) (err error) { o.Year, err = readYear(field, today, true); return err },
		func(field string) (err error) { o.Amount, err = readNonNegative(field); return err })
	o.Note = note
	return o, err
}

func needItem() listItem[Need] {
	return listItem[Need]{read: readNeed, write: func(n Need) string {
		by := ""
		if !n.By.IsZero() {
			by = n.By.Format(time.DateOnly)
		}
		return formatItem(n.Note, n.Amount.String(), by)
	}}
}

func readNeed(text string, _ time.Time) (Need, error) {
	first, rest, _ := strings.Cut(text, ",")
	amount, err := readNonNegative(strings.TrimSpace(first))
	if err != nil {
		return Need{}, err
	}
	n := Need{Amount: amount}
	n.Note, err = parseFields(rest, func(field string) (err error) {
		n.By, err = readDay(strings.TrimSpace(strings.TrimPrefix(field, "by ")))
		return err
	})
	return n, err
}

func assetItem() listItem[Asset] {
	return listItem[Asset]{read: readAsset, write: func(a Asset) string { return formatItem("", a.Name, a.Value.String()) }}
}

func readAsset(text string, _ time.Time) (Asset, error) {
	name, value, valued := strings.Cut(text, ",")
	name, err := readName(strings.TrimSpace(name))
	switch {
	case err != nil:
		return Asset{}, err
	case name == "":
		return Asset{}, errors.New("enter a description and its value: apartment, 300000 EUR")
	case !valued:
		return Asset{Name: name}, nil
	}
	worth, err := readMoney(strings.TrimSpace(value))
	return Asset{Name: name, Value: worth}, err
}

func classLimitItem() listItem[ClassLimit] {
	return listItem[ClassLimit]{
		read: readClassLimit,
		key:  func(l ClassLimit) string { return string(l.Class) },
		write: func(l ClassLimit) string {
			text := string(l.Class)
			if l.Min.Valid {
				text += " min " + formatPercent(l.Min)
			}
			if l.Max.Valid {
				text += " max " + formatPercent(l.Max)
			}
			return text
		},
	}
}

// readClassLimit reads "equity min 20% max 60%".
func readClassLimit(text string, _ time.Time) (ClassLimit, error) {
	plain := strings.NewReplacer(" %", "%", "real estate", string(portfolio.ClassRealEstate)).Replace(strings.ToLower(text))
	parts := strings.Fields(plain)
	class, err := readClass(parts[0], time.Time{})
	if err != nil {
		return ClassLimit{}, err
	}
	limit := ClassLimit{Class: class}
	if len(parts) != 3 && len(parts) != 5 {
		return ClassLimit{}, fmt.Errorf("write %s min 20%% max 60%%, or only one of them", class)
	}
	for i := 1; i+1 < len(parts); i += 2 {
		end, err := limit.openBound(parts[i])
		if err != nil {
			return ClassLimit{}, err
		}
		if *end, err = readPercent(parts[i+1]); err != nil {
			return ClassLimit{}, err
		}
	}
	if limit.Min.Valid && limit.Max.Valid && limit.Min.Decimal.GreaterThan(limit.Max.Decimal) {
		return ClassLimit{}, fmt.Errorf("the minimum of %s exceeds its maximum", class)
	}
	return limit, nil
}

// openBound returns the bound with this name, which must not be set yet.
func (l *ClassLimit) openBound(word string) (*decimal.NullDecimal, error) {
	end := &l.Min
	switch strings.ToLower(word) {
	case "min":
	case "max":
		end = &l.Max
	default:
		return nil, fmt.Errorf("%q is neither min nor max", clip(word))
	}
	if end.Valid {
		return nil, fmt.Errorf("%s appears twice", word)
	}
	return end, nil
}

func classItem() listItem[portfolio.Class] {
	return listItem[portfolio.Class]{read: readClass, write: func(c portfolio.Class) string { return string(c) }, key: func(c portfolio.Class) string { return string(c) }}
}

func readClass(text string, _ time.Time) (portfolio.Class, error) {
	class := portfolio.Class(strings.ReplaceAll(strings.ToLower(text), " ", "_"))
	if !slices.Contains(portfolio.Classes(), class) {
		return "", fmt.Errorf("%q is not a class; the classes are %s", clip(text), joinValues(portfolio.Classes()))
	}
	return class, nil
}

func symbolItem() listItem[string] {
	return listItem[string]{read: readSymbol, write: func(s string) string { return s }, key: func(s string) string { return s }}
}

const longestSymbol = 24 // as in package market

func readSymbol(text string, _ time.Time) (string, error) {
	symbol := strings.ToUpper(text)
	notInSymbol := func(r rune) bool {
		return (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("^.-=&", r)
	}
	if len(symbol) > longestSymbol || strings.ContainsFunc(symbol, notInSymbol) {
		return "", fmt.Errorf("%q is not a symbol; use letters, digits and ^ . - = &", clip(text))
	}
	return symbol, nil
}
