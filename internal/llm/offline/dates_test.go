package offline_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The clock of the tests stands at 2026-11-21.
func TestDates_SpansInTheirForms(t *testing.T) {
	for _, tt := range []struct{ words, want string }{
		{"since 2008", `"from":"2008-01-01"`},
		{"since march 2015", `"from":"2015-03-01"`},
		{"since Mar. 2015", `"from":"2015-03-01"`},
		{"since the beginning of 2012", `"from":"2012-01-01"`},
		{"since March 4th, 2015", `"from":"2015-03-04"`},
		{"since 4 March 2015", `"from":"2015-03-04"`},
		{"since 2015-03-04", `"from":"2015-03-04"`},
		{"since 2015-03", `"from":"2015-03-01"`},
		{"seit märz 2015", `"from":"2015-03-01"`},
		{"depuis février 2015", `"from":"2015-02-01"`},
		{"desde enero de 2015", `"from":"2015-01-01"`},
		{"自2015年以来", `"from":"2015-01-01"`},
		{"after 2015", `"from":"2016-01-01"`},
		{"before 2015", `"to":"2014-12-31"`},
		{"until 2015", `"to":"2015-12-31"`},
		{"up to february 2016", `"to":"2016-02-29"`},
		{"from 2010 to 2015", `"from":"2010-01-01","to":"2015-12-31"`},
		{"between 2010 and 2015", `"from":"2010-01-01","to":"2015-12-31"`},
		{"between 2015 and 2010", `"from":"2010-01-01","to":"2015-12-31"`},
		{"2010-2015", `"from":"2010-01-01","to":"2015-12-31"`},
		{"2010 – 2015", `"from":"2010-01-01","to":"2015-12-31"`},
		{"from March 2010 through 2012-06-15", `"from":"2010-03-01","to":"2012-06-15"`},
		{"zwischen 2010 und 2015", `"from":"2010-01-01","to":"2015-12-31"`},
		{"entre 2010 et 2015", `"from":"2010-01-01","to":"2015-12-31"`},
		{"in 2009", `"from":"2009-01-01","to":"2009-12-31"`},
		{"during February 2012", `"from":"2012-02-01","to":"2012-02-29"`},
		{"on 2012-02-29", `"from":"2012-02-29","to":"2012-02-29"`},
		{"2009", `"from":"2009-01-01","to":"2009-12-31"`},
		{"last year", `"from":"2025-01-01","to":"2025-12-31"`},
		{"over the last year", `"range":"1y"`},
		{"past year", `"range":"1y"`},
		{"last quarter", `"range":"3m"`},
		{"last month", `"range":"1m"`},
		{"past decade", `"range":"10y"`},
		{"over five years", `"range":"5y"`},
		{"last 10 years", `"range":"10y"`},
		{"10y", `"range":"10y"`},
		{"3-year", `"range":"3y"`},
		{"18 months", `"range":"18m"`},
		{"for 6 weeks", `"range":"6w"`},
		{"30 days", `"range":"30d"`},
		{"three decades", `"range":"30y"`},
		{"letzten 5 Jahre", `"range":"5y"`},
		{"ces 5 ans", `"range":"5y"`},
		{"últimos 5 años", `"range":"5y"`},
		{"过去5年", `"range":"5y"`},
		{"ytd", `"range":"ytd"`},
		{"this year", `"range":"ytd"`},
		{"year to date", `"range":"ytd"`},
		{"of all time", `"range":"max"`},
		{"since inception", `"range":"max"`},

		// What is no time, or none that there is.
		{"", ""},
		{"since the crisis", ""},
		{"since 2015-02-30", ""},
		{"since 2015-13", ""},
		{"since february 31 2010", ""},
		{"0 years", ""},
		{"and the others", ""},
		{"with 2000.50 in it", ""},
	} {
		t.Run(tt.words, func(t *testing.T) {
			want := `"symbol":"AAPL"`
			if tt.want != "" {
				want += "," + tt.want
			}
			m := newChat(t, everyTool...).ask("volatility of AAPL " + tt.words)
			if diff := cmp.Diff([]string{returns(want)}, shown(m.ToolCalls)); diff != "" {
				t.Errorf("calls (-want +got):\n%s\n%s", diff, m.Content)
			}
		})
	}
}
