package offline

import (
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

var (
	yearFirst    = lazyregexp.New(`\b(\d{4})[/.](\d{1,2})[/.](\d{1,2})\b`)
	monthFirst   = lazyregexp.New(`(^|[^\d/.-])(0?[1-9]|1[0-2])/((?:19|20)\d{2})\b`)
	partBefore   = lazyregexp.New(`\b([qh][1-4])[ /-]?(?:of |in )?((?:19|20)\d{2})\b`)
	partBehind   = lazyregexp.New(`\b((?:19|20)\d{2})[ /-]?([qh][1-4])\b`)
	spokenPart   = lazyregexp.New(`\b(first|1st|second|2nd|third|3rd|fourth|4th|last|final) (quarter|half) (?:of |in )?((?:19|20)\d{2})\b`)
	monthToMonth = datePattern(`\b(‹month›)\.? ?(and|to|until|till|through|bis|und|et|à|y|a|hasta|al|-) ?(‹month›)\.? ((?:19|20)\d{2})\b`)
	dayToDay     = datePattern(`\b(\d{1,2})(?:st|nd|rd|th|\.)? ?(and|to|until|till|through|bis|und|-) ?(\d{1,2}(?:st|nd|rd|th|\.)?) (?:of )?(‹month›)\.? ((?:19|20)\d{2})\b`)
	dayThenDay   = datePattern(`\b(‹month›)\.? (\d{1,2})(?:st|nd|rd|th)? ?(and|to|until|till|through|-) ?(\d{1,2})(?:st|nd|rd|th)?,? ((?:19|20)\d{2})\b`)
)

// normalizeDates writes the times of a sentence as moments: 2001/9/11 as 2001-09-11, "Q1
// 2020" as 2020-q1, and the year that two months or days share beside both.
func normalizeDates(low string) string {
	if !strings.ContainsAny(low, digits) {
		return low
	}
	low = yearFirst().ReplaceAllString(low, "$1-$2-$3")
	low = monthFirst().ReplaceAllStringFunc(low, func(written string) string {
		m := monthFirst().FindStringSubmatch(written)
		return m[1] + m[3] + "-" + ("0" + m[2])[len(m[2])-1:]
	})
	low = partBefore().ReplaceAllString(low, "$2-$1")
	low = partBehind().ReplaceAllString(low, "$1-$2")
	low = spokenPart().ReplaceAllStringFunc(low, partOf)
	if !namesMonth(low) {
		return low
	}
	low = dayToDay().ReplaceAllString(low, "$1 $4 $5 $2 $3 $4 $5")
	low = dayThenDay().ReplaceAllString(low, "$1 $2 $5 $3 $1 $4 $5")
	return monthToMonth().ReplaceAllStringFunc(low, sharedYear)
}

const digits = "0123456789"

// namesMonth reports whether a month may be named: most sentences name none, and a
// pattern of all their names is not cheap.
func namesMonth(low string) bool {
	for name := range months() {
		if strings.Contains(low, name) {
			return true
		}
	}
	return false
}

// partOf writes "first quarter of 2020" as 2020-q1.
func partOf(spoken string) string {
	m := spokenPart().FindStringSubmatch(spoken)
	numbers := map[string]string{"first": "1", "1st": "1", "second": "2", "2nd": "2", "third": "3", "3rd": "3", "fourth": "4", "4th": "4", "last": "4", "final": "4"}
	n := numbers[m[1]]
	if m[2] == "half" && n == "4" {
		n = "2" // the last half
	}
	return m[3] + "-" + m[2][:1] + n
}

// sharedYear writes "november to february 2020" as november 2019 to february 2020.
func sharedYear(written string) string {
	m := monthToMonth().FindStringSubmatch(written)
	first, second := months()[m[1]], months()[m[3]]
	year, err := time.Parse("2006", m[4])
	if err != nil {
		return written
	}
	if first > second {
		year = year.AddDate(-1, 0, 0)
	}
	return strings.Join([]string{m[1], year.Format("2006"), m[2], m[3], m[4]}, " ")
}
