package offline

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// Period is the stretch of time a question asks for, in the words of the tools: a
// range counted back from the last close ("5y", "ytd", "max"), or days.
type Period struct {
	Range    string
	From, To string // YYYY-MM-DD, empty where open
}

// Empty reports whether no time is asked for.
func (s Period) Empty() bool { return s == Period{} }

// Day is the one day that the span is, or "".
func (s Period) Day() string {
	if s.From != s.To {
		return ""
	}
	return s.From
}

// WithEarlierCloses reaches so far back from a day that the last close on or before it is
// among the closes, even of a monthly series.
func (s Period) WithEarlierCloses() Period {
	const reach = 45 // days
	if day, err := time.Parse(time.DateOnly, s.Day()); err == nil {
		s.From = day.AddDate(0, 0, -reach).Format(time.DateOnly)
	}
	return s
}

var (
	betweenMoments = datePattern(`\b‹moment› ?(?:and|to|until|till|through|bis|und|et|à|y|a|hasta|al|-) ?‹moment›`)
	sinceMoment    = datePattern(`\b(?:since|from|starting(?: in)?|beginning(?: in)?|seit|ab|depuis|desde)(?: about| around)? ‹moment›`)
	afterMoment    = datePattern(`\b(?:after|nach|après) ‹moment›`)
	beforeMoment   = datePattern(`\b(?:before|vor|avant|antes de) ‹moment›`)
	untilMoment    = datePattern(`\b(?:until|till|through|up to|to|by|bis|jusqu'en|jusqu'à|hasta) ‹moment›`)
	bareMoment     = datePattern(`(?:^|[^\d.,$€£-])‹moment›(?:$|[^\w.%]|\.(?:$|\D))`)
	openEnd        = lazyregexp.New(`\b(?:since|seit|depuis|desde)\b`)
	lastUnits      = datePattern(`(?:^|[^\w$€£.,^-])(?:(\d{1,4})[ -]?(‹unit›|y|w|d)|(‹numeral›)[ -](‹unit›))\b`)
	unspacedYears  = lazyregexp.New(`(?:过去|最近|近)(\d{1,2})年`)
	unspacedSince  = lazyregexp.New(`((?:19|20)\d{2})年(以来|至今|起)?`)
	lastUnit       = lazyregexp.New(`\b(?:(over|in|during|for|within) the )?(last|past|previous) (year|month|week|quarter|decade)\b`)
	wholeHistory   = lazyregexp.New(`\b(?:all[ -]time|max|maximum|ever|(?:whole|entire|full|complete) (?:history|period|range|series)|since (?:inception|the beginning|the start))\b`)
	unitAgo        = lazyregexp.New(`\ban? (year|month|week|quarter|decade) ago\b`)
	thisUnit       = lazyregexp.New(`\bthis (week|month|quarter)\b`)
	yesterday      = lazyregexp.New(`\b(?:yesterday|gestern|hier|ayer)\b`)
	thisYear       = lazyregexp.New(`\b(?:ytd|year[ -]to[ -]date|this year|dieses jahr|cette année|este año)\b`)
)

// findPeriod reads when a sentence asks about; empty where it does not say. now
// settles what "last year" means.
func findPeriod(low string, now time.Time) Period {
	// Each moment has a year in digits. The patterns for moments take milliseconds to compile.
	hasMoment := strings.ContainsAny(low, digits)
	if hasMoment {
		if s := calendarPeriod(low); !s.Empty() {
			return s
		}
	}
	if s := relativePeriod(low, now); !s.Empty() || !hasMoment {
		return s
	}
	at := bareMoment().FindStringSubmatchIndex(low)
	if at == nil {
		return Period{}
	}
	first, last, ok := parseMoment(low[at[2]:at[3]])
	switch {
	case !ok:
		return Period{}
	case openEnd().MatchString(low[:at[2]]):
		last = time.Time{} // "since the crash of 2008"
	}
	return periodBetween(first, last)
}

// calendarPeriod reads ends that the sentence names.
func calendarPeriod(low string) Period {
	if m := betweenMoments().FindStringSubmatch(low); m != nil {
		first, firstEnd, ok := parseMoment(m[1])
		second, last, ok2 := parseMoment(m[2])
		switch {
		case ok && ok2 && last.Before(first):
			return periodBetween(second, firstEnd)
		case ok && ok2:
			return periodBetween(first, last)
		}
	}
	if m := unspacedSince().FindStringSubmatch(low); m != nil {
		first, last, _ := parseMoment(m[1])
		if m[2] != "" {
			last = time.Time{}
		}
		return periodBetween(first, last)
	}
	var s Period
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

// relativePeriod reads ends that are counted from now or from the last close.
func relativePeriod(low string, now time.Time) Period {
	if m := unspacedYears().FindStringSubmatch(low); m != nil {
		return Period{Range: m[1] + "y"}
	}
	if m := lastUnits().FindStringSubmatch(low); m != nil {
		return countedBack(m[1]+m[3], m[2]+m[4])
	}
	if m := unitAgo().FindStringSubmatch(low); m != nil {
		return countedBack("1", m[1])
	}
	if m := thisUnit().FindStringSubmatch(low); m != nil {
		return Period{From: startOf(m[1], now).Format(time.DateOnly)}
	}
	if m := lastUnit().FindStringSubmatch(low); m != nil {
		if m[1] == "" && m[2] != "past" && m[3] == "year" {
			year := now.Year() - 1
			return Period{From: fmt.Sprintf("%d-01-01", year), To: fmt.Sprintf("%d-12-31", year)}
		}
		return countedBack("1", m[3])
	}
	switch {
	case yesterday().MatchString(low):
		day := now.AddDate(0, 0, -1)
		return periodBetween(day, day)
	case thisYear().MatchString(low):
		return Period{Range: "ytd"}
	case wholeHistory().MatchString(low):
		return Period{Range: "max"}
	}
	return Period{}
}

// startOf is the first day of the week, month or quarter of now.
func startOf(unit string, now time.Time) time.Time {
	const aWeek, aQuarter = 7, 3
	switch unit {
	case "week":
		return now.AddDate(0, 0, -(int(now.Weekday())+aWeek-1)%aWeek) // weeks begin on Monday
	case "quarter":
		return time.Date(now.Year(), now.Month()-(now.Month()-1)%aQuarter, 1, 0, 0, 0, 0, now.Location())
	default:
		return time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, now.Location())
	}
}

// countedBack is n units back, in the tools' spelling.
func countedBack(number, unit string) Period {
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
		return Period{}
	}
	return Period{Range: strconv.Itoa(n) + letter}
}

func periodBetween(first, last time.Time) Period {
	s := Period{From: first.Format(time.DateOnly)}
	if !last.IsZero() {
		s.To = last.Format(time.DateOnly)
	}
	return s
}
