package offline_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/llm/offline"
)

// The clock of the tests stands at 2026-11-21.
func TestDates_SpansInTheirForms(t *testing.T) {
	for _, tt := range []struct {
		words string
		want  offline.Period
	}{
		{"since 2008", offline.Period{From: "2008-01-01"}},
		{"since march 2015", offline.Period{From: "2015-03-01"}},
		{"since Mar. 2015", offline.Period{From: "2015-03-01"}},
		{"since the beginning of 2012", offline.Period{From: "2012-01-01"}},
		{"since March 4th, 2015", offline.Period{From: "2015-03-04"}},
		{"since 4 March 2015", offline.Period{From: "2015-03-04"}},
		{"since 2015-03-04", offline.Period{From: "2015-03-04"}},
		{"since 2015-03", offline.Period{From: "2015-03-01"}},
		{"seit märz 2015", offline.Period{From: "2015-03-01"}},
		{"depuis février 2015", offline.Period{From: "2015-02-01"}},
		{"desde enero de 2015", offline.Period{From: "2015-01-01"}},
		{"自2015年以来", offline.Period{From: "2015-01-01"}},
		{"after 2015", offline.Period{From: "2016-01-01"}},
		{"before 2015", offline.Period{To: "2014-12-31"}},
		{"until 2015", offline.Period{To: "2015-12-31"}},
		{"up to february 2016", offline.Period{To: "2016-02-29"}},
		{"from 2010 to 2015", offline.Period{From: "2010-01-01", To: "2015-12-31"}},
		{"between 2010 and 2015", offline.Period{From: "2010-01-01", To: "2015-12-31"}},
		{"between 2015 and 2010", offline.Period{From: "2010-01-01", To: "2015-12-31"}},
		{"2010-2015", offline.Period{From: "2010-01-01", To: "2015-12-31"}},
		{"2010 – 2015", offline.Period{From: "2010-01-01", To: "2015-12-31"}},
		{"from March 2010 through 2012-06-15", offline.Period{From: "2010-03-01", To: "2012-06-15"}},
		{"zwischen 2010 und 2015", offline.Period{From: "2010-01-01", To: "2015-12-31"}},
		{"entre 2010 et 2015", offline.Period{From: "2010-01-01", To: "2015-12-31"}},
		{"in 2009", offline.Period{From: "2009-01-01", To: "2009-12-31"}},
		{"during February 2012", offline.Period{From: "2012-02-01", To: "2012-02-29"}},
		{"on 2012-02-29", offline.Period{From: "2012-02-29", To: "2012-02-29"}},
		{"2009", offline.Period{From: "2009-01-01", To: "2009-12-31"}},
		{"last year", offline.Period{From: "2025-01-01", To: "2025-12-31"}},
		{"over the last year", offline.Period{Range: "1y"}},
		{"past year", offline.Period{Range: "1y"}},
		{"last quarter", offline.Period{Range: "3m"}},
		{"last month", offline.Period{Range: "1m"}},
		{"past decade", offline.Period{Range: "10y"}},
		{"over five years", offline.Period{Range: "5y"}},
		{"last 10 years", offline.Period{Range: "10y"}},
		{"10y", offline.Period{Range: "10y"}},
		{"3-year", offline.Period{Range: "3y"}},
		{"18 months", offline.Period{Range: "18m"}},
		{"for 6 weeks", offline.Period{Range: "6w"}},
		{"30 days", offline.Period{Range: "30d"}},
		{"three decades", offline.Period{Range: "30y"}},
		{"letzten 5 Jahre", offline.Period{Range: "5y"}},
		{"ces 5 ans", offline.Period{Range: "5y"}},
		{"últimos 5 años", offline.Period{Range: "5y"}},
		{"过去5年", offline.Period{Range: "5y"}},
		{"ytd", offline.Period{Range: "ytd"}},
		{"this year", offline.Period{Range: "ytd"}},
		{"year to date", offline.Period{Range: "ytd"}},
		{"of all time", offline.Period{Range: "max"}},
		{"since inception", offline.Period{Range: "max"}},

		{"since the end of 2020", offline.Period{From: "2020-12-31"}},
		{"seit Ende 2020", offline.Period{From: "2020-12-31"}},
		{"until the beginning of 2020", offline.Period{To: "2020-01-01"}},
		{"at the end of march 2020", offline.Period{From: "2020-03-31", To: "2020-03-31"}},
		{"in Q1 2020", offline.Period{From: "2020-01-01", To: "2020-03-31"}},
		{"since 2020 Q4", offline.Period{From: "2020-10-01"}},
		{"in the second quarter of 2020", offline.Period{From: "2020-04-01", To: "2020-06-30"}},
		{"in the first half of 2020", offline.Period{From: "2020-01-01", To: "2020-06-30"}},
		{"H2 2020", offline.Period{From: "2020-07-01", To: "2020-12-31"}},
		{"from March to June 2020", offline.Period{From: "2020-03-01", To: "2020-06-30"}},
		{"between november and february 2020", offline.Period{From: "2019-11-01", To: "2020-02-29"}},
		{"from 3 to 17 March 2020", offline.Period{From: "2020-03-03", To: "2020-03-17"}},
		{"March 3 to 17, 2020", offline.Period{From: "2020-03-03", To: "2020-03-17"}},
		{"since 3/2020", offline.Period{From: "2020-03-01"}},
		{"since 11/2020", offline.Period{From: "2020-11-01"}},
		{"since the crash of 2008", offline.Period{From: "2008-01-01"}},
		{"a year ago", offline.Period{Range: "1y"}},
		{"yesterday", offline.Period{From: "2026-11-20", To: "2026-11-20"}},
		{"this week", offline.Period{From: "2026-11-16"}},
		{"this month", offline.Period{From: "2026-11-01"}},
		{"this quarter", offline.Period{From: "2026-10-01"}},

		// What is no time, or none that there is.
		{"", offline.Period{}},
		{"since the crisis", offline.Period{}},
		{"since 2015-02-30", offline.Period{}},
		{"since 2015-13", offline.Period{}},
		{"since february 31 2010", offline.Period{}},
		{"0 years", offline.Period{}},
		{"and the others", offline.Period{}},
		{"with 2000.50 in it", offline.Period{}},
	} {
		t.Run(tt.words, func(t *testing.T) {
			q := readMessages("volatility of AAPL " + tt.words)
			if diff := cmp.Diff(tt.want, q.Period); diff != "" || q.Topic != offline.TopicReturns || !cmp.Equal(q.Symbols, []string{"AAPL"}) {
				t.Errorf("topic %d of %v, span (-want +got):\n%s", q.Topic, q.Symbols, diff)
			}
		})
	}
}

// An answer about another time than was asked for would pass for the one that was.
func TestDates_ATimeThatTheSpanDoesNotTellIsVague(t *testing.T) {
	for input, want := range map[string]string{
		"since early 2020": "early 2020", "since mid-2020": "mid-2020", "in late march 2020": "late march 2020", "in the summer of 2020": "summer of 2020",
		"before the crash of 2008": "2008", "in 2008 or 2020": "2020", "2020 vs 2021": "2021", "2019 2020": "2020", "over 5 years, in 2008": "2008",
		"since 2015-02-30": "2015-02-30", "since february 31 2010": "february 31 2010", "since 2015-13": "2015-13", "in 2010/11": "2010/11",
		"over the last 1.5 years": "1.5 years", "over half a year": "half a year", "over a couple of years": "a couple of years", "in the last 20 trading days": "20 trading days",
		"in the 1990s": "1990s", "since the nineties": "nineties", "since '08": "'08", "since 1871": "since 1871", "last friday": "last friday",
		"in march": "in march", "on March 3": "on march", "many years ago": "many years ago",
	} {
		if q := readMessages("volatility of AAPL " + input); strings.TrimSpace(q.Vague) != want {
			t.Errorf("%q: vague is %q, want %q; span %+v", input, q.Vague, want, q.Period)
		}
	}
}

func TestDates_ANamedDateIsNotVague(t *testing.T) {
	for _, input := range []string{
		"", "since 2008", "after 2015", "before 2015", "between 2015 and 2010", "2010-2015", "until 2015", "on 2012-02-29", "from march 2010 through 2012-06-15",
		"in december 2019 and january 2020", "since the end of 2020", "5 years ago", "over 3-year", "自2015年以来", "of 2000 shares since 2015", "with 2000.50 in it", "may be high", "last 10 years",
	} {
		if q := readMessages("volatility of AAPL " + input); q.Vague != "" {
			t.Errorf("%q: %q is vague beside %+v", input, q.Vague, q.Period)
		}
	}
}

func TestDates_NumbersThatOnlyLookLikeYears(t *testing.T) {
	for input, want := range map[string]offline.Period{
		"How has the Russell 2000 done?":                              {},
		"How has the Russell 2000 done in 2015":                       {From: "2015-01-01", To: "2015-12-31"},
		"I have 2000 shares of AAPL since 2015, how risky is that":    {From: "2015-01-01"},
		"what would 1,500 shares of AAPL have lost in 2008":           {From: "2008-01-01", To: "2008-12-31"},
		"If I had put 2000 dollars into the Russell 2000 in 2010":     {From: "2010-01-01"},
		"how did AAPL do in 2000 and was it better than the S&P 500?": {From: "2000-01-01", To: "2000-12-31"},
	} {
		if q := readMessages(input); q.Period != want || q.Vague != "" {
			t.Errorf("%q: span %+v, want %+v; vague %q", input, q.Period, want, q.Vague)
		}
	}
}
