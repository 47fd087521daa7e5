package question_test

import (
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
