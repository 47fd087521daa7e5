package question_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/llm/offline/question"
)

// The clock of the tests stands at 2026-11-21.
func TestDates_SpansInTheirForms(t *testing.T) {
	for _, tt := range []struct {
		words string
		want  question.Span
	}{
		{"since 2008", question.Span{From: "2008-01-01"}},
		{"since march 2015", question.Span{From: "2015-03-01"}},
		{"since Mar. 2015", question.Span{From: "2015-03-01"}},
		{"since the beginning of 2012", question.Span{From: "2012-01-01"}},
		{"since March 4th, 2015", question.Span{From: "2015-03-04"}},
		{"since 4 March 2015", question.Span{From: "2015-03-04"}},
		{"since 2015-03-04", question.Span{From: "2015-03-04"}},
		{"since 2015-03", question.Span{From: "2015-03-01"}},
		{"seit märz 2015", question.Span{From: "2015-03-01"}},
		{"depuis février 2015", question.Span{From: "2015-02-01"}},
		{"desde enero de 2015", question.Span{From: "2015-01-01"}},
		{"自2015年以来", question.Span{From: "2015-01-01"}},
		{"after 2015", question.Span{From: "2016-01-01"}},
		{"before 2015", question.Span{To: "2014-12-31"}},
		{"until 2015", question.Span{To: "2015-12-31"}},
		{"up to february 2016", question.Span{To: "2016-02-29"}},
		{"from 2010 to 2015", question.Span{From: "2010-01-01", To: "2015-12-31"}},
		{"between 2010 and 2015", question.Span{From: "2010-01-01", To: "2015-12-31"}},
		{"between 2015 and 2010", question.Span{From: "2010-01-01", To: "2015-12-31"}},
		{"2010-2015", question.Span{From: "2010-01-01", To: "2015-12-31"}},
		{"2010 – 2015", question.Span{From: "2010-01-01", To: "2015-12-31"}},
		{"from March 2010 through 2012-06-15", question.Span{From: "2010-03-01", To: "2012-06-15"}},
		{"zwischen 2010 und 2015", question.Span{From: "2010-01-01", To: "2015-12-31"}},
		{"entre 2010 et 2015", question.Span{From: "2010-01-01", To: "2015-12-31"}},
		{"in 2009", question.Span{From: "2009-01-01", To: "2009-12-31"}},
		{"during February 2012", question.Span{From: "2012-02-01", To: "2012-02-29"}},
		{"on 2012-02-29", question.Span{From: "2012-02-29", To: "2012-02-29"}},
		{"2009", question.Span{From: "2009-01-01", To: "2009-12-31"}},
		{"last year", question.Span{From: "2025-01-01", To: "2025-12-31"}},
		{"over the last year", question.Span{Back: "1y"}},
		{"past year", question.Span{Back: "1y"}},
		{"last quarter", question.Span{Back: "3m"}},
		{"last month", question.Span{Back: "1m"}},
		{"past decade", question.Span{Back: "10y"}},
		{"over five years", question.Span{Back: "5y"}},
		{"last 10 years", question.Span{Back: "10y"}},
		{"10y", question.Span{Back: "10y"}},
		{"3-year", question.Span{Back: "3y"}},
		{"18 months", question.Span{Back: "18m"}},
		{"for 6 weeks", question.Span{Back: "6w"}},
		{"30 days", question.Span{Back: "30d"}},
		{"three decades", question.Span{Back: "30y"}},
		{"letzten 5 Jahre", question.Span{Back: "5y"}},
		{"ces 5 ans", question.Span{Back: "5y"}},
		{"últimos 5 años", question.Span{Back: "5y"}},
		{"过去5年", question.Span{Back: "5y"}},
		{"ytd", question.Span{Back: "ytd"}},
		{"this year", question.Span{Back: "ytd"}},
		{"year to date", question.Span{Back: "ytd"}},
		{"of all time", question.Span{Back: "max"}},
		{"since inception", question.Span{Back: "max"}},

		{"since the end of 2020", question.Span{From: "2020-12-31"}},
		{"seit Ende 2020", question.Span{From: "2020-12-31"}},
		{"until the beginning of 2020", question.Span{To: "2020-01-01"}},
		{"at the end of march 2020", question.Span{From: "2020-03-31", To: "2020-03-31"}},
		{"in Q1 2020", question.Span{From: "2020-01-01", To: "2020-03-31"}},
		{"since 2020 Q4", question.Span{From: "2020-10-01"}},
		{"in the second quarter of 2020", question.Span{From: "2020-04-01", To: "2020-06-30"}},
		{"in the first half of 2020", question.Span{From: "2020-01-01", To: "2020-06-30"}},
		{"H2 2020", question.Span{From: "2020-07-01", To: "2020-12-31"}},
		{"from March to June 2020", question.Span{From: "2020-03-01", To: "2020-06-30"}},
		{"between november and february 2020", question.Span{From: "2019-11-01", To: "2020-02-29"}},
		{"from 3 to 17 March 2020", question.Span{From: "2020-03-03", To: "2020-03-17"}},
		{"March 3 to 17, 2020", question.Span{From: "2020-03-03", To: "2020-03-17"}},
		{"since 3/2020", question.Span{From: "2020-03-01"}},
		{"since 11/2020", question.Span{From: "2020-11-01"}},
		{"since the crash of 2008", question.Span{From: "2008-01-01"}},
		{"a year ago", question.Span{Back: "1y"}},
		{"yesterday", question.Span{From: "2026-11-20", To: "2026-11-20"}},
		{"this week", question.Span{From: "2026-11-16"}},
		{"this month", question.Span{From: "2026-11-01"}},
		{"this quarter", question.Span{From: "2026-10-01"}},

		// What is no time, or none that there is.
		{"", question.Span{}},
		{"since the crisis", question.Span{}},
		{"since 2015-02-30", question.Span{}},
		{"since 2015-13", question.Span{}},
		{"since february 31 2010", question.Span{}},
		{"0 years", question.Span{}},
		{"and the others", question.Span{}},
		{"with 2000.50 in it", question.Span{}},
	} {
		t.Run(tt.words, func(t *testing.T) {
			q := read("volatility of AAPL " + tt.words)
			if diff := cmp.Diff(tt.want, q.Span); diff != "" || q.Topic != question.TopicReturns || !cmp.Equal(q.Symbols, []string{"AAPL"}) {
				t.Errorf("topic %d of %v, span (-want +got):\n%s", q.Topic, q.Symbols, diff)
			}
		})
	}
}

// An answer about another time than was asked for would pass for the one that was.
func TestDates_ATimeThatTheSpanDoesNotTellIsVague(t *testing.T) {
	for words, want := range map[string]string{
		"since early 2020": "early 2020", "since mid-2020": "mid-2020", "in late march 2020": "late march 2020", "in the summer of 2020": "summer of 2020",
		"before the crash of 2008": "2008", "in 2008 or 2020": "2020", "2020 vs 2021": "2021", "2019 2020": "2020", "over 5 years, in 2008": "2008",
		"since 2015-02-30": "2015-02-30", "since february 31 2010": "february 31 2010", "since 2015-13": "2015-13", "in 2010/11": "2010/11",
		"over the last 1.5 years": "1.5 years", "over half a year": "half a year", "over a couple of years": "a couple of years", "in the last 20 trading days": "20 trading days",
		"in the 1990s": "1990s", "since the nineties": "nineties", "since '08": "'08", "since 1871": "since 1871", "last friday": "last friday",
		"in march": "in march", "on March 3": "on march", "many years ago": "many years ago",
	} {
		if q := read("volatility of AAPL " + words); strings.TrimSpace(q.Vague) != want {
			t.Errorf("%q: vague is %q, want %q; span %+v", words, q.Vague, want, q.Span)
		}
	}
}

func TestDates_WhatIsToldIsNotVague(t *testing.T) {
	for _, words := range []string{
		"", "since 2008", "after 2015", "before 2015", "between 2015 and 2010", "2010-2015", "until 2015", "on 2012-02-29", "from march 2010 through 2012-06-15",
		"in december 2019 and january 2020", "since the end of 2020", "5 years ago", "over 3-year", "自2015年以来", "of 2000 shares since 2015", "with 2000.50 in it", "may be high", "last 10 years",
	} {
		if q := read("volatility of AAPL " + words); q.Vague != "" {
			t.Errorf("%q: %q is vague beside %+v", words, q.Vague, q.Span)
		}
	}
}

func TestDates_NumbersThatOnlyLookLikeYears(t *testing.T) {
	for asked, want := range map[string]question.Span{
		"How has the Russell 2000 done?":                              {},
		"How has the Russell 2000 done in 2015":                       {From: "2015-01-01", To: "2015-12-31"},
		"I have 2000 shares of AAPL since 2015, how risky is that":    {From: "2015-01-01"},
		"what would 1,500 shares of AAPL have lost in 2008":           {From: "2008-01-01", To: "2008-12-31"},
		"If I had put 2000 dollars into the Russell 2000 in 2010":     {From: "2010-01-01"},
		"how did AAPL do in 2000 and was it better than the S&P 500?": {From: "2000-01-01", To: "2000-12-31"},
	} {
		if q := read(asked); q.Span != want || q.Vague != "" {
			t.Errorf("%q: span %+v, want %+v; vague %q", asked, q.Span, want, q.Vague)
		}
	}
}
