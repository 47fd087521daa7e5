package trace

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// day is a date as the number of days since 1970-01-01.
type day int

func dayOf(t time.Time) day { return day(t.UTC().Truncate(24*time.Hour).Unix() / 86400) }

func (d day) date() time.Time { return time.Unix(int64(d)*86400, 0).UTC() }

// period is a time that a text names: a day, a month, a quarter or a year.
type period struct {
	from, to day // inclusive
	fiscal   int // the fiscal year, or 0
	month    int // of a year that the text does not name; then there are no days
	role     role
}

// role says how a period bounds what a sentence is about.
type role int8

const (
	roleAt role = iota
	roleStart
	roleEnd
)

const (
	monthName = `(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?`
	yearDigit = `((?:19|20)\d\d)`
)

const periodSource = "" + // with the numbers of the groups
	yearDigit + `[-/](\d\d?)[-/](\d\d?)\b` + "|" + // 1 2 3
	`(\d\d?)/(\d\d?)/` + yearDigit + "|" + // 4 5 6
	`(\d\d?)\.(\d\d?)\.` + yearDigit + "|" + // 7 8 9
	monthName + ` (\d\d?)(?:st|nd|rd|th)?,? ` + yearDigit + `\b` + "|" + // 10 11 12
	`(\d\d?)(?:st|nd|rd|th)?(?: of)? ` + monthName + `,? ` + yearDigit + "|" + // 13 14 15
	yearDigit + ` ?年 ?(\d\d?) ?月(?: ?(\d\d?) ?日)?` + "|" + // 16 17 18
	monthName + `[, -]{1,2}` + yearDigit + `\b` + "|" + // 19 20
	`(?i:FY|fiscal(?: year)?) ?(?:(Q[1-4]) ?)?'?((?:20)?\d\d)\b` + "|" + // 21 22
	`\b(Q[1-4])[ -]?(?:FY|of )?'?((?:20)?\d\d)\b` + "|" + // 23 24
	yearDigit + ` ?年?(?:第?([一二三四1-4])季度| ?(Q[1-4])\b|财年|財年)` + "|" + // 25 26 27
	`\b` + yearDigit + `-(\d\d)\b` + "|" + // 28 29
	`\b` + yearDigit + `年?` // 30

var periodPattern = lazyregexp.New(periodSource)

var monthNumber = map[string]int{"Jan": 1, "Feb": 2, "Mar": 3, "Apr": 4, "May": 5, "Jun": 6, "Jul": 7, "Aug": 8, "Sep": 9, "Oct": 10, "Nov": 11, "Dec": 12}

// placedPeriod is a period with its place in a text.
type placedPeriod struct {
	period
	start, end int
}

// periodsIn returns the periods named in a text.
func periodsIn(text string) []placedPeriod {
	var out []placedPeriod
	for i := 0; i < len(text); i++ {
		if !isYearAt(text, i) {
			continue
		}
		if y, m, d, ok := isoDateAt(text, i); ok {
			if p := dayPeriod(y, m, d); p.to > 0 {
				out = append(out, placedPeriod{p, i, i + len(time.DateOnly)})
			}
			i += len(time.DateOnly) - 1
			continue
		}
		// The pattern is slow: look only near what may be a year.
		start, end := 0, i
		if len(out) > 0 {
			start = out[len(out)-1].end
		}
		start = max(start, i-nearYear)
		for end = i; end < len(text) && end < i+nearYear; end++ {
			if isYearAt(text, end) {
				i = end
			}
		}
		end = min(len(text), i+nearYear)
		for start > 0 && !utf8.RuneStart(text[start]) {
			start++
		}
		for _, p := range periodsNear(text[start:end]) {
			p.start, p.end = p.start+start, p.end+start
			out = append(out, p)
		}
		i = end - 1
	}
	return out
}

// isoDateAt parses a date such as 2008-01-02, the most common format in tool results.
func isoDateAt(text string, i int) (year, month, date int, ok bool) {
	end := i + len(time.DateOnly)
	if end > len(text) || text[i+4] != '-' || text[i+7] != '-' || end < len(text) && isDigit(text[end]) {
		return 0, 0, 0, false
	}
	number := func(from, to int) int {
		n, err := strconv.Atoi(text[from:to])
		ok = ok && err == nil
		return n
	}
	ok = true
	return number(i, i+4), number(i+5, i+7), number(i+8, end), ok
}

// nearYear is the maximum number of bytes before and after a year that may belong to its date.
const nearYear = 24

// isYearAt reports whether a year or FY starts at i.
func isYearAt(text string, i int) bool {
	switch text[i] {
	case '1', '2':
		return i+4 <= len(text) && (text[i:i+2] == "19" || text[i:i+2] == "20") && isDigit(text[i+2]) && isDigit(text[i+3]) && (i == 0 || !isDigit(text[i-1]))
	case 'F', 'Q':
		return i+3 <= len(text) && (text[i+1] == 'Y' || text[i] == 'Q' && isDigit(text[i+1]))
	}
	return false
}

func periodsNear(text string) []placedPeriod {
	var out []placedPeriod
	for _, m := range periodPattern().FindAllStringSubmatchIndex(text, -1) {
		group := func(i int) string {
			if m[2*i] < 0 {
				return ""
			}
			return text[m[2*i]:m[2*i+1]]
		}
		number := func(i int) int {
			n, _ := strconv.Atoi(strings.TrimPrefix(group(i), "Q")) // digits, or a quarter
			return n
		}
		var p period
		switch {
		case m[2*1] >= 0:
			p = dayPeriod(number(1), number(2), number(3))
		case m[2*6] >= 0:
			if p = dayPeriod(number(6), number(4), number(5)); number(4) > 12 {
				p = dayPeriod(number(6), number(5), number(4))
			}
		case m[2*9] >= 0:
			p = dayPeriod(number(9), number(8), number(7))
		case m[2*10] >= 0:
			p = dayPeriod(number(12), monthNumber[group(10)], number(11))
		case m[2*14] >= 0:
			p = dayPeriod(number(15), monthNumber[group(14)], number(13))
		case m[2*16] >= 0 && m[2*18] >= 0:
			p = dayPeriod(number(16), number(17), number(18))
		case m[2*16] >= 0:
			p = monthsFrom(number(16), number(17), 1)
		case m[2*19] >= 0:
			p = monthsFrom(number(20), monthNumber[group(19)], 1)
		case m[2*22] >= 0:
			p = quarter(century(number(22)), number(21))
			p.fiscal = century(number(22))
		case m[2*24] >= 0:
			p = quarter(century(number(24)), number(23))
		case m[2*25] >= 0:
			q := number(27)
			if han := group(26); han != "" {
				q = 1 + strings.Index("一二三四", han)/len("一")
				if n, err := strconv.Atoi(han); err == nil {
					q = n
				}
			}
			if p = quarter(number(25), q); q == 0 {
				p.fiscal = number(25)
			}
		case m[2*28] >= 0 && number(29) >= 1 && number(29) <= 12:
			p = monthsFrom(number(28), number(29), 1)
		case m[2*30] >= 0:
			p = monthsFrom(number(30), 1, 12)
		default:
			continue
		}
		if p.to > 0 {
			out = append(out, placedPeriod{p, m[0], m[1]})
		}
	}
	return out
}

func century(year int) int {
	if year < 100 {
		return 2000 + year
	}
	return year
}

// dayPeriod returns one day, or the zero period if there is no such day.
func dayPeriod(year, month, date int) period {
	t := time.Date(year, time.Month(month), date, 0, 0, 0, 0, time.UTC)
	if t.Day() != date || int(t.Month()) != month {
		return period{}
	}
	return period{from: dayOf(t), to: dayOf(t)}
}

// monthsFrom returns the period of count months that starts with a month.
func monthsFrom(year, month, count int) period {
	first := time.Date(year, time.Month(month), 1, 0, 0, 0, 0, time.UTC)
	return period{from: dayOf(first), to: dayOf(first.AddDate(0, count, -1))}
}

// quarter returns a quarter, or the year if q is 0.
func quarter(year, q int) period {
	if q == 0 {
		return monthsFrom(year, 1, 12)
	}
	return monthsFrom(year, 3*q-2, 3)
}

func (p period) contains(d day) bool { return d >= p.from && d <= p.to }

// factTime is what is known about a figure's time. Zero days are unknown.
type factTime struct {
	from, to day   // of what it measures
	others   []day // other days in its label and inputs
	recovery []day // when a decline had recovered
	fiscal   int
}

// slackDays is how far the first close of a period may be from its start: a month of monthly closes.
const slackDays = 35

// allows reports whether a claim about p may be about a figure of this time.
func (f factTime) allows(p period) bool {
	if p.month != 0 {
		return f.isIn(p.month)
	}
	years := p.to-p.from > 300
	switch {
	case p.role == roleStart && f.fiscal != 0:
		return true
	case p.fiscal != 0 && f.fiscal != 0:
		return p.fiscal == f.fiscal
	case years && f.fiscal != 0 && (f.to == 0 || !p.contains(f.to)):
		return p.contains(fiscalDay(f.fiscal))
	case f.to == 0:
		return true
	}
	exact := func() bool {
		for _, d := range append(f.others, f.from, f.to) {
			if d != 0 && p.contains(d) {
				return true
			}
		}
		return false
	}
	oneDay := p.from == p.to
	span := f.from != 0 && f.to-f.from > slackDays
	switch {
	case p.role == roleStart:
		latest := max(p.from+10, p.to) // "since May 2017" may start at the close of May 31
		if years {
			latest = p.to - 300
		}
		return !span || f.from >= p.from-slackDays && f.from <= latest || oneDay && exact()
	case p.role == roleEnd:
		return exact() || f.to >= p.from-5 && f.to <= p.to+5
	case oneDay || !span:
		return exact()
	case len(f.others) > 0 && exact():
		return true // it bottomed in 2009
	}
	return p.contains(f.to) && f.from >= p.from-slackDays
}

// isIn reports whether a figure for one day may be for a month of any year.
func (f factTime) isIn(month int) bool {
	if f.to == 0 || f.fiscal != 0 || f.from != 0 {
		return true
	}
	return slices.ContainsFunc(append(f.others, f.to), func(d day) bool { return int(d.date().Month()) == month })
}

// after reports whether a time is later than another one, or unknown.
func (f factTime) after(other factTime) bool {
	if f.fiscal != 0 && other.fiscal != 0 {
		return f.fiscal > other.fiscal
	}
	return f.to > other.to || f.to == 0 || other.to == 0
}

func fiscalDay(year int) day { return dayOf(time.Date(year, 7, 1, 0, 0, 0, 0, time.UTC)) }
