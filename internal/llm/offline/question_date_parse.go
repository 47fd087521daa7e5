package offline

import (
	"cmp"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

var months = sync.OnceValue(func() map[string]time.Month {
	out := map[string]time.Month{}
	for i, names := range []string{
		"january jan januar jänner janvier enero", "february feb februar février fevrier febrero",
		"march mar märz maerz mars marzo", "april apr avril abril", "may mai mayo", "june jun juni juin junio",
		"july jul juli juillet julio", "august aug août aout agosto", "september sep sept septembre septiembre",
		"october oct oktober octobre octubre", "november nov novembre noviembre", "december dec dezember décembre decembre diciembre",
	} {
		for name := range strings.FieldsSeq(names) {
			out[name] = time.Month(i + 1)
		}
	}
	return out
})

var numerals = map[string]int{
	"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30,
	"zwei": 2, "drei": 3, "fünf": 5, "zehn": 10, "deux": 2, "trois": 3, "cinq": 5, "dix": 10, "dos": 2, "tres": 3, "cinco": 5, "diez": 10,
}

// datePattern compiles a pattern at its first use. In it ‹moment› is a day, a month,
// a quarter, a half or a year, the most exact reading first, or the edge of one;
// ‹month›, ‹numeral› and ‹unit› are words.
func datePattern(source string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp {
		month := alternatives(maps.Keys(months()))
		moment := `((?:` + edges + `)?(?:the )?(?:year )?(?:\d{4}-\d{1,2}-\d{1,2}\b|\d{4}-\d{2}\b|\d{4}-[qh][1-4]\b|` +
			month + `\.? (?:\d{1,2}(?:st|nd|rd|th)?,? )?(?:of |de )?\d{4}\b|` +
			`\d{1,2}(?:st|nd|rd|th|\.)? (?:of |de )?` + month + `\.? (?:de )?\d{4}\b|(?:19|20)\d{2}\b))`
		return regexp.MustCompile(strings.NewReplacer("‹moment›", moment, "‹month›", month, "‹numeral›", alternatives(maps.Keys(numerals)), "‹unit›", units).Replace(source))
	})
}

// edges are the words that mean the first or the last day of a moment.
const edges = `(?:the )?(?:start|beginning|end) of (?:the )?|(?:ende|anfang) |(?:fin|début|finales|principios) (?:de )?`

// aUnit is a unit of time, or what is counted in a sentence about time.
var aUnit = datePattern(`^(?:‹unit›|trading)$`)

const units = `years?|yrs?|months?|mos?|weeks?|wks?|days?|decades?|jahren?|jahre?|monaten?|ans?|années|mois|años?|anos?|meses`

func momentIn(shape func() *regexp.Regexp, low string) (first, last time.Time, ok bool) {
	m := shape().FindStringSubmatch(low)
	if m == nil {
		return first, last, false
	}
	return parseMoment(m[1])
}

var ordinalDay = lazyregexp.New(`^(\d{1,2})(?:st|nd|rd|th)$`)

var edge = lazyregexp.New(`^(?:(?:the )?(?:(start|beginning|anfang|début|principios)|(end|ende|fin|finales)) (?:(?:of|de) )?)?(?:the )?(?:year )?`)

// parseMoment reads a day, a month, a quarter, a half or a year as the days it begins
// and ends with; its edge is one day.
func parseMoment(text string) (first, last time.Time, ok bool) {
	m := edge().FindStringSubmatch(text)
	first, last, ok = parseDays(text[len(m[0]):])
	switch {
	case m[1] != "":
		return first, first, ok
	case m[2] != "":
		return last, last, ok
	}
	return first, last, ok
}

func parseDays(text string) (first, last time.Time, ok bool) {
	if year, part, found := strings.Cut(text, "-"); found && len(part) == 2 && (part[0] == 'q' || part[0] == 'h') {
		return parsePart(year, part)
	}
	for _, form := range []struct {
		layout              string
		years, months, days int
	}{{"2006", 1, 0, 0}, {"2006-01", 0, 1, 0}, {"2006-1-2", 0, 0, 1}} {
		if t, err := time.Parse(form.layout, text); err == nil {
			return t, t.AddDate(form.years, form.months, form.days-1), true
		}
	}
	return parseNamedMonth(text)
}

// parsePart reads a quarter or a half of a year.
func parsePart(year, part string) (first, last time.Time, ok bool) {
	y, err := strconv.Atoi(year)
	n, length := int(part[1]-'0'), 3
	if part[0] == 'h' {
		length = 6
	}
	if err != nil || n*length > 12 {
		return first, last, false
	}
	first = time.Date(y, time.Month((n-1)*length+1), 1, 0, 0, 0, 0, time.UTC)
	return first, first.AddDate(0, length, -1), true
}

// parseNamedMonth reads "march 2015", "march 4th, 2015" and "4 march 2015".
func parseNamedMonth(text string) (first, last time.Time, ok bool) {
	var year, day int
	var month time.Month
	for part := range strings.FieldsSeq(strings.NewReplacer(",", " ", ".", " ").Replace(text)) {
		if m := ordinalDay().FindStringSubmatch(part); m != nil {
			part = m[1]
		}
		n, err := strconv.Atoi(part)
		switch {
		case err == nil && n > 31:
			year = n
		case err == nil:
			day = n
		case months()[part] != 0:
			month = months()[part]
		}
	}
	first = time.Date(year, month, max(day, 1), 0, 0, 0, 0, time.UTC)
	if year == 0 || month == 0 || first.Month() != month {
		return time.Time{}, time.Time{}, false
	}
	if day != 0 {
		return first, first, true
	}
	return first, first.AddDate(0, 1, -1), true
}

// alternatives is a pattern of words, longer ones first, so that none hides
// another.
func alternatives(words iter.Seq[string]) string {
	sorted := slices.SortedFunc(words, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
	return "(?:" + strings.Join(sorted, "|") + ")"
}
