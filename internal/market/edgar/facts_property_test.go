package edgar_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/edgar"
)

// companyShape describes how a made-up company files, modeled on a documented one.
type companyShape struct {
	name string
	// yearEnd returns the last day of a fiscal year.
	yearEnd func(year int) time.Time
	weeks   bool // quarters of 13 weeks, the last one of 14 in a year of 53

	taxonomy    string // "" is us-gaap
	currency    string // "" is USD
	annual      string // form of the year, "" is 10-K
	interim     string // form of the quarters, "" is 10-Q
	cumulative  bool   // cash flows only from the start of the year
	fourth      bool   // the annual report has the fourth quarter
	rounded     bool   // comparatives are in millions
	newTag      int    // year from which revenue has another tag
	switchedIn  int    // quarter of newTag in which the tag changes
	restated    int    // year that the next year's reports restate, all in the same way
	yearOnly    int    // year that only the next annual report restates
	lateQuarter int    // year whose second quarter is never reported
	proxies     bool   // proxy statements repeat years, as since pay-versus-performance tagging
	note        bool   // a note has the quarter's stock compensation in millions
	halfYears   bool   // reports only half years and years
	moved       int    // first year of a fiscal year that ends three months later, after a report of three months
	split       int    // year in which shares are split four for one, after its second quarter
	template    market.Template
	amended     int    // year that a 10-K/A two months later corrects, and no later report repeats
	translated  string // currency in which the annual report gives its newest year once more
	twice       bool   // each report tags each figure twice
	yearlyCash  bool   // cash flows are only in annual reports
}

func monthEnd(m time.Month) func(int) time.Time {
	return func(year int) time.Time { return time.Date(year, m+1, 0, 0, 0, 0, 0, time.UTC) }
}

// lastWeekday returns a function that returns the last such weekday of a month.
func lastWeekday(m time.Month, w time.Weekday) func(int) time.Time {
	return func(year int) time.Time {
		d := time.Date(year, m+1, 0, 0, 0, 0, 0, time.UTC)
		return d.AddDate(0, 0, -int(d.Weekday()-w+7)%7)
	}
}

// nearest returns the weekday nearest to the end of January of the next year.
func nearestToJanuary(w time.Weekday) func(int) time.Time {
	return func(year int) time.Time {
		d := time.Date(year+1, time.January, 31, 0, 0, 0, 0, time.UTC)
		ahead := (int(w-d.Weekday()) + 7) % 7
		if ahead > 3 {
			ahead -= 7
		}
		return d.AddDate(0, 0, ahead)
	}
}

func companyShapes() []companyShape {
	december := monthEnd(time.December)
	return []companyShape{
		{name: "calendar years, as most 10-K filers", yearEnd: december},
		{name: "last Saturday of September, as Apple", yearEnd: lastWeekday(time.September, time.Saturday), weeks: true, cumulative: true},
		{name: "last Sunday of January, as NVIDIA", yearEnd: func(y int) time.Time { return lastWeekday(time.January, time.Sunday)(y + 1) }, weeks: true, cumulative: true, proxies: true},
		{name: "Saturday nearest to January 31, as retailers", yearEnd: nearestToJanuary(time.Saturday), weeks: true, fourth: true},
		{name: "June, cash flows from the start of the year, as Microsoft", yearEnd: monthEnd(time.June), cumulative: true},
		{name: "revenue under ASC 606 from 2018 on", yearEnd: december, cumulative: true, newTag: 2018, switchedIn: 1},
		{name: "revenue under another tag in the middle of a year", yearEnd: december, newTag: 2019, switchedIn: 3},
		{name: "a discontinued business restates all of a year", yearEnd: december, cumulative: true, restated: 2019},
		{name: "only the annual report restates a year", yearEnd: december, cumulative: true, yearOnly: 2019},
		{name: "comparatives in millions", yearEnd: monthEnd(time.September), cumulative: true, rounded: true},
		{name: "a quarter that was never reported", yearEnd: december, cumulative: true, lateQuarter: 2019},
		{name: "proxy statements with five years of net income", yearEnd: december, cumulative: true, proxies: true},
		{name: "stock compensation in a note, as Alphabet", yearEnd: december, cumulative: true, note: true},
		{name: "IFRS in euros with quarters on 6-K", yearEnd: december, taxonomy: "ifrs-full", currency: "EUR", annual: "20-F", interim: "6-K", cumulative: true},
		{name: "IFRS with half years", yearEnd: monthEnd(time.March), taxonomy: "ifrs-full", currency: "GBP", annual: "20-F", interim: "6-K", halfYears: true},
		{name: "a fiscal year that moves from December to March", cumulative: true, moved: 2019, yearEnd: func(y int) time.Time {
			if y < 2019 {
				return december(y)
			}
			return monthEnd(time.March)(y + 1)
		}},
		{name: "a split of four for one", yearEnd: december, cumulative: true, split: 2020},
		{name: "a bank without a line of revenue", yearEnd: december, cumulative: true, template: market.TemplateBank},
		{name: "an insurer without operating income", yearEnd: december, cumulative: true, template: market.TemplateInsurer},
		{name: "a year corrected by a 10-K/A", yearEnd: december, cumulative: true, amended: 2019},
		{name: "yuan with a convenience translation to dollars", yearEnd: december, taxonomy: "ifrs-full", currency: "CNY", annual: "20-F", interim: "6-K", cumulative: true, translated: "USD"},
		{name: "a Canadian filer of 40-F", yearEnd: monthEnd(time.October), taxonomy: "ifrs-full", currency: "CAD", annual: "40-F", interim: "6-K", cumulative: true},
		{name: "every figure tagged twice", yearEnd: december, cumulative: true, twice: true},
		{name: "cash flows once a year", yearEnd: monthEnd(time.June), yearlyCash: true},
	}
}

// flowTags maps each item to its concepts in both taxonomies. The first one for revenue is the older one.
var flowTags = map[string][2][]string{
	market.ItemRevenue:           {{"Revenues", "RevenueFromContractWithCustomerExcludingAssessedTax"}, {"Revenue"}},
	market.ItemOperatingIncome:   {{"OperatingIncomeLoss"}, {"ProfitLossFromOperatingActivities"}},
	market.ItemNetIncome:         {{"NetIncomeLoss"}, {"ProfitLossAttributableToOwnersOfParent"}},
	market.ItemOperatingCashFlow: {{"NetCashProvidedByUsedInOperatingActivities"}, {"CashFlowsFromUsedInOperatingActivities"}},
	market.ItemStockCompensation: {{"ShareBasedCompensation"}, {"AdjustmentsForSharebasedPayments"}},
}

const firstYear, lastYear = 2016, 2022

// madeCompany has the true quarters of a shape, and the lines of its companyfacts.
type madeCompany struct {
	companyShape
	truth map[string]map[int][4]int64
	lines strings.Builder
}

func makeCompany(s companyShape, r *rand.Rand) *madeCompany {
	c := &madeCompany{companyShape: s, truth: map[string]map[int][4]int64{}}
	for _, item := range []string{market.ItemRevenue, market.ItemOperatingIncome, market.ItemNetIncome, market.ItemOperatingCashFlow, market.ItemStockCompensation} {
		c.truth[item] = map[int][4]int64{}
		for year := firstYear; year <= lastYear; year++ {
			var q [4]int64
			for i := range q {
				q[i] = 1_000_000_000 + r.Int64N(900_000_000)
				if item == market.ItemNetIncome && r.IntN(5) == 0 {
					q[i] = -q[i] / 3
				}
			}
			c.truth[item][year] = q
		}
	}
	for year := firstYear; year <= lastYear; year++ {
		for q := 1; q <= 4; q++ {
			c.report(year, q)
		}
	}
	return c
}

// quarterEnd returns the last day of a quarter; quarter 0 is the end of the previous year.
func (c *madeCompany) quarterEnd(year, q int) time.Time {
	before := c.yearEnd(year - 1)
	if year == c.moved {
		before = c.transition()
	}
	switch q {
	case 0:
		return before
	case 4:
		return c.yearEnd(year)
	}
	if c.weeks {
		return before.AddDate(0, 0, 91*q)
	}
	return time.Date(before.Year(), before.Month()+time.Month(3*q)+1, 0, 0, 0, 0, 0, time.UTC)
}

// transition returns the last day between two fiscal years, if the fiscal year moves.
func (c *madeCompany) transition() time.Time {
	return time.Date(c.moved, time.March, 31, 0, 0, 0, 0, time.UTC)
}

// isFlow reports whether an item is in the cash flow statement.
func isFlow(item string) bool {
	return item == market.ItemOperatingCashFlow || item == market.ItemStockCompensation
}

// tag returns the concept that a report of a quarter uses for a figure.
func (c *madeCompany) tag(item string, year, q int) string {
	if c.taxonomy != "" {
		return c.taxonomy + ":" + flowTags[item][1][0]
	}
	tags := flowTags[item][0]
	if item == market.ItemRevenue && c.newTag > 0 && (year > c.newTag || year == c.newTag && q >= c.switchedIn) {
		return tags[1]
	}
	return tags[0]
}

// report adds the facts of a report: the quarter, the time since the start of the year, and the same for the
// year before.
func (c *madeCompany) report(year, q int) {
	if q == 2 && year == c.lateQuarter || c.halfYears && q%2 == 1 {
		return
	}
	form, filed := cmp.Or(c.interim, "10-Q"), c.quarterEnd(year, q).AddDate(0, 0, 40)
	period := fmt.Sprintf("Q%d", q)
	if q == 4 {
		form, filed, period = cmp.Or(c.annual, "10-K"), c.quarterEnd(year, q).AddDate(0, 0, 60), "FY"
	}
	fact := func(item string, of, from, to int) {
		value := int64(0)
		for _, one := range c.known(item, of, year)[from:to] {
			value += one
		}
		if c.yearOnly == of && year > of && q == 4 && from == 0 && to == 4 && item != market.ItemStockCompensation {
			value += 77_000_000
		}
		if c.rounded && of < year {
			value = decimal.NewFromInt(value).Round(-6).IntPart()
		}
		write := func(tag, currency string, value int64, form string, filed time.Time) {
			line := fmt.Sprintf("%s %s %s %s %d %s %s %d %s\n", tag, currency, c.quarterEnd(of, from).AddDate(0, 0, 1).Format(time.DateOnly), c.quarterEnd(of, to).Format(time.DateOnly), value, form, filed.Format(time.DateOnly), year, period)
			c.lines.WriteString(line)
			if c.twice {
				c.lines.WriteString(line)
			}
		}
		tag, currency, whole := c.tag(item, year, q), cmp.Or(c.currency, "USD"), q == 4 && of == year && from == 0
		switch {
		case c.template == market.TemplateBank && item == market.ItemRevenue:
			write("InterestIncomeExpenseNet", currency, value/3, form, filed)
			write("NoninterestIncome", currency, value-value/3, form, filed)
			return
		case c.translated != "" && whole:
			write(tag, c.translated, value/7, form, filed)
		case c.amended == of && whole && !isFlow(item):
			write(tag, currency, value+77_000_000, form+"/A", filed.AddDate(0, 2, 0))
		case c.amended == of && q == 4 && year > of && !isFlow(item):
			value += 77_000_000
		}
		write(tag, currency, value, form, filed)
	}
	for item := range c.truth {
		if c.template != "" && item == market.ItemOperatingIncome || c.yearlyCash && q < 4 && isFlow(item) {
			continue
		}
		for _, of := range []int{year, year - 1} {
			if of < firstYear {
				continue
			}
			fact(item, of, 0, q)
			quarter := q > 1 && !c.halfYears && (q < 4 || c.fourth) && !(c.cumulative && isFlow(item))
			if quarter {
				fact(item, of, q-1, q)
			}
		}
	}
	if year == c.moved && q == 1 {
		for item := range c.truth {
			fmt.Fprintf(&c.lines, "%s USD %d-01-01 %[2]d-03-31 555000000 10-KT %[2]d-05-30 %[2]d FY\n", c.tag(item, year, q), year)
		}
	}
	if c.note && q < 4 {
		value := c.truth[market.ItemStockCompensation][year][q-1] / 100_000_000 * 100_000_000
		fmt.Fprintf(&c.lines, "AllocatedShareBasedCompensationExpense USD %s %s %d %s %s %d %s\n", c.quarterEnd(year, q-1).AddDate(0, 0, 1).Format(time.DateOnly), c.quarterEnd(year, q).Format(time.DateOnly), value, form, filed.Format(time.DateOnly), year, period)
	}
	if c.proxies && q == 4 {
		// Add the same years again, in thousands, from a form that is not a report.
		for of := max(firstYear, year-4); of <= year; of++ {
			sum := int64(0)
			for _, one := range c.truth[market.ItemNetIncome][of] {
				sum += one
			}
			fmt.Fprintf(&c.lines, "NetIncomeLoss USD %s %s %d DEF_14A %s 0 -\n", c.quarterEnd(of, 0).AddDate(0, 0, 1).Format(time.DateOnly), c.quarterEnd(of, 4).Format(time.DateOnly), sum/1000, filed.AddDate(0, 0, 30).Format(time.DateOnly))
		}
	}
	if c.taxonomy == "" {
		c.perShare(year, q, form, period, filed)
	}
}

// perShare adds earnings and average shares: a billion shares, and four times as many in reports after the
// split, which restate the year before.
func (c *madeCompany) perShare(year, q int, form, period string, filed time.Time) {
	for _, of := range []int{year, year - 1} {
		if of < firstYear {
			continue
		}
		for _, from := range []int{0, q - 1} {
			if from > 0 && q == 4 && !c.fourth {
				continue
			}
			income := int64(0)
			for _, one := range c.known(market.ItemNetIncome, of, year)[from:q] {
				income += one
			}
			shares := int64(1_000_000_000)
			if c.split > 0 && (year > c.split || year == c.split && q > 2) {
				shares *= 4
			}
			span := fmt.Sprintf("%s %s", c.quarterEnd(of, from).AddDate(0, 0, 1).Format(time.DateOnly), c.quarterEnd(of, q).Format(time.DateOnly))
			fmt.Fprintf(&c.lines, "EarningsPerShareDiluted USD/shares %s %s %s %s %d %s\n", span, decimal.NewFromInt(income).DivRound(decimal.NewFromInt(shares), 2), form, filed.Format(time.DateOnly), year, period)
			fmt.Fprintf(&c.lines, "WeightedAverageNumberOfDilutedSharesOutstanding shares %s %d %s %s %d %s\n", span, shares, form, filed.Format(time.DateOnly), year, period)
		}
	}
}

// known returns the quarters of a year as a report of another year states them: a restatement removes a
// tenth of each.
func (c *madeCompany) known(item string, of, year int) []int64 {
	q := c.truth[item][of]
	if c.restated == of && year > of && item != market.ItemStockCompensation {
		for i := range q {
			q[i] -= q[i] / 10
		}
	}
	return q[:]
}

// C15: the quarters of any company are the true ones and add up to its year, today and as known on any day.
// If a report restated the year but not its quarters, a warning says so.
func TestStatements_QuartersOfAnyCompanyAddUp(t *testing.T) {
	if testing.Short() {
		t.Skip("slow with the race detector, and uses one goroutine")
	}
	for seed, shape := range companyShapes() {
		t.Run(shape.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(seed), 2026))
			sums := 0
			c := makeCompany(shape, r)
			facts, err := edgar.ParseFacts(factsDocument(t, c.lines.String()))
			if err != nil {
				t.Fatal(err)
			}
			days := []time.Time{{}}
			for range 6 {
				days = append(days, time.Date(firstYear+1, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, r.IntN(365*(lastYear-firstYear+1))))
			}
			for _, day := range days {
				sums += c.check(t, facts, day)
			}
			if sums < 25 && !shape.halfYears {
				t.Errorf("only %d years were compared with their quarters", sums)
			}
		})
	}
}

// randomShape returns a combination of what the documented companies do.
func randomShape(r *rand.Rand) companyShape {
	ends := []companyShape{{yearEnd: monthEnd(time.December)}, {yearEnd: monthEnd(time.June)}, {yearEnd: lastWeekday(time.September, time.Saturday), weeks: true}, {yearEnd: nearestToJanuary(time.Saturday), weeks: true}}
	s := ends[r.IntN(len(ends))]
	chance := func(n int) bool { return r.IntN(n) == 0 }
	anyYear := func() int { return firstYear + 1 + r.IntN(lastYear-firstYear-1) }
	s.cumulative, s.fourth, s.rounded, s.proxies, s.note, s.twice = chance(2), chance(4), chance(4), chance(3), chance(4), chance(4)
	if chance(4) {
		s.newTag, s.switchedIn = anyYear(), 1+r.IntN(4)
	}
	switch r.IntN(4) {
	case 0:
		s.restated = anyYear()
	case 1:
		s.yearOnly = anyYear()
	case 2:
		s.amended = anyYear()
	}
	if chance(4) && !s.note { // a note would be the only figure of the next quarter
		s.lateQuarter = anyYear()
	}
	if chance(4) {
		s.split = anyYear()
	}
	if chance(5) {
		s.template = []market.Template{market.TemplateBank, market.TemplateInsurer}[r.IntN(2)]
	}
	s.yearlyCash = chance(8) && !s.note && !s.fourth // both have quarters
	s.name = fmt.Sprintf("%+v", s)
	return s
}

// C15: the same for companies that combine several of these properties.
func TestStatements_QuartersOfRandomCompaniesAddUp(t *testing.T) {
	r := rand.New(rand.NewPCG(24, 2026))
	for range 12 {
		c := makeCompany(randomShape(r), r)
		facts, err := edgar.ParseFacts(factsDocument(t, c.lines.String()))
		if err != nil {
			t.Fatal(err)
		}
		for _, day := range []time.Time{{}, time.Date(firstYear+2, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, r.IntN(1500))} {
			c.check(t, facts, day)
			if t.Failed() {
				t.Fatalf("the company is %s", c.name)
			}
		}
	}
}

// check compares the statements known on a day with the truth, and returns how many years have four
// quarters.
func (c *madeCompany) check(t *testing.T, facts *edgar.CompanyFacts, day time.Time) int {
	t.Helper()
	quarters := facts.Statements(edgar.StatementView{Span: market.SpanQuarterly, KnownOn: day, Template: c.template})
	for _, s := range quarters {
		var year, q int
		for y := firstYear; y <= lastYear; y++ {
			for n := 1; n <= 4; n++ {
				if c.quarterEnd(y, n).Equal(s.PeriodEnd) {
					year, q = y, n
				}
			}
		}
		if year == 0 && c.moved > 0 && s.PeriodEnd.Equal(c.transition()) {
			// Until the first report of a new year, the months look like its first quarter.
			if newYear := c.yearEnd(c.moved).AddDate(0, 0, 60); s.FiscalPeriod != "transition" && (day.IsZero() || day.After(newYear)) {
				t.Errorf("the months between two fiscal years are %s of %d", s.FiscalPeriod, s.FiscalYear)
			}
			continue
		}
		if year == 0 {
			t.Errorf("%s: a quarter ends on %s, which is no end of a quarter", day.Format(time.DateOnly), s.PeriodEnd.Format(time.DateOnly))
			continue
		}
		for item, truth := range c.truth {
			got, ok := s.Items[item]
			if ok && c.yearlyCash && isFlow(item) {
				t.Errorf("known on %s: %s of %d Q%d is %s, but only years are reported", day.Format(time.DateOnly), item, year, q, got.Value)
			}
			if !ok {
				continue
			}
			if want := cmp.Or(c.currency, "USD"); got.Unit != want {
				t.Errorf("known on %s: %s of %d Q%d is in %s, want %s", day.Format(time.DateOnly), item, year, q, got.Unit, want)
			}
			first, last := truth[year][q-1], c.known(item, year, lastYear)[q-1]
			off := decimal.Min(got.Value.Sub(decimal.NewFromInt(first)).Abs(), got.Value.Sub(decimal.NewFromInt(last)).Abs())
			slack := int64(0)
			if c.rounded {
				slack = 1_000_000 // two figures rounded to millions
			}
			restatedYear := (c.yearOnly == year || c.amended == year) && q == 4
			if off.GreaterThan(decimal.NewFromInt(slack)) && !restatedYear {
				t.Errorf("known on %s: %s of %d Q%d is %s (%s), want %d", day.Format(time.DateOnly), item, year, q, got.Value, got.Formula, first)
			}
		}
	}
	sums := 0
	for _, year := range facts.Statements(edgar.StatementView{KnownOn: day, Template: c.template}) {
		for _, item := range []string{market.ItemRevenue, market.ItemOperatingIncome, market.ItemNetIncome, market.ItemOperatingCashFlow, market.ItemStockCompensation, market.ItemDilutedEPS} {
			if checkSum(t, year, quarters, item) {
				sums++
			}
		}
	}
	return sums
}
