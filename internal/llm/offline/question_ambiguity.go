package offline

import (
	"regexp"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

var dayAmongNumbers = lazyregexp.New(`\b\d{1,2}[/.]\d{1,2}[/.](?:\d{4}|\d{2})\b|\b\d{1,2}-\d{1,2}-\d{4}\b`)

var (
	anyMoment = datePattern(`(?:^|[^\d.,$€£-])‹moment›`)
	noYear    = lazyregexp.New(`^\.\d|^%`) // what shows, behind it, that a number is no year

	// roughWord matches times that are in none of the supported forms.
	roughWord   = lazyregexp.New(`\b(?:early|late|mid|middle|mitte|spring|summer|autumn|winter|fall)\b`)
	roughMoment = datePattern(`\b(?:early|late|mid|middle of|mitte|spring|summer|autumn|winter|in (?:the )?fall)(?: of| in| the)*[ -]‹moment›`)
	roughUnits  = datePattern(`\b(?:\d+[.,]\d+|(?:a )?(?:couple|few)(?: of)?|several|half an?|\d+ (?:trading|business|working))[ -](?:‹unit›)\b`)
	decadeName  = lazyregexp.New(`\b(?:(?:18|19|20)?\d0'?s|(?:twen|thir|for|fif|six|seven|eigh|nine)ties)\b|(?:^|\s)'\d{2}\b`)
	splitYear   = lazyregexp.New(`\b(?:19|20)\d{2}/\d{1,2}\b`)
	farYear     = lazyregexp.New(`\b(?:since|before|after|until|seit|depuis|desde) 1[5-8]\d{2}\b`)
	weekday     = lazyregexp.New(`\b(?:on|last|since|until|this|next|past) (?:mon|tues|wednes|thurs|fri|satur|sun)days?\b`)
	yearless    = datePattern(`\b(?:in|since|on|until|till|from|during|before|after|between|through|last|seit|im|en|depuis|desde) (?:the )?(?:\d{1,2}(?:st|nd|rd|th|\.)? (?:of )?)?‹month›\b`)
	someAgo     = datePattern(`\b\S+ (?:‹unit›|quarters?) ago\b`)
	outside     = lazyregexp.New(`\b(?:after|nach|après|before|vor|avant|antes de) $`)
	oneEnd      = lazyregexp.New(`\b(?:before|after|until|till|vor|nach|bis|avant|après)\b`)
)

// findUnclearDate finds a date such as 9/11/2001, whose month only its writer knows.
func findUnclearDate(low string) string { return dayAmongNumbers().FindString(low) }

// findVagueTime finds a time in a sentence that its span does not tell: one that is in
// no calendar, one beside another, or one whose days only the writer knows.
func findVagueTime(low string, sp Period) string {
	shapes := []func() *regexp.Regexp{roughUnits, decadeName, splitYear, farYear, weekday}
	if roughWord().MatchString(low) {
		shapes = append(shapes, roughMoment)
	}
	for _, shape := range shapes {
		if found := shape().FindString(low); found != "" {
			return found
		}
	}
	if found := uncoveredMoment(low, sp); found != "" {
		return found
	}
	if sp.Range == "" && strings.Contains(low, " ago") {
		return someAgo().FindString(low)
	}
	return ""
}

// uncoveredMoment is the first moment of a sentence that is in no calendar or in no end of its
// span, or else a month without a year.
func uncoveredMoment(low string, sp Period) string {
	rest := low
	var moments [][]int
	if strings.ContainsAny(low, digits) {
		moments = anyMoment().FindAllStringSubmatchIndex(low, -1)
	}
	for _, at := range moments {
		text := low[at[2]:at[3]]
		if noYear().MatchString(low[at[3]:]) {
			continue
		}
		first, last, ok := parseMoment(text)
		before := low[:at[2]]
		used := sp.endsWith(first, last)
		if outside().MatchString(before) {
			used = sp.From == day(last.AddDate(0, 0, 1)) || sp.To == day(first.AddDate(0, 0, -1))
		} else if sp == periodBetween(first, last) {
			used = !oneEnd().MatchString(before)
		}
		if !ok || !used {
			return text
		}
		rest = rest[:at[2]] + strings.Repeat(" ", len(text)) + rest[at[3]:]
	}
	if !namesMonth(rest) {
		return ""
	}
	return yearless().FindString(rest)
}

// endsWith reports whether a moment is an end of the span.
func (s Period) endsWith(first, last time.Time) bool {
	return s.From == day(first) || s.From == day(last) || s.To == day(last) || s.To == day(first)
}

func day(t time.Time) string { return t.Format(time.DateOnly) }
