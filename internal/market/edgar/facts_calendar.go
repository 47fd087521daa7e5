package edgar

import (
	"cmp"
	"math"
	"slices"
	"strconv"
)

const daysPerYear = 365.25

// fiscalCalendar holds a company's fiscal years as named by its annual reports. Quarterly reports
// are not used: early ones often name another year.
type fiscalCalendar struct {
	ends []fiscalEnd // oldest first
	// quarters are the labels from quarterly reports, for a company without an annual report.
	quarters map[day]fiscalLabel
}

type fiscalEnd struct {
	end  day
	year int
}

type fiscalLabel struct {
	year   int
	period string
}

func newFiscalCalendar(covers map[*factFiling]day) fiscalCalendar {
	first := make(map[day]*factFiling)
	c := fiscalCalendar{quarters: make(map[day]fiscalLabel)}
	for f, end := range covers {
		if f.year < 1990 || f.year > 2200 {
			continue
		}
		if !f.annual() {
			if len(f.period) == 2 && f.period[0] == 'Q' {
				c.quarters[end] = fiscalLabel{f.year, f.period}
			}
			continue
		}
		if known := first[end]; known == nil || cmp.Or(cmp.Compare(f.filed, known.filed), cmp.Compare(f.accession, known.accession)) < 0 {
			first[end] = f
		}
	}
	for end, f := range first {
		c.ends = append(c.ends, fiscalEnd{end, f.year})
	}
	slices.SortFunc(c.ends, func(a, b fiscalEnd) int { return cmp.Compare(a.end, b.end) })
	c.ends = withoutMislabeled(c.ends)
	return c
}

// withoutMislabeled drops labels that are out of step with most others ending at the same time of the year,
// such as that of a report tagged with the previous year. A moved fiscal year starts a new sequence.
func withoutMislabeled(all []fiscalEnd) []fiscalEnd {
	type season struct {
		first fiscalEnd
		count map[int]int // of labels by how many years they are out of step with the first
		size  int
	}
	var seasons []*season
	seasonOf := make([]*season, len(all))
	steps := make([]int, len(all))
	for i, e := range all {
		at := slices.IndexFunc(seasons, func(s *season) bool { return sameSeason(s.first.end, e.end) })
		if at < 0 {
			at = len(seasons)
			seasons = append(seasons, &season{first: e, count: make(map[int]int)})
		}
		seasonOf[i] = seasons[at]
		steps[i] = e.year - seasonOf[i].first.year - yearsBetween(seasonOf[i].first.end, e.end)
		seasonOf[i].count[steps[i]]++
		seasonOf[i].size++
	}
	var out []fiscalEnd
	for i, e := range all {
		most := 0
		for _, n := range seasonOf[i].count {
			most = max(most, n)
		}
		if 2*most <= seasonOf[i].size || seasonOf[i].count[steps[i]] == most {
			out = append(out, e)
		}
	}
	return out
}

// sameSeason reports whether two days are at most six weeks apart in the calendar, ignoring the year.
func sameSeason(a, b day) bool {
	years := float64(b-a) / daysPerYear
	return math.Abs(years-math.Round(years))*daysPerYear <= 42
}

func yearsBetween(a, b day) int { return int(math.Round(float64(b-a) / daysPerYear)) }

// year returns the label of the fiscal year that ends on a day. If the report of the year has no
// tags or is not filed yet, the label is counted from the nearest labeled year.
func (c fiscalCalendar) year(end day) (int, bool) {
	if len(c.ends) == 0 {
		return 0, false
	}
	nearest := slices.MinFunc(c.ends, func(a, b fiscalEnd) int {
		return cmp.Compare(max(a.end-end, end-a.end), max(b.end-end, end-b.end))
	})
	return nearest.year + yearsBetween(nearest.end, end), true
}

// maxClosingGap is the maximum number of days between the end of a fiscal year and of its last
// quarter.
const maxClosingGap = 10

// transitionPeriod labels quarters between two fiscal years, after the end of the fiscal year has
// moved.
const transitionPeriod = "transition"

// quarter returns the label of the quarter that ends on a day.
func (c fiscalCalendar) quarter(end day) (fiscalLabel, bool) {
	if len(c.ends) == 0 {
		label, ok := c.quarters[end]
		return label, ok
	}
	i, _ := slices.BinarySearchFunc(c.ends, end-maxClosingGap, func(e fiscalEnd, d day) int { return cmp.Compare(e.end, d) })
	i = min(i, len(c.ends)-1)
	yearEnd := float64(c.ends[i].end)
	// Years missing from the list are assumed to have the usual length.
	missing := math.Floor((yearEnd - float64(end) + maxClosingGap) / daysPerYear)
	yearEnd -= missing * daysPerYear
	if previous := i - 1; missing > 0 && previous >= 0 && yearEnd-float64(c.ends[previous].end) < daysPerYear-2*maxClosingGap {
		return fiscalLabel{end.date().Year(), transitionPeriod}, true
	}
	number := 4 - int(math.Round((yearEnd-float64(end))/(daysPerYear/4)))
	if number < 1 || number > 4 {
		return fiscalLabel{}, false
	}
	named, ok := c.year(day(math.Round(yearEnd)))
	return fiscalLabel{named, "Q" + strconv.Itoa(number)}, ok
}
