package offline

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// period is a period in the form that tools take: a range up to the last close ("5y", "ytd", "max"), or dates.
type period struct {
	Range    string
	From, To string // YYYY-MM-DD, empty if open
}

// day returns the day of a period of one day, or "".
func (p period) day() string {
	if p.From != p.To {
		return ""
	}
	return p.From
}

// moment is a day, month, quarter, half or year that the text names.
type moment struct {
	start, end  int
	first, last time.Time
}

const (
	monthNames = `(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?`
	aYear      = `((?:19|20)\d{2})`
	aDay       = `(\d{1,2})(?:st|nd|rd|th)?`
	hanNumber  = `(\d{1,4}|[一二两三四五六七八九十]{1,3})`
)

var (
	isoDay        = lazyregexp.New(`\b` + aYear + `[-/.](\d{1,2})[-/.](\d{1,2})\b`)
	chineseDay    = lazyregexp.New(aYear + `年(\d{1,2})月(\d{1,2})[日号]?`)
	monthDayYear  = lazyregexp.New(`\b` + monthNames + ` ` + aDay + `,? ?` + aYear + `\b`)
	dayMonthYear  = lazyregexp.New(`\b` + aDay + `[ -](?:of )?` + monthNames + `[, -] ?` + aYear + `\b`)
	slashDay      = lazyregexp.New(`\b(\d{1,2})[/.](\d{1,2})[/.]` + aYear + `\b`)
	isoMonth      = lazyregexp.New(`\b` + aYear + `-(\d{2})\b`)
	slashMonth    = lazyregexp.New(`\b(0?[1-9]|1[0-2])/` + aYear + `\b`)
	chineseMonth  = lazyregexp.New(aYear + `年(\d{1,2})月`)
	monthYear     = lazyregexp.New(`\b` + monthNames + `,? (?:of )?` + aYear + `\b`)
	quarterYear   = lazyregexp.New(`\b([qh])([1-4])[ /-]?(?:of |in )?` + aYear + `\b`)
	yearQuarter   = lazyregexp.New(`\b` + aYear + `[ /-]?([qh])([1-4])\b`)
	spokenQuarter = lazyregexp.New(`\b(first|1st|second|2nd|third|3rd|fourth|4th|last) (quarter|half) (?:of |in )?` + aYear + `\b`)
	chinesePart   = lazyregexp.New(aYear + `年?第?([一二三四1-4])季度|` + aYear + `年(上|下)半年`)
	monthDay      = lazyregexp.New(`\b` + monthNames + ` ` + aDay + `\b`)
	dayMonth      = lazyregexp.New(`\b` + aDay + ` (?:of )?` + monthNames + `(?:\b|$)`)
	chineseMonDay = lazyregexp.New(`(\d{1,2})月(\d{1,2})[日号]`)
	chineseYear   = lazyregexp.New(aYear + `年`)
	bareYear      = lazyregexp.New(`\b` + aYear + `\b`)
	bareMonth     = lazyregexp.New(`\b(?:in|since|during|last|until|from|to|and|between) (` + monthNames + `)(?:\b|$)`)
	chineseBare   = lazyregexp.New(`(\d{1,2})月份?`)
	sharedMonth   = lazyregexp.New(`\b` + monthNames + `(?: ` + aDay + `)? ?(?:to|-|and|until|through|till) ?$`)
	sharedHan     = lazyregexp.New(`^ ?(?:到|至|-|~) ?(\d{1,2})月(?:(\d{1,2})[日号])?`)
	yearToYear    = lazyregexp.New(`\b` + aYear + ` ?(?:到|至|-|to) ?$`)
	weekday       = lazyregexp.New(`\b(?:on |last )(monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b`)
	edgeBefore    = lazyregexp.New(`(?:the )?(start|beginning|end) of (?:the year )?$`)

	pastCount    = lazyregexp.New(`\b(?:(over|in|for|within|during) )?(?:the )?(last |past |previous |trailing |recent )?(\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|twenty-five|thirty|forty|half an?|an?)[ -]?(trading )?(years?|yrs?|y|months?|mos?|weeks?|wks?|w|days?|d|decades?|quarters?)\b( ago)?`)
	shortPast    = lazyregexp.New(`(?:^|[\s(,])(\d{1,2})m(?:$|[\s),.?!])`)
	pastUnit     = lazyregexp.New(`\b(?:(over|in|during|for|within) the )?(last|past|previous) (year|month|week|quarter|decade|day)\b`)
	chinesePast  = lazyregexp.New(`(过去|過去|最近|近|前|这|這)?` + hanNumber + `个?(半)?(年|个月|月|周|天|日|季度)(来|來|以来|以來|间|間|内|內|期|后|後)?`)
	ofAYear      = lazyregexp.New(`^(?:的)?(?:走势|回报|涨|跌|表现|收益|k线|期|到期|后)`)
	chineseHalf  = lazyregexp.New(`(过去|最近|近)?半年`)
	yearToDate   = lazyregexp.New(`\b(?:ytd|year[ -]to[ -]date|(?:so far )?this year|since (?:january|the (?:start|beginning) of (?:the|this) year)|from the (?:start|beginning) of (?:the|this) year)\b|今年(?:以来|至今)?|年初至今|年初以来`)
	allHistory   = lazyregexp.New(`\b(?:all[ -]time|max(?:imum)? (?:range|history|period)|(?:whole|entire|full|complete) (?:history|period|range|series)|since (?:inception|the beginning|the start|(?:its |the )?ipo)|in history|as far back as possible|(?:all|full|entire) available(?: history)?|max$|everything you have|since forever|ever)\b|历史上|有史以来|上市以来|成立以来`)
	lastYearHan  = lazyregexp.New(`去年|前年|上个?月|上周|本月|这个月|本周|上个?季度|本季度|这个季度`)
	someDay      = lazyregexp.New(`\b(?:yesterday|today)\b|昨天|今天|前天`)
	thisUnit     = lazyregexp.New(`\b(?:this (week|month|quarter))\b`)
	grewFrom     = lazyregexp.New(`\b(?:invest(?:ed|ing)?|put|bought|buying)\b.*\b(?:in|since) (?:[a-z]+ )?(?:19|20)\d{2}\b|\bworth (?:now|today)\b|(?:买|投资|投).*(?:现在|如今|今天)`)
	connector    = lazyregexp.New(`^ ?,? ?(?:to|and|until|till|through|thru|-|~|到|至|和|与) ?$`)
	fromBefore   = lazyregexp.New(`\b(?:from|between) (?:the )?$|(?:从|自|在) ?$`)
	sinceBefore  = lazyregexp.New(`\b(?:since|from|starting(?: in)?|beginning(?: in)?)(?: about| around)? (?:the )?$|(?:从|自) ?$`)
	afterBefore  = lazyregexp.New(`\bafter (?:the )?$`)
	beforeBefore = lazyregexp.New(`\bbefore (?:the )?$`)
	untilBefore  = lazyregexp.New(`\b(?:until|till|through|up to|to|by) (?:the )?$|(?:截至|截止|到) ?$`)
	duringBefore = lazyregexp.New(`\b(?:in|on|during|for|of|at|as of|over)(?: year| the year| fiscal| fy)? $|(?:在|于) ?$`)
	sinceBehind  = lazyregexp.New(`^(?:以来|以來|至今|起|开始|到现在|到今天)|^ (?:onwards?|to (?:today|now|date|present)|until (?:today|now))`)
	beforeBehind = lazyregexp.New(`^(?:之前|以前)`)
	notYearAfter = lazyregexp.New(`^ ?(?:shares?|units?|dollars?|usd|eur|euros?|gbp|pounds?|yuan|rmb|bucks|k\b|%|a (?:month|year|week)|per |each |every |股|元|块|美元|欧元|万|亿|days?|day|on (?:19|20)\d{2}-)`)
	moneyHan     = lazyregexp.New(`(?:投|存|花|付|还|价|每月|每年|取|攒|入金|本金|金额|损|跌破|涨到|跌到)$`)
	yearAfter    = lazyregexp.New(`^[ ?.!,]*$|^,? (?:performance|returns?|results|earnings|revenues?|profits?|income|sales|eps|dividends?|prices?|chart|high|low|crash|drawdown|inflation|volatility|vs|versus|compared|annual|total|gains?|loss|losses|10-?k|report)\b`)
	decade       = lazyregexp.New(`\b(?:(?:in|during|over|of) )?(?:the )?((?:19|20)?[0-9]0)'?s\b|(?:上世纪)?([5-9]0)年代`)
	yearBefore   = lazyregexp.New(`(?:^|\b(?:finish|finished|end|ended|start|started|full|calendar|the|was|is|in|since|from|to|until|till|between|and|of|year|by|before|after|during|for|fy|through|-|vs|tax|on|as of))[ ,-]*$|[,\p{Han})]\s*$`)
)

const digits = "0123456789"

// findPeriods finds days, periods and durations.
func (q *question) findPeriods() {
	var moments []moment
	if strings.ContainsAny(q.low, digits) || weekday().MatchString(q.low) || bareMonth().MatchString(q.low) {
		moments = q.moments()
	}
	q.addMoments(moments)
	q.findRelative()
}

// moments finds named days, months, quarters and years, in the order of the text.
func (q *question) moments() []moment {
	var out []moment
	taken := make([]bool, len(q.low))
	put := func(start, end int, first, last time.Time) bool {
		if first.IsZero() || slices.Contains(taken[start:end], true) {
			return false
		}
		for i := start; i < end; i++ {
			taken[i] = true
		}
		out = append(out, q.withEdge(moment{start, end, first, last}))
		return true
	}
	each := func(pattern func() *regexp.Regexp, read func(m []string, at []int)) {
		for _, at := range pattern().FindAllStringSubmatchIndex(q.low, -1) {
			if len(out) >= maxSlots || !q.free(at[0], at[1]) || slices.Contains(taken[at[0]:at[1]], true) {
				continue
			}
			read(groups(q.low, at), at)
		}
	}
	day := func(at []int, year, month, day string) {
		d := date(atoi(year), atoi(month), atoi(day))
		if d.IsZero() {
			q.noDay = q.text[at[0]:at[1]]
			q.mark(at[0], at[1])
		}
		put(at[0], at[1], d, d)
	}
	each(isoDay, func(m []string, at []int) { day(at, m[1], m[2], m[3]) })
	each(chineseDay, func(m []string, at []int) { day(at, m[1], m[2], m[3]) })
	each(monthDayYear, func(m []string, at []int) { day(at, m[3], monthOf(m[1]), m[2]) })
	each(dayMonthYear, func(m []string, at []int) { day(at, m[3], monthOf(m[2]), m[1]) })
	each(slashDay, func(m []string, at []int) {
		switch a, b := atoi(m[1]), atoi(m[2]); {
		case a > 12:
			day(at, m[3], m[2], m[1])
		case b > 12 || a == b:
			day(at, m[3], m[1], m[2])
		default:
			q.unclear = q.text[at[0]:at[1]]
			q.mark(at[0], at[1])
		}
	})
	month := func(at []int, year, month int) bool {
		first := date(year, month, 1)
		return put(at[0], at[1], first, first.AddDate(0, 1, -1))
	}
	each(isoMonth, func(m []string, at []int) { month(at, atoi(m[1]), atoi(m[2])) })
	each(slashMonth, func(m []string, at []int) { month(at, atoi(m[2]), atoi(m[1])) })
	each(quarterYear, func(m []string, at []int) { first, last := part(m[3], m[1], m[2]); put(at[0], at[1], first, last) })
	each(yearQuarter, func(m []string, at []int) { first, last := part(m[1], m[2], m[3]); put(at[0], at[1], first, last) })
	each(spokenQuarter, func(m []string, at []int) {
		n := map[string]string{"first": "1", "1st": "1", "second": "2", "2nd": "2", "third": "3", "3rd": "3", "fourth": "4", "4th": "4", "last": "4"}[m[1]]
		first, last := part(m[3], m[2][:1], n)
		put(at[0], at[1], first, last)
	})
	each(chinesePart, func(m []string, at []int) {
		year, unit, n := m[1], "q", strconv.Itoa(hanInt(m[2]))
		if m[3] != "" {
			year, unit, n = m[3], "h", map[string]string{"上": "1", "下": "2"}[m[4]]
		}
		first, last := part(year, unit, n)
		put(at[0], at[1], first, last)
	})
	each(monthYear, func(m []string, at []int) {
		if !month(at, atoi(m[2]), atoi(monthOf(m[1]))) {
			return
		}
		// In "march to june 2021" both months are in 2021.
		if before := sharedMonth().FindStringSubmatchIndex(q.low[:at[0]]); before != nil {
			g := groups(q.low, before)
			year := atoi(m[2])
			if first, second := atoi(monthOf(g[1])), atoi(monthOf(m[1])); first > second {
				year--
			}
			end := before[3]
			if g[2] != "" {
				day([]int{before[0], before[5]}, strconv.Itoa(year), monthOf(g[1]), g[2])
				return
			}
			month([]int{before[0], end}, year, atoi(monthOf(g[1])))
		}
	})
	each(chineseMonth, func(m []string, at []int) {
		month(at, atoi(m[1]), atoi(m[2]))
		if behind := sharedHan().FindStringSubmatchIndex(q.low[at[1]:]); behind != nil {
			g := groups(q.low[at[1]:], behind)
			span := []int{at[1] + behind[2], at[1] + behind[1]}
			if g[2] != "" {
				day(span, m[1], g[1], g[2])
			} else {
				month(span, atoi(m[1]), atoi(g[1]))
			}
		}
	})
	recent := func(at []int, month, day string) {
		d := date(q.now.Year(), atoi(month), atoi(day))
		if d.After(q.now) {
			d = date(q.now.Year()-1, atoi(month), atoi(day))
		}
		put(at[0], at[1], d, d)
	}
	each(monthDay, func(m []string, at []int) { recent(at, monthOf(m[1]), m[2]) })
	each(dayMonth, func(m []string, at []int) { recent(at, monthOf(m[2]), m[1]) })
	each(chineseMonDay, func(m []string, at []int) { recent(at, m[1], m[2]) })
	const near = 40 // number of bytes before a number that may describe it
	year := func(at []int, text string) {
		put(at[0], at[1], date(atoi(text), 1, 1), date(atoi(text), 12, 31))
		start := max(0, at[0]-near)
		if before := yearToYear().FindStringSubmatchIndex(q.low[start:at[0]]); before != nil {
			from, to := start+before[2], start+before[3]
			first := atoi(q.low[from:to])
			put(from, to, date(first, 1, 1), date(first, 12, 31))
		}
	}
	each(decade, func(m []string, at []int) {
		first := atoi(m[1] + m[2])
		if first < 1900 {
			first += 1900
		}
		put(at[0], at[1], date(first, 1, 1), date(first+9, 12, 31))
	})
	each(chineseYear, func(m []string, at []int) { year(at, m[1]) })
	each(bareYear, func(m []string, at []int) {
		before, after := q.low[max(0, at[0]-near):at[0]], q.low[at[1]:]
		if strings.HasSuffix(before, "$") || strings.HasSuffix(before, "€") || strings.HasSuffix(before, ".") || strings.HasPrefix(after, ",") && len(after) > 1 && strings.ContainsRune(digits, rune(after[1])) ||
			notYearAfter().MatchString(after) || moneyHan().MatchString(before) || !yearBefore().MatchString(before) && (q.namesMoney(before) || !yearAfter().MatchString(after)) {
			return
		}
		year(at, m[1])
	})
	recentMonth := func(start, end, n int) {
		d := date(q.now.Year(), n, 1)
		if d.After(q.now) {
			d = d.AddDate(-1, 0, 0)
		}
		put(start, end, d, d.AddDate(0, 1, -1))
	}
	each(bareMonth, func(m []string, at []int) { recentMonth(at[2], at[3], atoi(monthOf(m[2]))) })
	each(chineseBare, func(m []string, at []int) {
		if n := atoi(m[1]); n >= 1 && n <= 12 && !strings.HasSuffix(q.low[:at[0]], "个") {
			recentMonth(at[0], at[1], n)
		}
	})
	each(weekday, func(m []string, at []int) {
		d := date(q.now.Year(), int(q.now.Month()), q.now.Day())
		for range 7 {
			d = d.AddDate(0, 0, -1)
			if strings.EqualFold(d.Weekday().String(), m[1]) {
				put(at[2], at[3], d, d)
			}
		}
	})
	slices.SortFunc(out, func(a, b moment) int { return a.start - b.start })
	return out
}

var moneyWords = "at|price|for|pay|paid|costs?|worth|goal|strike|spot|stop|risk|capital|balance|above|below|saved|have|invest|save|spend|need|want"

// namesMoney reports whether the text before a four-digit number marks it as an amount.
func (q *question) namesMoney(before string) bool {
	words := strings.Fields(before)
	return len(words) > 0 && slices.Contains(strings.Split(moneyWords, "|"), words[len(words)-1]) || moneyHan().MatchString(before)
}

// withEdge narrows a period to its first or last day if the text says so.
func (q *question) withEdge(m moment) moment {
	if at := edgeBefore().FindStringSubmatchIndex(q.low[:m.start]); at != nil {
		if q.low[at[2]:at[3]] == "end" {
			m.first = m.last
		} else {
			m.last = m.first
		}
		m.start = at[0]
	}
	for _, suffix := range []string{"年底", "年末", "底", "末", "年初", "初"} {
		if strings.HasPrefix(q.low[m.end:], suffix) {
			if m.end += len(suffix); strings.HasSuffix(suffix, "初") {
				m.last = m.first
			} else {
				m.first = m.last
			}
			break
		}
	}
	return m
}

// addMoments turns moments into periods, depending on the words around them.
func (q *question) addMoments(moments []moment) {
	for i := 0; i < len(moments); i++ {
		m := moments[i]
		before := q.low[:m.start]
		if i+1 < len(moments) {
			next := moments[i+1]
			between := q.low[m.end:next.start]
			joined := connector().MatchString(between) && (!strings.Contains(between, "and") && !strings.ContainsAny(between, "和与") || fromBefore().MatchString(before))
			if joined {
				first, last := m, next
				if last.last.Before(first.first) {
					first, last = next, m
				}
				q.addPeriod(m.start-suffixLen(fromBefore, before), next.end, first.first, last.last)
				i++
				continue
			}
		}
		end := m.end
		if at := sinceBehind().FindStringIndex(q.low[end:]); at != nil {
			q.addPeriod(m.start-suffixLen(sinceBefore, before), end+at[1], m.first, time.Time{})
			continue
		}
		if at := beforeBehind().FindStringIndex(q.low[end:]); at != nil {
			q.addPeriod(m.start, end+at[1], time.Time{}, m.first.AddDate(0, 0, -1))
			continue
		}
		switch {
		case sinceBefore().MatchString(before):
			q.addPeriod(m.start-suffixLen(sinceBefore, before), end, m.first, time.Time{})
		case afterBefore().MatchString(before):
			q.addPeriod(m.start-suffixLen(afterBefore, before), end, m.last.AddDate(0, 0, 1), time.Time{})
		case beforeBefore().MatchString(before):
			q.addPeriod(m.start-suffixLen(beforeBefore, before), end, time.Time{}, m.first.AddDate(0, 0, -1))
		case untilBefore().MatchString(before):
			q.addPeriod(m.start-suffixLen(untilBefore, before), end, time.Time{}, m.last)
		case !m.first.Equal(m.last) && grewFrom().MatchString(q.low):
			q.addPeriod(m.start-suffixLen(duringBefore, before), end, m.first, time.Time{})
		default:
			q.addPeriod(m.start-suffixLen(duringBefore, before), end, m.first, m.last)
		}
	}
}

func suffixLen(pattern func() *regexp.Regexp, text string) int {
	at := pattern().FindStringIndex(text)
	if at == nil {
		return 0
	}
	return len(text) - at[0]
}

func (q *question) addPeriod(start, end int, first, last time.Time) {
	var p period
	if !first.IsZero() {
		p.From = first.Format(time.DateOnly)
	}
	if !last.IsZero() {
		p.To = last.Format(time.DateOnly)
	}
	q.add(slot{kind: periodSlot, start: start, end: end, period: p})
}

// findRelative finds times relative to now, and durations.
func (q *question) findRelative() {
	each := func(pattern func() *regexp.Regexp, read func(m []string, at []int)) {
		for _, at := range pattern().FindAllStringSubmatchIndex(q.low, -1) {
			if q.free(at[0], at[1]) {
				read(groups(q.low, at), at)
			}
		}
	}
	now := date(q.now.Year(), int(q.now.Month()), q.now.Day())
	calendar := func(at []int, first, last time.Time) { q.addPeriod(at[0], at[1], first, last) }
	each(yearToDate, func(_ []string, at []int) {
		q.add(slot{kind: periodSlot, start: at[0], end: at[1], period: period{Range: "ytd"}})
	})
	each(allHistory, func(_ []string, at []int) {
		q.add(slot{kind: periodSlot, start: at[0], end: at[1], period: period{Range: "max"}})
	})
	each(lastYearHan, func(m []string, at []int) {
		unit, current := hanUnit[m[0]], strings.HasPrefix(m[0], "本") || strings.HasPrefix(m[0], "这")
		switch {
		case m[0] == "前年":
			calendar(at, date(now.Year()-2, 1, 1), date(now.Year()-2, 12, 31))
		case current:
			calendar(at, firstDay(now, unit), time.Time{})
		default:
			first, last := lastUnit(now, unit)
			calendar(at, first, last)
		}
	})
	each(thisUnit, func(m []string, at []int) {
		calendar(at, firstDay(now, m[1]), time.Time{})
	})
	each(pastUnit, func(m []string, at []int) {
		if m[1] == "" && m[2] == "last" || m[2] == "previous" {
			if first, last := lastUnit(now, m[3]); !first.IsZero() {
				if edge := edgeBefore().FindStringSubmatchIndex(q.low[:at[0]]); edge != nil {
					if at = []int{edge[0], at[1]}; q.low[edge[2]:edge[3]] == "end" {
						first = last
					} else {
						last = first
					}
				}
				calendar(at, first, last)
				return
			}
		}
		q.addDuration(at, 1, m[3], true)
	})
	each(pastCount, func(m []string, at []int) {
		if strings.HasPrefix(m[3], "a") && m[2] == "" && m[6] == "" {
			return // "a month" is a frequency
		}
		n := spokenNumbers[m[3]]
		switch {
		case strings.HasPrefix(m[3], "half"):
			q.addHalf(at, m[5], m[2] != "" || m[1] == "over")
			return
		case strings.HasPrefix(m[3], "a"):
			n = 1
		case n == 0:
			n = atoi(m[3])
		}
		if strings.HasPrefix(m[5], "day") && strings.HasPrefix(strings.TrimSpace(q.low[at[1]:]), "moving") || strings.HasPrefix(strings.TrimSpace(q.low[at[1]:]), "treasury") {
			return // a name: the 200 day moving average, the 10 year treasury
		}
		if m[6] != "" {
			q.addAgo(at, n, m[5], now)
			return
		}
		q.addDuration(at, n, m[5], m[2] != "" || m[1] == "over")
	})
	each(shortPast, func(m []string, at []int) {
		number, _ := parseAmount(m[1])
		q.add(slot{kind: numberSlot, start: at[2], end: at[3] + 1, number: number.Shift(6), short: m[1] + "m"})
	})
	each(chineseHalf, func(m []string, at []int) {
		q.add(slot{kind: durationSlot, start: at[0], end: at[1], number: whole(6), unit: 'm', past: m[1] != ""})
	})
	each(chinesePast, func(m []string, at []int) {
		if m[1] == "" && (m[2] == "一") && (m[4] == "年" || m[4] == "月") && m[5] == "" && !ofAYear().MatchString(q.low[at[1]:]) {
			return // 一年 says how often
		}
		units := map[string]string{"年": "year", "个月": "month", "月": "month", "周": "week", "天": "day", "日": "day", "季度": "quarter"}
		if m[4] == "月" && !strings.Contains(m[0], "个") || strings.HasPrefix(q.low[at[1]:], "均线") || strings.HasPrefix(q.low[at[1]:], "线") || strings.HasPrefix(q.low[at[1]:], "国债") || strings.HasPrefix(q.low[at[1]:], "美债") {
			return
		}
		past := slices.Contains([]string{"过去", "過去", "最近", "近", "这", "這"}, m[1]) || strings.HasSuffix(m[5], "来") || strings.HasSuffix(m[5], "來")
		q.addDuration(at, hanInt(m[2]), units[m[4]], past)
	})
	each(someDay, func(m []string, at []int) {
		switch m[0] {
		case "yesterday", "昨天":
			calendar(at, now.AddDate(0, 0, -1), now.AddDate(0, 0, -1))
		case "前天":
			calendar(at, now.AddDate(0, 0, -2), now.AddDate(0, 0, -2))
		default:
			q.add(slot{kind: periodSlot, start: at[0], end: at[1], period: period{Range: "today"}})
		}
	})
}

// hanUnit maps the words of lastYearHan to units.
var hanUnit = map[string]string{"去年": "year", "上月": "month", "上个月": "month", "本月": "month", "这个月": "month", "上周": "week", "本周": "week", "上季度": "quarter", "上个季度": "quarter", "本季度": "quarter", "这个季度": "quarter"}

// firstDay returns the day on which the week, month, quarter or year of a day begins.
func firstDay(day time.Time, unit string) time.Time {
	switch unit {
	case "week":
		return day.AddDate(0, 0, -(int(day.Weekday())+6)%7)
	case "month":
		return date(day.Year(), int(day.Month()), 1)
	case "quarter":
		return date(day.Year(), (int(day.Month())-1)/3*3+1, 1)
	case "year":
		return date(day.Year(), 1, 1)
	default:
		return time.Time{}
	}
}

// lastUnit returns the calendar week, month, quarter or year before that of a day, or zero.
func lastUnit(day time.Time, unit string) (first, last time.Time) {
	next := firstDay(day, unit)
	if next.IsZero() {
		return next, next
	}
	last = next.AddDate(0, 0, -1)
	return firstDay(last, unit), last
}

func (q *question) addDuration(at []int, n int, unit string, past bool) {
	if n <= 0 {
		return
	}
	letter := unit[0]
	switch {
	case strings.HasPrefix(unit, "decade"):
		n, letter = 10*n, 'y'
	case strings.HasPrefix(unit, "quarter"):
		n, letter = 3*n, 'm'
	}
	q.add(slot{kind: durationSlot, start: at[0], end: at[1], number: whole(n), unit: letter, past: past})
}

// addAgo adds the day n units ago, or the period since then.
func (q *question) addAgo(at []int, n int, unit string, now time.Time) {
	first := slot{number: whole(n), unit: unit[0]}.before(now)
	last := first
	if sinceBefore().MatchString(q.low[:at[0]]) || len(cues(q.low, "invest*|put|bought")) > 0 && len(cues(q.low, "if|would|worth")) > 0 {
		last = time.Time{}
	}
	q.addPeriod(at[0], at[1], first, last)
}

// before returns the first day of a duration that ends on a day.
func (s slot) before(day time.Time) time.Time {
	n := int(min(s.number.IntPart(), 2000))
	switch s.unit {
	case 'y':
		return day.AddDate(-n, 0, 0)
	case 'm':
		return day.AddDate(0, -n, 0)
	case 'w':
		return day.AddDate(0, 0, -7*n)
	default:
		return day.AddDate(0, 0, -n)
	}
}

func (q *question) addHalf(at []int, unit string, past bool) {
	if strings.HasPrefix(unit, "year") {
		q.addDuration(at, 6, "month", past)
	}
}

// asRange returns a duration as the range of a tool.
func (s slot) asRange() string {
	if s.short != "" {
		return s.short
	}
	return s.number.String() + string(s.unit)
}

// years returns a duration in years.
func (s slot) years() amount {
	switch s.unit {
	case 'm':
		return s.number.DivRound(whole(12), 8)
	case 'w':
		return s.number.DivRound(whole(52), 8)
	case 'd':
		return s.number.DivRound(whole(365), 8)
	default:
		return s.number
	}
}

var spokenNumbers = map[string]int{
	"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"twelve": 12, "fifteen": 15, "twenty": 20, "twenty-five": 25, "thirty": 30, "forty": 40, "fifty": 50,
}

func monthOf(name string) string {
	for m := time.January; m <= time.December; m++ {
		if strings.HasPrefix(name, strings.ToLower(m.String()[:3])) {
			return strconv.Itoa(int(m))
		}
	}
	return ""
}

// part returns a quarter or a half of a year.
func part(year, unit, n string) (first, last time.Time) {
	length := 3
	if unit == "h" {
		length = 6
	}
	if atoi(n)*length > 12 || atoi(n) < 1 {
		return first, last
	}
	first = date(atoi(year), (atoi(n)-1)*length+1, 1)
	return first, first.AddDate(0, length, -1)
}

// date returns a day; zero means unknown.
func date(year, month, day int) time.Time {
	d := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	if month < 1 || month > 12 || d.Day() != day || year < 1900 {
		return time.Time{}
	}
	return d
}

func atoi(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return n
}

// hanInt reads a small number in digits or Chinese characters.
func hanInt(text string) int {
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	v, ok := parseHan(text)
	if !ok {
		return 0
	}
	return atoi(v.String())
}

// groups returns the groups of a match; unmatched groups are "".
func groups(text string, at []int) []string {
	out := make([]string, len(at)/2)
	for i := range out {
		if at[2*i] >= 0 {
			out[i] = text[at[2*i]:at[2*i+1]]
		}
	}
	return out
}
