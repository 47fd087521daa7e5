package question

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nfa-cli/nfa/internal/pattern"
)

// Span is the stretch of time a question asks for, in the words of the tools: a
// range counted back from the last close ("5y", "ytd", "max"), or days.
type Span struct {
	Back     string
	From, To string // YYYY-MM-DD, empty where open
}

// Empty reports whether no time is asked for.
func (s Span) Empty() bool { return s == Span{} }

// Day is the one day that the span is, or "".
func (s Span) Day() string {
	if s.From != s.To {
		return ""
	}
	return s.From
}

// UpToDay reaches so far back from a day that the last close on or before it is
// among the closes, even of a monthly series.
func (s Span) UpToDay() Span {
	const reach = 45 // days
	if day, err := time.Parse(time.DateOnly, s.Day()); err == nil {
		s.From = day.AddDate(0, 0, -reach).Format(time.DateOnly)
	}
	return s
}

var (
	dayAmongNumbers = pattern.Lazy(`\b\d{1,2}[/.]\d{1,2}[/.](?:\d{4}|\d{2})\b|\b\d{1,2}-\d{1,2}-\d{4}\b`)
	yearFirst       = pattern.Lazy(`\b(\d{4})[/.](\d{1,2})[/.](\d{1,2})\b`)
)

// findUnclearDate spells dates that begin with their year as 2001-09-11, and
// finds one such as 9/11/2001, whose month only its writer knows.
func findUnclearDate(low string) (spelled, unclear string) {
	low = yearFirst().ReplaceAllString(low, "$1-$2-$3")
	return low, dayAmongNumbers().FindString(low)
}

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

// datePattern compiles a pattern at its first use. In it ‹moment› is a day, a
// month or a year, the most exact reading first; ‹numeral› and ‹unit› are words.
func datePattern(source string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp {
		month := alternatives(maps.Keys(months()))
		moment := `(?:the )?(?:(?:start|beginning|end) of )?(?:year )?(\d{4}-\d{1,2}-\d{1,2}\b|\d{4}-\d{2}\b|` +
			month + `\.? (?:\d{1,2}(?:st|nd|rd|th)?,? )?(?:of |de )?\d{4}\b|` +
			`\d{1,2}(?:st|nd|rd|th|\.)? (?:of |de )?` + month + `\.? (?:de )?\d{4}\b|(?:19|20)\d{2}\b)`
		return regexp.MustCompile(strings.NewReplacer("‹moment›", moment, "‹numeral›", alternatives(maps.Keys(numerals)), "‹unit›", units).Replace(source))
	})
}

const units = `years?|yrs?|months?|mos?|weeks?|wks?|days?|decades?|jahren?|jahre?|monaten?|ans?|années|mois|años?|anos?|meses`

var (
	betweenMoments = datePattern(`\b‹moment› ?(?:and|to|until|till|through|bis|und|et|à|y|a|hasta|al|-) ?‹moment›`)
	sinceMoment    = datePattern(`\b(?:since|from|starting(?: in)?|beginning(?: in)?|seit|ab|depuis|desde)(?: about| around)? ‹moment›`)
	afterMoment    = datePattern(`\b(?:after|nach|après) ‹moment›`)
	beforeMoment   = datePattern(`\b(?:before|vor|avant|antes de) ‹moment›`)
	untilMoment    = datePattern(`\b(?:until|till|through|up to|to|by|bis|jusqu'en|jusqu'à|hasta) ‹moment›`)
	bareMoment     = datePattern(`(?:^|[^\d.,$€£-])‹moment›(?:$|[^\w.%]|\.(?:$|\D))`)
	lastUnits      = datePattern(`(?:^|[^\w$€£.,^-])(?:(\d{1,4})[ -]?(‹unit›|y|w|d)|(‹numeral›)[ -](‹unit›))\b`)
	unspacedYears  = pattern.Lazy(`(?:过去|最近|近)(\d{1,2})年`)
	unspacedSince  = pattern.Lazy(`((?:19|20)\d{2})年(以来|至今|起)?`)
	lastUnit       = pattern.Lazy(`\b(?:(over|in|during|for|within) the )?(last|past|previous) (year|month|week|quarter|decade)\b`)
	wholeHistory   = pattern.Lazy(`\b(?:all[ -]time|max|maximum|ever|(?:whole|entire|full|complete) (?:history|period|range|series)|since (?:inception|the beginning|the start))\b`)
	thisYear       = pattern.Lazy(`\b(?:ytd|year[ -]to[ -]date|this year|dieses jahr|cette année|este año)\b`)
)

// findSpan reads when a sentence asks about; empty where it does not say. now
// settles what "last year" means.
func findSpan(low string, now time.Time) Span {
	if s := calendarSpan(low); !s.Empty() {
		return s
	}
	if s := relativeSpan(low, now); !s.Empty() {
		return s
	}
	if first, last, ok := momentIn(bareMoment, low); ok {
		return between(first, last)
	}
	return Span{}
}

// calendarSpan reads ends that the sentence names.
func calendarSpan(low string) Span {
	if m := betweenMoments().FindStringSubmatch(low); m != nil {
		first, firstEnd, ok := parseMoment(m[1])
		second, last, ok2 := parseMoment(m[2])
		switch {
		case ok && ok2 && last.Before(first):
			return between(second, firstEnd)
		case ok && ok2:
			return between(first, last)
		}
	}
	if m := unspacedSince().FindStringSubmatch(low); m != nil {
		first, last, _ := parseMoment(m[1])
		if m[2] != "" {
			last = time.Time{}
		}
		return between(first, last)
	}
	var s Span
	if first, _, ok := momentIn(sinceMoment, low); ok {
		s.From = first.Format(time.DateOnly)
	} else if _, last, ok := momentIn(afterMoment, low); ok {
		s.From = last.AddDate(0, 0, 1).Format(time.DateOnly)
	}
	if first, _, ok := momentIn(beforeMoment, low); ok {
		s.To = first.AddDate(0, 0, -1).Format(time.DateOnly)
	} else if _, last, ok := momentIn(untilMoment, low); ok {
		s.To = last.Format(time.DateOnly)
	}
	return s
}

// relativeSpan reads ends that are counted from now or from the last close.
func relativeSpan(low string, now time.Time) Span {
	if m := unspacedYears().FindStringSubmatch(low); m != nil {
		return Span{Back: m[1] + "y"}
	}
	if m := lastUnits().FindStringSubmatch(low); m != nil {
		return counted(m[1]+m[3], m[2]+m[4])
	}
	if m := lastUnit().FindStringSubmatch(low); m != nil {
		if m[1] == "" && m[2] != "past" && m[3] == "year" {
			year := now.Year() - 1
			return Span{From: fmt.Sprintf("%d-01-01", year), To: fmt.Sprintf("%d-12-31", year)}
		}
		return counted("1", m[3])
	}
	switch {
	case thisYear().MatchString(low):
		return Span{Back: "ytd"}
	case wholeHistory().MatchString(low):
		return Span{Back: "max"}
	}
	return Span{}
}

// counted is n units back, in the tools' spelling.
func counted(number, unit string) Span {
	n, err := strconv.Atoi(number)
	if err != nil {
		n = numerals[number]
	}
	letter := unit[:1]
	switch {
	case strings.HasPrefix(unit, "decade"):
		n, letter = 10*n, "y"
	case strings.HasPrefix(unit, "quarter"):
		n, letter = 3*n, "m"
	case letter == "j" || letter == "a": // Jahre, ans, años
		letter = "y"
	}
	if n < 1 {
		return Span{}
	}
	return Span{Back: strconv.Itoa(n) + letter}
}

func momentIn(shape func() *regexp.Regexp, low string) (first, last time.Time, ok bool) {
	m := shape().FindStringSubmatch(low)
	if m == nil {
		return first, last, false
	}
	return parseMoment(m[1])
}

var ordinalDay = pattern.Lazy(`^(\d{1,2})(?:st|nd|rd|th)$`)

// parseMoment reads a year, a month or a day as the days it begins and ends with.
func parseMoment(text string) (first, last time.Time, ok bool) {
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

func between(first, last time.Time) Span {
	s := Span{From: first.Format(time.DateOnly)}
	if !last.IsZero() {
		s.To = last.Format(time.DateOnly)
	}
	return s
}

// alternatives is a pattern of words, longer ones first, so that none hides
// another.
func alternatives(words iter.Seq[string]) string {
	sorted := slices.SortedFunc(words, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
	return "(?:" + strings.Join(sorted, "|") + ")"
}
